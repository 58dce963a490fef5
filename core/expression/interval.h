// SPDX-License-Identifier: GPL-3.0-or-later
// Intervals of numbers, and enclosures of a value with its derivative.
#ifndef SB_CORE_EXPRESSION_INTERVAL_H
#define SB_CORE_EXPRESSION_INTERVAL_H

typedef struct sb_interval {
  double low, high;
} sb_interval;

/** Over a span of what moves: all values, and derivatives by it. */
typedef struct sb_enclosure {
  sb_interval value, slope;
} sb_enclosure;

sb_interval sb_interval_add(sb_interval a, sb_interval b);
sb_interval sb_interval_multiply(sb_interval a, sb_interval b);

#endif
