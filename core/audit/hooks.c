// SPDX-License-Identifier: GPL-3.0-or-later
// The hooks of each element, called once more at the port variables that the solver used:
//   storages      output() and rate(), and motion() where there is one
//   dissipations  law(), and the inverse by the law of the other causality
//   sources       value(), and that rate() is its derivative
// The arguments are known to rounding only. The effect of that on a value is found by varying them, and is
// subtracted from the error.
#include <math.h>
#include <string.h>

#include "core/audit/audit_private.h"
#include "core/audit/rates_private.h"

/** How far arguments are varied, relative to the sizes that their rounding is a fraction of. */
static const double input_rounding = 4 * DBL_EPSILON;
/** A vector is below its size where all its components are below this fraction of it: the largest of one is 0.58 or more. */
static const double unfollowed = 0.5;
/** How far the argument of a law is varied to find the rounding of the law itself, and the error that is
 *  allowed as a multiple of that. */
static const double law_step = 1e-9, law_rounding = 8;

/** Calls the hook that reads the port, rate() or law(), into y. */
static int call(const sb_instance *instance, sb_at at, const double in[], sb_variable assigned,
                double y[]) {
  at.in = in;
  return instance->type->storage != NULL
             ? instance->type->storage->rate(instance->self, &at, y)
             : instance->type->dissipation->law(instance->self, &at, assigned, y);
}

/** Adds what the rounding of the signals that a law reads makes of its values: the friction mu |N| by a force that is a small difference of
 *  large ones is known no better than that. On both sides, as there is a kink. */
static void add_signals(sb_audit *a, const sb_instance *instance, const sb_at *at,
                        sb_variable assigned, int count) {
  for (int w = 0; w < instance->wire_count; w++) {
    const int wire = a->network->wires[instance->wire + w];
    double *signal = &a->work->values[wire], now = *signal;
    for (int side = -1; side <= 1; side += 2) {
      *signal = now + side * input_rounding * a->signal_sizes[wire];
      const int status = call(instance, *at, a->in, assigned, a->varied);
      for (int i = 0; status == 0 && i < count; i++) {
        a->effect[i] += fabs(a->varied[i] - a->stated[i]);
      }
    }
    *signal = now;
  }
}

/** Adds what a change of one argument makes of the values. */
static void vary(sb_audit *a, const sb_instance *instance, const sb_at *at, int k, double change,
                 int count) {
  const double argument = a->in[k];
  const sb_variable assigned =
      sb_other(sb_output_of(a, (int)(instance - a->network->instances), 0));
  a->in[k] = argument + change;
  const int status = call(instance, *at, a->in, assigned, a->varied);
  a->in[k] = argument;
  for (int i = 0; status == 0 && i < count; i++) {
    a->effect[i] += fabs(a->varied[i] - a->stated[i]) + DBL_EPSILON * fabs(a->stated[i]);
  }
}

/** The hook's values at the port variables into `stated`, and the effect of their rounding into `effect`.
 *  @param rounding  of the port variables, relative to their sizes  @return whether there is a value */
static bool call_varied(sb_audit *a, int index, const sb_at *at, int count, double rounding) {
  const sb_instance *instance = &a->network->instances[index];
  sb_variable assigned = sb_other(sb_output_of(a, index, 0));
  for (int k = 0; k < instance->components; k++) {
    a->in[k] = sb_port_value(a, instance, k, sb_other(sb_output_of(a, index, k)));
  }
  if (call(instance, *at, a->in, assigned, a->stated) != 0) {
    return false;
  }
  memset(a->effect, 0, (size_t)count * sizeof(double));
  if (instance->type->storage != NULL && instance->type->storage->audit.rate_terms != NULL) {
    instance->type->storage->audit.rate_terms(instance->self, at, a->effect);
  }
  for (int i = 0; i < count; i++) {
    a->effect[i] *= input_rounding;
  }
  for (int k = 0; k < instance->components; k++) {
    double size = sb_port_size(a, instance, k, sb_other(sb_output_of(a, index, k)));
    vary(a, instance, at, k, rounding * size, count);
    if (instance->type->dissipation != NULL) { // a kink may be on either side
      vary(a, instance, at, k, -rounding * size, count);
    }
  }
  if (instance->type->dissipation != NULL) {
    add_signals(a, instance, at, assigned, count);
  }
  return true;
}

/** Notes the largest difference of `used` and `stated` beyond the effect of rounding. */
static void note_stated(sb_audit *a, int index, const double used[], int count, double size) {
  double error = 0;
  for (int i = 0; i < count; i++) {
    double largest = fmax(fmax(fabs(used[i]), fabs(a->stated[i])), size);
    double beyond = fabs(used[i] - a->stated[i]) - a->effect[i];
    error = beyond > SB_LEAST ? fmax(error, beyond / largest) : error;
  }
  sb_audit_note(a, index, error);
}

