// SPDX-License-Identifier: GPL-3.0-or-later
// Flats, or straight sides, of two bodies that all but lie along each other: the equations of convex_newton.c are singular
// there, or nearly so, and its steps go to and fro between a flat and the round beside it, where the answer is.
// A flat has one normal, so that the other body's point is that of its support along it, unless that lies beyond the flat.
// Else both points slide: with the outward normals m1 and m2 the gap changes along a tangent t by (m1 + m2).t for each
// metre. As the bodies are convex this slope rises with the way, and its root can be bracketed: along the steepest
// tangent, and across it, where for each place across the one along is found. Newton's method goes on from there.
#include "geometry/convex_private.h"

enum { TRIES = 100 };
/** Shortest way, relative to the size of the bodies, and by what it grows until the slope has turned. */
static const double shortest = 1e-6, growth = 8.0;
/** Slopes that are level, as shares of the steepest at the begin: across, and along, by which those across are known; and
 *  one that is rounding. */
static const double level = 1e-4, sharp = 1e-6, rounding = 1e-13;

/** Where the points slide to. */
typedef struct slope {
  const convex_side *sides;
  const convex_state *from;
  sb_vec3 along, across; // unit tangents
  double steep, size;    // the slope along at the begin; [m] of both bodies
  double x, y;           // [m] the place, along and across
  convex_state at;       // that place
  int *evaluations;
} slope;

/** t.(m1 + m2) */
static double slope_of(const slope *s, sb_vec3 t) {
  return sb_vec3_dot(t, sb_vec3_add(s->at.mates[0].m, s->at.mates[1].m));
}

/** t.(L1 + L2) u, how it changes along u [1/m] */
static double rise_of(const slope *s, sb_vec3 t, sb_vec3 u) {
  return sb_vec3_dot(
      t, sb_vec3_add(sb_mat3_apply(s->at.mates[0].form, u), sb_mat3_apply(s->at.mates[1].form, u)));
}

static double slope_along(slope *s, double x, double *rise) {
  s->x = x;
  convex_move(s->sides, s->from, sb_vec3_axpy(sb_vec3_scale(s->along, x), s->y, s->across), &s->at);
  ++*s->evaluations;
  *rise = rise_of(s, s->along, s->along);
  return slope_of(s, s->along);
}

/** To the root of a slope that rises, from a place on, by Newton's method between bounds; false if there is none. */
static bool slide(slope *s, double (*slope_at)(slope *, double, double *), double begin,
                  double tolerance) {
  double rise, at = slope_at(s, begin, &rise), bound[2] = {-INFINITY, INFINITY};
  double place = begin, way = shortest * s->size;
  for (int i = 0; i < TRIES && fabs(at) > tolerance; i++) {
    bound[at > 0.0] = place;
    const bool bracketed = isfinite(bound[0]) && isfinite(bound[1]);
    double next = place - at / rise;
    if (!bracketed) {
      next = begin - copysign(way, at);
      way *= growth;
    } else if (!(next > bound[0] && next < bound[1])) {
      next = 0.5 * (bound[0] + bound[1]);
    }
    if (!(fabs(next - begin) <= growth * s->size)) {
      return false;
    }
    place = next;
    at = slope_at(s, place, &rise);
  }
  return fabs(at) <= tolerance;
}

/** Across, with the place along where it is level; beyond the bodies there is none, and it rises. */
static double slope_across(slope *s, double y, double *rise) {
  s->y = y;
  if (!slide(s, slope_along, s->x, fmax(sharp * s->steep, rounding))) {
    return copysign(INFINITY, y);
  }
  const double both = rise_of(s, s->along, s->across);
  *rise = rise_of(s, s->across, s->across) - both * both / rise_of(s, s->along, s->along);
  return slope_of(s, s->across);
}

/** Both points from the flats to the end of one of them, or to where both end. */
static bool refine_downhill(const convex_side sides[2], convex_state *s, int *evaluations) {
  const convex_state from = *s;
  const sb_vec3 sum = sb_vec3_add(from.mates[0].m, from.mates[1].m);
  const double steep = sb_vec3_norm(sum);
  slope p = {.sides = sides,
             .from = &from,
             .along = sb_vec3_scale(sum, -1.0 / steep),
             .steep = steep,
             .size = convex_size(sides),
             .evaluations = evaluations};
  p.across = sb_vec3_cross(from.n, p.along);
  if (!slide(&p, slope_along, 0.0, fmax(sharp * steep, rounding))) {
    return false;
  }
  *s = p.at;
  if (convex_refine(sides, s, evaluations)) {
    return true;
  }
  const bool found = slide(&p, slope_across, 0.0, fmax(level * steep, rounding));
  *s = found ? p.at : from;
  return found && convex_refine(sides, s, evaluations);
}

/** A body's point from the normal of the other, which is flat. */
static bool refine_on_flat(const convex_side sides[2], convex_state *s, int *evaluations) {
  for (int k = 0; k < 2; k++) {
    convex_state to = *s;
    const sb_vec3 m = sb_vec3_neg(s->mates[k].m);
    const convex_side *other = &sides[1 - k];
    to.mates[0].p = to.mates[1].p =
        sb_vec3_axpy(convex_core_support(other, m), other->surface->sweep, m);
    convex_move(sides, &to, (sb_vec3){0, 0, 0}, &to);
    ++*evaluations;
    if (to.residual < s->residual && convex_refine(sides, &to, evaluations)) {
      *s = to;
      return true;
    }
  }
  return false;
}

bool convex_refine_or_slide(const convex_side sides[2], convex_state *s, int *evaluations) {
  convex_state start = *s;
  if (convex_refine(sides, s, evaluations)) {
    return true;
  }
  const bool found =
      !convex_is_strict(&sides[0]) && !convex_is_strict(&sides[1]) &&
      (refine_on_flat(sides, &start, evaluations) || refine_downhill(sides, &start, evaluations));
  *s = found || start.residual < s->residual ? start : *s;
  return found;
}
