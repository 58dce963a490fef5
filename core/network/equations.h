// SPDX-License-Identifier: GPL-3.0-or-later
// The linear equations of a network: kernel rows of constant structures, implicit junctions of
// shared ports, linear constitutive laws, and the port outputs of everything else as known values.
#ifndef SB_CORE_EQUATIONS_PRIVATE_H
#define SB_CORE_EQUATIONS_PRIVATE_H

#include "core/network/network.h"

typedef struct sb_equations {
  sb_arena memory; // of all that follows; failed: rows are missing
  sb_term *terms;  // row r: first[r] ... first[r + 1]
  int term_count, term_capacity;
  int *first;   // (row_count + 1)
  int *owner;   // (row_count) instance
  char *active; // (row_count) 0: waits for an assignment of causality
  int row_count, row_capacity, first_capacity, owner_capacity, active_capacity;
  /** Of an instance with indifferent causality: the rows used if the flow is its input (the effort its
   *  output), free_rows of them; as many follow for the effort as input. -1 for other instances. */
  int *choice, *free_rows; // (instances)
  /** Of a linear storage: the row that gives its output from its states, component after component;
   *  -1 for other states. */
  int *output_row; // (states)
} sb_equations;

sb_status sb_equations_build(const sb_network *network, const int modes[], sb_equations *equations);
/** Appends a row, and terms to the last row. */
void sb_equations_row(sb_equations *equations, int owner, bool active);
void sb_equations_term(sb_equations *equations, int var, double factor);
/** Whether a row is in use and one of a constant structure or shared port alone: without states and
 *  outputs of elements. */
bool sb_equations_constant(const sb_network *network, const sb_equations *equations, int row);
void sb_equations_finish(sb_equations *equations);

#endif
