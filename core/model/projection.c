// SPDX-License-Identifier: GPL-3.0-or-later
// Moves a state onto the constraints c(x) = 0 of the network, c = sum w y over outputs y of storages and values of sources.
// The state is moved by impulses lambda of the Lagrange multipliers. Because the structure is power-free, impulses act on
// the states with the same factors G = (w) with which constraints read the outputs. With the Hessians K of the storages,
//   x+ = x- + G^T lambda,   (C G^T) lambda = -c(x-),   C = dc/dx = G K,
// which is exact where y is linear in x and else a step of Newton's method, repeated until c is rounding.
//
// What it serves for is in enforce.c; there may be targets in the place of zero. Gaps of contacts: gaps.c.
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

/** Length of the differences along G, relative to the impulses; a Newton step that leaves more than `slow_fraction` of the
 *  residual is slow. */
static const double difference_fraction = 1e-4, slow_fraction = 0.05;
/** Constraints are linear where their residuals are below this fraction of their terms; a step of Newton's method that leaves more than
 *  the other fraction of their energies is one of rounding. */
static const double linear_fraction = 1e-10, least_decrease = 0.25;
/** Residuals below this fraction of their terms, near the rounding of a projection, are rounding that no better matrix takes away. */
static const double rounding_fraction = 1e-14;
/** So much of the energies is left by a step that leaves nothing but rounding. */
static const double exact_decrease = 1e-26;
/** A pivot of the matrix by differences below this fraction is their error. */
static const double difference_tol = 1e-7;

enum { ITERATIONS_MAX = 60, HALVINGS_MAX = 40 };

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
  p->size = p->trial + m * (m + 2);
  p->momenta = p->size + m;
  p->before = p->momenta + m;
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

/** What c is to be. */
static double target_of(const sb_projection *p, int i) {
  return p->restitution > 0 ? -p->restitution * p->groups->struck[p->group->constraints[i]] : 0;
}

/** c(x) less what it is to be. */
static void find_residuals(projection *p) {
  for (int i = 0; i < p->m; i++) {
    const sb_constraint_row *row = row_at(p, i, false);
    p->residual[i] = row->failed ? NAN : row->residual - target_of(p, i);
  }
  sb_constraints_keep(p->groups->kept, p->m, p->residual, 1);
}

/** One row of C and G, and what it says. */
static void fill_row(const projection *p, int i) {
  const sb_constraint_row *row = row_at(p, i, true);
  double *response = &p->A[i * p->m + i];
  *response = 0;
  for (int k = 0; k < row->count; k++) {
    const int state = row->states[k], column = p->groups->column[state];
    p->C[i * p->n + column] = row->gradient[state];
    p->G[i * p->n + column] = row->impulse[state];
    *response += row->gradient[state] * row->impulse[state];
  }
  p->residual[i] = row->failed ? NAN : row->residual - target_of(p, i);
  p->size[i] = row->size + row->terms;
  p->momenta[i] = row->momenta;
  p->unit[i] = *response > 0 ? sqrt(*response) : row->size;
  for (int j = 0; j < p->system.f; j++) {
    p->system.N[i * p->system.f + j] = row->algebraic[p->group->algebraics[j]];
  }
}

void sb_projection_rows(sb_projection *p) {
  const size_t row = (size_t)p->n * sizeof *p->C;
  memset(p->C, 0, (size_t)p->m * row);
  memset(p->G, 0, (size_t)p->m * row);
  for (int i = 0; i < p->m; i++) {
    fill_row(p, i);
  }
  sb_constraints_find_kept(p->work, p->group, &p->system, p->C, p->G, p->groups->kept);
  sb_constraints_keep(p->groups->kept, p->m, p->C, p->n);
  sb_constraints_keep(p->groups->kept, p->m, p->G, p->n);
  sb_constraints_keep(p->groups->kept, p->m, p->residual, 1);
  p->energy = 0;
  for (int i = 0; i < p->m; i++) {
    const double terms = p->unit[i] > 0 ? p->size[i] / p->unit[i] : 0;
    p->energy += p->groups->kept[i].own * terms * terms;
  }
}

