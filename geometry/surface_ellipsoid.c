// SPDX-License-Identifier: GPL-3.0-or-later
// The ellipsoid (formulas in ellipsoid_private.h), and the bowl, which is its inside.
#include "geometry/ellipsoid_private.h"
#include "geometry/surface_private.h"

sb_surface sb_surface_ellipsoid(sb_vec3 semi_axes, sb_pose local) {
  return sb_surface_make(&sb_ellipsoid, &(sb_surface){.semi_axes = semi_axes}, local);
}

static void complete(sb_surface *s) {
  const sb_vec3 a = s->semi_axes;
  s->width = 2.0 * fmin(a.x, fmin(a.y, a.z));
  s->reach = fmax(a.x, fmax(a.y, a.z));
}
static void complete_bowl(sb_surface *s) {
  s->width = s->reach = INFINITY;
}

static sb_status check(const sb_surface *s, sb_error *err) {
  const sb_vec3 a = s->semi_axes;
  const double least = fmin(a.x, fmin(a.y, a.z)), most = fmax(a.x, fmax(a.y, a.z));
  const char *article = surface_article(s), *name = s->type->name;
  if (!(least > 0.0 && isfinite(a.x + a.y + a.z))) {
    return sb_fail(err, SB_ERR_RANGE,
                   "the semi-axes of %s %s must be positive and finite, not %s, %s, %s m", article,
                   name, sb_number_word(a.x).text, sb_number_word(a.y).text,
                   sb_number_word(a.z).text);
  }
  if (most > SB_ELLIPSOID_RATIO_MAX * least) {
    return sb_fail(err, SB_ERR_RANGE,
                   "the semi-axes of %s %s span a ratio of %s; at most %s is supported", article,
                   name, sb_number_word(most / least).text,
                   sb_number_word(SB_ELLIPSOID_RATIO_MAX).text);
  }
  SB_TRY(surface_check_length(s, "semi-axes", least, err));
  return surface_check_length(s, "semi-axes", most, err);
}

static double support(const sb_surface *s, sb_vec3 n, sb_vec3 *point) {
  double h0;
  *point = ellipsoid_point(s->semi_axes, n, &h0);
  return h0;
}

static sb_mat3 radius(const sb_surface *s, sb_vec3 n) {
  sb_vec3 e1, e2;
  sb_tangent_basis(n, &e1, &e2);
  const double h0 = sb_vec3_norm(sb_vec3_times(s->semi_axes, n));
  return form2_matrix(ellipsoid_radius_form(s->semi_axes, h0, e1, e2), e1, e2);
}

/** At the point of the normal along `gradient`, that of (x/a)^2 / 2. @param inverse  1/a */
static inline void fill_spot(sb_vec3 inverse, sb_vec3 x, sb_vec3 gradient, sb_surface_spot *spot) {
  const double h0 = 1.0 / sb_vec3_norm(gradient);
  const sb_vec3 n = sb_vec3_scale(gradient, h0);
  sb_vec3 e1, e2;
  sb_tangent_basis(n, &e1, &e2);
  const form2 form = ellipsoid_shape_form(inverse, h0, e1, e2);
  spot->x = x;
  spot->n = n;
  spot->shape = form2_matrix(form, e1, e2);
  spot->distance = 0;
  spot->unique = true;
}

static void at(const sb_surface *s, sb_vec3 x, sb_surface_spot *spot) {
  const sb_vec3 inverse = ellipsoid_inverse_axes(s->semi_axes);
  fill_spot(inverse, x, sb_vec3_times(inverse, sb_vec3_times(inverse, x)), spot);
}

static void nearest(const sb_surface *s, sb_vec3 y, sb_surface_spot *spot) {
  const sb_vec3 a = s->semi_axes;
  bool ambiguous;
  int steps;
  const sb_vec3 z = ellipsoid_nearest(a, y, &ambiguous, &steps);
  const sb_vec3 x = sb_vec3_times(a, z), inverse = ellipsoid_inverse_axes(a);
  fill_spot(inverse, x, sb_vec3_times(inverse, z), spot);
  spot->distance = sb_vec3_dot(spot->n, sb_vec3_sub(y, x));
  spot->unique = !ambiguous;
}

