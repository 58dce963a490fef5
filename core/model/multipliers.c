// SPDX-License-Identifier: GPL-3.0-or-later
// What multipliers are known to the rounding of. Those of a group are solved for together, A l = b, so that a force that has
// vanished beside others is what the rounding of these has left of it: l_i of what any other does to its constraint, |A_ij l_j|/A_ii.
// With u = l sqrt(A_ii) that is |A_ij|/sqrt(A_ii A_jj) u_j, a factor of at most 1 (Cauchy and Schwarz), the cosine between what the two
// move: it is passed on from constraint to constraint, and falls along a chain of bodies as A^-1 does.
#include <math.h>

#include "core/causality/constraint.h"
#include "core/model/constraints.h"

/** What grows by less than this factor is known. */
static const double grown = 1.5;

/** u of each constraint of a group, those without a multiplier have none. */
static void start_from_present(const sb_constraint_group *group, const sb_workspace *work,
                               const sb_constraint_system *s, double u[]) {
  const sb_causality *c = &work->program->causality;
  for (int i = 0; i < s->m; i++) {
    const int constraint = group->constraints[i];
    const double l = sb_constraint_has_multiplier(c, constraint)
                         ? work->values[sb_multiplier_value(work->network, c, constraint)]
                         : 0;
    u[i] = fabs(l) * sqrt(fabs(s->A[i * s->m + i]));
  }
}

static bool pass_on(const sb_constraint_system *s, double u[]) {
  bool grew = false;
  for (int i = 0; i < s->m; i++) {
    for (int j = 0; j < s->m; j++) {
      const double unit = sqrt(fabs(s->A[i * s->m + i] * s->A[j * s->m + j])),
                   passed = unit > 0 ? fmin(fabs(s->A[i * s->m + j]) / unit, 1) * u[j] : 0;
      grew = grew || passed > grown * u[i];
      u[i] = passed > grown * u[i] ? passed : u[i];
    }
  }
  return grew;
}

const double *sb_constraints_size_multipliers(sb_workspace *work, const double x[]) {
  sb_constraint_groups *groups =
      sb_has_multipliers(&work->program->causality) ? sb_constraint_groups_of(work) : NULL;
  for (int g = 0; groups != NULL && g < groups->count; g++) {
    const sb_constraint_group *group = &groups->groups[g];
    sb_constraint_system s;
    if (!group->has_multiplier || sb_constraint_system_fill(groups, group, work, x, &s) != 0) {
      continue;
    }
    double *u = s.solution;
    start_from_present(group, work, &s, u);
    for (int sweep = 0; sweep < s.m && pass_on(&s, u); sweep++) {
    }
    for (int i = 0; i < s.m; i++) {
      const double unit = sqrt(fabs(s.A[i * s.m + i]));
      groups->known[group->constraints[i]] = unit > 0 ? u[i] / unit : 0;
    }
    if (group->algebraic_count > 0) {
      (void)sb_algebraic_run(work, group->algebraics[0], x); // whose values were set to zero
    }
  }
  return groups == NULL ? NULL : groups->known;
}
