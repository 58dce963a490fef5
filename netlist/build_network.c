// SPDX-License-Identifier: GPL-3.0-or-later
// Elements and bonds. All elements, of networks and of mechanisms, are added before the first bond.
#include <string.h>

#include "netlist/build.h"

void sb_build_elements(sb_reader *reader) {
  sb_graph *graph = reader->netlist->graph;
  for (int i = 0; i < reader->item_count; i++) {
    sb_item *item = &reader->items[i];
    if (item->type == NULL || item->id == NULL ||
        sb_scope_find(reader, item->id, strlen(item->id)) != i) {
      continue; // not an element, or a fault that has been reported
    }
    sb_error err = {0};
    sb_graph_place(graph, reader->file, item->node->line, item->node->column);
    if (sb_graph_add(graph, item->type, item->id, &item->element, &err) != SB_OK) {
      item->element = NULL;
      sb_report_item(reader, item, &err);
    }
  }
}

static bool is_element(const sb_item *item) {
  return item->type != NULL;
}

static bool names_port(const sb_element_type *type, const char *name) {
  for (const sb_port_spec *port = type->ports; port != NULL && port->name != NULL; port++) {
    if (strcmp(port->name, name) == 0) {
      return true;
    }
  }
  return false;
}

static void report_port(sb_reader *reader, const sb_setting *setting, const sb_item *item,
                        const char *name) {
  const char *names[16];
  int count = 0;
  for (const sb_port_spec *p = item->type->ports; p != NULL && p->name != NULL && count < 16; p++) {
    names[count++] = p->name;
  }
  sb_error err;
  (void)sb_fail(&err, SB_ERR_PORT, "%s '%s' has no port '%.80s'", item->type->name, item->id, name);
  sb_hint_word(name, names, count, &err);
  err.column = (int)(name - setting->value) + 1;
  sb_report_value(reader, setting, &err);
}

/** Whether an end of a bond can be joined; an end that cannot is reported, unless what it names
 *  has been. */
static bool check_end(sb_reader *reader, const sb_setting *setting) {
  if (setting == NULL) {
    return false;
  }
  const char *dot = strrchr(setting->value, '.');
  size_t length = dot == NULL ? strlen(setting->value) : (size_t)(dot - setting->value);
  int index = sb_scope_find(reader, setting->value, length);
  const sb_item *item = index < 0 ? NULL : &reader->items[index];
  if (item != NULL && (item->tag == NULL || (is_element(item) && item->element == NULL))) {
    return false;
  }
  sb_error err;
  if (item == NULL) {
    (void)sb_fail(&err, SB_ERR_REFERENCE, "there is no element '%.*s'",
                  (int)(length > 80 ? 80 : length), setting->value);
    sb_hint_id(reader, setting->value, length, is_element, &err);
  } else if (!is_element(item)) {
    (void)sb_fail(&err, SB_ERR_REFERENCE, "'%s' is a <%s>, which has no port", item->id,
                  item->node->name);
  } else if (dot != NULL && !names_port(item->type, dot + 1)) {
    report_port(reader, setting, item, dot + 1);
    return false;
  } else {
    return true;
  }
  sb_report_value(reader, setting, &err);
  return false;
}

void sb_build_bonds(sb_reader *reader) {
  sb_graph *graph = reader->netlist->graph;
  sb_item *bond = NULL;
  while ((bond = sb_next_item(reader, bond, "bond")) != NULL) {
    const sb_setting *from = sb_item_text(reader, bond, "from");
    const sb_setting *to = sb_item_text(reader, bond, "to");
    bool good = check_end(reader, from);
    good = check_end(reader, to) && good;
    sb_error err = {0};
    sb_graph_place(graph, reader->file, bond->node->line, bond->node->column);
    if (good && sb_graph_bond(graph, from->value, to->value, &err) != SB_OK) {
      sb_report_item(reader, bond, &err);
    }
  }
}
