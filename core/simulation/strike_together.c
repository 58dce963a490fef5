// SPDX-License-Identifier: GPL-3.0-or-later
// Stops that are hit at one instant. Which of them stay closed behind it is found for all at once (core/model/complementarity.c); one
// after the other, each would be released by the impulse of the next.
#include <string.h>

#include "core/simulation/simulation_private.h"
#include "core/simulation/switching_private.h"

enum { DISCRETE_MAX = 8 };

/** Whether a stop that is free is at a limit now, and moves on: what is left of the way takes no more than the rounding of the time. */
static int limit_of(const sb_simulation *sim, const sb_switch *element, const sb_at *at) {
  const sb_instance *instance = &sim->network->instances[element->instance];
  double g[SB_INDICATORS_MAX], gdot[SB_INDICATORS_MAX];
  int k = instance->type->switching->indicators(instance->self, at, g, gdot) - 1;
  while (k >= 0 && !(gdot[k] <= 0 && g[k] <= -gdot[k] * sb_time_rounding(sim->t))) {
    k--;
  }
  return k;
}

/** Whether a part has complementary elements of another type, too, as diodes: then no problem of the instant tells which stops stay
 *  closed, and all of them would. */
static bool is_mixed(const sb_network *network, const sb_instance *stop) {
  const int part = network->part_of[stop - network->instances];
  bool mixed = false;
  for (int i = 0; i < network->instance_count; i++) {
    const sb_element_type *type = network->instances[i].type;
    mixed = mixed || (network->part_of[i] == part && type != stop->type &&
                      type->switching != NULL && type->switching->modes.complementary != NULL);
  }
  return mixed;
}

sb_status sb_strike_together(sb_simulation *sim, int index, sb_changed more[], int *count,
                             sb_error *err) {
  const int *part_of = sim->network->part_of;
  if (is_mixed(sim->network, &sim->network->instances[sim->switches[index].instance])) {
    return SB_OK;
  }
  for (int i = 0; i < sim->switch_count; i++) {
    const sb_switch *element = &sim->switches[i];
    const sb_instance *instance = &sim->network->instances[element->instance];
    const sb_switching_hooks *hooks = instance->type->switching;
    sb_complementary kind;
    double discrete[DISCRETE_MAX];
    if (i == index || part_of[element->instance] != part_of[sim->switches[index].instance] ||
        hooks->modes.complementary == NULL || instance->layout.states == 0 ||
        sb_instance_is_complementary(instance, sim->work->modes, &kind)) {
      continue;
    }
    sb_at at = sb_at_switch(sim, element, sim->t, sim->x);
    sb_transition next = {.mode = at.mode, .err = err};
    const int limit = limit_of(sim, element, &at);
    const size_t size = (size_t)hooks->discrete_states * sizeof *discrete;
    if (limit < 0) {
      continue;
    }
    memcpy(discrete, at.discrete, size);
    SB_TRY(hooks->fire(instance->self, &at, limit, discrete, &next));
    if (next.restitution == 0) {
      memcpy(sim->work->discrete + instance->discrete, discrete, size);
      sim->work->modes[instance->mode] = next.mode;
      sb_workspace_changed(sim->work);
      more[(*count)++] = (sb_changed){i, next.kind};
    }
  }
  return SB_OK;
}
