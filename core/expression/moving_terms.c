// SPDX-License-Identifier: GPL-3.0-or-later
// An expression of the time taken apart into terms: the summands, and of a product with signals the factors,
// that the time alone moves; and one of them over a span of the time, by interval arithmetic on its nodes.
#include <math.h>
#include <string.h>

#include "core/expression/features_private.h"

static bool named(const sb_node *node, const char *name) {
  return node->function != NULL && strcmp(node->function->name, name) == 0;
}

bool sb_node_passes(const sb_node *node, int argument) {
  return named(node, "+") || named(node, "-") || named(node, "*") ||
         (named(node, "/") && argument == 0);
}

/** Marks the sines of linear arguments that sums and products alone lead to. */
static void mark_steady(sb_features *f, int i) {
  const sb_node *nodes = f->expression->nodes, *node = &nodes[i];
  bool sine = named(node, "sin") || named(node, "cos");
  f->rules[i].steady = sine && nodes[node->arguments[0]].order == 1;
  for (int k = 0; node->function != NULL && k < node->function->arity; k++) {
    if (sb_node_passes(node, k)) {
      mark_steady(f, node->arguments[k]);
    }
  }
}

static int first_of(const sb_expression *e, int i) {
  int first = i;
  for (; e->nodes[first].function != NULL; first = e->nodes[first].arguments[0]) {
  }
  return first;
}

/** Whether all jumps of the nodes of a term that are not foreseen are those of branches that are held. */
static bool jumps_at_events(const sb_features *f, const sb_moving_term *term) {
  for (int i = term->first; i <= term->node; i++) {
    const sb_node *node = &f->expression->nodes[i];
    if (node->function != NULL && f->rules[i].moves && !f->rules[i].kink && node->branch <= 0 &&
        node->function->unit != SB_UNIT_CONDITION && sb_function_jumps(node->function)) {
      return false;
    }
  }
  return true;
}

/** A term, unless only sines move it. */
static void add_term(sb_features *f, int i, bool summand) {
  const sb_moving_term made = {.first = first_of(f->expression, i), .node = i, .summand = summand};
  bool moves[SB_EXPRESSION_NODES_MAX] = {false};
  mark_steady(f, i);
  for (int k = made.first; k <= i; k++) {
    const sb_node *node = &f->expression->nodes[k];
    moves[k] = node->function == NULL && f->rules[k].moves;
    for (int j = 0; node->function != NULL && j < node->function->arity; j++) {
      moves[k] =
          (moves[k] || moves[node->arguments[j]]) && f->rules[k].moves && !f->rules[k].steady;
    }
  }
  if (moves[i]) {
    f->terms[f->term_count] = made;
    f->terms[f->term_count++].held = jumps_at_events(f, &made);
  }
}

/** Takes a node apart. */
static void find_terms(sb_features *f, int i, bool summand) {
  const sb_node *node = &f->expression->nodes[i];
  const sb_node_rule *rule = &f->rules[i];
  bool sum = named(node, "+") || named(node, "-");
  if (!rule->moves && !rule->signal && summand) {
    f->constant = fmax(f->constant, fabs(sb_expression_constant(f->expression, i)));
  }
  if (!rule->moves || node->function == NULL) {
    return; // a constant, a signal, or the time itself
  }
  if (!rule->signal && !sum) {
    add_term(f, i, summand);
    return;
  }
  for (int k = 0; k < node->function->arity; k++) {
    find_terms(f, node->arguments[k], summand && sum);
  }
}

/** A difference of the same on both sides is zero throughout: it does not move, and neither does a comparison by it. */
static void find_identity(sb_features *f, int i) {
  const double none[3] = {0};
  const sb_node *node = &f->expression->nodes[i];
  sb_node_rule *rule = &f->rules[i];
  if (rule->moves && !rule->signal && sb_node_is_identity(f->expression, node)) {
    f->same = f->same || sb_node_compares(node);
    rule->number = node->function->value(none, none);
    rule->moves = rule->kink = false;
    rule->enclose = NULL;
  }
}

/** What moves each node. */
static void read_nodes(sb_features *f) {
  for (int i = 0; i < f->expression->count; i++) {
    const sb_node *node = &f->expression->nodes[i];
    sb_node_rule *rule = &f->rules[i];
    rule->number = node->number;
    rule->moves = node->variable == f->slot;
    rule->signal = node->variable >= 0 && node->variable != f->slot;
    for (int k = 0; node->function != NULL && k < node->function->arity; k++) {
      rule->moves = rule->moves || f->rules[node->arguments[k]].moves;
      rule->signal = rule->signal || f->rules[node->arguments[k]].signal;
    }
    rule->enclose = node->function == NULL ? NULL : sb_enclose_find(node->function);
    rule->kink = sb_node_has_kink(f->expression, node);
    rule->cancels = rule->moves && !rule->signal && sb_node_may_cancel(f->expression, node);
    find_identity(f, i);
  }
}

void sb_moving_terms_find(sb_features *f) {
  read_nodes(f);
  find_terms(f, f->expression->count - 1, true);
}

/** The time, a number, or a sine that counts as constant. */
static sb_motion leaf(const sb_node_rule *rule, double from, double to) {
  if (rule->steady || !rule->moves) {
    return sb_motion_constant(rule->steady ? 1 : rule->number);
  }
  return (sb_motion){{{from, to}, {1, 1}}, from + 0.5 * (to - from)};
}

/** A node from what its arguments are over the span. */
static sb_motion move(const sb_features *f, int i, double from, double to, bool smooth) {
  const double none[3] = {0};
  const sb_node *node = &f->expression->nodes[i];
  const sb_node_rule *rule = &f->rules[i];
  if (rule->enclose == NULL || rule->steady) {
    return leaf(rule, from, to);
  }
  if (rule->cancels && sb_node_cancels(f->expression, node, f->got)) {
    return sb_motion_constant(node->function->value(none, none));
  }
  return sb_node_move(node, smooth && rule->kink ? NULL : rule->enclose, f->got, 0.5 * (to - from));
}

sb_motion sb_term_enclose(const sb_features *f, const sb_moving_term *term, double from, double to,
                          bool smooth) {
  for (int i = term->first; i <= term->node; i++) {
    f->got[i] = move(f, i, from, to, smooth);
  }
  return f->got[term->node];
}
