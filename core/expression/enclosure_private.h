// SPDX-License-Identifier: GPL-3.0-or-later
// One node of an expression over a span: shared by enclosures of expressions of signals (enclosure.c) and of terms of the time
// (moving_terms.c).
#ifndef SB_CORE_EXPRESSION_ENCLOSURE_PRIVATE_H
#define SB_CORE_EXPRESSION_ENCLOSURE_PRIVATE_H

#include "core/expression/enclosure.h"
#include "core/expression/interval_private.h"

/** What does not move. */
sb_motion sb_motion_constant(double x);

/** A node with a function, from its arguments in `got`: by its rule, and by the mean value form f(t) in f(c) + f' (t - c),
 *  with f' enclosed too.
 *  @param rule  NULL: no kink is inside the span, so that the branch of its middle holds throughout
 *  @param half  of the length of the span */
sb_motion sb_node_move(const sb_node *node, sb_enclose rule, const sb_motion got[], double half);

#endif
