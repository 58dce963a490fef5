// SPDX-License-Identifier: GPL-3.0-or-later
// Visits the states and values that a variable is computed from, through the rows of an assigned causality.
#ifndef SB_CORE_CAUSALITY_WALK_H
#define SB_CORE_CAUSALITY_WALK_H

#include "core/causality/causality.h"

typedef struct sb_walk {
  const sb_network *network;
  const sb_causality *causality;
  const char *known; // (bond variables) those that are determined so far; NULL: all
  char *seen;        // (all variables) zero
  bool laws;         // through dissipations too
  /** @param known  a state or value, as a variable; of a structure its output, behind which it goes on */
  void (*visit)(void *context, int known);
  void *context;
} sb_walk;

void sb_walk_from(const sb_walk *walk, int var);

#endif
