// SPDX-License-Identifier: GPL-3.0-or-later
// Symmetric 3 x 3 matrices, and the inertia of a link with all that hangs on it by joints that give way (Featherstone 2008, eq
// (7.21) ff.), in world axes about a point. About that point the wrench that gives it the twist (w, v) is
//   (moment; force) = [J C; C^T M] (w; v);  of a rigid body C = c^, the mass times the lever, and M = m 1.
#ifndef SB_MECHANISM_ARTICULATED_PRIVATE_H
#define SB_MECHANISM_ARTICULATED_PRIVATE_H

#include <stdbool.h>

#include "geometry/screw.h"

typedef struct sym3 {
  double xx, yy, zz, xy, xz, yz;
} sym3;

static inline sym3 sym3_add(sym3 a, sym3 b) {
  return (sym3){a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}
/** a + s x x^T */
static inline sym3 sym3_axpy(sym3 a, double s, sb_vec3 x) {
  const double u = s * x.x, v = s * x.y, w = s * x.z;
  return (sym3){a.xx + u * x.x, a.yy + v * x.y, a.zz + w * x.z,
                a.xy + u * x.y, a.xz + u * x.z, a.yz + v * x.z};
}
static inline sb_vec3 sym3_apply(sym3 a, sb_vec3 v) {
  return (sb_vec3){a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
                   a.xz * v.x + a.yz * v.y + a.zz * v.z};
}
/** The upper half of a. */
static inline sym3 sym3_of(sb_mat3 a) {
  return (sym3){a.m[0][0], a.m[1][1], a.m[2][2], a.m[0][1], a.m[0][2], a.m[1][2]};
}
static inline sb_mat3 sym3_matrix(sym3 a) {
  return (sb_mat3){{{a.xx, a.xy, a.xz}, {a.xy, a.yy, a.yz}, {a.xz, a.yz, a.zz}}};
}
static inline sb_vec3 mat3_row(sb_mat3 a, int i) {
  return (sb_vec3){a.m[i][0], a.m[i][1], a.m[i][2]};
}
static inline sb_vec3 mat3_column(sb_mat3 a, int j) {
  return (sb_vec3){a.m[0][j], a.m[1][j], a.m[2][j]};
}
/** The matrix of three columns. */
static inline sb_mat3 mat3_of(sb_vec3 x, sb_vec3 y, sb_vec3 z) {
  return (sb_mat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
}
static inline sb_mat3 sym3_mul(sym3 a, sb_mat3 b) {
  return mat3_of(sym3_apply(a, mat3_column(b, 0)), sym3_apply(a, mat3_column(b, 1)),
                 sym3_apply(a, mat3_column(b, 2)));
}
/** The upper half of a b, which is symmetric. */
static inline sym3 sym3_product(sb_mat3 a, sb_mat3 b) {
  const sb_vec3 x = mat3_row(a, 0), y = mat3_row(a, 1), z = mat3_row(a, 2);
  const sb_vec3 u = mat3_column(b, 0), v = mat3_column(b, 1), w = mat3_column(b, 2);
  return (sym3){sb_vec3_dot(x, u), sb_vec3_dot(y, v), sb_vec3_dot(z, w),
                sb_vec3_dot(x, v), sb_vec3_dot(x, w), sb_vec3_dot(y, w)};
}
/** R a R^T */
static inline sym3 sym3_rotate(sb_mat3 r, sym3 a) {
  const sb_vec3 x = mat3_row(r, 0), y = mat3_row(r, 1), z = mat3_row(r, 2);
  const sb_vec3 ax = sym3_apply(a, x), ay = sym3_apply(a, y), az = sym3_apply(a, z);
  return (sym3){sb_vec3_dot(x, ax), sb_vec3_dot(y, ay), sb_vec3_dot(z, az),
                sb_vec3_dot(x, ay), sb_vec3_dot(x, az), sb_vec3_dot(y, az)};
}

/** The inverse of a positive definite matrix, by a = L D L^T. @return false: a pivot is not positive */
static inline bool sym3_invert(sym3 a, sym3 *inverse) {
  const double l1 = a.xy / a.xx, l2 = a.xz / a.xx;
  const double d1 = a.yy - l1 * a.xy, e = a.yz - l1 * a.xz;
  const double l3 = e / d1, d2 = a.zz - l2 * a.xz - l3 * e;
  const double l4 = l1 * l3 - l2; // L^-1 = [1; -l1 1; l4 -l3 1]
  const double i0 = 1 / a.xx, i1 = 1 / d1, i2 = 1 / d2;
  *inverse = (sym3){i0 + l1 * l1 * i1 + l4 * l4 * i2, i1 + l3 * l3 * i2, i2,
                    -l1 * i1 - l4 * l3 * i2,          l4 * i2,           -l3 * i2};
  return a.xx > 0 && d1 > 0 && d2 > 0;
}

/** 2 (x.y) 1 - x y^T - y x^T: by how much the moments of inertia of a first moment x grow with a lever y. */
static inline sym3 sym3_pair(sb_vec3 x, sb_vec3 y) {
  const double xx = x.x * y.x, yy = x.y * y.y, zz = x.z * y.z;
  return (sym3){2 * (yy + zz),          2 * (xx + zz),          2 * (xx + yy),
                -x.x * y.y - x.y * y.x, -x.x * y.z - x.z * y.x, -x.y * y.z - x.z * y.y};
}

typedef struct articulated {
  sym3 J;    // [kg m^2]
  sb_mat3 C; // [kg m]
  sym3 M;    // [kg]
} articulated;

static inline articulated articulated_rigid(double mass, sb_vec3 c, sym3 J) {
  return (articulated){J, sb_mat3_hat(c), {mass, mass, mass, 0, 0, 0}};
}
static inline articulated articulated_add(articulated a, articulated b) {
  return (articulated){sym3_add(a.J, b.J), sb_mat3_add(a.C, b.C), sym3_add(a.M, b.M)};
}

/** The same about a point that is -r away: X^T I X with X = [1 0; -r^ 1]. */
static inline articulated articulated_shift(articulated a, sb_vec3 r) {
  const sb_mat3 m = sym3_matrix(a.M);
  const sb_mat3 C =
      sb_mat3_add(a.C, mat3_of(sb_vec3_cross(r, mat3_row(m, 0)), sb_vec3_cross(r, mat3_row(m, 1)),
                               sb_vec3_cross(r, mat3_row(m, 2))));
  const sb_vec3 x = sb_vec3_cross(r, mat3_row(a.C, 0)), y = sb_vec3_cross(r, mat3_row(a.C, 1)),
                z = sb_vec3_cross(r, mat3_row(a.C, 2));
  const sb_vec3 u = sb_vec3_cross(r, mat3_row(C, 0)), v = sb_vec3_cross(r, mat3_row(C, 1)),
                w = sb_vec3_cross(r, mat3_row(C, 2));
  return (articulated){{a.J.xx + x.x + u.x, a.J.yy + y.y + v.y, a.J.zz + z.z + w.z,
                        a.J.xy + x.y + v.x, a.J.xz + x.z + w.x, a.J.yz + y.z + w.y},
                       C,
                       a.M};
}

#endif
