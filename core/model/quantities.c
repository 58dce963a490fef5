// SPDX-License-Identifier: GPL-3.0-or-later
// The value of a named quantity.
#include <string.h>

#include "core/model/rhs.h"
#include "core/network/roles.h"

static double power_of(const sb_workspace *work, const sb_instance *instance) {
  double power = 0;
  for (int k = 0; sb_roles[instance->type->role].powered && k < instance->components; k++) {
    power += work->bond_values[2 * instance->pairs[k]] *
             work->bond_values[2 * instance->pairs[k] + 1] * instance->signs[k];
  }
  return power;
}

/** What dissipations have taken, and what was lost at events [J]. */
static double lost_of(const sb_workspace *work, int index, const double x[]) {
  const sb_instance *instance = &work->network->instances[index];
  bool taken = instance->type->dissipation != NULL;
  return work->event_loss[index] +
         (taken ? x[work->network->state_count + instance->quadrature] : 0);
}

/** Of an element and its parts. */
static double sum_of(const sb_workspace *work, const sb_quantity *q, double t, const double x[]) {
  double sum = 0;
  for (int i = q->element; i <= q->element + work->network->instances[q->element].part_count; i++) {
    sum += q->kind == SB_QUANTITY_POWER ? power_of(work, &work->network->instances[i])
           : q->kind == SB_QUANTITY_ENERGY
               ? sb_instance_energy(work, i, t, x) + sb_instance_level(&work->network->instances[i])
               : lost_of(work, i, x);
  }
  return sum;
}

/** About the world's origin the efforts at a port of what does not move, each bond by the point that its other end counts from: what is not
 *  placed knows the world's alone. */
static void sum_efforts(const sb_workspace *work, int element, int port, int count, double out[]) {
  const sb_network *network = work->network;
  memset(out, 0, (size_t)count * sizeof *out);
  for (int i = 0; i < network->bond_count; i++) {
    const sb_network_bond *bond = &network->bonds[i];
    const bool leaves = bond->from == element && bond->from_port == port;
    if (!leaves && !(bond->to == element && bond->to_port == port)) {
      continue;
    }
    const sb_instance *own = &network->instances[element],
                      *other = &network->instances[leaves ? bond->to : bond->from];
    double effort[SB_QUANTITY_COMPONENTS_MAX];
    for (int k = 0; k < count; k++) {
      effort[k] = work->bond_values[2 * (bond->pair + k)];
    }
    if (sb_instance_placed(other, leaves ? bond->to_port : bond->from_port)) {
      other->type->place->effort(other->self, leaves ? bond->to_port : bond->from_port, effort);
    } else if (other->type->ports[0].many) { // a junction
      own->type->place->effort(own->self, port, effort);
    }
    for (int k = 0; k < count; k++) {
      out[k] += effort[k];
    }
  }
}

static void read_all(sb_workspace *work, const sb_quantity *q, double t, const double x[],
                     double out[]) {
  const sb_instance *instance = &work->network->instances[q->element];
  sb_at at = sb_at_instance(work, instance, t, x);
  bool port =
      q->kind == SB_QUANTITY_EFFORT || q->kind == SB_QUANTITY_FLOW || q->kind == SB_QUANTITY_POWER;
  if (port) {
    sb_trace_here(work, x);
  }
  for (int k = 0; k < q->count; k++) {
    int c = q->first + k;
    out[k] = q->kind == SB_QUANTITY_EFFORT ? work->bond_values[2 * instance->pairs[c]]
             : q->kind == SB_QUANTITY_FLOW ? work->bond_values[2 * instance->pairs[c] + 1] *
                                                 sb_quantity_flow_sign(instance, c)
             : q->kind == SB_QUANTITY_STATE    ? x[instance->state + c]
             : q->kind == SB_QUANTITY_INTEGRAL ? x[work->network->state_count + instance->integral]
             : q->kind == SB_QUANTITY_MEASURE  ? out[k]
                                               : sum_of(work, q, t, x);
  }
  const sb_place_hooks *place = instance->type->place;
  const bool placed =
      port && place != NULL && sb_instance_placed(instance, sb_port_of(instance, q->first));
  if (place != NULL && q->kind == SB_QUANTITY_STATE && place->state != NULL) {
    (void)place->state(instance->self, q->first, out);
  } else if (placed && place->seen != NULL && q->kind == SB_QUANTITY_EFFORT) {
    sum_efforts(work, q->element, sb_port_of(instance, q->first), q->count, out);
  } else if (placed && q->kind == SB_QUANTITY_EFFORT) {
    place->effort(instance->self, sb_port_of(instance, q->first), out);
  } else if (placed && q->kind == SB_QUANTITY_FLOW) {
    place->flow(instance->self, sb_port_of(instance, q->first), out);
  } else if (q->kind == SB_QUANTITY_MEASURE) {
    instance->type->measures.measure(instance->self, &at, q->first, out);
    if (q->axes > 0) {
      (void)instance->type->measures.turn(instance->self, q->first, work->values + q->axes - 1,
                                          out);
    }
  }
}

void sb_quantity_read(sb_workspace *work, const sb_quantity *q, double t, const double x[],
                      double out[]) {
  (void)sb_workspace_evaluate(work, t, x);
  sb_quantity_read_here(work, q, t, x, out);
}

void sb_quantity_read_here(sb_workspace *work, const sb_quantity *q, double t, const double x[],
                           double out[]) {
  if (q->only == 0) {
    read_all(work, q, t, x, out);
    return;
  }
  double all[SB_QUANTITY_COMPONENTS_MAX];
  sb_quantity whole = *q;
  whole.count = q->of;
  read_all(work, &whole, t, x, all);
  out[0] = all[q->only - 1];
}
