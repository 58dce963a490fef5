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
/** R a R^T */
static inline sym3 sym3_rotate(sb_mat3 r, sym3 a) {
  const sb_vec3 x = mat3_row(r, 0), y = mat3_row(r, 1), z = mat3_row(r, 2);
  const sb_vec3 ax = sym3_apply(a, x), ay = sym3_apply(a, y), az = sym3_apply(a, z);
  return (sym3){sb_vec3_dot(x, ax), sb_vec3_dot(y, ay), sb_vec3_dot(z, az),
                sb_vec3_dot(x, ay), sb_vec3_dot(x, az), sb_vec3_dot(y, az)};
}

/** a = L D L^T of a positive definite matrix. What is solved by it errs as if a were off by its rounding; a product with the
 *  inverse itself would err by the ratio of the largest to the smallest moment more. */
typedef struct sym3_factor {
  double yx, zx, zy; // L, below its ones
  double ix, iy, iz; // 1 / D
} sym3_factor;

/** @return false: a pivot is not positive */
static inline bool sym3_factorise(sym3 a, sym3_factor *f) {
  const double yx = a.xy / a.xx, zx = a.xz / a.xx;
  const double dy = a.yy - yx * a.xy, e = a.yz - yx * a.xz;
  const double zy = e / dy, dz = a.zz - zx * a.xz - zy * e;
  *f = (sym3_factor){yx, zx, zy, 1 / a.xx, 1 / dy, 1 / dz};
  return a.xx > 0 && dy > 0 && dz > 0;
}
/** L^-1 x */
static inline sb_vec3 sym3_lower(const sym3_factor *f, sb_vec3 x) {
  const double y = x.y - f->yx * x.x;
  return (sb_vec3){x.x, y, x.z - f->zx * x.x - f->zy * y};
}
static inline sb_vec3 sym3_scaled(const sym3_factor *f, sb_vec3 x) {
  return (sb_vec3){f->ix * x.x, f->iy * x.y, f->iz * x.z};
}
/** a^-1 x */
static inline sb_vec3 sym3_solve(const sym3_factor *f, sb_vec3 x) {
  const sb_vec3 s = sym3_scaled(f, sym3_lower(f, x));
  const double y = s.y - f->zy * s.z;
  return (sb_vec3){s.x - f->yx * y - f->zx * s.z, y, s.z};
}
/** b - C^T a^-1 C */
static inline sym3 sym3_complement(sym3 b, const sym3_factor *f, sb_mat3 C) {
  const sb_vec3 x = sym3_lower(f, mat3_column(C, 0)), y = sym3_lower(f, mat3_column(C, 1)),
                z = sym3_lower(f, mat3_column(C, 2));
  const sb_vec3 u = sym3_scaled(f, x), v = sym3_scaled(f, y);
  return (sym3){
      b.xx - sb_vec3_dot(x, u), b.yy - sb_vec3_dot(y, v), b.zz - sb_vec3_dot(z, sym3_scaled(f, z)),
      b.xy - sb_vec3_dot(u, y), b.xz - sb_vec3_dot(u, z), b.yz - sb_vec3_dot(v, z)};
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
