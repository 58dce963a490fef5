// SPDX-License-Identifier: GPL-3.0-or-later
// A structure whose new mode makes flows zero that were not, as a stop that closes: an impact (core/model/enforce.c). Flows are thrown
// back, not states, which is another thing where an energy is not p^2/(2 m). Newton's law leaves less energy than there was
// where H is even in the states that it reverses; else it may ask for more, or for a flow that no state has.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/model/constraints.h"
#include "core/simulation/simulation_private.h"
#include "core/simulation/switching_private.h"

/** An impact that gives more than this fraction of the energies that it changes gives energy. */
static const double gain = 1e-9;
/** What is off by less than this fraction of the largest energy of its part is at rest: all that it is the sum of is rounding. */
static const double at_rest = 1e-20;
/** What strikes with less than this fraction of it does not move: what holds it is off by the rounding of nothing but itself. */
static const double still = 1e-30;

static sb_status refuse(const sb_simulation *sim, int index, const char *what, const char *hint,
                        sb_error *err) {
  sb_error why;
  (void)sb_fail(&why, SB_ERR_SOLVER, "%s", what);
  sb_error_hint(&why, "%s", hint);
  return sb_refusal_place(&sim->network->instances[sim->switches[index].instance], sim->t, &why,
                          err);
}

/** Whether a state of an element has moved. */
static bool has_moved(const sb_simulation *sim, const sb_instance *instance) {
  const size_t size = (size_t)instance->layout.states * sizeof(double);
  return memcmp(sim->x + instance->state, sim->xp + instance->state, size) != 0;
}

/** H(x-) - H(x+) and what sources supplied. */
static sb_status check_loss(const sb_simulation *sim, int index, sb_error *err) {
  const sb_network *network = sim->network;
  double loss = 0, size = 0;
  for (int i = 0; i < network->instance_count; i++) {
    if (network->instances[i].type->storage != NULL && has_moved(sim, &network->instances[i])) {
      const double before = sim->audit.energy_before[i];
      const double after = sb_instance_energy(sim->work, i, sim->t, sim->x);
      loss += before - after;
      size += fabs(before) + fabs(after);
    }
  }
  for (int i = network->state_count; i < sb_vector_count(network); i++) {
    loss += sim->x[i] - sim->xp[i];
    size += fabs(sim->x[i] - sim->xp[i]);
  }
  if (!(loss < -gain * size)) {
    return SB_OK;
  }
  char text[100];
  (void)snprintf(text, sizeof text, "its restitution gives energy here, %s J",
                 sb_number_word(-loss).text);
  return refuse(
      sim, index, text,
      "what it stops has more energy at the speed that it is thrown back with than at that "
      "before: an energy that is even in p, or a smaller restitution",
      err);
}

sb_status sb_throw_back(sb_simulation *sim, int index, double restitution, bool *struck,
                        sb_error *err) {
  sb_strike strike;
  const size_t size = (size_t)sb_vector_count(sim->network) * sizeof *sim->x;
  memcpy(sim->xp, sim->x, size);
  const bool freed = sb_energies_exchange(sim, true);
  const sb_status status =
      sb_workspace_strike(sim->work, sim->t, sim->xp, sim->x, restitution, &strike);
  if (freed) {
    (void)sb_energies_exchange(sim, false);
  }
  if (status != SB_OK) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  const int part = sim->network->part_of[sim->switches[index].instance];
  const double most = sb_largest_energy(sim, part);
  *struck = strike.constraint >= 0 && strike.energy > still * most;
  if (*struck || memcmp(sim->xp, sim->x, size) != 0) { // by rounding, if nothing has struck
    sb_workspace_changed(sim->work);
  }
  if (*struck) {
    sb_energies_follow(sim);
  }
  if (!strike.met && !(strike.left <= at_rest * most)) {
    return refuse(sim, index,
                  restitution > 0 ? "no impulse throws its flow back by this restitution"
                                  : "no impulse stops its flow",
                  "a flow dH/dp that jumps, or keeps its sign or to a bound, cannot be "
                  "reversed: give what it stops an energy that is even in p, or a spring "
                  "in the place of the stop",
                  err);
  }
  return strike.bent ? check_loss(sim, index, err) : SB_OK;
}
