// SPDX-License-Identifier: GPL-3.0-or-later
// What the projection of a state onto the constraints (projection.c) serves for.
//
// At the start and after a switch it is the plastic impact: charge and momentum are conserved, energy is only lost. A source in a
// constraint, w s, supplies the energy -s w lambda at once.
//
// A new constraint that throws back, as a stop does, is an impact by Newton's law of restitution, c(x+) = -e c(x-): constraints
// that held go on holding, c = 0 at both. With the plastic state xp it is x- + (1 + e)(xp - x-) where flows are linear in the
// states. Else that is where Newton's method begins, along the same directions G: the energy H is convex along them, and so
// c = G dH/dx monotone in the impulses. What is lost is H(x-) - H(x+), which must not be less than nothing: a law of the speeds alone
// does not see to that where H is not even.
//
// After a step it removes the drift of constraints that are enforced by their rates only (coordinate projection: Eich 1993;
// Hairer & Wanner II, VII.2). As G y = 0, that changes the energy by the square of the drift.
#include <math.h>
#include <string.h>

#include "core/causality/constraint.h"
#include "core/model/projection_private.h"
#include "core/model/rhs.h"
#include "core/model/slide.h"

/** Tolerance of a residual, relative to the sum of the absolute values of its terms, for finding that a state violates a constraint. */
static const double constraint_tol = 1e-12;
/** Shortest differences, relative to the states. */
static const double least_fraction = 1e-7;
/** Impulses are found if constraints are met to this fraction of their terms: those that nearly state one thing twice contradict each
 *  other by as much. */
static const double met_tol = 1e-8;

enum { ROUNDS_MAX = 60 };

/** Adds the energy that sources supply by the impulses that a group has taken to their quadratures: what they give at the end counts,
 *  as what moves them has moved by then. What a dissipation of constant effort (dry friction in slip) takes is not added: it is part
 *  of the loss of the event. */
static void add_source_work(const sb_projection *p, int group) {
  const sb_constraint_group *g = &p->groups->groups[group];
  for (int i = 0; i < g->count; i++) {
    double *taken = &p->groups->taken[g->constraints[i]];
    const sb_constraint_row *row =
        *taken == 0 ? NULL
                    : sb_constraint_row_at(p->groups, p->work, g->constraints[i], p->x, true);
    for (int k = 0; row != NULL && k < row->source_count; k++) {
      const sb_constraint_source *source = &row->sources[k];
      const sb_instance *instance = &p->work->network->instances[source->instance];
      double value = source->factor * p->work->values[source->value];
      if (instance->type->source != NULL) {
        p->quadratures[instance->quadrature] -= value * *taken;
      }
    }
    *taken = 0;
  }
}

/** A state that depends on others by a linear constraint. */
static void set_dependent_state(const sb_workspace *work, int constraint, double x[]) {
  const sb_causality *c = &work->program->causality;
  int n = work->network->state_count, base = sb_known_base(work->network), count;
  int state = sb_constraint_state(c, constraint);
  const sb_term *terms = sb_constraint_terms(c, constraint, &count);
  double sum = 0, pivot = 1;
  for (int k = 0; k < count; k++) {
    int known = terms[k].var - base;
    if (known == state) {
      pivot = terms[k].factor;
    } else {
      sum += terms[k].factor * (known < n ? x[known] : work->values[known - n]);
    }
  }
  x[state] = -sum / pivot;
}

static sb_projection projection_of(sb_workspace *work, double t, double x[], double tolerance) {
  return (sb_projection){.work = work,
                         .groups = sb_constraint_groups_of(work),
                         .t = t,
                         .x = x,
                         .quadratures = x + work->network->state_count,
                         .tolerance = tolerance,
                         .least = least_fraction};
}

/** Projects one group after the other. Where signals let one move the ratios and sources of another, that is repeated until all
 *  hold.  @return the constraint that was violated first, -1: none */
