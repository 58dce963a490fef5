// SPDX-License-Identifier: GPL-3.0-or-later
// The box with rounded edges and corners: a smaller box swept by a ball.
#include <stddef.h>

#include "geometry/surface_private.h"

static sb_vec3 half(const sb_surface *s) {
  const double r = s->sweep;
  return (sb_vec3){0.5 * s->size.x - r, 0.5 * s->size.y - r, 0.5 * s->size.z - r};
}

static double least_half(const sb_surface *s) {
  return 0.5 * fmin(s->size.x, fmin(s->size.y, s->size.z));
}

static void complete(sb_surface *s) {
  s->sweep = s->edge_radius;
  s->size = (sb_vec3){2.0 * surface_half_or_sweep(0.5 * s->size.x, s->sweep),
                      2.0 * surface_half_or_sweep(0.5 * s->size.y, s->sweep),
                      2.0 * surface_half_or_sweep(0.5 * s->size.z, s->sweep)};
  s->reach = sb_vec3_norm(half(s)) + s->sweep;
  s->width = 2.0 * least_half(s);
}

static sb_status check(const sb_surface *s, sb_error *err) {
  const double size[] = {s->size.x, s->size.y, s->size.z};
  for (int i = 0; i < 3; i++) {
    SB_TRY(surface_check_length(s, "size", size[i], err));
  }
  return surface_check_edge(s, least_half(s), err);
}

static double support(const sb_surface *s, sb_vec3 n, sb_vec3 *point) {
  return swept_box_support(half(s), s->sweep, n, point);
}

static void nearest(const sb_surface *s, sb_vec3 y, sb_surface_spot *spot) {
  swept_box_nearest(half(s), s->sweep, s->piece, y, spot);
}

static int piece(const sb_surface *s, sb_vec3 x) {
  return swept_box_piece(half(s), x);
}

static double within(const sb_surface *s, sb_vec3 x, sb_vec3 *gradient) {
  return swept_box_within(half(s), s->piece, x, gradient);
}

static void below(const sb_surface *s, sb_vec3 y, sb_vec3 n, sb_surface_spot *spot) {
  swept_box_below(half(s), s->sweep, y, n, spot);
}

static sb_vec3 inertia(const sb_surface *s, double mass) {
  return swept_box_inertia(half(s), s->sweep, mass);
}

static double volume(const sb_surface *s) {
  return swept_box_volume(half(s), s->sweep);
}

const sb_surface_type sb_box = {.name = "box",
                                .help = "box with rounded edges and corners",
                                .attributes = "size edge_radius",
                                .convex = true,
                                .flat_core = true,
                                .complete = complete,
                                .check = check,
                                .support = support,
                                .at = nearest,
                                .nearest = nearest,
                                .below = below,
                                .inertia = inertia,
                                .piece = piece,
                                .within = within,
                                .volume = volume,
                                .shape_gradient = surface_same_shape};
