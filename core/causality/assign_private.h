// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a causality assignment while it runs, shared by causality.c, loops.c and conflicts.c.
#ifndef SB_CORE_ASSIGN_PRIVATE_H
#define SB_CORE_ASSIGN_PRIVATE_H

#include "core/causality/causality.h"
#include "core/network/equations.h"

typedef struct sb_assign {
  const sb_network *network;
  sb_equations eq;
  sb_causality *result;
  int base;     // variables below are unknown at first
  int *unknown; // (rows) unknowns left
  char *done;   // (rows) has determined its unknown
  int *queue;   // (rows) ring of rows with one unknown
  int head, length;
  char *known; // (base)
  int known_count;
  int *column_first; // (base + 1) rows that contain a variable: column_rows[...]
  int *column_rows;
  /** (2 cells) the components at the ends of a cell whose causality is still free. */
  struct sb_free_end {
    int instance, component; // part -1: none
  } * free_ends;
  char *free_instance; // (parts) whether its causality is still free
  int next_choice;
} sb_assign;

/** Marks a variable as determined and passes that on. */
void sb_assign_known(sb_assign *a, int var);
/** Appends a term of the combination being written. */
bool sb_assign_term(sb_assign *a, int var, double factor);

/** Solves the next connected set of rows with several unknowns (loops.c).
 *  @return SB_ERR_SINGULAR if they do not determine their unknowns; SB_ERR_LIMIT, SB_ERR_MEMORY */
sb_status sb_loop_solve(sb_assign *a, sb_errors *errors);

/** Looks at rows that tie known variables to each other (conflicts.c). Those that make a storage
 *  dependent become constraints of the result; the others are reported.
 *  @param found   out: new constraints of linear storages, or other reasons to begin again
 *  @param solved  out: new ones that the program solves for; their forces are known from now on */
sb_status sb_conflicts_resolve(sb_assign *a, int *found, int *solved, sb_errors *errors);
typedef enum sb_constraint_kind {
  SB_CONSTRAINT_IMPOSSIBLE, // it cannot be kept
  SB_CONSTRAINT_AGAIN,      // begin again: a modulated structure in it is to be given flows
  SB_CONSTRAINT_LINEAR,
  SB_CONSTRAINT_MULTIPLIER, // its force is known from now on
  SB_CONSTRAINT_NO_MEMORY,
  SB_CONSTRAINT_KINDS
} sb_constraint_kind;

/** Makes a row that ties known variables, sum factor * var = 0 over states and values, a constraint of
 *  the result (ties.c). @param seen  scratch (all variables), zero
 *  @param unknown  out: a part that gives something of no known rate, -1: none does */
sb_constraint_kind sb_constraint_add(sb_assign *a, int row, const sb_term terms[], int count,
                                     char seen[], int *unknown);

/** Reports what is left undetermined. */
void sb_singular_report(sb_assign *a, sb_errors *errors);

#endif
