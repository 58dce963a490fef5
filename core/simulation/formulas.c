// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions of signals over a step, by interval arithmetic: those of conditions and of what branches decide on (conditions.c),
// those that events depend on by bonds (moving_sines.c, moving_pulses.c), and of energies and laws of an element's own states and ports
// (moving_pulses.c). Signals in them are their own expressions, what else moves goes evenly from one end of the step to the other.
#include "core/simulation/formulas_private.h"

#include <math.h>
#include <string.h>

#include "core/expression/expression.h"

static void note_branches(struct sb_formulas *c, int index) {
  int count;
  const sb_node *nodes = sb_expression_nodes(c->list[index].of.expression, &count);
  for (int i = 0; i < count; i++) {
    if (nodes[i].branch > 0) {
      c->branches[nodes[i].branch - 1] = (sb_branch_place){index, i};
    }
  }
}

static bool is_constant(const sb_expression *expression) {
  bool any = false;
  for (int slot = 0; slot < SB_EXPRESSION_VARIABLES_MAX; slot++) {
    any = any || sb_expression_uses(expression, slot);
  }
  return !any;
}

/** The value of a signal with one expression: a multiple of it, with what its states add; or the integral of a constant. */
static void note_value(struct sb_formulas *c, const sb_instance *instance, int first) {
  const sb_signal_hooks *hooks = instance->type->signal;
  if (hooks == NULL || hooks->through == NULL || c->count != first + 1) {
    return;
  }
  sb_moving_value *value = &c->values[instance->signal];
  const bool states = instance->layout.states > 0;
  value->through = hooks->through(instance->self);
  if (value->through != 0) {
    value->formula = first;
    value->rests = states;
  }
  value->even = hooks->integrates && states && value->through == 0 &&
                is_constant(c->list[first].of.expression);
}

/** Whether it is of what the element itself has alone, and no step can pass over a part of it. */
static bool is_smooth(const sb_instance *instance, const sb_formula *f) {
  return f->own > 0 && instance->wire_count == 0 && !sb_expression_may_peak(f->expression);
}

static bool list_instance(sb_simulation *sim, struct sb_formulas *c, int index) {
  const sb_instance *instance = &sim->network->instances[index];
  const int first = c->first[index] = c->count;
  for (const sb_param *p = instance->type->params; p != NULL && p->name != NULL; p++) {
    sb_moving_formula f = {.instance = index, .own = c->own_count};
    if (!sb_instance_formula(instance, p, &f.of) || is_smooth(instance, &f.of)) {
      continue;
    }
    c->own_count += f.of.own;
    f.enclosing = sb_enclosing_create(f.of.expression, &sim->memory);
    if (f.enclosing == NULL ||
        !sb_arena_append(&sim->memory, &c->list, &c->count, &c->capacity, sizeof f, &f)) {
      return false;
    }
    if (f.of.own == 0) {
      note_branches(c, c->count - 1);
    }
  }
  note_value(c, instance, first);
  return true;
}

static int first_signal(const sb_moving_formula *f) {
  return f->of.time + f->of.own;
}

/** The value at a variable of a formula; -1: it is the time, one of the element itself, or not used. */
static int value_at(const sb_simulation *sim, int index, int slot) {
  const sb_moving_formula *f = &sim->formulas->list[index];
  const sb_instance *instance = &sim->network->instances[f->instance];
  const int wire = slot - first_signal(f) + f->of.wire;
  const bool used = slot >= first_signal(f) && wire < instance->wire_count &&
                    sb_expression_uses(f->of.expression, slot);
  return used ? sim->network->wires[instance->wire + wire] : -1;
}

int sb_formula_behind(const sb_simulation *sim, int index, int slot) {
  const int value = value_at(sim, index, slot);
  return value < 0 ? -1 : sim->formulas->values[value].formula;
}

bool sb_formula_acts(const sb_simulation *sim, int index) {
  const sb_instance *instance = &sim->network->instances[sim->formulas->list[index].instance];
  const bool shown = instance->type->signal != NULL && instance->signal_count > 0 &&
                     sim->formulas->values[instance->signal].formula == index &&
                     !sim->formulas->values[instance->signal].rests;
  return !shown && !sb_instance_has_condition(instance);
}

/** Of signals there are no circles without a state, which ends them here. */
static void find_traits(const sb_simulation *sim, int index) {
  sb_moving_formula *f = &sim->formulas->list[index];
  if (f->known) {
    return;
  }
  f->known = true;
  f->even = f->of.own == 0;
  f->moves = f->of.own > 0;
  f->bends = !sb_expression_is_linear(f->of.expression, -1);
  f->turns = f->of.own > 0 ? sb_expression_may_peak(f->of.expression)
                           : !sb_expression_is_linear(f->of.expression, f->of.time ? 0 : -1);
  for (int slot = first_signal(f); slot < SB_EXPRESSION_VARIABLES_MAX; slot++) {
    const int value = value_at(sim, index, slot);
    if (value < 0) {
      continue;
    }
    const sb_moving_value *of = &sim->formulas->values[value];
    const sb_moving_formula *behind = of->formula < 0 ? NULL : &sim->formulas->list[of->formula];
    if (behind != NULL) {
      find_traits(sim, of->formula);
    }
    f->even = f->even && (behind != NULL ? behind->even && !of->rests : of->even);
    f->moves = f->moves || behind == NULL || behind->moves || of->rests;
    f->bends = f->bends || (behind != NULL && behind->bends);
    f->turns = f->turns || (behind != NULL && behind->turns);
  }
}

