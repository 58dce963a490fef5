// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/causality/walk.h"

/** The inputs of a structure's other side, or of a law. */
static void walk_inputs(const sb_walk *w, int index, int component) {
  const sb_network *network = w->network;
  const sb_instance *instance = &network->instances[index];
  bool structure = instance->type->structure != NULL;
  for (int k = 0; k < instance->components; k++) {
    bool other =
        !structure || sb_instance_side(instance, k) != sb_instance_side(instance, component);
    bool flow = sb_reads_flow(network, w->causality, index, k);
    if (other) {
      sb_walk_from(w, flow ? sb_flow_var(instance, k) : sb_effort_var(instance, k));
    }
  }
}

void sb_walk_from(const sb_walk *w, int var) {
  const sb_network *network = w->network;
  const sb_causality *c = w->causality;
  if (w->seen[var]) {
    return;
  }
  w->seen[var] = 1;
  if (var < sb_known_base(network)) {
    const bool known = w->known == NULL || w->known[var];
    for (int i = 0; known && i < c->count[var]; i++) {
      sb_walk_from(w, c->terms[c->first[var] + i].var);
    }
    return;
  }
  w->visit(w->context, var);
  int value = var - sb_value_var(network, 0);
  int index = value >= 0 && value < network->value_count
                  ? sb_owner_of(network, network->state_count + value)
                  : -1;
  const sb_element_type *type = index < 0 ? NULL : network->instances[index].type;
  if (type != NULL && (type->structure != NULL || (w->laws && type->dissipation != NULL))) {
    walk_inputs(w, index, value - network->instances[index].out);
  }
}
