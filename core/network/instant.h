// SPDX-License-Identifier: GPL-3.0-or-later
// Times that are one instant: k T of a clock, where t/T comes to k by rounding, and the time in a table.
#ifndef SB_CORE_NETWORK_INSTANT_H
#define SB_CORE_NETWORK_INSTANT_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

/** Times that differ by less than this are the same [s]. */
static inline double sb_time_rounding(double t) {
  return 8 * DBL_EPSILON * fabs(t);
}

/** The first of two times, and of the same the later one, by which both have come. */
static inline double sb_time_first(double a, double b) {
  const bool same = fabs(a - b) <= sb_time_rounding(fmin(a, b)); // false of two that never come
  return same ? fmax(a, b) : fmin(a, b);
}

#endif
