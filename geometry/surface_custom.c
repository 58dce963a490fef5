// SPDX-License-Identifier: GPL-3.0-or-later
// Convex bodies from a program: by a support function and its Hessian, or by a smooth function whose
// zero set is the surface.
#include <stddef.h>

#include "geometry/surface_private.h"

enum { ROOT_STEPS = 50, SUPPORT_STEPS = 200 };
/** Relative change at which a root is found; residual of a normal [rad] that is rounding. */
static const double root_tolerance = 1e-15, normal_tolerance = 1e-15;
/** Longest step over the surface, as a share of its reach. */
static const double longest_way = 0.3;

static void complete(sb_surface *s) {
  (void)s; // width and reach are stated
}

static sb_status check(const sb_surface *s, bool whole, sb_error *err) {
  SB_TRY(surface_check_length(s, "width", s->width, err));
  SB_TRY(surface_check_length(s, "reach", s->reach, err));
  return whole ? SB_OK : sb_fail(err, SB_ERR_MISSING, "a %s needs its functions", s->type->name);
}

static sb_status check_convex_body(const sb_surface *s, sb_error *err) {
  return check(s, s->custom.support != NULL && s->custom.radius != NULL, err);
}

/** f is below zero at the centre and above it from the reach on, where it grows outwards. */
static sb_status check_implicit(const sb_surface *s, sb_error *err) {
  SB_TRY(check(s, s->custom.value != NULL, err));
  sb_vec3 g;
  sb_mat3 H;
  const double centre = s->custom.value(s->custom.data, (sb_vec3){0}, &g, &H);
  if (!(centre < 0.0)) {
    return sb_fail(
        err, SB_ERR_RANGE,
        "the function of an %s must be negative inside, and is %s at the origin of the shape",
        s->type->name, sb_number_word(centre).text);
  }
  for (int i = 0; i < 6; i++) {
    const double sign = i % 2 == 0 ? 1.0 : -1.0;
    const sb_vec3 ray = {sign * (i / 2 == 0), sign * (i / 2 == 1), sign * (i / 2 == 2)};
    const double f = s->custom.value(s->custom.data, sb_vec3_scale(ray, s->reach), &g, &H);
    const double slope = sb_vec3_dot(g, ray);
    if (!(f >= 0.0 && slope > 0.0)) {
      return sb_fail(
          err, SB_ERR_RANGE,
          "the function of an %s must not be negative at its reach of %s m, where it grows "
          "outwards, and is %s there with a slope of %s 1/m",
          s->type->name, sb_number_word(s->reach).text, sb_number_word(f).text,
          sb_number_word(slope).text);
    }
  }
  return SB_OK;
}

sb_surface sb_surface_custom(const sb_surface_type *type, const sb_custom *custom, double width,
                             double reach, sb_pose local) {
  return sb_surface_make(type, &(sb_surface){.custom = *custom, .width = width, .reach = reach},
                         local);
}

static double support(const sb_surface *s, sb_vec3 n, sb_vec3 *point) {
  return s->custom.support(s->custom.data, n, point);
}
static sb_mat3 radius(const sb_surface *s, sb_vec3 n) {
  return s->custom.radius(s->custom.data, n);
}

const sb_surface_type sb_convex_body = {.name = "convex-body",
                                        .help = "support function and its Hessian, from C",
                                        .attributes = "",
                                        .convex = true,
                                        .smooth = true,
                                        .complete = complete,
                                        .check = check_convex_body,
                                        .support = support,
                                        .radius = radius};

/** On the ray from the centre through y, by Newton's method from outside, where a convex function falls
 *  steadily; n and L from its gradient and Hessian. The distance is that to first order. */
