// SPDX-License-Identifier: GPL-3.0-or-later
#include "contact/recovery.h"

#include <float.h>
#include <math.h>

static bool by_functions(const sb_contact_law *law) {
  return law->normal->energy != NULL;
}

/** m, and whether it is 1. */
static double order_of(const sb_contact_law *law, bool *exponential) {
  const double m = (law->exponent - law->damping_exponent) / law->rate_exponent;
  *exponential = fabs(m - 1) < 1e-12;
  return m;
}

// ---- laws by functions

/** f_el(x) + f_d(x, -u), which falls with u from f_el > 0. */
static double force_at(const sb_contact_law *law, const sb_recovery *r, double x, double u) {
  double elastic;
  (void)sb_contact_law_energy(law, r->stiffness, x, NULL, &elastic);
  return elastic + sb_contact_law_viscous(law, r->damping, x, -u, NULL);
}

/** u > 0 where the force is zero, by bisection of its exponent and then the secant that keeps the bracket
 *  (Illinois). @param guess  [m/s] above 0 @return NAN: none up to the largest speed */
static double speed_at(const sb_contact_law *law, const sb_recovery *r, double x, double guess) {
  enum { ITERATIONS_MAX = 80 };
  static const double least = 1e-200, most = 1e200; // [m/s]
  double low = guess, high = guess, f = force_at(law, r, x, guess), f_low = f, f_high = f;
  while (!(f_high <= 0) && high < most) {
    low = high, f_low = f_high;
    high *= high < 1e3 * guess ? 2 : 1e3;
    f_high = force_at(law, r, x, high);
  }
  while (!(f_low > 0) && low > least) {
    high = low, f_high = f_low;
    low /= low > 1e-3 * guess ? 2 : 1e3;
    f_low = force_at(law, r, x, low);
  }
  if (!(f_low > 0 && f_high <= 0)) {
    return NAN;
  }
  for (int i = 0; i < ITERATIONS_MAX && high - low > 2 * DBL_EPSILON * high && f_high < 0; i++) {
    const double u = (low * f_high - high * f_low) / (f_high - f_low);
    const double inside = u > low && u < high ? u : sqrt(low) * sqrt(high);
    f = force_at(law, r, x, inside);
    if (f > 0) {
      low = inside, f_low = f, f_high *= i % 3 == 2 ? 0.25 : 0.5;
    } else {
      high = inside, f_high = f, f_low *= i % 3 == 2 ? 0.25 : 0.5;
    }
  }
  return f_high == 0 ? high : 0.5 * (low + high);
}

/** x/u(x), dt/ds [s]. */
static double lasts(const sb_contact_law *law, const sb_recovery *r, double s) {
  const double x = r->depth * exp(-s);
  return x / speed_at(law, r, x, r->pace * x);
}

/** The time from s to s + ds, by Gauss' formula of eight nodes on pieces of at most an half. */
static double time_of(const sb_contact_law *law, const sb_recovery *r, double s, double ds) {
  static const double nodes[] = {0.18343464249564980, 0.52553240991632899, 0.79666647741362674,
                                 0.96028985649753623},
                      weights[] = {0.36268378337836198, 0.31370664587788729, 0.22238103445337447,
                                   0.10122853629037626};
  const int pieces = 1 + (int)(2 * fabs(ds));
  const double half = 0.5 * ds / pieces;
  double sum = 0;
  for (int i = 0; i < pieces; i++) {
    const double middle = s + (2 * i + 1) * half;
    for (int k = 0; k < 4; k++) {
      sum += half * weights[k] *
             (lasts(law, r, middle - half * nodes[k]) + lasts(law, r, middle + half * nodes[k]));
    }
  }
  return sum;
}

/** s at the time t, by Newton's method, dt/ds known; infinite behind the end of what ends. */
static double fallen_at(const sb_contact_law *law, const sb_recovery *r, double t) {
  enum { ITERATIONS_MAX = 60 };
  static const double longest = 2, most = 40; // of s
  double s = r->fallen, left = t - r->time;
  for (int i = 0; i < ITERATIONS_MAX && s < most; i++) {
    const double ds = fmax(-longest, fmin(left / lasts(law, r, s), longest));
    left -= time_of(law, r, s, ds);
    s += ds;
    if (fabs(ds) <= 1e-9) { // its square is below rounding
      return s;
    }
  }
  return HUGE_VAL;
}

static double depth_by_functions(const sb_contact_law *law, const sb_recovery *r, double t,
                                 double *rate) {
  const double s = fallen_at(law, r, t), x = r->depth * exp(-s);
  *rate = x > 0 ? -x / lasts(law, r, s) : 0;
  return x;
}

/** At every depth down to where the surface may be taken as it was there is one answer. */
static sb_status check_functions(const sb_contact_law *law, sb_recovery *r, sb_error *err) {
  const double end = -log(SB_RECOVERY_LEAST);
  for (double s = 0; s < end + 0.25; s += 0.25) {
    const double x = r->depth * exp(-s);
    double elastic;
    (void)sb_contact_law_energy(law, r->stiffness, x, NULL, &elastic);
    if (!isfinite(lasts(law, r, s)) || !(elastic > 0)) {
      return sb_fail(err, SB_ERR_CONTACT,
                     "recovery: at the depth %s m no speed makes the damping of the law '%s' as "
                     "large as the %s N of its spring",
                     sb_number_word(x).text, law->normal->name, sb_number_word(elastic).text);
    }
  }
  return SB_OK;
}

// ---- all laws

sb_status sb_recovery_begin(const sb_contact_law *law, double k, double b, double depth,
                            double time, sb_recovery *r, sb_error *err) {
  *r = (sb_recovery){.depth = depth, .time = time, .pace = 1, .stiffness = k, .damping = b};
  if (by_functions(law)) {
    SB_TRY(check_functions(law, r, err));
    r->pace = 1 / lasts(law, r, 0);
    return SB_OK;
  }
  bool exponential;
  const double m = order_of(law, &exponential);
  r->pace = pow(k / b, 1 / law->rate_exponent) * (exponential ? 1 : pow(depth, m - 1));
  return SB_OK;
}

double sb_recovery_depth(const sb_contact_law *law, const sb_recovery *r, double t, double *rate) {
  if (by_functions(law)) {
    return depth_by_functions(law, r, t, rate);
  }
  bool exponential;
  const double m = order_of(law, &exponential), y = r->pace * (t - r->time);
  const double base = exponential ? exp(-y) : fmax(1 - (1 - m) * y, 0);
  const double share = exponential ? base : pow(base, 1 / (1 - m));
  *rate = share > 0 ? -r->depth * r->pace * (exponential ? share : pow(share, m)) : 0;
  return r->depth * share;
}

void sb_recovery_accept(const sb_contact_law *law, sb_recovery *r, double t) {
  if (by_functions(law)) {
    const double s = fallen_at(law, r, t);
    if (isfinite(s)) {
      r->fallen = s;
      r->time = t;
      r->pace = 1 / lasts(law, r, s);
    }
  }
}
