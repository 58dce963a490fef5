// SPDX-License-Identifier: GPL-3.0-or-later
// Is the rate of its outputs that an element states that of the outputs themselves, while its inputs and signals change at
// arbitrary rates? By differences over short times.
// The arguments are known to rounding only: flows to that of the largest that they have been, vectors to that of their length. What
// is left of an output where these cancel is rounding, and so is its rate: where the two differ, their effect on both is found by
// varying the arguments one by one, and counts as unknown.
#include <string.h>

#include "core/audit/rates_private.h"
#include "core/network/roles.h"

enum { POINTS = SB_DIFFERENCE_POINTS, MIDDLE = POINTS / 2, SIGNALS_MAX = 64 };

/** Whether constraints may use rates of an element that no other check looks at. */
static bool has_rates(const sb_audit *a, const sb_instance *instance) {
  bool flat = instance->components == 1 && sb_instance_is_flat(instance, a->work->modes);
  return (flat || sb_instance_has_output_rate(instance)) && instance->wire_count <= SIGNALS_MAX;
}

/** Arbitrary rates, no two alike.
 *  @param size  of the number while it is zero */
static double arbitrary_rate(double value, double size, int number, double time) {
  double fraction = 0.35 + 0.1 * (number % 7);
  return fraction * (value == 0 ? size : value) / time;
}

/** The signals that an element reads at a time h from now. */
typedef struct varied_signals {
  int used; // numbers
  double signals[SIGNALS_MAX], rates[SIGNALS_MAX];
  double size[SIGNALS_MAX]; // what the rounding of each is a fraction of
  const double *signal_at[SIGNALS_MAX], *rate_at[SIGNALS_MAX];
} varied_signals;

/** What is zero varies by the largest that it has been. */
static void vary_signals(const sb_audit *a, const sb_instance *instance, const sb_at *at, double h,
                         double time, varied_signals *v) {
  const int *wires = a->network->wires + instance->wire;
  v->used = instance->wire_count;
  for (int k = 0; k < instance->wire_count; k++) {
    v->rates[k] = arbitrary_rate(*at->signals[k], a->signal_sizes[wires[k]], k, time);
    v->signals[k] = *at->signals[k] + h * v->rates[k];
    v->size[k] = fabs(*at->signals[k]);
    v->signal_at[k] = &v->signals[k];
    v->rate_at[k] = &v->rates[k];
  }
}

/** Those that change with the flows of the element, all numbers of each. */
static void signals_ahead(const sb_instance *instance, const sb_at *at, double h,
                          varied_signals *v) {
  double *place[SIGNALS_MAX];
  int count = 0;
  v->used = 0;
  for (const sb_signal_spec *s = instance->type->signals; s->name != NULL; s++) {
    if (s->input) {
      place[count] = v->signals + v->used;
      v->signal_at[count] = place[count];
      sb_size_signal(at->signals[count], s->count, v->size + v->used);
      v->used += s->count;
      count++;
    }
  }
  instance->type->structure->rates.ahead(instance->self, at, h, place);
}

/** What of an element varies beside its signals: what it reads of its ports, at arbitrary rates; the states of a
 *  storage likewise; those of one that accelerates, and of a signal, by their own rates. What is zero varies by its nominal size,
 *  or by the largest that it has been: one unit may be a thousand times what a law is made for.
 *  @param from  out: the numbers   @param rates  out
 *  @return how many; -1: there is no answer */
static int find_varied(const sb_audit *a, int index, const sb_at *at, double time,
                       const double **from, double rates[]) {
  const sb_instance *instance = &a->network->instances[index];
  const sb_element_type *type = instance->type;
  *from = type->storage != NULL || type->signal != NULL ? at->x : at->in;
  if (type->signal != NULL && instance->layout.states > 0) {
    return type->signal->rate(instance->self, at, rates) == 0 ? instance->layout.states : -1;
  }
  if (sb_instance_accelerates(instance)) {
    return type->storage->rate(instance->self, at, rates) == 0 ? instance->layout.states : -1;
  }
  for (int i = 0; i < instance->components; i++) {
    const double size = *from == at->x
                            ? a->nominal->used[instance->state + i]
                            : sb_port_size(a, instance, i, sb_other(sb_output_of(a, index, i)));
    rates[i] = arbitrary_rate((*from)[i], size, i, time);
  }
  return instance->components;
}

/** An element while its arguments vary. */
typedef struct variation {
  const sb_instance *instance;
  sb_at start;
  double time, h; // [s] which rates are arbitrary for; between the points of differences
  const double
      *from; // what varies of it beside signals, in the audit's `in`, at its rates in `varied`
  int count;
  bool ahead; // its signals change with its flows
  varied_signals signals;
} variation;

