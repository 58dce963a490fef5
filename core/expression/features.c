// SPDX-License-Identifier: GPL-3.0-or-later
// Terms of an expression of the time: how far they swing in a run, and how far a step may go.
#include "core/expression/features.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/expression/interval_private.h"

enum {
  EFFORT_MAX = 2000, // spans of one term that are looked at to measure it
  PENDING_MAX = 256, // of them at a time
  REFINEMENTS = 3,   // bisections of where a feature begins
  GROWTHS_MAX = 3    // doublings of a clear span in one step
};
/** A span is clear if no more than this fraction of the swing departs from its chord, or is all that the
 *  term moves. */
static const double bend = 0.25, flat = 0.02;
/** What is narrower than this fraction of the run, with the swing of the whole expression, is left out:
 *  its integral counts for nothing. */
static const double narrowest = 1e-10;
/** A swing below this fraction of the value is rounding. */
static const double rounding = 1e-12;

/** A term: the nodes [first, node], of which the last is its value. */
typedef struct moving_term {
  int first, node;
  bool summand;    // of the expression, with no signal on the way
  double swing;    // largest minus smallest value found
  double size;     // largest absolute value found,
  double peak;     // and where
  double shortest; // what is narrower is left out
  double clear;    // length of the last clear span
} moving_term;

typedef struct node_rule {
  sb_enclose enclose; // NULL: a number or a variable
  bool moves;         // by the time
  bool signal;        // by a signal, too
  bool steady;        // a sine that counts as constant
  bool kink;          // that is foreseen
} node_rule;

struct sb_features {
  const sb_expression *expression;
  int slot, term_count;
  double constant;    // largest absolute value of a constant summand
  moving_term *terms; // (term_count)
  node_rule *rules;   // (nodes)
  sb_enclosure *got;  // (nodes) of a term that is enclosed, and the values in the middle
  double *middle;
  sb_arena memory; // of all this
};

static bool named(const sb_node *node, const char *name) {
  return node->function != NULL && strcmp(node->function->name, name) == 0;
}

/** Whether sums and products alone lead from a node to this argument of it. */
static bool passes(const sb_node *node, int argument) {
  return named(node, "+") || named(node, "-") || named(node, "*") ||
         (named(node, "/") && argument == 0);
}

