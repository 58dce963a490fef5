// SPDX-License-Identifier: GPL-3.0-or-later
// Constant terms of a sum: an energy 1e14[J] + h(x) is known to the rounding of 1e14 J, whatever h(x), and only its changes have a
// meaning. Without them it has all digits of h.
#include <math.h>

#include "core/expression/expression_private.h"

static bool is(const sb_node *node, sb_operator operator) {
  return node->function == &sb_operators[operator];
}

/** Takes them out of a node that is multiplied by `sign`. A 1 that cancels, as of 1 - cos(x), stays: without it there are less digits.
 *  @param value  of all nodes  @return their sum */
static double take(sb_expression *e, int i, double sign, const double value[]) {
  sb_node *node = &e->nodes[i];
  const bool plus = is(node, SB_OP_ADD);
  if (node->order == 0 && isfinite(value[i])) {
    *node = (sb_node){.variable = -1, .start = node->start, .end = node->end, .at = node->at};
    return sign * value[i];
  }
  if (node->beside_one || node->vanishes) {
    return 0;
  }
  if (plus || is(node, SB_OP_SUBTRACT)) {
    return take(e, node->arguments[0], sign, value) +
           take(e, node->arguments[1], plus ? sign : -sign, value);
  }
  return is(node, SB_OP_NEGATE) ? take(e, node->arguments[0], -sign, value) : 0;
}

double sb_expression_take_constant(sb_expression *expression) {
  static const double none[SB_EXPRESSION_VARIABLES_MAX];
  double value[SB_EXPRESSION_NODES_MAX];
  sb_nodes_run(expression, none, -1, value, NULL);
  const double sum = take(expression, expression->count - 1, 1, value);
  sb_expression_find_beside_one(expression);
  return sum;
}
