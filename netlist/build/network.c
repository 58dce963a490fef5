// SPDX-License-Identifier: GPL-3.0-or-later
// Elements and bonds. All elements, of networks and of mechanisms, are added before the first bond.
#include <string.h>

#include "core/graph_private.h"
#include "netlist/build/build.h"
#include "netlist/reader/expand.h"

void sb_build_elements(sb_reader *reader) {
  sb_graph *graph = reader->netlist->graph;
  for (int i = 0; i >= 0; i = sb_walk(reader, i)) {
    sb_item *item = &reader->items[i];
    if (item->type == NULL || item->id == NULL) {
      continue; // not an element, or a fault that has been reported
    }
    sb_error err = {0};
    sb_graph_place(graph, reader->scopes[item->scope].file, item->node->line, item->node->column);
    if (sb_graph_add(graph, item->type, item->id, &item->element, &err) != SB_OK) {
      item->element = NULL;
      sb_report_item(reader, item, &err);
    }
  }
}

/** The element that an end of a bond names, and its port; NULL: none, reported. */
static sb_element *find_end(sb_reader *reader, const sb_item *bond, const char *name,
                            char end[SB_END_MAX], const char **port) {
  const sb_item *item = sb_find_end(reader, sb_item_text(reader, bond, name), end);
  const char *dot = item == NULL ? NULL : strrchr(end, '.');
  *port = dot == NULL ? NULL : dot + 1;
  return item == NULL ? NULL : item->element;
}

void sb_build_bonds(sb_reader *reader) {
  sb_graph *graph = reader->netlist->graph;
  sb_item *bond = NULL;
  sb_check_ports(reader);
  while ((bond = sb_next_item(reader, bond, "bond")) != NULL) {
    char ends[2][SB_END_MAX];
    const char *ports[2];
    int faults = reader->errors->count;
    sb_element *from = find_end(reader, bond, "from", ends[0], &ports[0]);
    sb_element *to = find_end(reader, bond, "to", ends[1], &ports[1]);
    sb_error err = {0};
    sb_graph_place(graph, reader->scopes[bond->scope].file, bond->node->line, bond->node->column);
    if (from != NULL && to != NULL &&
        sb_graph_join(graph, from, ports[0], to, ports[1], &err) != SB_OK) {
      sb_report_item(reader, bond, &err);
      reader->domain_failed = true; // it may have led a domain to others
    }
    reader->bond_failed = reader->bond_failed || reader->errors->count > faults;
  }
  sb_check_connected(reader);
}
