// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audit/differences.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/** Noise relative to a fourth difference of it, which is 8.4 times as large on the average. */
static const double noise_factor = 8;
/** Error of a difference of order 4 relative to what the orders differ by: up to 41 where a derivative jumps. */
static const double orders_factor = 100;
/** The same of one side: up to 10 where a power of the distance begins there. */
static const double side_factor = 10;
/** How much more than its rounding the difference of the slopes of two sides must be. */
static const double sides_told = 16;
/** Roundings in the evaluation of a value, relative to what its rate is computed from. */
static const double evaluation_rounding = 8 * DBL_EPSILON;

double sb_difference_noise(const double f[SB_DIFFERENCE_POINTS]) {
  return noise_factor * fabs(f[0] - 4 * f[1] + 6 * f[2] - 4 * f[3] + f[4]);
}

double sb_rate_error(const double f[SB_DIFFERENCE_POINTS], double h, double rate, double size,
                     double rounding) {
  double near = (f[3] - f[1]) / (2 * h), far = (f[4] - f[0]) / (4 * h);
  double best = near + (near - far) / 3, known = 1.5 * rounding / h;
  double left = (3 * f[2] - 4 * f[1] + f[0]) / (2 * h);
  double right = (4 * f[3] - 3 * f[2] - f[4]) / (2 * h);
  double error = fabs(best - rate) - 2 * fabs(best - near) - known;
  double side_error = sb_side_tol * size + known;
  bool kink = fmax(fabs(left - right), fabs(best - near)) > side_error;
  bool one_sided = kink && fmin(fabs(rate - left), fabs(rate - right)) <= side_error;
  return one_sided ? 0 : fmax(0, error);
}

/** @param known  out: to which the differences over h tell the rate   @return its error; zero: there is no value nearby */
static double error_over(sb_value_after value, const void *context, double h, double rate,
                         double size, double rounding, double *known) {
  enum { MIDDLE = SB_DIFFERENCE_POINTS / 2 };
  double now = value(context, 0), f[SB_DIFFERENCE_POINTS];
  for (int k = 0; k < SB_DIFFERENCE_POINTS; k++) {
    f[k] = k == MIDDLE ? 0 : value(context, (k - MIDDLE) * h) - now;
    if (!isfinite(f[k])) {
      return *known = 0;
    }
  }
  rounding += evaluation_rounding * size * h + sb_difference_noise(f);
  *known = rounding / h;
  return sb_rate_error(f, h, rate, size, rounding);
}

/** The error of a rate by differences of one side, of orders 4 and 3.
 *  @param f  values from the point on, in steps of `side` in f and of h in time   @param slope  out */
static double error_of_side(const double *f, int side, double h, double rate, double *slope) {
  const double f1 = f[side] - f[0], f2 = f[2 * side] - f[0], f3 = f[3 * side] - f[0],
               f4 = f[4 * side] - f[0], third = (18 * f1 - 9 * f2 + 2 * f3) / (6 * side * h);
  *slope = (48 * f1 - 36 * f2 + 16 * f3 - 3 * f4) / (12 * side * h);
  return fabs(*slope - rate) - side_factor * fabs(*slope - third);
}

/** The error of a rate by differences over h of orders 4, 6 and 8, or by those of one side at a kink.
 *  @param known  to which order 4 knows it  @param open  out: beside that to which the orders do; infinite at a kink
 *  @return 0: no more than `known`; below zero: no more than the orders leave open; NAN: there is no value nearby */
static double error_by_orders(sb_value_after value, const void *context, double h, double rate,
                              double known, double *open) {
  enum { MIDDLE = 4 };
  static const double sides_known = 7; // (48 + 36 + 16 + 3 + 25)/12 roundings for 1.5
  double f[2 * MIDDLE + 1], d[MIDDLE + 1], left, right;
  for (int k = 1; k <= MIDDLE; k++) {
    f[MIDDLE - k] = value(context, -k * h);
    f[MIDDLE + k] = value(context, k * h);
    d[k] = f[MIDDLE + k] - f[MIDDLE - k];
    if (k == 2 && fabs((8 * d[1] - d[2]) / (12 * h) - rate) <= known) {
      return *open = 0;
    }
  }
  f[MIDDLE] = value(context, 0);
  const double fourth = (8 * d[1] - d[2]) / (12 * h),
               sixth = (45 * d[1] - 9 * d[2] + d[3]) / (60 * h),
               eighth = (672 * d[1] - 168 * d[2] + 32 * d[3] - 3 * d[4]) / (840 * h),
               unknown = orders_factor * (fabs(fourth - sixth) + fabs(sixth - eighth)),
               error = fabs(fourth - rate) - unknown - known,
               side_error = fmin(error_of_side(&f[MIDDLE], -1, h, rate, &left),
                                 error_of_side(&f[MIDDLE], 1, h, rate, &right)) -
                            sides_known * known;
  const bool kink = fabs(left - right) > unknown + 2 * sides_known * known;
  *open = kink ? HUGE_VAL : unknown;
  return kink ? fmin(error, side_error) : error;
}

