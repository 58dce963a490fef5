// SPDX-License-Identifier: GPL-3.0-or-later
// The direction of least translation of two overlapping convex bodies: g(n) = -h1(n) - h2(-n) in the
// axes of the pair, surveyed over a lattice of directions. No proof, only measurement.
#include "geometry/gjk_private.h"

enum { SPREAD = 1000 };

static double gap_along(const convex_side sides[2], sb_vec3 n) {
  const double sweep = sides[0].surface->sweep + sides[1].surface->sweep;
  const sb_vec3 p1 = convex_core_support(&sides[0], n);
  const sb_vec3 p2 = convex_core_support(&sides[1], sb_vec3_neg(n));
  return sb_vec3_dot(n, sb_vec3_sub(p2, p1)) - sweep;
}

/** Improves n by pattern search until it is within Newton's reach. */
static sb_vec3 climb(const convex_side sides[2], sb_vec3 n, double best) {
  for (double step = 0.08; step > 1e-4;) {
    sb_vec3 e1, e2, better = n;
    sb_tangent_basis(n, &e1, &e2);
    const sb_vec3 ways[4] = {e1, sb_vec3_neg(e1), e2, sb_vec3_neg(e2)};
    for (int i = 0; i < 4; i++) {
      const sb_vec3 tried = sb_vec3_normalize(sb_vec3_axpy(n, step, ways[i]));
      const double g = gap_along(sides, tried);
      if (g > best) {
        best = g;
        better = tried;
      }
    }
    if (sb_vec3_dot(better, n) == sb_vec3_dot(n, n)) {
      step *= 0.5;
    }
    n = better;
  }
  return n;
}

bool convex_survey(const convex_side sides[2], sb_vec3 *n, int *evaluations) {
  const double golden = SB_PI * (3.0 - sqrt(5.0));
  double best = -INFINITY;
  for (int i = 0; i < SPREAD; i++) {
    const double z = 1.0 - (2.0 * i + 1.0) / SPREAD, r = sqrt(1.0 - z * z);
    const sb_vec3 at = {r * cos(golden * i), r * sin(golden * i), z};
    const double g = gap_along(sides, at);
    if (g > best) {
      best = g;
      *n = at;
    }
  }
  *evaluations += SPREAD;
  *n = climb(sides, *n, best);
  return isfinite(best);
}
