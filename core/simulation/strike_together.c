// SPDX-License-Identifier: GPL-3.0-or-later
// The problem of an instant (core/model/complementarity.c): all diodes of a connected part, its stops that are closed, and those that are
// free and at a limit, take the modes that hold behind the instant at once. One after the other, what is hit first would be released by the
// impulse of the next, and of two that hold one motion from both sides, v >= 0 and v <= 0, none would take over from the other: the way
// that a stop is from its limit tells of it only after it has been passed.
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/model/complementarity.h"
#include "core/network/instant.h"
#include "core/network/roles.h"
#include "core/simulation/simulation_private.h"
#include "core/simulation/switching_private.h"

/** A flow is known to this fraction of its terms, and so is the way that is its integral. */
static const double rounding = 16 * DBL_EPSILON;

/** Ways are measured again where forces have given what they hold so many times the velocity. */
static const double farther = 2;

enum { DISCRETE_MAX = 8 };

/** What the problem of an instant is solved with, of a part. */
typedef struct instant {
  int part;
  int *modes;  // (modes) those behind it
  int *limit;  // (switches) of a stop that is free and at a limit the indicator of that; -1: else
  int *before; // (modes) as they were
  double *discrete; // (discrete states) as they were
} instant;

/** What the flow of a stop is known to a rounding of. @pre sb_audit_present_sizes() */
static double flow_size(const sb_simulation *sim, const sb_instance *instance) {
  return sim->audit.present_sizes[sb_flow_var(instance, 0)];
}

/** How far a stop may be from a limit that it is at, by the rounding of the way that it has gone [its unit].
 *  @param flow  the size of what it is known to a rounding of */
static double rounding_of(const sb_simulation *sim, const sb_instance *instance, double flow) {
  const double span = sim->t - sim->options.t_start;
  return rounding * (flow * span + sim->nominal.used[instance->state]);
}

/** The fastest that a stop could have been: with the largest energy of its part so far. */
static double fastest_of(const sb_simulation *sim, const sb_instance *instance) {
  return fmax(flow_size(sim, instance), sim->port_sizes[sb_flow_var(instance, 0)]);
}

double sb_stop_fastest(const sb_simulation *sim, int index) {
  return fastest_of(sim, &sim->network->instances[sim->switches[index].instance]);
}

/** Whether its speed is rounding of that, as impulses of others leave it. */
static bool is_still(const sb_simulation *sim, const sb_instance *instance, double flow) {
  return fabs(flow) <= rounding * fastest_of(sim, instance);
}

double sb_stop_rest(const sb_simulation *sim, const sb_instance *instance, const sb_at *at,
                    const double x[]) {
  sb_port_ranges_trace(sim, x);
  const double fastest = sim->port_sizes[sb_flow_var(instance, 0)];
  return fabs(at->in[1]) <= rounding * fastest ? rounding_of(sim, instance, fastest) : 0;
}

/** Whether a free stop is at a limit: what is left takes no more than the rounding of the time, or is rounding itself. Of one that rests there
 *  it is what has been gone since at such a speed. */
static bool is_at(const sb_simulation *sim, const sb_instance *instance, double g, double gdot) {
  const double flow = flow_size(sim, instance), fastest = fastest_of(sim, instance);
  const bool rests = is_still(sim, instance, gdot) && g <= rounding_of(sim, instance, fastest);
  return rests || g <= rounding_of(sim, instance, flow) + fmax(-gdot, 0) * sb_time_rounding(sim->t);
}

/** Whether it moves on through a limit at this instant. */
static bool hits(const sb_simulation *sim, double g, double gdot) {
  return gdot <= 0 && g <= -gdot * sb_time_rounding(sim->t);
}

/** The limit that a free stop is at; -1: none. @param hit  it has to move on, too */
static int limit_of(const sb_simulation *sim, const sb_switch *element, const sb_at *at, bool hit) {
  const sb_instance *instance = &sim->network->instances[element->instance];
  double g[SB_INDICATORS_MAX], gdot[SB_INDICATORS_MAX];
  int k = instance->type->switching->indicators(instance->self, at, g, gdot) - 1;
  while (k >= 0 && !(hit ? hits(sim, g[k], gdot[k]) : is_at(sim, instance, g[k], gdot[k]))) {
    k--;
  }
  return k;
}

void sb_stops_size(sb_simulation *sim) {
  sb_audit_present_sizes(&sim->audit, sim->t, sim->x);
  sb_port_ranges_trace(sim, sim->x);
}

