// SPDX-License-Identifier: GPL-3.0-or-later
// Event indicators of switching elements: functions of time and state that are positive while the
// present mode lasts; one that falls through zero is an event.
#include <math.h>
#include <string.h>

#include "core/base/wide.h"
#include "core/model/constraints.h"
#include "core/simulation/simulation_private.h"
#include "core/simulation/switching_private.h"

/** What is below this fraction of the sum of its terms' absolute values is zero. */
static const double zero = 16 * DBL_EPSILON;

/** What a switching element reads by its ports: its inputs, or efforts and then flows. */
static const double *ports_of(const sb_simulation *sim, const sb_instance *instance) {
  if (!instance->type->switching->sees_ports) {
    return sim->work->values + instance->in;
  }
  for (int k = 0; k < instance->components; k++) {
    sim->port_values[k] = sim->work->bond_values[sb_effort_var(instance, k)];
    sim->port_values[instance->components + k] =
        sim->work->bond_values[sb_flow_var(instance, k)] * instance->signs[k];
  }
  return sim->port_values;
}

/** Filled in where it is wanted: handed over it would be a copy, which waits for what has just been written. */
SB_INLINE sb_at at_switch(const sb_simulation *sim, const sb_switch *element, double t,
                          const double x[]) {
  const sb_instance *instance = &sim->network->instances[element->instance];
  sb_at at = sb_at_instance(sim->work, instance, t, x);
  at.in = ports_of(sim, instance);
  return at;
}

sb_at sb_at_switch(const sb_simulation *sim, const sb_switch *element, double t, const double x[]) {
  return at_switch(sim, element, t, x);
}

static bool sees_rounding(const sb_instance *instance) {
  return instance->type->switching->sees_ports && instance->hooked;
}

/** What constraints hold is known to the rounding of a motion with this energy in each part: that which their forces would have given it in a step;
 *  and, as a flow M^-1 p of a tree is a sum of terms up to sqrt(2 T m^-1), that of its trees. Where one is held the impulse to that moves the
 *  others with no more. */
static void find_held_energies(const sb_simulation *sim, const double x[]) {
  memcpy(sim->held_energies, sim->nominal.hold,
         (size_t)sim->network->part_count * sizeof *sim->held_energies);
  for (int i = 0; i < sim->network->instance_count; i++) {
    const sb_instance *instance = &sim->network->instances[i];
    double *energy = &sim->held_energies[sim->network->part_of[i]];
    if (*energy > 0 && sb_instance_accelerates(instance)) {
      const sb_storage_hooks *storage = instance->type->storage;
      const sb_at at = sb_at_instance(sim->work, instance, sim->t, x);
      *energy += storage->sizes.nominal == NULL
                     ? 0
                     : storage->sizes.nominal(instance->self, &at, 0,
                                              sim->state_sizes + instance->state, NULL);
    }
  }
}

/** What a flow of a tree is known to the rounding of where constraints hold it: the absolute values of its terms g p by the momenta,
 *  and what a projection leaves, as a fraction of the largest flow in the same unit. */
static double size_held_flow(const sb_simulation *sim, const sb_instance *instance, const sb_at *at,
                             int component, const double x[]) {
  double *unit = sim->hook_values, *out = unit + instance->components,
         *gradient = out + instance->components, *dx = gradient + instance->layout.states, sum = 0;
  memset(unit, 0, (size_t)instance->components * sizeof *unit);
  unit[component] = 1;
  const bool known = instance->type->storage->constraints.acceleration->impulse(
                         instance->self, at, unit, dx, gradient, out) == 0;
  for (int k = 0; known && k < instance->layout.states; k++) {
    sum += fabs(gradient[k] * x[instance->state + k]);
  }
  const sb_constraint_groups *groups = sb_constraint_groups_of(sim->work);
  double largest = 0;
  for (int k = 0; groups != NULL && k < instance->components; k++) {
    const char *turns = groups->turns + instance->out;
    const double flow = fabs(sim->work->values[instance->out + k]);
    largest = turns[k] == turns[component] ? fmax(largest, flow) : largest;
  }
  return sum + SB_DRIFT_TOL / zero * largest;
}

