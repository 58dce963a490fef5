// SPDX-License-Identifier: GPL-3.0-or-later
// Switches and samplers that are due at one instant change with the first of them.
#include "core/network/instant.h"
#include "core/simulation/simulation_private.h"
#include "core/simulation/switching_private.h"

/** Whether a switch changes over at this instant: by its times, or by a condition that holds from now on.
 *  @param indicator  out: -1: by its times */
static bool is_due(const sb_simulation *sim, const sb_switch *element, const sb_at *at,
                   int *indicator) {
  const sb_instance *instance = &sim->network->instances[element->instance];
  const sb_switching_hooks *hooks = instance->type->switching;
  double g[SB_INDICATORS_MAX], gdot[SB_INDICATORS_MAX];
  if (hooks->times.next_time(instance->self, at, sim->t) <= sim->t + sb_time_rounding(sim->t)) {
    *indicator = -1;
    return true;
  }
  *indicator = hooks->indicators(instance->self, at, g, gdot) - 1;
  while (*indicator >= 0 && !(g[*indicator] < 0 &&
                              (element->indicators[*indicator].armed || element->since < sim->t))) {
    --*indicator;
  }
  return *indicator >= 0;
}

sb_status sb_fire_together(sb_simulation *sim, int index, sb_changed more[], int *count,
                           sb_error *err) {
  for (int i = 0; i < sim->switch_count; i++) {
    const sb_switch *element = &sim->switches[i];
    const sb_instance *instance = &sim->network->instances[element->instance];
    const sb_switching_hooks *hooks = instance->type->switching;
    if (i == index || instance->hooked || hooks->times.next_time == NULL) {
      continue;
    }
    sb_at at = sb_at_switch(sim, element, sim->t, sim->x);
    int indicator;
    if (is_due(sim, element, &at, &indicator)) {
      sb_transition next = {.mode = at.mode, .err = err};
      SB_TRY(hooks->fire(instance->self, &at, indicator, sim->work->discrete + instance->discrete,
                         &next));
      sim->work->modes[instance->mode] = next.mode;
      sb_workspace_changed(sim->work);
      more[(*count)++] = (sb_changed){i, next.kind};
    }
  }
  return SB_OK;
}

bool sb_is_sampler(const sb_instance *instance) {
  return instance->type->signal != NULL && instance->type->switching->times.next_time != NULL;
}

sb_status sb_sample_together(sb_simulation *sim, int index, sb_changed more[], int *count,
                             sb_error *err) {
  for (int i = 0; i < sim->switch_count; i++) {
    const sb_switch *element = &sim->switches[i];
    const sb_instance *instance = &sim->network->instances[element->instance];
    if (i == index || !sb_is_sampler(instance)) {
      continue;
    }
    sb_at at = sb_at_switch(sim, element, sim->t, sim->x);
    const sb_switching_hooks *hooks = instance->type->switching;
    if (hooks->times.next_time(instance->self, &at, sim->t) <= sim->t + sb_time_rounding(sim->t)) {
      sb_transition next = {.mode = at.mode, .err = err};
      SB_TRY(hooks->fire(instance->self, &at, -1, sim->work->discrete + instance->discrete, &next));
      sb_workspace_changed(sim->work);
      more[(*count)++] = (sb_changed){i, next.kind};
    }
  }
  return SB_OK;
}
