// SPDX-License-Identifier: GPL-3.0-or-later
// Directions of rigid contacts along which nothing can move. Where a slide bears what is across it, the flow across the slide is w.y = 0 for
// all motions, but in floating point its gradient g = M^-1 w is the rounding of n.a for two directions at right angles, 1e-17, and its
// response w M^-1 w^T the square of that. An impulse along such a row would divide rounding by the square of rounding. Such rows are zero. So are
// those that an axis is off by no more than its digits: no force is asked of them, and to stop by an impulse what they are off by would stop all.
// Where that direction is along neither tangent, the response W of both rows is w e e^T but for what is nothing, and of the flows u across the
// contact e (e.u) is kept, in all axes the same.
#include <math.h>
#include <stdint.h>

#include "core/causality/constraint.h"
#include "core/model/projection_private.h"

static bool on_algebraics(const sb_constraint_system *s, int i) {
  bool any = false;
  for (int j = 0; j < s->f; j++) {
    any = any || s->N[i * s->f + j] != 0;
  }
  return any;
}

/** The largest response of the contact of a row. */
static double largest_beside(const sb_workspace *work, const sb_constraint_group *group,
                             const sb_constraint_system *s, int contact) {
  const sb_causality *c = &work->program->causality;
  double most = 0;
  for (int j = 0; j < s->m; j++) {
    const bool own = sb_constraint_contact(work->network, c, group->constraints[j]) == contact;
    most = own ? fmax(most, s->A[j * s->m + j]) : most;
  }
  return most;
}

/** The row across a contact behind row i, which is one, too; -1: there is none. */
static int find_partner(const sb_workspace *work, const sb_constraint_group *group, int i,
                        int contact) {
  const sb_causality *c = &work->program->causality;
  const int *constraints = group->constraints;
  int found = -1;
  for (int j = i + 1; j < group->count && found < 0; j++) {
    const bool own = sb_constraint_contact(work->network, c, constraints[j]) == contact;
    found = own && sb_constraint_component(work->network, c, constraints[j], contact) > 0 ? j : -1;
  }
  return found;
}

/** Both rows across a contact. @param b  W_12  @param least  a response that is nothing */
static void keep_direction(double a, double b, double d, double least, sb_kept_row *first,
                           sb_kept_row *second) {
  const double e[2] = {a >= d ? a : b, a >= d ? b : d}, square = e[0] * e[0] + e[1] * e[1];
  if (a * d - b * b < least * fmax(a, d)) {
    first->own = e[0] * e[0] / square;
    second->own = e[1] * e[1] / square;
    first->beside = second->beside = e[0] * e[1] / square;
  }
}

void sb_constraints_find_kept(const sb_workspace *work, const sb_constraint_group *group,
                              const sb_constraint_system *s, const double C[], const double G[],
                              sb_kept_row kept[]) {
  const sb_causality *c = &work->program->causality;
  const int m = s->m, n = group->state_count;
  for (int i = 0; i < m; i++) {
    kept[i] = (sb_kept_row){.own = 1, .other = i};
  }
  for (int i = 0; i < m; i++) {
    const int contact = sb_constraint_contact(work->network, c, group->constraints[i]);
    if (contact < 0 || on_algebraics(s, i)) {
      continue;
    }
    const double least = SB_STILL_RESPONSE * largest_beside(work, group, s, contact);
    const double a = s->A[i * m + i];
    if (a < least) {
      kept[i].own = 0;
    } else if (sb_constraint_component(work->network, c, group->constraints[i], contact) > 0) {
      const int j = find_partner(work, group, i, contact);
      const double d = j >= 0 ? s->A[j * m + j] : 0;
      double b = 0;
      for (int k = 0; k < n && j >= 0; k++) {
        b += C[i * n + k] * G[j * n + k];
      }
      if (d >= least && !on_algebraics(s, j)) {
        kept[i].other = j;
        kept[j].other = i;
        keep_direction(a, b, d, least, &kept[i], &kept[j]);
      }
    }
  }
}

/** @param places  (count) of the rows in `rows` */
static void keep(const sb_kept_row kept[], int count, const int places[], double rows[],
                 int columns) {
  for (int i = 0; i < count; i++) {
    const int j = kept[i].other;
    double *first = rows + (places != NULL ? places[i] : i) * columns;
    double *second = rows + (places != NULL ? places[j] : j) * columns;
    for (int k = 0; k < columns && kept[i].own < 1 && i <= j; k++) {
      const double one = first[k], two = second[k];
      first[k] = kept[i].own * one + (i < j ? kept[i].beside * two : 0);
      second[k] = i < j ? kept[j].own * two + kept[j].beside * one : first[k];
    }
  }
}

void sb_constraints_keep(const sb_kept_row kept[], int count, double rows[], int columns) {
  keep(kept, count, NULL, rows, columns);
}

/** The rows of a group, as a projection at x has them. */
static sb_projection find_rows(sb_workspace *work, int group, const double x[]) {
  sb_projection p = {.work = work,
                     .groups = sb_constraint_groups_of(work),
                     .x = (double *)(uintptr_t)x}; // is read
  sb_projection_begin(&p, group);
  sb_projection_rows(&p);
  return p;
}

void sb_constraints_keep_moving(sb_workspace *work, const double x[], double rows[], int columns) {
  const sb_constraint_groups *groups = sb_constraint_groups_of(work);
  for (int g = 0; groups != NULL && g < groups->count; g++) {
    const sb_projection p = find_rows(work, g, x);
    keep(groups->kept, p.m, p.group->constraints, rows, columns);
  }
}

/** The group of a constraint. @param own  out: its row  @return -1: there is none */
static int group_of(sb_workspace *work, int constraint, int *own) {
  const sb_constraint_groups *groups = sb_constraint_groups_of(work);
  for (int g = 0; groups != NULL && g < groups->count; g++) {
    for (int i = 0; i < groups->groups[g].count; i++) {
      if (groups->groups[g].constraints[i] == constraint) {
        *own = i;
        return g;
      }
    }
  }
  return -1;
}

bool sb_constraint_is_still(sb_workspace *work, int constraint, const double x[]) {
  int own;
  const int group = group_of(work, constraint, &own);
  return group >= 0 && find_rows(work, group, x).groups->kept[own].own == 0;
}

double sb_constraint_beyond_reach(sb_workspace *work, int constraint, const double x[]) {
  int own;
  const int group = group_of(work, constraint, &own);
  if (group < 0) {
    return 0;
  }
  sb_projection p = find_rows(work, group, x);
  sb_projection_solve(&p);
  double left = sb_constraint_row_at(p.groups, work, constraint, x, false)->residual;
  for (int k = 0; k < p.n; k++) {
    for (int i = 0; i < p.m; i++) {
      left += p.C[own * p.n + k] * p.G[i * p.n + k] * p.lambda[i];
    }
  }
  return left;
}
