// SPDX-License-Identifier: GPL-3.0-or-later
// An expression of the time taken apart into terms that the time alone moves: the summands; and the parts of a term that may hide
// in it, as each has a size of its own: factors, and what `if`, min and max choose between. And one of them over a span of the time, by
// interval arithmetic on its nodes.
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

/** A term, unless only sines move it, or it is a part that cannot hide anything. @return its index; that of the one it is in */
static int add_term(sb_features *f, int i, int group, int within) {
  const sb_moving_term made = {
      .first = first_of(f->expression, i), .node = i, .within = within, .group = group};
  if (within >= 0 && f->expression->nodes[i].order <= 1) {
    return within;
  }
  bool moves[SB_EXPRESSION_NODES_MAX] = {false};
  if (within < 0) {
    mark_steady(f, i);
  }
  for (int k = made.first; k <= i; k++) {
    const sb_node *node = &f->expression->nodes[k];
    moves[k] = node->function == NULL && f->rules[k].moves;
    for (int j = 0; node->function != NULL && j < node->function->arity; j++) {
      moves[k] =
          (moves[k] || moves[node->arguments[j]]) && f->rules[k].moves && !f->rules[k].steady;
    }
  }
  if (!moves[i]) {
    return within;
  }
  f->terms[f->term_count] = made;
  f->terms[f->term_count].held = jumps_at_events(f, &made);
  return f->term_count++;
}

static bool adds(const sb_node *node) {
  return named(node, "+") || named(node, "-");
}

static bool multiplies(const sb_node *node) {
  return named(node, "*") || named(node, "/");
}

/** Whether a node may give the value of this argument, or its negative. */
static bool chooses(const sb_node *node, int argument) {
  return named(node, "abs") || named(node, "min") || named(node, "max") ||
         (named(node, "if") && argument > 0);
}

/** Takes a node apart. @param within  the term that it is in; -1: none */
static void find_terms(sb_features *f, int i, int group, int within) {
  const sb_node *node = &f->expression->nodes[i];
  const sb_node_rule *rule = &f->rules[i];
  double *constant = &f->groups[group].constant;
  if (!rule->moves && !rule->signal) {
    *constant = fmax(*constant, fabs(sb_expression_constant(f->expression, i)));
  }
  if (!rule->moves || node->function == NULL) {
    return; // a constant, a signal, or the time itself
  }
  if (!rule->signal && !adds(node)) {
    within = add_term(f, i, group, within);
  }
  for (int k = 0; k < node->function->arity; k++) {
    const bool same = adds(node) || chooses(node, k);
    if (!same && (rule->signal || multiplies(node))) {
      f->groups[++f->group_count].within = within;
    }
    if (rule->signal || multiplies(node) || same) {
      find_terms(f, node->arguments[k], same ? group : f->group_count, within);
    }
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
      f->parents[node->arguments[k]] = i;
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
  f->groups[0].within = -1;
  find_terms(f, f->expression->count - 1, 0, -1);
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

static double most(sb_interval x) {
  return fmax(fabs(x.low), fabs(x.high));
}

static double least(sb_interval x) {
  return x.low <= 0 && x.high >= 0 ? 0 : fmin(fabs(x.low), fabs(x.high));
}

/** The largest absolute derivative of a node by an argument, by the enclosures of all. */
static double influence(const sb_features *f, const sb_node *node, int argument) {
  const int *a = node->arguments;
  const sb_interval first = f->got[a[0]].all.value, own = f->got[a[argument]].all.value;
  const sb_interval other = f->got[a[argument == 0]].all.value;
  if (named(node, "if")) {
    return argument == 1 ? most(first) > 0 : least(first) == 0;
  }
  if (named(node, "max") || named(node, "min")) {
    return named(node, "max") ? own.high >= other.low : own.low <= other.high;
  }
  if (named(node, "/")) {
    const double by = least(argument == 0 ? other : own);
    return argument == 0 ? 1 / by : most(other) / (by * by);
  }
  return named(node, "*") ? most(other) : 1;
}

const sb_moving_term *sb_term_whole(const sb_features *f, const sb_moving_term *term) {
  while (term->within >= 0) {
    term = &f->terms[term->within];
  }
  return term;
}

double sb_term_weight(const sb_features *f, const sb_moving_term *term, double from, double to,
                      bool smooth) {
  const sb_moving_term *whole = sb_term_whole(f, term);
  double weight = 1;
  if (whole == term) {
    return weight;
  }
  (void)sb_term_enclose(f, whole, from, to, smooth);
  for (int i = term->node; i != whole->node && weight > 0; i = f->parents[i]) {
    const sb_node *above = &f->expression->nodes[f->parents[i]];
    const int argument = above->arguments[0] == i ? 0 : above->arguments[1] == i ? 1 : 2;
    weight *= influence(f, above, argument);
  }
  return weight;
}
