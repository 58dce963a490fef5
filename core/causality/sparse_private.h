// SPDX-License-Identifier: GPL-3.0-or-later
// A linear algebraic loop while it is eliminated row by row, shared by sparse_loops.c, sparse_pivots.c and redundant_loops.c.
#ifndef SB_CORE_CAUSALITY_SPARSE_PRIVATE_H
#define SB_CORE_CAUSALITY_SPARSE_PRIVATE_H

#include "core/causality/assign_private.h"

/** Below this fraction of what it is the sum of, what all unknowns but those left over have made of an entry is the rest of terms that
 *  cancel: the rounding of each elimination is in it. */
static const double sb_sparse_rest = 1e-10;

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

/** Conditions sum factor * var = 0 that choose one of many solutions. */
typedef struct sb_sparse_conditions {
  sb_term *terms;
  int term_count, term_capacity;
  int *ends; // (count) of each, in terms
  int count, capacity;
} sb_sparse_conditions;

/** A pivot. */
typedef struct sb_sparse_pivot {
  int line, entry; // line -1: there is none
  double fills;    // entries that it fills in, at the most
} sb_sparse_pivot;

typedef struct sb_sparse {
  sb_arena memory;
  const sb_loop_set *set;
  sb_sparse_line *lines; // (line_count) the set's rows, and conditions
  int line_count;
  sb_sparse_column *columns; // (set's unknowns)
  int *at;                   // (all variables) place in the line at hand, from 1
  // (2 (set's unknowns + 1)) the first line of so many unknowns, and that of those that wait; -1: none
  int *heads;
  int longest; // unknowns of a line at the most
  int entries;
  int *order; // (rank) the lines that give an unknown, as they were eliminated
  int rank;
} sb_sparse;

/** The column of an unknown; NULL: the variable is known. */
static inline sb_sparse_column *sb_sparse_column_of(const sb_sparse *s, int var) {
  const int place = s->set->place[var];
  return place > 0 ? &s->columns[place - 1] : NULL;
}

// Redundant loops (redundant_loops.c).

/** What the rows of a set that leaves unknowns open say of what is known: nothing, or constraints of storages (two capacitors in
 *  parallel between nodes whose voltages are unknown).
 *  @param found  added to: constraints of linear storages
 *  @return SB_ERR_SINGULAR if they contradict each other */
sb_status sb_sparse_imply(sb_assign *a, sb_sparse *s, int *found);
/** The conditions by which what is open has the least norm, and the redundant loops in which it circulates, to the result.
 *  @param conditions  out, in the memory of s
 *  @return SB_ERR_SINGULAR if it acts on an element */
sb_status sb_sparse_close(sb_assign *a, sb_sparse *s, sb_sparse_conditions *conditions);

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
