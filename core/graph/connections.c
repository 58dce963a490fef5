// SPDX-License-Identifier: GPL-3.0-or-later
// Bonds between ports and wires from signals to inputs, by the names of both ends.
#include <stdio.h>
#include <string.h>

#include "core/graph/graph.h"
#include "core/graph/graph_data.h"

/** Splits "element.rest" at the first dot: an id has none. All of an alias is the rest. */
static sb_status split(const sb_graph *graph, const char *text, sb_element **element,
                       const char **rest, sb_error *err) {
  const char *dot = strchr(text, '.');
  size_t length = dot == NULL ? strlen(text) : (size_t)(dot - text);
  bool part;
  *element = sb_graph_resolve(graph, text, length, &part);
  if (*element == NULL) {
    return sb_fail(err, SB_ERR_REFERENCE, "there is no element '%.*s'", (int)length, text);
  }
  *rest = part ? text : dot == NULL ? NULL : dot + 1;
  return SB_OK;
}

/** Where a bond without a port name goes: the only port, or of two the first for a bond that
 *  arrives and the second for one that leaves. */
static int natural_port(const sb_element *element, bool arrives) {
  int count = sb_port_count(element->type->ports, false);
  if (count == 1) {
    return 0;
  }
  return count == 2 ? (arrives ? 0 : 1) : -1;
}

/** A part of an element has no port of this name, or none at all. */
static sb_status fail_part(const sb_element *element, const char *name, sb_error *err) {
  const size_t length = strcspn(name, ".");
  char ports[SB_ERROR_HINT / 2] = "";
  for (int i = 0; i < sb_port_count(element->type->ports, true); i++) {
    const char *own = element->type->ports[i].name;
    if (strncmp(own, name, length) == 0 && (own[length] == '.' || own[length] == '\0')) {
      const size_t used = strlen(ports);
      (void)snprintf(ports + used, sizeof ports - used, "%s%s", used > 0 ? ", " : "", own);
    }
  }
  if (ports[0] == '\0') {
    return sb_fail(err, SB_ERR_PORT, "'%.*s' has no port that a bond could lead to", (int)length,
                   name);
  }
  (void)sb_fail(err, SB_ERR_PORT, "there is no port '%s'", name);
  sb_error_hint(err, "'%.*s' has: %s", (int)length, name, ports);
  return SB_ERR_PORT;
}

static sb_status find_port(const sb_graph *graph, const sb_element *element, const char *name,
                           bool arrives, int *port, sb_error *err) {
  const sb_element_type *type = element->type;
  *port = name == NULL ? natural_port(element, arrives) : -1;
  for (int i = 0; name != NULL && i < sb_port_count(type->ports, true); i++) {
    if (strcmp(type->ports[i].name, name) == 0) {
      *port = i;
    }
  }
  bool part;
  if (*port < 0 && name != NULL) {
    (void)sb_graph_resolve(graph, name, strcspn(name, "."), &part);
    return part ? fail_part(element, name, err)
                : sb_fail(err, SB_ERR_PORT, "%s '%s' has no port '%s'", type->name, element->id,
                          name);
  }
  if (*port < 0) {
    return sb_fail(err, SB_ERR_PORT, "%s '%s' has %d ports: name one of them", type->name,
                   element->id, sb_port_count(type->ports, true));
  }
  return SB_OK;
}

static bool joins(const sb_bond *bond, const sb_element *a, const sb_element *b) {
  return (bond->from.element == a->index && bond->to.element == b->index) ||
         (bond->from.element == b->index && bond->to.element == a->index);
}

static sb_status check_free(const sb_graph *graph, const sb_element *element, int port,
                            const sb_element *other, sb_error *err) {
  const sb_port_spec *spec = &element->type->ports[port];
  if (spec->many || spec->shared || element->bonds[port] < 0) {
    return SB_OK;
  }
  bool one_port = sb_port_count(element->type->ports, false) == 1;
  if (one_port && element != other && joins(&graph->bonds[element->bonds[port]], element, other)) {
    (void)sb_fail(err, SB_ERR_PORT, "the bond between '%s' and '%s' is stated twice", other->id,
                  element->id);
    sb_error_hint(err, "one bond carries all of the power between two ports");
    return SB_ERR_PORT;
  }
  if (one_port && port == 0 && sb_port_count(element->type->ports, true) == 2) {
    (void)sb_fail(err, SB_ERR_PORT, "'%s' is connected twice: its other port is '%s.%s'",
                  element->id, element->id, element->type->ports[1].name);
  } else if (one_port && port == 0) {
    (void)sb_fail(err, SB_ERR_PORT, "'%s' is connected twice: it has one port", element->id);
  } else {
    (void)sb_fail(err, SB_ERR_PORT, "port '%s' of '%s' is connected twice", spec->name,
                  element->id);
  }
  if (one_port) {
    sb_error_hint(err, "join several bonds at a junction J0 or J1");
  } else if (sb_port_count(element->type->ports, true) > 2) {
    sb_error_hint(err, "each port takes one bond; several are joined at a junction J0 or J1");
  } else {
    sb_error_hint(err,
                  "a bond that arrives takes the first port, one that leaves the second; "
                  "name the port to choose, as in \"%s.%s\"",
                  element->id, element->type->ports[1].name);
  }
  return SB_ERR_PORT;
}

