// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of a rigid contact along which nothing can move. Where a slide bears what is across it, the flow across the slide is w.y = 0 for
// all motions, but in floating point its gradient g = M^-1 w is the rounding of n.a for two directions at right angles, 1e-17, and its
// response w M^-1 w^T the square of that. An impulse along such a row would divide rounding by the square of rounding.
#include "core/causality/constraint.h"
#include "core/model/constraints.h"

/** The square of such rounding, as a fraction of the response of another row of the same contact. */
static const double nothing = 1e-24;

void sb_constraints_find_still(const sb_workspace *work, const sb_constraint_group *group,
                               const double A[], char still[]) {
  const sb_causality *c = &work->program->causality;
  const int m = group->count;
  for (int i = 0; i < m; i++) {
    const int contact = sb_constraint_contact(work->network, c, group->constraints[i]);
    still[i] = 0;
    for (int j = 0; contact >= 0 && j < m && !still[i]; j++) {
      still[i] = A[i * m + i] < nothing * A[j * m + j] &&
                 sb_constraint_contact(work->network, c, group->constraints[j]) == contact;
    }
  }
}
