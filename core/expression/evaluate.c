// SPDX-License-Identifier: GPL-3.0-or-later
// A compiled expression, and its values: one pass over the nodes, values and slopes side by side.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/expression/expression_private.h"

/** Times of jumps are the same within 8 roundings (sb_time_rounding()), and either side of a difference has its own. */
static const double limit_rounding = 16 * DBL_EPSILON;

static size_t size_of(const sb_expression *expression) {
  return sizeof *expression + (size_t)expression->count * sizeof(sb_node);
}

sb_status sb_expression_copy(const sb_expression *expression, sb_expression **copy, sb_error *err) {
  *copy = malloc(size_of(expression));
  if (*copy == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  memcpy(*copy, expression, size_of(expression));
  return SB_OK;
}

void sb_expression_destroy(sb_expression *expression) {
  free(expression);
}

const sb_node *sb_expression_nodes(const sb_expression *expression, int *count) {
  *count = expression->count;
  return expression->nodes;
}

bool sb_expression_uses(const sb_expression *expression, int slot) {
  bool uses = false;
  for (int i = 0; i < expression->count; i++) {
    uses = uses || expression->nodes[i].variable == slot;
  }
  return uses;
}

bool sb_expression_is_linear(const sb_expression *expression, int held) {
  bool linear = true, moves[SB_EXPRESSION_NODES_MAX];
  for (int i = 0; i < expression->count; i++) {
    const sb_node *node = &expression->nodes[i];
    int moving = 0; // arguments
    for (int k = 0; node->function != NULL && k < node->function->arity; k++) {
      const bool own = moves[node->arguments[k]];
      linear = linear && (!own || sb_node_passes(node, k));
      moving += own;
    }
    linear = linear && (moving < 2 || node->function->unit != SB_UNIT_PRODUCT);
    moves[i] = node->order > 0 && (moving > 0 || (node->variable >= 0 && node->variable != held));
  }
  return linear;
}

bool sb_node_has_kink(const sb_expression *expression, const sb_node *node) {
  if (node->function == NULL || node->function->kink == SB_KINK_NONE || node->order == 0 ||
      (node->function->kink == SB_KINK_MULTIPLE && node->order > 1)) {
    return false;
  }
  // Only what decides on the branch counts: the condition of `if`, else all arguments.
  int deciding = node->function->unit == SB_UNIT_CONDITION ? 1 : node->function->arity;
  for (int k = 0; k < deciding; k++) {
    if (expression->nodes[node->arguments[k]].order > 1) {
      return false;
    }
  }
  return true;
}

static double product(double a, double b) {
  return a != 0 && b != 0 ? a * b : 0; // infinity times 0 is 0
}

/** Where the branches of an expression come from; all NULL: from the arguments. */
typedef struct branch_source {
  const double *chosen; // values of all nodes inside the present smooth piece of the time
  bool all;             // these decide on every branch
  const sb_branches *held;
  bool beyond; // where those that are held have no value: only noted, the present arguments decide
} branch_source;

static void measure(const sb_expression *expression, const sb_node *node, const branch_source *from,
                    const double value[]);

/** The arguments by which the branch of a node is chosen. @return whether they are not the present ones */
static bool branch_arguments(const sb_expression *expression, const sb_node *node,
                             const branch_source *from, const double value[], const double a[3],
                             double c[3]) {
  if (node->branch > 0 && from->held != NULL) {
    sb_branch_note(node, from->held, a);
    if (from->held->measures) {
      measure(expression, node, from, value);
    }
    return !from->beyond && sb_branch_arguments(node, from->held->held[node->branch - 1], c);
  }
  const bool follows = node->follows && from->held != NULL;
  if (from->chosen != NULL && (from->all || node->branch == SB_BRANCH_OWN ||
                               (!follows && sb_node_has_kink(expression, node)))) {
    for (int k = 0; k < node->function->arity; k++) {
      c[k] = from->chosen[node->arguments[k]];
    }
    return true;
  }
  return false;
}

/** Whether a node is zero, or compares the same, on the branches that are held: else it would be rounding, with a sign. */
static bool is_nothing(const sb_expression *expression, const sb_node *node,
                       const branch_source *from, const double value[]) {
  return node->vanishes && from->held != NULL && !from->beyond &&
         sb_node_vanishes(expression, node, from->held->held, value);
}

/** The arguments of a node. */
static void take_arguments(const sb_expression *expression, const sb_node *node,
                           const branch_source *from, const double value[], double a[3]) {
  for (int k = 0; k < node->function->arity; k++) {
    a[k] = value[node->arguments[k]];
  }
  if (node->function->kink == SB_KINK_EQUAL && is_nothing(expression, node, from, value)) {
    a[1] = a[0];
  }
}

/** The partial derivatives of the function of a node, on the branch that holds; @return its arity. */
static int slopes(const sb_expression *expression, int i, const branch_source *from,
                  const double value[], double a[3], double partial[3]) {
  const sb_node *node = &expression->nodes[i];
  const sb_function *f = node->function;
  double other[3];
  if (f == NULL) {
    return 0;
  }
  take_arguments(expression, node, from, value, a);
  const double *c =
      f->kink != SB_KINK_NONE && branch_arguments(expression, node, from, value, a, other) ? other
                                                                                           : a;
  f->slope(a, c, value[i], partial);
  return f->arity;
}

/** The sums of the absolute values of the terms of the first nodes: each has its own value, and what the condition numbers of its
 *  operation make of those of its arguments.  @param sizes  of the variables; NULL: their absolute values */
static void find_terms(const sb_expression *expression, int count, const branch_source *from,
                       const double value[], const double sizes[], double terms[]) {
  for (int i = 0; i < count; i++) {
    const sb_node *node = &expression->nodes[i];
    double a[3], partial[3], sum = sizes != NULL && node->variable >= 0 ? sizes[node->variable] : 0;
    if (node->beside_one) {
      terms[i] = fmax(fabs(value[i]), sb_node_beside_one_terms(expression, node, value, terms));
      continue;
    }
    int arity = slopes(expression, i, from, value, a, partial);
    for (int k = 0; k < arity;
         k++) { // not a number: of the exponent of a negative base, a whole number
      sum += isnan(partial[k]) ? 0 : product(fabs(partial[k]), terms[node->arguments[k]]);
    }
    terms[i] = fmax(fabs(value[i]), sum);
  }
}

/** The same of the nodes before one, while it is evaluated itself. */
static void find_terms_before(const sb_expression *expression, const sb_node *node,
                              const branch_source *from, const double value[], double terms[]) {
  sb_branches quiet = {0};
  branch_source as = *from;
  if (from->held != NULL) {
    quiet = *from->held;
    quiet.notes = quiet.measures = false;
    as.held = &quiet;
  }
  find_terms(expression, (int)(node - expression->nodes), &as, value, NULL, terms);
}

/** How far what decides on the branch of a node is from its kink, and the terms by which it is known. */
static void measure(const sb_expression *expression, const sb_node *node, const branch_source *from,
                    const double value[]) {
  double terms[SB_EXPRESSION_NODES_MAX], a[3] = {0}, of[3] = {0};
  find_terms_before(expression, node, from, value, terms);
  for (int k = 0; k < node->function->arity; k++) {
    a[k] = value[node->arguments[k]];
    of[k] = terms[node->arguments[k]];
  }
  from->held->off[node->branch - 1] = sb_branch_off(node, a);
  from->held->terms[node->branch - 1] = sb_branch_terms(node, a, of);
}

/** mod(a, b) = a - b k lies between 0 and b, which are its one-sided limits at the ends of a branch. What is beyond them by no more than
 *  that is known to, by the terms of a and of b k and as jumps are located to rounding of what decides, is the limit: 6e-5 - 3*2e-5
 *  is 0, not -7e-21. Farther beyond the branch goes on. */
static double limit_multiple(const sb_expression *expression, const sb_node *node,
                             const branch_source *from, const double values[], double value) {
  const double a = values[node->arguments[0]], b = values[node->arguments[1]];
  const double low = fmin(b, 0), high = fmax(b, 0);
  if (!(value < low || value > high)) {
    return value;
  }
  double terms[SB_EXPRESSION_NODES_MAX];
  find_terms_before(expression, node, from, values, terms);
  const double known =
      terms[node->arguments[0]] + fabs((a - value) / b) * terms[node->arguments[1]];
  const double limit = value < low ? low : high;
  return fabs(value - limit) <= limit_rounding * known ? limit : value;
}

/** Values of all nodes; `slope` may be NULL. */
static void run_in(const sb_expression *expression, const double variables[], int slot,
                   const branch_source *from, double value[], double slope[]) {
  for (int i = 0; i < expression->count; i++) {
    const sb_node *node = &expression->nodes[i];
    const sb_function *f = node->function;
    if (f == NULL) {
      value[i] = node->variable >= 0 ? variables[node->variable] : node->number;
      if (slope != NULL) {
        slope[i] = node->variable >= 0 && node->variable == slot;
      }
      continue;
    }
    double a[3], other[3], partial[3];
    take_arguments(expression, node, from, value, a);
    const double *c =
        f->kink != SB_KINK_NONE && branch_arguments(expression, node, from, value, a, other) ? other
                                                                                             : a;
    value[i] = node->beside_one ? sb_node_beside_one(expression, node, value) : f->value(a, c);
    if (f->kink == SB_KINK_NONE && is_nothing(expression, node, from, value)) {
      value[i] = 0;
    }
    if (f->kink == SB_KINK_MULTIPLE) {
      value[i] = limit_multiple(expression, node, from, value, value[i]);
    }
    if (slope == NULL) {
      continue;
    }
    slope[i] = 0;
    f->slope(a, c, value[i], partial);
    for (int k = 0; k < f->arity; k++) {
      slope[i] += product(partial[k], slope[node->arguments[k]]);
    }
  }
}

/** Whether a branch that is held has no value or no slope beyond its kink, as max(0, x)^1.5 where x has become negative: until
 *  the event the present arguments decide there. */
static bool ends(const sb_expression *expression, const branch_source *from, const double value[],
                 const double slope[]) {
  const int last = expression->count - 1;
  return from->held != NULL && !from->beyond &&
         !(isfinite(value[last]) && (slope == NULL || isfinite(slope[last])));
}

/** run_in() as far as the branches that are held go, and beyond. */
static void run_held(const sb_expression *expression, const double variables[], int slot,
                     branch_source *from, double value[], double slope[]) {
  run_in(expression, variables, slot, from, value, slope);
  if (ends(expression, from, value, slope)) {
    from->beyond = true;
    run_in(expression, variables, slot, from, value, slope);
  }
}

static void run(const sb_expression *expression, const double variables[], int slot, double value[],
                double slope[]) {
  run_in(expression, variables, slot, &(branch_source){0}, value, slope);
}

void sb_nodes_run(const sb_expression *expression, const double variables[], int slot,
                  double value[], double slope[]) {
  run(expression, variables, slot, value, slope);
}

void sb_nodes_run_on(const sb_expression *expression, const double variables[],
                     const double chosen[], double value[]) {
  run_in(expression, variables, -1, &(branch_source){.chosen = chosen, .all = true}, value, NULL);
}

void sb_nodes_terms(const sb_expression *expression, const double value[], const double sizes[],
                    double terms[]) {
  find_terms(expression, expression->count, &(branch_source){0}, value, sizes, terms);
}

double sb_expression_value(const sb_expression *expression, const double variables[]) {
  double value[SB_EXPRESSION_NODES_MAX];
  run(expression, variables, -1, value, NULL);
  return value[expression->count - 1];
}

double sb_expression_terms(const sb_expression *expression, const double variables[],
                           const double inside[], const sb_branches *branches) {
  double value[SB_EXPRESSION_NODES_MAX], terms[SB_EXPRESSION_NODES_MAX];
  double chosen[SB_EXPRESSION_NODES_MAX];
  branch_source from = {.chosen = inside == NULL ? NULL : chosen, .held = branches};
  if (inside != NULL) {
    run(expression, inside, -1, chosen, NULL);
  }
  run_held(expression, variables, -1, &from, value, NULL);
  find_terms(expression, expression->count, &from, value, NULL, terms);
  return terms[expression->count - 1];
}

sb_dual sb_expression_dual(const sb_expression *expression, const double variables[], int slot) {
  double value[SB_EXPRESSION_NODES_MAX], slope[SB_EXPRESSION_NODES_MAX];
  run(expression, variables, slot, value, slope);
  return (sb_dual){value[expression->count - 1], slope[expression->count - 1]};
}

sb_dual sb_expression_at(const sb_expression *expression, const double variables[],
                         const double inside[], const sb_branches *branches, int slot) {
  double value[SB_EXPRESSION_NODES_MAX], slope[SB_EXPRESSION_NODES_MAX];
  double chosen[SB_EXPRESSION_NODES_MAX];
  branch_source from = {.chosen = inside == NULL ? NULL : chosen, .held = branches};
  if (inside != NULL) {
    run(expression, inside, -1, chosen, NULL);
  }
  run_held(expression, variables, slot, &from, value, slot < 0 ? NULL : slope);
  return (sb_dual){value[expression->count - 1], slot < 0 ? 0 : slope[expression->count - 1]};
}

sb_dual sb_expression_beside(const sb_expression *expression, const double variables[],
                             const double beside[], int slot) {
  double value[SB_EXPRESSION_NODES_MAX], slope[SB_EXPRESSION_NODES_MAX];
  double chosen[SB_EXPRESSION_NODES_MAX];
  run(expression, beside, -1, chosen, NULL);
  run_in(expression, variables, slot, &(branch_source){.chosen = chosen, .all = true}, value,
         slope);
  return (sb_dual){value[expression->count - 1], slope[expression->count - 1]};
}

/** What decides on a branch does so between events; of `if` only its condition does, which has branches itself. */
static bool has_branches(const sb_node *node) {
  return node->function != NULL && node->function->kink != SB_KINK_NONE && node->order > 0 &&
         node->function->unit != SB_UNIT_CONDITION;
}

/** An `if` is on the side that its condition has on the branches that are held: by its present arguments it would change
 *  sides within a step, unlike its condition. */
static void find_following(sb_expression *expression) {
  bool held[SB_EXPRESSION_NODES_MAX];
  for (int i = 0; i < expression->count; i++) {
    sb_node *node = &expression->nodes[i];
    held[i] = node->branch > 0;
    for (int k = 0; node->function != NULL && k < node->function->arity; k++) {
      held[i] = held[i] || held[node->arguments[k]];
    }
    node->follows = node->function != NULL && node->function->unit == SB_UNIT_CONDITION &&
                    held[node->arguments[0]];
  }
}

int sb_expression_number(sb_expression *expression, int first, bool foreseen, bool energy) {
  int count = 0;
  for (int i = 0; i < expression->count; i++) {
    sb_node *node = &expression->nodes[i];
    if (has_branches(node) && node->branch != SB_BRANCH_OWN &&
        !(foreseen && sb_node_has_kink(expression, node))) {
      node->branch = 1 + first + count++;
      node->rests = energy && node->function->arity == 1;
    }
  }
  find_following(expression);
  for (int i = 0; i < expression->count; i++) {
    expression->nodes[i].vanishes = sb_node_may_vanish(expression, i);
  }
  sb_expression_find_beside_one(expression);
  return count;
}

void sb_expression_claim(sb_expression *expression, const double a[], const double b[]) {
  double at_a[SB_EXPRESSION_NODES_MAX], at_b[SB_EXPRESSION_NODES_MAX];
  run(expression, a, -1, at_a, NULL);
  run(expression, b, -1, at_b, NULL);
  for (int i = 0; i < expression->count; i++) {
    sb_node *node = &expression->nodes[i];
    double first[3] = {0}, second[3] = {0};
    for (int k = 0; node->function != NULL && k < node->function->arity; k++) {
      first[k] = at_a[node->arguments[k]];
      second[k] = at_b[node->arguments[k]];
    }
    if (has_branches(node) && sb_branch_of(node, first) != sb_branch_of(node, second)) {
      node->branch = SB_BRANCH_OWN;
    }
  }
}

/** Second derivatives along with the values and the two first derivatives, node by node. */
double sb_expression_second(const sb_expression *expression, const double variables[],
                            const sb_branches *branches, int slot, int other) {
  branch_source from = {.held = branches};
  double value[SB_EXPRESSION_NODES_MAX], s[SB_EXPRESSION_NODES_MAX], o[SB_EXPRESSION_NODES_MAX];
  double second[SB_EXPRESSION_NODES_MAX];
  run_held(expression, variables, other, &from, value, o);
  run_held(expression, variables, slot, &from, value, s);
  if (from.beyond) {
    run_in(expression, variables, other, &from, value, o);
  }
  for (int i = 0; i < expression->count; i++) {
    const sb_node *node = &expression->nodes[i];
    double a[3], partial[3], curve[3] = {0};
    int arity = node->order == 0 ? 0 : slopes(expression, i, &from, value, a, partial);
    second[i] = 0;
    if (arity > 0 && node->function->second != NULL) {
      node->function->second(a, value[i], curve);
    }
    for (int k = 0; k < arity; k++) {
      second[i] += product(partial[k], second[node->arguments[k]]);
      for (int j = 0; j < arity && j < 2 && k < 2; j++) {
        second[i] += product(curve[k + j], s[node->arguments[k]] * o[node->arguments[j]]);
      }
    }
  }
  return second[expression->count - 1];
}