bool sb_stop_is_still(sb_simulation *sim, int index) {
  const sb_instance *instance = &sim->network->instances[sim->switches[index].instance];
  const sb_at at = sb_at_switch(sim, &sim->switches[index], sim->t, sim->x);
  sb_complementary kind;
  if (sim->switches[index].hooks->modes.complementary == NULL || instance->layout.states == 0 ||
      sb_instance_is_complementary(instance, sim->work->modes, &kind)) {
    return false;
  }
  sb_stops_size(sim);
  return is_still(sim, instance, at.in[1]);
}

int sb_stop_limit(const sb_simulation *sim, int index) {
  const sb_switch *element = &sim->switches[index];
  const sb_at at = sb_at_switch(sim, element, sim->t, sim->x);
  return limit_of(sim, element, &at, false);
}

static bool is_of_part(const sb_simulation *sim, int index, int part) {
  return sim->network->part_of[sim->switches[index].instance] == part;
}

/** Stops that are free and at a limit are closed, but for those that would be thrown back.
 *  @param hit  only those that move on */
static sb_status close_stops(sb_simulation *sim, instant *all, bool hit, sb_error *err) {
  sb_complementary kind;
  sb_stops_size(sim);
  for (int i = 0; i < sim->switch_count; i++) {
    const sb_switch *element = &sim->switches[i];
    const sb_instance *instance = &sim->network->instances[element->instance];
    const sb_switching_hooks *hooks = instance->type->switching;
    if (!is_of_part(sim, i, all->part) || hooks->modes.complementary == NULL ||
        instance->layout.states == 0 ||
        sb_instance_is_complementary(instance, sim->work->modes, &kind)) {
      continue;
    }
    double discrete[DISCRETE_MAX];
    sb_at at = sb_at_switch(sim, element, sim->t, sim->x);
    sb_transition next = {.mode = at.mode, .err = err};
    const int limit = limit_of(sim, element, &at, hit);
    const double still[2] = {at.in[0], 0};
    memcpy(discrete, at.discrete, (size_t)hooks->discrete_states * sizeof *discrete);
    if (limit >= 0) {
      at.in = is_still(sim, instance, at.in[1]) ? still : at.in; // it has nothing to give back
      SB_TRY(hooks->fire(instance->self, &at, limit, discrete, &next));
      if (next.restitution == 0) {
        all->limit[i] = limit;
        all->modes[instance->mode] = next.mode;
      }
    }
  }
  return SB_OK;
}

/** Takes the modes that have been found.
 *  @param index  what has switched already is not listed  @return whether the part has a solution in them */
static bool take_modes(sb_simulation *sim, const instant *all, int index, sb_changed more[],
                       int *count) {
  for (int i = 0; i < sim->switch_count; i++) {
    const sb_instance *instance = &sim->network->instances[sim->switches[i].instance];
    const sb_switching_hooks *hooks = instance->type->switching;
    if (all->modes[instance->mode] == all->before[instance->mode]) {
      continue;
    }
    sb_at at = sb_at_switch(sim, &sim->switches[i], sim->t, sim->x);
    sb_transition next = {.mode = at.mode};
    const int indicator = all->limit[i] < 0 ? 0 : all->limit[i];
    const double still[2] = {at.in[0], 0};
    at.in = all->limit[i] >= 0 && is_still(sim, instance, at.in[1]) ? still : at.in;
    if (hooks->fire(instance->self, &at, indicator, sim->work->discrete + instance->discrete,
                    &next) == SB_OK &&
        i != index) {
      more[(*count)++] = (sb_changed){i, next.kind};
    }
    sim->work->modes[instance->mode] = all->modes[instance->mode];
  }
  sb_errors errors = {0};
  const bool ok = sb_workspace_recompile(sim->work, &errors) == SB_OK &&
                  sb_evaluate(sim, sim->t, sim->x, NULL) == SB_OK;
  sb_errors_finish(&errors);
  return ok;
}

/** The present modes, before others are found. */
static sb_status begin(const sb_simulation *sim, int part, instant *all, sb_arena *memory,
                       sb_error *err) {
  const sb_network *network = sim->network;
  all->part = part;
  all->modes = sb_arena_zeroed(memory, network->mode_count, sizeof *all->modes);
  all->before = sb_arena_zeroed(memory, network->mode_count, sizeof *all->before);
  all->limit = sb_arena_zeroed(memory, sim->switch_count, sizeof *all->limit);
  all->discrete = sb_arena_zeroed(memory, network->discrete_count, sizeof *all->discrete);
  if (memory->failed) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  for (int i = 0; i < sim->switch_count; i++) {
    all->limit[i] = -1;
  }
  memcpy(all->modes, sim->work->modes, (size_t)network->mode_count * sizeof(int));
  memcpy(all->before, sim->work->modes, (size_t)network->mode_count * sizeof(int));
  memcpy(all->discrete, sim->work->discrete, (size_t)network->discrete_count * sizeof(double));
  return SB_OK;
}

