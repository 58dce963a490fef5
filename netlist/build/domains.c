// SPDX-License-Identifier: GPL-3.0-or-later
// Physical domains. A one-port or a junction has one domain: its own, or its network's. Each port
// of a transducer has its own, and takes that of its bond. Bonds make domains equal: ports are
// united, and a union has the domain of those of its ports that have one.
#include <string.h>

#include "core/base/sets.h"
#include "core/graph/domain.h"
#include "core/graph/graph_data.h"
#include "netlist/build/build.h"
#include "netlist/build/ends_private.h"
#include "netlist/reader/hints.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"
#include "netlist/reader/tree.h"

/** Unions of ports. */
typedef struct unions {
  const sb_build *build;
  sb_port_domains domains;
  int *above; // (ports) towards the root of a union
} unions;

static int port_count(const sb_element_type *type) {
  return sb_port_count(type->ports, true);
}

static bool is_one_port(const sb_element_type *type) {
  return sb_port_count(type->ports, false) == 1;
}

static int port_of(const unions *u, sb_bond_end end) {
  const sb_element *element = u->build->graph->elements[end.element];
  return u->domains.first_port[end.element] + (element->type->ports[0].many ? 0 : end.port);
}

static void unite(unions *u, const sb_bond *bond) {
  const char **domains = u->domains.of_port;
  int a = sb_set_of(u->above, port_of(u, bond->from)),
      b = sb_set_of(u->above, port_of(u, bond->to));
  if (domains[a] != NULL && domains[b] != NULL && domains[a] != domains[b]) {
    sb_error err;
    (void)sb_fail(&err, SB_ERR_DOMAIN, "bond %s -> %s joins the domains %s and %s",
                  sb_graph_port_words(u->build->graph, bond->from),
                  sb_graph_port_words(u->build->graph, bond->to), domains[a], domains[b]);
    bool heat = strcmp(domains[a], "thermal") == 0 || strcmp(domains[b], "thermal") == 0;
    sb_error_hint(&err, heat ? "heat comes from the port heat of an R, as in from=\"R1.heat\""
                             : "a transducer TF or GY leads from one domain to another");
    sb_place_into(&bond->place, &err);
    sb_errors_add(u->build->reader->errors, &err);
    return;
  }
  if (domains[a] == NULL) {
    u->above[a] = b;
  } else {
    u->above[b] = a;
  }
}

/** The name of a domain as in the table, so that pointers can be compared; NULL: none, reported. */
static const char *read_domain(unions *u, const sb_setting *setting) {
  if (setting == NULL) {
    return NULL;
  }
  const sb_domain *domain = sb_domain_find(setting->value);
  if (domain != NULL) {
    return domain->name;
  }
  sb_report_choice(u->build->reader, setting, "domain", sb_domains, sizeof *sb_domains);
  u->domains.failed = true;
  return NULL;
}

static bool allocate(unions *u) {
  sb_arena *memory = &u->build->reader->memory;
  const sb_graph *graph = u->build->graph;
  int ports = 0;
  for (int i = 0; i < graph->element_count; i++) {
    ports += port_count(graph->elements[i]->type);
  }
  int *first_port = sb_arena_zeroed(memory, graph->element_count, sizeof *first_port);
  u->domains.of_port = sb_arena_zeroed(memory, ports, sizeof *u->domains.of_port);
  u->above = sb_arena_zeroed(memory, ports, sizeof *u->above);
  if (first_port == NULL || u->domains.of_port == NULL || u->above == NULL) {
    u->domains.of_port = NULL;
    sb_report_memory(u->build->reader);
    return false;
  }
  for (int i = 0; i < ports; i++) {
    u->above[i] = i;
  }
  for (int i = 0; i + 1 < graph->element_count; i++) {
    first_port[i + 1] = first_port[i] + port_count(graph->elements[i]->type);
  }
  u->domains.first_port = first_port;
  return true;
}

/** Domains that are fixed by the kind, stated at the element, or the default of its network. */
static void state_domains(unions *u, const sb_item *item, const sb_element *element,
                          const char *network) {
  const sb_port_spec *specs = item->type->ports;
  const char **domains = u->domains.of_port + u->domains.first_port[element->index];
  const sb_setting *setting =
      item->tag->name[0] == '\0' ? sb_item_text(u->build->reader, item, "domain") : NULL;
  const char *stated = read_domain(u, setting);
  int count = port_count(item->type);
  if (setting == NULL && is_one_port(item->type)) {
    stated = network;
  }
  for (int k = 0; k < count; k++) {
    const sb_domain *fixed = specs[k].domain == NULL ? NULL : sb_domain_find(specs[k].domain);
    domains[k] = fixed != NULL ? fixed->name : stated;
  }
}

