// SPDX-License-Identifier: GPL-3.0-or-later
// The Newton iteration of a step of a discrete gradient method, down to rounding.
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/integrator/gradient_stepper_private.h"

/** The iteration ends where the residual is `converged` relative to the step itself; or where it no
 *  longer falls: there it is rounding if it is below `rounding` relative to the absolute values of its
 *  terms, or, by a Jacobian from there, below `noise`, for elements may compute what they give less
 *  exactly than they could. */
static const double least_weight = 1e-6;
static const double converged = 2 * DBL_EPSILON, rounding = 64 * DBL_EPSILON, noise = 1e-10;
/** An iteration that leaves more than this fraction of the residual takes a new Jacobian next time; one
 *  that leaves more than that was the last. */
static const double slow = 0.05, stagnant = 0.25;
/** How far an iteration may raise the residual before it is shortened: not at all from the last
 *  step's d; from rest it may have to climb. */
static const double never_rising = 1, may_rise = 10;
/** A factorised matrix serves steps whose lengths differ by less than this fraction. */
static const double same_step = 1e-3;
enum { ITERATIONS_MAX = 20, HALVINGS_MAX = 8 };

bool sb_gradient_residual(gradient *s, const double d[]) {
  for (int i = 0; i < s->n; i++) {
    s->xm[i] = s->x[i] + 0.5 * d[i];
  }
  const sb_program *own = s->work->program;
  s->work->program = &s->discrete.program;
  int status = sb_workspace_rhs(s->work, s->t + 0.5 * s->h, s->xm, s->f);
  s->work->program = own;
  s->failed = status == 0 ? NULL : sb_workspace_failure(s->work);
  for (int i = 0; i < s->n && status == 0; i++) {
    s->r[i] = (d[i] - s->h * s->f[i]) - s->carry[i];
  }
  return status == 0;
}

/** What each residual is relative to: the sum of the absolute values of its terms. Where all of them are about zero, as in a rate
 *  that is rounding by the symmetry of a mechanism, it is a small part of the nominal size of the state. */
static void weigh(gradient *s) {
  for (int i = 0; i < s->n; i++) {
    double least = s->discrete.structured ? least_weight * s->nominal->used[i] : 0;
    s->weight[i] = fmax(fmax(s->terms[i], least), fabs(s->h * s->f[i]));
  }
}

/** The largest component of r relative to the weights, or, where these are zero, to the rate. */
static double size_of(const gradient *s) {
  double largest = 0;
  for (int i = 0; i < s->n; i++) {
    double weight = s->weight[i] > 0 ? s->weight[i] : fabs(s->h * s->f[i]);
    double fraction = s->r[i] == 0 ? 0 : fabs(s->r[i]) / weight;
    largest = fraction <= largest ? largest : fraction; // not-a-number stays
  }
  return largest;
}

/** A step of zero, as of a joint that is held, is one that is the rounding of rounding. */
static bool is_converged(const gradient *s) {
  bool all = true;
  for (int i = 0; i < s->n; i++) {
    double step = fmax(fabs(s->d[i]), DBL_EPSILON * s->weight[i]);
    all = all && fabs(s->r[i]) <= converged * step;
  }
  return all;
}

/** The matrix for the step's length, from the Jacobian; and for each row the absolute values of the terms
 *  of h J xm. */
static bool assemble(gradient *s) {
  const sb_jacobian *j = s->newton.jacobian;
  memset(s->terms, 0, (size_t)s->n * sizeof *s->terms);
  for (int c = 0; c < s->n; c++) {
    for (int k = j->column_first[c]; k < j->column_first[c + 1]; k++) {
      s->terms[j->row[k]] += fabs(s->h * j->value[k] * s->xm[c]);
    }
  }
  sb_newton_matrix_fill(&s->newton, 0.5 * s->h, s->nominal->used, s->newton.matrix);
  s->matrix_h = s->h;
  return SUNLinSolSetup(s->newton.solver, s->newton.matrix) == 0;
}

/** The Jacobian at xm, with f and r there. */
static bool differentiate(gradient *s) {
  const sb_program *own = s->work->program;
  s->work->program = &s->discrete.program;
  s->discrete.constraints.differences = true;
  int status = sb_jacobian_evaluate(s->newton.jacobian, s->work, s->t + 0.5 * s->h, s->xm,
                                    s->nominal->used, s->f, s->trial, s->scratch);
  s->discrete.constraints.differences = false;
  s->work->program = own;
  s->jacobians++;
  return status == 0 && assemble(s);
}

/** The largest component of a correction relative to the size of its state. */
static double correction_size(const gradient *s) {
  const double *delta = NV_DATA_S(s->delta);
  double largest = 0;
  for (int i = 0; i < s->n; i++) {
    double fraction = fabs(delta[i]) / fmax(s->nominal->used[i], fabs(s->x[i]));
    largest = fraction <= largest ? largest : fraction;
  }
  return largest;
}

/** Where a force and its slope are about zero at the start, their residual has no size there, and whatever it becomes is a rise.
 *  What counts then is how far it moves the states: whether the correction that would follow by the same matrix, M^-1 r, is
 *  smaller than delta (the natural monotonicity test of Deuflhard 2011). It takes the place of delta. */