int sb_projection_violated(sb_projection *p) {
  double largest = p->tolerance;
  int worst = -1;
  sb_projection_rows(p);
  p->beyond = false;
  for (int i = 0; i < p->m; i++) {
    const double off = fabs(p->residual[i]), size = p->size[i] + fabs(target_of(p, i));
    p->beyond = p->beyond || !(off <= p->tolerance * (size + p->momenta[i]));
    if (!(off <= largest * size)) {
      largest = off / size;
      worst = p->group->constraints[i];
    }
  }
  p->strikes = p->strikes || p->beyond;
  return worst;
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

/** Brings ratios and sources that depend on the states, and algebraic variables, to x. */
static bool refresh(const projection *p) {
  if (p->group->modulated) {
    return sb_workspace_evaluate(p->work, p->t, p->x) == 0;
  }
  return p->system.f == 0 || sb_algebraic_run(p->work, p->group->algebraics[0], p->x) == 0;
}

/** A = C G^T. @return how many rows move something */
static int fill_system(const sb_projection *p) {
  const int n = p->n, m = p->m;
  int moving = 0;
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < m; j++) {
      p->A[i * m + j] = 0;
      for (int k = 0; k < n; k++) {
        p->A[i * m + j] += p->C[i * n + k] * p->G[j * n + k];
      }
    }
    moving += p->A[i * m + i] > 0;
  }
  return moving;
}

/** The least squares solution, in the metric of the energy. */
static void solve_closely(sb_projection *p) {
  (void)sb_constraint_system_solve(&p->system, NULL);
  memcpy(p->lambda, p->system.solution, (size_t)p->m * sizeof *p->lambda);
}

bool sb_projection_eliminate(sb_projection *p, double least) {
  const int m = p->m, moving = fill_system(p);
  bool regular = true;
  if (p->system.f > 0) {
    solve_closely(p);
  } else {
    for (int i = 0; i < m; i++) {
      p->lambda[i] = -p->residual[i];
    }
    regular =
        sb_solve_semidefinite(p->A, p->lambda, m, least, p->groups->pivots, p->trial) == moving;
  }
  sb_constraints_keep(p->groups->kept, m, p->lambda, 1);
  return regular;
}

void sb_projection_solve(sb_projection *p) {
  if (!sb_projection_eliminate(p, SB_PIVOT_TOL)) {
    (void)fill_system(p);
    solve_closely(p);
    sb_constraints_keep(p->groups->kept, p->m, p->lambda, 1);
  }
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

/** By the impulses lambda from `before`. @return the norm there; `old`: it has none */
static double norm_behind(projection *p, double fraction, double old) {
  move(p, fraction);
  if (!refresh(p)) {
    return old;
  }
  find_residuals(p);
  return norm(p);
}

/** One step of Newton's method from where the rows were found, halved until it reduces the residuals; false if no further one would. Where what is left is small the
 *  constraints are linear, and a step that leaves much leaves what redundant ones contradict each other by. */
static bool newton_step(projection *p) {
  double fraction = 1;
  double old = norm(p), now = old;
  const bool linear = old <= linear_fraction * linear_fraction * p->energy;
  for (int k = 0; k < p->n; k++) {
    p->before[k] = p->x[p->group->states[k]];
  }
  const bool regular = sb_projection_eliminate(p, SB_PIVOT_TOL);
  bool solved = !p->by_differences || solve_by_differences(p);
  for (int halving = 0; solved && halving < (linear ? 1 : HALVINGS_MAX) && !(now < old);
       halving++) {
    fraction = halving == 0 ? 1 : 0.5 * fraction;
    now = norm_behind(p, fraction, old);
  }
  if (linear && !regular && !(now < old)) { // what is left out has all that the rows contradict
    (void)norm_behind(p, 0, old);
    sb_projection_solve(p);
    now = norm_behind(p, fraction, old);
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

/** Brings what storages that accelerate tell of places to x: structures read it where it stands. */
static void place_bodies(const projection *p) {
  const sb_network *network = p->work->network;
  for (int k = 0, last = -1; k < p->n; k++) {
    const int owner = sb_owner_of(network, p->group->states[k]);
    const sb_instance *instance = &network->instances[owner];
    if (owner != last && sb_instance_accelerates(instance)) {
      const sb_at at = sb_at_instance(p->work, instance, p->t, p->x);
      (void)instance->type->storage->output(instance->self, &at, p->groups->moved);
    }
    last = owner;
  }
}

int sb_projection_run(sb_projection *p, int group) {
  sb_projection_begin(p, group);
  place_bodies(p);
  int first = sb_projection_violated(p), violated = first;
  p->exact = 0;
  for (int i = 0; violated >= 0 && i < ITERATIONS_MAX; i++) {
    violated = newton_step(p) ? sb_projection_violated(p) : -1;
    violated = p->beyond || !p->by_differences ? violated : -1; // momenta leave that open
  }
  return first;
}
