// SPDX-License-Identifier: GPL-3.0-or-later
// The plane: a half-space, flat, with one normal.
#include <stddef.h>

#include "geometry/surface_private.h"

/** Cosine of the angle within which n still counts as the plane's own normal, from 1. */
static const double same_normal = 1e-14;

sb_surface sb_surface_plane(sb_vec3 normal, double offset) {
  return sb_surface_make(&sb_plane, &(sb_surface){.normal = normal, .offset = offset},
                         sb_pose_identity());
}

static void complete(sb_surface *s) {
  const sb_vec3 n = s->normal;
  const double most = sb_vec3_largest(n);
  s->normal = most > 0 && isfinite(most) ? sb_vec3_direction(n) : (sb_vec3){NAN, NAN, NAN};
  s->width = s->reach = INFINITY;
}

static sb_status check(const sb_surface *s, sb_error *err) {
  const sb_number_text most = sb_number_word(SB_LENGTH_MAX);
  if (isnan(s->normal.x)) { // as complete() left it
    return sb_fail(err, SB_ERR_RANGE,
                   "the normal of a plane is zero or no number, and tells no direction");
  }
  if (!(fabs(s->offset) <= SB_LENGTH_MAX)) {
    return sb_fail(err, SB_ERR_RANGE, "the offset of a plane must be from -%s to %s m, not %s m",
                   most.text, most.text, sb_number_word(s->offset).text);
  }
  return SB_OK;
}

static double support(const sb_surface *s, sb_vec3 n, sb_vec3 *point) {
  const bool reached = sb_vec3_dot(s->normal, n) >= 1.0 - same_normal;
  *point = sb_vec3_scale(s->normal, reached ? s->offset : INFINITY);
  return reached ? s->offset : INFINITY;
}

static void nearest(const sb_surface *s, sb_vec3 y, sb_surface_spot *spot) {
  const double distance = sb_vec3_dot(s->normal, y) - s->offset;
  *spot = (sb_surface_spot){.x = sb_vec3_axpy(y, -distance, s->normal),
                            .n = s->normal,
                            .distance = distance,
                            .unique = true};
}

const sb_surface_type sb_plane = {.name = "plane",
                                  .help = "half-space under a plane: normal . x <= offset",
                                  .attributes = "normal offset",
                                  .smooth = true,
                                  .half_space = true,
                                  .complete = complete,
                                  .check = check,
                                  .support = support,
                                  .at = nearest,
                                  .nearest = nearest,
                                  .shape_gradient = surface_same_shape};
