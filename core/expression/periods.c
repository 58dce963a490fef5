// SPDX-License-Identifier: GPL-3.0-or-later
// Where expressions of the time bend, and where they or expressions of signals turn: next kinks, periods, and angles of sines.
#include <math.h>
#include <string.h>

#include "core/expression/expression_private.h"

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

/** How far a value with this slope is from the next multiple of `unit` that it runs towards. */
static double to_multiple(double value, double slope, double unit) {
  double fraction = value / unit, speed = slope / unit;
  return speed > 0 ? (floor(fraction) + 1 - fraction) / speed
                   : (fraction - ceil(fraction) + 1) / -speed;
}

/** The distance of x to the kink of a node, if what decides on it goes on linearly. */
static double to_kink(const sb_node *node, const double value[], const double slope[]) {
  int a = node->arguments[0], b = node->arguments[1];
  double distance = HUGE_VAL;
  if (node->function->kink == SB_KINK_ZERO) {
    distance = -value[a] / slope[a];
  } else if (node->function->kink == SB_KINK_EQUAL) {
    distance = (value[b] - value[a]) / (slope[a] - slope[b]);
  } else if (slope[a] != 0) {
    double unit = node->function->kink == SB_KINK_MULTIPLE ? value[b] : 1;
    distance = to_multiple(value[a], slope[a], unit);
  }
  return distance;
}

double sb_expression_next_kink(const sb_expression *expression, double x) {
  // Just behind x, so that a kink at x itself lies behind.
  const double step = 1e-12 * fabs(x) + 1e-100, here = x + step;
  double value[SB_EXPRESSION_NODES_MAX], slope[SB_EXPRESSION_NODES_MAX];
  double next = HUGE_VAL;
  double variables[SB_EXPRESSION_VARIABLES_MAX];
  for (int slot = 0; slot < SB_EXPRESSION_VARIABLES_MAX; slot++) {
    variables[slot] = here;
  }
  for (int slot = 0; slot < expression->variable_count; slot++) {
    if (!sb_expression_uses(expression, slot)) {
      continue;
    }
    sb_nodes_run(expression, variables, slot, value, slope);
    for (int i = 0; i < expression->count; i++) {
      const sb_node *node = &expression->nodes[i];
      double distance = sb_node_has_kink(expression, node) ? to_kink(node, value, slope) : HUGE_VAL;
      if (distance > step && here + distance < next) { // false for not-a-number
        next = here + distance;
      }
    }
  }
  return next;
}
