// SPDX-License-Identifier: GPL-3.0-or-later
// Definitions that name each other, whatever their order: parameters, and signals.
#ifndef SB_NETLIST_DEFINITIONS_H
#define SB_NETLIST_DEFINITIONS_H

#include "core/base/error.h"
#include "netlist/value/unit.h"

struct sb_reader;
struct sb_item;

typedef enum sb_definition_state {
  SB_DEFINITION_NEW,
  SB_DEFINITION_OPEN, // being evaluated
  SB_DEFINITION_KNOWN,
  SB_DEFINITION_FAILED
} sb_definition_state;

/** A <param> or a <signal>, which may name others of its sort. */
typedef struct sb_definition {
  int item;
  double value; // SI; of a parameter
  sb_dimension dimension;
  sb_definition_state state;
} sb_definition;

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
  void (*report_circle)(const struct sb_reader *reader, const struct sb_item *item, sb_error *err);
} sb_definition_sort;

typedef struct sb_definitions {
  const sb_definition_sort *sort;
  sb_definition *entries;
  int count, capacity;
  int *stack; // (depth) those being evaluated, each for the one before it
  int depth, stack_capacity;
} sb_definitions;

/** Evaluates a definition and all that it names. `context` is handed to evaluate(). */
void sb_resolve(struct sb_reader *reader, sb_definitions *all, int index, void *context);
/** Evaluates those that are new, whatever their order. */
void sb_resolve_all(struct sb_reader *reader, sb_definitions *all, void *context);

#endif