/** The least error by the differences of error_by_orders() over 16, 8 and 4 h. */
static double error_of_orders(sb_value_after value, const void *context, double h, double rate,
                              double size, double rounding) {
  static const double wider[] = {16, 8, 4};
  double error = HUGE_VAL, open;
  for (int i = 0; i < 3 && error > 0; i++) {
    const double known = 1.5 * (rounding / (wider[i] * h) + evaluation_rounding * size);
    error = fmin(error, error_by_orders(value, context, wider[i] * h, rate, known, &open));
  }
  return error;
}

/** Slopes of the chords to the left and to the right over a step. */
typedef struct chords {
  double step, mean, bend; // bend: by which they differ
} chords;

static chords chords_over(sb_value_after value, const void *context, double step) {
  const double now = value(context, 0), left = (now - value(context, -step)) / step,
               right = (value(context, step) - now) / step;
  return (chords){step, 0.5 * (left + right), fabs(right - left)};
}

/** The error of a rate where f'' has no limit nearby, but f' has: by the chords of the least step that tells them apart.
 *  @return infinite: f'' has a limit, as that of smooth functions, or f' has none, as at a corner */
static double error_between_chords(sb_value_after value, const void *context, double h, double rate,
                                   double size, double rounding) {
  static const double widest = 16, shorter = 0.25, steeper = 4.0 / 3, further = 256, less = 0.8;
  const chords first = chords_over(value, context, widest * h);
  chords last = {0}, next = first;
  double known = 0, next_known = 2 * (rounding / next.step + evaluation_rounding * size);
  while (next.bend > sides_told * next_known) {
    last = next;
    known = next_known;
    next = chords_over(value, context, shorter * last.step);
    next_known = 2 * (rounding / next.step + evaluation_rounding * size);
  }
  const chords before = chords_over(value, context, fmin(further * last.step, first.step));
  const bool has_limit = !(last.bend * first.step > steeper * first.bend * last.step),
             jumps = !(last.bend < less * before.bend);
  return has_limit || jumps ? HUGE_VAL : fmax(0, fabs(last.mean - rate) - last.bend - known);
}

/** The error of a rate by differences over times of the order of h. */
static double error_of_value(sb_value_after value, const void *context, double h, double rate,
                             double size, double rounding) {
  double known, error = error_of_orders(value, context, h, rate, size, rounding);
  if (error == 0) {
    return 0;
  }
  const double over = error_over(value, context, h, rate, size, rounding, &known);
  error = isfinite(error) ? fmax(error, over) : over;
  const double between =
      error > 0 ? error_between_chords(value, context, h, rate, size, rounding) : HUGE_VAL;
  return isfinite(between) ? between : error;
}

// f may be steeper than differences over h see, as a step of 1e-10 of that, inside of which their orders agree on what is outside: where
// those over shorter times know the rate to a small part of the error, and leave no more of it, that which knows it best decides. What is
// wrong by that stays so.
double sb_value_rate_error(sb_value_after value, const void *context, double h, double rate,
                           double size, double rounding) {
  static const double shorter = 1.0 / 16, part = 1.0 / 16;
  const double error = error_of_value(value, context, h, rate, size, rounding);
  double known = 0, last = error, least = part * error;
  for (double step = shorter * h; known < least; step *= shorter) {
    double open;
    known = 1.5 * (rounding / step + evaluation_rounding * size);
    const double left = error_by_orders(value, context, step, rate, known, &open);
    if (known + open < least && left <= part * error) {
      last = fmax(left, 0);
      least = known + open;
    }
  }
  return last;
}

double sb_rate_error_between_kinks(sb_value_after value, const void *context, double h, double rate,
                                   double size, double rounding) {
  static const double shorter = 1.0 / 16;
  double known, error = error_over(value, context, h, rate, size, rounding, &known);
  while (known > (evaluation_rounding * size + rounding / h) / shorter) { // kinks, no rounding
    double known_shorter, error_shorter;
    h *= shorter;
    error_shorter = error_over(value, context, h, rate, size, rounding, &known_shorter);
    if (known_shorter < known) {
      known = known_shorter;
      error = error_shorter;
    }
  }
  return error;
}
