// SPDX-License-Identifier: GPL-3.0-or-later
// Integrals, filters and delays of signals that are nothing but rounding, as the speed of a joint that friction holds while others move: to follow
// them to rtol of their largest value would be to follow the rounding of what they are computed from. The integral of u is known to
//   int 256 eps sum |du/du_k| size(u_k) dt,
// and what a delay remembers to 256 eps of these terms. They are asked for at the start, behind events, and ever more seldom.
#include <math.h>
#include <string.h>

#include "core/model/rhs.h"
#include "core/simulation/delays_private.h"

struct sb_blurred {
  // (states) [own unit/s]: the last answer, and the less of the last two: a pulse that is steep where one was given is none at the other
  double *asked, *rates;
  double *inputs; // (delays) [own unit] the last answer
  double t, step; // [s] of the step before, and its length
  long next;      // the step at which they are asked for again
};

/** They are asked for at each of the first steps; then the steps between two questions are this fraction of those so far. */
enum { FIRST_STEPS = 64 };
static const double share = 0.125;

sb_status sb_blurred_create(sb_simulation *sim, sb_error *err) {
  const int states = sim->network->state_count, delays = sim->network->delay_count;
  bool any = delays > 0;
  for (int i = 0; i < sim->network->instance_count; i++) {
    const sb_instance *instance = &sim->network->instances[i];
    any = any || (instance->type->signal != NULL && instance->layout.states > 0);
  }
  if (!any) {
    return SB_OK;
  }
  sb_blurred *b = sim->blurred = sb_arena_zeroed(&sim->lasting, 1, sizeof *b);
  double *numbers = sb_arena_zeroed(&sim->lasting, 2 * states + delays + 1, sizeof(double));
  if (b == NULL || numbers == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  *b = (sb_blurred){.asked = numbers, .rates = numbers + states, .inputs = numbers + 2 * states};
  return SB_OK;
}

static void ask(sb_simulation *sim) {
  sb_blurred *b = sim->blurred;
  sb_evaluation evaluation;
  const int states = sim->network->state_count;
  const long beyond = sim->accepted - FIRST_STEPS;
  b->next = sim->accepted + 1 + (beyond > 0 ? (long)(share * (double)beyond) : 0);
  if (sb_workspace_evaluate(sim->work, sim->t, sim->x) != 0 ||
      !sb_workspace_keep(sim, &evaluation)) {
    return;
  }
  memcpy(b->rates, b->asked, (size_t)states * sizeof *b->rates);
  sb_audit_signal_rounding(&sim->audit, sim->t, sim->x, b->step, b->asked, b->inputs);
  sb_workspace_put_back(sim, &evaluation);
  for (int i = 0; i < states; i++) {
    b->rates[i] = fmin(b->rates[i], b->asked[i]);
  }
  for (int k = 0; k < sim->network->delay_count; k++) {
    sim->delays->known[k] = fmax(sim->delays->known[k], b->inputs[k]);
  }
}

void sb_blurred_follow(sb_simulation *sim, bool restarts) {
  sb_blurred *b = sim->blurred;
  if (b == NULL) {
    return;
  }
  b->step = sim->t > b->t ? sim->t - b->t : b->step;
  if (restarts || sim->accepted >= b->next) {
    ask(sim);
  }
  for (int i = 0; i < sim->network->state_count; i++) {
    sim->nominal.blurred[i] = fmax(sim->nominal.blurred[i], b->rates[i] * b->step);
  }
  b->t = sim->t;
}
