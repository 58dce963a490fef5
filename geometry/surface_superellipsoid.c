// SPDX-License-Identifier: GPL-3.0-or-later
// The superellipsoid |x/a|^p + |y/b|^p + |z/c|^p = 1, p >= 2: an ellipsoid that nears a box as p grows.
// Its support function is the dual norm, h(n) = (|a n1|^p' + |b n2|^p' + |c n3|^p')^(1/p') with
// 1/p + 1/p' = 1, and its point x_i = a_i (|a_i n_i|/h)^(1/(p - 1)).
//
// For p > 2 a curvature vanishes where a coordinate does: a rounding eps of a normal moves the point by eps^(1/(p - 1)) of its size, and a body
// that rests there rocks ever faster the less it does. Up to p = 5 the surface is rounded there, sum phi(|x_i/a_i|) = 1 with
//   phi'(s) = p s^(p - 1)                                      from s = sigma on,
//             p sigma^(p - 2) s (1 - q + q (s/sigma)^(m - 1))  below,   q = (p - 2)/(m - 1), m = max(3, 2 p - 3),
// twice differentiable and convex, and by less than sigma^p = 1e-10 of its size another one.
#include <math.h>
#include <stddef.h>

#include "geometry/surface_private.h"

/** What rounding the sides changes the surface by, of its size; and up to which exponent they are. Beyond it lies on a side as on a flat one. */
static const double rounding = 1e-10, rounded = 5.0;
enum { ROOT_ITERATIONS = 60, SCALE_ITERATIONS = 4 };

