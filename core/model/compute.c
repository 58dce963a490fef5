// SPDX-License-Identifier: GPL-3.0-or-later
// The operations of the program in their order, the rates of linear storages, and the powers whose quadratures the ledger
// keeps (program/rates.c).
#include "core/model/compute.h"

#include <math.h>
#include <string.h>

#include "core/base/wide.h"
#include "core/loop/loop.h"
#include "core/model/constraints.h"
#include "core/program/live_part.h"

/** Runs an operation; loops and constraints are in folders above the table of operations. */
static inline int run(sb_workspace *work, const sb_op *op, double t, const double x[],
                      double xdot[]) {
  switch (op->kind) {
  case SB_OP_LOOP:
    return sb_loop_run(work, op->first, t, x);
  case SB_OP_ALGEBRAIC:
    return sb_algebraic_run(work, op->first, x);
  default:
    return work->program->operations[op->kind].run(work, op, t, x, xdot);
  }
}

int sb_workspace_run(sb_workspace *work, const sb_op *op, double t, const double x[],
                     double xdot[]) {
  return run(work, op, t, x, xdot);
}

/** The first operation of a program that fails; -1: none. */
static int run_whole(sb_workspace *work, const sb_program *program, double t, const double x[],
                     double xdot[]) {
  for (int i = 0; i < program->op_count; i++) {
    if (run(work, &program->ops[i], t, x, xdot) != 0) {
      return i;
    }
  }
  return -1;
}

/** An operation of the live part that no hook of its own does. */
static int run_other(sb_workspace *work, const sb_op *op, sb_call *call, double t, const double x[],
                     double xdot[]) {
  if (op->kind == SB_OP_ROWS) {
    return sb_run_rows(work, op, t, x, xdot);
  }
  if (sb_operations[op->kind].hook == NULL) {
    return run(work, op, t, x, xdot);
  }
  sb_live_look(call, t, work->inside, x);
  return sb_live_call_by_table(call, work, op, xdot);
}

/** The same of the live part, whose operations are rows, loops and hooks. */
SB_INLINE int run_part(sb_workspace *work, double t, const double x[], double xdot[]) {
  const sb_program *part = &work->live.part;
  sb_call *const calls = work->live.calls, *const end = calls + part->op_count;
  const double inside = work->inside;
  for (sb_call *call = calls; call < end; call++) {
    int status;
    if (call->hook != NULL) {
      sb_live_look(call, t, inside, x);
      status = call->hook(call->self, &call->at, sb_live_out(call, xdot));
    } else if (call->law != NULL) {
      sb_live_look(call, t, inside, x);
      status = call->law(call->self, &call->at, call->at.assigned, sb_live_out(call, xdot));
    } else {
      status = run_other(work, &part->ops[call - calls], call, t, x, xdot);
    }
    if (status != 0) {
      const sb_op *op = &part->ops[call - calls];
      if (sb_operations[op->kind].hook != NULL) {
        sb_operation_failed(work, op, t, x);
      }
      return (int)(call - calls);
    }
  }
  return -1;
}

/** Zero, or not a number; in four sums, as none waits for the one before then. */
static inline double poison_of(const double values[], int count) {
  double poison[4] = {0, 0, 0, 0};
  int i = 0;
  for (; i + 4 <= count; i += 4) {
    for (int k = 0; k < 4; k++) {
      poison[k] += 0 * values[i + k];
    }
  }
  for (; i < count; i++) {
    poison[0] += 0 * values[i];
  }
  return (poison[0] + poison[1]) + (poison[2] + poison[3]);
}

static bool any_not_finite(const double values[], int count) {
  return !(poison_of(values, count) == 0);
}

/** The instance of the first of some operations that gave a number that is not finite; -1: none did. */
static int first_infinite(const sb_workspace *work, const sb_program *program, int op_count,
                          const double xdot[]) {
  for (int i = 0; i < op_count; i++) {
    const sb_op *op = &program->ops[i];
    if (op->instance < 0) {
      continue;
    }
    const sb_instance *instance = &work->network->instances[op->instance];
    bool bad = op->kind == SB_OP_RATE
                   ? any_not_finite(xdot + instance->state, instance->layout.states)
                   : any_not_finite(work->values + instance->out, instance->components) ||
                         any_not_finite(work->values + instance->signal, instance->signal_count);
    if (bad) {
      return op->instance;
    }
  }
  return -1;
}

