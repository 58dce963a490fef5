// SPDX-License-Identifier: GPL-3.0-or-later
// A linear complementarity problem given by a monotone relation: n pairs of variables that are not below zero and of which one is zero, on
// a space of vectors.
#ifndef SB_CORE_MODEL_RELATION_PRIVATE_H
#define SB_CORE_MODEL_RELATION_PRIVATE_H

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/linalg/extended.h"

/** Vectors over columns: k and n + k are pair k, column 2 n is 1, and those behind it go along. */
typedef struct sb_relation {
  int rows, n, columns;
  sb_extended *a; // (rows x columns)
  double *scale;  // (columns) the largest of each
  int *row_of;    // (columns) the row that is solved for it, -1: none
  bool *taken;    // (rows)
} sb_relation;

/** Room for rows of zeros, from `memory`. @return SB_ERR_MEMORY */
sb_status sb_relation_make(sb_relation *r, sb_arena *memory);
/** Solves the rows for 1, that is for column 2 n. @return SB_ERR_SOLVER: what is given contradicts itself */
sb_status sb_relation_normalise(sb_relation *r);
/** Solves a normalised problem by the criss-cross method.
 *  @param second  (n) which of each pair is zero at first: the second of them, else the first
 *  @return SB_ERR_SOLVER: there is no solution; SB_ERR_LIMIT: it is no such relation; SB_ERR_MEMORY */
sb_status sb_relation_solve(sb_relation *r, const bool second[], sb_arena *memory);
/** Whether the first of a pair is zero in the solution. */
bool sb_relation_first_is_zero(const sb_relation *r, int pair);
/** A variable of the solution. */
double sb_relation_value(const sb_relation *r, int column);

#endif
