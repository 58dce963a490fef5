// SPDX-License-Identifier: GPL-3.0-or-later
// Frequencies and angular velocities told apart where a value meets what is meant by it.
#include "netlist/value/angle.h"

#include <math.h>

static const double two_pi = 6.283185307179586477;

/** Where cycles are meant: n is their exponent. */
static bool to_cycles(const sb_dimension *got, int n, double *factor) {
  if (got->angle != n) {
    const bool tells = got->angle != 0 || got->cycle != 0 || got->pi != 0;
    const bool more = n > 0 ? got->angle > n : got->angle < n; // w times an angle
    return (tells || !got->lost) && !more &&
           got->pi != n; // 2 pi f and 2 pi/T are angular velocities, too
  }
  if (got->pi == 0 && got->cycle == 0) {
    *factor = pow(two_pi, -(double)n / SB_EXPONENT_ONE);
  }
  return got->cycle == 0 && (got->pi == 0 || got->pi == -n);
}

bool sb_angle_convert(const sb_dimension *got, const sb_dimension *wanted, double *factor) {
  *factor = 1;
  if (wanted->cycle != 0 && wanted->angle == 0) {
    return to_cycles(got, wanted->cycle, factor);
  }
  bool angular = wanted->angle != 0 && wanted->cycle == 0;
  return !angular || got->angle != 0 || got->pi != 0 || got->cycle != wanted->angle;
}

/** Whether these are the exponents of 1/s^n, or not known. */
static bool is_rate(const sb_dimension *d, int n) {
  const sb_dimension rate = {.exponent = {0, 0, -n}};
  return d->any || sb_dimension_equal(d, &rate);
}

/** The same with the angular velocity and the frequency in this order. */
static bool mixes(const sb_dimension *w, const sb_dimension *f) {
  const int n = w->angle;
  return n > 0 && w->cycle == 0 && f->cycle == n && f->angle == 0 && w->pi == f->pi &&
         !(w->any && f->any) && is_rate(w, n) && is_rate(f, n);
}

bool sb_angle_mixes(const sb_dimension *a, const sb_dimension *b) {
  return mixes(a, b) || mixes(b, a);
}

sb_status sb_angle_refuse(const char *what, const char *text, int length, const sb_dimension *got,
                          const sb_dimension *wanted, sb_error *err) {
  if (wanted->cycle != 0 && got->angle == 0 && got->cycle == 0 && got->lost) {
    (void)sb_fail(err, SB_ERR_DIMENSION,
                  "an angle is divided out of %s '%.*s', which may count radians or cycles, and a "
                  "frequency is meant",
                  what, length, text);
    sb_error_hint(err, "state an angular velocity w as it is, or the frequency w/(2*pi)");
  } else if (wanted->cycle != 0 && got->pi == 0) {
    (void)sb_fail(err, SB_ERR_DIMENSION,
                  "%s '%.*s' has more than one angle in it, and a frequency is meant", what, length,
                  text);
    sb_error_hint(err, "state an angular velocity w as it is, or the frequency w/(2*pi)");
  } else if (wanted->cycle != 0) {
    (void)sb_fail(err, SB_ERR_DIMENSION,
                  "%s '%.*s' is an angular velocity with a factor of pi, and a frequency is meant",
                  what, length, text);
    sb_error_hint(err, "a frequency is stated in Hz, or by an angular velocity alone: a turn is an "
                       "angle, so that 1 rev/s, 60 rpm and 6.283 rad/s are 1 Hz");
  } else {
    (void)sb_fail(err, SB_ERR_DIMENSION,
                  "%s '%.*s' counts cycles (Hz), and an angular velocity is meant", what, length,
                  text);
    sb_error_hint(err, "state it in rad/s, deg/s, rev/s or rpm; of a frequency f it is 2*pi*f");
  }
  return SB_ERR_DIMENSION;
}
