// SPDX-License-Identifier: GPL-3.0-or-later
// What signals read of elements, one number by its name: an effort, a flow or a state, which is a row of the program, or what the
// kind of the element measures, forces and reactions among it, which its hook tells.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/network/network.h"

double sb_quantity_flow_sign(const sb_instance *instance, int component) {
  bool between = instance->type->structure != NULL &&
                 (instance->type->ports[0].many || instance->layout.port_count > 1);
  return between ? 1 : instance->signs[component];
}

/** The name among all of what an instance knows by it: the quantities of parts have the part's id. */
static void name_among_all(const sb_network *network, const sb_instance *instance, const char *name,
                           char full[600]) {
  const int owner = sb_names_find(&network->aliases, name, strcspn(name, "."));
  const bool part = owner >= 0 && &network->instances[owner] == instance;
  (void)snprintf(full, 600, "%s%s%s", part ? "" : instance->id, part ? "" : ".", name);
}

static bool can_be_read(const sb_network *network, const sb_quantity *q) {
  return q->kind == SB_QUANTITY_EFFORT || q->kind == SB_QUANTITY_FLOW ||
         q->kind == SB_QUANTITY_STATE ||
         (q->kind == SB_QUANTITY_MEASURE && network->instances[q->element].hooked);
}

/** Nothing of this name is one number: of a quantity with several it may be another one. */
static sb_status fail_name(const sb_network *network, const char *full, sb_error *err) {
  const char *dot = strrchr(full, '.');
  char whole[600];
  sb_quantity q;
  (void)snprintf(whole, sizeof whole, "%.*s", (int)(dot - full), full);
  if (sb_network_find(network, whole, &q, NULL) == SB_OK && can_be_read(network, &q)) {
    (void)sb_component_find(full, dot, q.count, err);
    return err->status;
  }
  return sb_network_find(network, dot > full && dot[-1] == ')' ? whole : full, &q, err);
}

/** Which numbers of a quantity have the unit of one of them, a bit for each. */
static unsigned long long find_alike(const sb_network *network, const char *full,
                                     const sb_quantity *q) {
  char whole[600], unit[64];
  sb_quantity all;
  unsigned long long alike = 1;
  (void)snprintf(whole, sizeof whole, "%.*s", (int)(strrchr(full, '.') - full), full);
  if (q->only > 0 && sb_network_find(network, whole, &all, NULL) == SB_OK) {
    alike = 0;
    for (int k = 0; k < all.count; k++) {
      const bool same = strcmp(sb_unit_of_component(all.unit, k, unit), q->unit) == 0;
      alike |= (unsigned long long)same << k;
    }
  }
  return alike;
}

sb_status sb_instance_sense(const sb_network *network, const sb_instance *instance,
                            const char *name, sb_sensor *sensor, sb_error *err) {
  char full[600];
  sb_quantity q;
  name_among_all(network, instance, name, full);
  if (sb_network_find(network, full, &q, NULL) != SB_OK) {
    return fail_name(network, full, err);
  }
  if (!can_be_read(network, &q)) {
    (void)sb_fail(err, SB_ERR_REFERENCE, "'%s' cannot be read by a signal", full);
    sb_error_hint(err, "energies, powers and integrals are for results: a <signal rate=\"...\"> "
                       "integrates what signals read");
    return SB_ERR_REFERENCE;
  }
  if (q.count != 1) {
    (void)sb_component_find(full, full + strlen(full), q.count, err);
    return err->status;
  }
  const sb_instance *owner = &network->instances[q.element];
  const int number = q.first + (q.only > 0 ? q.only - 1 : 0);
  *sensor = (sb_sensor){.instance = q.element, .sign = 1, .var = -1, .quantity = q};
  sensor->alike = find_alike(network, full, &q);
  if (q.kind == SB_QUANTITY_EFFORT) {
    sensor->var = sb_effort_var(owner, number);
  } else if (q.kind == SB_QUANTITY_FLOW) {
    sensor->var = sb_flow_var(owner, number);
    sensor->sign = sb_quantity_flow_sign(owner, number);
  } else if (q.kind == SB_QUANTITY_STATE) {
    sensor->var = sb_state_var(network, owner->state + number);
  }
  return SB_OK;
}

double sb_sensor_measure(const sb_network *network, const sb_sensor *sensor, const sb_at *at,
                         const double values[], double *size) {
  const sb_quantity *q = &sensor->quantity;
  const sb_instance *instance = &network->instances[q->element];
  const int own = q->only > 0 ? q->only - 1 : 0;
  double all[SB_QUANTITY_COMPONENTS_MAX];
  instance->type->measures.measure(instance->self, at, q->first, all);
  if (q->axes > 0) {
    (void)instance->type->measures.turn(instance->self, q->first, values + q->axes - 1, all);
  }
  const int count = q->only > 0 ? q->of : 1;
  const double value = all[own];
  if (size != NULL) {
    double others[SB_QUANTITY_COMPONENTS_MAX] = {0};
    if (instance->type->measures.sizes != NULL) {
      instance->type->measures.sizes(instance->self, at, q->first, others);
    }
    *size = others[own];
    for (int k = 0; k < count; k++) {
      *size = fmax(*size, (sensor->alike >> k & 1) != 0 ? fabs(all[k]) : 0);
    }
  }
  return value;
}
