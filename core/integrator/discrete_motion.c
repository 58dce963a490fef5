// SPDX-License-Identifier: GPL-3.0-or-later
// What changes over a step of a discrete gradient method besides the states: ratios of modulated
// structures, y = n(x, t) u, and sources that follow signals. The plain program tells them at both ends
// and at the middle. The mean rate of y is exact by
//   (n1 u1 - n0 u0)/h = n1 (u1 - u0)/h + (n1 - n0)/h u0,
// so that ties through n hold at both ends; efforts and flows over the step are related by n at the
// middle, both by the same, and so no power is lost.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/integrator/discrete_gradient_private.h"

/** Whether a part is told at the ends of a step, and by how many numbers. */
static int room_for(const sb_instance *instance) {
  int n = instance->components;
  bool structure = instance->type->structure != NULL && instance->hooked &&
                   instance->type->structure->rates.forward != NULL &&
                   instance->type->structure->rates.adjoint != NULL;
  bool source =
      instance->type->source != NULL && instance->wire_count > 0 && sb_instance_has_rate(instance);
  return structure ? n * n + n : source ? n : 0;
}

bool sb_discrete_motion_init(sb_discrete *s) {
  const sb_network *network = s->work->network;
  sb_discrete_motion *m = &s->motion;
  int room = 0;
  m->plain = s->work->program;
  m->place = sb_zeroed(network->instance_count, sizeof(int));
  for (int i = 0; m->place != NULL && i < network->instance_count; i++) {
    int own = s->program.see == NULL ? 0 : room_for(&network->instances[i]);
    m->place[i] = own > 0 ? room : -1;
    room += own;
  }
  m->any = room > 0;
  for (int k = 0; k < SB_PLACES; k++) {
    m->at[k] = sb_zeroed(room, sizeof(double));
  }
  m->x = sb_zeroed(network->state_count, sizeof(double));
  m->rate = sb_zeroed(network->state_count, sizeof(double));
  bool ok = m->place != NULL && m->x != NULL && m->rate != NULL;
  for (int k = 0; k < SB_PLACES; k++) {
    ok = ok && m->at[k] != NULL;
  }
  return ok;
}

void sb_discrete_motion_finish(sb_discrete *s) {
  sb_discrete_motion *m = &s->motion;
  for (int k = 0; k < SB_PLACES; k++) {
    free(m->at[k]);
  }
  free(m->place);
  free(m->x);
  free(m->rate);
  *m = (sb_discrete_motion){0};
}

/** The operator n of a structure by unit inputs, row-major, and its inputs behind it. */
static int note_structure(sb_workspace *work, const sb_instance *instance, double t,
                          const double x[], double unit[], double out[]) {
  int n = instance->components, status = 0;
  double *y = unit + n;
  sb_at at = sb_at_instance(work, instance, t, x);
  memcpy(out + n * n, at.in, (size_t)n * sizeof *out);
  at.in = unit;
  memset(unit, 0, (size_t)(2 * n) * sizeof *unit);
  for (int k = 0; k < n && status == 0; k++) {
    bool forward = sb_instance_side(instance, k) == 'A';
    const sb_structure_hooks *hooks = instance->type->structure;
    unit[k] = 1;
    status = (forward ? hooks->forward : hooks->adjoint)(instance->self, &at, y);
    unit[k] = 0;
    for (int i = 0; i < n; i++) {
      out[i * n + k] = sb_instance_side(instance, i) == sb_instance_side(instance, k) ? 0 : y[i];
    }
  }
  return status;
}

/** Evaluates the plain program, and notes what it tells. */
static int note(sb_discrete *s, double t, const double x[], double out[]) {
  sb_workspace *work = s->work;
  const sb_network *network = work->network;
  const sb_program *discrete = work->program;
  work->program = s->motion.plain;
  int status = sb_workspace_evaluate(work, t, x);
  for (int i = 0; status == 0 && i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    int place = s->motion.place[i];
    if (place >= 0 && instance->type->source != NULL) {
      memcpy(out + place, work->values + instance->out, (size_t)instance->components * sizeof *out);
    } else if (place >= 0) {
      status = note_structure(work, instance, t, x, s->scratch, out + place);
    }
  }
  work->program = discrete;
  return status;
}

