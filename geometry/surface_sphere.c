// SPDX-License-Identifier: GPL-3.0-or-later
// The sphere.
#include "geometry/surface.h"

sb_surface sb_surface_sphere(double radius, sb_vec3 center) {
  return (sb_surface){.type = &sb_sphere,
                      .radius = radius,
                      .semi_axes = {radius, radius, radius},
                      .local = {sb_mat3_identity(), center}};
}

static sb_status check(const sb_surface *s, sb_error *err) {
  if (!(s->radius > 0.0 && isfinite(s->radius))) {
    return sb_fail(err, SB_ERR_RANGE,
                   "the radius of a sphere must be positive and finite, not %s m",
                   sb_number_word(s->radius).text);
  }
  const sb_vec3 c = s->local.position;
  if (!isfinite(c.x + c.y + c.z)) {
    return sb_fail(err, SB_ERR_RANGE, "the centre of a sphere must be finite");
  }
  return SB_OK;
}

/** 1 - n n^T */
static sb_mat3 tangent_projection(sb_vec3 n) {
  return sb_mat3_add(sb_mat3_identity(), sb_mat3_scale(sb_mat3_outer(n, n), -1.0));
}

static double support(const sb_surface *s, const sb_pose *body, sb_vec3 n, sb_vec3 *point) {
  const sb_vec3 center = sb_pose_point(*body, s->local.position);
  if (point) {
    *point = sb_vec3_axpy(center, s->radius, n);
  }
  return sb_vec3_dot(n, center) + s->radius;
}

static sb_mat3 radius(const sb_surface *s, const sb_pose *body, sb_vec3 n) {
  (void)body;
  return sb_mat3_scale(tangent_projection(n), s->radius);
}

static sb_vec3 normal(const sb_surface *s, const sb_pose *body, sb_vec3 p) {
  return sb_vec3_normalize(sb_vec3_sub(p, sb_pose_point(*body, s->local.position)));
}

static sb_mat3 shape(const sb_surface *s, const sb_pose *body, sb_vec3 p) {
  return sb_mat3_scale(tangent_projection(normal(s, body, p)), 1.0 / s->radius);
}

/** 2/5 m r^2 */
static sb_vec3 inertia(const sb_surface *s, double m) {
  const double moment = m / 5 * (s->radius * s->radius + s->radius * s->radius);
  return (sb_vec3){moment, moment, moment};
}

/** The curvature is the same everywhere. */
static sb_vec3 shape_gradient(const sb_surface *s, const sb_pose *body, sb_vec3 p, sb_mat3 G) {
  (void)s, (void)body, (void)p, (void)G;
  return (sb_vec3){0, 0, 0};
}

const sb_surface_type sb_sphere = {"sphere",      "ball of a radius about a centre",
                                   check,         support,
                                   radius,        normal,
                                   shape,         inertia,
                                   shape_gradient};
