// SPDX-License-Identifier: GPL-3.0-or-later
// Dry friction whose flow becomes zero where no force of it could hold it: behind a ratio n that passes through zero, as of a crank at
// its dead centre, the flow n v is zero whatever the friction bears. The stick n v = 0 is then a constraint whose row vanishes,
//   d(n v)/dt = n'v + n K (F - n l) = 0   has no solution l at n = 0, and l ~ n'v/(K n^2) beside it,
// and to meet it would take an impulse that stops v. Dry friction bears no impulse: it slips on, in the direction of the flow that
// follows, which its force does not decide. Where none follows it waits, and bears nothing.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/causality/constraint.h"
#include "core/model/rhs.h"
#include "core/simulation/simulation_private.h"
#include "core/simulation/switching_private.h"

enum { DISCRETE_MAX = 8 };
/** The flow is zero but for what the time of its event is off. What stops it takes no more than this fraction of the largest energy. */
static const double stopped = 1e-18;
/** What takes more than this fraction of it is stopped by an impulse, whatever force the loops find for it: next to n = 0 that is rounding over n^2. */
static const double struck = 1e-6;
/** The squares of ratios that pass through zero are no rounding any more after this fraction of a step. */
static const double part_of_step = 0.01;
/** The fraction of itself by which a state changes in a short time before the first step; and that time where all are zero [s]. */
static const double change = 1e-9;
/** What bears nothing leaves rates as they are, to this fraction. */
static const double same = 1e-9;

/** Whether a constraint of a part may vanish somewhere: one through a ratio, or of storages that loops close. The rows of others are
 *  constant, and what they act on has a positive definite inverse inertia everywhere. */
bool sb_stick_may_vanish(const sb_simulation *sim, int part) {
  const sb_causality *c = &sim->work->program->causality;
  const bool closes = sim->network->drifting_count > 0;
  bool any = false;
  for (int i = 0; i < c->constraint_count && !any; i++) {
    any = sb_constraint_has_multiplier(c, i) &&
          sim->network->part_of[c->constraints[i].where] == part &&
          (closes || sb_constraint_is_through_structure(sim->network, c, i));
  }
  return any;
}

/** Whether an event indicator of an element is below zero. */
static bool leaves_at_once(sb_simulation *sim, sb_switch *element) {
  double g[SB_INDICATORS_MAX], gdot[SB_INDICATORS_MAX];
  bool any = false;
  sb_indicators_trace(sim, sim->x);
  bool known = sb_switch_indicators(sim, element, sim->t, sim->x, g, gdot, NULL) == SB_OK;
  for (int k = 0; known && k < element->count; k++) {
    any = any || g[k] < 0;
  }
  return any;
}

/** A state a time h [s] later, by the rates of the present modes, into sim->later. @return whether there is one */
static bool go_later(sb_simulation *sim, double h) {
  if (!(h > 0) || sb_workspace_evaluate(sim->work, sim->t, sim->x) != 0) {
    return false;
  }
  memcpy(sim->later, sim->x, (size_t)sb_vector_count(sim->network) * sizeof *sim->x);
  for (int i = 0; i < sim->network->state_count; i++) {
    sim->later[i] += h * sim->work->evaluation.xdot[i];
  }
  return true;
}

/** Whether the constraints of a part determine more a part of a step later: just now they have lost rank. */
static bool gains_rank(sb_simulation *sim, int part, int rank) {
  const double h = fmax(sb_short_time(sim), part_of_step * sim->last_step);
  int later = rank;
  if (go_later(sim, h) && sb_workspace_evaluate(sim->work, sim->t + h, sim->later) == 0) {
    (void)sb_constraints_impulse(sim->work, part, sim->later, &later);
  }
  return sb_workspace_evaluate(sim->work, sim->t, sim->x) == 0 && later > rank;
}

bool sb_stick_holds(sb_simulation *sim, int index) {
  const int part = sim->network->part_of[sim->switches[index].instance];
  const double most = sim->nominal.now.energy[part]; // [J] 0: before the start
  int rank;
  if (sb_workspace_evaluate(sim->work, sim->t, sim->x) != 0) {
    return sim->work->failure.kind != SB_LOOP_NO_SOLUTION &&
           sim->work->failure.kind != SB_LOOP_UNDETERMINED;
  }
  if (!sb_stick_may_vanish(sim, part)) {
    return true;
  }
  const double impulse = sb_constraints_impulse(sim->work, part, sim->x, &rank);
  const bool stops = most > 0 && impulse > stopped * most;
  const bool strikes = most > 0 && impulse > struck * most;
  return !strikes && !(stops && leaves_at_once(sim, &sim->switches[index])) &&
         !gains_rank(sim, part, rank);
}

