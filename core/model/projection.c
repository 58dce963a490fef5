// SPDX-License-Identifier: GPL-3.0-or-later
// Moves a state onto the constraints c(x) = 0 of the network, c = sum w y over outputs y of storages and values of sources.
// The state is moved by impulses lambda of the Lagrange multipliers. Because the structure is power-free, impulses act on
// the states with the same factors G = (w) with which constraints read the outputs. With the Hessians K of the storages,
//   x+ = x- + G^T lambda,   (C G^T) lambda = -c(x-),   C = dc/dx = G K,
// which is exact where y is linear in x and else a step of Newton's method, repeated until c is rounding.
//
// At the start and after a switch this is the plastic impact: charge and momentum are conserved, energy is only lost. A
// source in a constraint, w s, supplies the energy -s w lambda at once.
// After a step it removes the drift of constraints that are enforced by their rates only (coordinate projection: Eich 1993;
// Hairer & Wanner II, VII.2). As G y = 0, that changes the energy by the square of the drift. Gaps of contacts: gaps.c.
//
// Signals may make ratios and sources in a constraint depend on the states. Then the model is evaluated after every Newton
// step, and where C as above is inexact and convergence slow, C G^T is found by differences along G.
// With algebraic variables w, c = G y + N w, only impulses with N^T lambda = 0 are possible (algebraic.c).
#include <math.h>
#include <string.h>

#include "core/causality/constraint.h"
#include "core/linalg/dense.h"
#include "core/model/projection_private.h"
#include "core/model/rhs.h"

/** Tolerances of a residual, relative to the sum of the absolute values of its terms: for finding that a state violates a
 *  constraint, and for the projection itself, near rounding. */
static const double constraint_tol = 1e-12, drift_tol = 4e-15;

/** Length of the differences along G, relative to the impulses; a Newton step that leaves more than `slow_fraction` of the
 *  residual is slow. */
static const double difference_fraction = 1e-4, slow_fraction = 0.05;
/** Shortest differences, relative to the states. */
static const double least_fraction = 1e-7;
/** Constraints are linear where their residuals are below this fraction of their terms; a step of Newton's method that leaves more than
 *  the other fraction of their energies is one of rounding. */
static const double linear_fraction = 1e-10, least_decrease = 0.25;
/** Residuals below this fraction of their terms, near `drift_tol`, are rounding that no better matrix takes away. */
static const double rounding_fraction = 1e-14;
/** So much of the energies is left by a step that leaves nothing but rounding. */
static const double exact_decrease = 1e-26;
/** A pivot of the matrix by differences below this fraction is their error. */
static const double difference_tol = 1e-7;

enum { ITERATIONS_MAX = 60, HALVINGS_MAX = 40, ROUNDS_MAX = 60 };

typedef sb_projection projection;

void sb_projection_begin(sb_projection *p, int group) {
  p->group = &p->groups->groups[group];
  int m = p->m = p->group->count, n = p->n = p->group->state_count;
  p->C = p->groups->numbers;
  p->G = p->C + m * n;
  p->A = p->G + m * n;
  p->residual = p->A + m * m;
  p->unit = p->residual + m;
  p->lambda = p->unit + m;
  p->trial = p->lambda + m;
  p->before = p->trial + m * (m + 2);
  p->by_differences = false;
  int f = p->group->algebraic_count;
  p->system = (sb_constraint_system){
      .m = m, .f = f, .A = p->A, .c = p->residual, .order = p->groups->pivots};
  p->system.N = p->before + n;
  p->system.solution = p->system.N + m * f;
  p->system.scratch = p->system.solution + m + f;
}

static const sb_constraint_row *row_at(const projection *p, int i, bool gradients) {
  return sb_constraint_row_at(p->groups, p->work, p->group->constraints[i], p->x, gradients);
}

/** The constraint of the group with the largest relative residual, if that is beyond the tolerance;
 *  -1: none. It strikes if that is more than the rounding of momenta: what is less is taken away without an impact. */
static int most_violated(projection *p) {
  double largest = p->tolerance;
  int worst = -1;
  for (int i = 0; i < p->m; i++) {
    const sb_constraint_row *row = row_at(p, i, true);
    const double size = row->size + row->terms;
    p->strikes = p->strikes || !(fabs(row->residual) <= p->tolerance * (size + row->momenta));
    if (!(fabs(row->residual) <= largest * size)) {
      largest = fabs(row->residual) / size;
      worst = p->group->constraints[i];
    }
  }
  return worst;
}

/** c(x). */
static void find_residuals(projection *p) {
  for (int i = 0; i < p->m; i++) {
    const sb_constraint_row *row = row_at(p, i, false);
    p->residual[i] = row->failed ? NAN : row->residual;
  }
}

