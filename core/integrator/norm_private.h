// SPDX-License-Identifier: GPL-3.0-or-later
// The size of an error, by which a step is accepted and Newton's iteration ends: the largest weighted one of all
// numbers by themselves and of all vectors, a vector by its length,
//   max(max_i w_i |e_i|, max_v (sum w_i^2 e_i^2)^(1/2)).
// The largest, in place of the root mean square: every state is held to its own tolerance, and idle elements
// that are added to a model do not loosen that of the others. The length, in place of the largest component: it
// is the same in all axes.
#ifndef SB_CORE_INTEGRATOR_NORM_PRIVATE_H
#define SB_CORE_INTEGRATOR_NORM_PRIVATE_H

#include <math.h>

#include "core/base/export.h"
#include "core/network/network.h"

/** @param e, w      (n) errors and weights
 *  @param vectors   among the first of them; NULL: there are none
 *  @return 1e30 if an error is not finite: ARKODE would accept a step whose error is not-a-number */
SB_API double sb_norm(const double e[], const double w[], int n, const sb_state_vectors *vectors);

static inline double sb_square(double x) {
  return x * x;
}

/** sum w_i^2 x_i^2. Most vectors are those in space: a loop costs them several times as much. */
static inline double sb_weighted_square(const double x[], const double w[], int n) {
  if (n == 3) {
    return sb_square(x[0] * w[0]) + sb_square(x[1] * w[1]) + sb_square(x[2] * w[2]);
  }
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += sb_square(x[i] * w[i]);
  }
  return sum;
}
/** (sum (x_i - y_i)^2)^(1/2); of a number by itself exactly, however small. */
static inline double sb_distance(const double x[], const double y[], int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += sb_square(x[i] - y[i]);
  }
  return n == 1 ? fabs(x[0] - y[0]) : sqrt(sum);
}
/** (sum x_i^2)^(1/2) */
static inline double sb_length(const double x[], int n) {
  if (n == 3) {
    return sqrt(sb_square(x[0]) + sb_square(x[1]) + sb_square(x[2]));
  }
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += sb_square(x[i]);
  }
  return n == 1 ? fabs(x[0]) : sqrt(sum);
}

#endif
