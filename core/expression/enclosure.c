// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/expression/enclosure.h"

#include <math.h>

#include "core/expression/interval_private.h"

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

static sb_motion constant(double x) {
  return (sb_motion){{{x, x}, {0, 0}}, x};
}

/** Of what is also enclosed by its value in the middle and its slope. */
static sb_motion meet(sb_enclosure a, double middle, double half) {
  a.slope = sb_interval_known(a.slope);
  const sb_interval way = sb_interval_multiply(a.slope, (sb_interval){-half, half});
  const sb_interval around = sb_interval_add((sb_interval){middle, middle}, way);
  a.value = sb_interval_meet(sb_interval_known(a.value), sb_interval_known(around));
  return (sb_motion){a, middle};
}

sb_motion sb_enclosing_last(const sb_enclosing *e) {
  return e->got[e->expression->count - 1];
}

sb_motion sb_enclosing_move(const sb_enclosing *e, const sb_motion variables[], double half) {
  const int count = e->expression->count;
  for (int i = 0; i < count; i++) {
    const sb_node *node = &e->expression->nodes[i];
    if (node->function == NULL) {
      e->got[i] = node->variable >= 0 ? variables[node->variable] : constant(node->number);
      continue;
    }
    double c[3] = {0};
    sb_enclosure a[3] = {0};
    for (int k = 0; k < node->function->arity; k++) {
      c[k] = e->got[node->arguments[k]].middle;
      a[k] = e->got[node->arguments[k]].all;
    }
    e->got[i] = meet(e->rules[i](a), node->function->value(c, c), half);
  }
  return sb_enclosing_last(e);
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
       {fmin(a.all.slope.low, b.all.slope.low), fmax(a.all.slope.high, b.all.slope.high)}},
      fmin(a.middle, b.middle)};
}

sb_motion sb_enclosing_gap(const sb_enclosing *e, int index, double held) {
  const sb_node *node = &e->expression->nodes[index];
  const sb_kink kink = node->function->kink;
  const sb_motion a = e->got[node->arguments[0]];
  if (kink == SB_KINK_ZERO) {
    return apart(a, constant(0), held);
  }
  if (kink == SB_KINK_EQUAL) {
    return apart(a, e->got[node->arguments[1]], held);
  }
  // between whole numbers: of a, or of a/b with a constant b
  const double unit = kink == SB_KINK_MULTIPLE ? e->got[node->arguments[1]].middle : 1;
  const sb_motion none = constant(0), ratio = apart(a, none, 1 / unit);
  return nearer(apart(ratio, constant(held), 1), apart(ratio, constant(held + 1), -1));
}
