// SPDX-License-Identifier: GPL-3.0-or-later
// What goes to and fro over its jump by less than rtol resolves, faster and faster or by next to no energy: no step follows it, and it has no end.
#include <math.h>

#include "core/model/rhs.h"
#include "core/simulation/formulas_private.h"
#include "core/simulation/simulation_private.h"
#include "core/simulation/switching_private.h"

/** So many times in a row, at whose pace the rest of the run would take more than the latter, are without end. */
enum { TOO_MANY = 1000, CRAWL = 100000 };

bool sb_trembles_on(sb_simulation *sim, sb_switch *switched, bool trembles) {
  if (!trembles || sim->options.step > 0) {
    switched->trembles = 0;
    return false;
  }
  if (switched->trembles++ == 0) {
    switched->trembling = sim->t;
  }
  const double span = sim->t - switched->trembling;
  return switched->trembles > TOO_MANY && span * CRAWL < (sim->t_end - sim->t) * switched->trembles;
}

/** What decides on a switch, its condition, with the workspace where it is. */
typedef struct decision {
  const sb_expression *expression;
  int formula;
} decision;

/** @return false: it is not known */
static bool find_decision(const sb_simulation *sim, int index, decision *d) {
  const sb_switch *element = &sim->switches[index];
  const sb_instance *instance = &sim->network->instances[element->instance];
  const struct sb_formulas *f = sim->formulas;
  double sign, offset;
  d->formula = -1;
  d->expression =
      element->hooks->condition(instance->self, sim->work->modes[instance->mode],
                                sim->work->discrete + instance->discrete, &sign, &offset);
  for (int i = f != NULL && d->expression != NULL ? f->first[element->instance] : 0;
       f != NULL && d->expression != NULL && i < f->count &&
       f->list[i].instance == element->instance;
       i++) {
    d->formula = f->list[i].of.expression == d->expression ? i : d->formula;
  }
  return d->formula >= 0;
}

static double decide(const sb_simulation *sim, const decision *d, double *terms) {
  double variables[SB_EXPRESSION_VARIABLES_MAX] = {0};
  sb_formula_variables(sim, d->formula, variables);
  *terms = sb_expression_terms(d->expression, variables, NULL, NULL);
  return sb_expression_at(d->expression, variables, NULL, NULL, -1).value;
}

/** How fast the condition of a switch goes on from here, with the sum of its terms. @return NAN: it is not known */
static double rate_of_condition(sb_simulation *sim, int index, double h, double *terms) {
  decision d;
  double unused;
  if (!find_decision(sim, index, &d)) {
    return NAN;
  }
  const double now = decide(sim, &d, terms);
  for (int i = 0; i < sim->network->state_count; i++) {
    sim->later[i] = sim->x[i] + h * sim->work->evaluation.xdot[i];
  }
  const bool ok = sb_workspace_evaluate(sim->work, sim->t + h, sim->later) == 0;
  const double later = ok ? decide(sim, &d, &unused) : NAN;
  return sb_workspace_evaluate(sim->work, sim->t, sim->x) == 0 ? (later - now) / h : NAN;
}

/** The same of what decides on a branch. */
static double rate_of_branch(sb_simulation *sim, int index, double h, double *terms) {
  const sb_switch *switched = &sim->switches[index];
  sb_branches *b = &sim->work->branches;
  b->measures = true;
  (void)sb_branches_ask(sim, switched->instance, sim->t, sim->x);
  b->measures = false;
  const double now = b->gap[switched->branch];
  *terms = b->terms[switched->branch];
  return sb_branches_later(sim, sim->t, sim->x, index, h) ? (b->gap[switched->branch] - now) / h
                                                          : NAN;
}

/** Whether what decides has gone no farther from its kink, by the time T since its last passage to v T/4, than to rtol of its own terms.
 *  With the workspace at (t, x). */
static bool is_unresolved(sb_simulation *sim, int index, double T) {
  const double h = sb_short_time(sim);
  double terms = 0;
  if (!(h > 0)) {
    return false;
  }
  const double v = sb_is_branch(sim, index) ? rate_of_branch(sim, index, h, &terms)
                                            : rate_of_condition(sim, index, h, &terms);
  return fabs(v) * T / 4 < sim->options.rtol * terms;
}

sb_status sb_quickening_check(sb_simulation *sim, int index, sb_error *err) {
  sb_switch *switched = &sim->switches[index];
  const double T = sim->t - switched->passed;
  const bool jumped = switched->jumped || !sb_is_branch(sim, index);
  const bool quickens = jumped && T < switched->spans[1]; // the last one the same way
  switched->passed = sim->t;
  switched->spans[1] = switched->spans[0];
  switched->spans[0] = T;
  if (!sb_trembles_on(sim, switched, quickens && is_unresolved(sim, index, T))) {
    return SB_OK;
  }
  const sb_instance *instance = &sim->network->instances[switched->instance];
  (void)sb_fail(err, SB_ERR_CHATTER,
                "'%.100s' switches without end at t = %s s: faster and faster, by less than rtol "
                "resolves of what decides",
                instance->id, sb_number_word(sim->t).text);
  sb_error_hint(err, "what its expression switches drives it back through a lag: add hysteresis");
  sb_place_into(&instance->place, err);
  return SB_ERR_CHATTER;
}
