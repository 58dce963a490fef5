// SPDX-License-Identifier: GPL-3.0-or-later
// When a run is audited: at its start and its end, before and after events, and at the ends of accepted
// steps, at rates of their own, whatever is sampled.
#include "core/model/rhs.h"
#include "core/simulation/simulation_private.h"

/** All efforts and flows with their rounding, and every element asked again, cost about as much as so many right-hand sides,
 *  beside those that an audit evaluates; where structures are modulated, as contacts, whose kernels are
 *  eliminated each time, it was measured to be 60 to 90. */
enum { AUDIT_COST = 4, AUDIT_COST_MODULATED = 60 };
/** Steps are audited as long as that has cost no more than this fraction of the steps themselves, and some
 *  right-hand sides, so that short runs are audited at every step. */
static const double audit_share = 1.0 / 8, audit_credit = 300;
/** So many audits of modulated structures count as those of others, and in all so many of one structure, which takes no
 *  time that anyone would notice. Then those before and behind events may have the share, and all others half of it. */
enum { AUDITS_FREE = 500, STRUCTURES_FREE = 5000 };

static bool is_due(const sb_simulation *sim, sb_audit_reason reason) {
  const double steps = (double)(sim->work->rhs_count - sim->beside);
  const bool event = reason == SB_AUDIT_EVENT;
  if (reason == SB_AUDIT_END) {
    return true;
  }
  if (sim->modulated_count > 0) {
    const long free = STRUCTURES_FREE / sim->modulated_count,
               most = free < AUDITS_FREE ? free : AUDITS_FREE;
    if (sim->audits > most) {
      return AUDIT_COST_MODULATED * (double)(sim->audits - most) <=
             (event ? 1 : 0.5) * audit_share * steps;
    }
  }
  return event || (double)sim->audit_cost <= audit_share * steps + audit_credit;
}

void sb_step_audit(sb_simulation *sim, sb_audit_reason reason) {
  sb_evaluation evaluation;
  bool due = is_due(sim, reason);
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
  sim->audits++;
}

void sb_simulation_audit(sb_simulation *sim) {
  bool audited = sim->audited;
  sim->audited = true;
  sb_step_audit(sim, SB_AUDIT_END);
  sim->audited = audited;
}
