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
  return largest > 0 ? sqrt(least / (all > 1 ? largest : 1)) : 0;
}

/** Whether the distance, falling and rising again, has been zero around the middle of three steps. */
static bool has_passed(const sb_passage *p, double t, double distance) {
  double before = p->at[1] - p->at[0], after = t - p->at[1], middle = p->distance[1];
  if (!(before > 0) || !(after > 0) || middle > near * p->farthest || middle > p->distance[0] ||
      middle >= distance) {
    return false;
  }
  double fall = (p->distance[0] - middle) / before, rise = (distance - middle) / after;
  return middle <= fall * after || middle <= rise * before;
}

bool sb_passage_note(sb_passage *p, double t, double distance) {
  const bool passed = has_passed(p, t, distance);
  p->farthest = fmax(p->farthest, distance);
  p->at[0] = p->at[1];
  p->distance[0] = p->distance[1];
  p->at[1] = t;
  p->distance[1] = distance;
  return passed;
}

/** An impulse l h of a multiplier alone has the energy A (l h)^2/2. That of several is (l h).A (l h)/2, at most that of the sum of their roots, as A is
 *  semidefinite. */
static void note_pushes(sb_constraint_group *group, const sb_workspace *work,
                        const sb_constraint_system *s) {
  double most = 0, sum = 0;
  for (int i = 0; i < group->count; i++) {
    const int value =
        sb_multiplier_value(work->network, &work->program->causality, group->constraints[i]);
    const double l = value >= 0 ? work->values[value] : 0;
    const double energy = fabs(s->A[i * s->m + i]) * l * l / 2;
    most = fmax(most, energy);
    sum += sqrt(energy);
  }
  group->push = most;
  group->push_of_all = sum * sum;
}

void sb_constraints_note_pushes(sb_workspace *work, const double x[]) {
  sb_constraint_groups *groups = sb_constraint_groups_of(work);
  for (int i = 0; groups != NULL && i < groups->count; i++) {
    sb_constraint_group *g = &groups->groups[i];
    sb_constraint_system s;
    if (g->has_multiplier && sb_constraint_system_fill(groups, g, work, x, &s) == 0) {
      note_pushes(g, work, &s);
      if (g->algebraic_count > 0) {
        (void)sb_algebraic_run(work, g->algebraics[0], x); // whose values were set to zero
      }
    }
  }
}

static bool is_of_part(const sb_workspace *work, const sb_constraint_group *group, int part) {
  const int where = work->program->causality.constraints[group->constraints[0]].where;
  return work->network->part_of[where] == part;
}

double sb_constraints_push(const sb_workspace *work, int part) {
  const sb_constraint_groups *groups = work->constraint_groups;
  double most = 0;
  for (int i = 0; groups != NULL && i < groups->count; i++) {
    const sb_constraint_group *g = &groups->groups[i];
    most = is_of_part(work, g, part) ? fmax(most, g->push) : most;
  }
  return most;
}

double sb_constraints_push_of_all(const sb_workspace *work, int part) {
  const sb_constraint_groups *groups = work->constraint_groups;
  double sum = 0;
  for (int i = 0; groups != NULL && i < groups->count; i++) {
    const sb_constraint_group *g = &groups->groups[i];
    sum += is_of_part(work, g, part) ? g->push_of_all : 0;
  }
  return sum;
}

double sb_constraints_impulse(sb_workspace *work, int part, const double x[], int *rank) {
  sb_constraint_groups *groups = sb_constraint_groups_of(work);
  double energy = 0;
  *rank = 0;
  for (int i = 0; groups != NULL && i < groups->count; i++) {
    const sb_constraint_group *g = &groups->groups[i];
    const int where = work->program->causality.constraints[g->constraints[0]].where;
    sb_constraint_system s;
    if (!g->has_multiplier || work->network->part_of[where] != part ||
        sb_constraint_system_fill(groups, g, work, x, &s) != 0) {
      continue;
    }
    *rank += sb_constraint_system_solve(&s, NULL);
    for (int k = 0; k < s.m; k++) {
      energy -= s.c[k] * s.solution[k] / 2;
    }
    if (g->algebraic_count > 0) {
      (void)sb_algebraic_run(work, g->algebraics[0], x); // whose values were set to zero
    }
  }
  return energy;
}

int sb_constraints_passed_singular(sb_workspace *work, double t, const double x[]) {
  sb_constraint_groups *groups = sb_constraint_groups_of(work);
  int found = -1, constraint;
  for (int i = 0; groups != NULL && i < groups->count; i++) {
    sb_constraint_group *g = &groups->groups[i];
    sb_constraint_system s;
    if (!g->has_multiplier || sb_constraint_system_fill(groups, g, work, x, &s) != 0) {
      continue;
    }
    note_pushes(g, work, &s);
    const double distance = distance_of(g, &s, &constraint);
    g->weakest = constraint >= 0 ? constraint : g->constraints[0];
    if (sb_passage_note(&g->passage, t, distance) && g->count + g->algebraic_count > 1) {
      found = g->weakest;
    }
    if (g->algebraic_count > 0) {
      (void)sb_algebraic_run(work, g->algebraics[0], x); // whose values were set to zero
    }
  }
  return found;
}

double sb_constraints_clearance(const sb_workspace *work, int *constraint) {
  const sb_constraint_groups *groups = work->constraint_groups;
  double least = 1;
  *constraint = -1;
  for (int i = 0; groups != NULL && i < groups->count; i++) {
    const sb_constraint_group *g = &groups->groups[i];
    if (g->passage.farthest > 0 && g->passage.distance[1] < least * g->passage.farthest) {
      least = g->passage.distance[1] / g->passage.farthest;
      *constraint = g->weakest;
    }
  }
  return least;
}
