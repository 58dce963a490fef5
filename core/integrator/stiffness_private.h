// SPDX-License-Identifier: GPL-3.0-or-later
// How fast the fastest mode of a model is, as the steps themselves show it. The states are measured by their
// tolerances, which makes numbers of different units comparable.
//
// Explicit pairs whose last two stages are both at the end of the step (dormand-prince-5): with their states g6, y1 and
// rates k6, k7, |lambda| = |k7 - k6|/|y1 - g6| (Shampine; Hairer & Wanner, Solving Ordinary Differential Equations
// II, section IV.2). Where stability bounds the step, what the fastest mode does wrong dominates both differences. Likewise of
// the first two, |k2 - k1|/|g2 - y0|: steps may rest where they are wrong, beside a law that is sharper than the tolerance, with the
// last two stages on its flat side. Either is a chord, |f(a) - f(b)|/|a - b|, and so no more than the norm of the Jacobian.
// The motion of slow states lengthens the chord of the first two, by far where their tolerances are smaller. It is even, and so
// drops out of what the third stage is off the line through these, with r = c3/c2: |lambda| = |F|/|D|,
//   D = g3 - y0 - r (g2 - y0),  F = k3 - k1 - r (k2 - k1) = J D + O(h^2).
// Implicit ones: the largest row sum of |J|, no less than any |lambda|.
#ifndef SB_CORE_INTEGRATOR_STIFFNESS_PRIVATE_H
#define SB_CORE_INTEGRATOR_STIFFNESS_PRIVATE_H

#include <stdbool.h>

#include "core/integrator/jacobian.h"
#include "core/integrator/nominal.h"

typedef struct sb_stiffness {
  bool on;
  int n;
  double *y, *rate; // (n) of the first stage, then the last but one; of an implicit method scratch
  double *second, *second_rate; // (n) of the second stage
} sb_stiffness;

/** For n states; false: out of memory. */
bool sb_stiffness_init(sb_stiffness *s, int n);
void sb_stiffness_finish(sb_stiffness *s);
/** The first stage, or the last but one. */
void sb_stiffness_keep(sb_stiffness *s, const double y[], const double rate[]);
void sb_stiffness_keep_second(sb_stiffness *s, const double y[], const double rate[]);
/** With the third stage, after the first and the second: |lambda| [1/s]; 0: nothing is known.  @param ratio  c3/c2 */
double sb_stiffness_of_bend(const sb_stiffness *s, const sb_nominal *nominal, double ratio,
                            const double y[], const double rate[]);
/** With the second stage, or the last: |lambda| [1/s]; 0: nothing is known. */
double sb_stiffness_of_stages(const sb_stiffness *s, const sb_nominal *nominal, const double y[],
                              const double rate[]);
/** The norm of the Jacobian [1/s]. */
double sb_stiffness_of_jacobian(sb_stiffness *s, const sb_nominal *nominal,
                                const sb_jacobian *jacobian, const double y[]);

#endif