static bool vary(sb_audit *a, int index, double t, const double x[], double time, variation *v) {
  const sb_instance *instance = &a->network->instances[index];
  *v = (variation){.instance = instance,
                   .start = sb_at_instance(a->work, instance, t, x),
                   .time = time,
                   .ahead = instance->type->structure != NULL &&
                            instance->type->structure->rates.ahead != NULL};
  const sb_delay_hooks *delay =
      instance->type->signal != NULL ? instance->type->signal->delay : NULL;
  v->h = sb_difference_step * time;
  if (delay != NULL) { // it has forgotten what no step needs: what it knows may begin or end here
    const double lag = delay->lag(instance->self);
    v->h = fmin(v->h, sb_history_room(v->start.past, t - lag, v->start.inside - lag) / MIDDLE);
  }
  v->count = find_varied(a, index, &v->start, time, &v->from, a->varied);
  return v->count >= 0 && v->h > 0;
}

/** The arguments at a time `offset` from now. */
static sb_at at_offset(sb_audit *a, variation *v, double offset) {
  sb_at at = v->start;
  if (v->ahead) {
    signals_ahead(v->instance, &v->start, offset, &v->signals);
  } else {
    vary_signals(a, v->instance, &v->start, offset, v->time, &v->signals);
  }
  for (int i = 0; i < v->count; i++) {
    a->in[i] = v->from[i] + offset * a->varied[i];
  }
  at.t += offset;
  at.x = v->from == v->start.x ? a->in : v->start.x;
  at.in = v->from == v->start.in ? a->in : v->start.in;
  at.in_rate = a->varied;
  at.signals = v->signals.signal_at;
  at.signal_rates = v->signals.rate_at;
  at.own = a->signals;
  return at;
}

/** Outputs and rates; the rates of some read their own signals. */
static int call_both(const variation *v, const sb_at *at, double y[], double ydot[]) {
  int status =
      v->ahead || sb_instance_accelerates(v->instance) ? sb_instance_output(v->instance, at, y) : 0;
  return status != 0 ? status : sb_instance_output_rate(v->instance, at, ydot);
}

/** Outputs at all points, one after the other, and their rates at the middle. */
static int call_points(sb_audit *a, variation *v, double f[], double rates[]) {
  int outputs = sb_instance_output_count(v->instance), status = 0;
  for (int k = 0; k < POINTS && status == 0; k++) {
    const sb_at at = at_offset(a, v, (k - MIDDLE) * v->h);
    status = sb_instance_output(v->instance, &at, f + k * outputs);
  }
  const sb_at middle = at_offset(a, v, 0);
  return status != 0 ? status : call_both(v, &middle, f + MIDDLE * outputs, rates);
}

/** What an argument that is off by `step` makes of outputs and rates.
 *  @param f, rates  (outputs) without it   @param effect  (outputs, rates) grows   @param y  scratch (outputs, rates) */
static void add_effect(const variation *v, const sb_at *at, double *argument, double step,
                       const double f[], const double rates[], double effect[], double y[]) {
  const int outputs = sb_instance_output_count(v->instance);
  const double right = *argument;
  memcpy(y, f, (size_t)outputs * sizeof *y);
  memcpy(y + outputs, rates, (size_t)outputs * sizeof *y);
  *argument = right + step;
  if (step > 0 && sb_instance_output(v->instance, at, y) == 0 &&
      sb_instance_output_rate(v->instance, at, y + outputs) == 0) {
    for (int i = 0; i < outputs; i++) {
      effect[i] += fabs(y[i] - f[i]);
      effect[outputs + i] += fabs(y[outputs + i] - rates[i]);
    }
  }
  *argument = right;
}

/** What the rounding of an element's own terms is in its outputs, and that of the arguments in these and in their rates: of inputs, of signals, of the states of what
 *  accelerates, as a link that hardly moves beside a fast one has what is left of both; an angle near zero is known to the rounding of one radian, as the axes are that it turns.
 *  @param f, rates  (outputs) at the middle   @param effect  (outputs, rates) grows   @param y  scratch (outputs, rates) */
static void find_effects(sb_audit *a, int index, variation *v, const double f[],
                         const double rates[], double effect[], double y[]) {
  const sb_at at = at_offset(a, v, 0);
  const bool accelerates = sb_instance_accelerates(v->instance);
  if (sb_audit_own_terms(v->instance, &at, y)) {
    for (int i = 0; i < sb_instance_output_count(v->instance); i++) {
      effect[i] += sb_input_rounding * y[i];
    }
  }
  for (int k = 0; (accelerates || v->from == v->start.in) && k < v->count; k++) {
    const double size = accelerates
                            ? fmax(fabs(v->from[k]), a->nominal->now.size[v->instance->state + k])
                            : sb_port_size(a, v->instance, k, sb_other(sb_output_of(a, index, k)));
    add_effect(v, &at, &a->in[k], sb_input_rounding * size, f, rates, effect, y);
  }
  for (int k = 0; k < v->signals.used; k++) {
    add_effect(v, &at, &v->signals.signals[k], sb_input_rounding * v->signals.size[k], f, rates,
               effect, y);
  }
}

/** To which the rates of what accelerates are known: what inputs that are a rounding larger change of them, as where forces cancel the
 *  difference is all that there is, and rounding of what they are differences of whatever the inputs are, as weights.
 *  @param effect  (outputs) out  @param y  (outputs) scratch  @return false: there is no answer */
