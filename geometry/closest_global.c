// SPDX-License-Identifier: GPL-3.0-or-later
// The global maximum of g over all directions, for overlapping ellipsoids, which may have several
// local ones: g at many directions, then a climb from the best few. No proof, only measurement.
#include "geometry/closest_private.h"

/** Directions on a hemisphere, each of which serves for -n as well; mean distance 0.16 rad. */
enum { SPREAD = 250, AXES = 6, STARTS = 8, CANDIDATES = 2 * (SPREAD + AXES) };
/** Starts closer than this (cosine of 11 degrees) would climb the same hill. */
static const double same_hill = 0.98163;

typedef struct start {
  sb_vec3 n;
  double g;
} start;

/** g alone, at n and at -n. */
static void rate(const ellipsoid_pair *pair, sb_vec3 n, start both[2]) {
  const sb_vec3 m = sb_mat3_apply_transposed(pair->turn, n);
  const double h =
      sb_vec3_norm(sb_vec3_times(pair->a1, n)) + sb_vec3_norm(sb_vec3_times(pair->a2, m));
  const double along = sb_vec3_dot(n, pair->d);
  both[0] = (start){n, along - h};
  both[1] = (start){sb_vec3_neg(n), -along - h};
}

/** Rates a Fibonacci lattice and the axes of both bodies. */
static void rate_all(const ellipsoid_pair *pair, start candidates[CANDIDATES]) {
  const double golden = SB_PI * (3.0 - sqrt(5.0)), c = cos(golden), s = sin(golden);
  double x = 1.0, y = 0.0; // turned by the golden angle from one direction to the next
  start *next = candidates;
  for (int i = 0; i < SPREAD; i++, next += 2) {
    const double z = (i + 0.5) / SPREAD, r = sqrt(1.0 - z * z);
    rate(pair, (sb_vec3){r * x, r * y, z}, next);
    const double turned = c * x - s * y;
    y = s * x + c * y;
    x = turned;
  }
  for (int i = 0; i < 3; i++, next += 4) {
    const sb_vec3 axis = {i == 0, i == 1, i == 2};
    rate(pair, axis, next);
    rate(pair, sb_mat3_apply(pair->turn, axis), next + 2);
  }
}

/** The best candidate, taken out of the list together with its neighbours. */
static start take_best(start candidates[CANDIDATES]) {
  int best = 0;
  for (int i = 1; i < CANDIDATES; i++) {
    if (candidates[i].g > candidates[best].g) {
      best = i;
    }
  }
  const start taken = candidates[best];
  for (int i = 0; i < CANDIDATES; i++) {
    if (sb_vec3_dot(candidates[i].n, taken.n) > same_hill) {
      candidates[i].g = -INFINITY;
    }
  }
  return taken;
}

bool ellipsoids_survey(const ellipsoid_pair *pair, bool have, ellipsoid_gap *out,
                       int *evaluations) {
  start candidates[CANDIDATES];
  rate_all(pair, candidates);
  for (int i = 0; i < STARTS; i++) {
    const start from = take_best(candidates);
    ellipsoid_gap s;
    if (isfinite(from.g) && ellipsoids_climb(pair, from.n, &s, evaluations) &&
        (!have || s.g > out->g)) {
      *out = s;
      have = true;
    }
  }
  return have;
}
