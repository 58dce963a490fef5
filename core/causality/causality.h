// SPDX-License-Identifier: GPL-3.0-or-later
// Causality as preference-ordered elimination on the kernel rows (causality.c).
#ifndef SB_CORE_CAUSALITY_PRIVATE_H
#define SB_CORE_CAUSALITY_PRIVATE_H

#include "core/network/network.h"

/** Storages that the network ties to each other, sum factor * var = 0 over states and values.
 *  Of linear storages, tied for good, the state `dependent` no longer gives its output: nothing in the
 *  right-hand side depends on it, and it follows the others.
 *  Where the tie changes, as by a modulated transformer, or holds storages that are not linear, all
 *  keep their outputs; the force that keeps them together is a value that the program solves for, so
 *  that the rate of the tie is zero. `dependent` is then but the one that is named. */
typedef struct sb_constraint {
  int dependent;    // state
  int where;        // part at whose row it was found
  int first, count; // in constraint_terms
  int pivot;        // the term by which others are relieved of this
  bool solved;      // while the program runs
  int acting;       // the variable that is the force of one that is solved for
} sb_constraint;

/** A ring of bonds in which a flow (or effort) can go round that acts on no element: the constraint is
 *  stated twice. The smallest solution is taken. */
typedef struct sb_redundant_loop {
  bool effort;      // what goes round
  int first, count; // in ring_parts
} sb_redundant_loop;

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
  sb_redundant_loop *redundant_loops;
  int redundant_loop_count, redundant_loop_capacity;
  int *redundant_instances; // structures
  int redundant_instance_count, redundant_instance_capacity;
  int loop_count;        // linear loops that were solved
  sb_variable *assigned; // (parts) what a dissipation reads, by its kind or by choice
  char *multiplies;      // (parts) modulated, in a tie: is given flows from the start, and so never
                         // divides by a ratio that may pass through zero
  bool divides;          // none of them can be
} sb_causality;

// Where there are constraints, the program's own values begin with the rates of all values of the
// model, and for each constraint the force that keeps it and how far its rate is from zero.
static inline int sb_rate_value(const sb_network *network, int value) {
  return network->value_count + value;
}
static inline int sb_multiplier_value(const sb_network *network, int constraint) {
  return 2 * network->value_count + 2 * constraint;
}
static inline int sb_constraint_rate_value(const sb_network *network, int constraint) {
  return sb_multiplier_value(network, constraint) + 1;
}
/** Whether there are ties that the program solves for. */
static inline bool sb_has_multipliers(const sb_causality *causality) {
  bool any = false;
  for (int i = 0; i < causality->constraint_count; i++) {
    any = any || causality->constraints[i].solved;
  }
  return any;
}
/** Values that come before the temporaries. */
static inline int sb_fixed_values(const sb_network *network, const sb_causality *causality) {
  int constraints = causality->constraint_count;
  return constraints > 0 ? sb_multiplier_value(network, constraints) : network->value_count;
}

/** d/dt of a state or value: what the network gives to a storage, or a value of the program.
 *  @return a variable and the factor before it; the variable is -1 for what has no rate */
sb_term sb_rate_of(const sb_network *network, const sb_causality *causality, int var);
/** Whether a part's port is given the flow. */
bool sb_reads_flow(const sb_network *network, const sb_causality *causality, int instance,
                   int component);

/** @param modes (model->mode_count) present modes of switching elements */
sb_status sb_causality_assign(const sb_network *network, const int modes[], sb_causality *causality,
                              sb_errors *errors);
/** Frees all but the constraints, which a second assignment starts from. */
void sb_causality_restart(sb_causality *causality);
void sb_causality_finish(sb_causality *causality);

#endif
