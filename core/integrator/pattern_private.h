// SPDX-License-Identifier: GPL-3.0-or-later
// On which states each rate depends, and by which factor where it is linear in them.
#ifndef SB_CORE_INTEGRATOR_PATTERN_PRIVATE_H
#define SB_CORE_INTEGRATOR_PATTERN_PRIVATE_H

#include "core/base/arena.h"
#include "core/program/workspace.h"

/** A sparse row over the states, unsorted, without repetition. */
typedef struct sb_pattern_row {
  sb_term *terms; // var: a state
  int count, capacity;
  bool nonlinear; // of the factors only the places mean something
} sb_pattern_row;

typedef struct sb_pattern {
  sb_arena memory;
  const sb_network *network;
  const sb_program *program;
  sb_pattern_row *values; // (value_count) of each value of the program
  sb_pattern_row *rates;  // (n) of each rate
  sb_pattern_row scratch;
  int *stamp, *slot; // (n) the last row that a state was put into, and where
  int rows;          // how many were begun
  bool failed;       // out of memory
} sb_pattern;

/** @param discrete  that of the discrete gradient methods: nonlinear, and with all that the constraints
 *                   couple  @return false: out of memory; to be finished all the same */
bool sb_pattern_init(sb_pattern *pattern, sb_workspace *work, bool discrete);
void sb_pattern_finish(sb_pattern *pattern);

#endif
