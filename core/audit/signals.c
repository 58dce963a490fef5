// SPDX-License-Identifier: GPL-3.0-or-later
// Signals carry no power, so that no balance shows a wrong one. At every sample
//   what a signal takes from the network  y = s v  is compared with the traced bond variable or state v,
//   its own outputs and rates             with its hooks, called once more.
#include <math.h>

#include "core/audit/audit_private.h"
#include "core/model/rhs.h"

static void check_sensor(sb_audit *a, const sb_sensor *sensor, double t, const double x[]) {
  const sb_network *network = a->network;
  double used = a->work->values[sensor->value], read, size;
  if (sb_sensor_measures(sensor)) {
    const sb_at at = sb_at_instance(a->work, &network->instances[sensor->instance], t, x);
    (void)sb_sensor_measure(network, sensor, &at, a->work->values, &size);
    sb_quantity_read(a->work, &sensor->quantity, t, x, &read);
  } else {
    size = sb_audit_sensor_size(a, sensor, x);
    read = sensor->var < sb_known_base(network) ? a->work->bond_values[sensor->var]
           : sensor->var < sb_value_var(network, 0)
               ? x[sensor->var - sb_known_base(network)]
               : a->work->values[sensor->var - sb_value_var(network, 0)];
  }
  sb_audit_difference(a, sensor->instance, fabs(used - sensor->sign * read), size);
}

/** What the program used against what the same call of the same hook states.
 *  @param own  whether the own terms count, to whose rounding a loop gives the output of a signal that is a small difference of them */
static void check_same(sb_audit *a, int index, const sb_at *at,
                       int (*hook)(const void *, const sb_at *, double[]), const double used[],
                       int count, bool own) {
  const sb_instance *instance = &a->network->instances[index];
  if (!sb_audit_contributions(a, instance, at, hook, count)) {
    return;
  }
  if (own && sb_audit_own_terms(instance, at, a->varied)) {
    for (int k = 0; k < count; k++) {
      a->effect[k] = fmax(a->effect[k], isfinite(a->varied[k]) ? a->varied[k] : 0);
    }
  }
  for (int k = 0; k < count; k++) {
    sb_audit_difference(a, index, fabs(used[k] - a->stated[k]), fmax(fabs(used[k]), a->effect[k]));
  }
}

void sb_audit_signals(sb_audit *a, double t, const double x[], const double xdot[]) {
  for (int i = 0; i < a->network->sensor_count; i++) {
    check_sensor(a, &a->network->sensors[i], t, x);
  }
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    const sb_signal_hooks *hooks = instance->type->signal;
    if (hooks == NULL) {
      continue;
    }
    sb_at at = sb_at_instance(a->work, instance, t, x);
    check_same(a, i, &at, hooks->output, a->work->values + instance->signal, instance->signal_count,
               true);
    if (instance->layout.states > 0) {
      check_same(a, i, &at, hooks->rate, xdot + instance->state, instance->layout.states, false);
    }
  }
}
