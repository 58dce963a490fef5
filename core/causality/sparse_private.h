// SPDX-License-Identifier: GPL-3.0-or-later
// A linear algebraic loop while it is eliminated row by row, shared by sparse_loops.c and sparse_pivots.c.
#ifndef SB_CORE_CAUSALITY_SPARSE_PRIVATE_H
#define SB_CORE_CAUSALITY_SPARSE_PRIVATE_H

#include "core/causality/assign_private.h"

typedef struct sb_sparse_entry {
  int var;
  double factor, size; // size: the largest that it is the sum of
} sb_sparse_entry;

typedef struct sb_sparse_line {
  sb_sparse_entry *entries;
  int count, capacity, unknowns;
  double power;       // binary exponent by which it is scaled
  int pivot;          // the unknown that it gives; -1: none
  int own;            // the unknown that a law has put into it; -1: none
  int next, previous; // lines of as many unknowns; -1: none
} sb_sparse_line;

typedef struct sb_sparse_column {
  int *lines; // those that contain the unknown, and some that did
  int count, capacity;
  int active; // those that contain it and give none yet
  double power;
} sb_sparse_column;

/** A pivot. */
typedef struct sb_sparse_pivot {
  int line, entry; // line -1: there is none
  double fills;    // entries that it fills in, at the most
} sb_sparse_pivot;

typedef struct sb_sparse {
  sb_arena memory;
  const sb_loop_set *set;
  sb_sparse_line *lines;     // (set's rows)
  sb_sparse_column *columns; // (set's unknowns)
  int *at;                   // (all variables) place in the line at hand, from 1
  // (2 (set's unknowns + 1)) the first line of so many unknowns, and that of those that wait; -1: none
  int *heads;
  int longest; // unknowns of a line at the most
  int entries;
} sb_sparse;

/** The column of an unknown; NULL: the variable is known. */
static inline sb_sparse_column *sb_sparse_column_of(const sb_sparse *s, int var) {
  const int place = s->set->place[var];
  return place > 0 ? &s->columns[place - 1] : NULL;
}

// Pivots (sparse_pivots.c).

/** A law relates both variables of a bond: the first of them, if the line, whose variables are marked in s->at, is one; -1: it is not. */
int sb_sparse_own(const sb_sparse *s, const sb_sparse_line *l);
/** Lists a line by its unknowns, among those that may give one. */
void sb_sparse_list(sb_sparse *s, int r);
/** Takes it out, before its unknowns change. */
void sb_sparse_unlist(sb_sparse *s, int r);
/** The pivot that fills in least (Markowitz 1957) of some lines of the fewest unknowns. */
sb_sparse_pivot sb_sparse_choose(const sb_sparse *s);
/** What becomes of the own unknown of a line, not listed, into which another one was put. */
void sb_sparse_inherit(const sb_sparse *s, const sb_sparse_line *from, sb_sparse_line *to);
/** Where a line gives another unknown than its own, e_a = e_b + R f with a small R, a sum of the flows gives that one. */
void sb_sparse_hand_on(sb_sparse *s, const sb_sparse_line *from);

#endif
