// SPDX-License-Identifier: GPL-3.0-or-later
// A structure that switches changes causality: a new program, new integrators. Where it would interrupt a
// current or connect different voltages, the state could only go on by an impulse that loses energy; an
// ideal diode takes over before that. So if the state does not fit the modes, those of one or two
// diodes are changed: modes in which the state goes on as it is, and in which no diode would
// switch at once, are those of the complementarity conditions (van der Schaft, Schumacher,
// "Complementarity modeling of hybrid systems", IEEE Trans. Automatic Control 43, 1998). Where there are none, charges are shared or
// momenta lost, and the modes of all complementary elements of the part are those of the problem of the instant
// (core/model/complementarity.c).
#include <stdio.h>
#include <string.h>

#include "core/causality/constraint.h"
#include "core/model/complementarity.h"
#include "core/model/constraints.h"
#include "core/simulation/simulation_private.h"
#include "core/simulation/switching_private.h"

enum { DISCRETE_MAX = 8 };
/** The current of an inductor is zero at the event of its diode but for what the time of that is off, 1e-12 of a step. Below this fraction
 *  of the largest it has an energy of rounding: no other diode takes it over, which would give it back at once. */
static const double ended = 1e-9;

/** A structure with a displacement, as an end stop, is meant to cause impulses. Those that are closed push, and do not pull. */
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

/** Dry friction bears no impulse: what sticks, or is held by others that do, is released, to go on as the state behind the impulse says, and so is what
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
    if (sb_instance_sticks(instance, sim->work->modes) ||
        sb_instance_is_held(instance, sim->work->modes) || holds_storages(sim, instance)) {
      sb_at at = sb_at_switch(sim, &sim->switches[i], sim->t, sim->x);
      sim->work->modes[instance->mode] = instance->type->switching->initial_mode(
          instance->self, &at, sim->work->discrete + instance->discrete);
      sim->switches[i].indicators[0].armed = any = true;
    } else if (sb_instance_slips(instance, sim->work->modes)) {
      // at rest, as others hold it, it may be thrown to the other side
      sim->switches[i].indicators[0].armed = true;
    }
  }
  return any;
}

bool sb_state_goes_on(sb_simulation *sim) {
  int constraint = 0;
  memcpy(sim->xp, sim->x, (size_t)sb_vector_count(sim->network) * sizeof *sim->x);
  return sb_project(sim, sim->xp, &constraint, NULL) == SB_OK &&
         (constraint < 0 || !sb_consistency_moves(sim, sim->xp, ended));
}

/** Whether the state can go on in the present modes without an impulse.
 *  @param known  out: whether it was asked; else these modes, or the state in them, have no solution. NULL: not wanted */