/** What the solver used at the port must be what output() or value() states: the same numbers. */
static void check_output(sb_audit *a, int index) {
  const sb_instance *instance = &a->network->instances[index];
  for (int k = 0; k < instance->components; k++) {
    sb_audit_same(a, index, sb_port_value(a, instance, k, sb_output_of(a, index, k)), a->stated[k]);
  }
}

/** Whether what a storage gives is below what is followed at all (sizes.c): it is at rest, and moves by rounding. */
static bool is_still(const sb_audit *a, int index) {
  const sb_instance *instance = &a->network->instances[index];
  bool any = false;
  if (!(a->nominal->idle[a->network->part_of[index]] > 0)) {
    return false;
  }
  for (int port = 0; port < instance->layout.port_count; port++) {
    for (int k = 0; instance->layout.ports[port].dim == 6 && k < 6; k++) {
      const int value = instance->out + instance->first[port] + k;
      any = true;
      if (!(fabs(a->work->values[value]) <= unfollowed * a->value_sizes[value])) {
        return false;
      }
    }
  }
  return any;
}

/** Whether it is at rest, and what pushes it is the rounding of forces in balance: there is no motion that these could be compared with. */
static bool is_in_balance(const sb_audit *a, int index) {
  const sb_instance *instance = &a->network->instances[index];
  bool pushed = false;
  for (int k = 0; k < instance->components; k++) {
    for (sb_variable v = SB_EFFORT; v <= SB_FLOW; v++) {
      const double value = sb_port_value(a, instance, k, v);
      if (fabs(value) > input_rounding * sb_port_size(a, instance, k, v)) {
        return false;
      }
      pushed = pushed || (value != 0 && v != sb_output_of(a, index, k));
    }
  }
  return pushed;
}

void sb_audit_storage(sb_audit *a, int index, double t, const double x[], const double xdot[]) {
  const sb_instance *instance = &a->network->instances[index];
  const sb_storage_hooks *hooks = instance->type->storage;
  sb_at at = sb_at_instance(a->work, instance, t, x);
  at.own = a->signals;
  if (hooks->output(instance->self, &at, a->stated) != 0) {
    return;
  }
  check_output(a, index);
  if (call_varied(a, index, &at, instance->layout.states, input_rounding)) {
    note_stated(a, index, xdot + instance->state, instance->layout.states, 0);
  }
  if (hooks->audit.motion != NULL && !is_still(a, index) && !is_in_balance(a, index)) {
    for (int k = 0; k < instance->components; k++) {
      a->stated[k] = sb_port_value(a, instance, k, sb_output_of(a, index, k));
    }
    at.in = a->work->values + instance->in;
    sb_audit_note(a, index,
                  hooks->audit.motion(instance->self, &at, a->stated, xdot + instance->state));
  }
}

/** From y back to u by the law of the other causality, and from there to y: one of the two must be
 *  reached again, since the inverse of a flat law is ill-conditioned. Branches follow their arguments here:
 *  that which the run holds a little beyond its end, until the event, is no part of the inverse. */
static void check_inverse(sb_audit *a, int index, const sb_at *held, double u) {
  const sb_instance *instance = &a->network->instances[index];
  sb_variable output = sb_output_of(a, index, 0);
  sb_at at = *held;
  double y, v, again, near[5], noise = 0;
  at.branches = NULL;
  if (u == 0 || call(instance, at, &u, sb_other(output), &y) != 0 ||
      call(instance, at, &y, output, &v) != 0 ||
      call(instance, at, &v, sb_other(output), &again) != 0) {
    return;
  }
  for (int k = 0; k < 5; k++) {
    double varied = u * (1 + (k - 2) * law_step);
    if (call(instance, at, &varied, sb_other(output), &near[k]) != 0) {
      return;
    }
  }
  for (int k = 1; k < 4; k++) {
    noise = fmax(noise, fabs(near[k - 1] - 2 * near[k] + near[k + 1]));
  }
  double error = fabs(again - y) - law_rounding * noise;
  if (error > SB_LEAST) { // false for not-a-number, which the step has refused
    sb_audit_note(a, index,
                  fmin(error / fmax(fabs(y), fabs(again)), fabs(v - u) / fmax(fabs(u), fabs(v))));
  }
}

/** In an algebraic loop laws hold to the rounding of the largest output of the loop. What they read is a sum of as many terms as the loop has outputs,
 *  each of which may round it.
 *  @param rounding  out: of that, relative to its size */
