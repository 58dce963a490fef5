// SPDX-License-Identifier: GPL-3.0-or-later
// Where expressions of the time bend, and where they or expressions of signals turn: next kinks, periods, and angles of sines.
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/expression/expression_private.h"

enum {
  SAME = 8,   // kinks that differ by as many roundings are at one place
  AROUND = 2, // a kink is known to as many units in the last place, by its own argument
  FAR = 4096  // and to as many, about 1e-12 of it, where it is the difference of large numbers
};

bool sb_node_is_periodic(const sb_node *node) {
  const char *name = node->function == NULL ? "" : node->function->name;
  return strcmp(name, "sin") == 0 || strcmp(name, "cos") == 0 || strcmp(name, "tan") == 0;
}

/** The shortest time after which a function of a linear argument repeats, as a sine, or goes on to the next whole number or
 *  multiple. */
static double shortest(const sb_expression *expression, bool kinks) {
  static const double none[SB_EXPRESSION_VARIABLES_MAX];
  double value[SB_EXPRESSION_NODES_MAX], slope[SB_EXPRESSION_NODES_MAX];
  double time = HUGE_VAL;
  for (int slot = 0; slot < expression->variable_count; slot++) {
    sb_nodes_run(expression, none, slot, value, slope);
    for (int i = 0; i < expression->count; i++) {
      const sb_node *node = &expression->nodes[i];
      if (node->function == NULL) {
        continue;
      }
      const sb_kink kink = node->function->kink;
      const int a = node->arguments[0];
      const double once = kink == SB_KINK_WHOLE      ? 1
                          : kink == SB_KINK_MULTIPLE ? fabs(value[node->arguments[1]])
                                                     : 6.283185307179586477;
      const bool counts =
          kinks ? kink == SB_KINK_WHOLE || kink == SB_KINK_MULTIPLE : sb_node_is_periodic(node);
      if (counts && expression->nodes[a].order == 1 && fabs(slope[a]) > 0) {
        time = fmin(time, once / fabs(slope[a]));
      }
    }
  }
  return time;
}

double sb_expression_period(const sb_expression *expression) {
  return shortest(expression, false);
}

double sb_expression_interval(const sb_expression *expression) {
  return shortest(expression, true);
}

int sb_expression_angles(const sb_expression *expression, const double variables[],
                         double angle[]) {
  double value[SB_EXPRESSION_NODES_MAX];
  int count = 0;
  if (angle != NULL) {
    sb_nodes_run(expression, variables, -1, value, NULL);
  }
  for (int i = 0; i < expression->count; i++) {
    const sb_node *node = &expression->nodes[i];
    if (sb_node_is_periodic(node) && expression->nodes[node->arguments[0]].order > 1) {
      if (angle != NULL) {
        angle[count] = value[node->arguments[0]];
      }
      count++;
    }
  }
  return count;
}

/** Where a node has its next kink. */
typedef struct approach {
  double way;    // from here; HUGE_VAL: nowhere
  double target; // what decides on it there
  bool up;       // whether that has come from below
} approach;

static void arguments_of(const sb_node *node, const double value[], double a[3]) {
  for (int k = 0; k < node->function->arity; k++) {
    a[k] = value[node->arguments[k]];
  }
}

/** What decides on the branch of a node. */
static double deciding(const sb_node *node, const double value[]) {
  double a[3] = {0};
  arguments_of(node, value, a);
  return sb_node_deciding(node, a);
}

/** Values, slopes and sums of terms of all nodes at a place in front of their next kinks. */
typedef struct look_ahead {
  const sb_expression *expression;
  double here;
  const double *value, *slope, *terms;
} look_ahead;

/** What decides on a node that has kinks, how fast it moves, and what it is known to, by rounding of its terms. */
typedef struct decision {
  double d, speed, known;
} decision;

static decision decision_of(const look_ahead *in, const sb_node *node) {
  const int a = node->arguments[0], b = node->arguments[1];
  const double *slope = in->slope, of[] = {in->terms[a], in->terms[b]};
  const sb_kink kink = node->function->kink;
  double arguments[3] = {0};
  arguments_of(node, in->value, arguments);
  const double speed = kink == SB_KINK_EQUAL      ? slope[a] - slope[b]
                       : kink == SB_KINK_MULTIPLE ? slope[a] / arguments[1]
                                                  : slope[a];
  return (decision){sb_node_deciding(node, arguments), speed,
                    SAME * DBL_EPSILON * sb_branch_terms(node, arguments, of)};
}

