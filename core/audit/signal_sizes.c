// SPDX-License-Identifier: GPL-3.0-or-later
// What the rounding of signals, and of the sources that they move, is a fraction of: of what a signal takes from the network the
// terms that it is summed from there, by the present values of sources, and of what an expression makes of its inputs u_i,
// sum |dy/du_i| size(u_i). A controller's error is a small difference of these, and so may be the effort of the source that it
// moves. What a source adds to the sizes of bond variables does not come back to signals: round a loop of gain above one,
// y = c + k y, sizes would grow without end, while the loop is solved to the rounding of the terms |c| + |k y| of once around.
// Sizes never shrink in a run.
#include <math.h>
#include <string.h>

#include "core/audit/audit_private.h"
#include "core/model/rhs.h"

/** A chain of signals is followed over this many of them in one audit, and further in the next. */
enum { CHAIN_MAX = 3 };
/** Fraction of an input by which it is varied, and a change of sizes below which they are known. */
static const double variation = 0x1p-20, grown = 1.5;
/** Of the terms of a rate, as in rate_sizes.c. */
static const double rounding = 256 * DBL_EPSILON;

/** @param sizes  of the bond variables */
static double size_by(const sb_audit *a, const sb_sensor *sensor, const double sizes[],
                      const double x[]) {
  const sb_network *network = a->network;
  if (sensor->var < sb_known_base(network)) {
    return sizes[sensor->var];
  }
  return sensor->var < sb_value_var(network, 0)
             ? fabs(x[sensor->var - sb_known_base(network)])
             : fabs(a->work->values[sensor->var - sb_value_var(network, 0)]);
}

static double size_measured(const sb_audit *a, const sb_sensor *sensor, double t,
                            const double x[]) {
  const sb_at at = sb_at_instance(a->work, &a->network->instances[sensor->instance], t, x);
  double size;
  (void)sb_sensor_measure(a->network, sensor, &at, a->work->values, &size);
  return size;
}

double sb_audit_sensor_size(const sb_audit *a, const sb_sensor *sensor, const double x[]) {
  return size_by(a, sensor, a->sizes, x);
}

bool sb_audit_contributions(sb_audit *a, const sb_instance *instance, const sb_at *at,
                            int (*hook)(const void *, const sb_at *, double[]), int count) {
  if (hook(instance->self, at, a->stated) != 0) {
    return false;
  }
  for (int k = 0; k < count; k++) {
    a->effect[k] = fabs(a->stated[k]);
  }
  for (int w = 0; w < instance->wire_count; w++) {
    const int wire = a->network->wires[instance->wire + w];
    double *input = &a->work->values[wire], before = *input;
    *input = before + variation * fmax(fabs(before), a->signal_sizes[wire]);
    const bool good = hook(instance->self, at, a->varied) == 0;
    *input = before;
    for (int k = 0; good && k < count; k++) {
      const double moved = fabs(a->varied[k] - a->stated[k]) / variation;
      a->effect[k] += isfinite(moved) ? moved : 0;
    }
  }
  return true;
}

/** What is a function of the time alone and nothing but rounding, as sin(w t)^2 + cos(w t)^2 - 1, has own terms. What these have because the
 *  time is rounded, |t dy/dt|, is no error of integration: the time is what it is. */
static bool enlarge_by_terms(sb_audit *a, const sb_instance *instance, const sb_at *at,
                             int (*rate)(const void *, const sb_at *, double[]), int count,
                             const double values[], double sizes[]) {
  bool grew = false;
  if (instance->wire_count > 0 || rate == NULL || !sb_audit_own_terms(instance, at, a->stated) ||
      rate(instance->self, at, a->varied) != 0) {
    return false;
  }
  for (int k = 0; k < count; k++) {
    const double size = a->stated[k] - fabs(at->t * a->varied[k]);
    const bool counts = isfinite(size) && fabs(values[k]) <= rounding * size;
    grew = grew || (counts && size > grown * sizes[k]);
    sizes[k] = counts ? fmax(sizes[k], size) : sizes[k];
  }
  return grew;
}

/** Raises sizes to what the inputs of a hook contribute to its outputs.  @return whether one has grown */
static bool enlarge(sb_audit *a, const sb_instance *instance, const sb_at *at,
                    int (*hook)(const void *, const sb_at *, double[]), int count, double sizes[]) {
  bool grew = false;
  if (!sb_audit_contributions(a, instance, at, hook, count)) {
    return false;
  }
  for (int k = 0; k < count; k++) {
    grew = grew || a->effect[k] > grown * sizes[k];
    sizes[k] = fmax(sizes[k], a->effect[k]);
  }
  return grew;
}