static double loop_size(const sb_audit *a, int index, double *rounding) {
  const sb_program *p = a->work->program;
  double largest = 0;
  *rounding = input_rounding;
  for (int i = 0; i < p->loop_count; i++) {
    const sb_loop *loop = &p->loops[i];
    double size = 0;
    bool inside = false;
    for (int k = loop->first; k < loop->first + loop->count; k++) {
      inside = inside || p->loop_hooks[k].op.instance == index;
    }
    for (int k = loop->first_output; k < loop->first_output + loop->output_count; k++) {
      size = fmax(size, fabs(a->work->values[p->loop_outputs[k]]));
    }
    if (inside) {
      largest = fmax(largest, size);
      *rounding = fmax(*rounding, 0.5 * DBL_EPSILON * loop->output_count);
    }
  }
  return largest;
}

void sb_audit_law(sb_audit *a, int index, double t, const double x[]) {
  const sb_instance *instance = &a->network->instances[index];
  sb_at at = sb_at_instance(a->work, instance, t, x);
  if (sb_instance_sticks(instance, a->work->modes)) { // its law is that its input is at its jump
    const double place = sb_instance_stick_place(instance, at.mode),
                 u = sb_port_value(a, instance, 0, sb_other(sb_natural_output(instance, 0)));
    sb_audit_difference(a, index, fabs(u - place), fmax(fabs(u), fabs(place)));
    return;
  }
  double rounding, *used = a->used;
  const double size = loop_size(a, index, &rounding);
  if (!call_varied(a, index, &at, instance->components, rounding)) {
    return;
  }
  for (int k = 0; k < instance->components; k++) {
    used[k] = sb_port_value(a, instance, k, sb_output_of(a, index, k));
  }
  note_stated(a, index, used, instance->components, size);
  const bool one_branch =
      !sb_instance_jumps(instance) || sb_instance_slips(instance, a->work->modes);
  if (one_branch && instance->components == 1 &&
      instance->layout.ports[0].output == SB_INDIFFERENT &&
      !sb_instance_is_flat(instance, a->work->modes)) {
    check_inverse(a, index, &at, a->in[0]);
  }
}

/** One output of a source at a time h from now. */
typedef struct source_output {
  const sb_instance *instance;
  sb_at at;
  double *y; // (components) scratch
  int component;
} source_output;

static double output_after(const void *context, double h) {
  const source_output *o = context;
  sb_at at = o->at;
  at.t += h;
  return o->instance->type->source->value(o->instance->self, &at, o->y) == 0 ? o->y[o->component]
                                                                             : NAN;
}

/** The stated rates of a source's outputs by differences of these. @param time  [s] over which little changes */
static void check_rate(sb_audit *a, int index, const sb_at *at, double time) {
  const sb_instance *instance = &a->network->instances[index];
  const double h = sb_difference_step * time;
  double *rate = a->used, *terms = a->effect;
  if (instance->type->source->rate(instance->self, at, rate) != 0) {
    return;
  }
  const bool has_terms = sb_audit_own_terms(instance, at, terms);
  for (int i = 0; i < instance->components; i++) {
    const source_output output = {instance, *at, a->varied, i};
    const double chord = (output_after(&output, h) - a->stated[i]) / h,
                 size = fmax(fabs(rate[i]), fabs(chord)),
                 known = fmax(fabs(a->stated[i]), has_terms ? terms[i] : 0),
                 rounding = 4 * DBL_EPSILON * known + size * h * sb_time_rounding(at->t, h);
    double error = sb_value_rate_error(output_after, &output, h, rate[i], size, rounding);
    if (error > 0) { // or of a pulse between the points
      error = fmin(error,
                   sb_rate_error_between_kinks(output_after, &output, h, rate[i], size, rounding));
    }
    sb_audit_difference(a, index, error, size);
  }
}

/** A source that signals move may be a small difference of what they contribute, and in a loop is solved to the rounding of
 *  that: it is judged by those terms (signal_sizes.c), and by its own. */
static void check_moved(sb_audit *a, int index, const sb_at *at) {
  const sb_instance *instance = &a->network->instances[index];
  const bool has_terms = sb_audit_own_terms(instance, at, a->varied);
  for (int k = 0; k < instance->components; k++) {
    const sb_variable output = sb_output_of(a, index, k);
    const double error = fabs(sb_port_value(a, instance, k, output) - a->stated[k]),
                 own = has_terms && isfinite(a->varied[k]) ? a->varied[k] : 0;
    sb_audit_difference(a, index, error, fmax(sb_port_size(a, instance, k, output), own));
  }
}

void sb_audit_source(sb_audit *a, int index, double t, const double x[], double time) {
  const sb_instance *instance = &a->network->instances[index];
  const sb_source_hooks *hooks = instance->type->source;
  sb_at at = sb_at_instance(a->work, instance, t, x);
  at.own = a->signals;
  if (hooks->value(instance->self, &at, a->stated) != 0) {
    return;
  }
  if (instance->wire_count > 0) {
    check_moved(a, index, &at);
  } else {
    check_output(a, index);
  }
  if (sb_instance_has_rate(instance) && instance->wire_count == 0 && time > 0) {
    check_rate(a, index, &at, time);
  }
}
