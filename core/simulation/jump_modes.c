// SPDX-License-Identifier: GPL-3.0-or-later
// Laws that jump where no storage decides on which side they are, as resistances in series and parallel beside a source: the modes of all
// in a connected part are one problem (core/model/jump_laws.c). One after the other, each by its own event, some would be left in modes that have no
// solution together, or would take turns.
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/model/jump_laws.h"
#include "core/simulation/simulation_private.h"
#include "core/simulation/switching_private.h"

/** Laws that are not linear are so about a solution of the modes found; more often it is not asked for others. */
enum { ROUNDS = 20 };
/** An argument within this fraction of the place of a jump is there. */
static const double at_place = 64 * DBL_EPSILON;

/** What has been found for a part. */
typedef struct found {
  int part;
  int *modes;  // (instances)
  bool *rests; // (instances) whether it is at its jump
  int *before; // (modes) as they were,
  int *last;   // and as they were found before
} found;

static const sb_jumping_law *jumps_of(const sb_instance *instance) {
  return &instance->type->dissipation->jumps;
}

/** The mode that a law takes: what has been found, but what sticks there goes on in its own. */
static int mode_to_take(const sb_simulation *sim, const sb_instance *instance, int mode) {
  const int now = sim->work->modes[instance->mode];
  const bool stays =
      sb_instance_sticks(instance, sim->work->modes) &&
      jumps_of(instance)->sticks(instance->self, mode) &&
      sb_instance_stick_place(instance, now) == sb_instance_stick_place(instance, mode);
  return stays ? now : mode;
}

/** Whether a law of the part has been found on a side. */
static bool is_found(const sb_simulation *sim, const found *f, int instance) {
  return sim->network->part_of[instance] == f->part &&
         sb_instance_jumps(&sim->network->instances[instance]) &&
         f->modes[instance] != SB_JUMP_GIVEN;
}

/** Takes the modes. */
static void take_modes(sb_simulation *sim, const found *f) {
  for (int i = 0; i < sim->network->instance_count; i++) {
    const sb_instance *instance = &sim->network->instances[i];
    if (is_found(sim, f, i)) {
      sim->work->modes[instance->mode] = mode_to_take(sim, instance, f->modes[i]);
    }
  }
  sb_workspace_changed(sim->work);
}

static size_t modes_size(const sb_simulation *sim) {
  return (size_t)sim->network->mode_count * sizeof *sim->work->modes;
}

bool sb_modes_compile(sb_simulation *sim) {
  sb_errors errors = {0};
  const bool ok = sb_workspace_recompile(sim->work, &errors) == SB_OK &&
                  sb_evaluate(sim, sim->t, sim->x, NULL) == SB_OK;
  sb_errors_finish(&errors);
  if (ok) {
    sb_trace(sim->work, sim->x);
  }
  return ok;
}

static bool is_at_a_jump(const sb_instance *instance, double u) {
  bool any = false;
  for (int k = 0, mode; (mode = jumps_of(instance)->mode(instance->self, k, 0)) >= 0 && !any; k++) {
    const double place = sb_instance_stick_place(instance, mode);
    any = fabs(u - place) <= at_place * fabs(place);
  }
  return any;
}

/** Which laws of the part are at their jump, but for rounding. @param own  is, as its event says; -1: none */
static void find_resting(sb_simulation *sim, int own, found *f) {
  for (int i = 0; i < sim->switch_count; i++) {
    const sb_switch *element = &sim->switches[i];
    const sb_instance *instance = &sim->network->instances[element->instance];
    if (sim->network->part_of[element->instance] == f->part && sb_instance_jumps(instance)) {
      const sb_at at = sb_at_event(sim, element, sim->t, sim->x);
      const bool of_effort = sb_natural_output(instance, 0) == SB_FLOW;
      f->rests[element->instance] =
          element->instance == own || sb_instance_sticks(instance, sim->work->modes) ||
          is_at_a_jump(instance, at.in[of_effort ? 0 : instance->components]);
    }
  }
}

/** The mode at the end of the jump, for one on a side. @param stuck  out: that in which it sticks there */
static int end_of(const sb_instance *instance, int mode, int *stuck) {
  int end = mode;
  for (int k = 0; (*stuck = jumps_of(instance)->mode(instance->self, k, 0)) >= 0; k++) {
    for (int side = -1; side <= 1; side += 2) {
      if (jumps_of(instance)->mode(instance->self, k, side) == mode) {
        return jumps_of(instance)->mode(instance->self, k, 2 * side);
      }
    }
  }
  return end;
}

/** What is on a side and at rest, as others hold it, is at the end of its jump. @return whether there is any whose mode that changes */
static bool take_ends(sb_simulation *sim, const found *f) {
  bool any = false;
  for (int i = 0; i < sim->switch_count; i++) {
    const int own = sim->switches[i].instance;
    const sb_instance *instance = &sim->network->instances[own];
    int stuck;
    if (is_found(sim, f, own)) {
      int *mode = &sim->work->modes[instance->mode];
      const int end = end_of(instance, *mode, &stuck);
      const bool held = end != *mode && sb_motion_is_held(sim, i, stuck);
      *mode = held ? end : *mode;
      any = any || held;
    }
  }
  return any;
}

