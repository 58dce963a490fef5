// SPDX-License-Identifier: GPL-3.0-or-later
// Two convex bodies whose cores overlap: maxima over the unit sphere of g(n) = -h1(n) - h2(-n), in the axes of the pair.
// They may lie at the normal of a flat, or across two edges, where g has a kink and Newton's method alone goes to and
// fro. The ascent is the proximal point method (Rockafellar, Monotone operators and the proximal point algorithm, 1976):
// with body 2 moved away along n by t > -g(n) the bodies are apart, and the direction m of their distance, which is
// unique, maximises g(m) + t m.n, so that g(m) >= g(n) + t (1 - m.n). It rises until n is a maximum; Newton's method
// then finishes. Which of the maxima is the highest is told by a survey of a lattice of directions: no proof, only
// measurement. Of cores that are boxes, edges or points it is the nearest facet of their difference.
#include "geometry/convex_private.h"

enum { SPREAD = 1000, STARTS = 24, ASCENTS = 60, FACETS = 30 };
/** Starts closer than this (cosine of 6 degrees) would climb the same hill. */
static const double same_hill = 0.99452;
/** Newton's method may lead so far (cosine of 25 degrees) from its start. */
static const double same_slope = 0.90631;
/** Turns in an ascent [rad]: from which on Newton's method is tried; its answer is that of the same hill; rounding. */
static const double near = 0.05, sure = 0.005, still = 1e-14;
/** A turn that grows so from one step to the next leaves a ridge, where each doubles the last. */
static const double growing = 1.5;
/** By how much, relative to the bodies' reach, an answer may be below a direction that is known, for rounding. */
static const double lower = 1e-10;

static double gap_along(const convex_side sides[2], sb_vec3 n) {
  const double sweep = sides[0].surface->sweep + sides[1].surface->sweep;
  const sb_vec3 p1 = convex_core_support(&sides[0], n);
  const sb_vec3 p2 = convex_core_support(&sides[1], sb_vec3_neg(n));
  return sb_vec3_dot(n, sb_vec3_sub(p2, p1)) - sweep;
}

/** One step: s becomes the pair of nearest points of the bodies moved apart, back where they are. */
static bool climb(const convex_side sides[2], sb_vec3 n, double gap, convex_state *s,
                  int *evaluations) {
  const sb_vec3 away = sb_vec3_scale(n, 2.0 * fabs(gap));
  convex_side apart[2] = {sides[0], sides[1]};
  sb_vec3 points[2];
  apart[1].center = sb_vec3_add(apart[1].center, away);
  if (!gjk_nearest(apart, n, points, evaluations)) {
    return false;
  }
  convex_start_between(apart, points, s);
  s->mates[1].p = sb_vec3_sub(s->mates[1].p, away);
  s->n = sb_vec3_normalize(sb_vec3_sub(points[1], points[0]));
  return true;
}

/** Newton's method alone: it counts if it ends in a maximum near its start. */
static bool climb_by_newton(const convex_side sides[2], sb_vec3 n, convex_state *s,
                            int *evaluations) {
  convex_start_along(sides, n, s);
  return convex_refine(sides, s, evaluations) && sb_vec3_dot(s->n, n) > same_slope &&
         s->gap >= gap_along(sides, n) - lower * convex_size(sides) && convex_is_maximum(sides, s);
}

/** Of curved bodies Newton's method is tried at every step, and mostly does at the first: a quarter of the work. */
static bool ascend_curved(const convex_side sides[2], sb_vec3 n, convex_state *s,
                          int *evaluations) {
  for (int i = 0; i < ASCENTS; i++) {
    if (climb_by_newton(sides, n, s, evaluations)) {
      return true;
    }
    if (!climb(sides, n, gap_along(sides, n), s, evaluations)) {
      return false;
    }
    n = s->n;
  }
  return false;
}

/** On along the way of a step that leaves a ridge, so many times as far, if g is higher there. */
static void leap(const convex_side sides[2], sb_vec3 from, sb_vec3 *n, double times) {
  const sb_vec3 way = sb_vec3_sub(*n, from);
  const sb_vec3 ahead = sb_vec3_normalize(sb_vec3_axpy(from, times, way));
  *n = gap_along(sides, ahead) > gap_along(sides, *n) ? ahead : *n;
}

