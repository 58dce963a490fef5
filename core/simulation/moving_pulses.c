// SPDX-License-Identifier: GPL-3.0-or-later
// Pulses of moving signals, as exp(-((x - a)/b)^2) of an x that moves evenly: nothing else bounds a step there, and one that passes
// over a pulse sees it at neither end. Such an expression is enclosed over the step (formulas.c),
// and places are looked for at which it is beyond its values at both ends by more than a part of all that it has
// changed by so far; such a step is taken again, shorter. Where it is less, indicators are looked at there (falls.c). Only
// places count, not enclosures: what is wider than its values shortens no step.
//
// An energy or a law of what the element itself has, as a barrier exp(-((q - a)/b)^2), bends in most models. There any place counts that is beyond the ends by more than
// such a bend makes in the step.
#include <math.h>

#include "core/expression/features.h"
#include "core/model/slide.h"
#include "core/simulation/formulas_private.h"
#include "core/simulation/switching_private.h"

typedef struct pulse {
  int formula;
  bool seen;
  sb_interval range; // of the values that have been seen
  double
      at; // where it is farthest beyond its ends in the last step, as a fraction of that; NAN: nowhere
} pulse;

struct sb_pulses {
  pulse *list;
  int count, capacity;
};

sb_status sb_pulses_list(sb_simulation *sim, const bool feeds[], sb_error *err) {
  sb_arena *memory = &sim->memory;
  sim->pulses = NULL;
  if (sim->formulas == NULL) {
    return SB_OK;
  }
  struct sb_pulses *p = sb_arena_zeroed(memory, 1, sizeof *p);
  bool done = p != NULL;
  for (int i = 0; i < sim->formulas->count && done; i++) {
    const sb_moving_formula *f = &sim->formulas->list[i];
    const pulse own = {.formula = i};
    if (f->moves && (f->turns || (f->bends && feeds[f->instance])) && sb_formula_acts(sim, i)) {
      done = sb_arena_append(memory, &p->list, &p->count, &p->capacity, sizeof own, &own);
    }
  }
  sim->pulses = done && p->count > 0 ? p : NULL;
  return done ? SB_OK : sb_fail(err, SB_ERR_MEMORY, "out of memory");
}

static sb_interval with(sb_interval a, double x) {
  return isfinite(x) ? sb_interval_hull(a, (sb_interval){x, x}) : a;
}

/** What a value between `low` and `high` is beyond a range. */
static double beyond(sb_interval value, sb_interval range) {
  return fmax(value.high - range.high, range.low - value.low);
}

/** What is looked for: a place at which a value is beyond those seen, `ends`, by more than `bend`, and a part of the range of all met so far. */
typedef struct search {
  sb_interval ends, range;
  double part, bend;
} search;

static double least_of(const search *s) {
  return fmax(s->bend, s->part * (s->range.high - s->range.low));
}

/** The place in the step where it is farthest beyond the values seen, and how far; but for rounding of its terms. */
static double find_farthest(const sb_simulation *sim, pulse *p, search *s) {
  const double terms =
      fmax(sb_formula_terms(sim, p->formula, 0), sb_formula_terms(sim, p->formula, 1));
  const double shortest =
      SB_FEATURE_NARROWEST * (sim->t_end - sim->options.t_start) / (sim->t - sim->t0);
  double from, to, most = 0;
  sb_spans spans = {0};
  sb_spans_add(&spans, 0, 1);
  while (most <= least_of(s) && sb_spans_take(&spans, &from, &to)) {
    const sb_motion m = sb_formula_enclose(sim, p->formula, from, to);
    const double size = fmax(terms, fmax(fabs(s->range.low), fabs(s->range.high)));
    const double missed = fmax(sim->options.rtol * (s->range.high - s->range.low), s->bend);
    if (!(beyond(m.all.value, s->ends) > fmax(most + missed, SB_SWING_ROUNDING * size)) ||
        m.all.slope.low >= 0 || m.all.slope.high <= 0) {
      continue; // of what is monotone in a span the ends are in other spans
    }
    const double middle = 0.5 * (from + to);
    const double here = isfinite(m.middle) ? beyond((sb_interval){m.middle, m.middle}, s->ends) : 0;
    s->range = with(s->range, m.middle);
    if (here > fmax(most, SB_SWING_ROUNDING * size)) {
      most = here;
      p->at = middle;
    }
    if (to - from > shortest) {
      sb_spans_add(&spans, from, middle);
      sb_spans_add(&spans, middle, to);
    }
  }
  return most;
}

/** Whether the value at the place found is as far beyond the ends where the step itself leads. Long implicit steps see a small difference of terms of
 *  which one follows the other, as K (sin x - g), where that does not move evenly. A narrow pulse may be beside its place for that: what takes
 *  explicit steps is not asked.  @param least  that far */
