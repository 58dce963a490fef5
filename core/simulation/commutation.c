// SPDX-License-Identifier: GPL-3.0-or-later
// A structure that switches changes causality: a new program, new integrators. Where it would interrupt a
// current or connect different voltages, the state could only go on by an impulse that loses energy; an
// ideal diode takes over before that. So if the state does not fit the modes, those of one or two
// diodes are changed: modes in which the state goes on as it is, and in which no diode would
// switch at once, are those of the complementarity conditions (van der Schaft, Schumacher,
// "Complementarity modeling of hybrid systems", IEEE Trans. Automatic Control 43, 1998).
#include <string.h>

#include "core/causality/constraint.h"
#include "core/model/constraints.h"
#include "core/simulation/simulation_private.h"
#include "core/simulation/switching_private.h"

enum { DISCRETE_MAX = 8 };
/** The current of an inductor is zero at the event of its diode but for what the time of that is off, 1e-12 of a step. Below this fraction
 *  of the largest it has an energy of rounding: no other diode takes it over, which would give it back at once. */
static const double ended = 1e-9;

/** A structure with a displacement, as an end stop, is meant to cause impulses. */
static bool strikes(const sb_simulation *sim, int index) {
  return index >= 0 && sim->network->instances[sim->switches[index].instance].layout.states > 0;
}

/** A dissipation that sticks does so where its flow has become zero. */
static bool rubs(const sb_simulation *sim, int index) {
  return index >= 0 && sim->network->instances[sim->switches[index].instance].hooked;
}

/** A constant structure that switches by its event indicators alone, as a diode. */
static bool may_take_over(const sb_simulation *sim, int index) {
  const sb_instance *instance = &sim->network->instances[sim->switches[index].instance];
  const sb_switching_hooks *hooks = instance->type->switching;
  return !instance->hooked && !strikes(sim, index) && hooks->indicators != NULL &&
         hooks->times.next_time == NULL &&
         instance->type->switching->discrete_states <= DISCRETE_MAX;
}

/** Changes the mode of an element. @param mode  out: the one before */
static bool toggle(sb_simulation *sim, int index, int *mode, sb_changed *change) {
  const sb_switch *element = &sim->switches[index];
  const sb_instance *instance = &sim->network->instances[element->instance];
  sb_at at = sb_at_switch(sim, element, sim->t, sim->x);
  double discrete[DISCRETE_MAX];
  sb_transition next = {.mode = at.mode};
  memcpy(discrete, at.discrete,
         (size_t)instance->type->switching->discrete_states * sizeof *discrete);
  *mode = at.mode;
  if (instance->type->switching->fire(instance->self, &at, 0, discrete, &next) != SB_OK) {
    return false;
  }
  sim->work->modes[instance->mode] = next.mode;
  *change = (sb_changed){index, next.kind};
  return true;
}

static void put_back(sb_simulation *sim, int index, int mode) {
  sim->work->modes[sim->network->instances[sim->switches[index].instance].mode] = mode;
}

/** Whether storages depend on what a law that is flat gives: that may have jumped. */
static bool holds_storages(const sb_simulation *sim, const sb_instance *instance) {
  int first = sb_value_var(sim->network, instance->out);
  return sb_instance_is_flat(instance, sim->work->modes) &&
         sb_constraints_contain(&sim->work->program->causality, first,
                                first + instance->components);
}

/** Dry friction bears no impulse: what sticks is released, to go on as the state behind the impulse says, and so is what
 *  holds a storage at its strength, for where that rises at once the storage stays as it is. An impulse passes through no
 *  more than the connected part that it is in: what sticks in others goes on sticking.
 *  @param known  whether the state has been projected, which tells where there are impulses; else they may be anywhere
 *  @return whether there was any */
static bool release(sb_simulation *sim, bool known) {
  bool any = false;
  for (int i = 0; i < sim->switch_count; i++) {
    const int own = sim->switches[i].instance;
    const sb_instance *instance = &sim->network->instances[own];
    if (known && !sb_constraints_struck(sim->work, sim->network->part_of[own])) {
      continue;
    }
    if (sb_instance_sticks(instance, sim->work->modes) || holds_storages(sim, instance)) {
      sb_at at = sb_at_switch(sim, &sim->switches[i], sim->t, sim->x);
      sim->work->modes[instance->mode] = instance->type->switching->initial_mode(
          instance->self, &at, sim->work->discrete + instance->discrete);
      sim->switches[i].indicators[0].armed = any = true;
    }
  }
  return any;
}

