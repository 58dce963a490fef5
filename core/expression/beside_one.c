// SPDX-License-Identifier: GPL-3.0-or-later
// Functions with a 1 beside them that cancels, as 1 - cos u and log(1 + u). As they are written they are known to the rounding of 1: at small
// u in steps of 1e-16, and zero below. By u alone they have all of their digits:
//   cos u - 1 = -2 sin^2(u/2), cosh u - 1 = 2 sinh^2(u/2), exp u - 1 = expm1 u, log(1 + u) = log1p u,
//   sqrt(1 + u) - 1 = u/(sqrt(1 + u) + 1)
#include <math.h>

#include "core/expression/expression_private.h"

#define BESIDE_ONE(name, of, less, formula, derivative)                                            \
  static double name##_value(double u) {                                                           \
    return formula;                                                                                \
  }                                                                                                \
  static double name##_slope(double u) {                                                           \
    return derivative;                                                                             \
  }                                                                                                \
  const sb_beside_one sb_##name##_beside_one = {of, less, name##_value, name##_slope};

BESIDE_ONE(cosine, false, true, -2 * sin(0.5 * u) * sin(0.5 * u), -sin(u))
BESIDE_ONE(cosh, false, true, 2 * sinh(0.5 * u) * sinh(0.5 * u), sinh(u))
BESIDE_ONE(exp, false, true, expm1(u), exp(u))
BESIDE_ONE(log, true, false, log1p(u), 1 / (1 + u))
BESIDE_ONE(sqrt, true, true, u / (sqrt(1 + u) + 1), 0.5 / sqrt(1 + u))

static bool is_one(const sb_node *node) {
  return node->function == NULL && node->variable < 0 && node->number == 1;
}

/** The node of u where one is 1 + u, u + 1 or 1 - u; -1: it is none.  @param sign  out: of u */
static int beside(const sb_expression *expression, int node, double *sign) {
  const sb_node *sum = &expression->nodes[node];
  const bool less = sum->function == &sb_operators[SB_OP_SUBTRACT];
  *sign = less ? -1 : 1;
  if (!less && sum->function != &sb_operators[SB_OP_ADD]) {
    return -1;
  }
  const int a = sum->arguments[0], b = sum->arguments[1];
  return is_one(&expression->nodes[a]) ? b : !less && is_one(&expression->nodes[b]) ? a : -1;
}

/** The function of a node that is what stands beside the 1, or has it inside; NULL: none. */
static const sb_node *find_function(const sb_expression *expression, const sb_node *node,
                                    double *sign) {
  *sign = 1;
  if (node->function != &sb_operators[SB_OP_SUBTRACT]) {
    const sb_beside_one *form = node->function->beside_one;
    return form != NULL && !form->less ? node : NULL;
  }
  const sb_node *a = &expression->nodes[node->arguments[0]];
  const sb_node *b = &expression->nodes[node->arguments[1]];
  *sign = is_one(a) ? -1 : 1;
  const sb_node *f = is_one(a) ? b : is_one(b) ? a : NULL;
  const sb_beside_one *form = f == NULL || f->function == NULL ? NULL : f->function->beside_one;
  return form != NULL && form->less ? f : NULL;
}

bool sb_node_beside_one(const sb_expression *expression, const sb_node *node,
                        sb_beside_one_node *out) {
  const sb_node *f = find_function(expression, node, &out->outer);
  out->inner = 1;
  if (f == NULL) {
    return false;
  }
  out->form = f->function->beside_one;
  out->argument =
      out->form->sum ? beside(expression, f->arguments[0], &out->inner) : f->arguments[0];
  return out->argument >= 0;
}
