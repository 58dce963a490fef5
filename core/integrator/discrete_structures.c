// SPDX-License-Identifier: GPL-3.0-or-later
// Storages with a structure of their own, xdot = J(x) dH/dx + G(x) u, over a step: the discrete gradient in the place of
// dH/dx. In constraints of the network their outputs are moved by impulses, y = G^T DH + S push with the response S of
// the storage, and the storage takes what the chain rule loses by that back from elsewhere (act() in core/graph/element.h).
//
// The mean rate of the output, by which a multiplier holds the constraint at the end of the step, is (y(x1) - y(x0))/h. Its
// x1 is that of Newton's iteration, off from x0 + h xdot(u) by r, which vanishes as that converges: the response to r is
// taken out, so that the rate is linear in u with the slopes S. In steps so short that y(x1) - y(x0) is rounding, it is the rate at
// the middle.
#include <math.h>

#include "core/integrator/discrete_gradient_private.h"

bool sb_discrete_structures_init(sb_discrete *s) {
  const sb_network *network = s->work->network;
  int signals = 1, components = 1;
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    if (sb_discrete_structured(instance)) {
      s->structured = true;
      signals = instance->signal_count > signals ? instance->signal_count : signals;
      components = instance->components > components ? instance->components : components;
    }
  }
  s->beside = sb_arena_zeroed(&s->memory, signals, sizeof(double));
  s->ends = sb_arena_zeroed(&s->memory, 3 * components, sizeof(double));
  s->gradients = sb_arena_zeroed(&s->memory, network->state_count, sizeof(double));
  s->rates = sb_arena_zeroed(&s->memory, network->state_count, sizeof(double));
  return s->beside != NULL && s->ends != NULL && s->gradients != NULL && s->rates != NULL;
}

static sb_gradient_step step_of(const sb_discrete *s, const sb_instance *instance) {
  const bool constrained = s->constraints.constrained[instance - s->work->network->instances];
  return (sb_gradient_step){s->x0 + instance->state, s->h,
                            constrained ? s->constraints.pushes + instance->out : NULL};
}

int sb_discrete_act(sb_discrete *s, const sb_instance *instance, double t, const double x[],
                    double y[], double xdot[]) {
  const sb_at at = sb_at_instance(s->work, instance, t, x);
  const sb_gradient_step step = step_of(s, instance);
  return instance->type->storage->structure->act(instance->self, &at, &step,
                                                 s->gradients + instance->state, y, xdot);
}

/** The rates of a storage with a structure of its own, by its discrete gradient. */
static int run_rate(sb_workspace *work, const sb_op *op, double t, const double x[],
                    double xdot[]) {
  const sb_instance *instance = &work->network->instances[op->instance];
  return sb_discrete_structured(instance)
             ? sb_discrete_act(sb_discrete_of(work), instance, t, x, NULL, xdot + instance->state)
             : sb_operations[SB_OP_RATE].run(work, op, t, x, xdot);
}

/** The outputs at both ends of the step, with the signals beside those of the middle. */
static int find_ends(sb_discrete *s, const sb_instance *instance, const double end[],
                     double *y[2]) {
  sb_at at = sb_at_instance(s->work, instance, s->t0, s->x0);
  at.own = s->beside;
  int status = instance->type->storage->output(instance->self, &at, y[0]);
  at.t = s->t0 + s->h;
  at.x = end;
  return status == 0 ? instance->type->storage->output(instance->self, &at, y[1]) : status;
}

int sb_discrete_structure_rate(sb_discrete *s, const sb_instance *instance, double t,
                               const double x[], double ydot[]) {
  const int n = instance->layout.states, m = instance->components;
  const double *x0 = s->x0 + instance->state, *xm = x + instance->state;
  double *end = s->scratch, *off = end + n, *xdot = s->rates + instance->state;
  double *y[2] = {s->ends, s->ends + m}, *dy = s->ends + 2 * m, size = 0;
  if (sb_discrete_act(s, instance, t, x, NULL, xdot) != 0) {
    return -1;
  }
  for (int i = 0; i < n; i++) {
    end[i] = 2 * xm[i] - x0[i];
    off[i] = 2 * (xm[i] - x0[i]) - s->h * xdot[i];
  }
  const sb_at at = sb_at_instance(s->work, instance, t, x);
  instance->type->storage->structure->respond(instance->self, &at, off, dy);
  if (find_ends(s, instance, end, y) != 0 ||
      instance->type->storage->constraints.acceleration->rate(instance->self, &at, ydot) != 0) {
    return -1;
  }
  for (int i = 0; i < 2 * m; i++) {
    size = fmax(size, fabs(s->ends[i]));
  }
  for (int i = 0; i < m; i++) {
    const double change = y[1][i] - y[0][i] - dy[i];
    bool same = fabs(change - s->h * ydot[i]) <= sb_energy_rounding * size;
    ydot[i] = same ? ydot[i] : change / s->h;
  }
  return 0;
}

void sb_discrete_structure_operations(sb_operation operations[]) {
  operations[SB_OP_RATE].run = run_rate;
}
