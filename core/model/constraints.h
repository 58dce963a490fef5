// SPDX-License-Identifier: GPL-3.0-or-later
// What a tie is at a state (tie_rows.c).
#ifndef SB_CORE_TIE_ROWS_PRIVATE_H
#define SB_CORE_TIE_ROWS_PRIVATE_H

#include "core/program/workspace.h"

/** A source takes part in a tie, sum w y + factor * value = 0. */
typedef struct sb_constrained_source {
  int instance, value;
  double factor;
} sb_constrained_source;

/** Of a tie sum w y = 0 at a state: */
typedef struct sb_constraint_row {
  double off;    // what it is away from zero, sum w y
  double size;   // sum |w y|
  double *c, *d; // (states) d(sum w y)/dx, and by how much an impulse of 1 moves x; zero elsewhere
  int *states;   // (states) where they may not be zero
  int count;
  char *listed; // (states)
  sb_constrained_source *sources;
  int source_count, source_capacity;
  bool moves;  // signals change a ratio or a source in it
  bool failed; // a storage has no output there, or memory ran out
} sb_constraint_row;

bool sb_constraint_row_init(sb_constraint_row *row, int states);
void sb_constraint_row_finish(sb_constraint_row *row);
/** The row of a constraint at x, with what sources and signals gave at the last right-hand side.
 *  @param slopes  whether c, d and the sources are wanted */
void sb_constraint_row_fill(sb_constraint_row *row, sb_workspace *work,
                            const sb_constraint *constraint, const double x[], bool slopes);

/** Constraints that share states (constraints.c). */
struct sb_groups {
  int generation;   // of the program they were made for
  int count, *head; // (constraints) groups, the first constraint of each
  int *next;        // (constraints) the next of the same group, -1: it is the last
  bool *solved;     // (groups) whether the program solves for one of them
  bool *moves;      // (groups) whether signals change one of them
  int *slot;        // (states) number in the group at hand, -1: not in it
  int *states;      // (states) of the group at hand
  sb_constraint_row row;
  double *rate;    // (states) scratch
  int *pivots;     // (constraints) scratch
  double *numbers; // what a step of one group works with
  int number_capacity;
};

void sb_constraint_groups_destroy(sb_groups *groups); // NULL is accepted
/** The groups of the present program; NULL: out of memory. */
sb_groups *sb_groups_of(sb_workspace *work);
/** Numbers the states of a group for as long as it is at hand. Returns how many constraints it has.
 *  @param states  out: how many states */
int sb_group_begin(sb_groups *groups, sb_workspace *work, int group, const double x[], int *states);
void sb_group_end(sb_groups *groups, int states);

/** Moves x onto the constraints of the program (projection.c), after a right-hand side at (t, x); the
 *  quadratures in x take what sources give at it.
 *  @param constraint  out: the one that was most violated, -1 if all held to rounding */
sb_status sb_workspace_project(sb_workspace *work, double t, double x[], int *constraint);

/** Keeps constraints from drifting, after a right-hand side at (t, x): puts dependent states where the
 *  others and the sources have them, on which nothing else depends, and projects those of constraints
 *  that have a multiplier.
 *  @param quadratures  those of the ledger, as above  @return SB_ERR_MEMORY */
sb_status sb_workspace_enforce(sb_workspace *work, double t, double x[], double quadratures[]);

#endif