/** Lets the workspace be at sim->later a time h from now, by the rates of the present modes, whatever branches hold there. What follows
 *  ends by come_back(). @return false: there is none */
static bool look_ahead(sb_simulation *sim, double h) {
  const double later = sim->t + h;
  double *held = sim->work->branches.held;
  memcpy(sim->branches_kept, held, (size_t)sim->network->branch_count * sizeof *held);
  if (!go_later(sim, h)) {
    return false;
  }
  sb_workspace_free_branches(sim->work);
  const bool ok = sb_workspace_evaluate(sim->work, later, sim->later) == 0 &&
                  sb_enforce(sim, later, sim->later, NULL) == SB_OK &&
                  sb_workspace_evaluate(sim->work, later, sim->later) == 0;
  if (ok) {
    sb_trace(sim->work, sim->later);
  }
  return ok;
}

static void come_back(sb_simulation *sim) {
  double *held = sim->work->branches.held;
  memcpy(held, sim->branches_kept, (size_t)sim->network->branch_count * sizeof *held);
  sb_workspace_changed(sim->work);
}

/** The mode of an element that is to decide as at a start, by efforts and flows in sim->port_values; one that would stick waits.
 *  @param next, waits  out */
static sb_status decide(sb_simulation *sim, const sb_switch *element, sb_transition *next,
                        bool *waits, sb_error *err) {
  const sb_instance *instance = &sim->network->instances[element->instance];
  double none[DISCRETE_MAX], discrete[DISCRETE_MAX];
  sb_at at = sb_at_instance(sim->work, instance, sim->t, sim->x);
  at.in = sim->port_values;
  at.mode = element->hooks->initial_mode(instance->self, &at, none);
  memcpy(discrete, at.discrete, (size_t)element->hooks->discrete_states * sizeof *discrete);
  *next = (sb_transition){.mode = at.mode, .err = err};
  SB_TRY(element->hooks->fire(instance->self, &at, 0, discrete, next));
  *waits = instance->type->dissipation->jumps.sticks(instance->self, next->mode);
  next->mode = *waits ? next->held : next->mode;
  return SB_OK;
}

/** The mode of an element by the flow that follows.  @param before  its mode before the event */
static sb_status choose(sb_simulation *sim, const sb_switch *element, int before,
                        sb_transition *next, sb_error *err) {
  const sb_instance *instance = &sim->network->instances[element->instance];
  double none[DISCRETE_MAX];
  const double h = sb_short_time(sim);
  bool waits;
  if (look_ahead(sim, h)) {
    (void)sb_at_event(sim, element, sim->t + h, sim->later);
  } else {
    sb_forget_ports(sim, instance);
  }
  come_back(sim);
  SB_TRY(decide(sim, element, next, &waits, err));
  const sb_at at = sb_at_instance(sim->work, instance, sim->t, sim->x);
  const bool starts = before == element->hooks->initial_mode(instance->self, &at, none);
  next->kind = waits ? "stick" : starts || next->mode == before ? NULL : "slip";
  return SB_OK;
}

sb_status sb_slip_on(sb_simulation *sim, int index, int before, sb_transition *next,
                     sb_changed more[], int *count, sb_error *err) {
  const sb_switch *element = &sim->switches[index];
  const sb_instance *instance = &sim->network->instances[element->instance];
  int *mode = &sim->work->modes[instance->mode];
  assert(element->hooks->discrete_states <= DISCRETE_MAX);
  *mode = next->held;
  sb_workspace_changed(sim->work);
  SB_TRY(sb_commutate(sim, index, more, count, err));
  SB_TRY(choose(sim, element, before, next, err));
  if (next->mode != *mode) {
    *mode = next->mode;
    sb_workspace_changed(sim->work);
    SB_TRY(sb_commutate(sim, index, more, count, err));
  }
  return sb_evaluate_resting(sim, err);
}

/** Whether an element slips from rest, and has not been turned in this burst of events. */
static bool begins_to_slip(const sb_simulation *sim, const sb_switch *element) {
  const sb_instance *instance = &sim->network->instances[element->instance];
  const sb_dissipation_hooks *law = instance->type->dissipation;
  return law != NULL && law->jumps.sticks != NULL && element->hooks->modes.before != NULL &&
         element->hooks->modes.before(instance->self, sim->work->modes[instance->mode], 0) &&
         element->indicators[0].g[0] == 0 && element->turned != sim->burst_number;
}

/** [s] A short time, also before the first step, when no length of a step is known: the states follow their rates alone. */
static double short_time_of(sb_simulation *sim) {
  double h = sb_short_time(sim), least = HUGE_VAL;
  if (h > 0 || sb_workspace_evaluate(sim->work, sim->t, sim->x) != 0) {
    return h;
  }
  for (int k = 0; k < sim->network->state_count; k++) {
    const double rate = fabs(sim->work->evaluation.xdot[k]), x = fabs(sim->x[k]);
    least = x > 0 && rate > 0 ? fmin(least, x / rate) : least;
  }
  return change * (isfinite(least) ? least : 1);
}

