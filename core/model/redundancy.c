// SPDX-License-Identifier: GPL-3.0-or-later
// Constraints that others imply. The multipliers l and algebraic variables w of a group solve S (l, w) = ... with
// S = (A N; N^T 0); where S has a null space, its vectors tell which constraints together state one thing twice.
#include <math.h>
#include <string.h>

#include "core/causality/constraint.h"
#include "core/linalg/dense.h"
#include "core/model/constraints.h"

/** A part of a unit vector in the null space that is more than rounding. */
static const double part_tol = 1e-6;

/** How much of the unit vector of a constraint is in the null space: what the solution z of least norm of
 *  S z = S e leaves of it. */
static double null_part(const sb_constraint_system *s, int constraint) {
  double sum = 0;
  memset(s->c, 0, (size_t)s->m * sizeof *s->c);
  for (int i = 0; i < s->m; i++) {
    s->c[i] = -s->A[i * s->m + constraint];
  }
  (void)sb_constraint_system_solve(s, s->N + constraint * s->f);
  for (int i = 0; i < s->m; i++) { // in the units of the constraint, by its diagonal
    double own = fabs(s->A[i * s->m + i]), unit = fabs(s->A[constraint * s->m + constraint]);
    double left = (i == constraint) - s->solution[i];
    sum += own > 0 && unit > 0 ? left * left * own / unit : left * left;
  }
  return sqrt(sum);
}

/** Marks the last of those that take part, but none that an algebraic variable uses up. */
static int mark_implied(const sb_causality *c, const sb_constraint_group *group, int number,
                        int missing, sb_redundancy redundant[]) {
  int marked = 0;
  for (int i = group->count - 1; i >= 0 && marked < missing; i--) {
    int constraint = group->constraints[i];
    bool implied = redundant[constraint].group == number && !c->constraints[constraint].determines;
    redundant[constraint].implied = implied;
    marked += implied;
  }
  return marked;
}

int sb_constraints_missing(sb_workspace *work, int part, const double x[]) {
  const sb_causality *c = &work->program->causality;
  sb_constraint_groups *groups = sb_constraint_groups_of(work);
  int missing = 0;
  for (int i = 0; groups != NULL && i < groups->count; i++) {
    const sb_constraint_group *g = &groups->groups[i];
    const int where = c->constraints[g->constraints[0]].where;
    sb_constraint_system s;
    if (g->has_multiplier && work->network->part_of[where] == part &&
        sb_constraint_system_fill(groups, g, work, x, &s) == 0) {
      missing += s.m + s.f - sb_constraint_system_solve(&s, NULL);
      if (g->algebraic_count > 0) {
        (void)sb_algebraic_run(work, g->algebraics[0], x); // whose values were set to zero
      }
    }
  }
  return missing;
}

int sb_constraints_redundant(sb_workspace *work, const double x[], sb_redundancy redundant[]) {
  const sb_causality *c = &work->program->causality;
  sb_constraint_groups *groups = sb_constraint_groups_of(work);
  sb_constraint_system s;
  int count = 0;
  for (int i = 0; i < c->constraint_count; i++) {
    redundant[i] = (sb_redundancy){.group = -1};
  }
  for (int g = 0; groups != NULL && g < groups->count; g++) {
    const sb_constraint_group *group = &groups->groups[g];
    if (!group->has_multiplier || sb_constraint_system_fill(groups, group, work, x, &s) != 0) {
      continue;
    }
    int missing = s.m + s.f - sb_constraint_system_solve(&s, NULL);
    for (int i = 0; missing > 0 && i < s.m; i++) {
      redundant[group->constraints[i]].group = null_part(&s, i) > part_tol ? g : -1;
    }
    count += mark_implied(c, group, g, missing, redundant);
  }
  return count;
}
