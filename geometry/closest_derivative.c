// SPDX-License-Identifier: GPL-3.0-or-later
// Motion of the closest points, the curvature form: with d = v2(p2) - v1(p2), P = 1 - n n^T,
//   (L1 + L2 + gap L2 L1) u1 = (w2 - w1) x n + L2 P d,
//   u2 = (1 + gap L1) u1 - P d,   ndot = w1 x n + L1 u1,
// solved as a system of two equations in the tangent plane.
#include "geometry/closest.h"

/** A map of the tangent plane in the basis (e1, e2). */
typedef struct map2 {
  double m[2][2];
} map2;

static map2 restrict_to_plane(const sb_mat3 *shape, const sb_vec3 e[2]) {
  map2 l;
  for (int j = 0; j < 2; j++) {
    const sb_vec3 image = sb_mat3_apply(*shape, e[j]);
    l.m[0][j] = sb_vec3_dot(e[0], image);
    l.m[1][j] = sb_vec3_dot(e[1], image);
  }
  return l;
}

sb_closest_motion sb_closest_derivative(const sb_closest *c, sb_twist T1, sb_twist T2) {
  const sb_vec3 n = c->normal;
  sb_vec3 e[2];
  sb_tangent_basis(n, &e[0], &e[1]);
  const map2 L1 = restrict_to_plane(&c->shape1, e), L2 = restrict_to_plane(&c->shape2, e);
  const sb_twist T = sb_twist_sub(T2, T1);
  const sb_vec3 v = sb_twist_at(T, c->p2), turn = sb_vec3_cross(T.angular, n);
  const double d[2] = {sb_vec3_dot(e[0], v), sb_vec3_dot(e[1], v)};
  double M[2][2], rhs[2];
  for (int i = 0; i < 2; i++) {
    rhs[i] = sb_vec3_dot(e[i], turn) + L2.m[i][0] * d[0] + L2.m[i][1] * d[1];
    for (int j = 0; j < 2; j++) {
      const double product = L2.m[i][0] * L1.m[0][j] + L2.m[i][1] * L1.m[1][j];
      M[i][j] = L1.m[i][j] + L2.m[i][j] + c->gap * product;
    }
  }
  const double det = M[0][0] * M[1][1] - M[0][1] * M[1][0];
  const double u[2] = {(M[1][1] * rhs[0] - M[0][1] * rhs[1]) / det,
                       (M[0][0] * rhs[1] - M[1][0] * rhs[0]) / det};
  const double Lu[2] = {L1.m[0][0] * u[0] + L1.m[0][1] * u[1],
                        L1.m[1][0] * u[0] + L1.m[1][1] * u[1]};
  sb_closest_motion motion = {
      {0, 0, 0}, {0, 0, 0}, sb_vec3_cross(T1.angular, n), sb_vec3_dot(n, v)};
  for (int i = 0; i < 2; i++) {
    motion.u1 = sb_vec3_axpy(motion.u1, u[i], e[i]);
    motion.u2 = sb_vec3_axpy(motion.u2, u[i] + c->gap * Lu[i] - d[i], e[i]);
    motion.ndot = sb_vec3_axpy(motion.ndot, Lu[i], e[i]);
  }
  return motion;
}
