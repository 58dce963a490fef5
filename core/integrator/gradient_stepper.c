// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of the discrete gradient methods. With d = x1 - x0 and the discrete right-hand side
// f(xm) of discrete_gradient.c, xm = x0 + d/2, Newton's iteration solves
//   r(d) = d - h f(x0 + d/2) - c = 0,      (I - h/2 df/dxm) delta = r,   d := d - delta
// down to rounding. What is left goes into c, which starts at zero: the part of x0 + d that the sum
// loses to rounding, and -r. The next step takes it up, so that errors neither of sums nor of the
// iteration add up, in the states and in the integrals of the ledger.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include "core/base/array.h"
#include "core/integrator/discrete_gradient_private.h"
#include "core/integrator/jacobian.h"
#include "core/integrator/stepper.h"
#include "core/integrator/vector.h"
#include "core/loop/loop.h"
#include "core/model/rhs.h"

/** The iteration ends where the residual is `converged` relative to the step itself; or where it no
 *  longer falls: there it is rounding if it is below `rounding` relative to what it is summed up from,
 *  or, by a Jacobian from there, below `noise`, for elements may compute what they give less exactly
 *  than they could. */
static const double converged = 2 * DBL_EPSILON, rounding = 64 * DBL_EPSILON, noise = 1e-10;
/** An iteration that leaves more than this of the residual takes a new Jacobian next time; one that
 *  leaves more than that was the last. */
static const double slow = 0.05, stagnant = 0.25;
/** How far an iteration may raise the residual before it is shortened: not at all from the last
 *  step's d; from rest it may have to climb. */
static const double never_rising = 1, may_rise = 10;
/** A factored matrix serves steps that differ from its own by this part. */
static const double same_step = 1e-3;
enum { ITERATIONS_MAX = 20, HALVINGS_MAX = 8 };

typedef struct gradient {
  sb_stepper base; // first: an sb_stepper is one of these
  const sb_network *network;
  sb_workspace *work;
  sb_status (*project)(sb_workspace *work, double t, double x[], double quadratures[]);
  sb_discrete discrete;
  int n, length; // states; with the integrals
  double t, h;   // [s] start of the step, its length
  double *pool;  // (8 length) the vectors that follow
  double *x, *carry, *d, *trial, *xm, *f, *r, *scratch;
  double *terms, *weight, *last; // (n) what r is summed up from; d of the last step
  double last_h;                 // [s] its length, 0: none since the reset
  sb_jacobian *jacobian;
  SUNContext context;
  SUNMatrix matrix; // I - h/2 df/dxm
  SUNLinearSolver solver;
  N_Vector right, delta;
  double matrix_h;    // [s] of `matrix`, 0: no Jacobian yet
  const char *failed; // element whose hook failed last, NULL: none
  long steps, jacobians;
} gradient;

static gradient *gradient_of(sb_stepper *stepper) {
  return (gradient *)(void *)stepper;
}

/** f and r at d; false if an element fails. */
static bool residual(gradient *s, const double d[]) {
  for (int i = 0; i < s->n; i++) {
    s->xm[i] = s->x[i] + 0.5 * d[i];
  }
  const sb_program *kept = sb_discrete_enter(&s->discrete);
  int status = sb_workspace_rhs(s->work, s->t + 0.5 * s->h, s->xm, s->f);
  sb_discrete_leave(&s->discrete, kept);
  s->failed = status == 0 ? NULL : sb_workspace_failure(s->work);
  for (int i = 0; i < s->n && status == 0; i++) {
    s->r[i] = (d[i] - s->h * s->f[i]) - s->carry[i];
  }
  return status == 0;
}

