// SPDX-License-Identifier: GPL-3.0-or-later
// Polynomials over one step that are given by values and slopes at places in it (Birkhoff
// interpolation), as weighted sums of these.
#ifndef SB_CORE_INTERPOLANT_PRIVATE_H
#define SB_CORE_INTERPOLANT_PRIVATE_H

#include <stdbool.h>

enum { SB_DEGREE_MAX = 8 };

/** The polynomial u of least degree, with u(0) = 0, that takes given values or slopes at places in
 *  [0, 1]: u(theta) = sum w_j(theta) d_j over the data d_j, of which there are as many as its degree. */
typedef struct sb_interpolant {
  int degree;
  double place[SB_DEGREE_MAX]; // (degree)
  bool slope[SB_DEGREE_MAX];   // (degree) the datum is the slope du/dtheta there, not the value
  double
      weight[SB_DEGREE_MAX * SB_DEGREE_MAX]; // (degree x degree) row: basis function, column: datum
} sb_interpolant;

/** Finds the weights for the places and slopes in *u.
 *  @return false: they determine no polynomial, or the degree is above SB_DEGREE_MAX */
bool sb_interpolant_solve(sb_interpolant *u);
/** w_j(theta). @param weight  (degree) out */
void sb_interpolant_weights(const sb_interpolant *u, double theta, double weight[]);
/** Values at the extrema of Chebyshev's polynomial, the last of which is 1 (0 is given): the sum of the
 *  |w_j| is least, near 2. */
bool sb_interpolant_values(int degree, sb_interpolant *u);

#endif
