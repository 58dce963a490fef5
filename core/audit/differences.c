// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audit/differences.h"

#include <math.h>
#include <stdbool.h>

/** Noise relative to a fourth difference of it, which is 8.4 times as large on the average. */
static const double noise_factor = 8;

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
