// SPDX-License-Identifier: GPL-3.0-or-later
// Do the rates by which ties are kept (ties.c) say how things change? A wrong one would give a wrong
// force, while the projection after every step hides the drift. Two questions, by differences over short times:
//   of every element whose rates ties may use: is the rate of what it gives that of its outputs, as its
//   inputs and signals change at rates that are made up;
//   of every tie: does it hold along xdot?
// A difference D(h) is off by its curvature, of which D(2h) tells, and by rounding: both are taken off. At
// a kink or jump nearby the rate is that of one side, and there differences are.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/audit/laws_private.h"
#include "core/base/array.h"
#include "core/causality/constraint.h"
#include "core/model/constraints.h"
#include "core/model/rhs.h"
#include "core/network/roles.h"

enum { PLACES = 5, MIDDLE = 2, SIGNALS_MAX = 64 };
/** Length of the differences, as a part of a time over which little changes. */
static const double part_of_time = 1e-4;
/** A difference of one side is as good as this part of the rate. */
static const double side_tol = 3e-8;

/** By how much a rate is not that of five values at distances h; 0 if that is explained. */
static double beyond(const double f[PLACES], double h, double rate, double size) {
  double near = (f[3] - f[1]) / (2 * h), far = (f[4] - f[0]) / (4 * h);
  double best = near + (near - far) / 3, rounding = 0;
  double left = (3 * f[2] - 4 * f[1] + f[0]) / (2 * h);
  double right = (4 * f[3] - 3 * f[2] - f[4]) / (2 * h);
  for (int k = 0; k < PLACES; k++) {
    rounding += 8 * DBL_EPSILON * fabs(f[k]) / h;
  }
  double off = fabs(best - rate) - fabs(best - near) - rounding;
  bool of_side = fmin(fabs(rate - left), fabs(rate - right)) <= side_tol * size + rounding;
  return of_side ? 0 : fmax(0, off);
}

/** Whether a tie may use rates of an element that nothing else asks for. */
static bool has_rates(const sb_instance *instance) {
  return sb_instance_has_output_rate(instance) && instance->wire_count <= SIGNALS_MAX;
}

/** Made up: no two alike, none zero. */
static double rate_of(double value, int number, double time) {
  double fraction = 0.35 + 0.1 * (number % 7);
  return (value == 0 ? fraction : fraction * value) / time;
}

/** What a part sees at a time h from now. */
typedef struct moved {
  double signals[SIGNALS_MAX], rates[SIGNALS_MAX];
  const double *signal_at[SIGNALS_MAX], *rate_at[SIGNALS_MAX];
} moved;

static void move_signals(const sb_instance *instance, const sb_at *at, double h, double time,
                         moved *m) {
  for (int k = 0; k < instance->wire_count; k++) {
    m->rates[k] = rate_of(*at->signals[k], k, time);
    m->signals[k] = *at->signals[k] + h * m->rates[k];
    m->signal_at[k] = &m->signals[k];
    m->rate_at[k] = &m->rates[k];
  }
}

/** Gives at all places and, at the middle, the rates; `moving` is what the element reads of its ports, or
 *  of a storage its state. */
static int ask(sb_audit *a, const sb_instance *instance, sb_at at, double time, double f[],
               double rates[]) {
  int n = instance->components, outputs = sb_instance_output_count(instance), status = 0;
  double h = part_of_time * time, *now = a->in, *rate = a->moved;
  const double *from = instance->type->storage != NULL ? at.x : at.in;
  moved m;
  sb_at start = at;
  for (int k = 0; k <= PLACES && status == 0; k++) {
    double place = k < PLACES ? (k - MIDDLE) * h : 0;
    move_signals(instance, &start, place, time, &m);
    for (int i = 0; i < n; i++) {
      rate[i] = rate_of(from[i], i, time);
      now[i] = from[i] + place * rate[i];
    }
    at.t = start.t + place;
    at.x = instance->type->storage != NULL ? now : start.x;
    at.in = now;
    at.in_rate = rate;
    at.signals = m.signal_at;
    at.signal_rates = m.rate_at;
    at.own = a->own;
    status = k < PLACES ? sb_instance_output(instance, &at, f + k * outputs)
                        : sb_instance_output_rate(instance, &at, rates);
  }
  return status;
}

