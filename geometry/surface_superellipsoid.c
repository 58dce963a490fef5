// SPDX-License-Identifier: GPL-3.0-or-later
// The superellipsoid |x/a|^p + |y/b|^p + |z/c|^p = 1, p >= 2: an ellipsoid that nears a box as p grows.
// Its support function is the dual norm, h(n) = (|a n1|^p' + |b n2|^p' + |c n3|^p')^(1/p') with
// 1/p + 1/p' = 1; the radii of curvature are infinite where it is flat, so it is told by its points.
#include <stddef.h>

#include "geometry/surface_private.h"

static void complete(sb_surface *s) {
  const sb_vec3 a = s->semi_axes;
  s->width = 2.0 * fmin(a.x, fmin(a.y, a.z));
  s->reach = sb_vec3_norm(a);
}

static sb_status check(const sb_surface *s, sb_error *err) {
  const sb_vec3 a = s->semi_axes;
  const double least = fmin(a.x, fmin(a.y, a.z)), most = fmax(a.x, fmax(a.y, a.z));
  SB_TRY(surface_check_length(s, "semi-axes", least > 0.0 ? most : least, err));
  if (most > 1e2 * least) {
    return sb_fail(err, SB_ERR_RANGE,
                   "the semi-axes of a superellipsoid span a ratio of %s; at most 100 is supported",
                   sb_number_word(most / least).text);
  }
  if (!(s->exponent >= SB_EXPONENT_MIN && s->exponent <= SB_EXPONENT_MAX)) {
    return sb_fail(err, SB_ERR_RANGE,
                   "the exponent of a superellipsoid must be from %d to %d, not %s",
                   SB_EXPONENT_MIN, SB_EXPONENT_MAX, sb_number_word(s->exponent).text);
  }
  return SB_OK;
}

static double support(const sb_surface *s, sb_vec3 n, sb_vec3 *point) {
  const double a[3] = {s->semi_axes.x, s->semi_axes.y, s->semi_axes.z}, m[3] = {n.x, n.y, n.z};
  const double dual = s->exponent / (s->exponent - 1.0);
  double sum = 0.0, x[3];
  for (int i = 0; i < 3; i++) {
    sum += pow(fabs(a[i] * m[i]), dual);
  }
  const double h = pow(sum, 1.0 / dual);
  for (int i = 0; i < 3; i++) {
    x[i] = a[i] * copysign(pow(fabs(a[i] * m[i]) / h, dual - 1.0), m[i]);
  }
  *point = sb_vec3_load(x);
  return h;
}

/** The point on the ray through x. With f = sum |x_i/a_i|^p, n = grad f/|grad f| and
 *  L = (1 - n n^T) Hess f (1 - n n^T)/|grad f|. The distance is that to first order.
 *  @param extent  NULL, or: p (p - 1)|x_i/a_i|^(p - 2)/a_i^2 in Hess f, zero at x_i = 0, is left out where |x_i| is less */
static void spot_at(const sb_surface *s, sb_vec3 y, const double extent[3], sb_surface_spot *spot) {
  const double a[3] = {s->semi_axes.x, s->semi_axes.y, s->semi_axes.z}, x[3] = {y.x, y.y, y.z};
  const double p = s->exponent;
  double f = 0.0, gradient[3], hessian[3];
  for (int i = 0; i < 3; i++) {
    f += pow(fabs(x[i] / a[i]), p);
  }
  const double scale = f > 0.0 ? pow(f, -1.0 / p) : NAN;
  for (int i = 0; i < 3; i++) {
    const double z = fabs(scale * x[i] / a[i]);
    gradient[i] = p * copysign(pow(z, p - 1.0), x[i]) / a[i];
    const bool vanishes = extent != NULL && p > 2.0 && z * a[i] < extent[i];
    hessian[i] = vanishes ? 0.0 : p * (p - 1.0) * pow(z, p - 2.0) / (a[i] * a[i]);
  }
  const double steepness = sb_vec3_norm(sb_vec3_load(gradient));
  *spot = (sb_surface_spot){.x = sb_vec3_scale(y, scale),
                            .n = sb_vec3_scale(sb_vec3_load(gradient), 1.0 / steepness),
                            .unique = true};
  const sb_mat3 across = tangent_projection(spot->n);
  const sb_mat3 H = sb_mat3_diag(sb_vec3_scale(sb_vec3_load(hessian), 1.0 / steepness));
  spot->shape = sb_mat3_mul(across, sb_mat3_mul(H, across));
  spot->distance = sb_vec3_dot(spot->n, sb_vec3_sub(y, spot->x));
}

