// SPDX-License-Identifier: GPL-3.0-or-later
// The null space of a large sparse matrix, for reports at compilation.
#ifndef SB_CORE_LINALG_NULLSPACE_H
#define SB_CORE_LINALG_NULLSPACE_H

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/linalg/extended.h"
#include "core/linalg/term.h"

/** Terms touched before the search is given up: at least this many, and as many per variable. */
enum { SB_NULLSPACE_WORK = 400, SB_NULLSPACE_WORK_LEAST = 1000000 };

/** What the difference of numbers as they are written is known to, as a fraction. */
#define SB_NULLSPACE_ROUNDING 8e-15

typedef struct sb_extended_term {
  int var;
  sb_extended factor;
  double size; // the largest of what it was computed from
} sb_extended_term;

/** Vectors v with A v = 0: vector k is terms[first[k]] ... terms[first[k + 1] - 1]. */
typedef struct sb_nullspace {
  sb_extended_term *terms;
  int *first; // (count + 1)
  int count;
} sb_nullspace;

/** The arrays of the result and of the search come from `memory`.
 *  @param terms, first  row r of A: terms[first[r]] ... terms[first[r + 1] - 1]
 *  @param late  (vars) 1: solved for only where a row has nothing else, so that the vectors are
 *               combinations of these wherever that is possible
 *  @param rounding  a coefficient below this fraction of what it is the difference of is zero
 *  @return SB_ERR_LIMIT if the rows fill in beyond what stays near linear; SB_ERR_MEMORY */
sb_status sb_nullspace_find(const sb_term terms[], const int first[], int rows, int vars,
                            const char late[], double rounding, sb_arena *memory,
                            sb_nullspace *result);

#endif
