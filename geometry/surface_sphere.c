// SPDX-License-Identifier: GPL-3.0-or-later
// The sphere, and the point: a sphere of radius zero.
#include "geometry/surface_private.h"

sb_surface sb_surface_sphere(double radius, sb_vec3 center) {
  return sb_surface_make(&sb_sphere, &(sb_surface){.radius = radius},
                         (sb_pose){sb_mat3_identity(), center});
}

static void complete(sb_surface *s) {
  s->semi_axes = (sb_vec3){s->radius, s->radius, s->radius};
  s->reach = s->sweep = s->radius;
  s->width = 2.0 * s->radius;
}

static sb_status check(const sb_surface *s, sb_error *err) {
  return surface_check_length(s, "radius", s->radius, err);
}

static double support(const sb_surface *s, sb_vec3 n, sb_vec3 *point) {
  *point = sb_vec3_scale(n, s->radius);
  return s->radius;
}

static sb_mat3 radius(const sb_surface *s, sb_vec3 n) {
  return sb_mat3_scale(tangent_projection(n), s->radius);
}

static void nearest(const sb_surface *s, sb_vec3 y, sb_surface_spot *spot) {
  swept_box_nearest((sb_vec3){0, 0, 0}, s->radius, 0, y, spot);
}

/** 2/5 m r^2 */
static sb_vec3 inertia(const sb_surface *s, double m) {
  const double moment = m / 5 * (s->radius * s->radius + s->radius * s->radius);
  return (sb_vec3){moment, moment, moment};
}

static double volume(const sb_surface *s) {
  return 4 * SB_PI / 3 * s->radius * s->radius * s->radius;
}

const sb_surface_type sb_sphere = {.name = "sphere",
                                   .help = "ball of a radius about a centre",
                                   .attributes = "radius",
                                   .smooth = true,
                                   .curved = true,
                                   .convex = true,
                                   .ball = true,
                                   .flat_core = true,
                                   .complete = complete,
                                   .check = check,
                                   .support = support,
                                   .radius = radius,
                                   .at = nearest,
                                   .nearest = nearest,
                                   .inertia = inertia,
                                   .volume = volume,
                                   .shape_gradient = surface_same_shape};

static void complete_point(sb_surface *s) {
  s->radius = 0.0;
  complete(s);
  s->width = INFINITY; // what it may pass through unseen is the other body
}

static sb_status check_point(const sb_surface *s, sb_error *err) {
  (void)s, (void)err;
  return SB_OK;
}

const sb_surface_type sb_point = {.name = "point",
                                  .help = "a single point, of infinite curvature",
                                  .attributes = "",
                                  .convex = true,
                                  .ball = true,
                                  .complete = complete_point,
                                  .check = check_point,
                                  .support = support,
                                  .radius = radius,
                                  .at = nearest,
                                  .nearest = nearest,
                                  .inertia = inertia,
                                  .shape_gradient = surface_same_shape};