/** Whether the state can go on in the present modes without an impulse.
 *  @param known  out: whether it was asked; else these modes, or the state in them, have no solution. NULL: not wanted */
static bool fits(sb_simulation *sim, bool *known) {
  sb_errors errors = {0};
  int constraint = 0;
  bool ok = sb_workspace_recompile(sim->work, &errors) == SB_OK;
  sb_errors_finish(&errors);
  ok = ok && sb_evaluate(sim, sim->t, sim->x, NULL) == SB_OK;
  if (known != NULL) {
    *known = ok;
  }
  if (!ok) {
    return false;
  }
  memcpy(sim->xp, sim->x, (size_t)sb_vector_count(sim->network) * sizeof *sim->x);
  return sb_project(sim, sim->xp, &constraint, NULL) == SB_OK &&
         (constraint < 0 || !sb_consistency_moves(sim, sim->xp, ended));
}

/** Whether no diode would switch at once. */
static bool settled(sb_simulation *sim) {
  sb_trace(sim->work, sim->x);
  for (int i = 0; i < sim->switch_count; i++) {
    const sb_instance *instance = &sim->network->instances[sim->switches[i].instance];
    double g[SB_INDICATORS_MAX], gdot[SB_INDICATORS_MAX];
    if (!may_take_over(sim, i)) {
      continue;
    }
    sb_at at = sb_at_switch(sim, &sim->switches[i], sim->t, sim->x);
    for (int k = instance->type->switching->indicators(instance->self, &at, g, gdot) - 1; k >= 0;
         k--) {
      if (g[k] < 0) {
        return false;
      }
    }
  }
  return true;
}

/** Looks for one diode, then for two, whose change lets the state go on. */
static int search(sb_simulation *sim, sb_changed found[SB_COMMUTATION_MAX]) {
  for (int pair = 0; pair <= 1; pair++) {
    for (int i = 0; i < sim->switch_count; i++) {
      int mode;
      if (!may_take_over(sim, i) || !toggle(sim, i, &mode, &found[0])) {
        continue;
      }
      if (!pair && fits(sim, NULL) && settled(sim)) {
        return 1;
      }
      for (int j = i + 1; pair && j < sim->switch_count; j++) {
        int other;
        if (!may_take_over(sim, j) || !toggle(sim, j, &other, &found[1])) {
          continue;
        }
        if (fits(sim, NULL) && settled(sim)) {
          return 2;
        }
        put_back(sim, j, other);
      }
      put_back(sim, i, mode);
    }
  }
  return 0;
}

/** The present modes, whatever the state. */
static sb_status recompile(sb_simulation *sim, int index, sb_error *err) {
  sb_errors errors = {0};
  sb_status status = sb_workspace_recompile(sim->work, &errors);
  if (status != SB_OK) {
    const char *why = errors.count > 0 ? errors.items[0].text : "out of memory";
    const sb_instance *instance =
        index < 0 ? NULL : &sim->network->instances[sim->switches[index].instance];
    const char *what = instance == NULL ? sim->network->name : instance->id;
    status =
        sb_fail(err, status == SB_ERR_MEMORY ? status : SB_ERR_SOLVER,
                "'%s' cannot switch at t = %s s: %.380s", what, sb_number_word(sim->t).text, why);
    sb_error_hint(err, "%s", errors.count > 0 ? errors.items[0].hint : "");
    sb_place_into(instance == NULL ? &sim->network->place : &instance->place, err);
  }
  sb_errors_finish(&errors);
  return status;
}

sb_status sb_commutate(sb_simulation *sim, int index, sb_changed more[], int *count,
                       sb_error *err) {
  bool possible = false,
       known = true; // without an element that has switched: as it was found to be violated
  // Dry friction that sticks or slips makes no other element switch at once: their own event indicators tell.
  bool fit = index >= 0 && !rubs(sim, index) && fits(sim, &known);
  for (int i = 0; i < sim->switch_count; i++) {
    possible = possible || may_take_over(sim, i);
  }
  bool released = !fit && !rubs(sim, index) && release(sim, known);
  if (index < 0 && !possible && !released) {
    return SB_OK;
  }
  fit = released ? fits(sim, NULL) : fit;
  int found =
      fit || !possible || strikes(sim, index) || rubs(sim, index) ? 0 : search(sim, more + *count);
  if (found == 0 && !fit) {
    SB_TRY(recompile(sim, index, err));
  }
  *count += found;
  if (sb_audit_structures(&sim->audit) != SB_OK) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  return sb_steppers_renew(sim, err);
}