/** Marks the sines of linear arguments that sums and products alone lead to. */
static void mark_steady(sb_features *f, int i) {
  const sb_node *nodes = f->expression->nodes, *node = &nodes[i];
  bool sine = named(node, "sin") || named(node, "cos");
  f->rules[i].steady = sine && nodes[node->arguments[0]].order == 1;
  for (int k = 0; node->function != NULL && k < node->function->arity; k++) {
    if (passes(node, k)) {
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

/** A term, unless only sines move it. */
static void add_term(sb_features *f, int i, bool summand) {
  const moving_term made = {.first = first_of(f->expression, i), .node = i, .summand = summand};
  bool moves[SB_EXPRESSION_NODES_MAX];
  mark_steady(f, i);
  for (int k = made.first; k <= i; k++) {
    const sb_node *node = &f->expression->nodes[k];
    moves[k] = node->function == NULL && f->rules[k].moves;
    for (int j = 0; node->function != NULL && j < node->function->arity; j++) {
      moves[k] = (moves[k] || moves[node->arguments[j]]) && !f->rules[k].steady;
    }
  }
  if (moves[i]) {
    f->terms[f->term_count++] = made;
  }
}

/** Takes a node apart. */
static void find_terms(sb_features *f, int i, bool summand) {
  const sb_node *node = &f->expression->nodes[i];
  const node_rule *rule = &f->rules[i];
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

static void read_nodes(sb_features *f) {
  for (int i = 0; i < f->expression->count; i++) {
    const sb_node *node = &f->expression->nodes[i];
    node_rule *rule = &f->rules[i];
    rule->moves = node->variable == f->slot;
    rule->signal = node->variable >= 0 && node->variable != f->slot;
    for (int k = 0; node->function != NULL && k < node->function->arity; k++) {
      rule->moves = rule->moves || f->rules[node->arguments[k]].moves;
      rule->signal = rule->signal || f->rules[node->arguments[k]].signal;
    }
    rule->enclose = node->function == NULL ? NULL : sb_enclose_find(node->function);
    rule->kink = sb_node_has_kink(f->expression, node);
  }
}

sb_status sb_features_create(const sb_expression *expression, int slot, sb_features **result,
                             sb_error *err) {
  *result = NULL;
  int count = expression->count;
  sb_arena memory = {0};
  sb_features *f = sb_arena_zeroed(&memory, 1, sizeof *f);
  sb_features made = {.expression = expression,
                      .slot = slot,
                      .terms = sb_arena_zeroed(&memory, count, sizeof *made.terms),
                      .rules = sb_arena_zeroed(&memory, count, sizeof *made.rules),
                      .got = sb_arena_zeroed(&memory, count, sizeof *made.got),
                      .middle = sb_arena_zeroed(&memory, count, sizeof *made.middle)};
  if (memory.failed) {
    sb_arena_finish(&memory);
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  *f = made;
  f->memory = memory;
  read_nodes(f);
  find_terms(f, expression->count - 1, true);
  if (f->term_count == 0) {
    sb_features_destroy(f);
    return SB_OK;
  }
  *result = f;
  return SB_OK;
}

void sb_features_destroy(sb_features *features) {
  if (features != NULL) {
    sb_arena memory = features->memory; // which it is in itself
    sb_arena_finish(&memory);
  }
}

static sb_interval point(double x) {
  return (sb_interval){x, x};
}

/** On the branch of the middle c: value = value(c) + sum of partial_k (a_k - a_k(c)), exactly. */
static sb_enclosure on_branch(const sb_node *node, const double middle[], const sb_enclosure got[],
                              double value) {
  double c[3] = {0}, partial[3] = {0};
  sb_enclosure sum = {point(value), {0, 0}};
  for (int k = 0; k < node->function->arity; k++) {
    c[k] = middle[node->arguments[k]];
  }
  node->function->slope(c, c, value, partial);
  for (int k = 0; k < node->function->arity; k++) {
    const sb_enclosure *a = &got[node->arguments[k]];
    sb_interval factor = point(partial[k]);
    sb_interval apart = sb_interval_add(a->value, point(-c[k]));
    sum.value = sb_interval_add(sum.value, sb_interval_multiply(factor, apart));
    sum.slope = sb_interval_add(sum.slope, sb_interval_multiply(factor, a->slope));
  }
  return sum;
}

/** Where nothing is known: not-a-number comes of infinity minus infinity. */
static sb_interval known(sb_interval a) {
  return (sb_interval){isnan(a.low) ? -HUGE_VAL : a.low, isnan(a.high) ? HUGE_VAL : a.high};
}

/** The enclosure of a term over [from, to], and its value in the middle.
 *  @param smooth  no kink that is foreseen is inside: the branch of the middle holds throughout */
static sb_enclosure enclose(const sb_features *f, const moving_term *term, double from, double to,
                            bool smooth, double *centre) {
  sb_enclosure *got = f->got;
  double *middle = f->middle, half = 0.5 * (to - from), at = from + half;
  for (int i = term->first; i <= term->node; i++) {
    const sb_node *node = &f->expression->nodes[i];
    const node_rule *rule = &f->rules[i];
    if (rule->enclose == NULL || rule->steady) {
      bool time = node->variable >= 0;
      middle[i] = rule->steady ? 1 : time ? at : node->number;
      got[i] = (sb_enclosure){time ? (sb_interval){from, to} : point(middle[i]), point(time)};
      continue;
    }
    double c[3] = {0};
    sb_enclosure a[3];
    for (int k = 0; k < node->function->arity; k++) {
      c[k] = middle[node->arguments[k]];
      a[k] = got[node->arguments[k]];
    }
    middle[i] = node->function->value(c, c);
    got[i] = smooth && rule->kink ? on_branch(node, middle, got, middle[i]) : rule->enclose(a);
    got[i].slope = known(got[i].slope);
    sb_interval span = sb_interval_multiply(got[i].slope, (sb_interval){-half, half});
    got[i].value =
        sb_interval_meet(known(got[i].value), known(sb_interval_add(point(middle[i]), span)));
  }
  *centre = middle[term->node];
  return got[term->node];
}

/** A span that may hold values beyond those found. */
typedef struct span {
  double from, to;
  sb_interval value;
} span;

/** What has been found of a term while it is measured. */
typedef struct search {
  sb_interval found;
  double size, peak; // largest absolute value found, and where
  span pending[PENDING_MAX];
  int count;
} search;

static void see(search *s, double at, double value) {
  if (isfinite(value)) {
    s->peak = fabs(value) > s->size ? at : s->peak;
    s->size = fmax(s->size, fabs(value));
    s->found = (sb_interval){fmin(s->found.low, value), fmax(s->found.high, value)};
  }
}

static double beyond(const search *s, const span *one) {
  return fmax(one->value.high - s->found.high, s->found.low - one->value.low);
}

/** The span with most beyond what is found; of equal ones the shortest, so that one of many like
 *  features is found at once. */
static int worst(const search *s) {
  int most = 0;
  for (int i = 1; i < s->count; i++) {
    double a = beyond(s, &s->pending[i]), b = beyond(s, &s->pending[most]);
    double length = s->pending[i].to - s->pending[i].from;
    most = a > b || (a == b && length < s->pending[most].to - s->pending[most].from) ? i : most;
  }
  return most;
}

static void look(const sb_features *f, const moving_term *term, search *s, double from, double to) {
  double centre;
  sb_enclosure all = enclose(f, term, from, to, false, &centre);
  see(s, from + 0.5 * (to - from), centre);
  s->pending[s->count++] = (span){from, to, all.value};
}

static bool enough(const search *s, const span *one) {
  double size = fmax(fabs(s->found.low), fabs(s->found.high));
  return beyond(s, one) <= fmax(s->found.high - s->found.low, rounding * size);
}

/** The swing of a term over [from, to], at least a third of the true one. @return false: not found */
static bool measure(const sb_features *f, moving_term *term, double from, double to) {
  search s = {.found = {HUGE_VAL, -HUGE_VAL}, .peak = from};
  bool done = false, lost = false;
  look(f, term, &s, from, to);
  for (int i = 0; i < EFFORT_MAX && s.count > 0 && s.count + 2 <= PENDING_MAX && !done; i++) {
    int index = worst(&s);
    span one = s.pending[index];
    done = enough(&s, &one);
    if (done) {
      break;
    }
    s.pending[index] = s.pending[--s.count];
    double middle = one.from + 0.5 * (one.to - one.from);
    if (one.to - one.from > narrowest * (to - from)) {
      look(f, term, &s, one.from, middle);
      look(f, term, &s, middle, one.to);
    } else { // not a jump, whose sides have been seen
      lost = true;
    }
  }
  done = (done || s.count == 0) && !lost;
  double size = fmax(fabs(s.found.low), fabs(s.found.high)), swing = s.found.high - s.found.low;
  if (!done && s.count > 0) { // nothing finer than what may be beyond is looked for
    span one = s.pending[worst(&s)];
    swing += isfinite(beyond(&s, &one)) ? beyond(&s, &one) : 0;
  }
  term->peak = s.peak;
  term->size = isfinite(size) ? fmax(term->size, size) : term->size;
  term->swing = isfinite(swing) ? fmax(term->swing, swing) : term->swing;
  return done;
}

bool sb_features_measure(sb_features *f, double from, double to) {
  bool done = true;
  double size = f->constant;
  for (int i = 0; i < f->term_count; i++) {
    done = measure(f, &f->terms[i], from, to) && done;
    size = f->terms[i].summand ? fmax(size, f->terms[i].size) : size;
  }
  for (int i = 0; i < f->term_count; i++) {
    moving_term *term = &f->terms[i];
    double share = term->summand && term->swing > 0 ? fmax(size / term->swing, 1) : 1;
    term->shortest = narrowest * share * (to - from);
    term->clear = to - from;
  }
  return done;
}

bool sb_features_peak(const sb_features *f, int term, double *at) {
  *at = term < f->term_count ? f->terms[term].peak : 0;
  return term < f->term_count;
}

static bool is_clear(const sb_features *f, const moving_term *term, double from, double to) {
  double centre;
  sb_enclosure all = enclose(f, term, from, to, true, &centre);
  double moved = all.value.high - all.value.low;
  double bent = 0.25 * (to - from) * (all.slope.high - all.slope.low);
  return moved <= flat * term->swing || bent <= bend * term->swing;
}

static bool jumps(const sb_features *f, const moving_term *term, double from, double to) {
  double centre;
  sb_enclosure all = enclose(f, term, from, to, true, &centre);
  return isinf(all.slope.high) && isinf(all.slope.low);
}

/** Finds the first jump between *before and *behind, which become its neighbours by rounding. */
static bool find_jump(const sb_features *f, const moving_term *term, double *before,
                      double *behind) {
  bool found = jumps(f, term, *before, *behind);
  while (found && *behind - *before > 4 * DBL_EPSILON * fabs(*behind)) {
    double middle = *before + 0.5 * (*behind - *before);
    if (jumps(f, term, *before, middle)) {
      *behind = middle;
    } else {
      *before = middle;
      found = jumps(f, term, *before, *behind);
    }
  }
  return found;
}

/** The longest of the spans from `from` that are tried, between one that is clear (or as short as any) and
 *  one that is not. */
static double shrink(const sb_features *f, const moving_term *term, double from, double *bad) {
  double good = *bad;
  do {
    *bad = good;
    good *= 0.5;
  } while (good > term->shortest && !is_clear(f, term, from, from + good));
  good = fmax(good, term->shortest);
  for (int i = 0; i < REFINEMENTS; i++) {
    double length = 0.5 * (good + *bad);
    bool clear = is_clear(f, term, from, from + length);
    good = clear ? length : good;
    *bad = clear ? *bad : length;
  }
  return good;
}

/** The end of the longest clear span of one term. */
static double reach(const sb_features *f, moving_term *term, double from, double to, double *jump) {
  double good = 0, rest = to - from, length = fmin(term->clear, rest);
  if (!(term->swing > rounding * term->size) || rest <= 4 * DBL_EPSILON * fabs(to)) {
    return to;
  }
  for (int i = 0; i <= GROWTHS_MAX && is_clear(f, term, from, from + length); i++) {
    good = length;
    if (length >= rest) {
      term->clear = fmax(term->clear, rest);
      return to;
    }
    length = fmin(2 * length, rest);
  }
  good = good > 0 ? good : shrink(f, term, from, &length);
  term->clear = good;
  double before = from, behind = from + length;
  if (find_jump(f, term, &before, &behind) && is_clear(f, term, from, before)) {
    *jump = fmin(*jump, behind);
    return fmin(before, to);
  }
  return fmin(from + good, to);
}

double sb_features_reach(sb_features *f, double from, double to, double *jump) {
  for (int i = 0; i < f->term_count; i++) {
    to = reach(f, &f->terms[i], from, to, jump);
  }
  *jump = *jump - to > 8 * DBL_EPSILON * fabs(to) ? HUGE_VAL : *jump; // the span ends before it
  return to;
}
