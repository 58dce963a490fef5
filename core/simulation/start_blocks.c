// SPDX-License-Identifier: GPL-3.0-or-later
// What blocks remember at the start of a run. What they give is that of their attributes, often zero, before their inputs are known, and these
// are known by an evaluation of the whole model, where something may divide by what they give: a converter by a sampled voltage. So
// everything is evaluated that can be, whatever else fails, and the blocks take their inputs from there: delays what was before the start,
// samplers what they sample at this instant, as just before it, and relays the side of their threshold.
#include <math.h>

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

/** Relays beyond a threshold. */
static void take_sides(sb_simulation *sim) {
  for (int i = 0; i < sim->switch_count; i++) {
    const sb_switch *element = &sim->switches[i];
    const sb_instance *instance = &sim->network->instances[element->instance];
    double g[SB_INDICATORS_MAX], gdot[SB_INDICATORS_MAX];
    if (instance->type->signal != NULL && element->hooks->indicators != NULL) {
      const sb_at at = sb_at_switch(sim, element, sim->t, sim->x);
      sb_transition next = {.mode = at.mode};
      if (element->hooks->indicators(instance->self, &at, g, gdot) > 0 && g[0] < 0 &&
          element->hooks->fire(instance->self, &at, 0, sim->work->discrete + instance->discrete,
                               &next) == SB_OK) {
        sim->work->modes[instance->mode] = next.mode;
      }
    }
  }
}

void sb_blocks_start(sb_simulation *sim) {
  sb_delays_try(sim);
  take_samples(sim);
  sb_delays_try(sim);
  take_sides(sim);
  sb_delays_try(sim);
}