/** The same to what makes the outputs of a signal known to no more than its states are, as the integral of rounding.  @return as there */
static bool enlarge_by_states(sb_audit *a, const sb_instance *instance, sb_at at, const double x[],
                              double sizes[]) {
  const double *blurred = a->nominal->blurred + instance->state;
  const int states = instance->layout.states;
  bool grew = false;
  if (states == 0 || instance->type->signal->output(instance->self, &at, a->stated) != 0) {
    return false;
  }
  memcpy(a->in, x + instance->state, (size_t)states * sizeof *a->in);
  at.x = a->in;
  for (int k = 0; k < states; k++) {
    a->in[k] += blurred[k];
    const bool good =
        blurred[k] > 0 && instance->type->signal->output(instance->self, &at, a->varied) == 0;
    a->in[k] = x[instance->state + k];
    for (int i = 0; good && i < instance->signal_count; i++) {
      const double size = fabs(a->varied[i] - a->stated[i]) / rounding;
      grew = grew || size > grown * sizes[i];
      sizes[i] = fmax(sizes[i], size);
    }
  }
  return grew;
}

bool sb_audit_size_signals(sb_audit *a, double t, const double x[], bool latched) {
  const sb_network *network = a->network;
  bool grew = true, moved = false;
  for (int i = 0; i < network->sensor_count; i++) {
    const sb_sensor *sensor = &network->sensors[i];
    double *size = &a->signal_sizes[sensor->value];
    *size = fmax(*size, sb_sensor_measures(sensor) ? size_measured(a, sensor, t, x)
                                                   : size_by(a, sensor, a->present_sizes, x));
  }
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    if (instance->type->measures.signal_sizes != NULL && instance->signal_count > 0) {
      const sb_at at = sb_at_instance(a->work, instance, t, x);
      instance->type->measures.signal_sizes(instance->self, &at,
                                            a->signal_sizes + instance->signal);
    }
  }
  for (int pass = 0; grew && pass < CHAIN_MAX; pass++) {
    grew = false;
    for (int i = 0; i < network->instance_count; i++) {
      const sb_instance *instance = &network->instances[i];
      if (instance->type->signal != NULL && instance->signal_count > 0) {
        const sb_at at = sb_at_instance(a->work, instance, t, x);
        double *sizes = a->signal_sizes + instance->signal;
        if (instance->delay >= 0) { // its output has been an input
          const double size = sb_audit_input_size(a, instance, &at);
          grew = grew || size > grown * sizes[0];
          sizes[0] = fmax(sizes[0], size);
        }
        grew = enlarge(a, instance, &at, instance->type->signal->output, instance->signal_count,
                       sizes) ||
               grew;
        grew = (!latched && enlarge_by_terms(a, instance, &at, instance->type->signal->output_rate,
                                             instance->signal_count,
                                             a->work->values + instance->signal, sizes)) ||
               grew;
        grew = (latched && enlarge_by_states(a, instance, at, x, sizes)) || grew;
      }
    }
  }
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    const sb_source_hooks *source = instance->type->source;
    const sb_at at = sb_at_instance(a->work, instance, t, x);
    double *sizes = a->value_sizes + instance->out;
    if (source != NULL && instance->wire_count > 0) {
      moved = enlarge(a, instance, &at, source->value, instance->components, sizes) || moved;
    } else if (source != NULL && !latched) {
      moved = enlarge_by_terms(a, instance, &at, source->rate, instance->components,
                               a->work->values + instance->out, sizes) ||
              moved;
    }
  }
  return moved;
}

double sb_audit_input_size(sb_audit *a, const sb_instance *instance, const sb_at *at) {
  const sb_delay_hooks *delay = instance->type->signal->delay;
  const double u = delay->input(instance->self, at);
  double sum = fabs(u);
  for (int w = 0; w < instance->wire_count; w++) {
    const int wire = a->network->wires[instance->wire + w];
    double *input = &a->work->values[wire], before = *input;
    *input = before + variation * fmax(fabs(before), a->signal_sizes[wire]);
    const double moved = fabs(delay->input(instance->self, at) - u) / variation;
    *input = before;
    sum += isfinite(moved) ? moved : 0;
  }
  return sum;
}
