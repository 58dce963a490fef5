// SPDX-License-Identifier: GPL-3.0-or-later
// A start for the closest points of two ellipsoids, good anywhere. With M(l) = (1-l) A1 + l A2, A_i
// the matrices of the ellipsoids, the contact function of Perram & Wertheim (J. Comput. Phys. 58, 1985) is
//   F(l) = l (1-l) d.M^-1 d = l (1-l) P(l)/D(l),  adj M = (1-l)^2 adj A1 + l (1-l) C + l^2 adj A2,
// P = d.(adj M) d and D = det M polynomials of order two and three whose Bernstein coefficients are all >= 0, so that
// nothing cancels in them. F is concave: F'(l) = 0 has one root in (0, 1). The direction is (adj M) d.
#include "geometry/closest_private.h"

/** A start needs no more than this accuracy of l, squared. */
static const double start_tolerance = 1e-5;
/** Relative size of F' below which it is rounding. */
static const double rounding = 1e-14;
enum { START_STEPS_MAX = 60 };

/** What the polynomials are made of. */
typedef struct contact_function {
  sb_vec3 v[3];      // Bernstein coefficients of (adj M) d, the middle one twice
  double P[3], D[4]; // of P, the middle one twice; of D, the middle ones thrice
} contact_function;

/** turn diag(s) turn^T v */
static sb_vec3 apply_turned(const sb_mat3 *turn, sb_vec3 s, sb_vec3 v) {
  return sb_mat3_apply(*turn, sb_vec3_times(s, sb_mat3_apply_transposed(*turn, v)));
}

/** The diagonal of turn diag(s) turn^T. */
static sb_vec3 turned_diagonal(const sb_mat3 *turn, sb_vec3 s) {
  double sum[3];
  for (int i = 0; i < 3; i++) {
    const double *r = turn->m[i];
    sum[i] = r[0] * r[0] * s.x + r[1] * r[1] * s.y + r[2] * r[2] * s.z;
  }
  return sb_vec3_load(sum);
}

static sb_vec3 cofactors(sb_vec3 s) {
  return (sb_vec3){s.y * s.z, s.z * s.x, s.x * s.y};
}

static double sum_of(sb_vec3 s) {
  return s.x + s.y + s.z;
}

/** C = (tr A1 tr A2 - tr A1 A2) 1 - tr A1 A2 - tr A2 A1 + A1 A2 + A2 A1, what is linear in both. */
static void prepare(const ellipsoid_pair *pair, sb_vec3 d, contact_function *f) {
  const sb_vec3 s1 = sb_vec3_times(pair->a1, pair->a1), s2 = sb_vec3_times(pair->a2, pair->a2);
  const sb_vec3 c1 = cofactors(s1), c2 = cofactors(s2);
  const sb_vec3 diagonal = turned_diagonal(&pair->turn, s2);
  const double t1 = sum_of(s1), t2 = sum_of(s2);
  const sb_vec3 A1d = sb_vec3_times(s1, d), A2d = apply_turned(&pair->turn, s2, d);
  const sb_vec3 both = sb_vec3_add(sb_vec3_times(s1, A2d), apply_turned(&pair->turn, s2, A1d));
  const sb_vec3 less = sb_vec3_axpy(sb_vec3_scale(A2d, t1), t2, A1d);
  f->v[0] = sb_vec3_times(c1, d);
  f->v[1] = sb_vec3_axpy(sb_vec3_sub(both, less), t1 * t2 - sb_vec3_dot(s1, diagonal), d);
  f->v[2] = apply_turned(&pair->turn, c2, d);
  for (int i = 0; i < 3; i++) {
    f->P[i] = sb_vec3_dot(d, f->v[i]);
  }
  f->D[0] = s1.x * c1.x;
  f->D[1] = sb_vec3_dot(c1, diagonal);
  f->D[2] = sb_vec3_dot(s1, turned_diagonal(&pair->turn, c2));
  f->D[3] = s2.x * c2.x;
}

/** N = D^2 F', its slope, and the size of the terms of N. */
static double stationarity(const contact_function *f, double l, double *slope, double *size) {
  const double k = 1.0 - l, *P = f->P, *D = f->D, w = l * k, dw = k - l;
  const double p = k * k * P[0] + w * P[1] + l * l * P[2];
  const double dp = dw * P[1] + 2.0 * (l * P[2] - k * P[0]);
  const double ddp = 2.0 * (P[0] - P[1] + P[2]);
  const double q = k * k * (k * D[0] + l * D[1]) + l * l * (k * D[2] + l * D[3]);
  const double dq =
      k * k * (D[1] - 3.0 * D[0]) + 2.0 * w * (D[2] - D[1]) + l * l * (3.0 * D[3] - D[2]);
  const double ddq =
      2.0 * (k * (3.0 * D[0] - 2.0 * D[1] + D[2]) + l * (3.0 * D[3] - 2.0 * D[2] + D[1]));
  *size = (k + l) * p * q + w * (fabs(dp) * q + p * fabs(dq));
  *slope = -2.0 * p * q + 2.0 * dw * dp * q + w * (ddp * q - p * ddq);
  return dw * p * q + w * (dp * q - p * dq);
}

sb_vec3 perram_wertheim_direction(const ellipsoid_pair *pair) {
  const double size1 = sb_vec3_norm(pair->a1), size2 = sb_vec3_norm(pair->a2);
  const double scale = 1.0 / (size1 + size2);
  const ellipsoid_pair unit = {.a1 = sb_vec3_scale(pair->a1, scale),
                               .a2 = sb_vec3_scale(pair->a2, scale),
                               .turn = pair->turn,
                               .d = pair->d};
  double low = 0.0, high = 1.0, l = size1 * scale;
  contact_function f;
  prepare(&unit, sb_vec3_normalize(pair->d), &f);
  for (int i = 0; i < START_STEPS_MAX; i++) {
    double slope, size;
    const double N = stationarity(&f, l, &slope, &size);
    if (fabs(N) <= rounding * size) {
      break;
    }
    *(N > 0.0 ? &low : &high) = l;
    double next = l - N / slope;
    if (!(next > low && next < high)) {
      next = 0.5 * (low + high);
    }
    const bool settled = fabs(next - l) <= start_tolerance * l;
    l = next;
    if (settled) {
      break;
    }
  }
  const double k = 1.0 - l;
  const sb_vec3 y = sb_vec3_axpy(sb_vec3_scale(f.v[0], k * k), l * k, f.v[1]);
  return sb_vec3_normalize(sb_vec3_axpy(y, l * l, f.v[2]));
}