/** For the network, without formulas. @return NULL: out of memory */
static struct sb_formulas *create(const sb_network *network, sb_arena *memory) {
  struct sb_formulas *c = sb_arena_zeroed(memory, 1, sizeof *c);
  int *first = sb_arena_zeroed(memory, network->instance_count, sizeof *first);
  sb_moving_value *values = sb_arena_zeroed(memory, network->value_count, sizeof *values);
  sb_branch_place *branches = sb_arena_zeroed(memory, network->branch_count, sizeof *branches);
  double *start = sb_arena_zeroed(memory, 2 * network->value_count, sizeof *start);
  if (memory->failed) {
    return NULL;
  }
  for (int v = 0; v < network->value_count; v++) {
    values[v].formula = -1;
  }
  for (int k = 0; k < network->branch_count; k++) {
    branches[k] = (sb_branch_place){-1, -1};
  }
  *c = (struct sb_formulas){.first = first,
                            .values = values,
                            .branches = branches,
                            .start = start,
                            .end = start + network->value_count};
  return c;
}

/** Whether an element has a condition, or an expression of signals or of its own variables. */
static bool has_formula(const sb_instance *instance) {
  sb_formula f;
  bool any = sb_instance_has_condition(instance);
  for (const sb_param *p = instance->type->params; p != NULL && p->name != NULL; p++) {
    any = any || (sb_instance_formula(instance, p, &f) &&
                  (instance->wire_count > 0 || (f.own > 0 && !is_smooth(instance, &f))));
  }
  return any;
}

/** Room for the own variables of all formulas. */
static bool add_own(struct sb_formulas *c, sb_arena *memory) {
  c->own_start = sb_arena_zeroed(memory, 2 * c->own_count, sizeof *c->own_start);
  c->own_end = c->own_start + c->own_count;
  return !memory->failed;
}

sb_status sb_formulas_list(sb_simulation *sim, sb_error *err) {
  const sb_network *network = sim->network;
  bool any = network->branch_count > 0;
  for (int i = 0; i < network->instance_count; i++) {
    any = any || has_formula(&network->instances[i]);
  }
  sim->formulas = any ? create(network, &sim->memory) : NULL;
  bool done = !any || sim->formulas != NULL;
  for (int i = 0; any && done && i < network->instance_count; i++) {
    done = list_instance(sim, sim->formulas, i);
  }
  done = done && (!any || add_own(sim->formulas, &sim->memory));
  for (int i = 0; any && done && i < sim->formulas->count; i++) {
    find_traits(sim, i);
  }
  return done ? SB_OK : sb_fail(err, SB_ERR_MEMORY, "out of memory");
}

/** What an own variable is where the workspace is. */
static double own_value(const sb_simulation *sim, const sb_instance *instance,
                        const sb_argument *argument) {
  const sb_workspace *work = sim->work;
  const int k = argument->component;
  if (argument->own == SB_OWN_STATE) {
    return k < instance->layout.states ? work->evaluation.x[instance->state + k] : 0;
  }
  if (k >= instance->components) {
    return 0;
  }
  const sb_at at = sb_at_instance(work, instance, work->evaluation.t, work->evaluation.x);
  const bool gives_effort = sb_instance_gives(instance, k, at.assigned) == SB_EFFORT;
  return gives_effort == (argument->own == SB_OWN_EFFORT) ? work->values[instance->out + k]
                                                          : at.in[k];
}

static void own_values(const sb_simulation *sim, const sb_moving_formula *f, double values[]) {
  const sb_instance *instance = &sim->network->instances[f->instance];
  for (int k = 0; k < f->of.own; k++) {
    values[k] = own_value(sim, instance, &f->of.arguments[k]);
  }
}

static void keep(const sb_simulation *sim, double values[], double own[]) {
  const struct sb_formulas *c = sim->formulas;
  memcpy(values, sim->work->values, (size_t)sim->network->value_count * sizeof *values);
  for (int i = 0; i < c->count && c->own_count > 0; i++) {
    own_values(sim, &c->list[i], own + c->list[i].own);
  }
}

void sb_formulas_begin(sb_simulation *sim) {
  if (sim->formulas != NULL) {
    keep(sim, sim->formulas->start, sim->formulas->own_start);
  }
}

void sb_formulas_end(sb_simulation *sim) {
  if (sim->formulas != NULL) {
    keep(sim, sim->formulas->end, sim->formulas->own_end);
    sim->formulas->step++;
  }
}

