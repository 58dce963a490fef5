// SPDX-License-Identifier: GPL-3.0-or-later
// Hooks asked once more at the port variables that the solver used:
//   storages      output() and rate(), motion() where there is one
//   dissipations  law(), and back again by the law of the other causality
//   sources       value(), and that rate() is its derivative
// Inputs are known to rounding. What a law makes of that is found by moving them, and taken off.
#include <math.h>
#include <string.h>

#include "core/audit/laws_private.h"

/** How far inputs are moved, as a part of what their rounding is a part of. */
static const double input_rounding = 4 * DBL_EPSILON;
/** How far a law's argument is moved to see the rounding of the law itself, and what is allowed as a
 *  multiple of it. */
static const double law_step = 1e-9, law_rounding = 8;

/** The hook that reads the port: rate() or law(), into y. */
static int ask(const sb_instance *instance, sb_at at, const double in[], sb_variable assigned,
               double y[]) {
  at.in = in;
  return instance->type->storage != NULL
             ? instance->type->storage->rate(instance->self, &at, y)
             : instance->type->dissipation->law(instance->self, &at, assigned, y);
}

/** What the hook says at the port's variables, and how far their rounding moves that. */
static bool ask_around(sb_audit *a, int index, const sb_at *at, int count) {
  const sb_instance *instance = &a->network->instances[index];
  sb_variable assigned = sb_other(sb_output_of(a, index, 0));
  for (int k = 0; k < instance->components; k++) {
    a->in[k] = sb_port_value(a, instance, k, sb_other(sb_output_of(a, index, k)));
  }
  if (ask(instance, *at, a->in, assigned, a->said) != 0) {
    return false;
  }
  memset(a->spread, 0, (size_t)count * sizeof(double));
  for (int k = 0; k < instance->components; k++) {
    double kept = a->in[k];
    double size = sb_port_size(a, instance, k, sb_other(sb_output_of(a, index, k)));
    a->in[k] = kept + input_rounding * size;
    int status = ask(instance, *at, a->in, assigned, a->moved);
    a->in[k] = kept;
    for (int i = 0; status == 0 && i < count; i++) {
      a->spread[i] += fabs(a->moved[i] - a->said[i]) + DBL_EPSILON * fabs(a->said[i]);
    }
  }
  return true;
}

/** Notes the largest difference of `used` and what was said, beyond what rounding explains. */
static void note_said(sb_audit *a, int index, const double used[], int count, double size) {
  double off = 0;
  for (int i = 0; i < count; i++) {
    double own = fmax(fmax(fabs(used[i]), fabs(a->said[i])), size);
    double beyond = fabs(used[i] - a->said[i]) - a->spread[i];
    off = beyond > SB_LEAST ? fmax(off, beyond / own) : off;
  }
  sb_audit_note(a, index, off);
}

/** What the port gives must be what output() says: the same numbers. */
static void check_output(sb_audit *a, int index) {
  const sb_instance *instance = &a->network->instances[index];
  for (int k = 0; k < instance->components; k++) {
    double y = sb_port_value(a, instance, k, sb_output_of(a, index, k));
    sb_note(a, index, fabs(y - a->said[k]), fmax(fabs(y), fabs(a->said[k])));
  }
}

void sb_audit_storage(sb_audit *a, int index, double t, const double x[], const double xdot[]) {
  const sb_instance *instance = &a->network->instances[index];
  const sb_storage_hooks *hooks = instance->type->storage;
  sb_at at = sb_at_instance(a->work, instance, t, x);
  at.own = a->own;
  if (hooks->output(instance->self, &at, a->said) != 0) {
    return;
  }
  check_output(a, index);
  if (ask_around(a, index, &at, instance->layout.states)) {
    note_said(a, index, xdot + instance->state, instance->layout.states, 0);
  }
  if (hooks->audit.motion != NULL) {
    for (int k = 0; k < instance->components; k++) {
      a->said[k] = sb_port_value(a, instance, k, sb_output_of(a, index, k));
    }
    at.in = a->work->values + instance->in;
    sb_audit_note(a, index,
                  hooks->audit.motion(instance->self, &at, a->said, xdot + instance->state));
  }
}

