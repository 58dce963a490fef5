// SPDX-License-Identifier: GPL-3.0-or-later
// The run table: what each kind of operation reads and computes, and the hook that it calls.
#include <math.h>

#include "core/program/workspace.h"

/** The instance of an operation and what its hooks see. */
#define HOOK_OF(work, op, t, x)                                                                    \
  const sb_instance *instance = &(work)->network->instances[(op)->instance];                       \
  sb_at at = sb_at_instance(work, instance, t, x)

static int run_output(sb_workspace *work, const sb_op *op, double t, const double x[],
                      double xdot[]) {
  (void)xdot;
  HOOK_OF(work, op, t, x);
  return instance->type->storage->output(instance->self, &at, work->values + instance->out);
}

static int run_value(sb_workspace *work, const sb_op *op, double t, const double x[],
                     double xdot[]) {
  (void)xdot;
  HOOK_OF(work, op, t, x);
  return instance->type->source->value(instance->self, &at, work->values + instance->out);
}

static int run_law(sb_workspace *work, const sb_op *op, double t, const double x[], double xdot[]) {
  (void)xdot;
  HOOK_OF(work, op, t, x);
  return instance->type->dissipation->law(instance->self, &at, at.assigned,
                                          work->values + instance->out);
}

/** Notes that a hook failed because it divides by zero, if that is why. */
static int note_division(sb_workspace *work, int index, double t, const double x[], int status) {
  double divisor = status == 0 ? HUGE_VAL : sb_divisor(work, index, t, x);
  if (!isinf(divisor)) {
    work->failure =
        (sb_loop_failure){.kind = SB_LOOP_DIVISOR, .instance = index, .t = t, .at = {divisor}};
  }
  return status;
}

static int run_forward(sb_workspace *work, const sb_op *op, double t, const double x[],
                       double xdot[]) {
  (void)xdot;
  HOOK_OF(work, op, t, x);
  return note_division(
      work, op->instance, t, x,
      instance->type->structure->forward(instance->self, &at, work->values + instance->out));
}

static int run_adjoint(sb_workspace *work, const sb_op *op, double t, const double x[],
                       double xdot[]) {
  (void)xdot;
  HOOK_OF(work, op, t, x);
  return note_division(
      work, op->instance, t, x,
      instance->type->structure->adjoint(instance->self, &at, work->values + instance->out));
}

static int run_rate(sb_workspace *work, const sb_op *op, double t, const double x[],
                    double xdot[]) {
  HOOK_OF(work, op, t, x);
  return instance->type->storage->rate(instance->self, &at, xdot + instance->state);
}

static int run_signal(sb_workspace *work, const sb_op *op, double t, const double x[],
                      double xdot[]) {
  (void)xdot;
  HOOK_OF(work, op, t, x);
  return instance->type->signal->output(instance->self, &at, work->values + instance->signal);
}

static int run_signal_rate(sb_workspace *work, const sb_op *op, double t, const double x[],
                           double xdot[]) {
  HOOK_OF(work, op, t, x);
  return instance->type->signal->rate(instance->self, &at, xdot + instance->state);
}

/** ydot = K xdot, K the Hessian of the energy and xdot the port's input. */
static int run_output_dot(sb_workspace *work, const sb_op *op, double t, const double x[],
                          double xdot[]) {
  (void)xdot;
  HOOK_OF(work, op, t, x);
  double K[SB_HESSIAN_MAX * SB_HESSIAN_MAX];
  double *ydot = work->values + sb_rate_value(work->network, instance->out);
  int n = instance->components,
      status = instance->type->storage->constraints.hessian(instance->self, &at, K);
  for (int i = 0; i < n; i++) {
    ydot[i] = 0;
    for (int k = 0; k < n; k++) {
      ydot[i] += K[i * n + k] * at.in[k];
    }
  }
  return status;
}

static int run_value_dot(sb_workspace *work, const sb_op *op, double t, const double x[],
                         double xdot[]) {
  (void)xdot;
  HOOK_OF(work, op, t, x);
  double *ydot = work->values + sb_rate_value(work->network, instance->out);
  return instance->type->source->rate(instance->self, &at, ydot);
}

static int run_forward_dot(sb_workspace *work, const sb_op *op, double t, const double x[],
                           double xdot[]) {
  (void)xdot;
  HOOK_OF(work, op, t, x);
  double *ydot = work->values + sb_rate_value(work->network, instance->out);
  return instance->type->structure->rates.forward(instance->self, &at, ydot);
}

static int run_adjoint_dot(sb_workspace *work, const sb_op *op, double t, const double x[],
                           double xdot[]) {
  (void)xdot;
  HOOK_OF(work, op, t, x);
  double *ydot = work->values + sb_rate_value(work->network, instance->out);
  return instance->type->structure->rates.adjoint(instance->self, &at, ydot);
}

static int run_signal_dot(sb_workspace *work, const sb_op *op, double t, const double x[],
                          double xdot[]) {
  (void)xdot;
  HOOK_OF(work, op, t, x);
  double *rate = work->values + sb_rate_value(work->network, instance->signal);
  return instance->type->signal->output_rate(instance->self, &at, rate);
}

/** The multiplier is what the loop around it solves for; there is nothing to run. */
static int run_multiplier(sb_workspace *work, const sb_op *op, double t, const double x[],
                          double xdot[]) {
  (void)work, (void)op, (void)t, (void)x, (void)xdot;
  return 0;
}

#define NONE SB_COMPONENTS_NONE
#define ALL SB_COMPONENTS_ALL
#define A SB_COMPONENTS_A
#define B SB_COMPONENTS_B

const sb_operation sb_operations[SB_OPERATION_KINDS] = {
    [SB_OP_OUTPUT] = {NONE, ALL, .gives_signals = true, .run = run_output},
    [SB_OP_VALUE] = {NONE, ALL, .gives_signals = true, .run = run_value},
    [SB_OP_LAW] = {ALL, ALL, .gives_signals = true, .run = run_law},
    [SB_OP_FORWARD] = {A, B, .gives_signals = true, .run = run_forward},
    [SB_OP_ADJOINT] = {B, A, .run = run_adjoint},
    [SB_OP_RATE] = {ALL, NONE, .gives_xdot = true, .run = run_rate},
    [SB_OP_SIGNAL] = {NONE, NONE, .gives_signals = true, .run = run_signal},
    [SB_OP_SIGNAL_RATE] = {NONE, NONE, .gives_xdot = true, .run = run_signal_rate},
    [SB_OP_SENSOR] = {NONE, NONE, .row = true},
    [SB_OP_OUTPUT_DOT] = {ALL, ALL, .dot = true, .run = run_output_dot},
    [SB_OP_VALUE_DOT] = {NONE, ALL, .dot = true, .run = run_value_dot},
    [SB_OP_FORWARD_DOT] = {A, B, .reads_rates = true, .dot = true, .run = run_forward_dot},
    [SB_OP_ADJOINT_DOT] = {B, A, .reads_rates = true, .dot = true, .run = run_adjoint_dot},
    [SB_OP_SIGNAL_DOT] = {NONE, NONE, .gives_signals = true, .dot = true, .run = run_signal_dot},
    [SB_OP_SENSOR_DOT] = {NONE, NONE, .dot = true, .row = true},
    [SB_OP_MULTIPLIER] = {NONE, NONE, .row = true, .run = run_multiplier},
    [SB_OP_ROWS] = {NONE, NONE, .row = true, .run = sb_run_rows},
    [SB_OP_LOOP] = {NONE, NONE, .row = true},
};
