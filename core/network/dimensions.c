// SPDX-License-Identifier: GPL-3.0-or-later
// Dimensions of ports that were declared without: they go on from bond to bond. Both ends of a bond then
// agree in dimension and domain.
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/network/network.h"

static sb_port *port_at(sb_network *network, sb_bond_end end) {
  return &network->instances[end.element].layout.ports[end.port];
}

/** Ports that were declared without dimension take the element's own; through junctions and
 *  transducers the dimension goes on from bond to bond. What remains open has one component. */
static void spread_dimension(sb_network *network, int index, int dim, int stack[], int *depth) {
  sb_instance *instance = &network->instances[index];
  bool changed = false;
  for (int k = 0; k < instance->layout.port_count; k++) {
    if (instance->layout.ports[k].dim == 0) {
      instance->layout.ports[k].dim = dim;
      changed = true;
    }
  }
  if (changed) {
    instance->layout.dim = dim;
    stack[(*depth)++] = index;
  }
}

static void spread_from(const sb_graph *graph, sb_network *network, int stack[], int depth) {
  while (depth > 0) {
    int index = stack[--depth];
    const sb_element *element = graph->elements[index];
    for (int k = 0; k < element->port_count; k++) {
      if (element->bonds[k] < 0 ||
          element->type->ports[element->type->ports[0].many ? 0 : k].shared) {
        continue;
      }
      const sb_bond *bond = &graph->bonds[element->bonds[k]];
      sb_bond_end other = bond->from.element == index ? bond->to : bond->from;
      if (port_at(network, other)->dim == 0) {
        spread_dimension(network, other.element, network->instances[index].layout.ports[k].dim,
                         stack, &depth);
      }
    }
  }
}

static bool find_dimensions(const sb_graph *graph, sb_network *network) {
  int *stack = sb_zeroed(network->instance_count, sizeof *stack);
  if (stack == NULL) {
    return false;
  }
  for (int i = 0; i < network->instance_count;
       i++) { // what elements state of themselves goes first
    int depth = 0;
    if (network->instances[i].layout.dim > 0) {
      spread_dimension(network, i, network->instances[i].layout.dim, stack, &depth);
    }
  }
  for (int i = 0; i < network->instance_count; i++) {
    const sb_layout *layout = &network->instances[i].layout;
    int depth = 0;
    if (layout->port_count > 0 && layout->ports[0].dim > 0) {
      stack[depth++] = i;
    }
    spread_from(graph, network, stack, depth);
  }
  for (int i = 0; i < graph->bond_count;
       i++) { // a shared port passes its dimension on to every bond
    sb_port *from = port_at(network, graph->bonds[i].from),
            *to = port_at(network, graph->bonds[i].to);
    int depth = 0;
    if (from->dim == 0 && to->dim > 0) {
      spread_dimension(network, graph->bonds[i].from.element, to->dim, stack, &depth);
    } else if (to->dim == 0 && from->dim > 0) {
      spread_dimension(network, graph->bonds[i].to.element, from->dim, stack, &depth);
    }
    spread_from(graph, network, stack, depth);
  }
  for (int i = 0; i < network->instance_count; i++) {
    int depth = 0;
    spread_dimension(network, i, 1, stack, &depth);
    spread_from(graph, network, stack, depth);
  }
  free(stack);
  return true;
}

static bool check_bonds(const sb_graph *graph, sb_network *network, sb_errors *errors) {
  bool ok = true;
  for (int i = 0; i < graph->bond_count; i++) {
    const sb_bond *bond = &graph->bonds[i];
    const sb_port *from = port_at(network, bond->from), *to = port_at(network, bond->to);
    const char *a = sb_graph_port_words(graph, bond->from),
               *b = sb_graph_port_words(graph, bond->to);
    sb_error err = {0};
    if (from->dim != to->dim) {
      sb_fail(&err, SB_ERR_DIMENSION, "bond %s -> %s joins a port of %d component%s with one of %d",
              a, b, from->dim, from->dim == 1 ? "" : "s", to->dim);
      sb_error_hint(&err, "give both the same dim, or take single components by a TF with a "
                          "matrix of ratios; the ports of an IField or a CField are 1, 2, ...");
    } else if (from->domain != NULL && to->domain != NULL &&
               strcmp(from->domain, to->domain) != 0) {
      sb_fail(&err, SB_ERR_DOMAIN, "bond %s -> %s joins the domains %s and %s", a, b, from->domain,
              to->domain);
    }
    if (err.status != SB_OK) {
      sb_place_into(&bond->place, &err);
      sb_errors_add(errors, &err);
      ok = false;
    }
  }
  return ok;
}

/** Optional shared ports that have no bond have no components. */
static void remove_unused(const sb_graph *graph, sb_network *network) {
  for (int i = 0; i < network->instance_count; i++) {
    const sb_port_spec *specs = network->instances[i].type->ports;
    sb_layout *layout = &network->instances[i].layout;
    for (int k = 0; k < layout->port_count && !specs[0].many; k++) {
      bool unused = specs[k].shared && specs[k].optional && graph->elements[i]->bonds[k] < 0;
      layout->ports[k].dim = unused ? 0 : layout->ports[k].dim;
    }
  }
}

sb_status sb_dimensions_find(const sb_graph *graph, sb_network *network, sb_errors *errors) {
  if (!find_dimensions(graph, network)) {
    return SB_ERR_MEMORY;
  }
  remove_unused(graph, network);
  return check_bonds(graph, network, errors) ? SB_OK : errors->items[errors->count - 1].status;
}
