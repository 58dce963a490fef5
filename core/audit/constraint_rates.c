// SPDX-License-Identifier: GPL-3.0-or-later
// Are the rates right by which constraints are enforced? The Lagrange multipliers follow from the time
// derivatives of the constraints, as do the rates of dependent states. A wrong one would give a wrong multiplier or
// force, while the projection after every step hides the drift. Two checks, by differences over short times:
//   every element whose rates constraints may use: is the stated rate of its outputs that of the outputs
//   themselves, while its inputs and signals change at arbitrary rates;
//   every constraint: does it hold along xdot?
// What the differences themselves do not know is subtracted (differences.h).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/audit/audit_private.h"
#include "core/audit/differences.h"
#include "core/base/array.h"
#include "core/causality/constraint.h"
#include "core/model/constraints.h"
#include "core/model/rhs.h"
#include "core/network/roles.h"

enum { POINTS = SB_DIFFERENCE_POINTS, MIDDLE = POINTS / 2, SIGNALS_MAX = 64 };

/** Rounding of five values that are known to rounding. */
static double rounding_of(const double f[POINTS]) {
  double sum = 0;
  for (int k = 0; k < POINTS; k++) {
    sum += 8 * DBL_EPSILON * fabs(f[k]);
  }
  return sum;
}

/** The times t +- h, and what an element subtracts from them as a delay does, are rounded: that is an error of the
 *  rate as a fraction of it. */
static double time_rounding(double t, double h) {
  return 4 * DBL_EPSILON * fabs(t) / h;
}

/** Whether constraints may use rates of an element that no other check looks at. */
static bool has_rates(const sb_instance *instance) {
  return sb_instance_has_output_rate(instance) && instance->wire_count <= SIGNALS_MAX;
}

/** Arbitrary rates: no two alike, none zero. */
static double arbitrary_rate(double value, int number, double time) {
  double fraction = 0.35 + 0.1 * (number % 7);
  return (value == 0 ? fraction : fraction * value) / time;
}

/** The signals that an element reads at a time h from now. */
typedef struct varied_signals {
  double signals[SIGNALS_MAX], rates[SIGNALS_MAX];
  const double *signal_at[SIGNALS_MAX], *rate_at[SIGNALS_MAX];
} varied_signals;

static void vary_signals(const sb_instance *instance, const sb_at *at, double h, double time,
                         varied_signals *v) {
  for (int k = 0; k < instance->wire_count; k++) {
    v->rates[k] = arbitrary_rate(*at->signals[k], k, time);
    v->signals[k] = *at->signals[k] + h * v->rates[k];
    v->signal_at[k] = &v->signals[k];
    v->rate_at[k] = &v->rates[k];
  }
}

/** Those that change with the flows of the element, all numbers of each. */
static void signals_ahead(const sb_instance *instance, const sb_at *at, double h,
                          varied_signals *v) {
  double *place[SIGNALS_MAX];
  int count = 0, used = 0;
  for (const sb_signal_spec *s = instance->type->signals; s->name != NULL; s++) {
    if (s->input) {
      place[count] = v->signals + used;
      v->signal_at[count] = place[count];
      used += s->count;
      count++;
    }
  }
  instance->type->structure->rates.ahead(instance->self, at, h, place);
}

/** What of an element varies beside its signals: what it reads of its ports, at arbitrary rates; the states of a
 *  storage likewise; those of one that accelerates, and of a signal, by their own rates.
 *  @param from  out: the numbers   @param rates  out
 *  @return how many; -1: there is no answer */
static int find_varied(const sb_instance *instance, const sb_at *at, double time,
                       const double **from, double rates[]) {
  const sb_element_type *type = instance->type;
  *from = type->storage != NULL || type->signal != NULL ? at->x : at->in;
  if (type->signal != NULL && instance->layout.states > 0) {
    return type->signal->rate(instance->self, at, rates) == 0 ? instance->layout.states : -1;
  }
  if (sb_instance_accelerates(instance)) {
    return type->storage->rate(instance->self, at, rates) == 0 ? instance->layout.states : -1;
  }
  for (int i = 0; i < instance->components; i++) {
    rates[i] = arbitrary_rate((*from)[i], i, time);
  }
  return instance->components;
}

