// SPDX-License-Identifier: GPL-3.0-or-later
// Singular configurations, in which constraints lose rank, as a parallelogram in which all links are in line. The
// smallest pivot of the scaled system of a group falls to zero with the square of the distance: its root goes like
// |t - t0|. That is told apart from a minimum above zero by the slopes on its two sides: each, continued, reaches zero
// within the step on the other.
#include <math.h>

#include "core/linalg/dense.h"
#include "core/model/constraints.h"

/** A minimum above this fraction of the largest distance so far is none of a singular configuration. */
static const double near = 0.1;
/** What the others leave of a column below this fraction is rounding. */
static const double rank_tol = 1e-13;

/** Squares of the lengths of what the rows are in units of: the largest so far, which do not vanish with them. */
static void note_lengths(const sb_constraint_system *s, double lengths[]) {
  for (int i = 0; i < s->m; i++) {
    lengths[i] = fmax(lengths[i], fabs(s->A[i * s->m + i]));
  }
  for (int j = 0; j < s->f; j++) {
    double sum = 0;
    for (int i = 0; i < s->m; i++) {
      double entry = s->N[i * s->f + j];
      sum += lengths[i] > 0 ? entry * entry / lengths[i] : 0;
    }
    lengths[s->m + j] = fmax(lengths[s->m + j], sum);
  }
}

/** The root of the smallest pivot, of those that the group has had, as a fraction of the largest.
 *  @param constraint  out: a constraint on the smallest, -1: it is an algebraic variable's */
static double distance_of(sb_constraint_group *group, const sb_constraint_system *s,
                          int *constraint) {
  int m = s->m, all = m + s->f;
  double *matrix = s->scratch, *b = s->solution;
  note_lengths(s, group->lengths);
  for (int i = 0; i < all; i++) {
    b[i] = 0;
    for (int j = 0; j < all; j++) {
      double entry = i < m && j < m ? s->A[i * m + j]
                     : i < m        ? s->N[i * s->f + j - m]
                     : j < m        ? s->N[j * s->f + i - m]
                                    : 0;
      double unit = sqrt(group->lengths[i] * group->lengths[j]);
      matrix[i * all + j] = unit > 0 ? entry / unit : 0;
    }
  }
  int rank = sb_solve_least_norm(matrix, b, all, all, rank_tol, s->order, matrix + all * all);
  group->rank = rank > group->rank ? rank : group->rank;
  int last = group->rank - 1;
  *constraint = last >= 0 && s->order[last] < m ? group->constraints[s->order[last]] : -1;
  if (rank < group->rank) {
    return 0;
  }
  double least = HUGE_VAL, largest = 0;
  for (int k = 0; k < rank; k++) {
    least = fmin(least, fabs(matrix[k * all + k]));
    largest = fmax(largest, fabs(matrix[k * all + k]));
  }
  return largest > 0 ? sqrt(least / largest) : 0;
}

/** Whether the distance, falling and rising again, has been zero around the middle of three steps. */
static bool has_passed(const sb_constraint_group *g, double t, double distance) {
  double before = g->at[1] - g->at[0], after = t - g->at[1], middle = g->distance[1];
  if (!(before > 0) || !(after > 0) || middle > near * g->farthest || middle > g->distance[0] ||
      middle >= distance) {
    return false;
  }
  double fall = (g->distance[0] - middle) / before, rise = (distance - middle) / after;
  return middle <= fall * after || middle <= rise * before;
}

int sb_constraints_passed_singular(sb_workspace *work, double t, const double x[]) {
  sb_constraint_groups *groups = sb_constraint_groups_of(work);
  int found = -1, constraint;
  for (int i = 0; groups != NULL && i < groups->count; i++) {
    sb_constraint_group *g = &groups->groups[i];
    sb_constraint_system s;
    if (!g->has_multiplier || g->count + g->algebraic_count < 2 ||
        sb_constraint_system_fill(groups, g, work, x, &s) != 0) {
      continue;
    }
    double distance = distance_of(g, &s, &constraint);
    if (has_passed(g, t, distance)) {
      found = constraint >= 0 ? constraint : g->constraints[0];
    }
    g->farthest = fmax(g->farthest, distance);
    g->at[0] = g->at[1];
    g->distance[0] = g->distance[1];
    g->at[1] = t;
    g->distance[1] = distance;
    if (g->algebraic_count > 0) {
      (void)sb_algebraic_run(work, g->algebraics[0], x); // whose values were set to zero
    }
  }
  return found;
}
