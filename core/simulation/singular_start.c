// SPDX-License-Identifier: GPL-3.0-or-later
// A start, or restart, in a singular position of a constraint sum w y = 0 whose row w is zero just there, as of (n(t) - 2) f = 0 at
// n = 2. The multiplier l of rate zero, w K w^T l = -w K u, has no value there and is as 1/w behind. Where the inputs u leave the
// constraint no motion follows from the equations, and steps of any length end far from each other. Where they do not, l
// is as good as zero. Rows along which nothing can move (model/still_rows.c) grow from rounding to rounding.
#include <math.h>

#include "core/causality/constraint.h"
#include "core/model/constraints.h"
#include "core/model/rhs.h"
#include "core/simulation/simulation_private.h"

/** How far behind it is looked, as a fraction of the step's limit; a row that has grown by so much in between was zero. Rates leave
 *  the constraint if their part along its row is more than a fraction of them. */
static const double behind = 1e-6, grown = 1e10, along = 1e-6;

typedef struct row_at {
  double weight; // w K w^T
  double rate;   // w K u, by the rates at the start,
  double terms;  // and the sum of the absolute values of its terms
} row_at;

static row_at read_row(sb_simulation *sim, int constraint, const double x[]) {
  sb_constraint_groups *groups = sb_constraint_groups_of(sim->work);
  row_at result = {0};
  const sb_constraint_row *row =
      groups == NULL ? NULL : sb_constraint_row_at(groups, sim->work, constraint, x, true);
  for (int k = 0; row != NULL && !row->failed && k < row->count; k++) {
    const int i = row->states[k];
    result.weight += row->gradient[i] * row->impulse[i];
    result.rate += row->gradient[i] * sim->rates0[i];
    result.terms += fabs(row->gradient[i] * sim->rates0[i]);
  }
  return result;
}

static sb_status refuse(const sb_simulation *sim, int constraint, sb_error *err) {
  const sb_instance *instance =
      &sim->network->instances[sim->work->program->causality.constraints[constraint].where];
  (void)sb_fail(err, SB_ERR_SOLVER,
                "'%.80s': at t = %s s the constraint there holds nothing, as its ratios are zero "
                "or cancel, and "
                "right behind it holds what has begun to move: its force is infinite",
                instance->id, sb_number_word(sim->t).text);
  sb_error_hint(
      err, "begin beside this position, without the effort that drives it on, or with a spring "
           "between what is held");
  sb_place_into(&instance->place, err);
  return SB_ERR_SOLVER;
}

sb_status sb_singular_start(sb_simulation *sim, double stop, sb_error *err) {
  const sb_causality *c = &sim->work->program->causality;
  const double h = behind * (stop - sim->t);
  double *weight = sim->port_sizes; // (constraints) w K w^T at the start
  if (!sb_has_multipliers(c)) {
    return SB_OK;
  }
  SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
  const double *xdot = sim->work->evaluation.xdot;
  for (int k = 0; k < sim->network->state_count; k++) {
    sim->rates0[k] = xdot[k];
    sim->later[k] = sim->x[k] + h * xdot[k];
  }
  for (int i = 0; i < c->constraint_count; i++) {
    weight[i] = sb_constraint_has_multiplier(c, i) ? read_row(sim, i, sim->x).weight : 0;
  }
  const bool known = sb_workspace_evaluate(sim->work, sim->t + h, sim->later) == 0;
  for (int i = 0; known && i < c->constraint_count; i++) { // else the step tells
    const row_at later =
        sb_constraint_has_multiplier(c, i) ? read_row(sim, i, sim->later) : (row_at){0};
    if (later.weight > grown * weight[i] && fabs(later.rate) > along * later.terms &&
        !sb_constraint_is_still(sim->work, i, sim->later)) {
      return refuse(sim, i, err);
    }
  }
  return sb_evaluate(sim, sim->t, sim->x, err);
}
