// SPDX-License-Identifier: GPL-3.0-or-later
// The tube: all that lies outside an endless cylinder about the z axis. A body moves inside; the
// outward normal of the wall points to the axis, and the wall is hollow: L = -1/R around.
#include <stddef.h>

#include "geometry/surface_private.h"

static void complete(sb_surface *s) {
  s->width = s->reach = INFINITY;
}

static sb_status check(const sb_surface *s, sb_error *err) {
  return surface_check_length(s, "radius", s->radius, err);
}

static void nearest(const sb_surface *s, sb_vec3 y, sb_surface_spot *spot) {
  const double e = hypot(y.x, y.y);
  const sb_vec3 out = e > 0.0 ? (sb_vec3){y.x / e, y.y / e, 0} : (sb_vec3){1, 0, 0};
  const sb_vec3 around = {-out.y, out.x, 0};
  *spot = (sb_surface_spot){.x = sb_vec3_axpy(y, s->radius - e, out),
                            .n = sb_vec3_neg(out),
                            .shape = sb_mat3_scale(sb_mat3_outer(around, around), -1.0 / s->radius),
                            .distance = s->radius - e,
                            .unique = e > 0.0};
}

static double narrowest(const sb_surface *s) {
  return s->radius;
}

const sb_surface_type sb_tube = {.name = "tube",
                                 .help = "inside of an endless cylinder about its z axis",
                                 .attributes = "radius",
                                 .smooth = true,
                                 .narrowest = narrowest,
                                 .complete = complete,
                                 .check = check,
                                 .at = nearest,
                                 .nearest = nearest,
                                 .shape_gradient = surface_same_shape};
