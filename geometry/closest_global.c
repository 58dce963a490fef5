// SPDX-License-Identifier: GPL-3.0-or-later
// The global maximum of g over all directions, for overlapping ellipsoids, which may have several
// local ones: g at many directions, then a climb from the best few. No proof, only measurement.
#include "geometry/closest_private.h"

/** Directions on a hemisphere, each of which serves for -n as well; mean distance 0.16 rad. */
enum { SPREAD = 250, AXES = 6, STARTS = 8, CANDIDATES = SPREAD + AXES };
/** Starts closer than this (cosine of 11 degrees) would climb the same hill. */
static const double same_hill = 0.98163;

/** A direction n, and g at n and at -n. */
typedef struct candidate {
  sb_vec3 n;
  double g[2];
} candidate;

static candidate rate(const ellipsoid_pair *pair, sb_vec3 n) {
  const sb_vec3 m = sb_mat3_apply_transposed(pair->turn, n);
  const double h =
      sb_vec3_norm(sb_vec3_times(pair->a1, n)) + sb_vec3_norm(sb_vec3_times(pair->a2, m));
  const double along = sb_vec3_dot(n, pair->d);
  return (candidate){n, {along - h, -along - h}};
}

/** Rates a Fibonacci lattice and the axes of both bodies. */
static void rate_all(const ellipsoid_pair *pair, candidate candidates[CANDIDATES]) {
  const double golden = SB_PI * (3.0 - sqrt(5.0)), c = cos(golden), s = sin(golden);
  double x = 1.0, y = 0.0; // turned by the golden angle from one direction to the next
  candidate *next = candidates;
  for (int i = 0; i < SPREAD; i++) {
    const double z = (i + 0.5) / SPREAD, r = sqrt(1.0 - z * z);
    *next++ = rate(pair, (sb_vec3){r * x, r * y, z});
    const double turned = c * x - s * y;
    y = s * x + c * y;
    x = turned;
  }
  for (int i = 0; i < 3; i++) {
    const sb_vec3 axis = {i == 0, i == 1, i == 2};
    *next++ = rate(pair, axis);
    *next++ = rate(pair, sb_mat3_apply(pair->turn, axis));
  }
}

/** The best direction, taken out of the list together with its neighbours. @param g  out */
static sb_vec3 take_best(candidate candidates[CANDIDATES], double *g) {
  int best = 0, side = 0;
  for (int i = 0; i < 2 * CANDIDATES; i++) {
    if (candidates[i / 2].g[i % 2] > candidates[best].g[side]) {
      best = i / 2;
      side = i % 2;
    }
  }
  const candidate *taken = &candidates[best];
  const sb_vec3 n = side == 0 ? taken->n : sb_vec3_neg(taken->n);
  *g = taken->g[side];
  for (int i = 0; i < CANDIDATES; i++) {
    const double cosine = sb_vec3_dot(candidates[i].n, n);
    candidates[i].g[0] = cosine > same_hill ? -INFINITY : candidates[i].g[0];
    candidates[i].g[1] = -cosine > same_hill ? -INFINITY : candidates[i].g[1];
  }
  return n;
}

bool ellipsoids_survey(const ellipsoid_pair *pair, bool have, ellipsoid_gap *out,
                       int *evaluations) {
  candidate candidates[CANDIDATES];
  rate_all(pair, candidates);
  for (int i = 0; i < STARTS; i++) {
    double g;
    const sb_vec3 from = take_best(candidates, &g);
    ellipsoid_gap s;
    if (isfinite(g) && ellipsoids_climb(pair, from, &s, evaluations) && (!have || s.g > out->g)) {
      *out = s;
      have = true;
    }
  }
  return have;
}
