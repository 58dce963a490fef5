// SPDX-License-Identifier: GPL-3.0-or-later
// Dense output of at least the order p of the method, of every method alike.
//
// Explicit methods: the cubic through both ends of the step and the slopes there has an error O(h^4). The
// right-hand side at points of a polynomial with an error O(h^k) gives slopes with which the next one
// has an error O(h^(k+1)); after p - 3 such levels it is O(h^(p+1)), that of the step itself, for
// (p - 3)(p - 2)/2 evaluations (Enright, Jackson, Norsett & Thomsen, ACM TOMS 12, 1986).
//
// Implicit methods serve stiff models, where a slope multiplies the errors of the state by their largest
// eigenvalue: their polynomial takes nothing but values, at both ends and by p - 1 partial steps.
//
// A step needs nothing of the steps before it: events and restarts cost nothing.
#include "core/simulation/dense_output_private.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/model/rhs.h"
#include "core/simulation/simulation_private.h"

enum { CUBIC = 3, INNER_MAX = SB_DEGREE_MAX - CUBIC };
/** Where the slopes between the ends are taken, for polynomials of degree 4 to 8: found by search for the
 *  least product of the error and of what an error of the slopes is multiplied by, 0.33 to 0.51. Most
 *  places would do, but not those of Lobatto's quadrature, whose data determine no polynomial. */
static const double inner_places[INNER_MAX][INNER_MAX] = {
    {0.72},
    {0.18, 0.82},
    {0.13, 0.62, 0.87},
    {0.12, 0.28, 0.46, 0.90},
    {0.09, 0.22, 0.37, 0.77, 0.92},
};

/** Values at the end, slopes at both ends and in between. */
static bool make_level(int degree, sb_interpolant *u) {
  *u = (sb_interpolant){.degree = degree, .place = {1, 0, 1}, .slope = {false, true, true}};
  for (int j = CUBIC; j < degree; j++) {
    u->place[j] = inner_places[degree - CUBIC - 1][j - CUBIC];
    u->slope[j] = true;
  }
  return sb_interpolant_solve(u);
}

static bool make_levels(sb_dense *d, const sb_method *method) {
  int degree = method->order < SB_DEGREE_MAX ? method->order : SB_DEGREE_MAX;
  if (d->by_values) {
    d->levels = 1;
    return sb_interpolant_values(degree < 2 ? 2 : degree, &d->level[0]);
  }
  bool ok = true;
  for (int k = CUBIC; k == CUBIC || k <= degree; k++) {
    ok = make_level(k, &d->level[d->levels++]) && ok;
  }
  return ok;
}

