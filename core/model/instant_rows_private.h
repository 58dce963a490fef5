// SPDX-License-Identifier: GPL-3.0-or-later
// The equations of one short implicit Euler step of a connected part, without those of its complementary elements.
#ifndef SB_CORE_MODEL_INSTANT_ROWS_PRIVATE_H
#define SB_CORE_MODEL_INSTANT_ROWS_PRIVATE_H

#include "core/linalg/nullspace.h"
#include "core/network/equations.h"
#include "core/program/workspace.h"

/** A complementary element. */
typedef struct sb_pair {
  const sb_instance *instance;
  sb_complementary kind;
  bool held; // its flow is zero in the present mode, else its effort
} sb_pair;

typedef struct sb_instant {
  sb_workspace *work;
  int part;
  double t, h;     // [s]
  const double *x; // at t
  double end;      // [s] the end of the step, and the state there by the rates in the modes so far;
  const double *x_end; // the start, where these are not known
  const int *modes;
  sb_arena memory;
  sb_equations eq;
  sb_pair *pairs; // (count)
  int count;
  int one;        // variable of the network that is 1
  int vars;       // those that occur
  int *number;    // (variables of the network, and 1) from 1; 0: it does not occur
  int *column_of; // (vars) efforts of the pairs, then flows, then 1; -1: none of these
  char *late;     // (vars) whether it is one of these
} sb_instant;

/** @return SB_ERR_LIMIT: something in the part has no linear equation; SB_ERR_MEMORY. It is to be finished in any case */
sb_status sb_instant_build(sb_instant *instant, sb_workspace *work, int part, double t,
                           const double x[], const int modes[]);
void sb_instant_finish(sb_instant *instant);

#endif
