// SPDX-License-Identifier: GPL-3.0-or-later
// Linear descriptor systems, E wdot = A w + B u, y = C w, reduced to state equations by the shuffle
// algorithm (Luenberger, "Time-invariant descriptor systems", 1978). Nothing is solved by hand: what is
// algebraic is found by elimination, and what it says of rates is put into the rest, until E is regular.
#ifndef SB_CORE_ANALYSIS_PENCIL_PRIVATE_H
#define SB_CORE_ANALYSIS_PENCIL_PRIVATE_H

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/linalg/extended.h"

enum { SB_PENCIL_ORDER_MAX = 4 }; // derivatives of the inputs that are followed

/** A number, and the largest sum of absolute values that it was computed from: it is zero where it is
 *  nothing but the rounding of that. */
typedef struct sb_tracked {
  sb_extended value;
  double size;
} sb_tracked;

/** E wdot = A w + sum_k B[k] d^k u/dt^k, y = C w + sum_k D[k] d^k u/dt^k; row-major. */
typedef struct sb_pencil {
  int n, inputs, outputs;
  int order;                              // the highest derivative of u
  double rounding;                        // fraction of its size below which a number is zero
  sb_tracked *E, *A;                      // (n x n)
  sb_tracked *B[SB_PENCIL_ORDER_MAX + 1]; // (n x inputs)
  sb_tracked *C;                          // (outputs x n)
  sb_tracked *D[SB_PENCIL_ORDER_MAX + 1]; // (outputs x inputs)
} sb_pencil;

/** Arrays of zeros for n, inputs and outputs. @return false: out of memory */
bool sb_pencil_init(sb_pencil *p, sb_arena *memory);
/** Lets n become the number of states, E the identity and the order of B zero: the states are then
 *  deviations less what u and its derivatives add to them at once.
 *  @return SB_ERR_SINGULAR: rates or derivatives of u leave something undetermined; SB_ERR_LIMIT: more
 *          than SB_PENCIL_ORDER_MAX derivatives; SB_ERR_MEMORY */
sb_status sb_pencil_reduce(sb_pencil *p, sb_arena *memory);
/** Lets the first n outputs, of those from 0 up to `among`, be the states, if they can: their rows of C
 *  become unit rows.
 *  @param chosen  (n) out: the outputs that were taken  @return SB_ERR_SINGULAR; SB_ERR_MEMORY */
sb_status sb_pencil_choose(sb_pencil *p, int among, int chosen[], sb_arena *memory);

/** Gauss-Jordan with full pivoting on `unknowns` columns, as sb_eliminate().
 *  @param first   the column of the first unknown; the columns before it count for nothing
 *  @param pivots  (rank) out, counted from the first unknown  @return the rank */
int sb_tracked_eliminate(sb_tracked a[], int rows, int columns, int first, int unknowns,
                         double rounding, int pivots[]);

#endif