/** The domain of the network around an item; NULL: none. */
static const char *domain_around(const unions *u, const sb_item *item) {
  do {
    item = &u->build->reader->tree.items[item->parent];
  } while (item->parent >= 0 && strcmp(item->node->name, "network") != 0);
  int domain = sb_made_of(u->build, item)->entry;
  return domain < 0 || item->parent < 0 ? NULL : sb_domains[domain].name;
}

/** Domains that are fixed by the kind: trees of bodies have them, and no item of the netlist is theirs. */
static void state_fixed(unions *u) {
  const sb_graph *graph = u->build->graph;
  for (int i = 0; i < graph->element_count; i++) {
    const sb_port_spec *specs = graph->elements[i]->type->ports;
    for (int k = 0; k < port_count(graph->elements[i]->type); k++) {
      const sb_domain *fixed = specs[k].domain == NULL ? NULL : sb_domain_find(specs[k].domain);
      u->domains.of_port[u->domains.first_port[i] + k] = fixed == NULL ? NULL : fixed->name;
    }
  }
}

static void state_all(unions *u) {
  const sb_reader *reader = u->build->reader;
  state_fixed(u);
  const sb_item *network = NULL;
  while ((network = sb_next_item(reader, network, "network")) != NULL) {
    const char *name = read_domain(u, sb_item_text(reader, network, "domain"));
    sb_made_of(u->build, network)->entry =
        name == NULL ? -1 : (int)(sb_domain_find(name) - sb_domains);
  }
  for (int i = 0; i < reader->tree.item_count; i++) {
    const sb_item *item = &reader->tree.items[i];
    const sb_element *element = sb_made_of(u->build, item)->element;
    if (element != NULL) {
      state_domains(u, item, element, domain_around(u, item));
    }
  }
}

/** The index, over all elements, of the port that a sub-model's port has as its node; -1: it
 *  depends on the direction of the bond. */
static int node_port(const unions *u, const char *end) {
  bool part; // as a joint, which is a port of its tree
  const char *dot = strrchr(end, '.');
  const sb_element *element = sb_graph_resolve(u->build->graph, end, strcspn(end, "."), &part);
  const char *name = part ? end : dot == NULL ? NULL : dot + 1;
  const int first = element == NULL ? -1 : u->domains.first_port[element->index];
  for (int k = 0; element != NULL && name != NULL && k < port_count(element->type); k++) {
    if (strcmp(element->type->ports[k].name, name) == 0) {
      return first + k;
    }
  }
  return element != NULL && !part && is_one_port(element->type) ? first : -1;
}

/** Gives the node of a sub-model's port the domain that the port states. */
static void state_port(unions *u, const sb_item *port) {
  const sb_reader *reader = u->build->reader;
  const char **domains = u->domains.of_port;
  const sb_setting *setting = sb_item_text(reader, port, "domain");
  const sb_setting *node = sb_item_text(reader, port, "node");
  const char *domain = read_domain(u, setting);
  char end[SB_END_MAX];
  const sb_item *item = domain == NULL ? NULL : sb_find_end(u->build, node, NULL, end);
  int index = item == NULL ? -1 : node_port(u, end);
  if (index < 0) {
    return;
  }
  if (domains[index] == NULL) {
    domains[index] = domain;
  } else if (domains[index] != domain) {
    sb_error err;
    (void)sb_fail(&err, SB_ERR_DOMAIN, "the port is in the domain %s, but its node '%s' in %s",
                  domain, node->value, domains[index]);
    sb_report_value(reader, setting, &err);
  }
}

/** Gives the ports of an element the domains of their unions. */
static void settle(unions *u, sb_element *element) {
  const char **domains = u->domains.of_port;
  int count = port_count(element->type), first = u->domains.first_port[element->index];
  for (int k = 0; k < count; k++) {
    domains[first + k] = domains[sb_set_of(u->above, first + k)];
    if (domains[first + k] != NULL && element->type->ports[k].domain == NULL) {
      (void)sb_element_set_domain(element, count == 1 ? -1 : k, domains[first + k], NULL);
    }
  }
}

/** Ports that the kind or a bond makes equal. */
static void unite_all(unions *u) {
  const sb_graph *graph = u->build->graph;
  for (int i = 0; i < graph->element_count; i++) {
    int first = u->domains.first_port[i], count = port_count(graph->elements[i]->type);
    for (int k = 1; graph->elements[i]->type->one_domain && k < count; k++) {
      u->above[first + k] = first;
    }
  }
  for (int i = 0; i < graph->bond_count; i++) {
    unite(u, &graph->bonds[i]);
  }
}

sb_port_domains sb_build_domains(const sb_build *build, bool joined) {
  unions u = {.build = build, .domains.failed = !joined};
  if (!allocate(&u)) {
    return u.domains;
  }
  state_all(&u);
  const sb_item *port = NULL;
  while ((port = sb_next_item(build->reader, port, "port")) != NULL) {
    state_port(&u, port);
  }
  unite_all(&u);
  for (int i = 0; i < build->graph->element_count; i++) {
    settle(&u, build->graph->elements[i]);
  }
  return u.domains;
}
