// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors and matrices of ordinary space: small values, pure functions. Matrices are row-major.
#ifndef SB_GEOMETRY_VEC3_H
#define SB_GEOMETRY_VEC3_H

#include <math.h>

/** The ratio of a circle's circumference to its diameter; strict C17 has no M_PI. */
#define SB_PI 3.14159265358979323846

/** A value of a struct, written SB_LITERAL(sb_vec3){1, 2, 3}: C and C++ have no common form for it. */
#ifdef __cplusplus
#define SB_LITERAL(type) type
#else
#define SB_LITERAL(type) (type)
#endif

typedef struct sb_vec3 {
  double x, y, z;
} sb_vec3;

typedef struct sb_mat3 {
  double m[3][3]; // m[row][column]
} sb_mat3;

static inline sb_vec3 sb_vec3_load(const double a[3]) {
  return SB_LITERAL(sb_vec3){a[0], a[1], a[2]};
}
static inline void sb_vec3_store(double a[3], sb_vec3 v) {
  a[0] = v.x;
  a[1] = v.y;
  a[2] = v.z;
}
static inline sb_vec3 sb_vec3_add(sb_vec3 a, sb_vec3 b) {
  return SB_LITERAL(sb_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline sb_vec3 sb_vec3_sub(sb_vec3 a, sb_vec3 b) {
  return SB_LITERAL(sb_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline sb_vec3 sb_vec3_scale(sb_vec3 v, double s) {
  return SB_LITERAL(sb_vec3){v.x * s, v.y * s, v.z * s};
}
static inline sb_vec3 sb_vec3_neg(sb_vec3 v) {
  return SB_LITERAL(sb_vec3){-v.x, -v.y, -v.z};
}
/** v + s d */
static inline sb_vec3 sb_vec3_axpy(sb_vec3 v, double s, sb_vec3 d) {
  return SB_LITERAL(sb_vec3){v.x + s * d.x, v.y + s * d.y, v.z + s * d.z};
}
/** Component by component: what diag(a) does to b. */
static inline sb_vec3 sb_vec3_times(sb_vec3 a, sb_vec3 b) {
  return SB_LITERAL(sb_vec3){a.x * b.x, a.y * b.y, a.z * b.z};
}
static inline double sb_vec3_dot(sb_vec3 a, sb_vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline sb_vec3 sb_vec3_cross(sb_vec3 a, sb_vec3 b) {
  return SB_LITERAL(sb_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double sb_vec3_norm(sb_vec3 v) {
  return sqrt(sb_vec3_dot(v, v));
}
/** The number of v that is largest in size. */
static inline double sb_vec3_largest(sb_vec3 v) {
  return fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z)));
}
/** v / |v|; not-a-number for the zero vector. */
static inline sb_vec3 sb_vec3_normalize(sb_vec3 v) {
  return sb_vec3_scale(v, 1.0 / sb_vec3_norm(v));
}
/** v / |v| of a finite v of any length but zero, whose squares may overflow or vanish. */
static inline sb_vec3 sb_vec3_direction(sb_vec3 v) {
  int exponent; // a power of two does not round
  (void)frexp(sb_vec3_largest(v), &exponent);
  return sb_vec3_normalize(
      SB_LITERAL(sb_vec3){ldexp(v.x, -exponent), ldexp(v.y, -exponent), ldexp(v.z, -exponent)});
}

static inline sb_mat3 sb_mat3_diag(sb_vec3 v) {
  return SB_LITERAL(sb_mat3){{{v.x, 0, 0}, {0, v.y, 0}, {0, 0, v.z}}};
}
static inline sb_mat3 sb_mat3_identity(void) {
  return sb_mat3_diag(SB_LITERAL(sb_vec3){1, 1, 1});
}
/** The cross-product matrix: sb_mat3_apply(sb_mat3_hat(a), b) = a x b. */
static inline sb_mat3 sb_mat3_hat(sb_vec3 v) {
  return SB_LITERAL(sb_mat3){{{0, -v.z, v.y}, {v.z, 0, -v.x}, {-v.y, v.x, 0}}};
}
/** a b^T */
static inline sb_mat3 sb_mat3_outer(sb_vec3 a, sb_vec3 b) {
  return SB_LITERAL(sb_mat3){{{a.x * b.x, a.x * b.y, a.x * b.z},
                              {a.y * b.x, a.y * b.y, a.y * b.z},
                              {a.z * b.x, a.z * b.y, a.z * b.z}}};
}
static inline sb_vec3 sb_mat3_apply(sb_mat3 a, sb_vec3 v) {
  return SB_LITERAL(sb_vec3){a.m[0][0] * v.x + a.m[0][1] * v.y + a.m[0][2] * v.z,
                             a.m[1][0] * v.x + a.m[1][1] * v.y + a.m[1][2] * v.z,
                             a.m[2][0] * v.x + a.m[2][1] * v.y + a.m[2][2] * v.z};
}
static inline sb_vec3 sb_mat3_apply_transposed(sb_mat3 a, sb_vec3 v) {
  return SB_LITERAL(sb_vec3){a.m[0][0] * v.x + a.m[1][0] * v.y + a.m[2][0] * v.z,
                             a.m[0][1] * v.x + a.m[1][1] * v.y + a.m[2][1] * v.z,
                             a.m[0][2] * v.x + a.m[1][2] * v.y + a.m[2][2] * v.z};
}
static inline double sb_mat3_trace(const sb_mat3 *a) {
  return a->m[0][0] + a->m[1][1] + a->m[2][2];
}

static inline sb_mat3 sb_mat3_transpose(sb_mat3 a) {
  return SB_LITERAL(sb_mat3){{{a.m[0][0], a.m[1][0], a.m[2][0]},
                              {a.m[0][1], a.m[1][1], a.m[2][1]},
                              {a.m[0][2], a.m[1][2], a.m[2][2]}}};
}
static inline sb_mat3 sb_mat3_mul(sb_mat3 a, sb_mat3 b) {
  sb_mat3 c;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      c.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
    }
  }
  return c;
}
static inline sb_mat3 sb_mat3_add(sb_mat3 a, sb_mat3 b) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      a.m[i][j] += b.m[i][j];
    }
  }
  return a;
}
static inline sb_mat3 sb_mat3_scale(sb_mat3 a, double s) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      a.m[i][j] *= s;
    }
  }
  return a;
}
/** A : B, the sum of the products of their entries. */
static inline double sb_mat3_contract(sb_mat3 a, sb_mat3 b) {
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      sum += a.m[i][j] * b.m[i][j];
    }
  }
  return sum;
}

/** Two unit vectors that make (e1, e2, n) a right-handed orthonormal basis, for every unit n.
 *  The basis JUMPS somewhere, as any basis of the sphere must: it serves to solve in a tangent plane, never to
 *  transport a tangential state from one instant to the next. Duff et al., Building an Orthonormal Basis, Revisited,
 *  JCGT 6(1), 2017, let it do so at n.z = 0, where rounding of a horizontal normal would turn it over; here it does at
 *  an n.z that no scene is made of. */
static inline void sb_tangent_basis(sb_vec3 n, sb_vec3 *e1, sb_vec3 *e2) {
  const double s = copysign(1.0, n.z + 0.381966);
  const double a = -1.0 / (s + n.z);
  const double b = n.x * n.y * a;
  *e1 = SB_LITERAL(sb_vec3){1.0 + s * n.x * n.x * a, s * b, -s * n.x};
  *e2 = SB_LITERAL(sb_vec3){b, s + n.y * n.y * a, -n.y};
}

#endif
