// SPDX-License-Identifier: GPL-3.0-or-later
// Signals. Each is a quantity of the network, an expression of other signals, or an integral of
// one, whatever their order; one that meets another not known yet waits on a stack until it is, for
// its dimension. A circular reference through an integral is not one of values; the dimensions in
// it are open at first, and the signals are read again until no more of them become known.
#include <stdio.h>
#include <string.h>

#include "core/graph/graph_data.h"
#include "elements/elements.h"
#include "netlist/build/build.h"
#include "netlist/build/signal_forms_private.h"
#include "netlist/reader/definitions.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"
#include "netlist/reader/tree.h"
#include "netlist/value/unit.h"

static void show_unit(sb_element *element, const sb_dimension *dimension) {
  static const sb_dimension pure = {0};
  char unit[SB_DIMENSION_SIZE] = "";
  if (!dimension->any && !sb_dimension_equal(dimension, &pure)) {
    (void)sb_dimension_format(dimension, unit, sizeof unit);
    bool angular = dimension->angle == SB_EXPONENT_ONE && dimension->pi == 0;
    bool cyclic = dimension->cycle == SB_EXPONENT_ONE && dimension->pi == 0;
    if (strcmp(unit, "1/s") == 0 && angular != cyclic) {
      (void)snprintf(unit, sizeof unit, "%s", angular ? "rad/s" : "Hz");
    } else if (strncmp(unit, "1/s", 3) != 0) {
      (void)sb_unit_name(dimension, unit, sizeof unit);
    }
  }
  sb_signal_set_unit(element, unit);
}

static sb_outcome evaluate(void *context, sb_definition *entry) {
  const sb_build *build = context;
  const sb_item *item = &build->reader->tree.items[entry->item];
  sb_element *element = sb_made_of(build, item)->element;
  if (element == NULL) {
    return sb_known(false);
  }
  sb_outcome outcome = item->type == &sb_kind_signal ? sb_read_signal(build, item, entry)
                                                     : sb_read_block(build, item, entry);
  if (outcome.known) {
    show_unit(element, &entry->dimension);
  }
  return outcome;
}

static void report_circle(const sb_reader *reader, const sb_item *item, sb_error *err) {
  sb_error_hint(err, "an integral, a <signal> with a rate, breaks a circle, and so does a "
                     "<TransferFunction> with fewer "
                     "coefficients in num than in den");
  sb_report_item(reader, item, err);
}

/** With circles: reads all signals again, with what is known now of those they name, until their
 *  dimensions stay. */
static void read_again(sb_build *build) {
  sb_signals *signals = build->signals;
  signals->again = true;
  for (bool more = signals->circles; more;) {
    more = false;
    for (int i = 0; i < signals->definitions.count; i++) {
      sb_definition *entry = &signals->definitions.entries[i];
      bool open = entry->dimension.any;
      if (entry->state == SB_DEFINITION_KNOWN) {
        entry->state = evaluate(build, entry).known ? SB_DEFINITION_KNOWN : SB_DEFINITION_FAILED;
        more = more || (open && !entry->dimension.any);
      }
    }
  }
  signals->again = false;
}

/** Makes an entry of each signal; false: out of memory, reported. */
static bool list_signals(const sb_build *build, sb_definitions *all) {
  sb_reader *reader = build->reader;
  for (int i = 0; i >= 0; i = sb_walk(reader, i)) {
    const sb_definition entry = {.item = i, .dimension = {.any = true}};
    const sb_item *item = &reader->tree.items[i];
    if (item->tag == NULL || !(item->tag->flags & SB_TAG_SIGNAL)) {
      continue;
    }
    if (!sb_arena_grow(&reader->memory, &all->entries, &all->capacity, all->count + 1,
                       sizeof entry)) {
      sb_report_memory(reader);
      return false;
    }
    build->made[entry.item].entry = all->count;
    all->entries[all->count++] = entry;
  }
  return true;
}

sb_signals sb_build_signals(const sb_build *build) {
  static const sb_definition_sort sort = {"signals", evaluate, report_circle};
  sb_signals signals = {.definitions.sort = &sort};
  sb_definitions *all = &signals.definitions;
  sb_build own = *build;
  own.signals = &signals;
  if (!list_signals(build, all)) {
    return signals;
  }
  sb_resolve_all(build->reader, all, &own);
  read_again(&own);
  for (int i = 0; i < all->count; i++) {
    sb_element *element = build->made[all->entries[i].item].element;
    if (element != NULL) {
      element->failed = all->entries[i].state != SB_DEFINITION_KNOWN;
    }
  }
  return signals;
}
