// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef SB_CORE_EXPRESSION_PRIVATE_H
#define SB_CORE_EXPRESSION_PRIVATE_H

#include "core/expression/expression.h"

struct sb_expression {
  int variable_count;
  int count;
  sb_node nodes[]; // (count)
};

typedef enum sb_operator {
  SB_OP_NEGATE,
  SB_OP_ADD,
  SB_OP_SUBTRACT,
  SB_OP_MULTIPLY,
  SB_OP_DIVIDE,
  SB_OP_POWER,
  SB_OP_LESS,
  SB_OP_LESS_EQUAL,
  SB_OP_GREATER,
  SB_OP_GREATER_EQUAL,
  SB_OP_EQUAL,
  SB_OP_NOT_EQUAL,
  SB_OPERATORS
} sb_operator;

/** Whether a node has kinks or jumps that can be foreseen: in arguments that are piecewise linear in the
 *  variables other than signals. */
bool sb_node_has_kink(const sb_expression *expression, const sb_node *node);

extern const sb_function sb_operators[SB_OPERATORS];

/** A function by its name; NULL: there is none. */
const sb_function *sb_function_find(const char *name, size_t length);
/** The order of a function of arguments of these orders. */
int sb_function_order(const sb_function *function, const int orders[]);

#endif
