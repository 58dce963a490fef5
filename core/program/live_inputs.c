// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs of elements that equal an output of one other element: they are read at that output's place instead of being copied.
#include "core/program/live.h"

/** Where each value that is a mere copy of another stands; -1: it is none. */
static void find_copies(sb_live *live, const sb_program *p) {
  for (int i = 0; i < p->value_count; i++) {
    live->copy_of[i] = -1;
  }
  for (int i = 0; i < p->row_count; i++) {
    const sb_row *row = &p->rows[i];
    bool copies = row->count == 1 && row->states == 0 && p->factor[row->first] == 1;
    for (int r = 0; r < row->repeat && copies; r++) {
      live->copy_of[row->dest + r] = p->index[row->first] + r;
    }
  }
}

/** Where inputs stand, one behind the other; at their own place if they are not copies of such. */
static int source_of(const sb_live *live, int in, int count) {
  int first = count > 0 ? live->copy_of[in] : in, k = 0;
  while (k < count && first >= 0 && live->copy_of[in + k] == first + k && !live->looped[in + k]) {
    k++;
  }
  return k < count ? in : first;
}

/** Of the ports that an operation reads. */
static void find_port_sources(sb_live *live, const sb_instance *instance, int place,
                              sb_components reads) {
  for (int k = 0; k < instance->layout.port_count; k++) {
    if (sb_components_hold(reads, instance, instance->first[k])) {
      live->port_source[place + k] =
          source_of(live, instance->in + instance->first[k], instance->layout.ports[k].dim);
    }
  }
}

/** Inputs of an instance at their own places. */
static void reset_source(sb_live *live, const sb_network *network, int index) {
  const sb_instance *instance = &network->instances[index];
  live->source[index] = instance->in;
  for (int k = 0; live->first_port[index] >= 0 && k < instance->layout.port_count; k++) {
    live->port_source[live->first_port[index] + k] = instance->in + instance->first[k];
  }
}

static void reset_sources(sb_live *live, const sb_network *network) {
  int next = 0;
  for (int i = 0; i < network->instance_count; i++) {
    const bool by_ports = network->instances[i].type->by_ports;
    live->first_port[i] = by_ports ? next : -1;
    next += by_ports ? network->instances[i].layout.port_count : 0;
    reset_source(live, network, i);
  }
}

/** Inputs that one operation alone reads: all of an instance, or those of a port. Constraints ask for inputs,
 *  too. */
void sb_live_find_inputs(sb_live *live, const sb_network *network, const sb_program *p) {
  bool constrained = p->causality.constraint_count + p->causality.algebraic_count > 0;
  find_copies(live, p);
  reset_sources(live, network);
  for (int i = 0; i < p->op_count && !constrained; i++) {
    const sb_op *op = &p->ops[i];
    const sb_operation *operation = &sb_operations[op->kind];
    if (operation->hook == NULL) {
      continue;
    }
    const sb_instance *instance = &network->instances[op->instance];
    if (live->first_port[op->instance] >= 0) {
      find_port_sources(live, instance, live->first_port[op->instance], operation->reads);
    } else if (operation->reads == SB_COMPONENTS_ALL) {
      live->source[op->instance] = source_of(live, instance->in, instance->components);
    }
  }
  for (int i = 0; i < network->sensor_count; i++) {
    if (sb_sensor_measures(&network->sensors[i])) {
      reset_source(live, network, network->sensors[i].instance);
    }
  }
}
