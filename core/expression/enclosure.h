// SPDX-License-Identifier: GPL-3.0-or-later
// All values that an expression, and its derivative, may have while its variables move, by interval arithmetic
// (interval_private.h). They serve to find what a look at single places would miss, not proofs.
#ifndef SB_CORE_EXPRESSION_ENCLOSURE_H
#define SB_CORE_EXPRESSION_ENCLOSURE_H

#include "core/base/arena.h"
#include "core/expression/expression.h"
#include "core/expression/interval.h"

/** Over a span, and the value in the middle of it. */
typedef struct sb_motion {
  sb_enclosure all;
  double middle;
} sb_motion;

typedef struct sb_enclosing sb_enclosing;

/** @param expression  borrowed  @return NULL: out of memory */
sb_enclosing *sb_enclosing_create(const sb_expression *expression, sb_arena *memory);
/** The motion of the value by those of the variables. @param half  of the length of the span */
sb_motion sb_enclosing_move(const sb_enclosing *enclosing, const sb_motion variables[],
                            double half);
/** What sb_enclosing_move() gave last. */
sb_motion sb_enclosing_last(const sb_enclosing *enclosing);
/** After that: how far the argument of the fastest of its sines, cosines and tangents goes at least in a unit of the span [rad]. */
double sb_enclosing_turned(const sb_enclosing *enclosing);
/** After that: how far what decides on the branch of a node is inside the branch `held`. */
sb_motion sb_enclosing_gap(const sb_enclosing *enclosing, int node, double held);

/** After that: the sum of the absolute values of the terms of the value in the middle, by whose rounding it is known.
 *  @param sizes  the same of the variables */
double sb_enclosing_terms(const sb_enclosing *enclosing, const double sizes[]);

#endif
