// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audit/differences.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/** Noise relative to a fourth difference of it, which is 8.4 times as large on the average. */
static const double noise_factor = 8;
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
