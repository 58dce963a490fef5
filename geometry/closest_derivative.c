// SPDX-License-Identifier: GPL-3.0-or-later
// Motion of the closest points, the curvature form: with d = v2(p2) - v1(p2), P = 1 - n n^T,
//   (L1 + L2 + gap L2 L1) u1 = (w2 - w1) x n + L2 P d,
//   u2 = (1 + gap L1) u1 - P d,   ndot = w1 x n + L1 u1,
// solved as a system of two equations in the tangent plane. And its adjoint: the rate g1.u1 + g2.u2 of a
// function of the two points is y.((w2 - w1) x n) + (L2 y - g2).d with
//   (L1 + L2 + gap L1 L2) y = g1 + (1 + gap L1) g2.
// Where g1 = L1 a1 and g2 = L2 a2, as of a function of the normal in each body, y = P a2 + z and L2 y - g2 = L2 z with
//   (L1 + L2 + gap L1 L2) z = L1 P (a1 - a2),
// in which nothing cancels however large L2 is, as that of a point.
#include <math.h>
#include <stddef.h>

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

/** L1 + L2 + gap L2 L1 */
static map2 relative_shape(const map2 *L1, const map2 *L2, double gap) {
  map2 M;
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 2; j++) {
      const double product = L2->m[i][0] * L1->m[0][j] + L2->m[i][1] * L1->m[1][j];
      M.m[i][j] = L1->m[i][j] + L2->m[i][j] + gap * product;
    }
  }
  return M;
}

static double determinant(const map2 *M) {
  return M->m[0][0] * M->m[1][1] - M->m[0][1] * M->m[1][0];
}

static double square_of(const map2 *M) {
  const double(*m)[2] = M->m;
  return m[0][0] * m[0][0] + m[0][1] * m[0][1] + m[1][0] * m[1][0] + m[1][1] * m[1][1];
}

static bool is_singular(const map2 *M) {
  static const double singular = 1e-15;
  return fabs(determinant(M)) <= singular * square_of(M);
}

/** u of M u = b. Where M is singular, to rounding, and the closest points are unique all the same, a curvature vanishes at a
 *  plane of symmetry. Motions along that plane leave the points in it; the speed across, infinite for an instant and of a finite
 *  integral, is left out: with M = s a c^T, |a| = |c| = 1, the least u with the least error is M^T b/s^2.
 *  @param unique  whether the closest points are */
static void solve(const map2 *M, const double b[2], bool unique, double u[2]) {
  const double(*m)[2] = M->m;
  if (unique && is_singular(M)) {
    const double square = square_of(M), by = square > 0 ? 1 / square : 0;
    u[0] = by * (m[0][0] * b[0] + m[1][0] * b[1]);
    u[1] = by * (m[0][1] * b[0] + m[1][1] * b[1]);
    return;
  }
  const double det = determinant(M);
  u[0] = (m[1][1] * b[0] - m[0][1] * b[1]) / det;
  u[1] = (m[0][0] * b[1] - m[1][0] * b[0]) / det;
}

