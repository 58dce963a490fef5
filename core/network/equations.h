// SPDX-License-Identifier: GPL-3.0-or-later
// The linear equations of a network: kernel rows of constant structures, implicit junctions of
// shared ports, linear constitutive laws, and the ports of everything else as given values.
#ifndef SB_CORE_EQUATIONS_PRIVATE_H
#define SB_CORE_EQUATIONS_PRIVATE_H

#include "core/network/network.h"

typedef struct sb_equations {
  sb_arena memory; // of all that follows; failed: rows are missing
  sb_term *terms;  // row r: first[r] ... first[r + 1]
  int term_count, term_capacity;
  int *first;   // (row_count + 1)
  int *owner;   // (row_count) part
  char *active; // (row_count) 0: waits for a choice of causality
  int row_count, row_capacity, first_capacity, owner_capacity, active_capacity;
  /** Of a part with free causality: the rows used if the flow is given (its effort is the output),
   *  free_rows of them; as many follow for the effort given. -1 for other parts. */
  int *choice, *free_rows; // (parts)
  /** Of a linear storage: the row that gives its output from its states, component after component;
   *  -1 for other states. */
  int *output_row; // (states)
} sb_equations;

sb_status sb_equations_build(const sb_network *network, const int modes[], sb_equations *equations);
/** Appends a row, and terms to the last row. */
void sb_equations_row(sb_equations *equations, int owner, bool active);
void sb_equations_term(sb_equations *equations, int var, double factor);
/** Whether a row says what the constant structures and shared ports demand, in use, and nothing of what
 *  an element gives. */
bool sb_equations_constant(const sb_network *network, const sb_equations *equations, int row);
void sb_equations_finish(sb_equations *equations);

#endif
