// SPDX-License-Identifier: GPL-3.0-or-later
// Elements and bonds. All elements, of networks and of mechanisms, are added before the first bond.
#include <string.h>

#include "netlist/build.h"
#include "netlist/expand.h"

void sb_build_elements(sb_reader *reader) {
  sb_graph *graph = reader->netlist->graph;
  for (int i = 0; i >= 0; i = sb_walk(reader, i)) {
    sb_item *item = &reader->items[i];
    if (item->type == NULL || item->id == NULL ||
        sb_scope_find(reader, item->id, strlen(item->id)) != i) {
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

void sb_build_bonds(sb_reader *reader) {
  sb_graph *graph = reader->netlist->graph;
  sb_item *bond = NULL;
  sb_check_ports(reader);
  while ((bond = sb_next_item(reader, bond, "bond")) != NULL) {
    const sb_setting *from = sb_item_text(reader, bond, "from");
    const sb_setting *to = sb_item_text(reader, bond, "to");
    char ends[2][SB_END_MAX];
    int faults = reader->errors->count;
    bool good = sb_find_end(reader, from, ends[0]) != NULL;
    good = sb_find_end(reader, to, ends[1]) != NULL && good;
    sb_error err = {0};
    sb_graph_place(graph, reader->scopes[bond->scope].file, bond->node->line, bond->node->column);
    if (good && sb_graph_bond(graph, ends[0], ends[1], &err) != SB_OK) {
      sb_report_item(reader, bond, &err);
      reader->domain_failed = true; // it may have led a domain to others
    }
    reader->bond_failed = reader->bond_failed || reader->errors->count > faults;
  }
  sb_check_connected(reader);
}
