// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions of the time in the place of the signals that an expression reads: what exp(-((u - a)/b)^2) does in time, with
// u = t^2 stated elsewhere, is seen of both together only.
#ifndef SB_CORE_EXPRESSION_COMPOSE_H
#define SB_CORE_EXPRESSION_COMPOSE_H

#include "core/base/arena.h"
#include "core/expression/expression.h"

/** What stands for a variable: an expression that is composed itself, or the time, or else what nothing is known of. */
typedef struct sb_stand_in {
  const sb_expression *by; // NULL: none
  bool time;
} sb_stand_in;

/** The variables of what is composed. */
enum { SB_COMPOSED_TIME, SB_COMPOSED_OTHER };
/** Variable 0 of the result is the time, variable 1 all else that moves. What would be too long stays unknown.
 *  @param of  (variables of the expression)  @return in the arena; NULL: out of memory */
sb_expression *sb_expression_compose(const sb_expression *expression, const sb_stand_in of[],
                                     sb_arena *memory);

/** Whether an expression stands in where more than sums and products lead from it: those show nothing that is not seen of
 *  each of their terms. */
bool sb_expression_bends(const sb_expression *expression, const sb_stand_in of[]);

#endif
