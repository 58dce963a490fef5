// SPDX-License-Identifier: GPL-3.0-or-later
// Event indicators that are expressions: conditions of switches, and what branches of expressions decide on. Where all states move
// evenly nothing bounds a step, and an indicator may fall below zero and rise again in it. Over the step each is enclosed by interval
// arithmetic, with signals as their own expressions of others, and these moving evenly from one end to the other; spans in which it
// may be zero and is not monotone are divided. Where it is below zero so, the step itself is looked at (locate.c).
#include <math.h>
#include <string.h>

#include "core/expression/enclosure.h"
#include "core/network/turns.h"
#include "core/simulation/simulation_private.h"
#include "core/simulation/switching_private.h"

enum { ENCLOSURES_MAX = 128, DEPTH_MAX = 40 };

/** An expression of signals, and of the time. */
typedef struct formula {
  sb_formula of;
  sb_enclosing *enclosing;
  int instance;
  long step;       // number of the step in which it was last enclosed,
  double from, to; // over this span
} formula;

/** A branch that an indicator tells, at a node of an expression. */
typedef struct branch_place {
  int formula, node; // -1: unknown
} branch_place;

struct sb_conditions {
  formula *formulas; // (count)
  int count, capacity;
  int *first;             // (instances) its first formula; all of one stand in a row
  int *values;            // (network values) the formula of each; -1: it has none, and moves evenly
  branch_place *branches; // (network branches)
  double *start, *end;    // (network values) at both ends of the step
  long step;              // its number
};

static void note_branches(struct sb_conditions *c, int index) {
  int count;
  const sb_node *nodes = sb_expression_nodes(c->formulas[index].of.expression, &count);
  for (int i = 0; i < count; i++) {
    if (nodes[i].branch > 0) {
      c->branches[nodes[i].branch - 1] = (branch_place){index, i};
    }
  }
}

/** Whether a signal without a memory gives what its one expression is. */
static bool gives_its_expression(const sb_instance *instance, int formulas) {
  return formulas == 1 && instance->type->signal != NULL && instance->type->signal->is_formula &&
         instance->layout.states == 0;
}

static bool list_instance(sb_simulation *sim, struct sb_conditions *c, int index) {
  const sb_instance *instance = &sim->network->instances[index];
  const int first = c->first[index] = c->count;
  for (const sb_param *p = instance->type->params; p != NULL && p->name != NULL; p++) {
    formula f = {.instance = index};
    if (!sb_instance_formula(instance, p, &f.of)) {
      continue;
    }
    f.enclosing = sb_enclosing_create(f.of.expression, &sim->memory);
    if (f.enclosing == NULL ||
        !sb_arena_append(&sim->memory, &c->formulas, &c->count, &c->capacity, sizeof f, &f)) {
      return false;
    }
    note_branches(c, c->count - 1);
  }
  if (gives_its_expression(instance, c->count - first)) {
    c->values[instance->signal] = first;
  }
  return true;
}

/** For the network, without formulas. @return NULL: out of memory */
static struct sb_conditions *create(const sb_network *network, sb_arena *memory) {
  struct sb_conditions *c = sb_arena_zeroed(memory, 1, sizeof *c);
  int *first = sb_arena_zeroed(memory, network->instance_count, sizeof *first);
  int *values = sb_arena_zeroed(memory, network->value_count, sizeof *values);
  branch_place *branches = sb_arena_zeroed(memory, network->branch_count, sizeof *branches);
  double *start = sb_arena_zeroed(memory, 2 * network->value_count, sizeof *start);
  if (memory->failed) {
    return NULL;
  }
  for (int v = 0; v < network->value_count; v++) {
    values[v] = -1;
  }
  for (int k = 0; k < network->branch_count; k++) {
    branches[k] = (branch_place){-1, -1};
  }
  *c = (struct sb_conditions){.first = first,
                              .values = values,
                              .branches = branches,
                              .start = start,
                              .end = start + network->value_count};
  return c;
}

sb_status sb_conditions_list(sb_simulation *sim, sb_error *err) {
  const sb_network *network = sim->network;
  bool any = network->branch_count > 0;
  for (int i = 0; i < network->instance_count; i++) {
    any = any || sb_instance_has_condition(&network->instances[i]);
  }
  sim->conditions = any ? create(network, &sim->memory) : NULL;
  bool done = !any || sim->conditions != NULL;
  for (int i = 0; any && done && i < network->instance_count; i++) {
    done = list_instance(sim, sim->conditions, i);
  }
  return done ? SB_OK : sb_fail(err, SB_ERR_MEMORY, "out of memory");
}

static void keep(const sb_simulation *sim, double values[]) {
  memcpy(values, sim->work->values, (size_t)sim->network->value_count * sizeof *values);
}

void sb_conditions_begin(sb_simulation *sim) {
  if (sim->conditions != NULL) {
    keep(sim, sim->conditions->start);
  }
}

void sb_conditions_end(sb_simulation *sim) {
  if (sim->conditions != NULL) {
    keep(sim, sim->conditions->end);
    sim->conditions->step++;
  }
}

/** From a to b at both ends of the step, over a span of it. */
static sb_motion evenly(double a, double b, double from, double to) {
  const double low = a + from * (b - a), high = a + to * (b - a);
  return (sb_motion){{{fmin(low, high), fmax(low, high)}, {b - a, b - a}}, 0.5 * (low + high)};
}