/** Takes the modes that have been found; where the part has no solution in them, all is as it was. */
static bool try_modes(sb_simulation *sim, const instant *all, int index, sb_changed more[],
                      int *count) {
  const sb_network *network = sim->network;
  const int first = *count;
  if (take_modes(sim, all, index, more, count)) {
    return true;
  }
  memcpy(sim->work->modes, all->before, (size_t)network->mode_count * sizeof(int));
  memcpy(sim->work->discrete, all->discrete, (size_t)network->discrete_count * sizeof(double));
  sb_workspace_changed(sim->work);
  *count = first;
  return false;
}

/** Whether a stop has just let go by its own force, and no other element takes part. In the problem the rounding of its flow, which was held at zero,
 *  would be a hit whose impulse is more than that force.
 *  @param index  -1: none */
static bool lets_go_alone(const sb_simulation *sim, const instant *all, int index) {
  return index >= 0 && all->limit[index] >= 0 &&
         sb_complementary_count(sim->network, all->modes, all->part) == 1;
}

sb_status sb_part_solve(sb_simulation *sim, int part, int index, sb_changed more[], int *count,
                        sb_status *known, sb_error *err) {
  sb_arena memory = {0};
  instant all;
  sb_status status = begin(sim, part, &all, &memory, err);
  if (status == SB_OK) {
    status = close_stops(sim, &all, false, err);
  }
  if (status == SB_OK && lets_go_alone(sim, &all, index)) {
    *known = SB_ERR_LIMIT;
  } else if (status == SB_OK) {
    *known = sb_complementarity_solve(sim->work, part, sim->t, sim->x, all.modes);
    if (*known == SB_ERR_MEMORY) {
      status = sb_fail(err, SB_ERR_MEMORY, "out of memory");
    } else if (*known == SB_OK && !try_modes(sim, &all, index, more, count)) {
      *known = SB_ERR_LIMIT;
    }
  }
  sb_arena_finish(&memory);
  return status;
}

/** A stop that the problem leaves free, though it has come to its limit, is held there by others and has moved by rounding alone: it is
 *  set as far from the limit as this is known to, so that what follows does not pass it again at once. */
static void set_apart(sb_simulation *sim, const sb_switch *element, int limit) {
  const sb_instance *instance = &sim->network->instances[element->instance];
  double g[SB_INDICATORS_MAX], gdot[SB_INDICATORS_MAX], *q = &sim->x[instance->state];
  sb_audit_present_sizes(&sim->audit, sim->t, sim->x);
  const double way = rounding_of(sim, instance, flow_size(sim, instance));
  sb_at at = sb_at_switch(sim, element, sim->t, sim->x);
  *q += way;
  if (instance->type->switching->indicators(instance->self, &at, g, gdot) > limit && g[limit] < 0) {
    *q -= 2 * way;
  }
  sb_workspace_changed(sim->work);
}

/** Stops that are hit at this instant close together: what is left where there is no problem to solve, as of bodies. */
static sb_status strike(sb_simulation *sim, int part, int index, sb_changed more[], int *count,
                        sb_error *err) {
  sb_arena memory = {0};
  instant all;
  sb_status status = begin(sim, part, &all, &memory, err);
  status = status == SB_OK ? close_stops(sim, &all, true, err) : status;
  if (status == SB_OK) {
    (void)try_modes(sim, &all, index, more, count);
  }
  sb_arena_finish(&memory);
  return status;
}

/** Counts the complementary elements of a part, and stops among them. */
static int count_all(const sb_simulation *sim, int part, int *stops) {
  int all = 0;
  *stops = 0;
  for (int i = 0; i < sim->switch_count; i++) {
    const sb_instance *instance = &sim->network->instances[sim->switches[i].instance];
    const bool own =
        is_of_part(sim, i, part) && instance->type->switching->modes.complementary != NULL;
    all += own;
    *stops += own && instance->layout.states > 0;
  }
  return all;
}

bool sb_part_has_stops(const sb_simulation *sim, int part, int least) {
  int stops;
  return count_all(sim, part, &stops) >= least && stops > 0;
}

