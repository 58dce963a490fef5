// SPDX-License-Identifier: GPL-3.0-or-later
// The linear complementarity problem w = M z + q, w >= 0, z >= 0, w_i z_i = 0, by Lemke's method (Cottle, Pang and Stone, "The Linear
// Complementarity Problem", 1992, section 4.4), for q = q_0 + eps q_1 + eps^2 q_2 and every small eps > 0 at once.
#ifndef SB_CORE_LEMKE_H
#define SB_CORE_LEMKE_H

#include <stdbool.h>

enum { SB_LEMKE_POWERS = 3 };

/** The numbers in a row of the table: M, the covering vector, q by powers of eps, and one of scratch. */
static inline int sb_lemke_columns(int n) {
  return n + 1 + SB_LEMKE_POWERS + 1;
}

/** A copositive M with q . z >= 0 for all z >= 0 that have M z >= 0 and z . M z = 0 always has a solution, and it is found (theorem
 *  4.4.13), unless ratios stay equal in all powers of q: a q_2 without any pattern decides.
 *  @param table  (n x sb_lemke_columns(n)) in: M and the q, with ones between them; used up. All of size one
 *  @param cancels  whether q_0 is zero where it is below a bound of its rounding, which small pivots make much larger than that
 *  @param names  (2 n + 1) scratch  @param z  (n x 2) out, by powers of eps
 *  @return false: it ends on a ray, or after too many steps; z is where that begins, by rounding a solution as well where z_0
 *          and another variable became zero together */
bool sb_lemke(double table[], int n, bool cancels, int names[], double z[]);

#endif