void sb_projection_rows(sb_projection *p) {
  memset(p->C, 0, (size_t)(p->m * p->n) * sizeof *p->C);
  memset(p->G, 0, (size_t)(p->m * p->n) * sizeof *p->G);
  p->energy = 0;
  for (int i = 0; i < p->m; i++) {
    const sb_constraint_row *row = row_at(p, i, true);
    double response = 0;
    p->residual[i] = row->failed ? NAN : row->residual;
    for (int k = 0; k < row->count; k++) {
      int state = row->states[k], column = p->groups->column[state];
      p->C[i * p->n + column] = row->gradient[state];
      p->G[i * p->n + column] = row->impulse[state];
      response += row->gradient[state] * row->impulse[state];
    }
    p->unit[i] = response > 0 ? sqrt(response) : row->size;
    const double terms = p->unit[i] > 0 ? (row->size + row->terms) / p->unit[i] : 0;
    p->energy += terms * terms;
    for (int j = 0; j < p->system.f; j++) {
      p->system.N[i * p->system.f + j] = row->algebraic[p->group->algebraics[j]];
    }
  }
}

/** Twice the energies of the impulses that would take the residuals one by one, c_i^2/(C G^T)_ii: so those of what is at rest but for
 *  rounding count by what they are beside the others. */
static double norm(const projection *p) {
  double sum = 0;
  for (int i = 0; i < p->m; i++) {
    double fraction = p->unit[i] > 0 ? p->residual[i] / p->unit[i] : p->residual[i];
    sum += fraction * fraction;
  }
  return sum;
}

/** Moves the states of the group by a fraction of the impulses. */
static void move(const projection *p, double fraction) {
  for (int k = 0; k < p->n; k++) {
    double moved = 0;
    for (int i = 0; i < p->m; i++) {
      moved += p->G[i * p->n + k] * p->lambda[i];
    }
    p->x[p->group->states[k]] = p->before[k] + fraction * moved;
  }
}

/** Adds the energy that sources supply by the impulses that a group has taken to their quadratures: what they give at the end counts,
 *  as what moves them has moved by then. What a dissipation of constant effort (dry friction in slip) takes is not added: it is part
 *  of the loss of the event. */
