// SPDX-License-Identifier: GPL-3.0-or-later
// Sources and flat laws in constraints over a step: C x = s(t) holds at both ends by the mean rate (s1 - s0)/h, and at
// the middle by the mean (s0 + s1)/2; these take the place of sdot(tm) and s(tm).
#include <string.h>

#include "core/causality/constraint.h"
#include "core/integrator/discrete_gradient_private.h"
#include "core/network/roles.h"

/** The values of a source at both ends: one that follows signals has been evaluated there. */
static int source_ends(const sb_discrete *s, const sb_instance *instance, sb_at at,
                       const double *ends[2]) {
  const sb_discrete_modulation *m = &s->modulation;
  int place = m->place[instance - s->work->network->instances];
  if (place >= 0) {
    ends[0] = m->at[SB_AT_START] + place;
    ends[1] = m->at[SB_AT_END] + place;
    return 0;
  }
  for (int end = 0; end < 2; end++) {
    double *y = s->scratch + end * instance->components;
    at.t = end == 0 ? s->t0 : s->t0 + s->h;
    if (sb_instance_output(instance, &at, y) != 0) {
      return -1;
    }
    ends[end] = y;
  }
  return 0;
}

int sb_discrete_source(sb_discrete *s, const sb_instance *instance, double t, const double x[],
                       double mean[]) {
  const double *ends[2];
  if (source_ends(s, instance, sb_at_instance(s->work, instance, t, x), ends) != 0) {
    return -1;
  }
  for (int i = 0; i < instance->components; i++) {
    mean[i] = 0.5 * (ends[0][i] + ends[1][i]);
  }
  return 0;
}

/** Of a source, or of a law that is one where it is flat. */
static int run_value(sb_workspace *work, const sb_op *op, double t, const double x[],
                     double xdot[]) {
  const sb_network *network = work->network;
  sb_discrete *s = sb_discrete_of(work);
  const sb_instance *instance = &network->instances[op->instance];
  double *y = work->values + instance->out;
  if (s->constraints.constrained[op->instance]) {
    memcpy(y, s->constraints.means + instance->out, (size_t)instance->components * sizeof *y);
    return 0;
  }
  int first = sb_value_var(network, instance->out);
  return sb_constraints_contain(&s->program.causality, first, first + instance->components)
             ? sb_discrete_source(s, instance, t, x, y)
             : sb_operations[op->kind].run(work, op, t, x, xdot);
}

static int run_law(sb_workspace *work, const sb_op *op, double t, const double x[], double xdot[]) {
  const sb_instance *instance = &work->network->instances[op->instance];
  bool flat = instance->components == 1 && sb_instance_is_flat(instance, work->modes);
  return flat ? run_value(work, op, t, x, xdot)
              : sb_operations[SB_OP_LAW].run(work, op, t, x, xdot);
}

static int run_value_rate(sb_workspace *work, const sb_op *op, double t, const double x[],
                          double xdot[]) {
  const sb_network *network = work->network;
  const sb_discrete *s = sb_discrete_of(work);
  const sb_instance *instance = &network->instances[op->instance];
  const double *ends[2];
  double *ydot = work->values + sb_rate_value(network, instance->out);
  (void)xdot;
  if (source_ends(s, instance, sb_at_instance(work, instance, t, x), ends) != 0) {
    return -1;
  }
  for (int i = 0; i < instance->components; i++) {
    ydot[i] = (ends[1][i] - ends[0][i]) / s->h;
  }
  return 0;
}

void sb_discrete_source_operations(sb_operation operations[]) {
  operations[SB_OP_VALUE].run = run_value;
  operations[SB_OP_LAW].run = run_law;
  operations[SB_OP_VALUE_DOT].run = run_value_rate;
}
