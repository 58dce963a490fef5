// SPDX-License-Identifier: GPL-3.0-or-later
// The state of scheduling (schedule.c) while a program is built (build.c).
#ifndef SB_CORE_SCHEDULE_PRIVATE_H
#define SB_CORE_SCHEDULE_PRIVATE_H

#include "core/program/program.h"

/** Nodes that depend on each other: members[first] ... */
typedef struct sb_scc {
  int first, count;
} sb_scc;

typedef struct sb_schedule {
  sb_arena memory; // of all its lists
  const sb_network *network;
  const sb_causality *causality;
  sb_program *program;
  sb_errors *errors;
  int base;   // variables below are bond variables
  int nodes;  // nodes below are bond variables and, if there are constraints, their rates
  sb_op *ops; // to be ordered
  int op_count, op_capacity;
  int *maker; // (fixed values) operation that makes a value, -1: none
  int *mark;  // (nodes) number in the order of discovery from 1, 0: not yet found
  int *low;   // (nodes) smallest number that the node leads back to; 0 once it is done
  int found;
  int *edges, edge_count, edge_capacity; // what nodes that were found depend on, other than states
  int *next, *end_edge,
      *stack;            // (nodes) the search: next edge and the end of them, nodes being searched
  int *path, path_count; // (nodes) found, but not yet put into a component
  int *order, order_count;    // nodes; -1 - k stands for the k-th strongly connected component
  int *members, member_count; // of these components
  sb_scc *sccs;
  int scc_count, scc_capacity;
  int *sinks, sink_count, sink_capacity; // variables that the ledger and the linear storages need
  int *uses;                             // (nodes)
  char *made;                            // (nodes and operations) has been emitted
  int *first, *count;                    // (nodes) combination over states and values
  sb_term *terms;
  int term_count, term_capacity;
  sb_term *work; // the combination at hand
  int work_count, work_capacity;
  int *seen, *slot, stamp; // (base + states + values + temporaries) to merge equal terms
} sb_schedule;

/** The variable that a component of an instance reads, and the sign with which. */
int sb_schedule_input(const sb_schedule *s, int instance, int component, double *sign);
/** The node that stands for the rate of a variable, state or value; -1: none, or it is not made. */
int sb_schedule_rate_node(const sb_schedule *s, int var);
/** The node of a variable, or of the operation that makes a value; -1: of none. */
int sb_schedule_node(const sb_schedule *s, int var);
/** The operation that a node is; NULL: it is a variable. */
const sb_op *sb_schedule_op(const sb_schedule *s, int node);
/** Finds the order (schedule.c). */
sb_status sb_schedule_order(sb_schedule *s);

// What has no order (schedule_failure.c).

/** Ratios of constraints that depend on what the constraints determine. */
void sb_schedule_report_ratios(const sb_schedule *s, int algebraic);
/** A component with more unknowns than are solved for together. */
void sb_schedule_report_loop(const sb_schedule *s, const sb_scc *scc);
/** A constraint on whose rate its own Lagrange multiplier has no effect. */
void sb_schedule_report_constraint(const sb_schedule *s, const sb_op *op);

// Writing the program (emit.c). Whether memory ran out is asked of the arenas at the end.

void sb_schedule_emit(sb_schedule *s);
/** Makes a combination of terms, or of their rates, the combination at hand. */
void sb_emit_combine(sb_schedule *s, const sb_term terms[], int count, bool rates);
/** Makes what causality determines a variable, or its rate, from the combination at hand. */
void sb_emit_combine_node(sb_schedule *s, int node);
/** What a sensor reads. */
void sb_emit_combine_sensor(sb_schedule *s, const sb_op *op);
/** An input of an instance's ports, or its rate. */
void sb_emit_combine_input(sb_schedule *s, int instance, int component, bool rate);
/** Emits values[dest] = the combination at hand. */
void sb_emit_row(sb_schedule *s, int dest);
/** Stores the combination at hand as that of a variable, or of its rate. */
void sb_emit_store(sb_schedule *s, int node);
/** The value that a sensor, or its rate, is put into. */
int sb_emit_sensor_value(const sb_schedule *s, const sb_op *op);
/** Emits a strongly connected component as an algebraic loop (emit_loop.c). */
void sb_emit_loop(sb_schedule *s, const sb_scc *scc);

/** Stores the rates of the storages as runs, bands and groups (chains.c). */
void sb_store_rates(sb_schedule *s);
/** Makes bands of runs (bands.c). */
void sb_store_bands(sb_program *program, sb_arena *scratch);
/** Takes chains of equal products out of the products (chains.c). */
void sb_store_products(sb_schedule *s);

#endif
