// SPDX-License-Identifier: GPL-3.0-or-later
// The differential geometry of an ellipsoid with semi-axes a, at the point of a given normal, for
// the files of this folder. It works in the axes of the ellipsoid, where nothing cancels: with m
// the normal there and h0 = |a m| (component products),
//   x - c = a^2 m / h0,   L = h0 (1 - m m^T) a^-2 (1 - m m^T),
//   e.R e = |cof (e x m)|^2 / h0^3 for a tangent e, with cof = (a2 a3, a3 a1, a1 a2).
#ifndef SB_GEOMETRY_ELLIPSOID_PRIVATE_H
#define SB_GEOMETRY_ELLIPSOID_PRIVATE_H

#include "geometry/screw.h"

/** A symmetric form on a tangent plane, in a basis (e1, e2). */
typedef struct form2 {
  double a, b, c; // [a b; b c]
} form2;

static inline double form2_det(form2 s) {
  return s.a * s.c - s.b * s.b;
}
static inline double form2_trace(form2 s) {
  return s.a + s.c;
}
/** The smaller eigenvalue. */
static inline double form2_min(form2 s) {
  const double half = 0.5 * (s.a - s.c);
  return 0.5 * (s.a + s.c) - sqrt(half * half + s.b * s.b);
}
/** The form as a matrix of space. */
static inline sb_mat3 form2_matrix(form2 s, sb_vec3 e1, sb_vec3 e2) {
  const sb_vec3 u = sb_vec3_axpy(sb_vec3_scale(e1, s.a), s.b, e2);
  const sb_vec3 v = sb_vec3_axpy(sb_vec3_scale(e1, s.b), s.c, e2);
  return (sb_mat3){{{u.x * e1.x + v.x * e2.x, u.x * e1.y + v.x * e2.y, u.x * e1.z + v.x * e2.z},
                    {u.y * e1.x + v.y * e2.x, u.y * e1.y + v.y * e2.y, u.y * e1.z + v.y * e2.z},
                    {u.z * e1.x + v.z * e2.x, u.z * e1.y + v.z * e2.y, u.z * e1.z + v.z * e2.z}}};
}

/** x - c for the unit normal m, all in the axes of the ellipsoid, and h0 = |a m|. */
static inline sb_vec3 ellipsoid_point(sb_vec3 a, sb_vec3 m, double *h0) {
  const sb_vec3 am = sb_vec3_times(a, m);
  *h0 = sb_vec3_norm(am);
  return sb_vec3_scale(sb_vec3_times(a, am), 1.0 / *h0);
}

/** |x / a|^2: at most 1 inside. */
static inline double ellipsoid_level(sb_vec3 a, sb_vec3 x) {
  const sb_vec3 unit = {x.x / a.x, x.y / a.y, x.z / a.z};
  return sb_vec3_dot(unit, unit);
}

/** R in the right-handed tangent basis (e1, e2) [m]; the e given in the ellipsoid's axes. */
static inline form2 ellipsoid_radius_form(sb_vec3 a, double h0, sb_vec3 e1, sb_vec3 e2) {
  const sb_vec3 cof = {a.y * a.z, a.z * a.x, a.x * a.y};
  const sb_vec3 f1 = sb_vec3_times(cof, e2), f2 = sb_vec3_times(cof, e1); // e x n, up to sign
  const double inverse = 1.0 / h0, s = inverse * inverse * inverse;
  return (form2){s * sb_vec3_dot(f1, f1), -s * sb_vec3_dot(f1, f2), s * sb_vec3_dot(f2, f2)};
}

/** L by R, with det R = (a1 a2 a3)^2/h0^4, where nothing cancels [1/m]. */
static inline form2 ellipsoid_inverse_form(sb_vec3 a, double h0, form2 R) {
  const double h = h0 * h0 / (a.x * a.y * a.z), s = h * h;
  return (form2){s * R.c, -s * R.b, s * R.a};
}

/** L in the tangent basis (e1, e2), by the inverse semi-axes [1/m]. */
static inline form2 ellipsoid_shape_form(sb_vec3 inverse, double h0, sb_vec3 e1, sb_vec3 e2) {
  const sb_vec3 f1 = sb_vec3_times(inverse, e1), f2 = sb_vec3_times(inverse, e2);
  return (form2){h0 * sb_vec3_dot(f1, f1), h0 * sb_vec3_dot(f1, f2), h0 * sb_vec3_dot(f2, f2)};
}
/** 1/a */
static inline sb_vec3 ellipsoid_inverse_axes(sb_vec3 a) {
  return (sb_vec3){1.0 / a.x, 1.0 / a.y, 1.0 / a.z};
}

#endif
