// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and vectors of two bodies side by side: what is asked of both, one operation of the processor gives for both.
// The order of additions is that of vec3.h.
#ifndef SB_GEOMETRY_BOTH_PRIVATE_H
#define SB_GEOMETRY_BOTH_PRIVATE_H

#include "geometry/vec3.h"

typedef double double_both __attribute__((vector_size(2 * sizeof(double))));

typedef struct vec3_both {
  double_both x, y, z;
} vec3_both;

static inline double_both both_same(double a) {
  return (double_both){a, a};
}
static inline double_both both_sqrt(double_both a) {
  return (double_both){sqrt(a[0]), sqrt(a[1])};
}
static inline vec3_both vec3_both_join(sb_vec3 a, sb_vec3 b) {
  return (vec3_both){{a.x, b.x}, {a.y, b.y}, {a.z, b.z}};
}
/** That of one body, 0 or 1. */
static inline sb_vec3 vec3_both_part(const vec3_both *v, int body) {
  return (sb_vec3){v->x[body], v->y[body], v->z[body]};
}
static inline vec3_both vec3_both_add(vec3_both a, vec3_both b) {
  return (vec3_both){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline vec3_both vec3_both_scale(vec3_both v, double_both s) {
  return (vec3_both){v.x * s, v.y * s, v.z * s};
}
/** v + s d */
static inline vec3_both vec3_both_axpy(vec3_both v, double_both s, vec3_both d) {
  return (vec3_both){v.x + s * d.x, v.y + s * d.y, v.z + s * d.z};
}
/** Component by component. */
static inline vec3_both vec3_both_times(vec3_both a, vec3_both b) {
  return (vec3_both){a.x * b.x, a.y * b.y, a.z * b.z};
}
static inline double_both vec3_both_dot(vec3_both a, vec3_both b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

typedef struct mat3_both {
  double_both m[3][3];
} mat3_both;

static inline mat3_both mat3_both_join(const sb_mat3 *a, const sb_mat3 *b) {
  mat3_both both;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      both.m[i][j] = (double_both){a->m[i][j], b->m[i][j]};
    }
  }
  return both;
}
/** The transposed matrix of each body on one vector of both. */
static inline vec3_both mat3_both_apply_transposed(const mat3_both *a, sb_vec3 v) {
  const double_both x = both_same(v.x), y = both_same(v.y), z = both_same(v.z);
  return (vec3_both){a->m[0][0] * x + a->m[1][0] * y + a->m[2][0] * z,
                     a->m[0][1] * x + a->m[1][1] * y + a->m[2][1] * z,
                     a->m[0][2] * x + a->m[1][2] * y + a->m[2][2] * z};
}

#endif