/** From y back to u by the law of the other causality; one of the two must come back. */
static void check_inverse(sb_audit *a, int index, const sb_at *at, double u, double y) {
  const sb_instance *instance = &a->network->instances[index];
  sb_variable output = sb_output_of(a, index, 0);
  double v, again, around[5], noise = 0;
  if (u == 0 || ask(instance, *at, &y, output, &v) != 0 ||
      ask(instance, *at, &v, sb_other(output), &again) != 0) {
    return;
  }
  for (int k = 0; k < 5; k++) {
    double moved = u * (1 + (k - 2) * law_step);
    if (ask(instance, *at, &moved, sb_other(output), &around[k]) != 0) {
      return;
    }
  }
  for (int k = 1; k < 4; k++) {
    noise = fmax(noise, fabs(around[k - 1] - 2 * around[k] + around[k + 1]));
  }
  double off = fabs(again - y) - law_rounding * noise;
  if (off > SB_LEAST) { // false for not-a-number, which the step has refused
    sb_audit_note(a, index,
                  fmin(off / fmax(fabs(y), fabs(again)), fabs(v - u) / fmax(fabs(u), fabs(v))));
  }
}

/** In loops laws hold to the rounding of all outputs of the loop. */
static double loop_size(const sb_audit *a, int index) {
  const sb_program *p = a->work->program;
  double largest = 0;
  for (int i = 0; i < p->loop_count; i++) {
    const sb_loop *loop = &p->loops[i];
    double size = 0;
    bool in_it = false;
    for (int k = loop->first; k < loop->first + loop->count; k++) {
      in_it = in_it || p->loop_hooks[k].op.instance == index;
    }
    for (int k = loop->first_output; k < loop->first_output + loop->output_count; k++) {
      size = fmax(size, fabs(a->work->values[p->loop_outputs[k]]));
    }
    largest = in_it ? fmax(largest, size) : largest;
  }
  return largest;
}

void sb_audit_law(sb_audit *a, int index, double t, const double x[]) {
  const sb_instance *instance = &a->network->instances[index];
  sb_at at = sb_at_instance(a->work, instance, t, x);
  if (!ask_around(a, index, &at, instance->components)) {
    return;
  }
  double *used = a->back;
  for (int k = 0; k < instance->components; k++) {
    used[k] = sb_port_value(a, instance, k, sb_output_of(a, index, k));
  }
  double y = a->said[0];
  note_said(a, index, used, instance->components, loop_size(a, index));
  if (instance->components == 1 && instance->layout.ports[0].output == SB_INDIFFERENT) {
    check_inverse(a, index, &at, a->in[0], y);
  }
}

/** The change of a source's output over a short time, against the integral of its rate by Simpson's
 *  rule over one and two halves. */
static void check_rate(sb_audit *a, int index, sb_at at, double h) {
  const sb_instance *instance = &a->network->instances[index];
  const sb_source_hooks *hooks = instance->type->source;
  static const double weight[2][5] = {{1. / 6, 0, 4. / 6, 0, 1. / 6},
                                      {1. / 12, 4. / 12, 2. / 12, 4. / 12, 1. / 12}};
  double t = at.t, *quadrature = a->moved, *coarse = a->spread, *rate = a->back;
  const double *start = a->said;
  int n = instance->components;
  memset(quadrature, 0, (size_t)n * sizeof *quadrature);
  memset(coarse, 0, (size_t)n * sizeof *coarse);
  for (int k = 0; k < 5; k++) {
    at.t = t + 0.25 * k * h;
    if (hooks->rate(instance->self, &at, rate) != 0) {
      return;
    }
    for (int i = 0; i < n; i++) {
      coarse[i] += weight[0][k] * h * rate[i];
      quadrature[i] += weight[1][k] * h * rate[i];
    }
  }
  at.t = t + h;
  if (hooks->value(instance->self, &at, rate) != 0) {
    return;
  }
  for (int i = 0; i < n; i++) {
    double change = rate[i] - start[i], size = fmax(fabs(change), fabs(quadrature[i]));
    double rounding =
        16 * DBL_EPSILON *
        ((fabs(rate[i]) + fabs(start[i])) * (1 + h) + fabs(quadrature[i]) * (fabs(t) / h + 1));
    double off = fabs(change - quadrature[i]) - fabs(quadrature[i] - coarse[i]) - rounding;
    sb_note(a, index, off, size);
  }
}

void sb_audit_source(sb_audit *a, int index, double t, const double x[], double step) {
  const sb_instance *instance = &a->network->instances[index];
  const sb_source_hooks *hooks = instance->type->source;
  sb_at at = sb_at_instance(a->work, instance, t, x);
  at.own = a->own;
  if (hooks->value(instance->self, &at, a->said) != 0) {
    return;
  }
  check_output(a, index);
  if (sb_instance_has_rate(instance) && instance->wire_count == 0 && step > 0) {
    check_rate(a, index, at, step);
  }
}