static void add_source_work(const projection *p, int group) {
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

/** Brings ratios and sources that depend on the states, and algebraic variables, to x. */
static bool refresh(const projection *p) {
  if (p->group->modulated) {
    return sb_workspace_evaluate(p->work, p->t, p->x) == 0;
  }
  return p->system.f == 0 || sb_algebraic_run(p->work, p->group->algebraics[0], p->x) == 0;
}

void sb_projection_solve(sb_projection *p, double least) {
  int n = p->n, m = p->m;
  for (int i = 0; i < m; i++) {
    p->lambda[i] = -p->residual[i];
    for (int j = 0; j < m; j++) {
      p->A[i * m + j] = 0;
      for (int k = 0; k < n; k++) {
        p->A[i * m + j] += p->C[i * n + k] * p->G[j * n + k];
      }
    }
  }
  if (p->system.f == 0) {
    (void)sb_solve_semidefinite(p->A, p->lambda, m, least, p->groups->pivots, p->trial);
    return;
  }
  (void)sb_constraint_system_solve(&p->system, NULL);
  memcpy(p->lambda, p->system.solution, (size_t)m * sizeof *p->lambda);
}

/** Length of the difference along impulse j: relative to that impulse, but at least what changes a state by the fraction `least`
 *  of itself. */
static double length_along(const projection *p, int j) {
  double least = HUGE_VAL;
  for (int k = 0; k < p->n; k++) {
    double g = fabs(p->G[j * p->n + k]);
    least = g > 0 ? fmin(least, p->least * fabs(p->before[k]) / g) : least;
  }
  double length = difference_fraction * fabs(p->lambda[j]);
  return length > 0 && isfinite(least) ? fmax(length, least) : length;
}

/** A column of C G^T by central differences of c along the impulse j. */
static bool differentiate_along(projection *p, int j, double system[]) {
  int m = p->m;
  double length = length_along(p, j);
  for (int side = 0; side < 2 && length > 0; side++) {
    for (int k = 0; k < p->n; k++) {
      p->x[p->group->states[k]] =
          p->before[k] + (side == 0 ? length : -length) * p->G[j * p->n + k];
    }
    if (!refresh(p)) {
      return false;
    }
    find_residuals(p);
    for (int i = 0; i < m; i++) {
      double *slope = &system[i * (m + 1) + j];
      *slope = side == 0 ? p->residual[i] : (*slope - p->residual[i]) / (2 * length);
    }
  }
  for (int i = 0; i < m && !(length > 0); i++) {
    system[i * (m + 1) + j] = 0;
  }
  return true;
}

/** lambda by differences of c along G, after sb_projection_solve(), whose impulses give their length. */
static bool solve_by_differences(projection *p) {
  int m = p->m;
  double *residual = p->trial, *system = residual + m;
  for (int i = 0; i < m; i++) {
    residual[i] = p->residual[i];
    system[i * (m + 1) + m] = -p->residual[i];
  }
  for (int j = 0; j < m; j++) {
    if (!differentiate_along(p, j, system)) {
      return false;
    }
  }
  memcpy(p->residual, residual, (size_t)m * sizeof *residual);
  // Algebraic variables are fitted anew at each difference and absorb the residuals along N. The matrix is singular there: its pivots
  // are not rounding but the error of the differences, which takes a larger tolerance.
  double least = p->system.f > 0 ? difference_tol : SB_PIVOT_TOL;
  double *scale = p->system.scratch, *row = scale + m + 1;
  memset(scale, 0, (size_t)(2 * m + 1) * sizeof *scale);
  sb_equilibrate(system, m, m + 1, m, row, scale); // constraints and impulses have units
  int rank = sb_eliminate(system, m, m + 1, m, least, p->groups->pivots);
  memset(p->lambda, 0, (size_t)m * sizeof *p->lambda);
  for (int r = 0; r < rank; r++) {
    int k = p->groups->pivots[r];
    p->lambda[k] = system[r * (m + 1) + m] * scale[k] / scale[m];
  }
  return true;
}

/** One step of Newton's method, halved until it reduces the residuals; false if no further one would. Where what is left is small the
 *  constraints are linear, and a step that leaves much leaves what redundant ones contradict each other by. */
static bool newton_step(projection *p) {
  double fraction = 1;
  sb_projection_rows(p);
  double old = norm(p), now = old;
  const bool linear = old <= linear_fraction * linear_fraction * p->energy;
  for (int k = 0; k < p->n; k++) {
    p->before[k] = p->x[p->group->states[k]];
  }
  sb_projection_solve(p, SB_PIVOT_TOL);
  bool solved = !p->by_differences || solve_by_differences(p);
  for (int halving = 0; solved && halving < (linear ? 1 : HALVINGS_MAX) && !(now < old);
       halving++) {
    fraction = halving == 0 ? 1 : 0.5 * fraction;
    move(p, fraction);
    if (refresh(p)) {
      find_residuals(p);
      now = norm(p);
    }
  }
  if (linear && !(now < old)) { // it would lead away, as of more contacts than freedoms
    fraction = 0;
    move(p, fraction);
    (void)refresh(p);
    now = old;
  }
  for (int i = 0; i < p->m; i++) {
    p->groups->taken[p->group->constraints[i]] += fraction * p->lambda[i];
  }
  p->exact += now <= exact_decrease * old;
  if (p->exact > 1) { // what is left is rounding of rounding: all is at rest
    return false;
  }
  bool were_differences = p->by_differences;
  p->by_differences = p->group->modulated && now > slow_fraction * old &&
                      old > rounding_fraction * rounding_fraction * p->energy;
  return now < (linear ? least_decrease : 1) * old || (p->by_differences && !were_differences);
}

/** Moves the states of a group onto its constraints. Returns the one that was most violated before, -1:
 *  none was. */
static int project_group(projection *p, int group) {
  sb_projection_begin(p, group);
  int first = most_violated(p), violated = first;
  p->exact = 0;
  for (int i = 0; violated >= 0 && i < ITERATIONS_MAX; i++) {
    violated = newton_step(p) ? most_violated(p) : -1;
  }
  return first;
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

static projection projection_of(sb_workspace *work, double t, double x[], double tolerance) {
  return (projection){.work = work,
                      .groups = sb_constraint_groups_of(work),
                      .t = t,
                      .x = x,
                      .quadratures = x + work->network->state_count,
                      .tolerance = tolerance,
                      .least = least_fraction};
}

/** Projects one group after the other. Where signals let one move the ratios and sources of another, that is repeated until all
 *  hold.  @return the constraint that was violated first, -1: none */
static int project_all(projection *p) {
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
      const int violated = project_group(p, group);
      if (violated < 0) {
        continue;
      }
      first = first < 0 && p->strikes ? violated : first;
      p->groups->groups[group].struck = p->groups->groups[group].struck || p->strikes;
      p->tolerance =
          drift_tol; // what is left may be just below the tolerance, which is the audit's too
      (void)project_group(p, group);
      p->tolerance = tolerance;
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
  projection p = projection_of(work, t, x, constraint_tol);
  *constraint = p.groups != NULL ? project_all(&p) : -1;
  return p.groups != NULL ? SB_OK : SB_ERR_MEMORY;
}

sb_status sb_workspace_project_closely(sb_workspace *work, double t, double x[]) {
  if (work->program->causality.constraint_count == 0) {
    return SB_OK;
  }
  projection p = projection_of(work, t, x, drift_tol);
  (void)(p.groups != NULL ? project_all(&p) : -1);
  return p.groups != NULL ? SB_OK : SB_ERR_MEMORY;
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
    instance->type->storage->manifold.project(instance->self, &at, x + instance->state);
  }
  if (sb_has_multipliers(c)) {
    projection p = projection_of(work, t, x, drift_tol);
    p.quadratures = quadratures;
    if (p.groups == NULL) {
      return SB_ERR_MEMORY;
    }
    for (int group = 0; group < p.groups->count; group++) {
      if (p.groups->groups[group].has_multiplier) {
        sb_gaps_close(&p, group);
        (void)project_group(&p, group);
        add_source_work(&p, group);
      }
    }
  }
  // The earlier may contain dependent states of the later.
  for (int i = c->constraint_count - 1; i >= 0; i--) {
    if (!sb_constraint_has_multiplier(c, i)) {
      set_dependent_state(work, i, x);
    }
  }
  return SB_OK;
}