static void complete(sb_surface *s) {
  const sb_vec3 a = s->semi_axes;
  s->flat = s->exponent > 2.0 && s->exponent <= rounded ? pow(rounding, 1.0 / s->exponent) : 0.0;
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

/** phi(s) and its derivatives. */
typedef struct profile {
  double value, slope, curvature, third;
} profile;

static profile profile_at(const sb_surface *surface, double s) {
  const double p = surface->exponent, flat = surface->flat;
  if (s >= flat) {
    const double power = pow(s, p - 2.0);
    return (profile){power * s * s, p * power * s, p * (p - 1.0) * power,
                     s > 0.0 ? p * (p - 1.0) * (p - 2.0) * power / s : 0.0}; // 0 by symmetry
  }
  const double m = fmax(3.0, 2.0 * p - 3.0), q = (p - 2.0) / (m - 1.0), scale = pow(flat, p - 2.0),
               bend = q * pow(s / flat, m - 1.0),
               middle = flat * flat * (1.0 / p - 0.5 * (1.0 - q) - q / (m + 1.0));
  return (profile){p * scale * (middle + s * s * (0.5 * (1.0 - q) + bend / (m + 1.0))),
                   p * scale * s * (1.0 - q + bend), p * scale * (1.0 - q + m * bend),
                   s > 0.0 ? p * scale * m * (m - 1.0) * bend / s : 0.0};
}

/** s of phi'(s) = slope. */
static double place_of(const sb_surface *surface, double slope) {
  const double p = surface->exponent, flat = surface->flat;
  const double outside = pow(slope / p, 1.0 / (p - 1.0));
  if (outside >= flat) {
    return outside;
  }
  double s = outside, before = HUGE_VAL; // phi' is convex, and larger there
  for (int i = 0; i < ROOT_ITERATIONS && s < before; i++) {
    const profile f = profile_at(surface, s);
    before = s;
    s -= (f.slope - slope) / f.curvature;
  }
  return fmax(s, 0.0);
}

/** By the multiplier mu of max n.x: |a_i n_i| = mu phi'(s_i). */
static double support(const sb_surface *s, sb_vec3 n, sb_vec3 *point) {
  const double a[3] = {s->semi_axes.x, s->semi_axes.y, s->semi_axes.z}, m[3] = {n.x, n.y, n.z};
  const double dual = s->exponent / (s->exponent - 1.0);
  double sum = 0.0, x[3], least = HUGE_VAL;
  for (int i = 0; i < 3; i++) {
    sum += pow(fabs(a[i] * m[i]), dual);
  }
  double h = pow(sum, 1.0 / dual);
  for (int i = 0; i < 3; i++) {
    x[i] = pow(fabs(a[i] * m[i]) / h, dual - 1.0);
    least = fmin(least, x[i]);
  }
  double mu = h / s->exponent;
  for (int k = 0; k < SCALE_ITERATIONS && least < s->flat; k++) {
    double excess = -1.0, rate = 0.0;
    for (int i = 0; i < 3; i++) {
      x[i] = place_of(s, fabs(a[i] * m[i]) / mu);
      const profile f = profile_at(s, x[i]);
      excess += f.value;
      rate += f.slope * f.slope / f.curvature;
    }
    mu *= 1.0 + excess / rate;
  }
  h = 0.0;
  for (int i = 0; i < 3; i++) {
    h += fabs(a[i] * m[i]) * x[i];
    x[i] = a[i] * copysign(x[i], m[i]);
  }
  *point = sb_vec3_load(x);
  return h;
}

/** The factor that takes x to the surface. */
static double scale_of(const sb_surface *s, const double a[3], const double x[3]) {
  double f = 0.0, least = HUGE_VAL;
  for (int i = 0; i < 3; i++) {
    f += pow(fabs(x[i] / a[i]), s->exponent);
    least = fmin(least, fabs(x[i] / a[i]));
  }
  double scale = f > 0.0 ? pow(f, -1.0 / s->exponent) : NAN;
  for (int k = 0; k < SCALE_ITERATIONS && scale * least < s->flat; k++) {
    double excess = -1.0, rate = 0.0;
    for (int i = 0; i < 3; i++) {
      const double z = fabs(x[i] / a[i]);
      const profile p = profile_at(s, scale * z);
      excess += p.value;
      rate += p.slope * z;
    }
    scale -= excess / rate;
  }
  return scale;
}

/** The point on the ray through x. With f = sum phi(|x_i/a_i|), n = grad f/|grad f| and
 *  L = (1 - n n^T) Hess f (1 - n n^T)/|grad f|. The distance is that to first order.
 *  @param extent  NULL, or: phi''(|x_i/a_i|)/a_i^2 in Hess f, all but zero at x_i = 0, is left out where |x_i| is less */
static void spot_at(const sb_surface *s, sb_vec3 y, const double extent[3], sb_surface_spot *spot) {
  const double a[3] = {s->semi_axes.x, s->semi_axes.y, s->semi_axes.z}, x[3] = {y.x, y.y, y.z};
  const double scale = scale_of(s, a, x);
  double gradient[3], hessian[3];
  for (int i = 0; i < 3; i++) {
    const double z = fabs(scale * x[i] / a[i]);
    const profile f = profile_at(s, z);
    gradient[i] = copysign(f.slope, x[i]) / a[i];
    const bool vanishes = extent != NULL && s->exponent > 2.0 && z * a[i] < extent[i];
    hessian[i] = vanishes ? 0.0 : f.curvature / (a[i] * a[i]);
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
 *  which f has T_i = phi'''(|x_i/a_i|) sign(x_i)/a_i^3 alone: the rate of L(b, c) along u is
 *    sum T_i b_i c_i u_i/|grad f| - (L(b,c) v.u + L(c,u) v.b + L(u,b) v.c). */
static sb_vec3 shape_gradient(const sb_surface *s, sb_vec3 y, sb_mat3 G) {
  sb_surface_spot spot;
  at(s, y, &spot);
  const double a[3] = {s->semi_axes.x, s->semi_axes.y, s->semi_axes.z};
  const double x[3] = {spot.x.x, spot.x.y, spot.x.z};
  const sb_mat3 across = tangent_projection(spot.n),
                inner = sb_mat3_mul(across, sb_mat3_mul(G, across));
  double gradient[3], hessian[3], third[3];
  for (int i = 0; i < 3; i++) {
    const profile f = profile_at(s, fabs(x[i] / a[i]));
    gradient[i] = f.slope / a[i];
    hessian[i] = f.curvature / (a[i] * a[i]);
    third[i] = copysign(f.third, x[i]) / (a[i] * a[i] * a[i]) * inner.m[i][i];
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
