// SPDX-License-Identifier: GPL-3.0-or-later
// An origin for what is placed in space. A place a kilometre from the origin is known to 1e-13 m, and so is every
// difference of two; a stiff contact follows that rounding. Elements that are placed therefore count from one common
// point near where they start, if the world's origin is many times their extent away, and tell by name what they
// are about the world's origin (sb_place_hooks). Near by the point is the world's origin, to the last bit.
#include <math.h>
#include <string.h>

#include "core/network/network.h"

/** As many extents away are far: two bits of a place are lost there. */
static const double far = 4;

/** Whether a port may be bonded to one of what is placed: of its dimension, and of its domain or of none. */
static bool has_alike(const sb_instance *instance, const sb_port *placed) {
  for (int i = 0; i < instance->layout.port_count; i++) {
    const sb_port *port = &instance->layout.ports[i];
    if (port->dim == placed->dim && (port->domain == NULL || placed->domain == NULL ||
                                     strcmp(port->domain, placed->domain) == 0)) {
      return true;
    }
  }
  return false;
}

/** Whether a signal reads what depends on the point that places count from: a state, or a twist or wrench. What is measured is told in the
 *  world, and what a port of another kind has does not depend on it, as the normal force of a contact, which its friction reads. */
static bool reads_place(const sb_network *network, const sb_sensor *sensor, const sb_port *placed) {
  const sb_instance *instance = &network->instances[sensor->instance];
  const sb_port *ports = instance->layout.ports;
  if (sensor->var < 0) {
    return false;
  }
  for (int i = 0, k = 0; i < instance->layout.port_count; i++) {
    for (const int end = k + ports[i].dim; k < end; k++) {
      if (ports[i].dim != placed->dim &&
          (sensor->var == sb_effort_var(instance, k) || sensor->var == sb_flow_var(instance, k))) {
        return false;
      }
    }
  }
  return instance->type->place != NULL;
}

/** Whether all that is placed is joined by each other and by junctions: a source states its wrench about the world's
 *  origin, and a signal takes what it reads from states and ports themselves. */
static bool is_by_itself(const sb_network *network, const sb_port *placed) {
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    const sb_port_spec *ports = instance->type->ports;
    bool junction = ports != NULL && ports[0].name != NULL && ports[0].many;
    if (instance->type->place == NULL && !junction && has_alike(instance, placed)) {
      return false;
    }
  }
  for (int i = 0; i < network->sensor_count; i++) {
    if (reads_place(network, &network->sensors[i], placed)) {
      return false;
    }
  }
  return true;
}

/** The middle of the places at the start, and what they and their elements extend to from there [m].
 *  @return the last of the elements; NULL: nothing is placed */
static const sb_instance *survey(const sb_network *network, double middle[3], double *extent) {
  double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  const sb_instance *last = NULL;
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    double at[3];
    if (instance->type->place == NULL || instance->type->place->start == NULL) {
      continue;
    }
    *extent = fmax(*extent, instance->type->place->start(instance->self, at));
    last = instance;
    for (int k = 0; k < 3; k++) {
      low[k] = fmin(low[k], at[k]);
      high[k] = fmax(high[k], at[k]);
    }
  }
  for (int k = 0; k < 3 && last != NULL; k++) {
    middle[k] = 0.5 * low[k] + 0.5 * high[k];
    *extent = fmax(*extent, 0.5 * (high[k] - low[k]));
  }
  return last;
}

void sb_origin_choose(sb_network *network) {
  double middle[3], extent = 0;
  const sb_instance *placed = survey(network, middle, &extent);
  if (placed == NULL) {
    return;
  }
  double distance = fmax(fabs(middle[0]), fmax(fabs(middle[1]), fabs(middle[2])));
  if (!(extent > 0 && distance > far * extent && isfinite(distance)) ||
      !is_by_itself(network, &placed->layout.ports[0])) {
    return;
  }
  // of few digits, so that a difference to it is exact
  double grid = exp2(ceil(log2(extent)));
  for (int k = 0; k < 3; k++) {
    middle[k] = grid * round(middle[k] / grid);
  }
  for (int i = 0; i < network->instance_count; i++) {
    if (network->instances[i].type->place != NULL) {
      network->instances[i].type->place->refer(network->instances[i].self, middle);
    }
  }
}