/** The flows of a tree with an energy, and with its accelerations for a time h [s], as far as these are known to no more than a fraction of their
 *  terms: of weights that balance no force is left. */
static void size_tree(const sb_simulation *sim, const sb_instance *instance, double energy,
                      double h, const double x[]) {
  const sb_storage_acceleration *acceleration = instance->type->storage->constraints.acceleration;
  const sb_at at = sb_at_instance(sim->work, instance, sim->t, x);
  double *size = sim->value_sizes + instance->out, *terms = sim->acceleration_terms;
  const bool known =
      energy > 0 && acceleration->impulse(instance->self, &at, sim->uneven, NULL, NULL, size) == 0;
  memset(terms, 0, (size_t)instance->components * sizeof *terms);
  if (h > 0 && acceleration->terms != NULL) {
    acceleration->terms(instance->self, &at, terms);
  }
  for (int k = 0; k < instance->components; k++) {
    size[k] = fmax(known ? sqrt(2 * energy * fabs(size[k])) : 0, h * terms[k]);
    size[k] = h > 0 ? fmax(size[k], size_held_flow(sim, instance, &at, k, x)) : size[k];
  }
}

static void size_held_states(const sb_simulation *sim, const sb_instance *instance, double energy) {
  for (int k = 0; k < instance->components; k++) {
    const double K = instance->matrix[k * instance->components + k];
    double *size = &sim->state_sizes[instance->state + k];
    if (K > 0 && sb_constraints_hold(sim->work, instance->state + k)) {
      *size = fmax(*size, sqrt(2 * energy / K));
    }
  }
}

/** States are known to the rounding of the sizes that their errors are relative to.
 *  @param hold  what is held is, too; else flows of trees have the largest energy that there has been in their part  @param h  as of size_tree() */
static void trace_sizes(const sb_simulation *sim, const double x[], bool hold, double h) {
  if (hold) {
    find_held_energies(sim, x);
  }
  for (int i = 0; i < sim->network->state_count; i++) {
    sim->state_sizes[i] = fmax(fabs(x[i]), sim->nominal.now.size[i]);
  }
  for (int i = 0; i < sim->network->instance_count; i++) {
    const sb_instance *instance = &sim->network->instances[i];
    const int part = sim->network->part_of[i];
    if (sb_instance_accelerates(instance)) {
      size_tree(sim, instance, hold ? sim->held_energies[part] : sb_largest_energy(sim, part), h,
                x);
    } else if (hold && instance->type->storage != NULL && instance->linear &&
               sim->held_energies[part] > 0) {
      size_held_states(sim, instance, sim->held_energies[part]);
    }
  }
  sb_trace_sizes(sim->work, sim->state_sizes, sim->value_sizes, NULL, sim->port_sizes);
}

void sb_port_sizes_trace(const sb_simulation *sim, const double x[]) {
  trace_sizes(sim, x, true, 0);
}

void sb_rest_sizes_trace(const sb_simulation *sim, const double x[]) {
  trace_sizes(sim, x, true, fmax(sim->t - sim->t0, sim->last_step));
}

void sb_port_ranges_trace(const sb_simulation *sim, const double x[]) {
  trace_sizes(sim, x, false, 0);
}

sb_at sb_at_sized(const sb_simulation *sim, const sb_switch *element, double t, const double x[]) {
  const sb_instance *instance = &sim->network->instances[element->instance];
  sb_at at = sb_at_switch(sim, element, t, x);
  for (int k = 0; sees_rounding(instance) && k < 2 * instance->components; k++) {
    int c = k % instance->components;
    int var = k < instance->components ? sb_effort_var(instance, c) : sb_flow_var(instance, c);
    double *value = &sim->port_values[k];
    *value = fabs(*value) > zero * sim->port_sizes[var] ? *value : 0;
  }
  return at;
}

sb_at sb_at_event(const sb_simulation *sim, const sb_switch *element, double t, const double x[]) {
  if (sees_rounding(&sim->network->instances[element->instance])) {
    sb_rest_sizes_trace(sim, x);
  }
  return sb_at_sized(sim, element, t, x);
}

