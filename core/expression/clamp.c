// SPDX-License-Identifier: GPL-3.0-or-later
// An expression that is not to be below zero is max(0, e): where it comes there it has a kink, which is located as any other.
#include <stdlib.h>
#include <string.h>

#include "core/expression/expression_private.h"

sb_status sb_expression_clamp(sb_expression **expression, sb_error *err) {
  const sb_expression *e = *expression;
  if (e == NULL || e->nodes[e->count - 1].order == 0) {
    return SB_OK;
  }
  if (e->count + 2 > SB_EXPRESSION_NODES_MAX) {
    return sb_fail(
        err, SB_ERR_TOO_LARGE,
        "an expression that is not below zero has at most %d numbers, names and operators",
        SB_EXPRESSION_NODES_MAX - 2);
  }
  const size_t nodes = (size_t)e->count * sizeof(sb_node);
  sb_expression *out = malloc(sizeof *out + nodes + 2 * sizeof(sb_node));
  if (out == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  memcpy(out, e, sizeof *out + nodes);
  const sb_node *last = &e->nodes[e->count - 1];
  const int arguments[] = {e->count, e->count - 1}, orders[] = {0, last->order};
  sb_node node = {.variable = -1, .start = last->start, .end = last->end, .at = last->at};
  out->nodes[out->count++] = node; // 0
  node.function = sb_function_find("max", 3);
  memcpy(node.arguments, arguments, sizeof arguments);
  node.order = sb_function_order(node.function, orders);
  out->nodes[out->count++] = node;
  sb_expression_find_beside_one(out);
  sb_expression_destroy(*expression);
  *expression = out;
  return SB_OK;
}
