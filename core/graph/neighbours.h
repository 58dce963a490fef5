// SPDX-License-Identifier: GPL-3.0-or-later
// Elements that exist only while others are near each other. A graph states whom to monitor, by a signal that each of
// them gives, and hooks that add what is called for where the signals are what they are. A simulation populates its
// model anew before the room that the last population left is used up (Verlet's lists of neighbours,
// Phys. Rev. 159, 98, 1967): whoever is far from everybody has no element, no state and no event indicator.
#ifndef SB_CORE_NEIGHBOURS_H
#define SB_CORE_NEIGHBOURS_H

#include "core/base/error.h"

typedef struct sb_graph sb_graph;

/** Elements of the population before that are in a mode in which they are not idle (core/graph/switching.h): they last,
 *  though what they join may be far apart. */
typedef struct sb_lasting {
  const char *const *ids; // (count)
  int count;
} sb_lasting;

/** What is monitored is given as `signals` (monitored x width), in the order in which it was named. */
typedef struct sb_neighbour_hooks {
  void *(*copy)(const void *self); // NULL: out of memory
  void (*destroy)(void *self);
  /** Adds the elements that are called for, and those of its own that last, in an order that depends on neither. It
   *  must not add those of pairs that stand in the graph, and must add all whose storages hold energy. */
  sb_status (*populate)(const void *self, const double signals[], sb_lasting lasting,
                        sb_graph *graph, sb_error *err);
  /** The part of the room that is left: 1 where the signals are those of the population, 0 where an
   *  element may begin to be missing. */
  double (*room)(const void *self, const double then[], const double now[]);
} sb_neighbour_hooks;

/** Monitors elements of the graph. They count as one connected part.
 *  @param self      taken over, also if this fails
 *  @param elements  (count) ids, which have an output of this name and of one width
 *  @return SB_ERR_REFERENCE, SB_ERR_DIMENSION, SB_ERR_MEMORY */
SB_API sb_status sb_graph_monitor(sb_graph *graph, const sb_neighbour_hooks *hooks, void *self,
                                  const char *const elements[], int count, const char *signal,
                                  sb_error *err);

#endif
