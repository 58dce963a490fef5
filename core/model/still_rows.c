// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of a rigid contact along which nothing can move. Where a slide bears what is across it, the flow across the slide is w.y = 0 for
// all motions, but in floating point its gradient g = M^-1 w is the rounding of n.a for two directions at right angles, 1e-17, and its
// response w M^-1 w^T the square of that. An impulse along such a row would divide rounding by the square of rounding. Such rows are zero. So are
// those that an axis is off by no more than its digits: no force is asked of them, and to stop by an impulse what they are off by would stop all.
#include "core/causality/constraint.h"
#include "core/model/constraints.h"

static bool on_algebraics(const sb_constraint_system *s, int i) {
  bool any = false;
  for (int j = 0; j < s->f; j++) {
    any = any || s->N[i * s->f + j] != 0;
  }
  return any;
}

void sb_constraints_find_still(const sb_workspace *work, const sb_constraint_group *group,
                               const sb_constraint_system *s, char still[]) {
  const sb_causality *c = &work->program->causality;
  const int m = s->m;
  for (int i = 0; i < m; i++) {
    const int contact = sb_constraint_contact(work->network, c, group->constraints[i]);
    still[i] = 0;
    for (int j = 0; contact >= 0 && j < m && !still[i]; j++) {
      still[i] = s->A[i * m + i] < SB_STILL_RESPONSE * s->A[j * m + j] && !on_algebraics(s, i) &&
                 sb_constraint_contact(work->network, c, group->constraints[j]) == contact;
    }
  }
}

bool sb_constraint_is_still(sb_workspace *work, int constraint, const double x[]) {
  sb_constraint_groups *groups = sb_constraint_groups_of(work);
  bool still = false;
  for (int g = 0; groups != NULL && g < groups->count; g++) {
    const sb_constraint_group *group = &groups->groups[g];
    int own = 0;
    while (own < group->count && group->constraints[own] != constraint) {
      own++;
    }
    sb_constraint_system s;
    if (own < group->count && sb_constraint_system_fill(groups, group, work, x, &s) == 0) {
      still = s.still[own];
      if (group->algebraic_count > 0) {
        (void)sb_algebraic_run(work, group->algebraics[0], x); // whose values were set to zero
      }
    }
  }
  return still;
}