/** Whether a stop of a part closes or lets go by the event, or is closed, or free and at a limit. One that is on its way bears nothing, whatever others
 *  do at this instant.
 *  @param index  of the event */
static bool stops_take_part(sb_simulation *sim, int index, int part) {
  bool any = false, sized = false;
  for (int i = 0; i < sim->switch_count && !any; i++) {
    const sb_instance *instance = &sim->network->instances[sim->switches[i].instance];
    sb_complementary kind;
    if (!is_of_part(sim, i, part) || instance->type->switching->modes.complementary == NULL ||
        instance->layout.states == 0) {
      continue;
    }
    if (!sized) {
      sb_stops_size(sim);
      sized = true;
    }
    any = i == index || sb_instance_is_complementary(instance, sim->work->modes, &kind) ||
          sb_stop_limit(sim, i) >= 0;
  }
  return any;
}

/** Whether the event is one of a machine with rigid contacts in which nothing strikes: what touches or lets go there, next to nothing in free fall, does so by
 *  itself. */
static bool is_by_itself(const sb_simulation *sim, int index, int part, bool closes) {
  const sb_instance *instance = &sim->network->instances[sim->switches[index].instance];
  bool contacts = false;
  for (int i = 0; i < sim->switch_count; i++) {
    contacts =
        contacts ||
        (is_of_part(sim, i, part) &&
         sim->network->instances[sim->switches[i].instance].type->switching->unilateral != NULL);
  }
  return contacts &&
         !(closes && !is_still(sim, instance,
                               sb_at_switch(sim, &sim->switches[index], sim->t, sim->x).in[1]));
}

sb_status sb_change_together(sb_simulation *sim, int index, int indicator, sb_changed more[],
                             int *count, bool *together, sb_error *err) {
  const sb_instance *instance = &sim->network->instances[sim->switches[index].instance];
  const int part = sim->network->part_of[sim->switches[index].instance];
  sb_complementary kind;
  const bool closes = sb_instance_is_complementary(instance, sim->work->modes, &kind);
  int stops;
  const int all = count_all(sim, part, &stops);
  sb_status known = SB_ERR_LIMIT;
  *together = false;
  if (instance->type->switching->modes.complementary == NULL || all < 2 ||
      (sim->switches[index].at_once < 2 && !stops_take_part(sim, index, part)) ||
      is_by_itself(sim, index, part, closes)) {
    return SB_OK;
  }
  SB_TRY(sb_part_solve(sim, part, index, more, count, &known, err));
  *together = known == SB_OK;
  if (*together && closes && instance->layout.states > 0 &&
      !sb_instance_is_complementary(instance, sim->work->modes, &kind)) {
    set_apart(sim, &sim->switches[index], indicator);
  }
  if (*together && !closes && sim->switches[index].at_once > 1 && instance->layout.states > 0 &&
      sb_instance_is_complementary(instance, sim->work->modes, &kind)) {
    sim->work->modes[instance->mode] = kind.free; // it bears nothing but rounding, of either sign
    sb_workspace_changed(sim->work);
  }
  return known != SB_OK && closes && stops == all ? strike(sim, part, index, more, count, err)
                                                  : SB_OK;
}

static double pushed(const sb_simulation *sim) {
  double sum = 0;
  for (int p = 0; p < sim->network->part_count; p++) {
    sum += sim->nominal.hold[p];
  }
  return sum;
}

void sb_stops_follow(sb_simulation *sim) {
  if (pushed(sim) > farther * farther * sim->stops_pushed) {
    sb_stops_measure(sim);
  }
}

void sb_stops_measure(sb_simulation *sim) {
  const double span = sim->t_end - sim->options.t_start;
  bool traced = false;
  sim->stops_pushed = pushed(sim);
  for (int i = 0; i < sim->switch_count; i++) {
    const sb_instance *instance = &sim->network->instances[sim->switches[i].instance];
    if (instance->type->switching->modes.complementary == NULL || instance->layout.states == 0) {
      continue;
    }
    if (!traced) {
      sb_audit_present_sizes(&sim->audit, sim->t, sim->x);
      traced = true;
    }
    const double way = rounding * flow_size(sim, instance) * span;
    double *size = &sim->nominal.now.size[instance->state];
    const bool moved = fabs(sim->x[instance->state] - sim->nominal.origin[instance->state]) > way;
    *size = moved ? *size : fmax(*size, way / sim->options.rtol);
  }
}