static bool fits(sb_simulation *sim, bool *known) {
  sb_errors errors = {0};
  bool ok = sb_workspace_recompile(sim->work, &errors) == SB_OK;
  sb_errors_finish(&errors);
  ok = ok && sb_evaluate(sim, sim->t, sim->x, NULL) == SB_OK;
  if (known != NULL) {
    *known = ok;
  }
  if (!ok) {
    return false;
  }
  return sb_state_goes_on(sim);
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

/** All complementary elements of the part of an element, or of all parts, take the modes of one problem.
 *  @param stops  of parts with stops alone, or of those without
 *  @param solved, unsolvable  out: whether a part has such modes, and whether one has none */
static sb_status solve_together(sb_simulation *sim, int index, bool stops, sb_changed more[],
                                int *count, bool *solved, bool *unsolvable, sb_error *err) {
  const sb_network *network = sim->network;
  const int own = index < 0 ? -1 : network->part_of[sim->switches[index].instance];
  sb_complementary kind;
  const bool one =
      index >= 0 && sb_instance_is_complementary(&network->instances[sim->switches[index].instance],
                                                 sim->work->modes, &kind);
  *unsolvable = *solved = false;
  for (int part = 0; part < network->part_count; part++) {
    sb_status known = SB_OK;
    if ((own >= 0 && part != own) || sb_part_has_stops(sim, part, index < 0 ? 1 : 2) != stops ||
        (!stops && sb_complementary_count(network, sim->work->modes, part) <= one)) {
      continue; // one by itself has changed already
    }
    SB_TRY(sb_part_solve(sim, part, index, more, count, &known, err));
    *solved = *solved || known == SB_OK;
    *unsolvable = *unsolvable || known == SB_ERR_SOLVER;
  }
  return SB_OK;
}

/** "'D1', 'D2'": the complementary elements of the part of an element, or of all. */
static void list_pairs(const sb_simulation *sim, int index, char text[], size_t size) {
  const sb_network *network = sim->network;
  const int part = index < 0 ? -1 : network->part_of[sim->switches[index].instance];
  sb_complementary kind;
  text[0] = '\0';
  for (int i = 0; i < network->instance_count; i++) {
    const size_t used = strlen(text);
    if ((part < 0 || network->part_of[i] == part) &&
        sb_instance_is_complementary(&network->instances[i], sim->work->modes, &kind)) {
      (void)snprintf(text + used, size - used, "%s'%s'", used > 0 ? ", " : "",
                     network->instances[i].id);
    }
  }
}

/** The present modes, whatever the state. @param unsolvable  no modes have a solution, as is known */
static sb_status recompile(sb_simulation *sim, int index, bool unsolvable, sb_error *err) {
  sb_errors errors = {0};
  sb_status status = sb_workspace_recompile(sim->work, &errors);
  if (status != SB_OK) {
    const char *why = errors.count > 0 ? errors.items[0].text : "out of memory";
    const sb_instance *instance =
        index < 0 ? NULL : &sim->network->instances[sim->switches[index].instance];
    const char *what = instance == NULL ? sim->network->name : instance->id;
    char pairs[100];
    list_pairs(sim, index, pairs, sizeof pairs);
    status = sb_fail(err, status == SB_ERR_MEMORY ? status : SB_ERR_SOLVER,
                     "'%s' cannot switch at t = %s s: %.250s%s%s%s", what,
                     sb_number_word(sim->t).text, why, unsolvable ? ", and no other modes of " : "",
                     unsolvable ? pairs : "", unsolvable ? " have a solution" : "");
    sb_error_hint(err, "%s", errors.count > 0 ? errors.items[0].hint : "");
    sb_place_into(instance == NULL ? &sim->network->place : &instance->place, err);
  }
  sb_errors_finish(&errors);
  return status;
}

sb_status sb_commutate(sb_simulation *sim, int index, sb_changed more[], int *count,
                       sb_error *err) {
  bool possible = false, stops = false,
       known = true; // without an element that has switched: as it was found to be violated
  // Dry friction that sticks or slips makes no other element switch at once: their own event indicators tell.
  bool fit = index >= 0 && !rubs(sim, index) && fits(sim, &known);
  for (int i = 0; i < sim->switch_count; i++) {
    possible = possible || may_take_over(sim, i);
    stops = stops || (strikes(sim, i) && sim->switches[i].hooks->modes.complementary != NULL);
  }
  bool released = !fit && !rubs(sim, index) && release(sim, known);
  if (index < 0 && !possible && !stops && !released) {
    return SB_OK;
  }
  fit = released ? fits(sim, NULL) : fit;
  const bool jumps = !fit && more != NULL && !rubs(sim, index);
  bool solved = false, unsolvable = false;
  if (jumps) {
    SB_TRY(solve_together(sim, index, true, more, count, &solved, &unsolvable, err));
  }
  int found = fit || solved || !possible || strikes(sim, index) || rubs(sim, index)
                  ? 0
                  : search(sim, more + *count);
  if (found == 0 && !fit) {
    bool none = false;
    if (jumps) {
      SB_TRY(solve_together(sim, index, false, more, count, &solved, &none, err));
    }
    unsolvable = unsolvable || none;
    SB_TRY(recompile(sim, index, unsolvable, err));
  }
  *count += found;
  if (sb_audit_structures(&sim->audit) != SB_OK) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  return sb_steppers_renew(sim, err);
}
