// SPDX-License-Identifier: GPL-3.0-or-later
// Sums in which a function that is 1 at zero cancels with numbers, as 1 - cos u, I*exp(u) - I and -2 + x + exp(u) + cosh(v), and functions
// of 1 + u. As they are written they are known to the rounding of 1: at small u in steps of 1e-16, and zero below. By u alone they have all
// of their digits:
//   cos u - 1 = -2 sin^2(u/2), cosh u - 1 = 2 sinh^2(u/2), exp u - 1 = expm1 u, log(1 + u) = log1p u,
//   sqrt(1 + u) - 1 = u/(sqrt(1 + u) + 1)
// A sum is C + sum of k_i f_i(u_i) + the rest, in whatever order and however nested. Where C = -sum of k_i, all k_i of one sign, it is
//   sum of k_i (f_i(u_i) - 1) + the rest
#include <math.h>

#include "core/expression/expression_private.h"

/** @param s  1 + u, as it is written */
#define BESIDE_ONE(name, of, less, formula, derivative)                                            \
  static double name##_value(double u, double s) {                                                 \
    (void)s;                                                                                       \
    return formula;                                                                                \
  }                                                                                                \
  static double name##_slope(double u, double s) {                                                 \
    (void)u;                                                                                       \
    (void)s;                                                                                       \
    return derivative;                                                                             \
  }                                                                                                \
  const sb_beside_one sb_##name##_beside_one = {of, less, name##_value, name##_slope};

BESIDE_ONE(cosine, false, true, -2 * sin(0.5 * u) * sin(0.5 * u), -sin(u))
BESIDE_ONE(cosh, false, true, 2 * sinh(0.5 * u) * sinh(0.5 * u), sinh(u))
BESIDE_ONE(exp, false, true, expm1(u), exp(u))
// At -1 < u < -1/2 the sum 1 + u is exact where u is a number, and has all of its digits as 1 - exp(v) where u has not.
BESIDE_ONE(log, true, false, u < -0.5 ? log(s) : log1p(u), 1 / s)
BESIDE_ONE(sqrt, true, true, u / (sqrt(s) + 1), 0.5 / sqrt(s))

static bool is(const sb_node *node, sb_operator operator) {
  return node->function == &sb_operators[operator];
}

/** C + sum of k_i f_i(u_i) + the rest, and what is left of it without C. */
typedef struct sum {
  const sb_expression *expression;
  const double *value, *terms; // of the nodes; no terms: they are not wanted
  bool whole;                  // all f_i are of the rest
  double constant, ones;       // C, sum of k_i
  double sizes;                // sum of |k_i|
  double left, left_terms;     // sum of k_i (f_i(u_i) - 1) + the rest, and of the terms of these
} sum;

static void add(sum *s, int i, double factor);

static bool add_both(sum *s, const sb_node *node, double factor) {
  const bool plus = is(node, SB_OP_ADD);
  if (!plus && !is(node, SB_OP_SUBTRACT)) {
    return false;
  }
  add(s, node->arguments[0], factor);
  add(s, node->arguments[1], plus ? factor : -factor);
  return true;
}

/** Adds k f(u).  @param less  whether f - 1 or f of 1 + u is known by u  @return whether a node is such a function */
static bool add_function(sum *s, const sb_node *node, double k, bool less) {
  const sb_beside_one *form = node->function == NULL ? NULL : node->function->beside_one;
  if (form == NULL || form->less != less) {
    return false;
  }
  const int i = node->arguments[0];
  const double whole = s->value[i];
  sum u = {.left = whole, .left_terms = s->terms == NULL ? 0 : s->terms[i]};
  if (form->sum) {
    u = (sum){.expression = s->expression, .value = s->value, .terms = s->terms, .whole = true};
    if (!add_both(&u, &s->expression->nodes[i], 1) || u.constant != 1) {
      return false;
    }
  }
  s->ones += k;
  s->sizes += fabs(k);
  s->left += k * form->value(u.left, whole);
  s->left_terms += u.left_terms > 0 ? fabs(k * form->slope(u.left, whole)) * u.left_terms : 0;
  return true;
}

/** Adds a multiple of a node. What has lost its 1 already is a value like others. */
static void add(sum *s, int i, double factor) {
  const sb_node *nodes = s->expression->nodes, *node = &nodes[i];
  const int a = node->arguments[0], b = node->arguments[1];
  const bool product = is(node, SB_OP_MULTIPLY), quotient = is(node, SB_OP_DIVIDE);
  if (is(node, SB_OP_NEGATE)) {
    add(s, a, -factor);
  } else if (product && nodes[a].order == 0) {
    add(s, b, factor * s->value[a]);
  } else if ((product || quotient) && nodes[b].order == 0) {
    add(s, a, product ? factor * s->value[b] : factor / s->value[b]);
  } else if (!(!s->whole && add_function(s, node, factor, true)) &&
             !(!node->beside_one && !node->vanishes && add_both(s, node, factor))) {
    *(node->order == 0 ? &s->constant : &s->left) += factor * s->value[i];
    s->left_terms += s->terms != NULL && node->order > 0 ? fabs(factor) * s->terms[i] : 0;
  }
}

/** @return whether a 1 cancels in a node */
static bool reduce(const sb_expression *expression, const sb_node *node, const double value[],
                   const double terms[], sum *s) {
  *s = (sum){.expression = expression, .value = value, .terms = terms};
  return add_both(s, node, 1) ? s->sizes > 0 && s->sizes == fabs(s->ones) && s->constant == -s->ones
                              : add_function(s, node, 1, false);
}

void sb_expression_find_beside_one(sb_expression *expression) {
  static const double none[SB_EXPRESSION_VARIABLES_MAX];
  double value[SB_EXPRESSION_NODES_MAX];
  sum s;
  for (int i = 0; i < expression->count; i++) {
    expression->nodes[i].beside_one = false;
  }
  sb_nodes_run(expression, none, -1, value, NULL);
  for (int i = 0; i < expression->count; i++) {
    sb_node *node = &expression->nodes[i];
    node->beside_one = reduce(expression, node, value, NULL, &s);
    if (node->beside_one && node->order == 0) { // constants that follow are seen as they will be
      sb_nodes_run(expression, none, -1, value, NULL);
    }
  }
}

double sb_node_beside_one(const sb_expression *expression, const sb_node *node,
                          const double value[]) {
  sum s;
  (void)reduce(expression, node, value, NULL, &s);
  return s.left;
}

double sb_node_beside_one_terms(const sb_expression *expression, const sb_node *node,
                                const double value[], const double terms[]) {
  sum s;
  (void)reduce(expression, node, value, terms, &s);
  return s.left_terms;
}