/** The same surface, of the body outside it. */
static void turn_inside_out(sb_surface_spot *spot) {
  spot->n = sb_vec3_neg(spot->n);
  spot->shape = sb_mat3_scale(spot->shape, -1.0);
  spot->distance = -spot->distance;
}
static void at_bowl(const sb_surface *s, sb_vec3 x, sb_surface_spot *spot) {
  at(s, x, spot);
  turn_inside_out(spot);
}
static void nearest_bowl(const sb_surface *s, sb_vec3 y, sb_surface_spot *spot) {
  nearest(s, y, spot);
  turn_inside_out(spot);
}

/** Of the level sets of a quadratic form x.Qx/2, Q = diag(a^-2), the rate of L(b, c) along u is
 *  -(L(b,c) v.u + L(c,u) v.b + L(u,b) v.c) with v = h0 (1 - n n^T) Q n: third derivatives there are none. */
static sb_vec3 shape_gradient(const sb_surface *s, sb_vec3 x, sb_mat3 G) {
  const sb_vec3 inverse = ellipsoid_inverse_axes(s->semi_axes);
  const sb_vec3 Q = sb_vec3_times(inverse, inverse), g = sb_vec3_times(Q, x);
  const double h0 = 1.0 / sb_vec3_norm(g);
  const sb_vec3 m = sb_vec3_scale(g, h0), Qm = sb_vec3_times(Q, m);
  const sb_vec3 v = sb_vec3_scale(sb_vec3_axpy(Qm, -sb_vec3_dot(Qm, m), m), h0);
  sb_surface_spot spot;
  fill_spot(inverse, x, g, &spot);
  const sb_mat3 L = spot.shape;
  return sb_vec3_axpy(sb_vec3_scale(sb_mat3_apply(L, sb_mat3_apply(G, v)), -2),
                      -sb_mat3_contract(G, L), v);
}
static sb_vec3 shape_gradient_bowl(const sb_surface *s, sb_vec3 x, sb_mat3 G) {
  return sb_vec3_neg(shape_gradient(s, x, G));
}

/** m/5 diag(b^2 + c^2, a^2 + c^2, a^2 + b^2) */
static sb_vec3 inertia(const sb_surface *s, double m) {
  const sb_vec3 a = s->semi_axes;
  return (sb_vec3){m / 5 * (a.y * a.y + a.z * a.z), m / 5 * (a.x * a.x + a.z * a.z),
                   m / 5 * (a.x * a.x + a.y * a.y)};
}

static double volume(const sb_surface *s) {
  return 4 * SB_PI / 3 * s->semi_axes.x * s->semi_axes.y * s->semi_axes.z;
}

const sb_surface_type sb_ellipsoid = {.name = "ellipsoid",
                                      .help = "three semi-axes",
                                      .attributes = "semi_axes",
                                      .smooth = true,
                                      .curved = true,
                                      .convex = true,
                                      .complete = complete,
                                      .check = check,
                                      .support = support,
                                      .radius = radius,
                                      .at = at,
                                      .nearest = nearest,
                                      .inertia = inertia,
                                      .volume = volume,
                                      .shape_gradient = shape_gradient};

/** At the ends of the longest semi-axis a, along the shortest one b: b^2/a. */
static double narrowest(const sb_surface *s) {
  const sb_vec3 a = s->semi_axes;
  const double least = fmin(a.x, fmin(a.y, a.z));
  return least * least / sb_vec3_largest(a);
}

const sb_surface_type sb_bowl = {.name = "bowl",
                                 .help = "inside of an ellipsoid of three semi-axes",
                                 .attributes = "semi_axes",
                                 .smooth = true,
                                 .narrowest = narrowest,
                                 .complete = complete_bowl,
                                 .check = check,
                                 .at = at_bowl,
                                 .nearest = nearest_bowl,
                                 .shape_gradient = shape_gradient_bowl};
