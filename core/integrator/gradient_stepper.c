// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of the discrete gradient methods. With d = x1 - x0 and the discrete right-hand side
// f(xm) of discrete_gradient.c, xm = x0 + d/2, Newton's iteration solves
//   r(d) = d - h f(x0 + d/2) - c = 0,      (I - h/2 df/dxm) delta = r,   d := d - delta
// down to rounding. The remainder goes into c, which starts at zero: what the sum x0 + d loses to
// rounding, and -r. The next step adds it, so that errors neither of sums nor of the iteration
// accumulate, in the states and in the quadratures of the ledger.
#include "core/integrator/gradient_stepper_private.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/model/constraints.h"

static gradient *gradient_of(sb_stepper *stepper) {
  return (gradient *)(void *)stepper;
}

/** x += d; returns what the sum loses to rounding. */
static double add(double *x, double d) {
  double sum = *x + d, fraction = sum - *x;
  double lost = (*x - (sum - fraction)) + (d - fraction);
  *x = sum;
  return lost;
}

/** An element that fails even where nothing has moved, or an iteration that does not converge. */
static sb_status word_failure(gradient *s, sb_error *err) {
  char name[300];
  int worst = 0;
  for (int i = 0; i < s->n; i++) {
    if (fabs(s->r[i]) * s->weight[worst] > fabs(s->r[worst]) * s->weight[i]) {
      worst = i;
    }
  }
  memset(s->d, 0, (size_t)s->n * sizeof *s->d);
  if (!sb_gradient_residual(s, s->d)) {
    return sb_rhs_fail(s->work, &s->work->failure, s->failed == NULL ? s->network->name : s->failed,
                       s->t, err);
  }
  return sb_fail(err, SB_ERR_SOLVER,
                 "Newton's iteration did not converge at t = %s s, with the largest residual in "
                 "'%s'; the step of %s s is too long",
                 sb_number_word(s->t).text, sb_network_state_name(s->network, worst, name),
                 sb_number_word(s->h).text);
}

/** Constraints that are enforced by their mean rates drift by rounding: removes that from the new state,
 *  xm. */
static bool enforce_constraints(gradient *s) {
  double end = s->t + s->h;
  return !sb_workspace_drifts(s->work) || (sb_workspace_evaluate(s->work, end, s->xm) == 0 &&
                                           s->project(s->work, end, s->xm, s->xm + s->n) == SB_OK);
}

/** x + d into xm, which is free again, and what that loses into the carry. */
static void advance(gradient *s) {
  memcpy(s->xm, s->x, (size_t)s->length * sizeof *s->x);
  for (int i = 0; i < s->n; i++) {
    s->carry[i] = add(&s->xm[i], s->d[i]) - s->r[i];
  }
  for (int i = s->n; i < s->length; i++) {
    s->carry[i] = add(&s->xm[i], s->h * s->f[i] + s->carry[i]);
  }
}

static sb_status step(sb_stepper *stepper, double t_stop, double *t, double x[], sb_error *err) {
  gradient *s = gradient_of(stepper);
  s->h = t_stop - s->t;
  s->discrete.t0 = s->t;
  s->discrete.h = s->h;
  s->discrete.modulation.begun = false;
  if (!sb_gradient_solve(s)) {
    return word_failure(s, err);
  }
  advance(s);
  if (!enforce_constraints(s)) {
    return word_failure(s, err);
  }
  int last = sb_first_infinite(s->xm, s->length);
  if (s->length > 0 && !isfinite(s->xm[last])) {
    return sb_overflow_fail(s->network, last, s->t, err);
  }
  memcpy(s->x, s->xm, (size_t)s->length * sizeof *s->x);
  memcpy(s->last, s->d, (size_t)s->n * sizeof *s->d);
  memcpy(x, s->x, (size_t)s->length * sizeof *s->x);
  s->last_h = s->base.last = s->h;
  *t = s->t = t_stop;
  s->steps++;
  return SB_OK;
}

static sb_status reset(sb_stepper *stepper, double t, const double x[], double first_step,
                       sb_error *err) {
  (void)first_step, (void)err;
  gradient *s = gradient_of(stepper);
  assert(s->newton.jacobian == NULL || s->newton.jacobian->generation == s->work->generation);
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
  sb_newton_matrix_finish(&s->newton);
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
  sb_arena_finish(&s->memory);
  free(s);
}

static bool make_vectors(gradient *s) {
  double **vectors[] = {&s->x, &s->carry,   &s->d,     &s->trial,  &s->xm,     &s->f,
                        &s->r, &s->scratch, &s->terms, &s->weight, &s->middle, &s->last};
  bool ok = true;
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
    *vectors[k] = sb_arena_zeroed(&s->memory, s->length, sizeof(double));
    ok = ok && *vectors[k] != NULL;
  }
  return ok;
}

static bool make_solver(gradient *s) {
  if (s->n == 0) {
    return true; // nothing but quadratures
  }
  if (SUNContext_Create(NULL, &s->context) != 0) {
    return false;
  }
  s->right = N_VNew_Serial(s->n, s->context);
  s->delta = N_VNew_Serial(s->n, s->context);
  s->newton.jacobian = sb_jacobian_create(s->network, s->work, false);
  s->base.newton = &s->newton;
  return s->right != NULL && s->delta != NULL && s->newton.jacobian != NULL &&
         sb_newton_matrix_init(&s->newton, s->right, s->n > SB_DENSE_MAX, s->context);
}

static sb_status create(const sb_stepper_setup *setup, sb_stepper **result, sb_error *err) {
  const sb_network *network = setup->work->network;
  gradient *s = calloc(1, sizeof *s);
  *result = NULL;
  if (s == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  s->network = network;
  s->work = setup->work;
  s->nominal = setup->nominal;
  s->project = setup->project;
  s->n = network->state_count;
  s->length = sb_vector_count(network);
  sb_status status = sb_discrete_init(&s->discrete, s->work, setup->options->method, err);
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

const sb_stepper_type sb_discrete_gradient = {create, destroy, reset, step, count, NULL};
