// SPDX-License-Identifier: GPL-3.0-or-later
// Event indicators that are expressions: conditions of switches, and what branches of expressions decide on. Where all states move
// evenly nothing bounds a step, and an indicator may fall below zero and rise again in it. Over the step each is enclosed by interval
// arithmetic (formulas.c); spans in which it may be zero and is not monotone are divided, the widest first. Where it is below zero so,
// the step itself is looked at there (falls.c).
#include <math.h>

#include "core/model/slide.h"
#include "core/simulation/formulas_private.h"
#include "core/simulation/switching_private.h"

/** No span is divided that is shorter than this fraction of the step: by rounding of the time there is nothing in it. */
static const double narrowest = 1e-12;

/** An indicator that is searched in a step. */
typedef struct search {
  int formula;
  int node; // of a branch that is held; -1: the indicator is
  double held, sign, offset;
  double missed; // depth that does not count
} search;

static sb_motion enclose_indicator(const sb_simulation *sim, const search *s, double from,
                                   double to) {
  sb_motion m = sb_formula_enclose(sim, s->formula, from, to);
  if (s->node >= 0) {
    return sb_enclosing_gap(sim->formulas->list[s->formula].enclosing, s->node, s->held);
  }
  const sb_interval sign = {s->sign, s->sign}, offset = {s->offset, s->offset};
  m.all.value = sb_interval_add(sb_interval_multiply(m.all.value, sign), offset);
  m.all.slope = sb_interval_multiply(m.all.slope, sign);
  m.middle = s->sign * m.middle + s->offset;
  return m;
}

/** The first place in a span where the indicator is below zero, or above it, that halving finds; not at its ends.
 *  @param side  1: below zero, -1: above  @param at  out, as a fraction of the step */
static bool find(const sb_simulation *sim, const search *s, double side, double from, double to,
                 double *at) {
  sb_spans spans = {0};
  double end = HUGE_VAL;
  sb_spans_add(&spans, from, to);
  while (sb_spans_take(&spans, &from, &to)) {
    if (from >= end || to - from < narrowest) {
      continue;
    }
    const sb_motion m = enclose_indicator(sim, s, from, to);
    const double least = side > 0 ? m.all.value.low : -m.all.value.high;
    if (least > -s->missed || m.all.slope.low >= 0 || m.all.slope.high <= 0) {
      continue; // or it is so at an end
    }
    const double middle = 0.5 * (from + to);
    sb_spans_add(&spans, from, middle);
    if (side * m.middle < -s->missed) {
      end = middle;
    } else {
      sb_spans_add(&spans, middle, to);
    }
  }
  *at = end;
  return isfinite(end);
}

/** What the indicator is an expression of. @return whether that is known */
static bool prepare(const sb_simulation *sim, int index, search *s) {
  const sb_switch *element = &sim->switches[index];
  const sb_instance *instance = &sim->network->instances[element->instance];
  if (sb_is_branch(sim, index)) {
    const sb_branch_place *place = &sim->formulas->branches[element->branch];
    s->formula = place->formula;
    s->node = place->node;
    s->held = sim->work->branches.held[element->branch];
    return s->formula >= 0 && isfinite(s->held) && !sb_slide_has(sim->work, element->branch);
  }
  const sb_expression *condition =
      !sb_instance_has_condition(instance)
          ? NULL
          : element->hooks->condition(instance->self, sim->work->modes[instance->mode],
                                      sim->work->discrete + instance->discrete, &s->sign,
                                      &s->offset);
  s->node = s->formula = -1;
  const struct sb_formulas *c = sim->formulas;
  for (int i = c->first[element->instance];
       condition != NULL && i < c->count && c->list[i].instance == element->instance; i++) {
    s->formula = c->list[i].of.expression == condition ? i : s->formula;
  }
  return s->formula >= 0;
}

bool sb_condition_dips(sb_simulation *sim, int index, double *t) {
  const sb_indicator *g = &sim->switches[index].indicators[0];
  if (sim->formulas == NULL) {
    return false;
  }
  const double size = fmax(sim->switches[index].farthest, fmax(fabs(g->g[0]), fabs(g->g[1])));
  search s = {.missed = sim->options.rtol * size};
  // a jump of the time at an end is before or after it by rounding
  const double edge = sb_time_rounding(sim->t) / (sim->t - sim->t0);
  double from = edge, at, again;
  if (!sim->start_known || !(g->g[0] >= 0) || !isfinite(s.missed) || !prepare(sim, index, &s)) {
    return false;
  }
  // what begins at zero, as behind its last event, has to rise before it falls
  bool rises = g->g[0] > s.missed || find(sim, &s, -1, from, 1 - edge, &from);
  if (!rises || !find(sim, &s, 1, from, 1 - edge, &at)) {
    return false;
  }
  *t = sim->t0 + at * (sim->t - sim->t0);
  return g->g[1] >= 0 ||
         find(sim, &s, -1, at, 1 - edge, &again); // else its one root is found anyway
}

bool sb_condition_is_clear(const sb_simulation *sim, int index, double to) {
  search s = {0};
  if (sb_is_branch(sim, index) && sb_slide_has(sim->work, sim->switches[index].branch)) {
    return true; // it decides nothing
  }
  if (!prepare(sim, index, &s)) {
    return false;
  }
  const sb_enclosure all = enclose_indicator(sim, &s, 0, to).all;
  return all.value.low > 0 || all.slope.low >= 0 || all.slope.high <= 0;
}