int sb_discrete_motion_see(sb_discrete *s, double t, const double x[]) {
  sb_discrete_motion *m = &s->motion;
  if (!m->any) {
    return 0;
  }
  if (!m->begun && note(s, s->t0, s->x0, m->at[SB_AT_START]) != 0) {
    return -1;
  }
  m->begun = true;
  for (int i = 0; i < s->work->network->state_count; i++) {
    m->x[i] = 2 * x[i] - s->x0[i];
  }
  return note(s, s->t0 + s->h, m->x, m->at[SB_AT_END]) == 0 &&
                 note(s, t, x, m->at[SB_AT_MIDDLE]) == 0
             ? 0
             : -1;
}

/** The components of one side of a structure, by n at the middle. */
static int give(sb_workspace *work, const sb_op *op, char side) {
  const sb_instance *instance = &work->network->instances[op->instance];
  const sb_discrete *s = sb_discrete_of(work);
  const double *n = s->motion.at[SB_AT_MIDDLE] + s->motion.place[op->instance];
  const double *in = work->values + instance->in;
  for (int i = 0, d = instance->components; i < d; i++) {
    double sum = 0;
    for (int k = 0; k < d; k++) {
      sum += n[i * d + k] * in[k];
    }
    if (sb_instance_side(instance, i) == side) {
      work->values[instance->out + i] = sum;
    }
  }
  return 0;
}

/** And their mean rates. */
static int give_rates(sb_workspace *work, const sb_op *op, char side) {
  const sb_instance *instance = &work->network->instances[op->instance];
  const sb_discrete *s = sb_discrete_of(work);
  int d = instance->components, place = s->motion.place[op->instance];
  const double *n0 = s->motion.at[SB_AT_START] + place, *n1 = s->motion.at[SB_AT_END] + place;
  const double *u0 = n0 + d * d, *rate = work->values + sb_rate_value(work->network, instance->in);
  for (int i = 0; i < d; i++) {
    double sum = 0;
    for (int k = 0; k < d; k++) {
      bool reads = sb_instance_side(instance, k) != side;
      sum += reads ? n1[i * d + k] * rate[k] + (n1[i * d + k] - n0[i * d + k]) / s->h * u0[k] : 0;
    }
    if (sb_instance_side(instance, i) == side) {
      work->values[sb_rate_value(work->network, instance->out + i)] = sum;
    }
  }
  return 0;
}

/** Whether the operator of an operation's structure was noted. */
static bool is_noted(const sb_workspace *work, const sb_op *op) {
  return sb_discrete_of(work)->motion.place[op->instance] >= 0;
}

static int run_forward(sb_workspace *work, const sb_op *op, double t, const double x[],
                       double xdot[]) {
  return is_noted(work, op) ? give(work, op, 'B')
                            : sb_operations[SB_OP_FORWARD].run(work, op, t, x, xdot);
}

static int run_adjoint(sb_workspace *work, const sb_op *op, double t, const double x[],
                       double xdot[]) {
  return is_noted(work, op) ? give(work, op, 'A')
                            : sb_operations[SB_OP_ADJOINT].run(work, op, t, x, xdot);
}

static int run_forward_dot(sb_workspace *work, const sb_op *op, double t, const double x[],
                           double xdot[]) {
  return is_noted(work, op) ? give_rates(work, op, 'B')
                            : sb_operations[SB_OP_FORWARD_DOT].run(work, op, t, x, xdot);
}

static int run_adjoint_dot(sb_workspace *work, const sb_op *op, double t, const double x[],
                           double xdot[]) {
  return is_noted(work, op) ? give_rates(work, op, 'A')
                            : sb_operations[SB_OP_ADJOINT_DOT].run(work, op, t, x, xdot);
}

void sb_discrete_motion_operations(sb_operation operations[]) {
  operations[SB_OP_FORWARD].run = run_forward;
  operations[SB_OP_ADJOINT].run = run_adjoint;
  operations[SB_OP_FORWARD_DOT].run = run_forward_dot;
  operations[SB_OP_ADJOINT_DOT].run = run_adjoint_dot;
}
