// SPDX-License-Identifier: GPL-3.0-or-later
// A start for the closest points of two ellipsoids, good anywhere. With M(l) = (1-l) A1 + l A2, A_i
// the matrices of the ellipsoids, and y = M^-1 d, the contact function of Perram & Wertheim
// (J. Comput. Phys. 58, 1985) is F = max over l in (0,1) of l (1-l) d.y; its stationarity
//   G(l) = (1-l)^2 y.A1 y - l^2 y.A2 y = 0
// has one root, since G decreases. The direction is y.
#include "geometry/closest_private.h"

/** A start needs no more than this relative accuracy of l. */
static const double start_tolerance = 1e-10;
/** Relative size of G below which it is rounding. */
static const double rounding = 1e-14;
enum { START_STEPS_MAX = 60 };

/** M^-1 v for a symmetric positive definite M, by its adjugate. */
static sb_vec3 solve_symmetric(sb_mat3 m, sb_vec3 v) {
  const sb_vec3 r0 = sb_vec3_load(m.m[0]), r1 = sb_vec3_load(m.m[1]), r2 = sb_vec3_load(m.m[2]);
  const sb_vec3 c0 = sb_vec3_cross(r1, r2), c1 = sb_vec3_cross(r2, r0), c2 = sb_vec3_cross(r0, r1);
  const double s = 1.0 / sb_vec3_dot(r0, c0);
  return (sb_vec3){s * sb_vec3_dot(c0, v), s * sb_vec3_dot(c1, v), s * sb_vec3_dot(c2, v)};
}

sb_vec3 perram_wertheim_direction(const ellipsoid_pair *pair) {
  const sb_mat3 A1 = sb_mat3_diag(sb_vec3_times(pair->a1, pair->a1));
  const sb_mat3 square = sb_mat3_diag(sb_vec3_times(pair->a2, pair->a2));
  const sb_mat3 A2 = sb_mat3_mul(pair->turn, sb_mat3_mul(square, sb_mat3_transpose(pair->turn)));
  const sb_mat3 difference = sb_mat3_add(A1, sb_mat3_scale(A2, -1.0));
  const double size1 = sb_vec3_norm(pair->a1), size2 = sb_vec3_norm(pair->a2);
  const sb_vec3 d = sb_vec3_normalize(pair->d);
  double low = 0.0, high = 1.0, l = size1 / (size1 + size2);
  sb_vec3 y = d;
  for (int i = 0; i < START_STEPS_MAX; i++) {
    const sb_mat3 M = sb_mat3_add(sb_mat3_scale(A1, 1.0 - l), sb_mat3_scale(A2, l));
    y = solve_symmetric(M, d);
    const sb_vec3 A1y = sb_mat3_apply(A1, y), A2y = sb_mat3_apply(A2, y);
    const double s1 = sb_vec3_dot(y, A1y), s2 = sb_vec3_dot(y, A2y);
    const double g1 = (1.0 - l) * (1.0 - l) * s1, g2 = l * l * s2;
    if (fabs(g1 - g2) <= rounding * (g1 + g2)) {
      break;
    }
    *(g1 > g2 ? &low : &high) = l;
    const sb_vec3 dy = solve_symmetric(M, sb_mat3_apply(difference, y));
    const double slope = 2.0 * ((1.0 - l) * (1.0 - l) * sb_vec3_dot(A1y, dy) - (1.0 - l) * s1 -
                                l * l * sb_vec3_dot(A2y, dy) - l * s2);
    double next = l - (g1 - g2) / slope;
    if (!(next > low && next < high)) {
      next = 0.5 * (low + high);
    }
    const bool settled = fabs(next - l) <= start_tolerance * l;
    l = next;
    if (settled) {
      break;
    }
  }
  return sb_vec3_normalize(y);
}
