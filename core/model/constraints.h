// SPDX-License-Identifier: GPL-3.0-or-later
// The constraints of a program at a state, sum w y = 0 over the outputs y of storages and the values of
// sources: their rows (constraints.c), their groups (constraint_groups.c), and the coordinate
// projection of a state onto them (projection.c).
#ifndef SB_CORE_MODEL_CONSTRAINTS_H
#define SB_CORE_MODEL_CONSTRAINTS_H

#include "core/base/arena.h"
#include "core/program/workspace.h"

/** A source in a constraint, sum w y + factor * value = 0. */
typedef struct sb_constraint_source {
  int instance, value;
  double factor;
} sb_constraint_source;

/** A constraint c(x) = sum w y at a state. */
typedef struct sb_constraint_row {
  double residual; // c(x)
  double size;     // sum |w y|
  // (states) dc/dx, and by how much an impulse of 1 of its Lagrange multiplier moves x; zero elsewhere
  double *gradient, *impulse;
  int *states; // (states) where they may not be zero
  int count;
  char *listed; // (states) whether a state is among those
  sb_constraint_source *sources;
  int source_count, source_capacity;
  bool modulated; // signals change a ratio or a source in it
  bool failed;    // a storage has no output there, or memory ran out
} sb_constraint_row;

/** Constraints that share states, directly or through others, and so have to be solved together. Its
 *  states and sources are the same at all points. */
typedef struct sb_constraint_group {
  int *constraints, count, capacity; // in ascending order
  int *states, state_count, state_capacity;
  int *sources, source_count, source_capacity; // values of the sources in it
  bool has_multiplier;                         // one of them has
  bool modulated;                              // one of them is
} sb_constraint_group;

/** The groups of all constraints of a program, and what work on them needs. */
struct sb_constraint_groups {
  sb_arena memory;
  int generation; // of the program
  int count;
  sb_constraint_group *groups;
  int *group_of; // (states) number of the group of a state, -1: it is in none
  int *column;   // (states in a group) number among those of the group
  sb_constraint_row row;
  double *numbers; // scratch of the projection: sb_projection_numbers() for the largest group
  int *pivots;     // (constraints) scratch
};

/** The groups of the present program; NULL: out of memory. */
sb_constraint_groups *sb_constraint_groups_of(sb_workspace *work);
void sb_constraint_groups_destroy(sb_constraint_groups *groups); // NULL is accepted

/** The row of a constraint at x, by the values that the workspace holds of sources and signals: those of
 *  the point of its last evaluation. It is valid until the next call.
 *  @param gradients  whether gradient, impulse and sources are wanted */
const sb_constraint_row *sb_constraint_row_at(sb_constraint_groups *groups, sb_workspace *work,
                                              int constraint, const double x[], bool gradients);

/** Projects x onto the constraints of the program, with the workspace at (t, x) before: see
 *  sb_workspace_evaluate(). The quadratures in x take the work of the sources.
 *  @param constraint  out: the one that was most violated, -1 if all were met to rounding
 *  @return SB_ERR_MEMORY */
sb_status sb_workspace_project(sb_workspace *work, double t, double x[], int *constraint);

/** Removes the drift off the constraints, with the workspace at (t, x) before: computes dependent
 *  states from the others and the sources, which changes nothing else, and projects the states of
 *  constraints that have a multiplier.
 *  @param quadratures  of the ledger; they take the work of the sources  @return SB_ERR_MEMORY */
sb_status sb_workspace_enforce(sb_workspace *work, double t, double x[], double quadratures[]);

/** How many numbers the projection of a group with m constraints over n states works with. */
static inline int sb_projection_numbers(int m, int n) {
  return 2 * m * n + 2 * m * m + 5 * m + n;
}

#endif