/** What the residual is summed up from, without signs. */
static void weigh(gradient *s) {
  for (int i = 0; i < s->n; i++) {
    s->weight[i] = fmax(s->terms[i], fabs(s->h * s->f[i]));
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

static bool is_converged(const gradient *s) {
  bool all = true;
  for (int i = 0; i < s->n; i++) {
    all = all && fabs(s->r[i]) <= converged * fabs(s->d[i]);
  }
  return all;
}

/** The matrix for the step's length, from the Jacobian; what its rows are summed up from. */
static bool assemble(gradient *s) {
  const sb_jacobian *j = s->jacobian;
  bool dense = SUNMatGetID(s->matrix) == SUNMATRIX_DENSE;
  memset(s->terms, 0, (size_t)s->n * sizeof *s->terms);
  if (dense) {
    (void)SUNMatZero(s->matrix);
  } else {
    sb_jacobian_shift(j, 0.5 * s->h, s->matrix);
  }
  for (int c = 0; c < s->n; c++) {
    for (int k = j->column_first[c]; k < j->column_first[c + 1]; k++) {
      int i = j->row[k];
      s->terms[i] += fabs(s->h * j->value[k] * s->xm[c]);
      if (dense) {
        SM_ELEMENT_D(s->matrix, i, c) = (i == c) - 0.5 * s->h * j->value[k];
      }
    }
  }
  s->matrix_h = s->h;
  return SUNLinSolSetup(s->solver, s->matrix) == 0;
}

/** The Jacobian at xm, after residual() there. */
static bool differentiate(gradient *s) {
  const sb_program *kept = sb_discrete_enter(&s->discrete);
  int status = sb_jacobian_evaluate(s->jacobian, s->work, s->t + 0.5 * s->h, s->xm, s->f, s->trial,
                                    s->scratch);
  sb_discrete_leave(&s->discrete, kept);
  s->jacobians++;
  return status == 0 && assemble(s);
}

/** d := d - lambda delta with the first of lambda = 1, 1/2, ... that does not raise the residual too
 *  far, by the weights of before. Returns what is left of it as a part of `before`, or -1. */
static double improve(gradient *s, double before, double rise) {
  const double *delta = NV_DATA_S(s->delta);
  double lambda = 1;
  for (int k = 0; k < HALVINGS_MAX; k++, lambda *= 0.5) {
    for (int i = 0; i < s->n; i++) {
      s->trial[i] = s->d[i] - lambda * delta[i];
    }
    double size = residual(s, s->trial) ? size_of(s) : HUGE_VAL;
    if (size <= fmax(rise * before, noise)) {
      memcpy(s->d, s->trial, (size_t)s->n * sizeof *s->d);
      return size / before;
    }
  }
  return -1;
}

/** delta = M^-1 r, by a new Jacobian or by one at hand. */
static bool find_delta(gradient *s, bool differences) {
  if (differences ? !differentiate(s)
                  : fabs(s->matrix_h - s->h) > same_step * s->h && !assemble(s)) {
    return false;
  }
  memcpy(NV_DATA_S(s->right), s->r, (size_t)s->n * sizeof *s->r);
  return SUNLinSolSolve(s->solver, s->matrix, s->delta, s->right, 0) == 0;
}

/** Newton's iteration from d. */
static bool iterate(gradient *s, double rise) {
  double left = 0; // of the residual before, as a part
  bool fresh = false, stale = s->matrix_h == 0;
  if (!residual(s, s->d)) {
    return false;
  }
  for (int k = 0; k < ITERATIONS_MAX; k++) {
    weigh(s);
    double size = size_of(s);
    if (is_converged(s) || (left > stagnant && size <= (fresh ? noise : rounding))) {
      return true;
    }
    fresh = stale || left > slow;
    if (!find_delta(s, fresh)) {
      return false;
    }
    if (fresh) { // the terms are those of here too
      weigh(s);
      size = size_of(s);
    }
    left = improve(s, size, rise);
    stale = left < 0;
    if (stale && (fresh || !residual(s, s->d))) {
      return false;
    }
  }
  return false;
}

/** Where to start without a last step: at rest; or with ties that are solved for, which rest would break,
 *  along the rates at the start. */
static void begin(gradient *s) {
  memset(s->d, 0, (size_t)s->n * sizeof *s->d);
  if (s->discrete.program.see != NULL &&
      sb_workspace_rates(s->work, s->t, s->x, s->scratch, NULL) == 0) {
    for (int i = 0; i < s->n; i++) {
      s->d[i] = s->h * s->scratch[i];
    }
  }
}

/** From the last step's d; if that leads nowhere, from where one begins. */
static bool solve(gradient *s) {
  double ratio = s->last_h > 0 ? s->h / s->last_h : 0;
  for (int i = 0; i < s->n; i++) {
    s->d[i] = ratio * s->last[i];
  }
  if ((ratio > 0 || s->discrete.program.see == NULL) && iterate(s, never_rising)) {
    return true;
  }
  begin(s);
  s->matrix_h = 0;
  return iterate(s, may_rise);
}

/** x += d, and what the sum loses. */
static double add(double *x, double d) {
  double sum = *x + d, fraction = sum - *x;
  double lost = (*x - (sum - fraction)) + (d - fraction);
  *x = sum;
  return lost;
}

/** An element that fails even where nothing has moved, or an iteration that leads nowhere. */
static sb_status word_failure(gradient *s, sb_error *err) {
  char name[300];
  int worst = 0;
  for (int i = 0; i < s->n; i++) {
    if (fabs(s->r[i]) * s->weight[worst] > fabs(s->r[worst]) * s->weight[i]) {
      worst = i;
    }
  }
  memset(s->d, 0, (size_t)s->n * sizeof *s->d);
  if (!residual(s, s->d)) {
    if (s->work->failure.kind != SB_LOOP_SOLVED) {
      return sb_loop_failure_word(s->work, &s->work->failure, err);
    }
    return sb_fail(err, SB_ERR_NOT_FINITE, "'%s' gave no finite number near t = %s s",
                   s->failed == NULL ? s->network->name : s->failed, sb_number_word(s->t).text);
  }
  return sb_fail(
      err, SB_ERR_SOLVER,
      "Newton's iteration did not converge at t = %s s, most off in '%s'; the step of %s "
      "s is too long",
      sb_number_word(s->t).text, sb_network_state_name(s->network, worst, name),
      sb_number_word(s->h).text);
}

/** Ties that are kept by their mean rates drift by rounding: the new state is put back onto them. */
static bool keep_constraints(gradient *s) {
  double end = s->t + s->h;
  return !sb_has_multipliers(&s->work->program->causality) ||
         (sb_workspace_evaluate(s->work, end, s->xm) == 0 &&
          s->project(s->work, end, s->xm, s->xm + s->n) == SB_OK);
}

static sb_status step(sb_stepper *stepper, double t_stop, double *t, double x[], sb_error *err) {
  gradient *s = gradient_of(stepper);
  char name[300];
  s->h = t_stop - s->t;
  s->discrete.t0 = s->t;
  s->discrete.h = s->h;
  s->discrete.motion.begun = false;
  if (!solve(s)) {
    return word_failure(s, err);
  }
  memcpy(s->xm, s->x, (size_t)s->length * sizeof *s->x); // free again: the new state
  for (int i = 0; i < s->n; i++) {
    s->carry[i] = add(&s->xm[i], s->d[i]) - s->r[i];
  }
  for (int i = s->n; i < s->length; i++) {
    s->carry[i] = add(&s->xm[i], s->h * s->f[i] + s->carry[i]);
  }
  if (!keep_constraints(s)) {
    return word_failure(s, err);
  }
  for (int i = 0; i < s->length; i++) {
    if (!isfinite(s->xm[i])) {
      return sb_fail(err, SB_ERR_NOT_FINITE, "'%s' grows beyond all numbers near t = %s s",
                     i < s->n ? sb_network_state_name(s->network, i, name) : "the ledger",
                     sb_number_word(s->t).text);
    }
  }
  memcpy(s->x, s->xm, (size_t)s->length * sizeof *s->x);
  memcpy(s->last, s->d, (size_t)s->n * sizeof *s->d);
  memcpy(x, s->x, (size_t)s->length * sizeof *s->x);
  s->last_h = s->base.last = s->h;
  *t = s->t = t_stop;
  s->steps++;
  return SB_OK;
}

static void drop_matrix(gradient *s) {
  if (s->solver != NULL) {
    SUNLinSolFree(s->solver);
  }
  if (s->matrix != NULL) {
    SUNMatDestroy(s->matrix);
  }
  sb_jacobian_destroy(s->jacobian);
  s->solver = NULL;
  s->matrix = NULL;
  s->jacobian = NULL;
}

/** For the present modes. */
static bool make_matrix(gradient *s) {
  s->matrix_h = 0;
  s->jacobian = sb_jacobian_create(s->network, s->work, false);
  if (s->jacobian == NULL) {
    return false;
  }
  bool sparse = s->n > SB_DENSE_MAX;
  s->matrix = sparse ? sb_jacobian_matrix(s->jacobian, s->n, s->context)
                     : SUNDenseMatrix(s->n, s->n, s->context);
  s->solver = s->matrix == NULL ? NULL
              : sparse          ? sb_jacobian_solver(s->right, s->matrix, s->context)
                                : SUNLinSol_Dense(s->right, s->matrix, s->context);
  return s->solver != NULL && SUNLinSolInitialize(s->solver) == 0;
}

static sb_status reset(sb_stepper *stepper, double t, const double x[], double first_step,
                       sb_error *err) {
  (void)first_step;
  gradient *s = gradient_of(stepper);
  if (s->jacobian != NULL && sb_jacobian_is_stale(s->jacobian, s->work)) {
    drop_matrix(s);
    if (!make_matrix(s)) {
      return sb_fail(err, SB_ERR_MEMORY, "out of memory");
    }
  }
  memcpy(s->x, x, (size_t)s->length * sizeof *x);
  memset(s->carry, 0, (size_t)s->length * sizeof *s->carry);
  s->t = t;
  s->last_h = 0;
  return SB_OK;
}

static sb_stepper_counts count(const sb_stepper *stepper) {
  const gradient *s = (const gradient *)(const void *)stepper;
  return (sb_stepper_counts){s->steps, 0, s->jacobians};
}

static void destroy(sb_stepper *stepper) {
  gradient *s = gradient_of(stepper);
  drop_matrix(s);
  if (s->right != NULL) {
    N_VDestroy(s->right);
  }
  if (s->delta != NULL) {
    N_VDestroy(s->delta);
  }
  if (s->context != NULL) {
    SUNContext_Free(&s->context);
  }
  sb_discrete_finish(&s->discrete);
  free(s->pool);
  free(s->terms);
  free(s);
}

static bool make_vectors(gradient *s) {
  enum { VECTORS = 8, STATE_VECTORS = 3 };
  double **vectors[VECTORS] = {&s->x,  &s->carry, &s->d, &s->trial,
                               &s->xm, &s->f,     &s->r, &s->scratch};
  s->pool = sb_zeroed(VECTORS * s->length, sizeof(double));
  s->terms = sb_zeroed(STATE_VECTORS * s->n, sizeof(double));
  if (s->pool == NULL || s->terms == NULL) {
    return false;
  }
  for (int k = 0; k < VECTORS; k++) {
    *vectors[k] = s->pool + k * s->length;
  }
  s->weight = s->terms + s->n;
  s->last = s->weight + s->n;
  return true;
}

static bool make_solver(gradient *s) {
  if (s->n == 0) {
    return true; // nothing but integrals
  }
  if (SUNContext_Create(NULL, &s->context) != 0) {
    return false;
  }
  s->right = N_VNew_Serial(s->n, s->context);
  s->delta = N_VNew_Serial(s->n, s->context);
  return s->right != NULL && s->delta != NULL && make_matrix(s);
}

static sb_status create(const sb_stepper_setup *setup, sb_gradient_form form, sb_stepper **result,
                        sb_error *err) {
  const sb_network *network = setup->work->network;
  gradient *s = calloc(1, sizeof *s);
  *result = NULL;
  if (s == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  s->network = network;
  s->work = setup->work;
  s->project = setup->project;
  s->n = network->state_count;
  s->length = sb_vector_count(network);
  sb_status status = sb_discrete_init(&s->discrete, s->work, form, setup->options->method, err);
  if (status == SB_OK && (!make_vectors(s) || !make_solver(s))) {
    status = sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  if (status != SB_OK) {
    destroy(&s->base);
    return status;
  }
  s->discrete.x0 = s->x;
  *result = &s->base;
  return SB_OK;
}

static sb_status create_midpoint(const sb_stepper_setup *setup, sb_stepper **stepper,
                                 sb_error *err) {
  return create(setup, SB_GRADIENT_MIDPOINT, stepper, err);
}

static sb_status create_mean_value(const sb_stepper_setup *setup, sb_stepper **stepper,
                                   sb_error *err) {
  return create(setup, SB_GRADIENT_MEAN_VALUE, stepper, err);
}

const sb_stepper_type sb_discrete_gradient = {create_midpoint, destroy, reset, step, count};
const sb_stepper_type sb_mean_value_gradient = {create_mean_value, destroy, reset, step, count};
