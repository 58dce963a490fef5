// SPDX-License-Identifier: GPL-3.0-or-later
// The equations of one short implicit Euler step of a connected part, without those of its complementary elements; or those of an instant,
// with all states as they are, without those of its laws that jump.
#ifndef SB_CORE_MODEL_INSTANT_ROWS_PRIVATE_H
#define SB_CORE_MODEL_INSTANT_ROWS_PRIVATE_H

#include "core/linalg/nullspace.h"
#include "core/network/equations.h"
#include "core/program/workspace.h"

/** A complementary element, or a law that jumps. */
typedef struct sb_pair {
  const sb_instance *instance;
  sb_complementary kind; // of the former
  bool held;             // its flow is zero in the present mode, else its effort
} sb_pair;

typedef struct sb_instant {
  sb_workspace *work;
  int part;
  double t, h;     // [s]
  const double *x; // at t
  double end;      // [s] the end of the step, and the state there by the rates in the modes so far;
  const double *x_end; // the start, where these are not known
  const int *modes;
  bool of_laws;       // the problem is that of laws that jump
  const bool *chosen; // (instances) of these; NULL: of all
  bool frozen;        // the states stay
  const double *near; // (bond variables) where laws are linear
  sb_arena memory;
  sb_equations eq;
  sb_pair *pairs; // (count)
  int count;
  int one;     // variable of the network that is 1
  int vars;    // those that occur
  int *number; // (variables of the network, and 1) from 1; 0: it does not occur
  int columns; // efforts of the pairs, then flows, then 1; then, of laws, those that they are linear about
  int *column_of; // (vars) -1: none of these
  int *var_of;    // (columns) the bond variable of those behind 1
  char *late;     // (vars) whether it is one of these
} sb_instant;

/** @return SB_ERR_LIMIT: something in the part has no linear equation; SB_ERR_MEMORY. It is to be finished in any case */
sb_status sb_instant_build(sb_instant *instant, sb_workspace *work, int part, double t,
                           const double x[], const int modes[]);
/** Where the end of a step is asked. */
typedef struct sb_instant_end {
  double t;        // [s]
  const double *x; // (states) there by the rates so far, as far as laws read them
} sb_instant_end;

/** The same of laws that jump, for a step of length h. The workspace stays where it is, which is to be at its end.
 *  @param h       [s] 0: unknown; with `chosen` NULL all states stay
 *  @param chosen  (instances) those that it is about; NULL: all
 *  @param near    (bond variables) where laws are linear */
sb_status sb_instant_build_laws(sb_instant *instant, sb_workspace *work, int part, double t,
                                double h, const double x[], const sb_instant_end *end,
                                const int modes[], const bool chosen[], const double near[]);
/** The state at the end of a step by the rates of the present modes, with the workspace there; where there are none it stays at its start.
 *  @param x_end  (vector) out */
void sb_instant_go(sb_workspace *work, double t, double h, const double x[], double x_end[],
                   sb_instant_end *end);
void sb_instant_finish(sb_instant *instant);

#endif
