// SPDX-License-Identifier: GPL-3.0-or-later
// Causality as preference-ordered elimination on the kernel rows (causality.c).
#ifndef SB_CORE_CAUSALITY_PRIVATE_H
#define SB_CORE_CAUSALITY_PRIVATE_H

#include "core/model_private.h"

/** Storages that the network ties to each other, sum factor * var = 0 over states and values. The
 *  state `dependent` no longer gives its output: nothing in the right-hand side depends on it, and it
 *  follows the others. */
typedef struct sb_constraint {
  int dependent;    // state
  int where;        // part at whose row it was found
  int first, count; // in constraint_terms
} sb_constraint;

/** A ring of bonds in which a flow (or effort) can go round that acts on no element: the constraint is
 *  stated twice. The smallest solution is taken. */
typedef struct sb_ring_around {
  bool effort;      // what goes round
  int first, count; // in ring_parts
} sb_ring_around;

/** Every variable 2c, 2c+1 as a combination of variables determined before it, of states and of
 *  values: terms[first[v]] ... of count[v]. `order` lists the variables as they were determined. */
typedef struct sb_causality {
  int *first, *count; // (2 cells)
  int *order;         // (2 cells)
  sb_term *terms;
  int term_count, term_capacity;
  sb_constraint *constraints;
  int constraint_count, constraint_capacity;
  sb_term *constraint_terms;
  int constraint_term_count, constraint_term_capacity;
  sb_ring_around *rings;
  int ring_count, ring_capacity;
  int *ring_parts; // structures
  int ring_part_count, ring_part_capacity;
  int loop_count;     // linear loops that were solved
  sb_variable *given; // (parts) what a dissipation reads, by its kind or by choice
} sb_causality;

/** The part that has a state or gives a value, both counted from the first state; -1: none. */
int sb_owner_of(const sb_model *model, int known);
/** A term of the rate of a tie, from a term of the tie. */
sb_term sb_tie_rate(const sb_model *model, const sb_term *term);

/** @param modes (model->mode_count) present modes of switching elements */
sb_status sb_causality_assign(const sb_model *model, const int modes[], sb_causality *causality,
                              sb_errors *errors);
void sb_causality_finish(sb_causality *causality);

#endif
