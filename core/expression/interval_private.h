// SPDX-License-Identifier: GPL-3.0-or-later
// Interval arithmetic for the operators and functions of expressions, with first derivatives: the
// enclosures of a value and of its derivative over a span of the variable (Moore, Kearfott, Cloud,
// "Introduction to Interval Analysis", 2009). Rounding is not directed outward: the enclosures serve to
// find features, not proofs.
#ifndef SB_CORE_EXPRESSION_INTERVAL_PRIVATE_H
#define SB_CORE_EXPRESSION_INTERVAL_PRIVATE_H

#include "core/expression/expression_private.h"

typedef struct sb_interval {
  double low, high;
} sb_interval;

/** Over a span: all values of a node, and of its derivative by the variable. */
typedef struct sb_enclosure {
  sb_interval value, slope;
} sb_enclosure;

/** The enclosure of a function from those of its arguments. */
typedef sb_enclosure (*sb_enclose)(const sb_enclosure a[]);

/** The rule of an operator or function. */
sb_enclose sb_enclose_find(const sb_function *function);

sb_interval sb_interval_add(sb_interval a, sb_interval b);
sb_interval sb_interval_multiply(sb_interval a, sb_interval b);
/** What both hold; the first where nothing. */
sb_interval sb_interval_meet(sb_interval a, sb_interval b);

#endif
