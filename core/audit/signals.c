// SPDX-License-Identifier: GPL-3.0-or-later
// Signals carry no power, so that no balance shows a wrong one. At every sample
//   what a signal takes from the network  y = s v  is compared with the traced bond variable or state v,
//   its own outputs and rates             with its hooks, called once more.
#include <math.h>

#include "core/audit/audit_private.h"

static void check_sensor(sb_audit *a, const sb_sensor *sensor, const double x[]) {
  const sb_network *network = a->network;
  double used = a->work->values[sensor->value], read, size;
  if (sensor->var < sb_known_base(network)) {
    read = a->work->bond_values[sensor->var];
    size = a->sizes[sensor->var];
  } else if (sensor->var < sb_value_var(network, 0)) {
    read = x[sensor->var - sb_known_base(network)];
    size = fabs(read);
  } else {
    read = a->work->values[sensor->var - sb_value_var(network, 0)];
    size = fabs(read);
  }
  sb_audit_difference(a, sensor->instance, fabs(used - sensor->sign * read), size);
}

/** What the program used against what the same call of the same hook has stated. */
static void check_same(sb_audit *a, int index, const double used[], int count) {
  for (int k = 0; k < count; k++) {
    sb_audit_same(a, index, used[k], a->stated[k]);
  }
}

void sb_audit_signals(sb_audit *a, double t, const double x[], const double xdot[]) {
  for (int i = 0; i < a->network->sensor_count; i++) {
    check_sensor(a, &a->network->sensors[i], x);
  }
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    const sb_signal_hooks *hooks = instance->type->signal;
    if (hooks == NULL) {
      continue;
    }
    sb_at at = sb_at_instance(a->work, instance, t, x);
    if (hooks->output(instance->self, &at, a->stated) == 0) {
      check_same(a, i, a->work->values + instance->signal, instance->signal_count);
    }
    if (instance->layout.states > 0 && hooks->rate(instance->self, &at, a->stated) == 0) {
      check_same(a, i, xdot + instance->state, instance->layout.states);
    }
  }
}