static bool round_inputs(sb_audit *a, const sb_instance *instance, sb_at at, const double rates[],
                         double effect[], double y[]) {
  static const double rounding = 8 * DBL_EPSILON;
  const sb_storage_acceleration *acceleration = instance->type->storage->constraints.acceleration;
  for (int k = 0; k < instance->components; k++) {
    a->stated[k] = at.in[k] * (1 + rounding);
  }
  at.in = a->stated;
  at.own = a->signals;
  if (sb_instance_output(instance, &at, y) != 0 ||
      sb_instance_output_rate(instance, &at, effect) != 0) {
    return false;
  }
  memset(y, 0, (size_t)instance->components * sizeof *y);
  if (acceleration->terms != NULL) {
    acceleration->terms(instance->self, &at, y);
  }
  for (int i = 0; i < instance->components; i++) {
    effect[i] = fabs(effect[i] - rates[i]) + rounding * y[i];
  }
  return true;
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
  if (!sb_instance_accelerates(instance)) {
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

/** The error of the rate of one output. @param known, known_rate  to which it and its rate are known @param size, unknown  out:
 *  and what of the rate is rounding */
static double error_of(const double f[], int outputs, int i, double t, double h, double rate,
                       double known, double known_rate, double held, double *size,
                       double *unknown) {
  double at[POINTS];
  for (int k = 0; k < POINTS; k++) {
    at[k] = f[k * outputs + i];
  }
  *size = fmax(fmax(fabs(rate), held), fabs(at[3] - at[1]) / (2 * h));
  const double rounding = POINTS * known + sb_rounding_of(at) + *size * h * sb_time_rounding(t, h);
  *unknown = rounding / h;
  return sb_rate_error(at, h, rate, *size, rounding) - known_rate;
}

/** Whether an output changes between the points as much as it is large, as within a pulse that is narrower than they are apart:
 *  differences tell nothing of its rate. */
static bool is_unresolved(const double f[], int outputs, int i) {
  static const double jagged = 1e-3;
  double largest = 0;
  for (int k = 0; k < POINTS; k++) {
    largest = fmax(largest, fabs(f[k * outputs + i]));
  }
  f += i;
  return fabs(f[0] - 4 * f[outputs] + 6 * f[2 * outputs] - 4 * f[3 * outputs] + f[4 * outputs]) >
         jagged * largest;
}

/** The error by differences over shorter times, as long as those before tell nothing and rounding leaves something to tell.
 *  @param effect  (outputs, rates) to which they are known   @param f, y  scratch, as there   @param size, error  as before */
static double error_of_shorter(sb_audit *a, variation *v, int i, double rate, const double effect[],
                               double f[], double y[], double held, double *size, double error) {
  static const double shorter = 0.25, known = 0.1;
  const int outputs = sb_instance_output_count(v->instance);
  double unknown = 0;
  while (error > sb_side_tol * *size && unknown < known * *size && is_unresolved(f, outputs, i)) {
    v->h *= shorter;
    if (call_points(a, v, f, y) != 0) {
      return 0; // it has no value nearby
    }
    error = error_of(f, outputs, i, v->start.t, v->h, rate, effect[i], effect[outputs + i], held,
                     size, &unknown);
  }
  return error;
}

bool sb_audit_output_rates(sb_audit *a, int index, double t, const double x[], double time,
                           double f[]) {
  const sb_instance *instance = &a->network->instances[index];
  const int outputs = sb_instance_output_count(instance);
  double *rates = f + POINTS * outputs, *effect = rates + outputs, *y = effect + 2 * outputs;
  const bool accelerates = sb_instance_accelerates(instance);
  variation v;
  bool right = true, varied = false;
  if (!has_rates(a, instance)) {
    return true;
  }
  const double held = size_of_balance(a, index, t, x);
  if (!vary(a, index, t, x, time, &v) || call_points(a, &v, f, rates) != 0) {
    return true; // it has no value nearby
  }
  memset(effect, 0, 2 * (size_t)outputs * sizeof *effect);
  if (instance->delay >= 0) {
    effect[0] = sb_input_rounding * sb_audit_input_size(a, instance, &v.start);
  }
  if (accelerates && !round_inputs(a, instance, v.start, rates, effect + outputs, y)) {
    return true;
  }
  for (int i = 0; accelerates && i < outputs; i++) {
    effect[i] = sb_input_rounding * largest_of(f, POINTS * outputs);
  }
  for (int i = 0; i < outputs; i++) {
    double size, unknown,
        error = error_of(f, outputs, i, t, v.h, rates[i], effect[i], effect[outputs + i], held,
                         &size, &unknown);
    if (error > sb_side_tol * size && !varied) {
      find_effects(a, index, &v, f + MIDDLE * outputs, rates, effect, y);
      varied = true;
      error = error_of(f, outputs, i, t, v.h, rates[i], effect[i], effect[outputs + i], held, &size,
                       &unknown);
    }
    if (error > sb_side_tol * size) {
      error = error_of_shorter(a, &v, i, rates[i], effect, f, y, held, &size, error);
    }
    if (error > sb_side_tol * size) { // polynomials of a delay have derivatives of this accuracy
      sb_audit_difference(a, index, error, size);
      right = false;
    }
  }
  return right;
}
