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

// Of an interval with an end that is not a number nothing is known: it counts as the whole line.
sb_interval sb_interval_add(sb_interval a, sb_interval b);
sb_interval sb_interval_multiply(sb_interval a, sb_interval b);
/** The least interval that holds both. */
sb_interval sb_interval_hull(sb_interval a, sb_interval b);

#endif
