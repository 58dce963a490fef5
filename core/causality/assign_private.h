// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a causality assignment while it runs, shared by the files of this folder.
#ifndef SB_CORE_CAUSALITY_ASSIGN_PRIVATE_H
#define SB_CORE_CAUSALITY_ASSIGN_PRIVATE_H

#include "core/causality/causality.h"
#include "core/causality/walk.h"
#include "core/network/equations.h"

/** Instances that are told apart in a contradiction: one more than are named. */
enum { SB_OWNERS_MAX = 5 };

typedef struct sb_assign {
  const sb_network *network;
  const int *modes;
  sb_equations eq;
  sb_causality *result;
  sb_arena memory;
  int base;     // variables below are unknown at first
  int *unknown; // (rows) unknowns left
  char *done;   // (rows) has determined its unknown
  int *queue;   // (rows) circular, of rows with one unknown
  int head, length;
  bool depth_first; // the row that was noted last comes first
  char *known;      // (base)
  char *put_off;    // (base) in a linear loop that is singular by what is known so far
  int *owner; // (base) instance whose row determined the variable, -1: none has; NULL: not wanted
  int known_count;
  int *column_first; // (base + 1) rows that contain a variable: column_rows[...]
  int *column_rows;
  /** (2 bonds' pairs of variables) the components at both ends whose causality is still indifferent. */
  struct sb_free_end {
    int instance, component; // instance -1: none
  } * free_ends;
  char *free_instance; // (instances) whether its causality is still indifferent
  int next_choice;
  int rivals[SB_OWNERS_MAX]; // instances whose outputs rows of a singular loop relate to each other
  int rival_count;
  bool closing; // nothing more will be determined
} sb_assign;

// Propagation (propagation.c).

/** An assignment with the constraints that the result has. false: out of memory. What comes after it asks
 *  sb_assign_failed() once. */
bool sb_assign_init(sb_assign *a, const sb_network *network, const int modes[],
                    sb_causality *result);
void sb_assign_finish(sb_assign *a);
bool sb_assign_failed(const sb_assign *a);
/** Counts the unknowns, before any is determined. */
void sb_assign_index(sb_assign *a);
/** Fixes an indifferent causality: the instance's ports of SB_INDIFFERENT are given that variable. */
void sb_assign_choose(sb_assign *a, int instance, sb_variable assigned);
/** Notes a row that has one unknown left. */
void sb_assign_enqueue(sb_assign *a, int row);
/** Marks a variable as determined and passes that on. */
void sb_assign_known(sb_assign *a, int var);
/** Appends a term of the combination being written. */
void sb_assign_term(sb_assign *a, int var, double factor);
/** Solves rows of one unknown as long as there are any. */
void sb_assign_propagate(sb_assign *a);

/** Solves the next connected set of rows with several unknowns (linear_loops.c).
 *  @param found  added to: constraints of linear storages that the rows imply; nothing is solved then
 *  @return SB_ERR_SINGULAR if they do not determine their unknowns; SB_ERR_LIMIT, SB_ERR_MEMORY */
sb_status sb_loop_solve(sb_assign *a, int *found, sb_errors *errors);
/** Whether the rows of unknowns determine an unknown by themselves, whatever the laws say that are open yet. */
bool sb_loop_determines(sb_assign *a, int var);
/** A connected set of rows and their unknowns. */
typedef struct sb_loop_set {
  const int *rows, *vars;
  int row_count, var_count;
  const int *place; // (all variables) of an unknown, from 1; 0: known
} sb_loop_set;
/** Solves such a set by sparse elimination (sparse_loops.c).
 *  @param found  added to: constraints of linear storages that its rows imply; nothing is solved then
 *  @return SB_ERR_SINGULAR: it does not determine its unknowns, or only by what cancels; SB_ERR_LIMIT: its rows do not hold, or it is too
 *          large, which is reported; SB_ERR_MEMORY */
sb_status sb_loop_solve_sparse(sb_assign *a, const sb_loop_set *set, int *found, sb_errors *errors);
/** Whether such rows, without their unknowns, still say something of another variable. */
bool sb_loop_implies(sb_assign *a, const sb_loop_set *set, int var);

/** Looks at rows that relate known variables to each other (conflicts.c). Those that make a storage
 *  dependent become constraints of the result; the others are reported.
 *  @param found   out: new constraints of linear storages, or other reasons to begin again
 *  @param solved  out: new ones that the program solves for; their multipliers are known from now on */
sb_status sb_conflicts_resolve(sb_assign *a, int *found, int *solved, sb_errors *errors);
/** The same for a combination of known variables, sum factor * var = 0, that rows with unknowns imply.
 *  @param row    one of these
 *  @param found  added to: constraints of linear storages
 *  @return SB_ERR_SINGULAR if it is none of these */
sb_status sb_conflicts_imply(sb_assign *a, int row, const sb_term terms[], int count, int *found);

typedef enum sb_constraint_kind {
  SB_CONSTRAINT_IMPOSSIBLE, // it cannot be enforced
  SB_CONSTRAINT_AGAIN, // begin again: a modulated structure in it is to be given flows, or another one may act as what multipliers have taken
  SB_CONSTRAINT_LINEAR,
  SB_CONSTRAINT_MULTIPLIER, // its Lagrange multiplier is known from now on
  SB_CONSTRAINT_OPEN,       // it leads to variables that are not determined yet
  SB_CONSTRAINT_BALANCE,    // it is no constraint, but the balance of an algebraic variable
  SB_CONSTRAINT_KINDS
} sb_constraint_kind;

/** Makes a row that relates known variables, sum factor * var = 0 over states and values, a constraint of
 *  the result (index_reduction.c). @param seen  scratch (all variables), zero
 *  @param unknown  out: an instance that gives something of no known rate, -1: none does */
sb_constraint_kind sb_constraint_add(sb_assign *a, int row, const sb_term terms[], int count,
                                     char seen[], int *unknown);
/** Where something is left that acts on an element and nothing determines: multipliers that act between structures alone, as one of two locks of a
 *  nonlinear storage, are to act at elements, if they can; what then circulates between structures is shared (redundant_loops.c).
 *  @return whether any is, so that all begins again */
bool sb_multipliers_move(const sb_assign *a);

/** Marks the laws that are to read the other variable, in the assignment after this one (preference.c).
 *  @param changed  out: whether any is  @return false: out of memory */
bool sb_causality_prefer(const sb_network *network, sb_causality *causality, bool *changed);

// Algebraic variables (algebraic.c, algebraic_groups.c).

/** Gives the modulated structures in constraints flows, as far as these are determined by now. Returns whether
 *  one was found that nothing determines: it is algebraic from the next assignment on. */
bool sb_algebraic_find(sb_assign *a);
/** Takes a row for the balance of an algebraic variable, if multipliers act in it.
 *  @param seen  scratch (all variables), zero, and left so */
bool sb_algebraic_balance(sb_assign *a, int row, const sb_term terms[], int count, char seen[]);
/** Whether each has its balance; finds which are determined together, and what by. */
bool sb_algebraic_close(sb_assign *a);

/** Words for a row that contradicts what is known. @param owners  (count) instances in it, count > 0
 *  @param unknown  instance of which no rate is known, -1: none */
void sb_conflict_report(const sb_assign *a, int row, const int owners[], int count, int unknown,
                        sb_errors *errors);
/** Reports what is left undetermined, or the sources that contradict each other there.
 *  @return SB_ERR_SINGULAR, or SB_ERR_CAUSALITY for these */
sb_status sb_singular_report(const sb_assign *a, sb_errors *errors);

#endif