/** Outputs at all points, one after the other, and their rates at the middle. */
static int call_points(sb_audit *a, const sb_instance *instance, sb_at at, double time, double f[],
                       double rates[]) {
  int outputs = sb_instance_output_count(instance);
  double h = sb_difference_step * time, *now = a->in, *rate = a->varied;
  const double *from;
  const bool ahead =
      instance->type->structure != NULL && instance->type->structure->rates.ahead != NULL;
  varied_signals v;
  sb_at start = at;
  int n = find_varied(instance, &start, time, &from, rate), status = n < 0 ? -1 : 0;
  for (int k = 0; k <= POINTS && status == 0; k++) {
    double offset = k < POINTS ? (k - MIDDLE) * h : 0;
    if (ahead) {
      signals_ahead(instance, &start, offset, &v);
    } else {
      vary_signals(instance, &start, offset, time, &v);
    }
    for (int i = 0; i < n; i++) {
      now[i] = from[i] + offset * rate[i];
    }
    at.t = start.t + offset;
    at.x = from == start.x ? now : start.x;
    at.in = from == start.in ? now : start.in;
    at.in_rate = rate;
    at.signals = v.signal_at;
    at.signal_rates = v.rate_at;
    at.own = a->signals;
    if (k == POINTS &&
        (ahead || sb_instance_accelerates(instance))) { // which read their own signals
      status = sb_instance_output(instance, &at, f + MIDDLE * outputs);
    }
    status = k < POINTS    ? sb_instance_output(instance, &at, f + k * outputs)
             : status != 0 ? status
                           : sb_instance_output_rate(instance, &at, rates);
  }
  return status;
}

/** Turns the rates of what accelerates into those by inputs that are a rounding larger: where forces cancel, as in what
 *  rests, the difference is all that there is.  @return false: there is no answer */
static bool round_inputs(sb_audit *a, const sb_instance *instance, sb_at at, double rates[]) {
  for (int k = 0; k < instance->components; k++) {
    a->stated[k] = at.in[k] * (1 + 8 * DBL_EPSILON);
  }
  at.in = a->stated;
  at.own = a->signals;
  return sb_instance_output(instance, &at, a->varied) == 0 &&
         sb_instance_output_rate(instance, &at, rates) == 0;
}

/** The largest of all outputs: what accelerates gives the velocity of a point about which it turns, a sum of terms that may be
 *  as large while it is small itself. */
static double largest_of(const double f[], int count) {
  double largest = 0;
  for (int i = 0; i < count; i++) {
    largest = fmax(largest, fabs(f[i]));
  }
  return largest;
}

/** What the rates of a storage that accelerates are rounding of where forces hold each other at its ports: the largest that
 *  these would give one by one. */
static double size_of_balance(sb_audit *a, int index, double t, const double x[]) {
  const sb_instance *instance = &a->network->instances[index];
  double *w = a->in, *y = a->varied, size = 0;
  const sb_at at = sb_at_instance(a->work, instance, t, x);
  if (!sb_instance_accelerates(instance) || !(a->nominal->idle[a->network->part_of[index]] > 0)) {
    return 0;
  }
  for (int i = 0; i < instance->components; i++) {
    w[i] = sb_port_size(a, instance, i, sb_other(sb_output_of(a, index, i)));
  }
  if (instance->type->storage->constraints.acceleration->impulse(instance->self, &at, w, NULL, NULL,
                                                                 y) == 0) {
    size = largest_of(y, instance->components);
  }
  return size;
}

/** Returns whether the rates are right. */
static bool check_element(sb_audit *a, int index, double t, const double x[], double time,
                          double f[]) {
  const sb_instance *instance = &a->network->instances[index];
  int outputs = sb_instance_output_count(instance);
  double *rates = f + POINTS * outputs, *rounded = rates + outputs;
  const bool accelerates = sb_instance_accelerates(instance);
  const double held = size_of_balance(a, index, t, x);
  bool right = true;
  if (call_points(a, instance, sb_at_instance(a->work, instance, t, x), time, f, rates) != 0) {
    return true; // it has no value nearby
  }
  if (accelerates && !round_inputs(a, instance, sb_at_instance(a->work, instance, t, x), rounded)) {
    return true;
  }
  double terms = accelerates ? 8 * DBL_EPSILON * largest_of(f, POINTS * outputs) : 0;
  for (int i = 0; i < outputs; i++) {
    double at[POINTS];
    for (int k = 0; k < POINTS; k++) {
      at[k] = f[k * outputs + i];
    }
    double h = sb_difference_step * time,
           size = fmax(fmax(fabs(rates[i]), held), fabs(at[3] - at[1]) / (2 * h));
    double rounding = POINTS * terms + rounding_of(at) + size * h * time_rounding(t, h);
    double effect = accelerates ? fabs(rounded[i] - rates[i]) : 0;
    double error = sb_rate_error(at, h, rates[i], size, rounding) - effect;
    if (error > sb_side_tol * size) { // polynomials of a delay have derivatives of this accuracy
      sb_audit_difference(a, index, error, size);
      right = false;
    }
  }
  return right;
}

/** What the storages that accelerate take at their ports, as it enters the rate of the constraint of the groups' row: with the
 *  weights w of their outputs, M^-1 w times the inputs. At rest these hold each other, and xdot is nothing but their rounding. */
