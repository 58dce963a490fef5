// SPDX-License-Identifier: GPL-3.0-or-later
// Elliptic Hertz contact without tables or fits. With k1 >= k2 > 0 the principal relative curvatures,
// E* the modulus, and K(m), E(m) complete elliptic integrals of m = 1 - 1/c^2,
//   k = max over c >= 1 of (2 pi/3) E* (c/K) sqrt(2 / (k1 + c^2 k2)),
// reached at the ratio c = a/b of the patch, where k1/k2 = (c^2 E - K)/(K - E). Since k is stationary
// in c, its derivative by the curvatures is the partial one: d ln k = -(dk1 + c^2 dk2)/2(k1 + c^2 k2).
// Limits: k1 = k2 gives c = 1 and k = (4/3) E*/sqrt(k1); k2 -> 0 is a line, and k goes to
// infinity like 1/(sqrt(k2) ln(k1/k2)).
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

/** A symmetric tensor of the plane across n, [mean + half, b; b, mean - half] in (e1, e2). */
typedef struct form {
  sb_vec3 e1, e2;
  double mean, half, b;
} form;

static form form_of(sb_mat3 tensor, sb_vec3 n) {
  form f;
  sb_tangent_basis(n, &f.e1, &f.e2);
  const sb_vec3 u = sb_mat3_apply(tensor, f.e1), v = sb_mat3_apply(tensor, f.e2);
  const double a = sb_vec3_dot(f.e1, u), c = sb_vec3_dot(f.e2, v);
  f.b = sb_vec3_dot(f.e2, u);
  f.mean = 0.5 * (a + c);
  f.half = 0.5 * (a - c);
  return f;
}

/** The direction of the smaller principal value. */
static sb_vec3 minor_direction(const form *f) {
  const double angle = 0.5 * atan2(f->b, f->half) + 0.5 * SB_PI;
  return sb_vec3_axpy(sb_vec3_scale(f->e1, cos(angle)), sin(angle), f->e2);
}

void sb_hertz_curvatures(sb_mat3 curvature, sb_vec3 n, double k[2]) {
  const form f = form_of(curvature, n);
  k[0] = f.mean + hypot(f.half, f.b);
  k[1] = f.mean - hypot(f.half, f.b);
}

bool sb_hertz_contact(sb_mat3 curvature, sb_vec3 n, double modulus, sb_hertz *out) {
  static const double round_patch =
      1e-7; // ln(k1/k2) below which ratios of small numbers have their limit
  const form f = form_of(curvature, n);
  const double deviation = hypot(f.half, f.b), k1 = f.mean + deviation, k2 = f.mean - deviation;
  if (!(k2 * SB_HERTZ_CURVATURE_RATIO_MAX > k1 && k2 > 0 && isfinite(k1))) {
    return false;
  }
  double K;
  const double x = 2 * atanh(deviation / f.mean), y = log_ratio(x, &K), square = exp(2 * y);
  const double sum = k1 + square * k2;
  // of the tensor d ln k / d(L1 + L2): its mean eigenvalue, and its factor of L1 + L2 less their mean
  const double level = -0.25 * (1 + square) / sum;
  const double skew = 0.25 / sum * (x > round_patch ? expm1(2 * y) / deviation : 8 / (3 * f.mean));
  const double gxx = level + skew * f.half, gyy = level - skew * f.half, gxy = skew * f.b;
  const sb_vec3 p = sb_vec3_axpy(sb_vec3_scale(f.e1, gxx), gxy, f.e2);
  const sb_vec3 q = sb_vec3_axpy(sb_vec3_scale(f.e1, gxy), gyy, f.e2);
  *out = (sb_hertz){.stiffness = 2 * SB_PI / 3 * modulus / K * sqrt(2 * square / sum),
                    .ratio = sqrt(square),
                    .curvatures = {k1, k2},
                    .long_axis = minor_direction(&f),
                    .slope = sb_mat3_add(sb_mat3_outer(p, f.e1), sb_mat3_outer(q, f.e2))};
  return true;
}

void sb_hertz_patch(const sb_hertz *h, double depth, double *a, double *b) {
  const double square = h->ratio * h->ratio;
  *b = sqrt(2 * depth / (h->curvatures[0] + square * h->curvatures[1]));
  *a = h->ratio * *b;
}