/** A formula over a span of the step, whose length counts as 1. */
static sb_motion enclose(const sb_simulation *sim, int index, double from, double to) {
  const struct sb_conditions *c = sim->conditions;
  formula *f = &c->formulas[index];
  if (f->step == c->step && f->from == from && f->to == to) {
    return sb_enclosing_last(f->enclosing);
  }
  f->step = c->step;
  f->from = from;
  f->to = to;
  const sb_instance *instance = &sim->network->instances[f->instance];
  sb_motion variables[SB_EXPRESSION_VARIABLES_MAX] = {0};
  if (f->of.time) {
    variables[0] = evenly(sim->t0, sim->t, from, to);
  }
  for (int k = f->of.wire; k < instance->wire_count; k++) {
    const int slot = f->of.time + k - f->of.wire;
    const int value = sim->network->wires[instance->wire + k];
    if (slot >= SB_EXPRESSION_VARIABLES_MAX || !sb_expression_uses(f->of.expression, slot)) {
      continue;
    }
    variables[slot] = c->values[value] >= 0 ? enclose(sim, c->values[value], from, to)
                                            : evenly(c->start[value], c->end[value], from, to);
  }
  return sb_enclosing_move(f->enclosing, variables, 0.5 * (to - from));
}

/** An indicator that is searched in a step. */
typedef struct search {
  int formula;
  int node; // of a branch that is held; -1: the indicator is
  double held, sign, offset;
  double missed; // depth that does not count
  int left;      // enclosures
} search;

static sb_motion enclose_indicator(const sb_simulation *sim, const search *s, double from,
                                   double to) {
  sb_motion m = enclose(sim, s->formula, from, to);
  if (s->node >= 0) {
    return sb_enclosing_gap(sim->conditions->formulas[s->formula].enclosing, s->node, s->held);
  }
  const sb_interval sign = {s->sign, s->sign}, offset = {s->offset, s->offset};
  m.all.value = sb_interval_add(sb_interval_multiply(m.all.value, sign), offset);
  m.all.slope = sb_interval_multiply(m.all.slope, sign);
  m.middle = s->sign * m.middle + s->offset;
  return m;
}

/** A place in a span where the indicator is below zero, or above it; not at its ends. The first that halving finds.
 *  @param side  1: below zero, -1: above  @param at  out, as a fraction of the step */
static bool find(const sb_simulation *sim, search *s, double side, double from, double to,
                 int depth, double *at) {
  if (s->left-- <= 0 || depth > DEPTH_MAX) {
    return false;
  }
  const sb_motion m = enclose_indicator(sim, s, from, to);
  const double least = side > 0 ? m.all.value.low : -m.all.value.high;
  if (least > -s->missed || m.all.slope.low >= 0 || m.all.slope.high <= 0) {
    return false; // or it is so at an end
  }
  const double middle = 0.5 * (from + to);
  if (side * m.middle < -s->missed) {
    *at = middle;
    return true;
  }
  return find(sim, s, side, from, middle, depth + 1, at) ||
         find(sim, s, side, middle, to, depth + 1, at);
}

/** What the indicator is an expression of. @return whether that is known */
static bool prepare(const sb_simulation *sim, int index, search *s) {
  const sb_switch *element = &sim->switches[index];
  const sb_instance *instance = &sim->network->instances[element->instance];
  if (sb_is_branch(sim, index)) {
    const branch_place *place = &sim->conditions->branches[element->branch];
    s->formula = place->formula;
    s->node = place->node;
    s->held = sim->work->branches.held[element->branch];
    return s->formula >= 0 && isfinite(s->held);
  }
  const sb_expression *condition =
      !sb_instance_has_condition(instance)
          ? NULL
          : element->hooks->condition(instance->self, sim->work->modes[instance->mode], &s->sign,
                                      &s->offset);
  s->node = s->formula = -1;
  const struct sb_conditions *c = sim->conditions;
  for (int i = c->first[element->instance];
       condition != NULL && i < c->count && c->formulas[i].instance == element->instance; i++) {
    s->formula = c->formulas[i].of.expression == condition ? i : s->formula;
  }
  return s->formula >= 0;
}

bool sb_condition_dips(sb_simulation *sim, int index, double *t) {
  const sb_indicator *g = &sim->switches[index].indicators[0];
  const double size = fmax(sim->switches[index].farthest, fmax(fabs(g->g[0]), fabs(g->g[1])));
  search s = {.missed = sim->options.rtol * size, .left = ENCLOSURES_MAX};
  double from = 0, at, again;
  if (sim->conditions == NULL || !sim->start_known || !(g->g[0] >= 0) || !isfinite(s.missed) ||
      !prepare(sim, index, &s)) {
    return false;
  }
  // what begins at zero, as behind its last event, has to rise before it falls
  bool rises = g->g[0] > s.missed || find(sim, &s, -1, 0, 1, 0, &from);
  if (!rises || !find(sim, &s, 1, from, 1, 0, &at)) {
    return false;
  }
  s.left = ENCLOSURES_MAX;
  *t = sim->t0 + at * (sim->t - sim->t0);
  return g->g[1] >= 0 || find(sim, &s, -1, at, 1, 0, &again); // else its one root is found anyway
}
