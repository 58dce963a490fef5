// SPDX-License-Identifier: GPL-3.0-or-later
#include "contact/impact.h"

#include <math.h>

/** x - ln(1 + x) for x > -1, without cancellation near 0. */
static double log_remainder(double x) {
  static const double near = 0.1;
  if (fabs(x) > near) {
    return x - log1p(x);
  }
  double power = x * x, sum = 0;
  for (int i = 2; i <= 18; i++) {
    sum += power / i;
    power *= -x;
  }
  return sum;
}

/** w - y with y = 1 - exp(-w), which is y - ln(1 + y) at -y. */
static double excess(double w) {
  const double y = -expm1(-w);
  return y < 0.1 ? log_remainder(-y) : w - y;
}

/** The root of f(., context) between two points, where it is below and above zero. */
static double bisect(double (*f)(double x, double context), double context, double below,
                     double above) {
  for (;;) {
    const double middle = 0.5 * (below + above);
    if (middle == below || middle == above) {
      return middle;
    }
    *(f(middle, context) < 0 ? &below : &above) = middle;
  }
}

/** Of the equation for d, with w = -ln(1 - d), as d becomes 1 in double precision for a small e. */
static double damping_residual(double w, double e) {
  return excess(w) - log_remainder(-expm1(-w) / e);
}

double sb_impact_damping(double e) {
  if (e >= 1) {
    return 0;
  }
  // The double root d = 0 is not wanted; the other is the only one in (1 - e, 1), where w < 1 + 1/e.
  const double w = bisect(damping_residual, e, -log(e), 1 + 1 / e);
  return -expm1(-w) / e;
}

static double restitution_residual(double w, double remainder) {
  return excess(w) - remainder;
}

double sb_impact_restitution(double s) {
  const double remainder = log_remainder(s);
  if (!(remainder > 0)) {
    return 1;
  }
  return -expm1(-bisect(restitution_residual, remainder, 0, remainder + 1)) / s;
}