static void at(const sb_surface *s, sb_vec3 y, sb_surface_spot *spot) {
  spot_at(s, y, NULL, spot);
}

static sb_mat3 least_shape(const sb_surface *s, sb_vec3 x, sb_vec3 extent) {
  sb_surface_spot spot;
  spot_at(s, x, (const double[]){extent.x, extent.y, extent.z}, &spot);
  return spot.shape;
}

/** As of an ellipsoid (surface_ellipsoid.c), with v = (1 - n n^T) Hess f n/|grad f|, and beside it the third derivatives, of
 *  which f = sum |x_i/a_i|^p has T_i = p (p - 1)(p - 2) |x_i/a_i|^(p - 3) sign(x_i)/a_i^3 alone: the rate of L(b, c) along u is
 *    sum T_i b_i c_i u_i/|grad f| - (L(b,c) v.u + L(c,u) v.b + L(u,b) v.c). */
static sb_vec3 shape_gradient(const sb_surface *s, sb_vec3 y, sb_mat3 G) {
  sb_surface_spot spot;
  at(s, y, &spot);
  const double a[3] = {s->semi_axes.x, s->semi_axes.y, s->semi_axes.z}, p = s->exponent;
  const double x[3] = {spot.x.x, spot.x.y, spot.x.z};
  const sb_mat3 across = tangent_projection(spot.n),
                inner = sb_mat3_mul(across, sb_mat3_mul(G, across));
  double gradient[3], hessian[3], third[3];
  for (int i = 0; i < 3; i++) {
    const double z = fabs(x[i] / a[i]);
    gradient[i] = p * pow(z, p - 1.0) / a[i];
    hessian[i] = p * (p - 1.0) * pow(z, p - 2.0) / (a[i] * a[i]);
    third[i] = z > 0.0 && p > 2.0 // at a plane of symmetry zero, by symmetry
                   ? p * (p - 1.0) * (p - 2.0) * copysign(pow(z, p - 3.0), x[i]) /
                         (a[i] * a[i] * a[i]) * inner.m[i][i]
                   : 0.0;
  }
  const double scale = 1.0 / sb_vec3_norm(sb_vec3_load(gradient));
  const sb_vec3 Hn = sb_vec3_times(sb_vec3_load(hessian), spot.n);
  const sb_vec3 v = sb_vec3_scale(sb_mat3_apply(across, Hn), scale);
  const sb_vec3 g =
      sb_vec3_axpy(sb_vec3_scale(sb_mat3_apply(spot.shape, sb_mat3_apply(inner, v)), -2.0),
                   -sb_mat3_contract(inner, spot.shape), v);
  return sb_vec3_axpy(g, scale, sb_mat3_apply(across, sb_vec3_load(third)));
}

/** At a plane of symmetry the curvature goes like |x|^(p - 2), whose derivative is infinite there below p = 3. */
static bool steady(const sb_surface *s) {
  return s->exponent == 2.0 || s->exponent >= 3.0;
}

/** V over 8 abc: G(1+1/p)^3/G(1+3/p) with G = Gamma. */
static double fill(double p) {
  const double one = tgamma(1.0 / p);
  return one * one * one / (p * p * p * tgamma(1.0 + 3.0 / p));
}

static double volume(const sb_surface *s) {
  return 8 * fill(s->exponent) * s->semi_axes.x * s->semi_axes.y * s->semi_axes.z;
}

/** The integral of x^2 is
 *  8 a^3 bc G(3/p) G(1/p)^2 / (p^3 G(1+5/p)). */
static sb_vec3 inertia(const sb_surface *s, double mass) {
  const double p = s->exponent, one = tgamma(1.0 / p);
  const double share = tgamma(3.0 / p) * one * one / (p * p * p * tgamma(1.0 + 5.0 / p)) / fill(p);
  const sb_vec3 a = s->semi_axes, square = sb_vec3_scale(sb_vec3_times(a, a), mass * share);
  return (sb_vec3){square.y + square.z, square.x + square.z, square.x + square.y};
}

const sb_surface_type sb_superellipsoid = {.name = "superellipsoid",
                                           .help = "between an ellipsoid and a box, by an exponent",
                                           .attributes = "semi_axes exponent",
                                           .convex = true,
                                           .smooth = true,
                                           .curved = true,
                                           .steady = steady,
                                           .complete = complete,
                                           .check = check,
                                           .support = support,
                                           .at = at,
                                           .least_shape = least_shape,
                                           .inertia = inertia,
                                           .volume = volume,
                                           .shape_gradient = shape_gradient};