sb_closest_motion sb_closest_derivative(const sb_closest *c, sb_twist T1, sb_twist T2) {
  const sb_vec3 n = c->normal;
  sb_vec3 e[2];
  sb_tangent_basis(n, &e[0], &e[1]);
  const map2 L1 = restrict_to_plane(&c->shape1, e), L2 = restrict_to_plane(&c->shape2, e);
  const sb_twist T = sb_twist_sub(T2, T1);
  const sb_vec3 v = sb_twist_at(T, c->p2), turn = sb_vec3_cross(T.angular, n);
  const double d[2] = {sb_vec3_dot(e[0], v), sb_vec3_dot(e[1], v)};
  double rhs[2];
  for (int i = 0; i < 2; i++) {
    rhs[i] = sb_vec3_dot(e[i], turn) + L2.m[i][0] * d[0] + L2.m[i][1] * d[1];
  }
  const map2 M = relative_shape(&L1, &L2, c->gap);
  double u[2];
  solve(&M, rhs, c->status != SB_CLOSEST_AMBIGUOUS, u);
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

sb_wrench sb_closest_gradient(const sb_closest *c, sb_vec3 g1, sb_vec3 g2, double turn) {
  const sb_vec3 n = c->normal;
  sb_vec3 e[2];
  sb_tangent_basis(n, &e[0], &e[1]);
  const map2 L1 = restrict_to_plane(&c->shape1, e), L2 = restrict_to_plane(&c->shape2, e);
  const map2 M = relative_shape(&L2, &L1, c->gap); // the transposed one
  const sb_vec3 load = sb_vec3_axpy(sb_vec3_add(g1, g2), c->gap, sb_mat3_apply(c->shape1, g2));
  const double b[2] = {sb_vec3_dot(e[0], load), sb_vec3_dot(e[1], load)};
  double u[2];
  solve(&M, b, c->status != SB_CLOSEST_AMBIGUOUS, u);
  const sb_vec3 y = sb_vec3_axpy(sb_vec3_scale(e[0], u[0]), u[1], e[1]);
  const sb_vec3 force = sb_vec3_sub(sb_mat3_apply(c->shape2, y), g2);
  const sb_vec3 about = sb_vec3_axpy(sb_vec3_cross(n, y), turn, n);
  return (sb_wrench){sb_vec3_add(about, sb_vec3_cross(c->p2, force)), force};
}

sb_wrench sb_closest_gradient_by_normals(const sb_closest *c, sb_vec3 a1, sb_vec3 a2) {
  const sb_vec3 n = c->normal, a = sb_vec3_sub(a1, a2);
  sb_vec3 e[2];
  sb_tangent_basis(n, &e[0], &e[1]);
  const map2 L1 = restrict_to_plane(&c->shape1, e), L2 = restrict_to_plane(&c->shape2, e);
  const map2 M = relative_shape(&L2, &L1, c->gap); // the transposed one
  if (is_singular(&M)) { // y is the least one, which these terms do not tell apart
    return sb_closest_gradient(c, sb_mat3_apply(c->shape1, a1), sb_mat3_apply(c->shape2, a2), 0);
  }
  const double d[2] = {sb_vec3_dot(e[0], a), sb_vec3_dot(e[1], a)};
  double b[2], z[2];
  for (int i = 0; i < 2; i++) {
    b[i] = L1.m[i][0] * d[0] + L1.m[i][1] * d[1];
  }
  solve(&M, b, c->status != SB_CLOSEST_AMBIGUOUS, z);
  const sb_vec3 along = sb_vec3_axpy(sb_vec3_scale(e[0], z[0]), z[1], e[1]);
  const sb_vec3 force = sb_mat3_apply(c->shape2, along), y = sb_vec3_add(a2, along);
  const sb_vec3 about = sb_vec3_cross(n, y);
  return (sb_wrench){sb_vec3_add(about, sb_vec3_cross(c->p2, force)), force};
}

/** The gradient of a body's shape at its outward normal m, where it is told by its normals alone: with R(m) the inverse of L
 *  and dm = L u, d(G : L) = -(L G L) : dR, so that g = -L grad_m (L G L : R), by central differences of order 4. The
 *  step is a share of the angle by which m turns where the body is thinnest. */
static sb_vec3 gradient_by_normals(const sb_surface *s, const sb_pose *H, sb_vec3 m, sb_mat3 L,
                                   sb_mat3 G) {
  static const double step = 1e-3;
  const double h = step * fmin(0.5 * s->width / s->reach, 1.0);
  const sb_mat3 LGL = sb_mat3_mul(L, sb_mat3_mul(G, L));
  sb_vec3 e[2], slope = {0, 0, 0};
  sb_tangent_basis(m, &e[0], &e[1]);
  for (int i = 0; i < 2; i++) {
    double at[4];
    for (int k = 0; k < 4; k++) {
      const double by = h * (k - (k < 2 ? 2 : 1)); // -2, -1, 1, 2
      const sb_vec3 n = sb_vec3_normalize(sb_vec3_axpy(m, by, e[i]));
      at[k] = sb_mat3_contract(LGL, sb_surface_radius_matrix(s, H, n));
    }
    slope = sb_vec3_axpy(slope, (8 * (at[2] - at[1]) - (at[3] - at[0])) / (12 * h), e[i]);
  }
  return sb_vec3_neg(sb_mat3_apply(L, slope));
}

/** @param p, m, L  a body's closest point, its outward normal there and its Weingarten map */
static sb_vec3 shape_gradient(const sb_surface *s, const sb_pose *H, sb_vec3 p, sb_vec3 m,
                              sb_mat3 L, sb_mat3 G) {
  const bool by_points = s->type->shape_gradient != NULL || s->type->at != NULL;
  return by_points ? sb_surface_shape_gradient(s, H, p, G) : gradient_by_normals(s, H, m, L, G);
}

sb_wrench sb_closest_curvature_gradient(const sb_closest *c, const sb_surface *s1,
                                        const sb_pose *H1, const sb_surface *s2, const sb_pose *H2,
                                        sb_mat3 G) {
  sb_vec3 e1, e2;
  sb_tangent_basis(c->normal, &e1, &e2);
  // L2 turned against L1 about n: G : (n^ L2 - L2 n^) = 2 e1.(G L1 - L1 G) e2, as G and L1 + L2 commute
  const sb_vec3 Ge1 = sb_mat3_apply(G, e1), Ge2 = sb_mat3_apply(G, e2);
  const double turn = 2 * (sb_vec3_dot(Ge1, sb_mat3_apply(c->shape1, e2)) -
                           sb_vec3_dot(Ge2, sb_mat3_apply(c->shape1, e1)));
  return sb_closest_gradient(c, shape_gradient(s1, H1, c->p1, c->normal, c->shape1, G),
                             shape_gradient(s2, H2, c->p2, sb_vec3_neg(c->normal), c->shape2, G),
                             turn);
}
