// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/expression/enclosure.h"

#include <math.h>

#include "core/expression/enclosure_private.h"

struct sb_enclosing {
  const sb_expression *expression;
  sb_enclose *rules; // (nodes) NULL: a number or a variable
  sb_motion *got;    // (nodes) of the last span
};

sb_enclosing *sb_enclosing_create(const sb_expression *expression, sb_arena *memory) {
  sb_enclosing *e = sb_arena_zeroed(memory, 1, sizeof *e);
  sb_enclose *rules = sb_arena_zeroed(memory, expression->count, sizeof *rules);
  sb_motion *got = sb_arena_zeroed(memory, expression->count, sizeof *got);
  if (memory->failed) {
    return NULL;
  }
  for (int i = 0; i < expression->count; i++) {
    const sb_function *f = expression->nodes[i].function;
    rules[i] = f == NULL ? NULL : sb_enclose_find(f);
  }
  *e = (sb_enclosing){expression, rules, got};
  return e;
}

static sb_interval point(double x) {
  return (sb_interval){x, x};
}

sb_motion sb_motion_constant(double x) {
  return (sb_motion){{point(x), {0, 0}}, x};
}

/** On the branch of the middle c: value = value(c) + sum of partial_k (a_k - a_k(c)), exactly. */
static sb_enclosure on_branch(const sb_node *node, const sb_enclosure a[], const double c[],
                              double value) {
  double partial[3] = {0};
  sb_enclosure sum = {point(value), {0, 0}};
  node->function->slope(c, c, value, partial);
  for (int k = 0; k < node->function->arity; k++) {
    const sb_interval factor = point(partial[k]), apart = sb_interval_add(a[k].value, point(-c[k]));
    sum.value = sb_interval_add(sum.value, sb_interval_multiply(factor, apart));
    sum.slope = sb_interval_add(sum.slope, sb_interval_multiply(factor, a[k].slope));
  }
  return sum;
}

sb_motion sb_node_move(const sb_node *node, sb_enclose rule, const sb_motion got[], double half) {
  double c[3] = {0};
  sb_enclosure a[3] = {0};
  for (int k = 0; k < node->function->arity; k++) {
    c[k] = got[node->arguments[k]].middle;
    a[k] = got[node->arguments[k]].all;
  }
  const double middle = node->function->value(c, c);
  sb_enclosure all = rule == NULL ? on_branch(node, a, c, middle) : rule(a);
  all.slope = sb_interval_known(all.slope);
  const sb_interval way = sb_interval_multiply(all.slope, (sb_interval){-half, half});
  all.value = sb_interval_meet(all.value, sb_interval_add(point(middle), way));
  return (sb_motion){all, middle};
}

sb_motion sb_enclosing_last(const sb_enclosing *e) {
  return e->got[e->expression->count - 1];
}

sb_motion sb_enclosing_move(const sb_enclosing *e, const sb_motion variables[], double half) {
  for (int i = 0; i < e->expression->count; i++) {
    const sb_node *node = &e->expression->nodes[i];
    e->got[i] = node->function != NULL ? sb_node_move(node, e->rules[i], e->got, half)
                : node->variable >= 0  ? variables[node->variable]
                                       : sb_motion_constant(node->number);
  }
  return sb_enclosing_last(e);
}

double sb_enclosing_turned(const sb_enclosing *e) {
  double most = 0;
  for (int i = 0; i < e->expression->count; i++) {
    const sb_node *node = &e->expression->nodes[i];
    if (sb_node_is_periodic(node)) {
      const sb_interval slope = e->got[node->arguments[0]].all.slope;
      most = fmax(most, fmax(slope.low, -slope.high)); // below zero where it may stand still
    }
  }
  return most;
}

/** sign (a - b). */
static sb_motion apart(sb_motion a, sb_motion b, double sign) {
  const sb_interval by = {sign, sign}, back = {-sign, -sign};
  return (sb_motion){{sb_interval_add(sb_interval_multiply(a.all.value, by),
                                      sb_interval_multiply(b.all.value, back)),
                      sb_interval_add(sb_interval_multiply(a.all.slope, by),
                                      sb_interval_multiply(b.all.slope, back))},
                     sign * (a.middle - b.middle)};
}

/** Of the distances from both ends of a whole number the lesser. */
static sb_motion nearer(sb_motion a, sb_motion b) {
  if (a.all.value.high <= b.all.value.low || b.all.value.high <= a.all.value.low) {
    return a.middle < b.middle ? a : b;
  }
  return (sb_motion){
      {{fmin(a.all.value.low, b.all.value.low), fmin(a.all.value.high, b.all.value.high)},
       sb_interval_hull(a.all.slope, b.all.slope)},
      fmin(a.middle, b.middle)};
}

sb_motion sb_enclosing_gap(const sb_enclosing *e, int index, double held) {
  const sb_node *node = &e->expression->nodes[index];
  const sb_kink kink = node->function->kink;
  const sb_motion a = e->got[node->arguments[0]];
  if (kink == SB_KINK_ZERO) {
    return apart(a, sb_motion_constant(0), held);
  }
  if (kink == SB_KINK_EQUAL) {
    return apart(a, e->got[node->arguments[1]], held);
  }
  // between whole numbers: of a, or of a/b with a constant b
  const double unit = kink == SB_KINK_MULTIPLE ? e->got[node->arguments[1]].middle : 1;
  const sb_motion none = sb_motion_constant(0), ratio = apart(a, none, 1 / unit);
  return nearer(apart(ratio, sb_motion_constant(held), 1),
                apart(ratio, sb_motion_constant(held + 1), -1));
}

double sb_enclosing_terms(const sb_enclosing *e, const double sizes[]) {
  const int count = e->expression->count;
  double value[SB_EXPRESSION_NODES_MAX], terms[SB_EXPRESSION_NODES_MAX];
  for (int i = 0; i < count; i++) {
    value[i] = e->got[i].middle;
  }
  sb_nodes_terms(e->expression, value, sizes, terms);
  return terms[count - 1];
}
