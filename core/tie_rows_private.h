// SPDX-License-Identifier: GPL-3.0-or-later
// What a tie is at a state (tie_rows.c).
#ifndef SB_CORE_TIE_ROWS_PRIVATE_H
#define SB_CORE_TIE_ROWS_PRIVATE_H

#include "core/workspace_private.h"

/** A source takes part in a tie, sum w y + factor * value = 0. */
typedef struct sb_tied_source {
  int integral;
  double share; // factor * value
} sb_tied_source;

/** Of a tie sum w y = 0 at a state: */
typedef struct sb_tie_row {
  double off;    // what it is away from zero, sum w y
  double size;   // sum |w y|
  double *c, *d; // (states) d(sum w y)/dx, and by how much an impulse of 1 moves x; zero elsewhere
  int *states;   // (states) where they may not be zero
  int count;
  char *listed; // (states)
  sb_tied_source *sources;
  int source_count, source_capacity;
  bool failed; // a storage has no output there, or memory ran out
} sb_tie_row;

bool sb_tie_row_init(sb_tie_row *row, int states);
void sb_tie_row_finish(sb_tie_row *row);
/** The row of a constraint at x, with what sources and signals gave at the last right-hand side.
 *  @param slopes  whether c, d and the sources are wanted */
void sb_tie_row_fill(sb_tie_row *row, sb_workspace *work, const sb_constraint *constraint,
                     const double x[], bool slopes);

#endif
