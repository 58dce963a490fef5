// SPDX-License-Identifier: GPL-3.0-or-later
// The run table: what each kind of operation reads and computes, and the hook that it calls.
#include <math.h>
#include <string.h>

#include "core/network/roles.h"
#include "core/program/workspace.h"

static int output(const sb_instance *instance, const sb_at *at, double y[]) {
  return instance->type->storage->output(instance->self, at, y);
}

static int law(const sb_instance *instance, const sb_at *at, double y[]) {
  return instance->type->dissipation->law(instance->self, at, at->assigned, y);
}

static int value(const sb_instance *instance, const sb_at *at, double y[]) {
  return instance->type->source == NULL ? law(instance, at, y)
                                        : instance->type->source->value(instance->self, at, y);
}

static int forward(const sb_instance *instance, const sb_at *at, double y[]) {
  return instance->type->structure->forward(instance->self, at, y);
}

static int adjoint(const sb_instance *instance, const sb_at *at, double y[]) {
  return instance->type->structure->adjoint(instance->self, at, y);
}

static int rate(const sb_instance *instance, const sb_at *at, double xdot[]) {
  return instance->type->storage->rate(instance->self, at, xdot);
}

static int signal_output(const sb_instance *instance, const sb_at *at, double y[]) {
  return instance->type->signal->output(instance->self, at, y);
}

static int signal_rate(const sb_instance *instance, const sb_at *at, double xdot[]) {
  return instance->type->signal->rate(instance->self, at, xdot);
}

/** xdot is the port's input. */
static int output_dot(const sb_instance *instance, const sb_at *at, double ydot[]) {
  return sb_storage_output_rate(instance, at, at->in, ydot);
}

/** Of a source; a law of a dissipation has a known rate where it is flat. */
static int value_dot(const sb_instance *instance, const sb_at *at, double ydot[]) {
  const sb_source_hooks *source = instance->type->source;
  return source != NULL ? source->rate(instance->self, at, ydot) : sb_flat_rate(instance, at, ydot);
}

static int forward_dot(const sb_instance *instance, const sb_at *at, double ydot[]) {
  return instance->type->structure->rates.forward(instance->self, at, ydot);
}

static int adjoint_dot(const sb_instance *instance, const sb_at *at, double ydot[]) {
  return instance->type->structure->rates.adjoint(instance->self, at, ydot);
}

static int signal_dot(const sb_instance *instance, const sb_at *at, double ydot[]) {
  return instance->type->storage != NULL
             ? instance->type->storage->signals.rates(instance->self, at, ydot)
             : instance->type->signal->output_rate(instance->self, at, ydot);
}

void sb_operation_failed(sb_workspace *work, const sb_op *op, double t, const double x[]) {
  double divisor = sb_operations[op->kind].dot ? INFINITY : sb_divisor(work, op->instance, t, x);
  if (!isinf(divisor)) {
    work->failure = (sb_loop_failure){
        .kind = SB_LOOP_DIVISOR, .instance = op->instance, .t = t, .at = {divisor}};
  }
}

static int run_hook(sb_workspace *work, const sb_op *op, double t, const double x[],
                    double xdot[]) {
  const sb_operation *operation = &sb_operations[op->kind];
  const sb_instance *instance = &work->network->instances[op->instance];
  const sb_at at = sb_at_instance(work, instance, t, x);
  int first = operation->gives == SB_COMPONENTS_NONE ? instance->signal : instance->out;
  first = operation->dot ? sb_rate_value(work->network, first) : first;
  int status = operation->hook(
      instance, &at, operation->gives_xdot ? xdot + instance->state : work->values + first);
  if (status != 0) {
    sb_operation_failed(work, op, t, x);
  }
  return status;
}

/** What a signal reads by the hook of a kind that measures. */
static int run_measure(sb_workspace *work, const sb_op *op, double t, const double x[],
                       double xdot[]) {
  const sb_sensor *sensor = &work->network->sensors[op->count];
  const sb_at at = sb_at_instance(work, &work->network->instances[op->instance], t, x);
  (void)xdot;
  work->values[sensor->value] = sb_sensor_measure(work->network, sensor, &at, work->values, NULL);
  return 0;
}

/** The unknown is what the loop around it solves for; there is nothing to run. */
static int run_condition(sb_workspace *work, const sb_op *op, double t, const double x[],
                         double xdot[]) {
  (void)work, (void)op, (void)t, (void)x, (void)xdot;
  return 0;
}

#define NONE SB_COMPONENTS_NONE
#define ALL SB_COMPONENTS_ALL
#define A SB_COMPONENTS_A
#define B SB_COMPONENTS_B

const sb_operation sb_operations[SB_OPERATION_KINDS] = {
    [SB_OP_OUTPUT] = {NONE, ALL, .gives_signals = true, .run = run_hook, .hook = output},
    [SB_OP_VALUE] = {NONE, ALL, .gives_signals = true, .run = run_hook, .hook = value},
    [SB_OP_LAW] = {ALL, ALL, .gives_signals = true, .run = run_hook, .hook = law},
    [SB_OP_FORWARD] = {A, B, .gives_signals = true, .run = run_hook, .hook = forward},
    [SB_OP_ADJOINT] = {B, A, .run = run_hook, .hook = adjoint},
    [SB_OP_RATE] = {ALL, NONE, .gives_xdot = true, .run = run_hook, .hook = rate},
    [SB_OP_SIGNAL] = {NONE, NONE, .gives_signals = true, .run = run_hook, .hook = signal_output},
    [SB_OP_SIGNAL_RATE] = {NONE, NONE, .gives_xdot = true, .run = run_hook, .hook = signal_rate},
    [SB_OP_SENSOR] = {NONE, NONE, .row = true},
    [SB_OP_OUTPUT_DOT] = {ALL, ALL, .dot = true, .run = run_hook, .hook = output_dot},
    [SB_OP_VALUE_DOT] = {NONE, ALL, .dot = true, .run = run_hook, .hook = value_dot},
    [SB_OP_FORWARD_DOT] = {A, B, .reads_rates = true, .dot = true, .run = run_hook,
                           .hook = forward_dot},
    [SB_OP_ADJOINT_DOT] = {B, A, .reads_rates = true, .dot = true, .run = run_hook,
                           .hook = adjoint_dot},
    [SB_OP_SIGNAL_DOT] = {NONE, NONE, .gives_signals = true, .dot = true, .run = run_hook,
                          .hook = signal_dot},
    [SB_OP_SENSOR_DOT] = {NONE, NONE, .dot = true, .row = true},
    [SB_OP_MEASURE] = {ALL, NONE, .run = run_measure},
    [SB_OP_MULTIPLIER] = {NONE, NONE, .row = true, .run = run_condition},
    [SB_OP_BALANCE] = {NONE, NONE, .row = true, .run = run_condition},
    [SB_OP_ALGEBRAIC] = {NONE, NONE, .row = true},
    [SB_OP_ROWS] = {NONE, NONE, .row = true, .run = sb_run_rows},
    [SB_OP_LOOP] = {NONE, NONE, .row = true},
};