double sb_workspace_output(sb_workspace *work, int index, const double x[]) {
  const sb_instance *instance = &work->network->instances[index];
  double most = 0;
  if (instance->type->storage == NULL && instance->type->source == NULL) {
    return 0;
  }
  sb_trace(work, x);
  for (int p = 0; p < instance->layout.port_count; p++) {
    const bool effort = instance->layout.ports[p].output == SB_EFFORT;
    for (int k = instance->first[p]; k < instance->first[p + 1]; k++) {
      const int var = effort ? sb_effort_var(instance, k) : sb_flow_var(instance, k);
      most = fmax(most, fabs(work->bond_values[var]));
    }
  }
  return most;
}

/** A power overflows where an effort or flow is far too large: who gives the largest. @param index  whose power */
static int largest_giver(sb_workspace *work, int index, const double x[]) {
  double most = 0;
  for (int i = 0; i < work->network->instance_count; i++) {
    const double own = sb_workspace_output(work, i, x);
    index = own > most ? i : index;
    most = fmax(own, most);
  }
  return index;
}

/** The instance of the first hook that gave a number that is not finite; of linear elements the first whose
 *  rate is not, or who made a power that is not. @param power  NULL: was not wanted */
static int find_infinite(sb_workspace *work, const double x[], const double xdot[],
                         const double power[]) {
  const int first = first_infinite(work, work->program, work->program->op_count, xdot);
  for (int pass = first < 0 ? 0 : 2; pass < 2; pass++) {
    for (int i = 0; i < work->network->instance_count; i++) {
      const sb_instance *instance = &work->network->instances[i];
      bool bad = pass == 0 ? any_not_finite(xdot + instance->state, instance->layout.states)
                           : power != NULL && instance->quadrature >= 0 &&
                                 any_not_finite(power + instance->quadrature, 1);
      if (bad) {
        return pass == 0 ? i : largest_giver(work, i, x);
      }
    }
  }
  return first;
}

