// SPDX-License-Identifier: GPL-3.0-or-later
// What changes over a step of a discrete gradient method besides the states: ratios of modulated
// structures, y = n(x, t) u, and sources and flat laws that follow signals. They are evaluated by the plain program at
// both ends and at the middle. The mean rate of y is exact by
//   (n1 u1 - n0 u0)/h = n1 (u1 - u0)/h + (n1 - n0)/h u0,
// so that constraints through n hold at both ends; efforts and flows over the step are related by n at
// the middle, both by the same, and so no power is lost.
#include <string.h>

#include "core/integrator/discrete_gradient_private.h"

/** How many numbers of an instance are stored for each point of a step; 0: none. */
static int room_for(const sb_instance *instance, const int modes[]) {
  int n = instance->components;
  bool structure = instance->type->structure != NULL && instance->hooked &&
                   instance->type->structure->rates.forward != NULL &&
                   instance->type->structure->rates.adjoint != NULL;
  bool source = instance->wire_count > 0 &&
                (sb_instance_has_rate(instance) || sb_instance_is_flat(instance, modes));
  return structure ? n * n + n : source ? n : 0;
}

bool sb_discrete_modulation_init(sb_discrete *s) {
  const sb_network *network = s->work->network;
  sb_discrete_modulation *m = &s->modulation;
  int room = 0;
  m->plain = s->work->program;
  m->place = sb_arena_zeroed(&s->memory, network->instance_count, sizeof(int));
  m->end_state = sb_arena_zeroed(&s->memory, network->state_count, sizeof(double));
  bool ok = m->place != NULL && m->end_state != NULL;
  for (int i = 0; ok && i < network->instance_count; i++) {
    int own = s->program.substitute == NULL ? 0 : room_for(&network->instances[i], s->work->modes);
    m->place[i] = own > 0 ? room : -1;
    room += own;
  }
  m->any = room > 0;
  for (int k = 0; ok && k < SB_STEP_POINTS; k++) {
    m->at[k] = sb_arena_zeroed(&s->memory, room, sizeof(double));
    ok = m->at[k] != NULL;
  }
  return ok;
}

/** The operator n of a structure by unit inputs, row-major, and its inputs behind it.
 *  @param unit  (2 components) scratch */
static int store_structure(sb_workspace *work, const sb_instance *instance, double t,
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

/** Evaluates the plain program at a point of the step, and stores operators, inputs and sources. */
static int store_point(sb_discrete *s, double t, const double x[], double out[]) {
  sb_workspace *work = s->work;
  const sb_network *network = work->network;
  const sb_program *discrete = work->program;
  work->program = s->modulation.plain;
  int status = sb_workspace_evaluate(work, t, x);
  for (int i = 0; status == 0 && i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    int place = s->modulation.place[i];
    if (place >= 0 && instance->type->structure == NULL) {
      memcpy(out + place, work->values + instance->out, (size_t)instance->components * sizeof *out);
    } else if (place >= 0) {
      status = store_structure(work, instance, t, x, s->scratch, out + place);
    }
  }
  work->program = discrete;
  return status;
}

int sb_discrete_modulation_evaluate(sb_discrete *s, double t, const double x[]) {
  sb_discrete_modulation *m = &s->modulation;
  if (!m->any) {
    return 0;
  }
  if (!m->begun && store_point(s, s->t0, s->x0, m->at[SB_AT_START]) != 0) {
    return -1;
  }
  m->begun = true;
  for (int i = 0; i < s->work->network->state_count; i++) {
    m->end_state[i] = 2 * x[i] - s->x0[i];
  }
  return store_point(s, s->t0 + s->h, m->end_state, m->at[SB_AT_END]) == 0 &&
                 store_point(s, t, x, m->at[SB_AT_MIDDLE]) == 0
             ? 0
             : -1;
}

/** The outputs of one side of a structure, by n at the middle; of others as the plain program does. */
static int run_structure(sb_workspace *work, const sb_op *op, double t, const double x[],
                         double xdot[]) {
  const sb_instance *instance = &work->network->instances[op->instance];
  const sb_discrete *s = sb_discrete_of(work);
  const sb_operation *plain = &sb_operations[op->kind];
  int d = instance->components, place = s->modulation.place[op->instance];
  if (place < 0) {
    return plain->run(work, op, t, x, xdot);
  }
  const double *n = s->modulation.at[SB_AT_MIDDLE] + place, *in = work->values + instance->in;
  for (int i = 0; i < d; i++) {
    double sum = 0;
    for (int k = 0; k < d; k++) {
      sum += n[i * d + k] * in[k];
    }
    if (sb_components_hold(plain->gives, instance, i)) {
      work->values[instance->out + i] = sum;
    }
  }
  return 0;
}

/** And their mean rates. */
static int run_structure_rate(sb_workspace *work, const sb_op *op, double t, const double x[],
                              double xdot[]) {
  const sb_instance *instance = &work->network->instances[op->instance];
  const sb_discrete *s = sb_discrete_of(work);
  const sb_operation *plain = &sb_operations[op->kind];
  int d = instance->components, place = s->modulation.place[op->instance];
  if (place < 0) {
    return plain->run(work, op, t, x, xdot);
  }
  const double *n0 = s->modulation.at[SB_AT_START] + place;
  const double *n1 = s->modulation.at[SB_AT_END] + place, *u0 = n0 + d * d;
  const double *rate = work->values + sb_rate_value(work->network, instance->in);
  for (int i = 0; i < d; i++) {
    if (!sb_components_hold(plain->gives, instance, i)) {
      continue;
    }
    double sum = 0;
    for (int k = 0; k < d; k++) {
      bool input = !sb_components_hold(plain->gives, instance, k);
      sum += input ? n1[i * d + k] * rate[k] + (n1[i * d + k] - n0[i * d + k]) / s->h * u0[k] : 0;
    }
    work->values[sb_rate_value(work->network, instance->out + i)] = sum;
  }
  return 0;
}

void sb_discrete_modulation_operations(sb_operation operations[]) {
  operations[SB_OP_FORWARD].run = operations[SB_OP_ADJOINT].run = run_structure;
  operations[SB_OP_FORWARD_DOT].run = operations[SB_OP_ADJOINT_DOT].run = run_structure_rate;
}
