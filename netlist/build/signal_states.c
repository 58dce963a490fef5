// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of a signal while the signals are read: its dimension, or that it waits for others.

#include "netlist/build/signal_states_private.h"

#include "elements/elements.h"
#include "netlist/build/words_private.h"
#include "netlist/reader/definitions.h"
#include "netlist/reader/settings.h"

const sb_dimension *sb_signal_dimension(const sb_build *build, int item) {
  static const sb_dimension any = {.any = true};
  int entry = build->made[item].entry;
  return entry < 0 ? &any : &build->signals->definitions.entries[entry].dimension;
}

/** The number of words of a value; 0: there is none. */
static int count_words(const sb_reader *reader, const sb_item *item, const char *name) {
  const sb_param *row = sb_param_find(item->type->params, name);
  const sb_setting *setting = row == NULL ? NULL : sb_item_value(reader, item, row);
  sb_word word = {0};
  int count = 0;
  while (setting != NULL && sb_next_word(setting->value, &word)) {
    count++;
  }
  return count;
}

/** Whether the output of a signal is not of its input at the same instant: an integral, a block, but for a
 *  transfer function with as many coefficients above as below. */
static bool holds_back(const sb_reader *reader, const sb_item *item) {
  return item->type == &sb_kind_signal
             ? count_words(reader, item, "rate") > 0
             : count_words(reader, item, "den") == 0 ||
                   count_words(reader, item, "num") < count_words(reader, item, "den");
}

/** Whether an integral is among the signals from `entry` to the top of the stack. */
static bool breaks_circle(const sb_build *build, int entry) {
  const sb_definitions *all = &build->signals->definitions;
  for (int i = all->depth - 1; i >= 0; i--) {
    const sb_item *item = &build->reader->tree.items[all->entries[all->stack[i]].item];
    if (holds_back(build->reader, item)) {
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
