// SPDX-License-Identifier: GPL-3.0-or-later
// Interval arithmetic for the operators and functions of expressions, with first derivatives: the
// enclosures of a value and of its derivative over a span of the variable (Moore, Kearfott, Cloud,
// "Introduction to Interval Analysis", 2009). Rounding is not directed outward: the enclosures serve to
// find features, not proofs.
#ifndef SB_CORE_EXPRESSION_INTERVAL_PRIVATE_H
#define SB_CORE_EXPRESSION_INTERVAL_PRIVATE_H

#include "core/expression/expression_private.h"
#include "core/expression/interval.h"

/** The enclosure of a function from those of its arguments. */
typedef sb_enclosure (*sb_enclose)(const sb_enclosure a[]);

/** The rule of an operator or function. */
sb_enclose sb_enclose_find(const sb_function *function);

/** The whole line in place of an interval with an end that is not a number, as of infinity minus infinity. */
sb_interval sb_interval_known(sb_interval a);
/** What both hold, of two enclosures of the same: rounding may part them by a little, and then all from the one to the other. */
sb_interval sb_interval_meet(sb_interval a, sb_interval b);

#endif
