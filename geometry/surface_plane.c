// SPDX-License-Identifier: GPL-3.0-or-later
// The plane: a half-space, flat, with one normal.
#include <stddef.h>

#include "geometry/surface.h"

/** Cosine of the angle within which n still counts as the plane's own normal, from 1. */
static const double same_normal = 1e-14;

sb_surface sb_surface_plane(sb_vec3 normal, double offset) {
  return (sb_surface){.type = &sb_plane,
                      .normal = sb_vec3_normalize(normal),
                      .offset = offset,
                      .semi_axes = {INFINITY, INFINITY, INFINITY},
                      .local = sb_pose_identity()};
}

static sb_status check(const sb_surface *s, sb_error *err) {
  // A zero or an infinite normal has become not-a-number when it was normalised.
  if (!isfinite(s->normal.x + s->normal.y + s->normal.z)) {
    return sb_fail(err, SB_ERR_RANGE, "the normal of a plane must be finite and not zero");
  }
  if (!isfinite(s->offset)) {
    return sb_fail(err, SB_ERR_RANGE, "the offset of a plane must be finite, not %s m",
                   sb_number_word(s->offset).text);
  }
  return SB_OK;
}

static sb_vec3 world_normal(const sb_surface *s, const sb_pose *body) {
  return sb_mat3_apply(body->rotation, s->normal);
}

static double support(const sb_surface *s, const sb_pose *body, sb_vec3 n, sb_vec3 *point) {
  const sb_vec3 own = world_normal(s, body);
  const double h = s->offset + sb_vec3_dot(own, body->position);
  const int reached = sb_vec3_dot(own, n) >= 1.0 - same_normal;
  if (point) {
    *point = sb_vec3_scale(own, reached ? h : INFINITY);
  }
  return reached ? h : INFINITY;
}

static sb_mat3 radius(const sb_surface *s, const sb_pose *body, sb_vec3 n) {
  (void)s, (void)body, (void)n;
  return sb_mat3_scale(sb_mat3_identity(), NAN);
}

static sb_vec3 normal(const sb_surface *s, const sb_pose *body, sb_vec3 p) {
  (void)p;
  return world_normal(s, body);
}

static sb_mat3 shape(const sb_surface *s, const sb_pose *body, sb_vec3 p) {
  (void)s, (void)body, (void)p;
  return (sb_mat3){{{0}}};
}

/** The curvature is the same everywhere. */
static sb_vec3 shape_gradient(const sb_surface *s, const sb_pose *body, sb_vec3 p, sb_mat3 G) {
  (void)s, (void)body, (void)p, (void)G;
  return (sb_vec3){0, 0, 0};
}

const sb_surface_type sb_plane = {"plane",       "half-space under a plane: normal . x <= offset",
                                  check,         support,
                                  radius,        normal,
                                  shape,         NULL,
                                  shape_gradient};