/** Returns whether the rates are right. */
static bool check_element(sb_audit *a, int index, double t, const double x[], double time,
                          double f[]) {
  const sb_instance *instance = &a->network->instances[index];
  int outputs = sb_instance_output_count(instance);
  double *rates = f + PLACES * outputs;
  bool right = true;
  if (ask(a, instance, sb_at_instance(a->work, instance, t, x), time, f, rates) != 0) {
    return true; // it has no value nearby
  }
  for (int i = 0; i < outputs; i++) {
    double at[PLACES];
    for (int k = 0; k < PLACES; k++) {
      at[k] = f[k * outputs + i];
    }
    double h = part_of_time * time, size = fmax(fabs(rates[i]), fabs(at[3] - at[1]) / (2 * h));
    double off = beyond(at, h, rates[i], size);
    sb_note(a, index, off, size);
    right = right && off <= side_tol * size;
  }
  return right;
}

/** Whether the ties hold along xdot.
 *  @param offs  scratch (PLACES x constraints) */
static void check_constraints(sb_audit *a, double t, const double x[], const double xdot[],
                              double time, double offs[]) {
  const sb_causality *c = &a->work->program->causality;
  sb_constraint_groups *g = sb_constraint_groups_of(a->work);
  int n = a->network->state_count;
  double h = part_of_time * time;
  for (int k = 0; g != NULL && k < PLACES; k++) {
    for (int i = 0; i < n; i++) {
      a->x[i] = x[i] + (k - MIDDLE) * h * xdot[i];
    }
    if (sb_workspace_evaluate(a->work, t + (k - MIDDLE) * h, a->x) != 0) {
      return;
    }
    for (int i = 0; i < c->constraint_count; i++) {
      offs[i * PLACES + k] = sb_constraint_row_at(g, a->work, i, a->x, false)->residual;
    }
  }
  for (int i = 0; g != NULL && i < c->constraint_count; i++) {
    double size = 0;
    const sb_constraint_row *row = sb_constraint_row_at(g, a->work, i, x, true);
    for (int k = 0; k < row->count; k++) {
      int state = row->states[k];
      sb_term rate = sb_rate_of(a->network, c, sb_state_var(a->network, state));
      size += fabs(row->gradient[state]) * fmax(fabs(xdot[state]), a->sizes[rate.var]);
    }
    double rounding = 16 * DBL_EPSILON * row->size / h;
    double off = beyond(&offs[i * PLACES], h, 0, size) - rounding;
    if (sb_constraint_has_multiplier(c, i) && off > 0) {
      sb_note(a, sb_owner_of(a->network, sb_constraint_state(c, i)), off, size);
    }
  }
}

void sb_audit_constraint_rates(sb_audit *a, double t, const double x[], const double xdot[],
                               double time) {
  const sb_causality *c = &a->work->program->causality;
  if (!sb_has_multipliers(c) || !(time > 0) || sb_workspace_evaluate(a->work, t, x) != 0) {
    return;
  }
  int most = c->constraint_count;
  for (int i = 0; i < a->network->instance_count; i++) {
    int outputs = sb_instance_output_count(&a->network->instances[i]);
    most = outputs + 1 > most ? outputs + 1 : most;
  }
  double *numbers = sb_zeroed((PLACES + 1) * most, sizeof(double));
  if (numbers == NULL) {
    return;
  }
  bool right = true;
  for (int i = 0; i < a->network->instance_count; i++) {
    if (has_rates(&a->network->instances[i])) {
      right = check_element(a, i, t, x, time, numbers) && right;
    }
  }
  if (right) { // else it is known who is to blame
    check_constraints(a, t, x, xdot, time, numbers);
  }
  free(numbers);
}
