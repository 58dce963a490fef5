// SPDX-License-Identifier: GPL-3.0-or-later
// The capsule: a segment of the z axis swept by a ball.
#include "geometry/surface_private.h"

static sb_vec3 half(const sb_surface *s) {
  return (sb_vec3){0, 0, 0.5 * s->length - s->radius};
}

static void complete(sb_surface *s) {
  s->sweep = s->radius;
  s->length = 2.0 * surface_half_or_sweep(0.5 * s->length, s->sweep);
  s->reach = 0.5 * s->length;
  s->width = 2.0 * s->radius;
}

static sb_status check(const sb_surface *s, sb_error *err) {
  SB_TRY(surface_check_length(s, "radius", s->radius, err));
  SB_TRY(surface_check_length(s, "length", s->length, err));
  if (s->length < 2.0 * s->radius || s->radius < SB_EDGE_RATIO_MIN * s->length) {
    return sb_fail(err, SB_ERR_RANGE,
                   "the length of a capsule must be from 2 to %s times its radius, not %s times",
                   sb_number_word(1.0 / SB_EDGE_RATIO_MIN).text,
                   sb_number_word(s->length / s->radius).text);
  }
  return SB_OK;
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

static sb_vec3 inertia(const sb_surface *s, double mass) {
  return swept_box_inertia(half(s), s->sweep, mass);
}

static double volume(const sb_surface *s) {
  return swept_box_volume(half(s), s->sweep);
}

const sb_surface_type sb_capsule = {.name = "capsule",
                                    .help = "cylinder about its z axis with half balls as ends",
                                    .attributes = "radius length",
                                    .convex = true,
                                    .flat_core = true,
                                    .edge_core = true,
                                    .complete = complete,
                                    .check = check,
                                    .support = support,
                                    .at = nearest,
                                    .nearest = nearest,
                                    .inertia = inertia,
                                    .piece = piece,
                                    .within = within,
                                    .volume = volume,
                                    .shape_gradient = surface_same_shape};