static void at(const sb_surface *s, sb_vec3 y, sb_surface_spot *spot) {
  const sb_vec3 ray = sb_vec3_normalize(y);
  sb_vec3 g;
  sb_mat3 H;
  double t = sb_vec3_norm(y); // a point of a tangent plane is outside, and near
  double f = s->custom.value(s->custom.data, sb_vec3_scale(ray, t), &g, &H);
  if (!(f >= 0.0 && t < s->reach)) {
    t = s->reach;
    f = s->custom.value(s->custom.data, sb_vec3_scale(ray, t), &g, &H);
  }
  for (int i = 0; i < ROOT_STEPS; i++) {
    const double step = f / sb_vec3_dot(g, ray);
    t -= step;
    if (!(fabs(step) > root_tolerance * t)) {
      break;
    }
    f = s->custom.value(s->custom.data, sb_vec3_scale(ray, t), &g, &H);
  }
  const double steepness = sb_vec3_norm(g);
  const sb_vec3 x = sb_vec3_scale(ray, t), n = sb_vec3_scale(g, 1.0 / steepness);
  const sb_mat3 across = tangent_projection(n);
  *spot = (sb_surface_spot){
      .x = x,
      .n = n,
      .shape = sb_mat3_scale(sb_mat3_mul(across, sb_mat3_mul(H, across)), 1.0 / steepness),
      .distance = sb_vec3_dot(n, sb_vec3_sub(y, x)),
      .unique = true};
}

/** The step over the surface that turns its normal m to n, L u = n - m, with L shifted where it is flat. */
static sb_vec3 way_to(const sb_surface *s, const sb_surface_spot *spot, sb_vec3 n, double damping) {
  sb_vec3 e[2];
  sb_tangent_basis(spot->n, &e[0], &e[1]);
  const sb_vec3 l1 = sb_mat3_apply(spot->shape, e[0]), l2 = sb_mat3_apply(spot->shape, e[1]);
  const double shift = (1e-12 + damping) / s->reach,
               b[2] = {sb_vec3_dot(e[0], n), sb_vec3_dot(e[1], n)};
  const double a = sb_vec3_dot(e[0], l1) + shift, c = sb_vec3_dot(e[1], l2) + shift,
               off = sb_vec3_dot(e[0], l2), det = a * c - off * off;
  const double u[2] = {(c * b[0] - off * b[1]) / det, (a * b[1] - off * b[0]) / det};
  const double length = hypot(u[0], u[1]), most = longest_way * s->reach;
  const double scale = length > most ? most / length : 1.0;
  return sb_vec3_axpy(sb_vec3_scale(e[0], scale * u[0]), scale * u[1], e[1]);
}

/** Climbs n.x over the surface, damped until each step gains. */
static double support_implicit(const sb_surface *s, sb_vec3 n, sb_vec3 *point) {
  sb_surface_spot spot, next;
  at(s, n, &spot);
  double damping = 0.0;
  for (int i = 0; i < SUPPORT_STEPS; i++) {
    const double off = sb_vec3_norm(sb_vec3_sub(n, spot.n));
    if (off <= normal_tolerance) {
      break;
    }
    at(s, sb_vec3_add(spot.x, way_to(s, &spot, n, damping)), &next);
    const double gain = sb_vec3_dot(n, sb_vec3_sub(next.x, spot.x));
    const double next_off = sb_vec3_norm(sb_vec3_sub(n, next.n));
    if (gain > 0.0 || (off < 1e-6 && next_off < 0.5 * off)) {
      spot = next;
      damping *= 0.1;
    } else if (off < 1e-9) {
      break; // rounding
    } else {
      damping = fmax(10.0 * damping, 1e-2);
    }
  }
  *point = spot.x;
  return sb_vec3_dot(n, spot.x);
}

const sb_surface_type sb_implicit = {.name = "implicit-surface",
                                     .help = "zero set of a smooth convex function, from C",
                                     .attributes = "",
                                     .convex = true,
                                     .smooth = true,
                                     .complete = complete,
                                     .check = check_implicit,
                                     .support = support_implicit,
                                     .at = at};
