// SPDX-License-Identifier: GPL-3.0-or-later
// Integrals, filters and delays of signals that are nothing but rounding, as the speed of a joint that friction holds while others move: to follow
// them to rtol of their largest value would be to follow the rounding of what they are computed from. The integral of u is known to
//   256 eps T sum |du/du_k| size(u_k)
// over the time T, and what a delay remembers to 256 eps of these terms. Sizes are asked for at the start, behind events, and ever more
// seldom: they never shrink.
#include "core/model/rhs.h"
#include "core/simulation/delays_private.h"

struct sb_blurred {
  double *rates; // (states) [own unit/s]
  long next;     // the step at which they are asked for again
};

/** They are asked for at each of the first steps; then the steps between two questions are this fraction of those so far. */
enum { FIRST_STEPS = 64 };
static const double share = 0.125;

sb_status sb_blurred_create(sb_simulation *sim, sb_error *err) {
  bool any = sim->delays != NULL;
  for (int i = 0; i < sim->network->instance_count; i++) {
    const sb_instance *instance = &sim->network->instances[i];
    any = any || (instance->type->signal != NULL && instance->layout.states > 0);
  }
  if (!any) {
    return SB_OK;
  }
  sb_blurred *b = sim->blurred = sb_arena_zeroed(&sim->lasting, 1, sizeof *b);
  double *rates = sb_arena_zeroed(&sim->lasting, sim->network->state_count + 1, sizeof(double));
  if (b == NULL || rates == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  b->rates = rates;
  return SB_OK;
}

static void ask(sb_simulation *sim) {
  sb_evaluation evaluation;
  if (sb_workspace_evaluate(sim->work, sim->t, sim->x) == 0 &&
      sb_workspace_keep(sim, &evaluation)) {
    sb_audit_signal_rounding(&sim->audit, sim->t, sim->x, sim->blurred->rates,
                             sim->delays == NULL ? NULL : sim->delays->known);
    sb_workspace_put_back(sim, &evaluation);
  }
  const long beyond = sim->accepted - FIRST_STEPS;
  sim->blurred->next = sim->accepted + 1 + (beyond > 0 ? (long)(share * (double)beyond) : 0);
}

void sb_blurred_follow(sb_simulation *sim, bool restarts) {
  sb_blurred *b = sim->blurred;
  if (b == NULL) {
    return;
  }
  if (restarts || sim->accepted >= b->next) {
    ask(sim);
  }
  const double elapsed = sim->t - sim->audit.ledger.t_start;
  for (int i = 0; i < sim->network->state_count; i++) {
    sim->nominal.blurred[i] = b->rates[i] * elapsed;
  }
}