sb_status sb_dense_create(sb_simulation *sim, sb_dense **result, sb_error *err) {
  sb_dense *d = *result = calloc(1, sizeof *d);
  int n = sb_vector_count(sim->network);
  if (d == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  *d = (sb_dense){.n = n, .by_values = sim->options.method->implicit, .x0 = sim->x0};
  bool solved = make_levels(d, sim->options.method);
  assert(solved); // the places do not depend on the model
  (void)solved;
  size_t size = (size_t)n * sizeof(double), degree = (size_t)d->level[d->levels - 1].degree;
  d->data[0] = malloc(degree * size + 1);
  d->data[1] = malloc(d->levels > 1 ? degree * size + 1 : 1);
  d->x = sb_zeroed(n, sizeof(double));
  d->xdot = sb_zeroed(n, sizeof(double));
  return d->data[0] != NULL && d->data[1] != NULL && d->x != NULL && d->xdot != NULL
             ? SB_OK
             : sb_fail(err, SB_ERR_MEMORY, "out of memory");
}

void sb_dense_destroy(sb_dense *d) {
  if (d != NULL) {
    free(d->data[0]);
    free(d->data[1]);
    free(d->x);
    free(d->xdot);
    free(d);
  }
}

bool sb_dense_pays(const sb_dense *d, long samples) {
  return !d->by_values || samples >= d->level[0].degree;
}

/** x += sum w_j d_j. */
static void add(const sb_dense *d, const sb_interpolant *u, const double weight[], double x[]) {
  for (int j = 0; j < u->degree; j++) {
    const double *restrict datum = d->data[0] + (size_t)j * (size_t)d->n, w = weight[j];
    for (int i = 0; i < d->n; i++) {
      x[i] += w * datum[i];
    }
  }
}

static void combine(const sb_dense *d, const sb_interpolant *u, double theta, double x[]) {
  double weight[SB_DEGREE_MAX];
  sb_interpolant_weights(u, theta, weight);
  memcpy(x, d->x0, (size_t)d->n * sizeof *x);
  add(d, u, weight, x);
}

static void subtract_start(const sb_dense *d, const double x[], double datum[]) {
  for (int i = 0; i < d->n; i++) {
    datum[i] = x[i] - d->x0[i];
  }
}

static void scale(const sb_dense *d, const double xdot[], double datum[]) {
  for (int i = 0; i < d->n; i++) {
    datum[i] = d->h * xdot[i];
  }
}

/** h f(t, x) as a datum. */
static bool take_slope(sb_simulation *sim, const sb_dense *d, double theta, const double x[],
                       double datum[]) {
  if (sb_workspace_rhs(sim->work, d->t0 + theta * d->h, x, d->xdot) != 0) {
    return false;
  }
  scale(d, d->xdot, datum);
  return true;
}

static bool take_start(sb_simulation *sim, const sb_dense *d, double datum[]) {
  if (!sim->start_known) {
    return take_slope(sim, d, 0, sim->x0, datum);
  }
  scale(d, sim->rates0, datum);
  return true;
}

static bool take_values(sb_simulation *sim, const sb_dense *d) {
  const sb_interpolant *u = &d->level[0];
  sb_error unused;
  for (int j = 0; j < u->degree - 1; j++) {
    if (sb_probe(sim, sim->sampling, d->t0 + u->place[j] * d->h, &unused) != SB_OK) {
      return false;
    }
    subtract_start(d, sim->xp, d->data[0] + (size_t)j * (size_t)d->n);
  }
  subtract_start(d, sim->x, d->data[0] + (size_t)(u->degree - 1) * (size_t)d->n);
  return true;
}

/** The data of a level by the polynomial of the level before. */
static bool raise_degree(sb_simulation *sim, sb_dense *d, int level) {
  const sb_interpolant *next = &d->level[level];
  size_t n = (size_t)d->n;
  memcpy(d->data[1], d->data[0], CUBIC * n * sizeof(double)); // the ends
  for (int j = CUBIC; j < next->degree; j++) {
    combine(d, &d->level[level - 1], next->place[j], d->x);
    if (!take_slope(sim, d, next->place[j], d->x, d->data[1] + (size_t)j * n)) {
      return false;
    }
  }
  double *last = d->data[0];
  d->data[0] = d->data[1];
  d->data[1] = last;
  return true;
}

/** Slopes at the end first: the workspace may be there already. */
static bool take_slopes(sb_simulation *sim, sb_dense *d) {
  size_t n = (size_t)d->n;
  subtract_start(d, sim->x, d->data[0]);
  bool ok = take_slope(sim, d, 1, sim->x, d->data[0] + 2 * n) && take_start(sim, d, d->data[0] + n);
  for (int level = 1; ok && level < d->levels; level++) {
    ok = raise_degree(sim, d, level);
  }
  return ok;
}

bool sb_dense_make(sb_simulation *sim, sb_dense *d) {
  if (!d->made) {
    d->made = true;
    d->t0 = sim->t0;
    d->h = sim->t - sim->t0;
    d->failed = !(d->by_values ? take_values(sim, d) : take_slopes(sim, d));
  }
  return !d->failed;
}

void sb_dense_at(const sb_dense *d, double t, double x[]) {
  combine(d, &d->level[d->levels - 1], (t - d->t0) / d->h, x);
}

void sb_dense_between(const sb_dense *d, double from, double t, double x[]) {
  const sb_interpolant *u = &d->level[d->levels - 1];
  double start[SB_DEGREE_MAX], weight[SB_DEGREE_MAX];
  sb_interpolant_weights(u, (from - d->t0) / d->h, start);
  sb_interpolant_weights(u, (t - d->t0) / d->h, weight);
  for (int j = 0; j < u->degree; j++) {
    weight[j] -= start[j];
  }
  add(d, u, weight, x);
}
