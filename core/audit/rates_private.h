// SPDX-License-Identifier: GPL-3.0-or-later
// What the two checks of the rates by which constraints are enforced share.
#ifndef SB_CORE_RATES_PRIVATE_H
#define SB_CORE_RATES_PRIVATE_H

#include <float.h>
#include <math.h>

#include "core/audit/audit_private.h"
#include "core/audit/differences.h"

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
