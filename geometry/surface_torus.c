// SPDX-License-Identifier: GPL-3.0-or-later
// The torus: a ring of tubes about the z axis, touched from outside, and the hollow one, touched from
// inside. With the point k of the ring's centre line nearest to y and n = (y - k)/|y - k|, the
// curvatures are 1/a along the tube's own circle and n_r/(R + a n_r) around the axis: negative on
// the inner side.
#include <stddef.h>

#include "geometry/surface_private.h"

static void complete(sb_surface *s) {
  s->reach = s->radius + s->tube_radius;
  s->width = 2.0 * s->tube_radius;
}
static void complete_hollow(sb_surface *s) {
  s->width = s->reach = INFINITY;
}

static sb_status check(const sb_surface *s, sb_error *err) {
  SB_TRY(surface_check_length(s, "radius", s->radius, err));
  SB_TRY(surface_check_length(s, "tube-radius", s->tube_radius, err));
  if (!(s->tube_radius < s->radius)) {
    return sb_fail(err, SB_ERR_RANGE,
                   "the tube-radius of a %s must be less than its radius, not %s against %s m",
                   s->type->name, sb_number_word(s->tube_radius).text,
                   sb_number_word(s->radius).text);
  }
  return SB_OK;
}

static double support(const sb_surface *s, sb_vec3 n, sb_vec3 *point) {
  const double across = hypot(n.x, n.y), in = across > 0.0 ? s->radius / across : 0.0;
  // along the axis a whole circle: one of its points, as its middle is none of the torus
  const sb_vec3 ring = {across > 0.0 ? in * n.x : s->radius, in * n.y, 0};
  *point = sb_vec3_axpy(ring, s->tube_radius, n);
  return s->radius * across + s->tube_radius;
}

static void nearest(const sb_surface *s, sb_vec3 y, sb_surface_spot *spot) {
  const double e = hypot(y.x, y.y), R = s->radius, a = s->tube_radius;
  const sb_vec3 out = e > 0.0 ? (sb_vec3){y.x / e, y.y / e, 0} : (sb_vec3){1, 0, 0};
  const double length = hypot(e - R, y.z);
  const double nr = length > 0.0 ? (e - R) / length : 1.0, nz = length > 0.0 ? y.z / length : 0.0;
  const sb_vec3 n = {nr * out.x, nr * out.y, nz}, around = {-out.y, out.x, 0};
  const sb_vec3 meridian = {-nz * out.x, -nz * out.y, nr};
  *spot = (sb_surface_spot){
      .x = sb_vec3_axpy(sb_vec3_scale(out, R), a, n),
      .n = n,
      .shape = sb_mat3_add(sb_mat3_scale(sb_mat3_outer(around, around), nr / (R + a * nr)),
                           sb_mat3_scale(sb_mat3_outer(meridian, meridian), 1.0 / a)),
      .distance = length - a,
      .unique = e > 0.0 && length > 0.0};
}

static void nearest_hollow(const sb_surface *s, sb_vec3 y, sb_surface_spot *spot) {
  nearest(s, y, spot);
  spot->n = sb_vec3_neg(spot->n);
  spot->shape = sb_mat3_scale(spot->shape, -1.0);
  spot->distance = -spot->distance;
}

sb_vec3 torus_shape_gradient(double R, double a, const sb_surface_spot *spot, sb_mat3 G) {
  const double e = hypot(spot->x.x, spot->x.y), nr = hypot(spot->n.x, spot->n.y);
  const sb_vec3 out = {spot->x.x / e, spot->x.y / e, 0}, around = {-out.y, out.x, 0};
  const double along = sb_vec3_dot(spot->n, out) < 0 ? -nr : nr, ring = R + a * along;
  const sb_vec3 meridian = {-spot->n.z * out.x, -spot->n.z * out.y, along};
  const sb_vec3 Gt = sb_mat3_apply(G, around);
  const double c = -R * spot->n.z / (a * ring * ring);
  return sb_vec3_axpy(sb_vec3_scale(meridian, c * sb_vec3_dot(around, Gt)),
                      2 * c * sb_vec3_dot(meridian, Gt), around);
}

static sb_vec3 shape_gradient(const sb_surface *s, sb_vec3 x, sb_mat3 G) {
  sb_surface_spot spot;
  nearest(s, x, &spot);
  return torus_shape_gradient(s->radius, s->tube_radius, &spot, G);
}
static sb_vec3 shape_gradient_hollow(const sb_surface *s, sb_vec3 x, sb_mat3 G) {
  return sb_vec3_neg(shape_gradient(s, x, G));
}

/** m (R^2/2 + 5/8 a^2) about a diameter, m (R^2 + 3/4 a^2) about the axis */
static sb_vec3 inertia(const sb_surface *s, double m) {
  const double R2 = s->radius * s->radius, a2 = s->tube_radius * s->tube_radius;
  const double across = m * (R2 / 2 + 5 * a2 / 8);
  return (sb_vec3){across, across, m * (R2 + 3 * a2 / 4)};
}

static double volume(const sb_surface *s) {
  return 2 * SB_PI * SB_PI * s->radius * s->tube_radius * s->tube_radius;
}

const sb_surface_type sb_torus = {.name = "torus",
                                  .help = "ring about its z axis",
                                  .attributes = "radius tube_radius",
                                  .smooth = true,
                                  .complete = complete,
                                  .check = check,
                                  .support = support,
                                  .at = nearest,
                                  .nearest = nearest,
                                  .inertia = inertia,
                                  .volume = volume,
                                  .shape_gradient = shape_gradient};

static double narrowest(const sb_surface *s) {
  return s->tube_radius;
}

const sb_surface_type sb_hollow_torus = {.name = "hollow-torus",
                                         .help = "inside of a ring-shaped tube about its z axis",
                                         .attributes = "radius tube_radius",
                                         .smooth = true,
                                         .narrowest = narrowest,
                                         .complete = complete_hollow,
                                         .check = check,
                                         .at = nearest_hollow,
                                         .nearest = nearest_hollow,
                                         .shape_gradient = shape_gradient_hollow};