static int project_all(sb_projection *p) {
  const sb_causality *c = &p->work->program->causality;
  const double tolerance = p->tolerance;
  const int count = p->groups->count;
  int first = -1;
  bool modulated = false;
  for (int i = 0; i < count; i++) {
    p->groups->groups[i].struck = false;
    modulated = modulated || p->groups->groups[i].modulated;
  }
  bool again = true;
  for (int round = 0; again && round < ROUNDS_MAX; round++) {
    again = false;
    for (int group = 0; group < count; group++) {
      p->strikes = false;
      const int violated = sb_projection_run(p, group);
      const bool strikes = violated >= 0 && p->strikes;
      // What is left may be just below the tolerance, which is the audit's too. If nothing is violated it is taken by an impulse as well: what
      // a dependent state is set to costs energy in the first power of its error, an impulse in the second.
      p->tolerance = SB_DRIFT_TOL;
      (void)sb_projection_run(p, group);
      p->tolerance = tolerance;
      if (violated < 0) {
        continue;
      }
      first = first < 0 && strikes ? violated : first;
      p->groups->groups[group].struck = p->groups->groups[group].struck || strikes;
      again = modulated && count > 1 && sb_workspace_evaluate(p->work, p->t, p->x) == 0;
    }
  }
  for (int group = 0; group < count; group++) {
    add_source_work(p, group);
  }
  for (int i = c->constraint_count - 1; i >= 0 && first >= 0;
       i--) { // also what is rounding of nothing but itself
    if (!sb_constraint_has_multiplier(c, i)) {
      set_dependent_state(p->work, i, p->x);
    }
  }
  return first;
}

sb_status sb_workspace_project(sb_workspace *work, double t, double x[], int *constraint) {
  *constraint = -1;
  if (work->program->causality.constraint_count == 0) {
    return SB_OK;
  }
  sb_projection p = projection_of(work, t, x, constraint_tol);
  *constraint = p.groups != NULL ? project_all(&p) : -1;
  return p.groups != NULL ? SB_OK : SB_ERR_MEMORY;
}

sb_status sb_workspace_project_closely(sb_workspace *work, double t, double x[]) {
  if (work->program->causality.constraint_count == 0) {
    return SB_OK;
  }
  sb_projection p = projection_of(work, t, x, SB_DRIFT_TOL);
  (void)(p.groups != NULL ? project_all(&p) : -1);
  return p.groups != NULL ? SB_OK : SB_ERR_MEMORY;
}

/** Whether constraints contain what an evaluation at the state gives. */
static bool is_modulated(const sb_projection *p) {
  bool any = false;
  for (int i = 0; i < p->groups->count; i++) {
    any = any || p->groups->groups[i].modulated || p->groups->groups[i].algebraic_count > 0;
  }
  return any;
}

static double size_of(const sb_constraint_row *row) {
  return row->size + row->terms + row->momenta;
}

/** The energy c^2/(2 w K w^T) that the impulse would have which takes a residual c of a constraint alone. */
static double energy_of(const sb_constraint_row *row, double c) {
  double response = 0;
  for (int k = 0; k < row->count; k++) {
    response += row->gradient[row->states[k]] * row->impulse[row->states[k]];
  }
  return response > 0 && isfinite(c) ? c * c / (2 * response) : HUGE_VAL;
}

/** All constraints before the impact. @return the most energy by which one is not met */
static double note_struck(const sb_projection *p) {
  double most = 0;
  for (int i = 0; i < p->work->program->causality.constraint_count; i++) {
    const sb_constraint_row *row = sb_constraint_row_at(p->groups, p->work, i, p->x, true);
    p->groups->struck[i] = row->residual;
    p->groups->struck_size[i] = size_of(row);
    most = row->failed ? HUGE_VAL : fmax(most, energy_of(row, row->residual));
  }
  return most;
}