/** Not finite if a number is not, and where they overflow together. */
SB_INLINE double sum_of(const double values[], int count) {
  double sum[4] = {0, 0, 0, 0};
  int i = 0;
  for (; i + 4 <= count; i += 4) {
    SB_LANES
    for (int k = 0; k < 4; k++) {
      sum[k] += values[i + k];
    }
  }
  for (; i < count; i++) {
    sum[0] += values[i];
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/** Of the rates that hooks gave; not at once, as a processor waits for numbers that it has just written. */
static double poison_of_rates(const sb_network *network, const sb_program *program,
                              const double xdot[]) {
  double poison = 0;
  for (int i = 0; i < program->op_count; i++) {
    if (program->ops[i].kind == SB_OP_RATE) {
      const sb_instance *instance = &network->instances[program->ops[i].instance];
      poison += poison_of(xdot + instance->state, instance->layout.states);
    }
  }
  return poison;
}

/** The same of the live part: by their sum, as long as that is finite. */
SB_INLINE double poison_of_part(const sb_workspace *work, const double xdot[]) {
  const sb_live *live = &work->live;
  double sum = 0;
  for (int i = 0; i < live->rated_count; i++) {
    sum += sum_of(xdot + live->rated[i].first, live->rated[i].count);
  }
  return sum - sum == 0 ? 0 : poison_of_rates(work->network, &live->part, xdot);
}

/** The integrals that kinds have of their own, of which there are some, one behind the other; what idle elements give is zero. */
static void run_integrands(const sb_workspace *work, double t, const double x[], double power[]) {
  const sb_network *network = work->network;
  const sb_live *live = &work->live;
  const bool part = work->running == &live->part;
  const int *list = part ? live->integrals : network->integrals;
  const int count = part ? live->integral_count : network->integral_count;
  memset(power + network->instances[network->integrals[0]].integral, 0,
         (size_t)network->integral_count * sizeof *power);
  for (int i = 0; i < count; i++) {
    const sb_instance *instance = &network->instances[list[i]];
    const int call = part ? live->integral_call[sb_integral_number(network, list[i])] : -1;
    const sb_at at = call < 0 ? sb_live_at(work, list[i], t, x) : live->calls[call].at;
    power[instance->integral] =
        instance->type->measures.integrand(instance->self, &at, work->values + instance->out);
  }
}

/** Who is to blame where an operation has no answer: its instance, unless that, or a loop, was given what is not finite.
 *  Then whoever gave it, in an operation before. */
static int to_blame(sb_workspace *work, const sb_program *program, int index, double t,
                    const double x[], const double xdot[]) {
  const sb_op *op = &program->ops[index];
  if (op->instance < 0) {
    return op->instance;
  }
  const sb_instance *instance = &work->network->instances[op->instance];
  const sb_at at = sb_at_instance(work, instance, t, x);
  const bool given = op->kind == SB_OP_LOOP || any_not_finite(at.in, instance->components) ||
                     (at.in_rate != NULL && any_not_finite(at.in_rate, instance->components));
  const int first = given ? first_infinite(work, program, index, xdot) : -1;
  if (first < 0) {
    return op->instance;
  }
  work->failure.kind = SB_LOOP_SOLVED; // as well as it can be
  return first;
}

static int refuse(sb_workspace *work, int instance, double t, const double x[]) {
  work->failed = work->refused = instance;
  work->refused_t = t;
  memcpy(work->refused_x, x, (size_t)work->network->state_count * sizeof *x);
  return -1;
}

SB_INLINE int compute(sb_workspace *work, const sb_program *program, double t, const double x[],
                      double xdot[], double power[]) {
  work->failed = -1;
  work->failure.kind = SB_LOOP_SOLVED;
  work->rhs_count++;
  if (sb_workspace_stopped(work)) {
    return -1;
  }
  x = program->substitute == NULL ? x : program->substitute(work, t, x);
  if (x == NULL) {
    return -1;
  }
  double poison = 0;
  const bool part = program == &work->live.part;
  const int failed = part ? run_part(work, t, x, xdot) : run_whole(work, program, t, x, xdot);
  if (failed >= 0) {
    return refuse(work, to_blame(work, program, failed, t, x, xdot), t, x);
  }
  if (program->band_count + program->run_count + program->group_count > 0) {
    sb_run_rates(program, x, xdot);
  }
  for (int i = 0; part && i < work->live.still_count; i++) {
    const sb_span *still = &work->live.still[i];
    memset(xdot + still->first, 0, (size_t)still->count * sizeof *xdot);
  }
  for (int i = 0; i < program->extra_count; i++) {
    const sb_rate_extra *extra = &program->extras[i];
    double more = extra->factor * work->values[extra->index];
    xdot[extra->dest] += more;
    poison += 0 * more;
  }
  if (power != NULL) {
    poison += sb_run_powers(program, x, work->values, work->network->state_count, power);
    if (work->network->integral_count > 0) {
      run_integrands(work, t, x, power);
    }
  }
  poison += part ? poison_of_part(work, xdot) : poison_of_rates(work->network, program, xdot);
  // What hooks give enters the rates by their own, by extras and by products; what is linear is finite
  // except for overflow, which shows at the end of the step.
  if (!(poison == 0)) {
    work->failed = find_infinite(work, x, xdot, power);
    return -1;
  }
  return 0;
}

int sb_workspace_compute(sb_workspace *work, double t, const double x[], double xdot[],
                         double power[], bool inputs) {
  const sb_program *outer = work->running; // of which this may be an operation
  work->running = sb_live_part(work);
  int status = compute(work, work->running, t, x, xdot, power);
  if (status == 0 && inputs && work->running == &work->live.part) {
    (void)sb_run_rows(work, &work->live.inputs, t, x, xdot);
  }
  work->running = outer;
  return status;
}