static bool is_there(sb_simulation *sim, const pulse *p, sb_interval ends, double least) {
  const sb_moving_formula *f = &sim->formulas->list[p->formula];
  double variables[SB_EXPRESSION_VARIABLES_MAX], value = NAN;
  sb_error unused;
  sb_crossing_begin(sim->crossing);
  if (sb_crossing_go(sim, sim->t0 + p->at * (sim->t - sim->t0), &unused) == SB_OK) {
    sb_formula_variables(sim, p->formula, variables);
    value = sb_expression_value(f->of.expression, variables);
  }
  const bool back = sb_evaluate(sim, sim->t, sim->x, &unused) == SB_OK;
  return !back || !isfinite(value) || beyond((sb_interval){value, value}, ends) > least;
}

/** Whether a value is within those at the ends of the step all the time, by one enclosure. */
static bool is_within(const sb_simulation *sim, const pulse *p, const search *s) {
  const sb_motion m = sb_formula_enclose(sim, p->formula, 0, 1);
  return m.all.slope.low >= 0 || m.all.slope.high <= 0 || !(beyond(m.all.value, s->ends) > 0);
}

enum { EIGHTHS = 8, WIDEST_PULSE = 5 };

/** What the middle of a parabola is beyond its ends that bends as the values at eighths of the step do, four times over. A narrow pulse at some of them bends
 *  up to five of the seven through neighbours: the largest of the others decides. */
static double find_bend(const sb_simulation *sim, const pulse *p) {
  double value[EIGHTHS + 1], bends[EIGHTHS - 1];
  for (int k = 0; k <= EIGHTHS; k++) {
    const double place = (double)k / EIGHTHS;
    value[k] = sb_formula_enclose(sim, p->formula, place, place).middle;
  }
  for (int i = 0; i < EIGHTHS - 1; i++) {
    const double bend = 0.5 * EIGHTHS * EIGHTHS * fabs(value[i] - 2 * value[i + 1] + value[i + 2]);
    int place = i;
    for (; place > 0 && !(bends[place - 1] <= bend); place--) {
      bends[place] = bends[place - 1];
    }
    bends[place] = bend;
  }
  return bends[EIGHTHS - 2 - WIDEST_PULSE];
}

static bool passes_over(sb_simulation *sim, pulse *p) {
  const bool own = sim->formulas->list[p->formula].of.own > 0;
  const double start = sb_formula_end(sim, p->formula, false);
  const double end = sb_formula_end(sim, p->formula, true);
  p->at = NAN;
  if (!isfinite(start) || !isfinite(end)) {
    return false;
  }
  search s = {.ends = with((sb_interval){start, start}, end)};
  s.range = p->seen ? sb_interval_hull(p->range, s.ends) : s.ends;
  s.part = own ? SB_FEATURE_FLAT : SB_FEATURE_BEND;
  const bool within = own && is_within(sim, p, &s);
  s.bend = own && !within ? find_bend(sim, p) : 0;
  const double most = within ? 0 : find_farthest(sim, p, &s);
  p->range = s.range;
  p->seen = true;
  return most > least_of(&s) &&
         (own || !sim->options.method->implicit || is_there(sim, p, s.ends, least_of(&s)));
}

/** Whether a formula is on an edge along which signals slide: beside it, as where these move evenly in the step, it has other values. */
static bool slides(const sb_simulation *sim, int formula) {
  if (formula < 0 || !sim->work->slide.on) {
    return false;
  }
  const sb_instance *instance = &sim->network->instances[sim->formulas->list[formula].instance];
  bool any = false;
  for (int k = instance->branch; k < instance->branch + instance->branch_count && !any; k++) {
    any = sb_slide_has(sim->work, k);
  }
  for (int slot = 0; slot < SB_EXPRESSION_VARIABLES_MAX && !any; slot++) {
    any = slides(sim, sb_formula_behind(sim, formula, slot));
  }
  return any;
}

bool sb_pulses_overdue(sb_simulation *sim) {
  const double shortest = SB_FEATURE_NARROWEST * (sim->t_end - sim->options.t_start);
  const bool known = sim->start_known && sim->t > sim->t0;
  bool overdue = false;
  for (int i = 0; sim->pulses != NULL && i < sim->pulses->count && !overdue; i++) {
    sim->pulses->list[i].at = NAN;
    overdue = known && !slides(sim, sim->pulses->list[i].formula) &&
              passes_over(sim, &sim->pulses->list[i]);
  }
  return overdue && sim->options.step <= 0 &&
         sim->t - sim->t0 > fmax(shortest, 4 * sb_time_rounding(sim->t0));
}

bool sb_pulses_place(const sb_simulation *sim, int k, double *t) {
  const bool any = sim->pulses != NULL && k < sim->pulses->count;
  *t = any ? sim->t0 + sim->pulses->list[k].at * (sim->t - sim->t0) : NAN;
  return any;
}
