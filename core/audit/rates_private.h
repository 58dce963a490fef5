// SPDX-License-Identifier: GPL-3.0-or-later
// What the two checks of the rates by which constraints are enforced share.
#ifndef SB_CORE_RATES_PRIVATE_H
#define SB_CORE_RATES_PRIVATE_H

#include <float.h>
#include <math.h>

#include "core/audit/audit_private.h"
#include "core/audit/differences.h"

/** How far arguments are varied, relative to the sizes that their rounding is a fraction of. */
static const double sb_input_rounding = 8 * DBL_EPSILON;

enum { SB_VECTOR_DIM = 3 };

/** Numbers in threes are vectors: a pose is four of them. */
static inline int sb_vector_dim(int count) {
  return count % SB_VECTOR_DIM == 0 ? SB_VECTOR_DIM : 1;
}

/** What the rounding of each number of a signal is a fraction of: the length of its vector. */
static inline void sb_size_signal(const double signal[], int count, double size[]) {
  const int dim = sb_vector_dim(count);
  for (int i = 0; i < count; i += dim) {
    const double *v = signal + i;
    const double length =
        dim == SB_VECTOR_DIM ? sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) : fabs(v[0]);
    for (int k = 0; k < dim; k++) {
      size[i + k] = length;
    }
  }
}

/** Rounding of five values that are known to rounding. */
static inline double sb_rounding_of(const double f[SB_DIFFERENCE_POINTS]) {
  double sum = 0;
  for (int k = 0; k < SB_DIFFERENCE_POINTS; k++) {
    sum += 8 * DBL_EPSILON * fabs(f[k]);
  }
  return sum;
}

/** The times t +- h, and what an element subtracts from them as a delay does, are rounded: that is an error of the
 *  rate as a fraction of it. */
static inline double sb_time_rounding(double t, double h) {
  return 4 * DBL_EPSILON * fabs(t) / h;
}

/** Whether the rates that an element states are those of its outputs; true where constraints use none.
 *  @param numbers  scratch (SB_OUTPUT_RATES_NUMBERS x (its outputs + 1)) */
bool sb_audit_output_rates(sb_audit *a, int index, double t, const double x[], double time,
                           double numbers[]);
enum { SB_OUTPUT_RATES_NUMBERS = 2 * SB_DIFFERENCE_POINTS };

#endif
