// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluates definitions that name each other, whatever their order: parameters, and signals.
#ifndef SB_NETLIST_DEFINITIONS_H
#define SB_NETLIST_DEFINITIONS_H

#include "netlist/reader/state.h"

/** What came of an evaluation. */
typedef struct sb_outcome {
  bool known; // else it failed, which is reported, or waits
  int wanted; // the definition that must be known first; -1: none
} sb_outcome;

static inline sb_outcome sb_known(bool known) {
  return (sb_outcome){known, -1};
}

typedef struct sb_definition_sort {
  const char *plural;
  sb_outcome (*evaluate)(void *context, sb_definition *definition);
  void (*report_circle)(const sb_reader *reader, const sb_item *item, sb_error *err);
} sb_definition_sort;

/** Evaluates a definition and all that it names. `context` is handed to evaluate(). */
void sb_resolve(sb_reader *reader, sb_definitions *all, int index, void *context);
/** Evaluates those that are new, whatever their order. */
void sb_resolve_all(sb_reader *reader, sb_definitions *all, void *context);

#endif