/** The next kink of a node, if what decides on it goes on linearly. A kink that it may have come to is behind. */
static approach approach_of(const look_ahead *in, const sb_node *node) {
  const decision at = decision_of(in, node);
  const double come = at.d + copysign(at.known, at.speed);
  const double target = sb_node_by_sign(node) ? 0 : at.speed > 0 ? floor(come) + 1 : ceil(come) - 1;
  const bool ahead = (target - come) / at.speed > 0; // false for not-a-number
  return (approach){ahead ? (target - at.d) / at.speed : HUGE_VAL, target, at.speed > 0};
}

/** How far from here rounding no longer tells what decides on a node to be on the side that it leaves: zero, unless it is at a kink. Others that
 *  depend on its branch are looked at from there: of mod(t, a) < b behind a multiple of a, as it is there. */
static double margin_of(const look_ahead *in, const sb_node *node) {
  const decision at = decision_of(in, node);
  const double off = fabs(at.d - (sb_node_by_sign(node) ? 0 : nearbyint(at.d)));
  return off <= 2 * at.known && at.speed != 0 ? (off + 2 * at.known) / fabs(at.speed) : 0;
}

/** Where a node has a kink in front. */
static approach look_at(const look_ahead *in, int i) {
  const sb_node *node = &in->expression->nodes[i];
  return sb_node_has_kink(in->expression, node) ? approach_of(in, node)
                                                : (approach){.way = HUGE_VAL};
}

/** Whether at x, on the branches in front, what decides has come to all kinks that are no farther than `last`. */
static bool has_come(const look_ahead *in, double last, double x) {
  double value[SB_EXPRESSION_NODES_MAX], variables[SB_EXPRESSION_VARIABLES_MAX];
  bool come = true;
  for (int slot = 0; slot < SB_EXPRESSION_VARIABLES_MAX; slot++) {
    variables[slot] = x;
  }
  sb_nodes_run_on(in->expression, variables, in->value, value);
  for (int i = 0; i < in->expression->count && come; i++) {
    const approach next = look_at(in, i);
    if (in->here + next.way <= last) {
      const double d = deciding(&in->expression->nodes[i], value);
      come = next.up ? d >= next.target : d <= next.target;
    }
  }
  return come;
}

/** The first number close to the kink x for which that is so as it is rounded, so that what is behind has come to it:
 *  t/20e-6 - floor(t/20e-6) is not below zero. The sum of large terms needs larger steps than rounding of x. */
static double settle(const look_ahead *in, double x) {
  const double last = x + SAME * DBL_EPSILON * fabs(x), unit = nextafter(x, HUGE_VAL) - x;
  for (int i = -AROUND; i <= AROUND; i++) {
    if (has_come(in, last, x + i * unit)) {
      return x + i * unit;
    }
  }
  for (int i = 2 * AROUND; i <= FAR; i *= 2) {
    if (has_come(in, last, x + i * unit)) {
      return x + i * unit;
    }
  }
  return x;
}

double sb_expression_behind(double x) {
  return x + SB_STEP_ROUNDINGS * DBL_EPSILON * fabs(x) + 1e-100;
}

/** Values, slopes and terms of all nodes at x, in front of the kinks that depend on one variable. */
static void look_from(const sb_expression *expression, double x, int slot, double value[],
                      double slope[], double terms[]) {
  double variables[SB_EXPRESSION_VARIABLES_MAX];
  for (int k = 0; k < SB_EXPRESSION_VARIABLES_MAX; k++) {
    variables[k] = x;
  }
  sb_nodes_run(expression, variables, slot, value, slope);
  sb_nodes_terms(expression, value, NULL, terms);
}