/** Modes that are those of the problem which is linear about their own solution.
 *  @param own  as of solve() */
static sb_status find(sb_simulation *sim, int own, found *f) {
  const double h = sb_short_time(sim);
  bool changes = true;
  for (int round = 0; changes; round++) {
    if (round == ROUNDS) {
      return SB_ERR_LIMIT;
    }
    SB_TRY(sb_jump_laws_solve(sim->work, f->part, sim->t, h, sim->x, sim->work->modes,
                              own >= 0 || round > 0, f->rests, f->modes));
    if (own >= 0 && !is_found(sim, f, own)) {
      return SB_ERR_LIMIT;
    }
    memcpy(f->last, sim->work->modes, modes_size(sim));
    take_modes(sim, f);
    changes = memcmp(f->last, sim->work->modes, modes_size(sim)) != 0;
    if (changes && !sb_modes_compile(sim)) {
      return SB_ERR_SOLVER;
    }
    if (take_ends(sim, f)) {
      if (!sb_modes_compile(sim)) {
        return SB_ERR_SOLVER;
      }
      changes = memcmp(f->last, sim->work->modes, modes_size(sim)) != 0;
    }
  }
  return SB_OK;
}

/** Elements whose modes have changed take them as an event, and those that have had none so far as well.
 *  @param more, count  out */
static void enter(sb_simulation *sim, const found *f, sb_changed more[], int *count) {
  for (int i = 0; i < sim->switch_count; i++) {
    const int own = sim->switches[i].instance;
    const sb_instance *instance = &sim->network->instances[own];
    if (!is_found(sim, f, own) || sim->work->modes[instance->mode] == f->before[instance->mode]) {
      continue;
    }
    sb_at at = sb_at_switch(sim, &sim->switches[i], sim->t, sim->x);
    sb_transition next = {.mode = at.mode};
    at.mode = f->before[instance->mode];
    jumps_of(instance)->enter(instance->self, &at, sim->work->modes[instance->mode],
                              sim->work->discrete + instance->discrete, &next);
    more[(*count)++] = (sb_changed){i, next.kind};
  }
}

/** @param own  the instance that has had an event; -1: none, the present modes have no solution
 *  @param known  out: SB_OK, or why all is as it was */
static sb_status solve(sb_simulation *sim, int part, int own, sb_changed more[], int *count,
                       sb_status *known, sb_error *err) {
  const sb_network *network = sim->network;
  sb_arena memory = {0};
  found f = {.part = part};
  f.modes = sb_arena_zeroed(&memory, network->instance_count, sizeof *f.modes);
  f.rests = sb_arena_zeroed(&memory, network->instance_count, sizeof *f.rests);
  f.before = sb_arena_zeroed(&memory, network->mode_count, sizeof *f.before);
  f.last = sb_arena_zeroed(&memory, network->mode_count, sizeof *f.last);
  *known = memory.failed ? SB_ERR_MEMORY : SB_OK;
  if (*known == SB_OK) {
    memcpy(f.before, sim->work->modes, modes_size(sim));
    find_resting(sim, own, &f);
    *known = find(sim, own, &f);
    if (*known == SB_OK) {
      enter(sim, &f, more, count);
    } else if (memcmp(f.before, sim->work->modes, modes_size(sim)) != 0) {
      memcpy(sim->work->modes, f.before, modes_size(sim));
      sb_workspace_changed(sim->work);
      (void)sb_modes_compile(sim);
    }
  }
  sb_arena_finish(&memory);
  return *known == SB_ERR_MEMORY ? sb_fail(err, SB_ERR_MEMORY, "out of memory") : SB_OK;
}

sb_status sb_jumps_change(sb_simulation *sim, int index, sb_changed more[], int *count, bool *known,
                          sb_error *err) {
  const int own = sim->switches[index].instance, part = sim->network->part_of[own];
  const int generation = sim->work->generation;
  sb_status status = SB_ERR_LIMIT;
  int none = 0;
  if (sb_instance_jumps(&sim->network->instances[own])) {
    SB_TRY(solve(sim, part, own, more, count, &status, err));
  }
  *known = status == SB_OK;
  if (*count > 0) {
    return sb_commutate(sim, index, more + *count, &none, err);
  }
  if (sim->work->generation == generation) {
    return SB_OK;
  }
  sim->restart = true; // the same modes, in another program
  return sb_steppers_renew(sim, err);
}

sb_status sb_jumps_settle(sb_simulation *sim, sb_error *err) {
  sb_changed *more = sim->changed;
  int count = 0, none = 0;
  for (int part = 0; part < sim->network->part_count; part++) {
    sb_status known;
    if (sb_jump_law_count(sim->network, part) > 0) {
      SB_TRY(solve(sim, part, -1, more, &count, &known, err));
    }
  }
  if (count == 0) {
    return SB_ERR_UNSOLVED;
  }
  SB_TRY(sb_commutate(sim, more[0].index, more + count, &none, err));
  SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
  sim->restart = true;
  return sim->begun ? sb_event_enter(sim, more, count, err) : SB_OK;
}
