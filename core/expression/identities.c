// SPDX-License-Identifier: GPL-3.0-or-later
// Differences that are zero whatever the time is: u - u, 2*u - (u + u). Interval arithmetic does not see that both sides move
// together, and encloses u - u by -w and w over any span, however short. Here both sides are written as sums of multiples of
// expressions, a - b = sum of c_k e_k, which is zero where all c_k are.
#include "core/expression/features_private.h"

/** A sum of multiples of nodes. */
typedef struct sum {
  const sb_expression *expression;
  int count, node[SB_EXPRESSION_NODES_MAX];
  double factor[SB_EXPRESSION_NODES_MAX];
} sum;

/** Whether two nodes are the same expression, word by word. */
static bool is_same(const sb_expression *e, int a, int b) {
  const sb_node *one = &e->nodes[a], *other = &e->nodes[b];
  bool same = one->function == other->function && one->variable == other->variable &&
              (one->function != NULL || one->variable >= 0 || one->number == other->number);
  for (int k = 0; same && one->function != NULL && k < one->function->arity; k++) {
    same = is_same(e, one->arguments[k], other->arguments[k]);
  }
  return same;
}

static bool is_number(const sb_node *node) {
  return node->function == NULL && node->variable < 0;
}

/** A node that is no sum or multiple of others; numbers are multiples of one. */
static void add_one(sum *s, int i, double factor) {
  const sb_node *node = &s->expression->nodes[i];
  int k = 0;
  while (k < s->count && !(is_number(node) ? is_number(&s->expression->nodes[s->node[k]])
                                           : is_same(s->expression, s->node[k], i))) {
    k++;
  }
  if (k == s->count) {
    s->node[s->count] = i;
    s->factor[s->count++] = 0;
  }
  s->factor[k] += is_number(node) ? factor * node->number : factor;
}

static void add(sum *s, int i, double factor) {
  const sb_node *node = &s->expression->nodes[i], *nodes = s->expression->nodes;
  const sb_function *f = node->function;
  const int *arguments = node->arguments;
  const bool product = f == &sb_operators[SB_OP_MULTIPLY];
  if (f == &sb_operators[SB_OP_ADD] || f == &sb_operators[SB_OP_SUBTRACT]) {
    add(s, arguments[0], factor);
    add(s, arguments[1], f == &sb_operators[SB_OP_ADD] ? factor : -factor);
  } else if (f == &sb_operators[SB_OP_NEGATE]) {
    add(s, arguments[0], -factor);
  } else if (product && is_number(&nodes[arguments[0]])) {
    add(s, arguments[1], factor * nodes[arguments[0]].number);
  } else if (product && is_number(&nodes[arguments[1]])) {
    add(s, arguments[0], factor * nodes[arguments[1]].number);
  } else {
    add_one(s, i, factor);
  }
}

static bool agree(const sb_expression *expression, int a, int b) {
  sum s = {.expression = expression};
  bool zero = true;
  add(&s, a, 1);
  add(&s, b, -1);
  for (int k = 0; k < s.count; k++) {
    zero = zero && s.factor[k] == 0;
  }
  return zero;
}

bool sb_node_compares(const sb_node *node) {
  const sb_function *f = node->function;
  return f != NULL && f->kink == SB_KINK_EQUAL && sb_function_jumps(f);
}

bool sb_node_is_identity(const sb_expression *expression, const sb_node *node) {
  return (sb_node_compares(node) || node->function == &sb_operators[SB_OP_SUBTRACT]) &&
         agree(expression, node->arguments[0], node->arguments[1]);
}