double sb_expression_next_kink(const sb_expression *expression, double x) {
  double value[SB_EXPRESSION_NODES_MAX], slope[SB_EXPRESSION_NODES_MAX];
  double terms[SB_EXPRESSION_NODES_MAX];
  double next = HUGE_VAL;
  for (int slot = 0; slot < expression->variable_count; slot++) {
    look_ahead in = {expression, x, value, slope, terms};
    double first = HUGE_VAL, margin = 0;
    if (!sb_expression_uses(expression, slot)) {
      continue;
    }
    look_from(expression, x, slot, value, slope, terms);
    for (int i = 0; i < expression->count; i++) {
      const sb_node *node = &expression->nodes[i];
      margin = sb_node_has_kink(expression, node) ? fmax(margin, margin_of(&in, node)) : margin;
    }
    in.here = fmax(sb_expression_behind(x), x + margin);
    look_from(expression, in.here, slot, value, slope, terms);
    for (int i = 0; i < expression->count; i++) {
      first = fmin(first, in.here + look_at(&in, i).way);
    }
    next = first < next ? settle(&in, first) : next;
  }
  return next;
}

bool sb_expression_has_kinks(const sb_expression *expression) {
  bool any = false;
  for (int i = 0; i < expression->count; i++) {
    any = any || sb_node_has_kink(expression, &expression->nodes[i]);
  }
  return any;
}

void sb_expression_hold(const sb_expression *expression, double x, sb_branches *branches) {
  double value[SB_EXPRESSION_NODES_MAX], variables[SB_EXPRESSION_VARIABLES_MAX];
  for (int slot = 0; slot < SB_EXPRESSION_VARIABLES_MAX; slot++) {
    variables[slot] = x;
  }
  sb_nodes_run(expression, variables, -1, value, NULL);
  for (int i = 0; i < expression->count; i++) {
    const sb_node *node = &expression->nodes[i];
    if (node->branch > 0 && sb_node_has_kink(expression, node)) {
      double a[3];
      arguments_of(node, value, a);
      branches->held[node->branch - 1] = sb_branch_of(node, a);
      branches->band[node->branch - 1] = HUGE_VAL;
    }
  }
}

/** What decides on a node at x, all other variables zero. */
static double deciding_at(const sb_expression *expression, const sb_node *node, int slot,
                          double x) {
  double variables[SB_EXPRESSION_VARIABLES_MAX] = {0}, value[SB_EXPRESSION_NODES_MAX];
  variables[slot] = x;
  sb_nodes_run(expression, variables, -1, value, NULL);
  return deciding(node, value);
}

/** Where what decides on a node changes its sign between two places, to the rounding of x, by bisection. */
static double bisect(const sb_expression *expression, const sb_node *node, int slot, double low,
                     double high) {
  double below = deciding_at(expression, node, slot, low),
         above = deciding_at(expression, node, slot, high);
  double x = 0.5 * (low + high);
  while (below != 0 && above != 0 && x != low && x != high) {
    const double d = deciding_at(expression, node, slot, x);
    const bool same = (d > 0) == (below > 0) && d != 0;
    low = same ? x : low, below = same ? d : below;
    high = same ? high : x, above = same ? above : d;
    x = 0.5 * (low + high);
  }
  return fabs(below) <= fabs(above) ? low : high;
}

/** Where x is on a scale from -SCALE to SCALE, PER_DECADE for each decade of |x| from DECADES below 1 to as many above. */
enum { PER_DECADE = 8, DECADES = 12, SCALE = 2 * PER_DECADE * DECADES };
static double on_scale(int i) {
  return i == 0 ? 0 : copysign(pow(10, (fabs((double)i) - 0.5 * SCALE) / PER_DECADE), i);
}

int sb_expression_turns(const sb_expression *expression, int slot, double places[]) {
  int count = 0;
  for (int i = 0; i < expression->count; i++) {
    const sb_node *node = &expression->nodes[i];
    if (node->function == NULL || !sb_function_jumps(node->function) || !sb_node_by_sign(node)) {
      continue;
    }
    double low = on_scale(-SCALE), before = deciding_at(expression, node, slot, low);
    for (int k = 1 - SCALE; k <= SCALE && count < SB_EXPRESSION_NODES_MAX; k++) {
      const double high = on_scale(k), d = deciding_at(expression, node, slot, high);
      if (before * d <= 0 && before != 0) { // false for not-a-number
        places[count++] = bisect(expression, node, slot, low, high);
      }
      low = high, before = d;
    }
  }
  return count;
}
