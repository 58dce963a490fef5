// SPDX-License-Identifier: GPL-3.0-or-later
// Causality as preference-ordered elimination on the kernel rows (assign.c).
#ifndef SB_CORE_CAUSALITY_CAUSALITY_H
#define SB_CORE_CAUSALITY_CAUSALITY_H

#include "core/network/network.h"

/** A constraint on storages, sum factor * var = 0 over states and values, by which the network relates them.
 *  Of linear storages, constrained for good, the state `dependent` no longer gives its output: nothing in
 *  the right-hand side depends on it, and it follows from the others.
 *  Where the constraint changes, as by a modulated transformer, or holds storages that are not linear, all
 *  keep their outputs; the Lagrange multiplier of the constraint is a value that the program solves for,
 *  so that the rate of the constraint is zero. `dependent` is then but the one that is named. */
typedef struct sb_constraint {
  int dependent;    // state
  int where;        // instance at whose row it was found
  int first, count; // in constraint_terms
  int pivot;        // the variable that it eliminates from others
  bool solved;      // while the program runs
  int acting;       // the variable that is the multiplier of one that is solved for
  bool determines;  // it is used up by an algebraic variable, and makes no storage dependent
} sb_constraint;

/** An algebraic variable: a flow (or effort) that no storage determines but constraints through changing ratios,
 *  as that of a joint without inertia. A ratio that may pass through zero is not divided by to find it: it is
 *  a value, the least squares solution of the constraints in the metric of the storages
 *  (model/algebraic.c). One row of the network is then left over, its balance, such as the sum of the
 *  efforts at the joint; by that the program solves for the rate of the variable, together with the multipliers. */
typedef struct sb_algebraic {
  int var;                    // bond variable
  int instance;               // a modulated structure that reads it
  int group;                  // the first of those that the same constraints determine
  int first_read, read_count; // of the first of a group: in algebraic_reads
  int balance, balance_count; // in balance_terms; of a balance without terms the count is -1
} sb_algebraic;

/** A loop of junctions that states one constraint twice: a flow (or effort) may circulate in it that acts on
 *  no element. The smallest solution is taken. */
typedef struct sb_redundant_loop {
  bool effort;      // what circulates
  int first, count; // in redundant_instances
} sb_redundant_loop;

/** What is tried where constraints lead through changing ratios, one after the other. */
typedef enum sb_ratio_use {
  SB_RATIOS_MULTIPLY,           // no ratio in a constraint is divided by
  SB_RATIOS_MULTIPLY_ALGEBRAIC, // and there are algebraic variables
  SB_RATIOS_DIVIDE              // as the network wants it
} sb_ratio_use;

/** Every variable 2c, 2c+1 as a combination of variables determined before it, of states and of
 *  values: terms[first[v]] ... of count[v]. `order` lists the variables as they were determined. */
typedef struct sb_causality {
  int *first, *count; // (variables 2c and 2c + 1)
  int *order;         // (the same)
  sb_term *terms;
  int term_count, term_capacity;
  sb_redundant_loop *redundant_loops;
  int redundant_loop_count, redundant_loop_capacity;
  int *redundant_instances; // structures
  int redundant_instance_count, redundant_instance_capacity;
  int loop_count;        // linear algebraic loops that were solved
  sb_variable *assigned; // (instances) what a dissipation is given, by its kind or by choice
  sb_arena memory;       // of all above
  sb_constraint *constraints;
  int constraint_count, constraint_capacity;
  sb_term *constraint_terms;
  int constraint_term_count, constraint_term_capacity;
  char *
      multiplies; // (instances) modulated, in a constraint: is given flows from the start, and so never
                  // divides by a ratio that may pass through zero
  char
      *reserved; // (variables) one that the multiplier of a constraint may act as that has no other
  char *open;    // (instances) a dissipation whose causality the network left open
  char *turned;  // (instances) such a one reads the other variable than it would (preference.c)
  bool
      ranked; // such a one reads what the linear loops determine, before they are solved (assign.c)
  sb_ratio_use ratios;
  sb_algebraic *algebraics;
  int algebraic_count, algebraic_capacity;
  int *
      algebraic_reads; // states and values that constraints on algebraic variables are made of: variables
  int algebraic_read_count, algebraic_read_capacity;
  sb_term *balance_terms;
  int balance_term_count, balance_term_capacity;
  sb_arena lasting; // of the constraints, `multiplies`, `reserved`, `turned` and `algebraics`
} sb_causality;

// Where there are constraints, the program's own values begin with the rates of all values of the
// model; for each algebraic variable its value, its rate and what its balance is off; and for each
// constraint its Lagrange multiplier and its residual rate.
static inline int sb_rate_value(const sb_network *network, int value) {
  return network->value_count + value;
}
static inline int sb_algebraic_value(const sb_network *network, int algebraic) {
  return 2 * network->value_count + 3 * algebraic;
}
static inline int sb_algebraic_rate_value(const sb_network *network, int algebraic) {
  return sb_algebraic_value(network, algebraic) + 1;
}
static inline int sb_balance_value(const sb_network *network, int algebraic) {
  return sb_algebraic_value(network, algebraic) + 2;
}
static inline int sb_multiplier_value(const sb_network *network, const sb_causality *causality,
                                      int constraint) {
  return sb_algebraic_value(network, causality->algebraic_count) + 2 * constraint;
}
static inline int sb_constraint_rate_value(const sb_network *network, const sb_causality *causality,
                                           int constraint) {
  return sb_multiplier_value(network, causality, constraint) + 1;
}
/** The algebraic variable that a value is; -1: it is none. */
static inline int sb_algebraic_of(const sb_network *network, const sb_causality *causality,
                                  int value) {
  int own = value - sb_algebraic_value(network, 0);
  return own >= 0 && own < 3 * causality->algebraic_count && own % 3 == 0 ? own / 3 : -1;
}
/** Whether there are constraints that the program solves for. */
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
  return constraints > 0 ? sb_multiplier_value(network, causality, constraints)
                         : network->value_count;
}

/** d/dt of a state or value: what the network gives to a storage, or a value of the program.
 *  @return a variable and the factor before it; the variable is -1 for what has no rate */
sb_term sb_rate_of(const sb_network *network, const sb_causality *causality, int var);
/** Whether an instance's port is given the flow. */
bool sb_reads_flow(const sb_network *network, const sb_causality *causality, int instance,
                   int component);

/** @param modes (model->mode_count) present modes of switching elements */
sb_status sb_causality_assign(const sb_network *network, const int modes[], sb_causality *causality,
                              sb_errors *errors);
/** Which instance's row determines every effort and flow, in a causality that was assigned: the strokes that
 *  one would draw by hand. In a linear algebraic loop, which is solved as a whole, dissipations are given
 *  their flow; the number of instances stands for what the network as a whole determines.
 *  @param owner  (variables) out  @return false: out of memory */
bool sb_causality_owners(const sb_network *network, const int modes[],
                         const sb_causality *causality, int owner[]);
/** Forgets all but the constraints, which a second assignment starts from. */
void sb_causality_restart(sb_causality *causality);
void sb_causality_finish(sb_causality *causality);

#endif
