// SPDX-License-Identifier: GPL-3.0-or-later
// What the rates of states and accounts are rounded by, before anything is integrated: a rate that is a sum of terms is known to eps times
// the sum M of their absolute values, however small it is itself. Three forces that balance leave 1e-17 N of 0.3 N. Of
//   storages      what their ports take has the terms of sizes.c, and a hook makes of these what it makes of a change of its inputs
//   signals       sum |du/du_k| size(u_k), signal_sizes.c, and the terms of its expression
//   displacements the flows at their ports
//   accounts      e.f, so M = size(e) |f| + |e| size(f)
// All is by the present values: rounding that earlier steps have left in states is for whoever integrates (simulation/blurred.c).
#include <math.h>
#include <string.h>

#include "core/audit/audit_private.h"
#include "core/base/uneven.h"
#include "core/loop/loop.h"

/** Of the terms, by what an estimated error may be of them; a trial step begins with sizes of some hundred times what rounding is. */
static const double rounding = 256 * DBL_EPSILON;

/** What the inputs of a storage with hooks make of its rates: all are moved by their rounding at once, each to another side and by another
 *  fraction, so that no two cancel. */
static void round_hooked(sb_audit *a, const sb_instance *instance, sb_at at, double rates[]) {
  const int index = (int)(instance - a->network->instances);
  const sb_storage_hooks *storage = instance->type->storage;
  const int states = instance->layout.states;
  for (int k = 0; k < instance->components; k++) {
    a->in[k] = sb_port_value(a, instance, k, sb_other(sb_output_of(a, index, k)));
  }
  at.in = a->in;
  if (storage->rate(instance->self, &at, a->stated) != 0) {
    return;
  }
  memset(a->effect, 0, (size_t)states * sizeof *a->effect);
  if (storage->audit.rate_terms != NULL) {
    storage->audit.rate_terms(instance->self, &at, a->effect);
  }
  for (int k = 0; k < instance->components; k++) {
    const sb_variable input = sb_other(sb_output_of(a, index, k));
    a->in[k] += sb_uneven(k) * a->present_sizes[sb_effort_var(instance, k) + (input == SB_FLOW)];
  }
  if (storage->rate(instance->self, &at, a->varied) != 0) {
    return;
  }
  for (int i = 0; i < states; i++) {
    rates[i] = rounding * (a->effect[i] + fabs(a->varied[i] - a->stated[i]));
  }
}

static void round_signal(sb_audit *a, const sb_instance *instance, const sb_at *at,
                         double rates[]) {
  const int states = instance->layout.states;
  if (!sb_audit_contributions(a, instance, at, instance->type->signal->rate, states)) {
    return;
  }
  memset(a->varied, 0, (size_t)states * sizeof *a->varied);
  if (instance->type->signal->rate_terms != NULL) {
    instance->type->signal->rate_terms(instance->self, at, a->varied);
  }
  for (int k = 0; k < states;
       k++) { // of what inputs move, and of terms of one expression that cancel
    const bool moved = states == 1 || a->effect[k] > fabs(a->stated[k]);
    const double own = isfinite(a->varied[k]) ? a->varied[k] : 0;
    rates[k] = moved ? rounding * fmax(a->effect[k], own) : 0;
  }
}

/** States that integrate what their ports take, or of a structure the flows there. */
static void round_inputs(const sb_audit *a, const sb_instance *instance, double rates[]) {
  const bool storage = instance->type->storage != NULL;
  for (int k = 0; k < instance->layout.states; k++) {
    const sb_port *port = &instance->layout.ports[sb_port_of(instance, k)];
    const bool flow = !storage || port->output == SB_EFFORT;
    rates[k] = rounding * a->present_sizes[sb_effort_var(instance, k) + flow];
  }
}

static double round_power(const sb_audit *a, const sb_instance *instance) {
  const double *variables = a->work->bond_values;
  double sum = 0;
  for (int k = 0; k < instance->components; k++) {
    const int effort = sb_effort_var(instance, k), flow = sb_flow_var(instance, k);
    const double e = a->present_sizes[effort], f = a->present_sizes[flow];
    sum += e * fabs(variables[flow]) + fabs(variables[effort]) * f + rounding * e * f;
  }
  return rounding * sum;
}

/** Of what storages and dissipations give nothing counts. */
static void leave_given(sb_audit *a) {
  const sb_network *network = a->network;
  double *states = a->present_sizes + sb_known_base(network),
         *values = states + network->state_count;
  memset(states, 0, (size_t)network->state_count * sizeof *states);
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    const bool follows = instance->type->storage != NULL || instance->type->dissipation != NULL;
    if (follows && !instance->linear) {
      memset(values + instance->out, 0, (size_t)instance->components * sizeof *values);
    }
  }
}

/** And of laws in a loop what it makes of their rounding. */
static void add_loops(sb_audit *a, double t, const double x[]) {
  const sb_network *network = a->network;
  sb_loop_sizes(a->work, t, x, a->present_sizes + sb_known_base(network) + network->state_count);
  sb_sum_sizes(a->work, a->solved_sizes, a->present_sizes);
}

/** The sizes of bond variables and signals at (t, x) alone: a pulse that has passed leaves none. */
static void find_sizes(sb_audit *a, double t, const double x[]) {
  sb_trace(a->work, x);
  sb_audit_present_sizes(a, t, x);
  if (sb_audit_size_signals(a, t, x, false)) {
    sb_trace_sizes(a->work, a->state_sizes, a->value_sizes, a->solved_sizes, a->present_sizes);
  }
  add_loops(a, t, x);
}

static void round_powers(const sb_audit *a, double rates[]) {
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    if (instance->quadrature >= 0) {
      rates[a->network->state_count + instance->quadrature] = round_power(a, instance);
    }
  }
}

static void round_states(sb_audit *a, double t, const double x[], double rates[]) {
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    const int states = instance->layout.states;
    if (states > 0) {
      const sb_at at = sb_at_instance(a->work, instance, t, x);
      double *own = rates + instance->state;
      if (instance->type->signal != NULL) {
        round_signal(a, instance, &at, own);
      } else if (instance->type->storage != NULL && !instance->linear) {
        round_hooked(a, instance, at, own);
      } else if (states == instance->components) {
        round_inputs(a, instance, own);
      }
    }
  }
}

void sb_audit_rate_rounding(sb_audit *a, double t, const double x[], bool given, double rates[],
                            double inputs[]) {
  double *latched = a->signal_sizes;
  a->signal_sizes = a->signals_now;
  memset(a->signals_now, 0, (size_t)a->network->value_count * sizeof *a->signals_now);
  memset(rates, 0, (size_t)sb_vector_count(a->network) * sizeof *rates);
  find_sizes(a, t, x);
  round_powers(a, rates);
  if (given) {
    leave_given(a);
    add_loops(a, t, x);
  }
  round_states(a, t, x, rates);
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    if (instance->delay >= 0) {
      const sb_at at = sb_at_instance(a->work, instance, t, x);
      inputs[instance->delay] = rounding * sb_audit_input_size(a, instance, &at);
    }
  }
  a->signal_sizes = latched;
}