/** Takes the port for the bond; junctions make a new one. */
static void attach(sb_arena *memory, sb_element *element, int *port, int bond) {
  int count = element->port_count;
  if (element->type->ports[*port].many &&
      sb_arena_append(memory, &element->domains, &count, &element->domain_capacity,
                      sizeof element->domain, &element->domain) &&
      sb_arena_grow(memory, &element->bonds, &element->port_capacity, count,
                    sizeof *element->bonds)) {
    *port = element->port_count++;
  }
  element->bonds[*port] = bond;
}

sb_status sb_graph_bond(sb_graph *graph, const char *from, const char *to, sb_error *err) {
  sb_element *a = NULL, *b = NULL;
  const char *name_a = NULL, *name_b = NULL;
  SB_TRY(split(graph, from, &a, &name_a, err));
  SB_TRY(split(graph, to, &b, &name_b, err));
  return sb_graph_join(graph, a, name_a, b, name_b, err);
}

sb_status sb_graph_join(sb_graph *graph, sb_element *a, const char *name_a, sb_element *b,
                        const char *name_b, sb_error *err) {
  int port_a = 0, port_b = 0;
  SB_TRY(find_port(graph, a, name_a, false, &port_a, err));
  SB_TRY(find_port(graph, b, name_b, true, &port_b, err));
  SB_TRY(check_free(graph, a, port_a, b, err));
  SB_TRY(check_free(graph, b, port_b, a, err));
  if (a == b) {
    const char *one = sb_graph_port_words(graph, (sb_bond_end){a->index, port_a}),
               *other = sb_graph_port_words(graph, (sb_bond_end){b->index, port_b});
    (void)sb_fail(err, SB_ERR_PORT, "a bond joins '%s' with %s%s%s", one,
                  strcmp(one, other) == 0 ? "itself" : "'", strcmp(one, other) == 0 ? "" : other,
                  strcmp(one, other) == 0 ? "" : "', both of the same element");
    if (strcmp(one, other) != 0) {
      sb_error_hint(err, "put a TF of ratio 1 between them");
    }
    return SB_ERR_PORT;
  }
  attach(&graph->memory, a, &port_a, graph->bond_count);
  attach(&graph->memory, b, &port_b, graph->bond_count);
  const sb_bond bond = {{a->index, port_a}, {b->index, port_b}, graph->place};
  (void)sb_arena_append(&graph->memory, &graph->bonds, &graph->bond_count, &graph->bond_capacity,
                        sizeof bond, &bond);
  return sb_graph_check_memory(graph, err);
}

/** The row of a signal; -1: none. */
static int find_signal(const sb_element *owner, const char *name, bool input) {
  const sb_signal_spec *specs = owner->type->signals;
  for (int i = 0; name != NULL && specs != NULL && specs[i].name != NULL; i++) {
    if (specs[i].input == input && strcmp(specs[i].name, name) == 0) {
      return i;
    }
  }
  return -1;
}

sb_status sb_graph_wire(sb_graph *graph, const char *from, const char *to, sb_error *err) {
  sb_element *source = NULL, *target = NULL;
  const char *output = NULL, *input = NULL;
  SB_TRY(split(graph, from, &source, &output, err));
  SB_TRY(split(graph, to, &target, &input, err));
  sb_wire wire = {.from_element = source->index,
                  .from_signal = find_signal(source, output, false),
                  .to_element = target->index,
                  .to_signal = find_signal(target, input, true),
                  .place = graph->place};
  if (wire.to_signal < 0) {
    return sb_fail(err, SB_ERR_REFERENCE, "%s '%s' has no signal input '%s'", target->type->name,
                   target->id, input == NULL ? "" : input);
  }
  int from_size = wire.from_signal < 0 ? 1 : source->type->signals[wire.from_signal].count;
  int to_size = target->type->signals[wire.to_signal].count;
  if (from_size != to_size) {
    return sb_fail(err, SB_ERR_DIMENSION,
                   "signal %s -> %s: the output has %d component%s, the input %d", from, to,
                   from_size, from_size == 1 ? "" : "s", to_size);
  }
  if (wire.from_signal < 0) {
    const char *quantity = output == NULL ? "" : output;
    wire.quantity = sb_arena_copy(&graph->memory, quantity, strlen(quantity));
  }
  (void)sb_arena_append(&graph->memory, &graph->wires, &graph->wire_count, &graph->wire_capacity,
                        sizeof wire, &wire);
  target->wire_count += target->type->signals[wire.to_signal].many;
  return sb_graph_check_memory(graph, err);
}