static bool contracts(gradient *s) {
  const double *delta = NV_DATA_S(s->delta);
  const double moved = correction_size(s);
  for (int i = 0; i < s->n; i++) {
    s->trial[i] = s->d[i] - delta[i];
  }
  if (!sb_gradient_residual(s, s->trial)) {
    return false;
  }
  memcpy(NV_DATA_S(s->right), s->r, (size_t)s->n * sizeof *s->r);
  return SUNLinSolSolve(s->newton.solver, s->newton.matrix, s->delta, s->right, 0) == 0 &&
         correction_size(s) < moved;
}

/** d := d - lambda delta with the first of lambda = 1, 1/2, ... that does not raise the residual too
 *  far, by the weights of before; where it may rise at all, also lambda = 1 where the iteration contracts.
 *  Returns its size as a fraction of `before`, or -1. */
static double improve(gradient *s, double before, double rise) {
  const double *delta = NV_DATA_S(s->delta);
  double lambda = 1;
  for (int k = 0; k < HALVINGS_MAX; k++, lambda *= 0.5) {
    for (int i = 0; i < s->n; i++) {
      s->trial[i] = s->d[i] - lambda * delta[i];
    }
    double size = sb_gradient_residual(s, s->trial) ? size_of(s) : HUGE_VAL;
    if (size <= fmax(rise * before, noise)) {
      memcpy(s->d, s->trial, (size_t)s->n * sizeof *s->d);
      return size / before;
    }
  }
  if (rise <= never_rising || !contracts(s)) {
    return -1;
  }
  memcpy(s->d, s->trial, (size_t)s->n * sizeof *s->d);
  return size_of(s) / before;
}

/** delta = M^-1 r, by a new Jacobian or by the last one. */
static bool find_delta(gradient *s, bool differences) {
  if (differences ? !differentiate(s)
                  : fabs(s->matrix_h - s->h) > same_step * s->h && !assemble(s)) {
    return false;
  }
  memcpy(NV_DATA_S(s->right), s->r, (size_t)s->n * sizeof *s->r);
  return SUNLinSolSolve(s->newton.solver, s->newton.matrix, s->delta, s->right, 0) == 0;
}

/** delta, by a new Jacobian or by the last one; or where the last correction left xm as it was, rounded: f does not depend on
 *  d there, the matrix is I. */
static bool find_correction(gradient *s, bool differences, bool moves) {
  if (moves) {
    return find_delta(s, differences);
  }
  memcpy(NV_DATA_S(s->delta), s->r, (size_t)s->n * sizeof *s->r);
  return true;
}

/** As improve(). @param moves  out: whether xm has changed, rounded */
static double correct(gradient *s, double before, double rise, bool *moves) {
  memcpy(s->middle, s->xm, (size_t)s->n * sizeof *s->xm);
  double left = improve(s, before, rise);
  *moves = left < 0;
  for (int i = 0; i < s->n && !*moves; i++) {
    *moves = s->xm[i] != s->middle[i];
  }
  return left;
}

/** Newton's iteration from d. What is left where it no longer falls fast, or has been as small as the rounding of its terms
 *  all along, is rounding too, and no new Jacobian makes it less. */
static bool iterate(gradient *s, double rise) {
  double left = 0, size = 0; // of the residual before, as a fraction
  bool fresh = false, stale = s->matrix_h == 0, moves = true;
  if (!sb_gradient_residual(s, s->d)) {
    return false;
  }
  for (int k = 0; k < ITERATIONS_MAX; k++) {
    weigh(s);
    size = size_of(s);
    if (is_converged(s) || (left > stagnant && size <= (fresh ? noise : rounding))) {
      return true;
    }
    fresh = stale || (left > slow && moves && size > rounding);
    if (!find_correction(s, fresh, moves)) {
      return false;
    }
    if (fresh) { // the terms are those of here too
      weigh(s);
      size = size_of(s);
    }
    left = correct(s, size, rise, &moves);
    stale = left < 0;
    if (stale && (fresh || !sb_gradient_residual(s, s->d))) {
      return false;
    }
  }
  weigh(s);
  return size_of(s) <= rounding;
}

/** Where to start without a last step: at rest; or, where constraints have multipliers and rest would
 *  violate them, along the rates at the start. */
static void begin(gradient *s) {
  memset(s->d, 0, (size_t)s->n * sizeof *s->d);
  if (s->discrete.program.substitute != NULL &&
      sb_workspace_rates(s->work, s->t, s->x, s->scratch, NULL) == 0) {
    for (int i = 0; i < s->n; i++) {
      s->d[i] = s->h * s->scratch[i];
    }
  }
}

/** From the last step's d; if that does not converge, from where one begins. */
bool sb_gradient_solve(gradient *s) {
  double ratio = s->last_h > 0 ? s->h / s->last_h : 0;
  for (int i = 0; i < s->n; i++) {
    s->d[i] = ratio * s->last[i];
  }
  if ((ratio > 0 || s->discrete.program.substitute == NULL) && iterate(s, never_rising)) {
    return true;
  }
  begin(s);
  s->matrix_h = 0;
  return iterate(s, may_rise);
}
