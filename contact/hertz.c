// SPDX-License-Identifier: GPL-3.0-or-later
// Elliptic Hertz contact without tables or fits. With k1 >= k2 > 0 the principal relative curvatures,
// E* the modulus, and K(m), E(m) complete elliptic integrals of m = 1 - 1/c^2,
//   k = max over c >= 1 of (2 pi/3) E* (c/K) sqrt(2 / (k1 + c^2 k2)),
// reached at the ratio c = a/b of the patch, where k1/k2 = (c^2 E - K)/(K - E). Since k is stationary
// in c, its derivative by the curvatures is the partial one: d ln k = -(dk1 + c^2 dk2)/2(k1 + c^2 k2).
// Limits: k1 = k2 gives c = 1 and k = (4/3) E*/sqrt(k1); k2 -> 0 is a line, and k -> 0 without a limit
// of the depth.
#include "contact/hertz.h"

double sb_hertz_compliance(double youngs_modulus, double poisson_ratio) {
  return (1 - poisson_ratio * poisson_ratio) / youngs_modulus;
}

/** K(m) and s = (K - E)/K for m = 1 - b^2 by the arithmetic-geometric mean: no digit cancels. */
static double elliptic(double m, double b, double *s) {
  static const double converged = 1e-9; // its square is below the rounding
  double a = 1, power = 1, c = 1;
  for (*s = m / 2; c > converged * a; power *= 2) {
    const double mean = 0.5 * (a + b);
    c = 0.5 * (a - b);
    b = sqrt(a * b);
    a = mean;
    *s += power * c * c;
  }
  return 0.5 * SB_PI / a;
}

/** y = ln c from x = ln(k1/k2) >= 0 by Newton's method on 2y + ln((m - s)/s) = x, and K. The start is
 *  within 1 %, and as x goes to zero exact. */
static double log_ratio(double x, double *K) {
  enum { STEPS_MAX = 8 };
  static const double settled = 1e-14, slope_limit = 1e-3;
  double y = x * (2.0 / 3 - 0.0027896 * x * x / (1 + 0.028368 * x * x));
  for (int i = 0; i < STEPS_MAX; i++) {
    double s, m = -expm1(-2 * y);
    *K = elliptic(m, exp(-y), &s);
    if (x < settled) {
      break;
    }
    const double change = 1 - 2 * s + s * s / m; // ds/dy
    const double slope = m < slope_limit ? 1.5 : 2 + (2 * (1 - m) - change) / (m - s) - change / s;
    const double step = (2 * y + log((m - s) / s) - x) / slope;
    y = fmax(y - step, 0.5 * y);
    if (fabs(step) <= settled * (1 + y)) {
      break;
    }
  }
  return y;
}

/** The tangent direction of the smaller eigenvalue of [a b; b c], less their mean, in (e1, e2). */
static sb_vec3 minor_direction(double half, double b, sb_vec3 e1, sb_vec3 e2) {
  const double angle = 0.5 * atan2(b, half) + 0.5 * SB_PI;
  return sb_vec3_axpy(sb_vec3_scale(e1, cos(angle)), sin(angle), e2);
}

bool sb_hertz_contact(sb_mat3 curvature, sb_vec3 n, double modulus, sb_hertz *out) {
  static const double round_patch =
      1e-7; // ln(k1/k2) below which ratios of small numbers have their limit
  sb_vec3 e1, e2;
  sb_tangent_basis(n, &e1, &e2);
  const sb_vec3 u = sb_mat3_apply(curvature, e1), v = sb_mat3_apply(curvature, e2);
  const double a = sb_vec3_dot(e1, u), b = sb_vec3_dot(e2, u), c = sb_vec3_dot(e2, v);
  const double mean = 0.5 * (a + c), half = 0.5 * (a - c), deviation = hypot(half, b);
  const double k1 = mean + deviation, k2 = mean - deviation;
  if (!(k2 * SB_HERTZ_CURVATURE_RATIO_MAX > k1 && k2 > 0 && isfinite(k1))) {
    return false;
  }
  double K;
  const double x = 2 * atanh(deviation / mean), y = log_ratio(x, &K), square = exp(2 * y);
  const double sum = k1 + square * k2;
  // of the tensor d ln k / d(L1 + L2): its mean eigenvalue, and its factor of L1 + L2 less their mean
  const double level = -0.25 * (1 + square) / sum;
  const double skew = 0.25 / sum * (x > round_patch ? expm1(2 * y) / deviation : 8 / (3 * mean));
  const double gxx = level + skew * half, gyy = level - skew * half, gxy = skew * b;
  const sb_vec3 p = sb_vec3_axpy(sb_vec3_scale(e1, gxx), gxy, e2);
  const sb_vec3 q = sb_vec3_axpy(sb_vec3_scale(e1, gxy), gyy, e2);
  *out = (sb_hertz){.stiffness = 2 * SB_PI / 3 * modulus / K * sqrt(2 * square / sum),
                    .ratio = sqrt(square),
                    .curvatures = {k1, k2},
                    .long_axis = minor_direction(half, b, e1, e2),
                    .slope = sb_mat3_add(sb_mat3_outer(p, e1), sb_mat3_outer(q, e2))};
  return true;
}

void sb_hertz_patch(const sb_hertz *h, double depth, double *a, double *b) {
  const double square = h->ratio * h->ratio;
  *b = sqrt(2 * depth / (h->curvatures[0] + square * h->curvatures[1]));
  *a = h->ratio * *b;
}
