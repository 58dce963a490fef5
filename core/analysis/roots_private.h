// SPDX-License-Identifier: GPL-3.0-or-later
// Eigenvalues, with what each may be off by.
#ifndef SB_CORE_ANALYSIS_ROOTS_PRIVATE_H
#define SB_CORE_ANALYSIS_ROOTS_PRIVATE_H

#include "core/analysis/linearize.h"
#include "core/analysis/pencil_private.h"
#include "core/linalg/nullspace.h"

/** What numbers are known to, as a fraction: as they are written, and after an elimination with more digits. */
#define SB_ROUNDING SB_NULLSPACE_ROUNDING
#define SB_ROUNDING_EXTENDED (0x1p9 * SB_EXTENDED_ROUNDING)

/** What the numbers of a linearisation are known to, as a fraction of their sizes. */
static inline double sb_linear_rounding(const sb_linear *l) {
  return l->rest.A != NULL ? SB_ROUNDING_EXTENDED : SB_ROUNDING;
}

/** Entry i of a matrix, known to a fraction `rounding` of its size. @param rest, error  as of sb_linear; may be NULL */
sb_tracked sb_tracked_number(const double m[], const double rest[], const double error[], int i,
                             double rounding);
/** All of them. @return (count) in `memory`; NULL: out of memory */
sb_tracked *sb_tracked_numbers(const double m[], const double rest[], const double error[],
                               int count, double rounding, sb_arena *memory);

/** The number moved by what it may be off, up or down as k has it. */
static inline sb_extended sb_tracked_moved(sb_tracked a, double off, int k) {
  return k % 3 == 0 ? a.value - off : a.value + off;
}

/** @param A  (n x n) finite, each entry known to a fraction `rounding` of its size
 *  @param estimate  errors are wanted  @param values  (n) out: slowest first
 *  @return SB_ERR_MEMORY, SB_ERR_SOLVER */
sb_status sb_find_roots(const sb_tracked A[], int n, double rounding, bool estimate,
                        sb_root values[], sb_error *err);
/** What a root may be off by, as a fraction of itself: 1 where nothing of it is known, be it that it came out as 0. */
double sb_root_off(sb_root root);
/** Slowest first, of pairs the one above the real axis. */
void sb_roots_sort(sb_root roots[], int count);

#endif
