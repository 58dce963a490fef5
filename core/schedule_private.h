// SPDX-License-Identifier: GPL-3.0-or-later
// The state of scheduling (schedule.c) while a program is built (compile.c).
#ifndef SB_CORE_SCHEDULE_PRIVATE_H
#define SB_CORE_SCHEDULE_PRIVATE_H

#include "core/workspace_private.h"

/** What a hook does. */
enum {
  OP_OUTPUT,
  OP_VALUE,
  OP_LAW,
  OP_FORWARD,
  OP_ADJOINT,
  OP_RATE,
  OP_SIGNAL,
  OP_SIGNAL_RATE,
  OP_SENSOR, // not a hook of a part: the row of a sensor
  // d/dt of what the others give, where a tie needs it
  OP_OUTPUT_DOT,
  OP_VALUE_DOT,
  OP_FORWARD_DOT,
  OP_ADJOINT_DOT,
  OP_SIGNAL_DOT,
  OP_SENSOR_DOT,
  OP_TIE // not a hook of a part: the force that keeps a tie
};

typedef struct sb_hook {
  int part, kind; // of sensors and ties: their number in the place of the part
} sb_hook;

/** Nodes that depend on each other: members[first] ... */
typedef struct sb_ring {
  int first, count;
} sb_ring;

typedef struct sb_schedule {
  const sb_model *model;
  const sb_causality *causality;
  sb_program *program;
  sb_errors *errors;
  sb_status status; // of the search, where a callback ended it
  int base;         // variables below are of cells
  int nodes;        // nodes below are variables: of cells and, if there are ties, their rates
  sb_hook *hooks;
  int hook_count, hook_capacity;
  int *maker; // (fixed values) hook that makes a value, -1: none
  int *mark;  // (nodes) number in the order of discovery from 1, 0: not yet found
  int *low;   // (nodes) smallest number that the node leads back to; 0 once it is done
  int found;
  int *next, *stack;          // (nodes) the search: next dependency, nodes being searched
  int *path, path_count;      // (nodes) found, but not yet put into a component
  int *order, order_count;    // nodes; -1 - k stands for the k-th ring
  int *members, member_count; // of all rings
  sb_ring *rings;
  int ring_count, ring_capacity;
  int *uses;          // (nodes)
  int *first, *count; // (nodes) combination over states and values
  sb_term *terms;
  int term_count, term_capacity;
  sb_term *work; // the combination at hand
  int work_count, work_capacity;
  int *seen, *slot, stamp; // (base + states + values + temporaries) to merge equal terms
} sb_schedule;

/** The variable that a component of a part reads, and the sign with which. */
int sb_schedule_input(const sb_schedule *s, int part, int component, double *sign);
/** Whether a hook is of a sensor or a tie, and not of a part. */
bool sb_schedule_apart(const sb_hook *hook);
/** Whether a hook gives rates. */
bool sb_schedule_dots(const sb_hook *hook);
/** The node that stands for the rate of a variable, state or value; -1: none, or it is not made. */
int sb_schedule_rate_node(const sb_schedule *s, int var);
/** Whether a hook gives a component of its ports, or a signal of its part. */
bool sb_schedule_gives(const sb_schedule *s, const sb_hook *hook, int component);
bool sb_schedule_signals(const sb_schedule *s, const sb_hook *hook);
/** Whether a hook reads a component of its ports, or its rate. */
bool sb_schedule_reads(const sb_schedule *s, const sb_hook *hook, int component);
bool sb_schedule_reads_rate(const sb_schedule *s, const sb_hook *hook, int component);
/** Finds the order (schedule.c), then writes the program (emit.c). */
sb_status sb_schedule_order(sb_schedule *s);
sb_status sb_schedule_emit(sb_schedule *s);
/** Makes the input of a linear storage the combination at hand. */
bool sb_schedule_rate(sb_schedule *s, int part, int component);

#endif
