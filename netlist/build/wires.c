// SPDX-License-Identifier: GPL-3.0-or-later
// Connections of signals and quantities to the inputs of elements.
#include "netlist/build/wires_private.h"

#include <stdio.h>

#include "netlist/reader/report.h"

bool sb_wire_quantity(const sb_build *build, const sb_setting *setting, const char *from,
                      const sb_element *element, int column) {
  const sb_reader *reader = build->reader;
  char to[SB_PATH_MAX + 8];
  sb_error err = {0};
  int line = 0, place = 0;
  if (build->signals->again) {
    return true;
  }
  if (setting->attribute != NULL) {
    sb_xml_value_place(setting->attribute, column, &line, &place);
  }
  sb_graph_place(build->graph, reader->scopes.list[setting->scope].file, line, place);
  (void)snprintf(to, sizeof to, "%s.u", sb_element_id(element));
  if (sb_graph_wire(build->graph, from, to, &err) == SB_OK) {
    return true;
  }
  err.column = column;
  sb_report_value(reader, setting, &err);
  return false;
}

bool sb_wire_signal(const sb_build *build, const sb_setting *setting, const sb_element *element,
                    int item, int column, sb_wires *wires) {
  const sb_reader *reader = build->reader;
  for (int i = 0; i < wires->count; i++) {
    if (wires->items[i] == item) {
      return true;
    }
  }
  if (wires->count == SB_SIGNALS_MAX) {
    sb_error err;
    (void)sb_fail(&err, SB_ERR_LIMIT, "more than %d signals in one element", SB_SIGNALS_MAX);
    sb_error_hint(&err, "combine some of them in a separate <signal>");
    err.column = column;
    sb_report_value(reader, setting, &err);
    return false;
  }
  char from[SB_PATH_MAX + 8];
  (void)snprintf(from, sizeof from, "%s.value", reader->tree.items[item].id);
  wires->items[wires->count++] = item;
  return sb_wire_quantity(build, setting, from, element, column);
}