void sb_indicators_trace(const sb_simulation *sim, const double x[]) {
  if (sim->indicators_read_ports) {
    sb_trace(sim->work, x);
  }
}

/** Whether the flow of an element may be nothing but rounding: of what others hold at rest, or what slips and does not move. */
static bool may_rest(const sb_instance *instance, const int modes[]) {
  return sb_instance_is_held(instance, modes) || sb_instance_slips(instance, modes);
}

/** What the flow of a diode that conducts, or the effort of one that blocks, is known to, and the way of a free stop that rests; of the input of a
 *  law that bends a part of the error that it may have: far down a chain that has just been pulled it is nothing else, of either sign from step to
 *  step. Of other elements 0. */
static double known_to(const sb_simulation *sim, const sb_instance *instance, const sb_at *at,
                       const double x[]) {
  sb_complementary kind;
  const int *modes = sim->work->modes;
  const sb_switching_hooks *hooks = instance->type->switching;
  if (hooks->bends == SB_BENDS_AT_GUARDS) {
    return SB_MATTERS * sim->options.rtol;
  }
  if (hooks->bends == SB_BENDS_WITH_PIECES && instance->layout.pieces > 0) {
    sb_port_sizes_trace(sim, x);
    const bool flow = at->assigned == SB_FLOW;
    return SB_MATTERS * sim->options.rtol *
           sim->port_sizes[flow ? sb_flow_var(instance, 0) : sb_effort_var(instance, 0)];
  }
  if (hooks->modes.complementary != NULL && instance->layout.states > 0) {
    return sb_instance_is_complementary(instance, modes, &kind)
               ? 0
               : sb_stop_rest(sim, instance, at, x);
  }
  if (!sb_instance_is_complementary(instance, modes, &kind)) {
    return 0;
  }
  sb_port_sizes_trace(sim, x);
  const bool conducts = modes[instance->mode] == kind.free;
  return zero * sim->port_sizes[conducts ? sb_flow_var(instance, 0) : sb_effort_var(instance, 0)];
}

/** Whether others may hold the flow that the indicator of an element is of: of what is held, and of a diode that conducts. */
static bool may_be_held(const sb_instance *instance, const int modes[]) {
  sb_complementary kind;
  return sb_instance_is_held(instance, modes) ||
         (sb_instance_is_complementary(instance, modes, &kind) &&
          modes[instance->mode] == kind.free);
}

sb_status sb_switch_indicators(sb_simulation *sim, sb_switch *element, double t, const double x[],
                               double g[], double gdot[], sb_error *err) {
  const sb_instance *instance = &sim->network->instances[element->instance];
  sb_at at = at_switch(sim, element, t, x);
  element->count = element->hooks->indicators == NULL
                       ? 0
                       : element->hooks->indicators(instance->self, &at, g, gdot);
  if (element->count > 0 && g[0] < 0 && may_be_held(instance, sim->work->modes)) {
    SB_TRY(sb_evaluate(sim, t, x, err)); // a projection may have moved x since
    sb_indicators_trace(sim, x);
    at = at_switch(sim, element, t, x);
    element->count = element->hooks->indicators(instance->self, &at, g, gdot);
  }
  if (element->count > 0 && g[0] < 0 && may_rest(instance, sim->work->modes)) {
    at = sb_at_event(sim, element, t, x);
    element->count = element->hooks->indicators(instance->self, &at, g, gdot);
  } else {
    for (int k = 0; k < element->count; k++) {
      g[k] += g[k] < 0 ? known_to(sim, instance, &at, x) : 0;
    }
  }
  bool refused = element->count < 0;
  for (int k = 0; k < element->count; k++) {
    refused = refused || isnan(g[k]); // it would never fall through zero
  }
  if (refused) {
    element->count = 0;
    return sb_refusal_word(sim, element->instance, t, x, err);
  }
  return SB_OK;
}