static double size_of_inputs(const sb_audit *a, const sb_constraint_groups *g, const double x[]) {
  double *y = g->moved, size = 0;
  for (int k = 0; k < g->accelerating_count; k++) {
    const sb_instance *instance = &a->network->instances[g->accelerating[k]];
    const sb_storage_acceleration *hooks = instance->type->storage->constraints.acceleration;
    const sb_at at = sb_at_instance(a->work, instance, 0, x);
    if (hooks->impulse(instance->self, &at, g->weights + instance->out, NULL, NULL, y) != 0) {
      continue;
    }
    for (int i = 0; i < instance->components; i++) {
      sb_variable input = sb_other(sb_output_of(a, g->accelerating[k], i));
      size += fabs(y[i]) * sb_port_size(a, instance, i, input);
    }
  }
  return size;
}

/** What the rounding of the rates of what accelerates is a fraction of: of other storages the network knows it.
 *  @param terms  (states) out */
static void size_rates(sb_audit *a, double t, const double x[], double terms[]) {
  static const double rounding = 8 * DBL_EPSILON;
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    double *own = terms + instance->state;
    sb_at at = sb_at_instance(a->work, instance, t, x);
    if (!sb_instance_accelerates(instance) ||
        instance->type->storage->rate(instance->self, &at, own) != 0) {
      continue;
    }
    for (int k = 0; k < instance->components; k++) {
      a->in[k] = at.in[k] * (1 + rounding);
    }
    at.in = a->in;
    const bool known = instance->type->storage->rate(instance->self, &at, a->varied) == 0;
    for (int k = 0; k < instance->layout.states; k++) {
      own[k] = known ? fabs(a->varied[k] - own[k]) / rounding : 0;
    }
  }
}

/** Whether the constraints hold along xdot.
 *  @param errors  scratch (POINTS x constraints)
 *  @param known   (states) what the rounding of rates is a fraction of */
static void check_constraints(sb_audit *a, double t, const double x[], const double xdot[],
                              double time, double errors[], const double known[]) {
  const sb_causality *c = &a->work->program->causality;
  sb_constraint_groups *g = sb_constraint_groups_of(a->work);
  int n = a->network->state_count;
  double h = sb_difference_step * time;
  for (int k = 0; g != NULL && k < POINTS; k++) {
    for (int i = 0; i < n; i++) {
      a->x[i] = x[i] + (k - MIDDLE) * h * xdot[i];
    }
    if (sb_workspace_evaluate(a->work, t + (k - MIDDLE) * h, a->x) != 0) {
      return;
    }
    for (int i = 0; i < c->constraint_count; i++) {
      errors[i * POINTS + k] = sb_constraint_row_at(g, a->work, i, a->x, false)->residual;
    }
  }
  for (int i = 0; g != NULL && i < c->constraint_count; i++) {
    const sb_constraint_row *row = sb_constraint_row_at(g, a->work, i, x, true);
    double size = size_of_inputs(a, g, x);
    for (int k = 0; k < row->count; k++) {
      int state = row->states[k];
      sb_term rate = sb_rate_of(a->network, c, sb_state_var(a->network, state));
      double terms = rate.var < 0 ? known[state] : a->sizes[rate.var];
      size += fabs(row->gradient[state]) * fmax(fabs(xdot[state]), terms);
    }
    const double *f = &errors[i * POINTS];
    double rounding = rounding_of(f) + 16 * DBL_EPSILON * (row->size + row->terms) +
                      size * h * time_rounding(t, h);
    double error = sb_rate_error(f, h, 0, size, rounding);
    if (error > sb_side_tol * size) {
      sb_audit_difference(a, sb_owner_of(a->network, sb_constraint_state(c, i)), error, size);
    }
  }
}

void sb_audit_constraint_rates(sb_audit *a, double t, const double x[], const double xdot[],
                               double time) {
  const sb_causality *c = &a->work->program->causality;
  if (c->constraint_count == 0 || !(time > 0) || sb_workspace_evaluate(a->work, t, x) != 0) {
    return;
  }
  int most = c->constraint_count;
  for (int i = 0; i < a->network->instance_count; i++) {
    int outputs = sb_instance_output_count(&a->network->instances[i]);
    most = outputs + 1 > most ? outputs + 1 : most;
  }
  double *numbers = sb_zeroed((POINTS + 2) * most + a->network->state_count, sizeof(double));
  if (numbers == NULL) {
    return;
  }
  bool right = true;
  for (int i = 0; i < a->network->instance_count; i++) {
    if (has_rates(&a->network->instances[i])) {
      right = check_element(a, i, t, x, time, numbers) && right;
    }
  }
  // Else the element at fault is known: a source whose rate is wrong spoils the constraints that it is in.
  if (right && a->ledger.structure.residual_relative <= a->ledger.structure.limit) {
    double *known = numbers + (POINTS + 2) * most;
    size_rates(a, t, x, known);
    check_constraints(a, t, x, xdot, time, numbers, known);
  }
  free(numbers);
}
