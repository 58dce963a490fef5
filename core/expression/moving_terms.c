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

static int argument_of(const sb_node *above, int i) {
  return above->arguments[0] == i ? 0 : above->arguments[1] == i ? 1 : 2;
}

bool sb_node_passes(const sb_node *node, int argument) {
  return named(node, "+") || named(node, "-") || named(node, "*") ||
         (named(node, "/") && argument == 0);
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

/** Whether a node is a sine of a linear argument that sums and products alone lead to from a term. */
static bool is_steady(const sb_features *f, const sb_moving_term *term, int i) {
  return term->node <= f->rules[i].steady_up_to;
}

/** A term, unless only sines move it. @return its index; that of the one it is in */
static int add_term(sb_features *f, int i, int group, int within) {
  const sb_moving_term made = {
      .first = first_of(f->expression, i), .node = i, .within = within, .group = group};
  bool moves[SB_EXPRESSION_NODES_MAX] = {false};
  for (int k = made.first; k <= i; k++) {
    const sb_node *node = &f->expression->nodes[k];
    moves[k] = node->function == NULL && f->rules[k].moves;
    for (int j = 0; node->function != NULL && j < node->function->arity; j++) {
      moves[k] =
          (moves[k] || moves[node->arguments[j]]) && f->rules[k].moves && !is_steady(f, &made, k);
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

bool sb_moving_terms_meet(const sb_expression *e, int slot) {
  bool time[SB_EXPRESSION_NODES_MAX], other[SB_EXPRESSION_NODES_MAX], meet = false;
  for (int i = 0; i < e->count; i++) {
    const sb_node *node = &e->nodes[i];
    time[i] = node->variable == slot;
    other[i] = node->variable >= 0 && node->variable != slot;
    for (int k = 0; node->function != NULL && k < node->function->arity; k++) {
      time[i] = time[i] || time[node->arguments[k]];
      other[i] = other[i] || other[node->arguments[k]];
    }
    meet = meet || (time[i] && other[i] && !adds(node) && !multiplies(node));
  }
  return meet;
}

/** Takes a node apart. @param within  the term that it is in; -1: none */
static void find_terms(sb_features *f, int i, int group, int within) {
  const sb_node *node = &f->expression->nodes[i];
  const sb_node_rule *rule = &f->rules[i];
  double *constant = &f->groups[group].constant;
  if (!rule->moves && !rule->signal) {
    *constant = fmax(*constant, fabs(sb_expression_constant(f->expression, i)));
  }
  const bool part = within >= 0 || f->groups[group].bent;
  if (!rule->moves || node->function == NULL || (part && node->order <= 1)) {
    return; // a constant, a signal, the time itself, or a part that is linear between kinks, in which nothing hides
  }
  if (!rule->signal && !adds(node)) {
    within = add_term(f, i, group, within);
  }
  for (int k = 0; k < node->function->arity; k++) {
    int inside = group;
    if (!adds(node)) {
      inside = ++f->group_count;
      f->groups[inside] =
          (sb_term_group){.within = within, .bent = !multiplies(node) && !chooses(node, k)};
    }
    find_terms(f, node->arguments[k], inside, within);
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
    rule->signal = !f->beside && node->variable >= 0 && node->variable != f->slot;
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

/** Up to which node sums and products alone lead from each sine of a linear argument. */
static void find_steady(sb_features *f) {
  const sb_node *nodes = f->expression->nodes;
  int up_to[SB_EXPRESSION_NODES_MAX];
  for (int i = f->expression->count - 1; i >= 0; i--) {
    const int above = f->parents[i];
    const bool last = i == f->expression->count - 1;
    up_to[i] =
        last || !sb_node_passes(&nodes[above], argument_of(&nodes[above], i)) ? i : up_to[above];
    const bool sine = named(&nodes[i], "sin") || named(&nodes[i], "cos");
    f->rules[i].steady_up_to = sine && nodes[nodes[i].arguments[0]].order == 1 ? up_to[i] : -1;
  }
}

void sb_moving_terms_find(sb_features *f) {
  read_nodes(f);
  find_steady(f);
  f->groups[0].within = -1;
  find_terms(f, f->expression->count - 1, 0, -1);
}

/** A node of a term from what its arguments are over the span. */
static sb_motion move(const sb_features *f, const sb_moving_term *term, int i, double from,
                      double to, bool smooth) {
  const double none[3] = {0};
  const sb_node *node = &f->expression->nodes[i];
  const sb_node_rule *rule = &f->rules[i];
  if (is_steady(f, term, i)) {
    return sb_motion_constant(1);
  }
  if (rule->enclose == NULL) {
    return rule->moves ? (sb_motion){{{from, to}, {1, 1}}, from + 0.5 * (to - from)}
                       : sb_motion_constant(rule->number);
  }
  if (rule->cancels && sb_node_cancels(f->expression, node, f->got)) {
    return sb_motion_constant(node->function->value(none, none));
  }
  return sb_node_move(node, smooth && rule->kink ? NULL : rule->enclose, f->got, 0.5 * (to - from));
}

sb_motion sb_term_enclose(const sb_features *f, const sb_moving_term *term, double from, double to,
                          bool smooth) {
  for (int i = term->first; i <= term->node; i++) {
    f->got[i] = move(f, term, i, from, to, smooth);
  }
  return f->got[term->node];
}

/** The largest absolute derivative of a node by an argument, by the enclosures of all. */
static double influence(const sb_features *f, int i, int argument) {
  const sb_node *node = &f->expression->nodes[i];
  sb_enclosure a[3] = {0};
  for (int k = 0; k < node->function->arity; k++) {
    a[k].value = f->got[node->arguments[k]].all.value;
  }
  a[argument].slope = (sb_interval){1, 1};
  const sb_interval slope =
      f->rules[i].enclose == NULL ? a[argument].slope : f->rules[i].enclose(a).slope;
  return fmax(fabs(slope.low), fabs(slope.high));
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
  for (int i = term->node; i != whole->node; i = f->parents[i]) {
    const int above = f->parents[i];
    const double factor = influence(f, above, argument_of(&f->expression->nodes[above], i));
    if (factor == 0) {
      return 0;
    }
    weight *= factor;
  }
  return weight;
}