/** Moves x from where flows that are linear in the states would be thrown to. @return whether it had to be moved */
static bool throw_back(sb_projection *p) {
  bool bent = false;
  for (int group = 0; group < p->groups->count; group++) {
    p->tolerance = constraint_tol;
    p->strikes = false;
    sb_projection_begin(p, group);
    if (sb_projection_violated(p) >= 0 && p->strikes) {
      p->tolerance = SB_DRIFT_TOL;
      (void)sb_projection_run(p, group);
      add_source_work(p, group);
      bent = true;
    }
  }
  return bent;
}

/** Whether the constraints are what they are to be, of what they are sums of before or now.
 *  @param left  out: the most energy by which one is not */
static bool are_met(const sb_projection *p, double *left) {
  *left = 0;
  for (int i = 0; i < p->work->program->causality.constraint_count; i++) {
    const sb_constraint_row *row = sb_constraint_row_at(p->groups, p->work, i, p->x, true);
    const double off = fabs(row->residual + p->restitution * p->groups->struck[i]);
    const bool met = !row->failed && off <= met_tol * fmax(size_of(row), p->groups->struck_size[i]);
    *left = met ? *left : row->failed ? HUGE_VAL : fmax(*left, energy_of(row, off));
  }
  return !(*left > 0);
}

sb_status sb_workspace_strike(sb_workspace *work, double t, const double before[], double x[],
                              double restitution, sb_strike *out) {
  *out = (sb_strike){.constraint = -1, .met = true};
  if (work->program->causality.constraint_count == 0) {
    return SB_OK;
  }
  sb_projection p = projection_of(work, t, x, constraint_tol);
  if (p.groups == NULL) {
    return SB_ERR_MEMORY;
  }
  out->energy = note_struck(&p);
  out->constraint = project_all(&p);
  if (out->constraint < 0) {
    return SB_OK;
  }
  out->met = are_met(&p, &out->left);
  for (int i = 0; restitution > 0 && i < sb_vector_count(work->network); i++) {
    x[i] += restitution * (x[i] - before[i]); // what sources supply at it, too
  }
  p.restitution = restitution;
  if (out->met && restitution > 0) {
    out->met = !is_modulated(&p) || sb_workspace_evaluate(work, t, x) == 0;
    out->bent = out->met && throw_back(&p);
    out->met = out->met && are_met(&p, &out->left);
  }
  return SB_OK;
}

bool sb_constraints_struck(const sb_workspace *work, int part) {
  const sb_constraint_groups *groups = work->constraint_groups;
  bool any = false;
  for (int i = 0; groups != NULL && i < groups->count && groups->generation == work->generation;
       i++) {
    const sb_constraint_group *g = &groups->groups[i];
    const int state = sb_constraint_state(&work->program->causality, g->constraints[0]);
    any = any || (g->struck && work->network->part_of[sb_owner_of(work->network, state)] == part);
  }
  return any;
}

sb_status sb_workspace_enforce(sb_workspace *work, double t, double x[], double quadratures[]) {
  const sb_causality *c = &work->program->causality;
  for (int k = 0; k < work->network->drifting_count; k++) {
    const sb_instance *instance = &work->network->instances[work->network->drifting[k]];
    const sb_at at = sb_at_instance(work, instance, t, x);
    (void)instance->type->storage->manifold.project(instance->self, &at, x + instance->state);
  }
  if (sb_has_multipliers(c)) {
    sb_projection p = projection_of(work, t, x, SB_DRIFT_TOL);
    p.quadratures = quadratures;
    if (p.groups == NULL) {
      return SB_ERR_MEMORY;
    }
    for (int group = 0; group < p.groups->count; group++) {
      if (p.groups->groups[group].has_multiplier) {
        sb_gaps_close(&p, group);
        (void)sb_projection_run(&p, group);
        add_source_work(&p, group);
      }
    }
  }
  if (work->slide.on) {
    sb_slide_project(work, t, x);
  }
  // The earlier may contain dependent states of the later.
  for (int i = c->constraint_count - 1; i >= 0; i--) {
    if (!sb_constraint_has_multiplier(c, i)) {
      set_dependent_state(work, i, x);
    }
  }
  return SB_OK;
}
