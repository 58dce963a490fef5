// SPDX-License-Identifier: GPL-3.0-or-later
// Findings about a run that can be made before it starts, for `check`.
#include <math.h>
#include <string.h>

#include "core/model/constraints.h"
#include "core/model/rhs.h"
#include "core/simulation/simulation_private.h"
#include "core/simulation/switching_private.h"

#define START_LOSES "the initial values contradict each other: at '%.80s' the start loses %s J"

/** Whether a switch stays in its mode whatever happens: it has no time to come and no condition. */
static bool is_idle(const sb_simulation *sim, const sb_switch *element) {
  const sb_instance *instance = &sim->network->instances[element->instance];
  const sb_switching_hooks *hooks = instance->type->switching;
  if (hooks->times.next_time == NULL || instance->type->structure == NULL) {
    return false;
  }
  double g[SB_INDICATORS_MAX], gdot[SB_INDICATORS_MAX];
  sb_at at = sb_at_switch(sim, element, sim->t, sim->x);
  return isinf(hooks->times.next_time(instance->self, &at, sim->t)) &&
         (hooks->indicators == NULL || hooks->indicators(instance->self, &at, g, gdot) == 0);
}

static bool warn(const sb_instance *instance, sb_error *err, sb_errors *warnings) {
  int before = warnings->count;
  sb_place_into(&instance->place, err);
  sb_errors_add(warnings, err);
  return warnings->count > before;
}

/** The element of an event at the start that lost energy, as storages met that contradict each other; NULL: it is none. */
static const sb_instance *loser(const sb_simulation *sim, const sb_event *event) {
  int index = event->element == NULL || !(fabs(event->loss) > 0)
                  ? -1
                  : sb_names_find(&sim->network->names, event->element, strlen(event->element));
  return index < 0 ? NULL : &sim->network->instances[index];
}

/** The largest energy of the network where what is prescribed over the time is at its peaks [J]. */
static void see_energy(sb_simulation *sim, double peak, double span, void *context) {
  double *most = context, *x = sim->later, energy = 0;
  (void)span;
  memcpy(x, sim->x, (size_t)sb_vector_count(sim->network) * sizeof *x);
  if (sb_workspace_evaluate(sim->work, peak, x) == 0 &&
      sb_workspace_enforce(sim->work, peak, x, x + sim->network->state_count) == SB_OK) {
    for (int i = 0; i < sim->network->instance_count; i++) {
      energy += fabs(sb_instance_energy(sim->work, i, peak, x));
    }
    *most = fmax(*most, energy);
  }
}

static bool has_losers(const sb_simulation *sim) {
  const sb_ledger *ledger = &sim->audit.ledger;
  for (int i = 0; i < ledger->event_count; i++) {
    if (loser(sim, &ledger->events[i]) != NULL) {
      return true;
    }
  }
  return false;
}

/** A state is known to rtol of what it will be, and so is no loss told below rtol^2 of the energy that sources bring later: a bump
 *  exp(-(t - t0)^2/w^2) begins at 1e-44 of its height. */
static bool warn_of_events(sb_simulation *sim, double t_end, sb_errors *warnings) {
  const sb_ledger *ledger = &sim->audit.ledger;
  double most = 0;
  bool added = true;
  if (has_losers(sim)) {
    sb_features_visit(sim, t_end, see_energy, &most);
    (void)sb_workspace_evaluate(sim->work, sim->t, sim->x);
  }
  for (int i = 0; i < ledger->event_count; i++) {
    const sb_event *event = &ledger->events[i];
    const sb_instance *instance = loser(sim, event);
    if (instance == NULL || fabs(event->loss) < sim->options.rtol * sim->options.rtol * most) {
      continue;
    }
    sb_error err = {0};
    sb_warn(&err, SB_ERR_RANGE, START_LOSES, instance->id, sb_number_word(event->loss).text);
    sb_error_hint(
        &err,
        "start with values that agree, or write inconsistent=\"refuse\" to have this refused");
    added = warn(instance, &err, warnings) && added;
  }
  return added;
}

sb_status sb_start_refuse_losses(const sb_simulation *sim, sb_error *err) {
  const sb_ledger *ledger = &sim->audit.ledger;
  for (int i = 0; i < ledger->event_count; i++) {
    const sb_instance *instance = loser(sim, &ledger->events[i]);
    if (instance != NULL) {
      (void)sb_fail(err, SB_ERR_RANGE, START_LOSES, instance->id,
                    sb_number_word(ledger->events[i].loss).text);
      sb_error_hint(err, "start with values that agree, or allow this by inconsistent=\"jump\"");
      sb_place_into(&instance->place, err);
      return SB_ERR_RANGE;
    }
  }
  return SB_OK;
}

sb_status sb_simulation_foresee(sb_simulation *sim, double t_end, sb_errors *warnings) {
  bool added = warn_of_events(sim, t_end, warnings);
  added = sb_singular_foresee(sim, warnings) && added;
  added = sb_energies_foresee(sim->network, warnings) && added;
  added = sb_rest_jumps_foresee(sim, warnings) && added;
  added = sb_lags_foresee(sim, t_end, warnings) && added;
  for (int i = 0; i < sim->switch_count; i++) {
    if (is_idle(sim, &sim->switches[i])) {
      const sb_instance *instance = &sim->network->instances[sim->switches[i].instance];
      sb_error err = {0};
      sb_warn(&err, SB_ERR_MISSING, "%s '%.80s' never switches: it has no times and no condition",
              instance->type->name, instance->id);
      sb_error_hint(&err, "give it times=\"...\", closes=\"...\" or opens=\"...\"");
      added = warn(instance, &err, warnings) && added;
    }
  }
  return added || warnings->count >= SB_ERRORS_MAX ? SB_OK : SB_ERR_MEMORY;
}
