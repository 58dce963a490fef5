// SPDX-License-Identifier: GPL-3.0-or-later
// When a run is audited: at its start and its end, before and after events, and at the ends of accepted
// steps, at rates of their own, whatever is sampled.
#include "core/model/rhs.h"
#include "core/simulation/simulation_private.h"

/** What an audit costs for each element that it asks, and what a right-hand side costs, with the integrator's work on
 *  the vectors: in itself, for each state and for each operation of the program; measured [ns]. */
static const double audit_element = 160, rhs_itself = 130, rhs_state = 1.4, rhs_operation = 10;
/** Where structures are modulated, as contacts, whose kernels are stated and whose gaps are differenced each time, it was
 *  measured to be about 30 right-hand sides. */
static const double audit_modulated = 30;
/** So many audits are free, so that short runs are audited at every step; of modulated structures as many, if these are
 *  no more than so many in all. Then steps are audited as long as that has cost no more than this fraction of the steps
 *  themselves. */
enum { AUDITS_FREE = 48, AUDITS_FREE_MODULATED = 500, STRUCTURES_FREE = 1000 };
static const double audit_share = 1.0 / 8;
/** Of modulated structures the first audits, so many structures in all, may cost more, and all at events are among them;
 *  then events may have the smaller fraction, and steps half of that so that events find some. */
enum { STRUCTURES_FIRST = 5000 };
static const double first_share = 1.0 / 4, modulated_share = 1.0 / 16;

/** In right-hand sides, by counts alone: a run that is repeated is audited at the same steps. */
static double cost_of_audit(const sb_simulation *sim) {
  const sb_network *network = sim->work->network;
  double rhs =
      rhs_itself + rhs_state * network->state_count + rhs_operation * sim->work->program->op_count;
  return 1 + audit_element * network->instance_count / rhs;
}

/** How many audits ask no more than so many modulated structures in all. */
static long audits_of(const sb_simulation *sim, long structures) {
  const long most = structures / sim->modulated_count;
  return most < AUDITS_FREE_MODULATED ? most : AUDITS_FREE_MODULATED;
}

static bool is_due_modulated(const sb_simulation *sim, bool event, double steps) {
  const long paid = sim->audits - audits_of(sim, STRUCTURES_FREE),
             later = sim->audits - audits_of(sim, STRUCTURES_FIRST);
  const double share = event ? modulated_share : modulated_share / 2;
  const bool first = event || audit_modulated * (double)paid <= first_share * steps;
  return first && (later <= 0 || audit_modulated * (double)later <= share * steps);
}

static bool is_due(const sb_simulation *sim, sb_audit_reason reason) {
  const double steps = (double)(sim->work->rhs_count - sim->beside);
  const bool event = reason == SB_AUDIT_EVENT;
  if (reason == SB_AUDIT_END) {
    return true;
  }
  if (sim->modulated_count > 0) {
    return is_due_modulated(sim, event, steps);
  }
  return event || cost_of_audit(sim) * (double)(sim->audits - AUDITS_FREE) <= audit_share * steps;
}

void sb_step_audit(sb_simulation *sim, sb_audit_reason reason) {
  sb_evaluation evaluation;
  bool due = is_due(sim, reason);
  if (!sim->audited || !due) {
    return;
  }
  sim->audited_events = sim->audit.ledger.work.events;
  const volatile sig_atomic_t *stop = sim->work->stop;
  sim->work->stop = NULL; // half an audit would find faults that are none
  const bool kept = sb_workspace_keep(sim, &evaluation);
  const long before = sim->work->rhs_count;
  if (kept) {
    const bool slides = sim->work->slide.on; // each side of an edge is right by itself
    sim->work->slide.on = false;
    sim->work->evaluation.known = sim->work->evaluation.known && !slides;
    sb_audit_sample(&sim->audit, sim->t, sim->x, fmax(sim->t - sim->t0, 0));
    sim->work->slide.on = slides;
    sb_workspace_put_back(sim, &evaluation);
  }
  sim->work->stop = stop;
  sim->beside += sim->work->rhs_count - before;
  sim->audits++;
}

void sb_simulation_audit(sb_simulation *sim) {
  bool audited = sim->audited;
  sim->audited = true;
  sb_step_audit(sim, SB_AUDIT_END);
  sim->audited = audited;
  sb_audit_close(&sim->audit, sim->t, sim->x); // with what this audit has found
}
