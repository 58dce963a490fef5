// SPDX-License-Identifier: GPL-3.0-or-later
// Gilbert, Johnson and Keerthi's distance. The point v of the difference (second minus first) nearest
// to the origin is sought among the hulls of at most four of its points; of each hull all faces are
// tried, which is slower than Johnson's recursion and has no cases.
#include <string.h>

#include "geometry/gjk_private.h"

enum { CORNERS = 4, STEPS_MAX = 80 };
/** Relative gap between |v| and its lower bound v.w/|v| at which v is good enough to start from, and
 *  at which it is taken if no more can be had. */
static const double good_enough = 1e-9, still_useful = 1e-3;
/** |v| relative to the size of the points from which on the cores are taken for apart. */
static const double apart = 1e-9;

typedef struct corner {
  sb_vec3 p[2], w; // of the first and second core; w = p[1] - p[0]
} corner;
typedef struct hull {
  corner corners[CORNERS];
  double weights[CORNERS];
  int count;
  sb_vec3 v; // sum of weights times w
} hull;

sb_vec3 convex_core_support(const convex_side *side, sb_vec3 n) {
  const sb_vec3 own = sb_mat3_apply_transposed(side->turn, n);
  sb_vec3 x;
  side->surface->type->support(side->surface, own, &x);
  x = sb_vec3_axpy(x, -side->surface->sweep, own);
  return sb_vec3_add(side->center, sb_mat3_apply(side->turn, x));
}

static corner corner_at(const convex_side sides[2], sb_vec3 n) {
  corner c = {
      .p = {convex_core_support(&sides[0], n), convex_core_support(&sides[1], sb_vec3_neg(n))}};
  c.w = sb_vec3_sub(c.p[1], c.p[0]);
  return c;
}

/** Weights of the point nearest to the origin on the flat through up to three points more than the first:
 *  (w_i - w_0).(w_0 + sum l_j (w_j - w_0)) = 0. False if the points are dependent. */
static bool solve_flat(const sb_vec3 *w[], int count, double weights[]) {
  double a[3][4];
  const int n = count - 1;
  for (int i = 0; i < n; i++) {
    const sb_vec3 edge = sb_vec3_sub(*w[i + 1], *w[0]);
    for (int j = 0; j < n; j++) {
      a[i][j] = sb_vec3_dot(edge, sb_vec3_sub(*w[j + 1], *w[0]));
    }
    a[i][n] = -sb_vec3_dot(edge, *w[0]);
  }
  for (int k = 0; k < n; k++) { // positive semidefinite: the diagonal serves as pivot
    if (!(a[k][k] > 0.0)) {
      return false;
    }
    for (int i = 0; i < n; i++) {
      const double factor = i == k ? 0.0 : a[i][k] / a[k][k];
      for (int j = k; j <= n && factor != 0.0; j++) {
        a[i][j] -= factor * a[k][j];
      }
    }
  }
  weights[0] = 1.0;
  for (int k = 0; k < n; k++) {
    weights[k + 1] = a[k][n] / a[k][k];
    weights[0] -= weights[k + 1];
  }
  return true;
}

/** Reduces a hull to the face that holds its point nearest to the origin. The newest corner is one of that face's,
 *  or the hull before it was as near already. */
static void reduce(hull *h) {
  const int newest = 1 << (h->count - 1);
  double nearest[CORNERS], least = INFINITY;
  sb_vec3 v = {0, 0, 0};
  int best = 0;
  for (int mask = newest; mask < 2 * newest; mask++) {
    const sb_vec3 *w[CORNERS];
    double weights[CORNERS];
    int count = 0;
    for (int i = 0; i < h->count; i++) {
      if (mask >> i & 1) {
        w[count++] = &h->corners[i].w;
      }
    }
    bool good = solve_flat(w, count, weights);
    sb_vec3 at = {0, 0, 0};
    for (int i = 0; good && i < count; i++) {
      good = weights[i] >= 0.0;
      at = sb_vec3_axpy(at, weights[i], *w[i]);
    }
    const double square = sb_vec3_dot(at, at);
    if (good && square < least) {
      least = square;
      best = mask;
      v = at;
      memcpy(nearest, weights, sizeof nearest);
    }
  }
  int count = 0;
  for (int i = 0; i < h->count; i++) {
    if (best >> i & 1) {
      h->weights[count] = nearest[count];
      h->corners[count++] = h->corners[i];
    }
  }
  h->count = count;
  h->v = v;
}

bool gjk_nearest(const convex_side sides[2], sb_vec3 d, sb_vec3 points[2], int *evaluations) {
  hull h = {.count = 1, .weights = {1.0}};
  const double length = sb_vec3_norm(d);
  h.corners[0] =
      corner_at(sides, length > 0.0 ? sb_vec3_scale(d, 1.0 / length) : (sb_vec3){0, 0, 1});
  h.v = h.corners[0].w;
  double miss = INFINITY, size = sb_vec3_norm(h.v);
  for (int i = 0; i < STEPS_MAX; i++) {
    const double distance = sb_vec3_norm(h.v);
    if (!(distance > apart * size)) {
      return false;
    }
    const corner next = corner_at(sides, sb_vec3_scale(h.v, 1.0 / distance));
    ++*evaluations;
    size = fmax(size, sb_vec3_norm(next.w));
    miss = 1.0 - sb_vec3_dot(h.v, next.w) / (distance * distance);
    if (miss <= good_enough || h.count == CORNERS) {
      break;
    }
    hull grown = h;
    grown.corners[grown.count++] = next;
    reduce(&grown);
    if (grown.count == 0 || !(sb_vec3_dot(grown.v, grown.v) < distance * distance)) {
      break; // rounding
    }
    h = grown;
  }
  points[0] = points[1] = (sb_vec3){0, 0, 0};
  for (int i = 0; i < h.count; i++) {
    points[0] = sb_vec3_axpy(points[0], h.weights[i], h.corners[i].p[0]);
    points[1] = sb_vec3_axpy(points[1], h.weights[i], h.corners[i].p[1]);
  }
  return miss <= still_useful;
}
