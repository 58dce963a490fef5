// SPDX-License-Identifier: GPL-3.0-or-later
// The rank of closures in a position and in closed ones nearby, which are found by disturbing it along what may move and
// closing it again: a linkage that starts in line has more freedoms there than it ever has again.
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "mechanism/assembly.h"
#include "mechanism/closure_private.h"

enum { TRIALS = 4 };
/** How far the positions nearby are, of the length of the mechanism; and what else is found is none of these. */
static const double aside = 0.05, astray = 0.2;

typedef struct look {
  const sb_closures *s;
  sb_vec3 point;                           // that places count from
  double *tree_scratch, *scratch, *q, *dv; // (coordinates), (velocities)
} look;

static int rank_at(const look *l, const double q[], int skip) {
  sb_tree_place_from(l->s->tree, q, l->point, l->tree_scratch);
  return closure_rank(l->s, skip, l->s->rows, l->tree_scratch, l->scratch);
}

/** The most that a coordinate differs, of the length of the mechanism. */
static double distance(const sb_closures *s, const double a[], const double b[]) {
  double most = 0;
  for (int k = 0; k < s->velocities; k++) {
    const int i = s->coordinate[k];
    most = fmax(most, i < 0 ? 0 : s->unit[k] / s->length * fabs(a[i] - b[i]));
  }
  return most;
}

/** A closed position beside q to l->q, along what the rows at q leave free, and its rank; -1: none was found. */
static sb_status step_aside(const look *l, const double q[], int trial, int *rank, sb_error *err) {
  const sb_closures *s = l->s;
  const int n = s->velocities, here = rank_at(l, q, -1);
  const closure_parts p = closure_parts_of(s, l->scratch);
  for (int k = 0; k < n; k++) {
    l->dv[k] = aside * s->length * sin(2.385 * (k + 1) * (trial + 1) + trial);
  }
  for (int i = 0; i < here; i++) {
    axpy(-dot(&p.J[i * n], l->dv, n), &p.J[i * n], l->dv, n);
  }
  for (int k = 0; k < n; k++) {
    l->dv[k] /= s->unit[k];
  }
  memcpy(l->q, q, (size_t)sb_tree_coordinates(s->tree) * sizeof *q);
  closure_advance(s->tree, l->dv, l->q);
  const sb_status status = closure_assemble(s, NULL, 1, l->q, l->point, NULL, NULL);
  *rank = status == SB_OK && distance(s, l->q, q) < astray ? rank_at(l, l->q, -1) : -1;
  return status == SB_ERR_MEMORY ? sb_fail(err, status, "out of memory") : SB_OK;
}

static sb_status analyse(const look *l, const double q[], sb_mobility *found, int implied[],
                         sb_error *err) {
  const sb_closures *s = l->s;
  const int closures = s->joints + s->couplings;
  int best = -1, rank;
  found->rank = found->most = rank_at(l, q, -1);
  for (int trial = 0; trial < TRIALS; trial++) {
    SB_TRY(step_aside(l, q, trial, &rank, err));
    if (rank > found->most) {
      found->most = rank;
      best = trial;
    }
  }
  memcpy(l->q, q, (size_t)sb_tree_coordinates(s->tree) * sizeof *q);
  if (best >= 0) {
    SB_TRY(step_aside(l, q, best, &rank, err));
  }
  for (int i = 0; i < closures && implied != NULL; i++) {
    const int rows = sb_closures_first_row(s, i + 1) - sb_closures_first_row(s, i);
    implied[i] = rows - (found->most - rank_at(l, l->q, i));
  }
  return SB_OK;
}

sb_status sb_closures_analyse(const sb_closures *s, const double q[], sb_vec3 point,
                              sb_mobility *found, int implied[], sb_error *err) {
  const int tree = sb_tree_scratch(s->tree), own = sb_closures_scratch(s),
            coordinates = sb_tree_coordinates(s->tree);
  double *all = sb_zeroed(tree + own + coordinates + s->velocities, sizeof *all);
  if (all == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  const look l = {s, point, all, all + tree, all + tree + own, all + tree + own + coordinates};
  const sb_status status = analyse(&l, q, found, implied, err);
  free(all);
  return status;
}
