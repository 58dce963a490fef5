// SPDX-License-Identifier: GPL-3.0-or-later
// Branches of expressions (min, abs, sign, comparisons, floor, mod) that are held between events.
#include <float.h>
#include <math.h>

#include "core/expression/expression_private.h"

bool sb_node_by_sign(const sb_node *node) {
  return node->function->kink == SB_KINK_ZERO || node->function->kink == SB_KINK_EQUAL;
}

double sb_node_deciding(const sb_node *node, const double a[]) {
  switch (node->function->kink) {
  case SB_KINK_EQUAL:
    return a[0] - a[1];
  case SB_KINK_MULTIPLE:
    return a[0] / a[1];
  default:
    return a[0];
  }
}

/** The piece [k, k + 1] that has the value at d. At d = k that of floor and mod begins, and that of ceil ends. */
static double piece_of(const sb_node *node, const double a[], double d) {
  const double below = floor(d), at[2] = {d, 1}, within[2] = {below + 0.5, 1};
  const bool ends = d == below && node->function->value(a, at) != node->function->value(a, within);
  return ends ? below - 1 : below;
}

double sb_branch_of(const sb_node *node, const double a[]) {
  double d = sb_node_deciding(node, a);
  if (!sb_node_by_sign(node)) {
    return piece_of(node, a, d);
  }
  return d > 0 ? 1 : d < 0 ? -1 : sb_function_jumps(node->function) || node->rests ? 0 : 1;
}

double sb_branch_off(const sb_node *node, const double a[]) {
  const double d = sb_node_deciding(node, a);
  return sb_node_by_sign(node) ? d : d - nearbyint(d);
}

/** As by sb_expression_terms(): of a - b the terms of both, of a / b = a (1 / b) those of both factors. */
double sb_branch_terms(const sb_node *node, const double a[], const double terms[]) {
  switch (node->function->kink) {
  case SB_KINK_EQUAL:
    return terms[0] + terms[1];
  case SB_KINK_MULTIPLE:
    return terms[0] / fabs(a[1]) + fabs(a[0] / a[1]) * (terms[1] / fabs(a[1]));
  default:
    return terms[0];
  }
}

void sb_branch_note(const sb_node *node, const sb_branches *branches, const double a[]) {
  if (!branches->notes) {
    return;
  }
  int branch = node->branch - 1;
  double held = branches->held[branch], d = sb_node_deciding(node, a);
  double inside = !sb_node_by_sign(node) ? fmin(d - held, held + 1 - d)
                  : held != 0            ? held * d
                  : d == 0               ? DBL_MIN
                                         : -fabs(d);
  const double now = branches->now[branch] = sb_branch_of(node, a);
  const bool at_end = inside == 0 && sb_function_jumps(node->function);
  inside = at_end && now == held ? DBL_MIN : inside;
  branches->gap[branch] = isnan(held) ? HUGE_VAL : inside + branches->band[branch];
  branches->ended[branch] = at_end && now != held && isfinite(branches->band[branch]);
}

bool sb_branch_arguments(const sb_node *node, double held, double c[3]) {
  c[0] = sb_node_by_sign(node) ? held : held + 0.5;
  c[1] = sb_node_by_sign(node) ? 0 : 1;
  return !isnan(held);
}

/** Whether a node tells the side of zero that one of its arguments is on, which is a variable. */
static bool tells_side(const sb_expression *expression, const sb_node *node, int argument) {
  const sb_function *f = node->function;
  const sb_node *other = &expression->nodes[node->arguments[f->arity == 2 ? 1 - argument : 0]];
  bool zero = other->function == NULL && other->variable < 0 && other->number == 0;
  return sb_function_jumps(f) && (f->kink == SB_KINK_ZERO || (f->kink == SB_KINK_EQUAL && zero));
}

bool sb_expression_by_sign(const sb_expression *expression, int slot) {
  bool by_sign = expression->nodes[expression->count - 1].variable != slot;
  for (int i = 0; i < expression->count; i++) {
    const sb_node *node = &expression->nodes[i];
    for (int k = 0; node->function != NULL && k < node->function->arity; k++) {
      by_sign = by_sign && (expression->nodes[node->arguments[k]].variable != slot ||
                            tells_side(expression, node, k));
    }
  }
  return by_sign;
}
