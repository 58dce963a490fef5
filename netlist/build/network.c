// SPDX-License-Identifier: GPL-3.0-or-later
// Elements and bonds. All elements, of networks and of mechanisms, are added before the first bond.
#include <string.h>

#include "core/graph/graph_data.h"
#include "netlist/build/build.h"
#include "netlist/build/ends_private.h"
#include "netlist/build/mechanisms_private.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"
#include "netlist/reader/tree.h"

void sb_build_elements(const sb_build *build) {
  const sb_reader *reader = build->reader;
  sb_build_mechanisms(build);
  for (int i = 0; i >= 0; i = sb_walk(reader, i)) {
    const sb_item *item = &reader->tree.items[i];
    if (item->type == NULL || item->id == NULL || sb_made_of(build, item)->part >= 0) {
      continue; // not an element, one of a tree of bodies, or an error that has been reported
    }
    sb_element **element = &sb_made_of(build, item)->element;
    sb_error err = {0};
    sb_graph_place(build->graph, reader->scopes.list[item->scope].file, item->node->line,
                   item->node->column);
    if (sb_graph_add(build->graph, item->type, item->id, element, &err) != SB_OK) {
      *element = NULL;
      sb_report_item(reader, item, &err);
    }
  }
}

/** One end of a bond. */
typedef struct bond_end {
  char name[SB_END_MAX];
  const char *port;    // NULL: none is named
  sb_element *element; // NULL: an error, reported
  bool contested;      // another element states the same id, which has been reported
} bond_end;

static void find_end(const sb_build *build, const sb_item *bond, const char *attribute,
                     bool connected[], bond_end *end) {
  const sb_setting *setting = sb_item_text(build->reader, bond, attribute);
  const sb_item *item = sb_find_end(build, setting, connected, end->name);
  const char *dot = item == NULL ? NULL : strrchr(end->name, '.');
  end->port = dot == NULL ? NULL : dot + 1;
  end->contested = item != NULL && item->contested;
  end->element = item == NULL ? NULL : sb_made_of(build, item)->element;
  if (item != NULL && sb_made_of(build, item)->part >= 0) { // the port of its tree has this name
    bool part;
    end->element = sb_graph_resolve(build->graph, item->id, strlen(item->id), &part);
    end->port = end->name;
  }
}

/** @return false: there is none, so that what it would tell of domains is not known */
static bool build_bond(const sb_build *build, const sb_item *bond, bool connected[]) {
  const sb_xml_node *node = bond->node;
  bond_end from, to;
  sb_error err = {0};
  find_end(build, bond, "from", connected, &from);
  find_end(build, bond, "to", connected, &to);
  sb_graph_place(build->graph, build->reader->scopes.list[bond->scope].file, node->line,
                 node->column);
  if (from.element == NULL || to.element == NULL) {
    return false;
  }
  if (sb_graph_join(build->graph, from.element, from.port, to.element, to.port, &err) == SB_OK) {
    return true;
  }
  if (!from.contested && !to.contested) { // else the bonds of several meet at one
    sb_report_item(build->reader, bond, &err);
  }
  return false;
}

bool sb_build_bonds(const sb_build *build) {
  sb_reader *reader = build->reader;
  bool *connected = sb_arena_zeroed(&reader->memory, reader->tree.item_count, sizeof *connected);
  bool joined = true;
  if (connected == NULL) {
    sb_report_memory(reader);
    return false;
  }
  sb_check_ports(build, connected);
  int faults = reader->errors->count;
  const sb_item *bond = NULL;
  while ((bond = sb_next_item(reader, bond, "bond")) != NULL) {
    joined = build_bond(build, bond, connected) && joined;
  }
  sb_check_connected(build, connected, reader->errors->count == faults);
  return joined;
}
