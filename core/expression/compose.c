// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/expression/compose.h"

#include <string.h>

#include "core/expression/expression_private.h"

static const sb_expression *stand_in(const sb_node *node, const sb_stand_in of[]) {
  return node->variable >= 0 ? of[node->variable].by : NULL;
}

/** A node of the result that is none of a stand-in: its variable, and its order by those of its arguments. */
static void settle(sb_expression *e, sb_node *node, bool time) {
  int orders[3] = {0};
  if (node->variable >= 0) {
    node->variable = time ? SB_COMPOSED_TIME : SB_COMPOSED_OTHER;
    node->order = time ? 1 : 2;
  }
  for (int k = 0; node->function != NULL && k < node->function->arity; k++) {
    orders[k] = e->nodes[node->arguments[k]].order;
  }
  node->order = node->function != NULL ? sb_function_order(node->function, orders) : node->order;
}

/** The nodes of a stand-in, behind those that there are. */
static void append(sb_expression *e, const sb_expression *by) {
  int base = e->count;
  for (int i = 0; i < by->count; i++) {
    sb_node *node = &e->nodes[e->count++];
    *node = by->nodes[i];
    for (int k = 0; k < 3; k++) {
      node->arguments[k] += base;
    }
  }
}

sb_expression *sb_expression_compose(const sb_expression *expression, const sb_stand_in of[],
                                     sb_arena *memory) {
  int place[SB_EXPRESSION_NODES_MAX], length = 0;
  for (int i = 0; i < expression->count; i++) {
    const sb_expression *by = stand_in(&expression->nodes[i], of);
    length += by != NULL ? by->count : 1;
  }
  bool fits = length <= SB_EXPRESSION_NODES_MAX;
  size_t nodes = (size_t)(fits ? length : expression->count) * sizeof(sb_node);
  sb_expression *e = sb_arena_take(memory, sizeof *e + nodes);
  if (e == NULL) {
    return NULL;
  }
  e->variable_count = 2;
  e->count = 0;
  for (int i = 0; i < expression->count; i++) {
    const sb_node *from = &expression->nodes[i];
    const sb_expression *by = fits ? stand_in(from, of) : NULL;
    if (by != NULL) {
      append(e, by);
    } else {
      sb_node *node = &e->nodes[e->count++];
      *node = *from;
      for (int k = 0; node->function != NULL && k < node->function->arity; k++) {
        node->arguments[k] = place[from->arguments[k]];
      }
      settle(e, node, from->variable >= 0 && of[from->variable].time);
    }
    place[i] = e->count - 1;
  }
  sb_expression_find_beside_one(e);
  return e;
}

bool sb_expression_bends(const sb_expression *expression, const sb_stand_in of[]) {
  bool straight[SB_EXPRESSION_NODES_MAX] = {false};
  straight[expression->count - 1] = true;
  for (int i = expression->count - 1; i >= 0; i--) {
    const sb_node *node = &expression->nodes[i];
    for (int k = 0; node->function != NULL && k < node->function->arity; k++) {
      straight[node->arguments[k]] = straight[i] && sb_node_passes(node, k);
    }
    if (stand_in(node, of) != NULL && !straight[i]) {
      return true;
    }
  }
  return false;
}

double sb_expression_constant(const sb_expression *expression, int node) {
  static const double none[SB_EXPRESSION_VARIABLES_MAX];
  double value[SB_EXPRESSION_NODES_MAX];
  sb_nodes_run(expression, none, -1, value, NULL);
  return value[node];
}

void sb_expression_fold(sb_expression *expression) {
  static const double none[SB_EXPRESSION_VARIABLES_MAX];
  double value[SB_EXPRESSION_NODES_MAX];
  int moved[SB_EXPRESSION_NODES_MAX];
  bool wanted[SB_EXPRESSION_NODES_MAX] = {false};
  sb_nodes_run(expression, none, -1, value, NULL);
  wanted[expression->count - 1] = true;
  for (int i = expression->count - 1; i >= 0; i--) {
    sb_node *node = &expression->nodes[i];
    if (node->order == 0) {
      node->function = NULL;
      node->number = value[i];
      node->tag = 0;
    }
    for (int k = 0; wanted[i] && node->function != NULL && k < node->function->arity; k++) {
      wanted[node->arguments[k]] = true;
    }
  }
  int count = 0;
  for (int i = 0; i < expression->count; i++) {
    sb_node node = expression->nodes[i];
    moved[i] = count;
    for (int k = 0; wanted[i] && node.function != NULL && k < node.function->arity; k++) {
      node.arguments[k] = moved[node.arguments[k]];
    }
    if (wanted[i]) {
      expression->nodes[count++] = node;
    }
  }
  expression->count = count;
  sb_expression_find_beside_one(expression);
}