sb_status sb_indicators_read(sb_simulation *sim, double t, const double x[], int end,
                             sb_error *err) {
  sb_indicators_trace(sim, x);
  for (int i = 0; i < sim->switch_count; i++) {
    sb_switch *element = &sim->switches[i];
    double g[SB_INDICATORS_MAX], gdot[SB_INDICATORS_MAX];
    bool still = sb_live_follows(&sim->work->live, element->instance);
    if (still && element->still) {
      continue;
    }
    SB_TRY(sb_switch_indicators(sim, element, t, x, g, gdot, err));
    for (int k = 0; k < element->count; k++) {
      sb_indicator *indicator = &element->indicators[k];
      indicator->g[end] = g[k];
      indicator->gdot[end] = gdot[k];
      indicator->armed = indicator->armed || g[k] > 0;
      still = still && g[k] > 0;
    }
    element->still = still;
    for (int k = 0; still && k < element->count; k++) {
      element->indicators[k] = (sb_indicator){
          .g = {g[k], g[k]}, .gdot = {gdot[k], gdot[k]}, .before = g[k], .armed = true};
    }
  }
  sb_branch_indicators(sim, t, x, end);
  return SB_OK;
}

double sb_event_horizon(sb_simulation *sim) {
  double horizon = HUGE_VAL;
  for (int i = 0; i < sim->switch_count; i++) {
    const sb_switch *element = &sim->switches[i];
    if (element->hooks->times.horizon != NULL) {
      sb_at at = at_switch(sim, element, sim->t, sim->x);
      const void *self = sim->network->instances[element->instance].self;
      horizon = fmin(horizon, element->hooks->times.horizon(self, &at));
    }
  }
  return horizon;
}

double sb_event_next_time(const sb_simulation *sim, bool hooked, int *index) {
  double next = HUGE_VAL;
  *index = -1;
  for (int i = 0; sim->has_timed && i < sim->switch_count; i++) {
    const sb_instance *instance = &sim->network->instances[sim->switches[i].instance];
    if (instance->type->switching->times.next_time != NULL && (instance->hooked || !hooked)) {
      sb_at at = at_switch(sim, &sim->switches[i], sim->t, sim->x);
      double t = instance->type->switching->times.next_time(instance->self, &at, sim->t);
      if (t < next) {
        next = t;
        *index = i;
      }
    }
  }
  return next;
}

/** What an element is given at the end of a step. @param traced  whether what elements read is that of there, in and out */
static sb_at trace_once(sb_simulation *sim, const sb_switch *element, bool *traced) {
  if (!*traced) {
    sb_indicators_trace(sim, sim->x);
    *traced = true;
  }
  return at_switch(sim, element, sim->t, sim->x);
}

bool sb_event_overdue(sb_simulation *sim) {
  bool overdue = false, traced = false;
  for (int i = 0; i < sim->switch_count && !overdue; i++) {
    const sb_switch *element = &sim->switches[i];
    if (element->hooks->times.overdue != NULL) {
      const sb_at at = trace_once(sim, element, &traced);
      overdue = element->hooks->times.overdue(sim->network->instances[element->instance].self, &at);
    }
  }
  return overdue;
}

bool sb_event_strays(sb_simulation *sim) {
  bool strays = false, traced = false;
  for (int i = 0; i < sim->switch_count && !strays; i++) {
    const sb_switch *element = &sim->switches[i];
    if (element->hooks->strays != NULL) {
      const sb_at at = trace_once(sim, element, &traced);
      strays = element->hooks->strays(sim->network->instances[element->instance].self, &at);
    }
  }
  return strays;
}

bool sb_event_accept(sb_simulation *sim) {
  bool jumps = false;
  sb_branches_accept(sim);
  sb_indicators_trace(sim, sim->x);
  for (int i = 0; i < sim->switch_count; i++) {
    const sb_switch *element = &sim->switches[i];
    if (element->hooks->accept != NULL) {
      const sb_instance *instance = &sim->network->instances[element->instance];
      sb_at at = at_switch(sim, element, sim->t, sim->x);
      jumps =
          jumps || (element->hooks->jumps != NULL && element->hooks->jumps(instance->self, &at));
      element->hooks->accept(instance->self, &at, sim->work->discrete + instance->discrete);
    }
  }
  return jumps;
}