/** The first of those from `first` on whose flow goes against its side a short time later; -1: there is none. */
static int find_turned(sb_simulation *sim, int first) {
  const double h = short_time_of(sim);
  const bool known = look_ahead(sim, h);
  int found = -1;
  for (int i = first; known && found < 0 && i < sim->switch_count; i++) {
    const sb_switch *element = &sim->switches[i];
    const sb_instance *instance = &sim->network->instances[element->instance];
    double g[SB_INDICATORS_MAX] = {0}, gdot[SB_INDICATORS_MAX];
    if (begins_to_slip(sim, element)) {
      const sb_at at = sb_at_event(sim, element, sim->t + h, sim->later);
      found = element->hooks->indicators(instance->self, &at, g, gdot) > 0 && g[0] < 0 ? i : -1;
    }
  }
  come_back(sim);
  return found;
}

sb_status sb_slip_turned(sb_simulation *sim, int *found, sb_error *err) {
  int first = 0;
  *found = -1;
  while (first < sim->switch_count && !begins_to_slip(sim, &sim->switches[first])) {
    first++;
  }
  if (first == sim->switch_count) {
    return SB_OK;
  }
  *found = find_turned(sim, first);
  if (*found >= 0) {
    sim->switches[*found].turned = sim->burst_number;
  }
  SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
  sb_indicators_trace(sim, sim->x);
  return SB_OK;
}

/** Whether the rates at the present are those in sim->rates0. */
static bool moves_alike(const sb_simulation *sim) {
  const double *xdot = sim->work->evaluation.xdot;
  bool alike = true;
  for (int i = 0; i < sim->network->state_count && alike; i++) {
    alike = fabs(xdot[i] - sim->rates0[i]) <= same * fmax(fabs(xdot[i]), fabs(sim->rates0[i]));
  }
  return alike;
}

/** All that stick wait where a constraint may vanish. @return the last of them; -1: none did */
static int let_wait(sb_simulation *sim) {
  int last = -1;
  for (int i = 0; i < sim->switch_count; i++) {
    const sb_switch *element = &sim->switches[i];
    const sb_instance *instance = &sim->network->instances[element->instance];
    sb_transition next;
    bool waits;
    if (sb_instance_sticks(instance, sim->work->modes) &&
        sb_stick_may_vanish(sim, sim->network->part_of[element->instance])) {
      sb_forget_ports(sim, instance);
      if (decide(sim, element, &next, &waits, NULL) == SB_OK && waits) {
        sim->work->modes[instance->mode] = next.mode;
        last = i;
      }
    }
  }
  sb_workspace_changed(sim->work);
  return last;
}

/** Whether all moves in the present modes as it did in those before, without an event at once. */
static bool goes_on(sb_simulation *sim, int last) {
  sb_changed more[SB_COMMUTATION_MAX];
  int none = 0;
  return sb_commutate(sim, last, more, &none, NULL) == SB_OK &&
         sb_evaluate(sim, sim->t, sim->x, NULL) == SB_OK && moves_alike(sim) &&
         sb_loops_check(sim, NULL) == SB_OK &&
         sb_indicators_read(sim, sim->t, sim->x, 0, NULL) == SB_OK;
}

bool sb_idle_sticks_wait(sb_simulation *sim, sb_attempt *attempt, void *context) {
  const size_t size = (size_t)sim->network->mode_count * sizeof *sim->modes_kept;
  sim->work->loops.continues = false;
  if (sb_workspace_evaluate(sim->work, sim->t, sim->x) != 0) {
    return false;
  }
  memcpy(sim->rates0, sim->work->evaluation.xdot,
         (size_t)sim->network->state_count * sizeof *sim->rates0);
  memcpy(sim->modes_kept, sim->work->modes, size);
  const int last = let_wait(sim);
  if (last < 0) {
    return false;
  }
  sim->restart = true;
  if (goes_on(sim, last) && attempt(sim, context)) {
    return true;
  }
  sb_changed more[SB_COMMUTATION_MAX];
  int none = 0;
  memcpy(sim->work->modes, sim->modes_kept, size);
  sb_workspace_changed(sim->work);
  if (sb_commutate(sim, last, more, &none, NULL) == SB_OK) {
    (void)sb_workspace_evaluate(sim->work, sim->t, sim->x); // what is read after the run
    (void)sb_indicators_read(sim, sim->t, sim->x, 0, NULL);
  }
  return false;
}