/** From a to b at both ends of the step, over a span of it. */
static sb_motion evenly(double a, double b, double from, double to) {
  const double low = a + from * (b - a), high = a + to * (b - a);
  if (isnan(low) || isnan(high)) {
    return (sb_motion){{{-HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, HUGE_VAL}}, NAN};
  }
  return (sb_motion){{{fmin(low, high), fmax(low, high)}, {b - a, b - a}}, 0.5 * (low + high)};
}

double sb_formula_end(const sb_simulation *sim, int index, bool end) {
  const struct sb_formulas *c = sim->formulas;
  const sb_moving_formula *f = &c->list[index];
  double variables[SB_EXPRESSION_VARIABLES_MAX] = {!f->of.time ? 0 : end ? sim->t : sim->t0};
  for (int k = 0; k < f->of.own; k++) {
    variables[k] = (end ? c->own_end : c->own_start)[f->own + k];
  }
  for (int slot = first_signal(f); slot < SB_EXPRESSION_VARIABLES_MAX; slot++) {
    const int v = value_at(sim, index, slot);
    variables[slot] = v < 0 ? 0 : (end ? c->end : c->start)[v];
  }
  return sb_expression_value(f->of.expression, variables);
}

/** What the value of a signal is beside its formula, at an end of the step. */
static double rest_at(const sb_simulation *sim, int value, bool end) {
  const struct sb_formulas *c = sim->formulas;
  const sb_moving_value *own = &c->values[value];
  return (end ? c->end : c->start)[value] - own->through * sb_formula_end(sim, own->formula, end);
}

static sb_motion enclose_value(const sb_simulation *sim, int value, double from, double to) {
  const struct sb_formulas *c = sim->formulas;
  const sb_moving_value *own = &c->values[value];
  if (own->formula < 0) {
    return evenly(c->start[value], c->end[value], from, to);
  }
  sb_motion m = sb_formula_enclose(sim, own->formula, from, to);
  if (own->through != 1) {
    const sb_interval factor = {own->through, own->through};
    m.all.value = sb_interval_multiply(m.all.value, factor);
    m.all.slope = sb_interval_multiply(m.all.slope, factor);
    m.middle *= own->through;
  }
  if (own->rests) {
    const sb_motion rest = evenly(rest_at(sim, value, false), rest_at(sim, value, true), from, to);
    m.all.value = sb_interval_add(m.all.value, rest.all.value);
    m.all.slope = sb_interval_add(m.all.slope, rest.all.slope);
    m.middle += rest.middle;
  }
  return m;
}

sb_motion sb_formula_enclose(const sb_simulation *sim, int index, double from, double to) {
  sb_moving_formula *f = &sim->formulas->list[index];
  if (f->step == sim->formulas->step && f->from == from && f->to == to) {
    return sb_enclosing_last(f->enclosing);
  }
  f->step = sim->formulas->step;
  f->from = from;
  f->to = to;
  sb_motion variables[SB_EXPRESSION_VARIABLES_MAX] = {0};
  if (f->of.time) {
    variables[0] = evenly(sim->t0, sim->t, from, to);
  }
  for (int k = 0; k < f->of.own; k++) {
    const struct sb_formulas *c = sim->formulas;
    variables[k] = evenly(c->own_start[f->own + k], c->own_end[f->own + k], from, to);
  }
  for (int slot = first_signal(f); slot < SB_EXPRESSION_VARIABLES_MAX; slot++) {
    const int value = value_at(sim, index, slot);
    if (value >= 0) {
      variables[slot] = enclose_value(sim, value, from, to);
    }
  }
  return sb_enclosing_move(f->enclosing, variables, 0.5 * (to - from));
}

double sb_formula_terms(const sb_simulation *sim, int index, double place) {
  const sb_moving_formula *f = &sim->formulas->list[index];
  double sizes[SB_EXPRESSION_VARIABLES_MAX] = {0};
  for (int slot = first_signal(f); slot < SB_EXPRESSION_VARIABLES_MAX; slot++) {
    const int value = value_at(sim, index, slot);
    const sb_moving_value *own = value < 0 ? NULL : &sim->formulas->values[value];
    if (own != NULL && own->formula >= 0) {
      sizes[slot] = fabs(own->through) * sb_formula_terms(sim, own->formula, place);
    }
  }
  (void)sb_formula_enclose(sim, index, place, place);
  return sb_enclosing_terms(f->enclosing, sizes);
}

void sb_formula_variables(const sb_simulation *sim, int index, double variables[]) {
  const sb_moving_formula *f = &sim->formulas->list[index];
  const sb_instance *instance = &sim->network->instances[f->instance];
  variables[0] = sim->work->evaluation.t;
  own_values(sim, f, variables);
  for (int slot = first_signal(f); slot < SB_EXPRESSION_VARIABLES_MAX; slot++) {
    const int wire = slot - first_signal(f) + f->of.wire;
    variables[slot] = wire < instance->wire_count ? *sim->work->wires[instance->wire + wire] : 0;
  }
}
