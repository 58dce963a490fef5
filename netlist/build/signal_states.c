// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of a signal while the signals are read: its dimension, or that it waits for others.

#include "netlist/build/signal_states_private.h"

#include "netlist/reader/definitions.h"
#include "netlist/reader/settings.h"

const sb_dimension *sb_signal_dimension(const sb_build *build, int item) {
  static const sb_dimension any = {.any = true};
  int entry = build->made[item].entry;
  return entry < 0 ? &any : &build->signals->definitions.entries[entry].dimension;
}

/** Whether an integral is among the signals from `entry` to the top of the stack. */
static bool breaks_circle(const sb_build *build, int entry) {
  const sb_definitions *all = &build->signals->definitions;
  for (int i = all->depth - 1; i >= 0; i--) {
    const sb_item *item = &build->reader->tree.items[all->entries[all->stack[i]].item];
    if (sb_item_value(build->reader, item, sb_param_find(item->type->params, "rate")) != NULL) {
      return true;
    }
    if (all->stack[i] == entry) {
      break;
    }
  }
  return false;
}

sb_outcome sb_signal_await(const sb_build *build, int item) {
  int entry = build->made[item].entry;
  sb_definition_state state =
      entry < 0 ? SB_DEFINITION_FAILED : build->signals->definitions.entries[entry].state;
  if (state == SB_DEFINITION_KNOWN || state == SB_DEFINITION_FAILED) {
    return sb_known(state == SB_DEFINITION_KNOWN);
  }
  if (state == SB_DEFINITION_OPEN && breaks_circle(build, entry)) {
    build->signals->circles = true;
    return sb_known(true);
  }
  return (sb_outcome){false, entry};
}