bool convex_ascend(const convex_side sides[2], sb_vec3 n, convex_state *s, int *evaluations) {
  if (convex_is_curved(&sides[0]) && convex_is_curved(&sides[1])) {
    return ascend_curved(sides, n, s, evaluations);
  }
  const double tolerance = lower * convex_size(sides);
  convex_state at;
  double turn = INFINITY;
  bool found = false, here = false;
  for (int i = 0; i < ASCENTS && turn > (here ? sure : still); i++) {
    if (!climb(sides, n, gap_along(sides, n), &at, evaluations)) {
      break;
    }
    const sb_vec3 from = n;
    const double before = turn;
    n = at.n;
    turn = sb_vec3_norm(sb_vec3_sub(n, from));
    // a turn that grows leaves a hill, and Newton's method would go back or astray
    const bool last = turn <= still || i == ASCENTS - 1;
    const bool worth = turn <= near && (last || turn < before);
    here = worth && convex_refine_or_slide(sides, &at, evaluations) &&
           at.gap >= gap_along(sides, n) - tolerance;
    if (turn > growing * before && turn < sure) {
      leap(sides, from, &n, near / turn);
    }
    if (here) {
      *s = at;
      found = true;
    }
  }
  return found;
}

/** z of a direction of Fibonacci's lattice. */
static double height(int i) {
  return 1.0 - (2.0 * i + 1.0) / SPREAD;
}

static sb_vec3 direction(int i) {
  const double golden = SB_PI * (3.0 - sqrt(5.0));
  const double z = height(i), r = sqrt(1.0 - z * z);
  return (sb_vec3){r * cos(golden * i), r * sin(golden * i), z};
}

/** The best direction, taken out of the list together with its neighbours. */
static sb_vec3 take_best(double gaps[SPREAD]) {
  int best = 0;
  for (int i = 1; i < SPREAD; i++) {
    if (gaps[i] > gaps[best]) {
      best = i;
    }
  }
  const sb_vec3 n = direction(best);
  const double chord = sqrt(2.0 * (1.0 - same_hill)); // a neighbour's z differs by no more
  for (int i = 0; i < SPREAD; i++) {
    if (fabs(height(i) - n.z) <= chord && sb_vec3_dot(direction(i), n) > same_hill) {
      gaps[i] = -INFINITY;
    }
  }
  return n;
}

/** The best of the lattice's directions, far apart. */
static bool survey_lattice(const convex_side sides[2], convex_state *s, int *evaluations) {
  double gaps[SPREAD];
  for (int i = 0; i < SPREAD; i++) {
    const double g = gap_along(sides, direction(i));
    gaps[i] = isfinite(g) ? g : -INFINITY;
  }
  *evaluations += SPREAD;
  bool found = false;
  for (int i = 0; i < STARTS; i++) {
    convex_state tried;
    if (convex_ascend(sides, take_best(gaps), &tried, evaluations) &&
        (!found || tried.gap > s->gap)) {
      *s = tried;
      found = true;
    }
  }
  return found;
}

/** The normals of the facets of the Minkowski difference of two boxes, each with its negative: of flats and, by their cross products,
 *  of pairs of edges.  @return how many */
static int facets(const convex_side sides[2], sb_vec3 normals[FACETS]) {
  int count = 0;
  sb_vec3 axes[2][3];
  for (int i = 0; i < 6; i++) {
    const double(*m)[3] = sides[i / 3].turn.m;
    axes[i / 3][i % 3] = (sb_vec3){m[0][i % 3], m[1][i % 3], m[2][i % 3]};
    normals[count++] = axes[i / 3][i % 3];
  }
  for (int i = 0; i < 9; i++) {
    const sb_vec3 n = sb_vec3_cross(axes[0][i / 3], axes[1][i % 3]);
    normals[count] = sb_vec3_normalize(n);
    count += sb_vec3_norm(n) > still;
  }
  for (int i = 0; i < count; i++) {
    normals[count + i] = sb_vec3_neg(normals[i]);
  }
  return 2 * count;
}

/** Of overlapping cores that are boxes, edges or points g has its highest maximum at the normal of the facet of the difference that is nearest
 *  (Gottschalk, Lin and Manocha, OBBTree, 1996). */
static bool survey_facets(const convex_side sides[2], convex_state *s, int *evaluations) {
  sb_vec3 normals[FACETS];
  double gaps[FACETS];
  const int count = facets(sides, normals);
  for (int i = 0; i < count; i++) {
    gaps[i] = gap_along(sides, normals[i]);
  }
  *evaluations += count;
  bool found = false;
  for (int tries = 0; tries < count; tries++) {
    int best = 0;
    for (int i = 1; i < count; i++) {
      best = gaps[i] > gaps[best] ? i : best;
    }
    convex_state tried;
    if (found && !(gaps[best] > s->gap)) {
      break;
    }
    gaps[best] = -INFINITY;
    if (convex_ascend(sides, normals[best], &tried, evaluations) &&
        (!found || tried.gap > s->gap)) {
      *s = tried;
      found = true;
    }
  }
  return found;
}

bool convex_survey(const convex_side sides[2], bool flat, convex_state *s, int *evaluations) {
  return (flat && survey_facets(sides, s, evaluations)) || survey_lattice(sides, s, evaluations);
}
