// SPDX-License-Identifier: GPL-3.0-or-later
// When a run is audited: at its start and its end, before and after every event, and at the ends of accepted
// steps at a rate of its own, whatever is sampled.
#include "core/model/rhs.h"
#include "core/simulation/simulation_private.h"

/** All efforts and flows with their rounding, and every element asked again, cost about as much as this
 *  many right-hand sides beside those that an audit evaluates. */
enum { AUDIT_COST = 4 };
/** Steps are audited as long as that has cost no more than this fraction of the steps themselves, and some
 *  right-hand sides, so that short runs are audited at every step. */
static const double audit_share = 1.0 / 8, audit_credit = 300;

void sb_step_audit(sb_simulation *sim, bool always) {
  sb_evaluation evaluation;
  double steps = (double)(sim->work->rhs_count - sim->beside);
  bool due = always || (double)sim->audit_cost <= audit_share * steps + audit_credit;
  if (!sim->audited || !due) {
    return;
  }
  sim->audited_events = sim->audit.ledger.work.events;
  // Before the workspace is kept, so that the next step need not evaluate the model there again.
  (void)sb_workspace_evaluate(sim->work, sim->t, sim->x);
  long before = sim->work->rhs_count;
  const volatile sig_atomic_t *stop = sim->work->stop;
  sim->work->stop = NULL; // half an audit would find faults that are none
  if (sb_workspace_keep(sim, &evaluation)) {
    sb_audit_sample(&sim->audit, sim->t, sim->x, fmax(sim->t - sim->t0, 0));
    sb_workspace_put_back(sim, &evaluation);
  }
  sim->work->stop = stop;
  sim->beside += sim->work->rhs_count - before;
  sim->audit_cost += AUDIT_COST + sim->work->rhs_count - before;
}

void sb_simulation_audit(sb_simulation *sim) {
  bool audited = sim->audited;
  sim->audited = true;
  sb_step_audit(sim, true);
  sim->audited = audited;
}
