// SPDX-License-Identifier: GPL-3.0-or-later
// What blocks remember at the start of a run. What they give is that of their attributes, often zero, before their inputs are known, and these
// are known by an evaluation of the whole model, where something may divide by what they give: a converter by a sampled voltage. So
// everything is evaluated that can be, whatever else fails, and the blocks take their inputs from there: delays what was before the start,
// relays the side of their threshold, and samplers what they sample at this instant.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/model/rhs.h"
#include "core/simulation/simulation_private.h"
#include "core/simulation/switching_private.h"

/** The samples that are due at the start, of inputs that are known. */
static void take_samples(sb_simulation *sim) {
  for (int i = 0; i < sim->switch_count; i++) {
    const sb_switch *element = &sim->switches[i];
    const sb_instance *instance = &sim->network->instances[element->instance];
    if (sb_is_sampler(instance)) {
      const sb_at at = sb_at_switch(sim, element, sim->t, sim->x);
      if (isfinite(instance->type->signal->samples->input(instance->self, &at))) {
        element->hooks->accept(instance->self, &at, sim->work->discrete + instance->discrete);
      }
    }
  }
  for (int i = 0; i < sim->switch_count; i++) {
    const sb_switch *element = &sim->switches[i];
    const sb_instance *instance = &sim->network->instances[element->instance];
    if (sb_is_sampler(instance)) {
      const sb_at at = sb_at_switch(sim, element, sim->t, sim->x);
      sb_transition next = {.mode = at.mode};
      if (element->hooks->times.next_time(instance->self, &at, sim->t) <=
          sim->t + sb_time_rounding(sim->t)) {
        (void)element->hooks->fire(instance->self, &at, -1,
                                   sim->work->discrete + instance->discrete, &next);
      }
    }
  }
}

static bool is_relay(const sb_simulation *sim, const sb_switch *element) {
  return sim->network->instances[element->instance].type->signal != NULL &&
         element->hooks->indicators != NULL;
}

/** Switches relays whose input is beyond a threshold. @return whether there is one */
static bool take_sides(sb_simulation *sim) {
  bool any = false;
  for (int i = 0; i < sim->switch_count; i++) {
    const sb_switch *element = &sim->switches[i];
    const sb_instance *instance = &sim->network->instances[element->instance];
    double g[SB_INDICATORS_MAX], gdot[SB_INDICATORS_MAX];
    if (is_relay(sim, element)) {
      const sb_at at = sb_at_switch(sim, element, sim->t, sim->x);
      sb_transition next = {.mode = at.mode};
      if (element->hooks->indicators(instance->self, &at, g, gdot) > 0 && g[0] < 0 &&
          element->hooks->fire(instance->self, &at, 0, sim->work->discrete + instance->discrete,
                               &next) == SB_OK) {
        sim->work->modes[instance->mode] = next.mode;
        any = true;
      }
    }
  }
  return any;
}

/** All relays from where they start, and one behind the other. */
static void settle_relays(sb_simulation *sim) {
  for (int i = 0; i < sim->switch_count; i++) {
    const sb_switch *element = &sim->switches[i];
    const sb_instance *instance = &sim->network->instances[element->instance];
    if (is_relay(sim, element)) {
      const sb_at at = sb_at_switch(sim, element, sim->t, sim->x);
      sim->work->modes[instance->mode] = element->hooks->initial_mode(
          instance->self, &at, sim->work->discrete + instance->discrete);
    }
  }
  sb_delays_try(sim);
  for (int i = 0; i < sim->switch_count && take_sides(sim); i++) {
    sb_delays_try(sim);
  }
}

// What is sampled at this instant is just before it, by what samplers hold before their first sample; relays go on by the samples.
void sb_blocks_start(sb_simulation *sim) {
  settle_relays(sim);
  take_samples(sim);
  settle_relays(sim);
}

/** Takes the samples of the start anew, by what samplers hold before it. @param before  (discrete states) as they are; what cannot be sampled stays so */
static void sample_again(sb_simulation *sim, const double before[]) {
  double *discrete = sim->work->discrete;
  for (int i = 0; i < sim->switch_count; i++) {
    const sb_switch *element = &sim->switches[i];
    const sb_instance *instance = &sim->network->instances[element->instance];
    if (sb_is_sampler(instance)) {
      const sb_at at = sb_at_switch(sim, element, sim->t, sim->x);
      (void)element->hooks->initial_mode(instance->self, &at, discrete + instance->discrete);
    }
  }
  sb_workspace_changed(sim->work);
  sb_delays_try(sim);
  for (int i = 0; i < sim->switch_count; i++) {
    const sb_switch *element = &sim->switches[i];
    const sb_instance *instance = &sim->network->instances[element->instance];
    const sb_at at = sb_at_switch(sim, element, sim->t, sim->x);
    if (sb_is_sampler(instance) &&
        !isfinite(instance->type->signal->samples->input(instance->self, &at))) {
      memcpy(discrete + instance->discrete, before + instance->discrete,
             (size_t)element->hooks->discrete_states * sizeof *discrete);
    }
  }
  take_samples(sim);
  sb_delays_try(sim);
}

// A current through a diode, or the force of a stop, is that of the mode in which it starts.
sb_status sb_blocks_sample(sb_simulation *sim, sb_error *err) {
  const size_t size = (size_t)sim->network->discrete_count * sizeof(double);
  bool any = false;
  for (int i = 0; i < sim->switch_count; i++) {
    any = any || sb_is_sampler(&sim->network->instances[sim->switches[i].instance]);
  }
  if (!any) {
    return SB_OK;
  }
  double *before = sb_zeroed(sim->network->discrete_count, sizeof *before);
  if (before == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  memcpy(before, sim->work->discrete, size);
  sample_again(sim, before);
  const bool changed = memcmp(before, sim->work->discrete, size) != 0;
  free(before);
  SB_TRY(sb_evaluate_resting(sim, err));
  if (changed) {
    SB_TRY(sb_branches_choose(sim, err));
    SB_TRY(sb_event_jumped(sim, err));
  }
  return SB_OK;
}
