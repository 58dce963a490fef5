// SPDX-License-Identifier: GPL-3.0-or-later
// Differences that are zero whatever the time is: u - u, 2*u - (u + u). Interval arithmetic does not see that both sides move
// together, and encloses u - u by -w and w over any span, however short. Here both sides are written as sums of multiples of
// expressions, a - b = sum of c_k e_k, which is zero where all c_k are. And differences that are zero over a span, where min, max, abs and `if` are one of
// their arguments: x - min(x, 0) while x < 0. The same on branches that are held: abs(x - a) + x - a is zero while the abs is a - x, of
// which rounding leaves 1e-17, with either sign.
#include <math.h>

#include "core/expression/features_private.h"

/** What has more of min, max, abs and `if` before it is taken as it is rounded. */
enum { CHOICES_MAX = 6 };

/** A sum of multiples of nodes. */
typedef struct sum {
  const sb_expression *expression;
  int count, node[SB_EXPRESSION_NODES_MAX];
  double factor[SB_EXPRESSION_NODES_MAX];
  const double *
      side; // (nodes) of min, max, abs and `if`: what decides on the branch; NULL: they are no sums
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

/** Whether a node is one of its arguments, but for the sign: min, max, abs and `if`. */
static bool chooses(const sb_node *node) {
  return node->function != NULL && sb_node_by_sign(node) && !sb_function_jumps(node->function);
}

/** The argument that a node is by the arguments that decide; -1: none, as of abs at zero.  @param sign  in and out */
static int choose(const sb_node *node, const double c[3], double *sign) {
  double partial[3] = {0};
  int found = -1;
  node->function->slope(c, c, node->function->value(c, c), partial);
  for (int k = 0; k < node->function->arity; k++) {
    found = partial[k] != 0 ? k : found;
  }
  *sign *= found >= 0 ? partial[found] : 1;
  return found < 0 ? -1 : node->arguments[found];
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
  const double c[3] = {s->side != NULL ? s->side[i] : NAN, 0, 0};
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
    const int choice = chooses(node) && !isnan(c[0]) ? choose(node, c, &factor) : -1;
    if (choice >= 0) {
      add(s, choice, factor);
    } else {
      add_one(s, i, factor);
    }
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

/** Whether it is the same one throughout a span. */
static bool is_decided(const sb_node *node, const sb_motion got[]) {
  const sb_interval zero = {0, 0}, a = got[node->arguments[0]].all.value;
  const sb_interval b =
      node->function->kink == SB_KINK_EQUAL ? got[node->arguments[1]].all.value : zero;
  return a.low > b.high || a.high < b.low;
}

/** The argument that a node is by the branch of the middle of a span, of which it has no other.
 *  @param sign  in and out  @return that argument; -1: there is none */
static int chosen(const sb_node *node, const sb_motion got[], double *sign) {
  double c[3] = {0};
  for (int k = 0; k < node->function->arity; k++) {
    c[k] = got[node->arguments[k]].middle;
  }
  return choose(node, c, sign);
}

/** The node that a node is throughout a span, but for the sign. */
static int resolve(const sb_expression *e, const sb_motion got[], int i, double *sign) {
  for (int next = i; next >= 0;) {
    const sb_node *node = &e->nodes[i = next];
    next = -1;
    if (node->function == &sb_operators[SB_OP_NEGATE]) {
      *sign = -*sign;
      next = node->arguments[0];
    } else if (chooses(node) && is_decided(node, got)) {
      next = chosen(node, got, sign);
    }
  }
  return i;
}

/** Whether b is `sign` times a throughout a span, to the last bit: the same operations on the same numbers. */
static bool is_same_within(const sb_expression *e, const sb_motion got[], int a, int b,
                           double sign) {
  const sb_node *one = &e->nodes[resolve(e, got, a, &sign)];
  const sb_node *other = &e->nodes[resolve(e, got, b, &sign)];
  if (is_number(one) && is_number(other)) {
    return one->number == sign * other->number;
  }
  bool same = sign > 0 && one->function == other->function && one->variable == other->variable &&
              !is_number(one) && !is_number(other);
  for (int k = 0; same && one->function != NULL && k < one->function->arity; k++) {
    same = is_same_within(e, got, one->arguments[k], other->arguments[k], 1);
  }
  return same;
}

static bool has_choice(const sb_expression *expression, int i) {
  const sb_node *node = &expression->nodes[i];
  bool any = chooses(node);
  for (int k = 0; !any && node->function != NULL && k < node->function->arity; k++) {
    any = has_choice(expression, node->arguments[k]);
  }
  return any;
}

bool sb_node_may_cancel(const sb_expression *expression, const sb_node *node) {
  const sb_function *f = node->function;
  return (sb_node_compares(node) || f == &sb_operators[SB_OP_ADD] ||
          f == &sb_operators[SB_OP_SUBTRACT]) &&
         (has_choice(expression, node->arguments[0]) || has_choice(expression, node->arguments[1]));
}

bool sb_node_cancels(const sb_expression *expression, const sb_node *node, const sb_motion got[]) {
  const double sign = node->function == &sb_operators[SB_OP_ADD] ? -1 : 1;
  return is_same_within(expression, got, node->arguments[0], node->arguments[1], sign);
}

/** Whether a sum or a difference, or that of both sides of a comparison, is zero with min, max, abs and `if` on these sides. */
static bool vanishes(const sb_expression *expression, const sb_node *node, const double side[]) {
  sum s;
  bool zero = true;
  s.expression = expression;
  s.side = side;
  s.count = 0;
  add(&s, node->arguments[0], 1);
  add(&s, node->arguments[1], node->function == &sb_operators[SB_OP_ADD] ? 1 : -1);
  for (int k = 0; k < s.count; k++) {
    zero = zero && s.factor[k] == 0;
  }
  return zero;
}

/** Lists min, max, abs and `if` that a node is computed from, and itself. */
static void list_choices(const sb_expression *expression, int i, int list[], int *count) {
  const sb_node *node = &expression->nodes[i];
  if (chooses(node)) {
    list[(*count)++] = i;
  }
  for (int k = 0; node->function != NULL && k < node->function->arity; k++) {
    list_choices(expression, node->arguments[k], list, count);
  }
}

bool sb_node_may_vanish(const sb_expression *expression, int i) {
  const sb_node *node = &expression->nodes[i];
  double side[SB_EXPRESSION_NODES_MAX];
  int list[SB_EXPRESSION_NODES_MAX], count = 0;
  bool any = false;
  if (node->order == 0 || !sb_node_may_cancel(expression, node)) {
    return false;
  }
  list_choices(expression, i, list, &count);
  for (int sides = 0; !any && count <= CHOICES_MAX && sides < 1 << count; sides++) {
    for (int k = 0; k < count; k++) {
      const bool condition = expression->nodes[list[k]].function->unit == SB_UNIT_CONDITION;
      side[list[k]] = sides >> k & 1 ? 1 : condition ? 0 : -1;
    }
    any = vanishes(expression, node, side);
  }
  return any;
}

bool sb_node_vanishes(const sb_expression *expression, const sb_node *node, const double held[],
                      const double value[]) {
  double side[SB_EXPRESSION_NODES_MAX];
  int list[SB_EXPRESSION_NODES_MAX], count = 0;
  list_choices(expression, (int)(node - expression->nodes), list, &count);
  for (int k = 0; k < count; k++) {
    const sb_node *choice = &expression->nodes[list[k]];
    side[list[k]] = choice->function->unit == SB_UNIT_CONDITION ? value[choice->arguments[0]]
                    : choice->branch > 0                        ? held[choice->branch - 1]
                                                                : NAN;
  }
  return vanishes(expression, node, side);
}
