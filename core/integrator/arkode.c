// SPDX-License-Identifier: GPL-3.0-or-later
// ARKODE through ARKStep only, with tables by name: the packaged 6.4.1's ERKStep silently loses
// order for several tables. At the end, the calls that every kind of stepper answers.
#include "core/integrator/arkode_private.h"

#include <arkode/arkode_arkstep.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "core/base/array.h"
#include "core/integrator/vector.h"
#include "core/linalg/numbers.h"
#include "core/model/rhs.h"

/** Newton's iteration ends at this part of the tolerance of a step, so that the books close to the
 *  integrator's tolerance and not to the nonlinear solver's. */
static const double newton_fraction = 1e-4;
enum { NEWTON_MAX = 12, TEST_FAILURES_MAX = 25 };
static arkode *arkode_of(sb_stepper *stepper) {
  return (arkode *)(void *)stepper;
}

/** The rate of the witness, one more number of the vector, of weight 1, that lets ARKODE's error test
 *  and choice of steps see the ledger: the error of its rate over the stages is made to be the largest
 *  relative error of an integral; and before the first step, where ARKODE looks for a scale of time,
 *  it is their largest relative rate. */
static double error_monitor(arkode *s, double t, const double power[]) {
  sb_quadrature *q = &s->ledger;
  if (s->starting) {
    return sb_quadrature_rate(q, power, s->rtol, s->atol);
  }
  if (power == NULL || q->stage != q->last) {
    return 0;
  }
  double h = q->time[q->last] > 0 ? (t - s->now) / q->time[q->last] : 0;
  double error = sb_quadrature_close(q, h, s->rtol, s->atol);
  return error == 0 ? 0 : error / (h * q->error_weight[q->last]);
}

/** Rates and powers at a stage. The caller evaluates the model at the end of each step if it has hooks to
 *  ask there: then the first stage of the next step is known already, and the last stage of a pair whose
 *  last stage is the next first is kept for that evaluation. */
static int rates_at(arkode *s, double t, const double y[], double rate[], double power[]) {
  bool last = s->pending && s->ledger.stage == s->ledger.stages - 1;
  if (last && s->reuses && sb_workspace_evaluate(s->work, t, y) != 0) {
    return -1;
  }
  return sb_workspace_rates(s->work, t, y, rate, power);
}

static int right_hand_side(double t, N_Vector y, N_Vector ydot, void *data) {
  arkode *s = data;
  double *rate = NV_DATA_S(ydot), *power = NULL;
  if (s->ledger.count == 0) { // the vector is all there is
    power = rate + s->network->state_count;
  } else if (s->pending) {
    power = sb_quadrature_power(&s->ledger);
  } else if (s->starting) {
    power = s->ledger.power;
  }
  int status = rates_at(s, t, NV_DATA_S(y), rate, power);
  if (status != 0) {
    s->failed = sb_workspace_failure(s->work) == NULL ? "?" : sb_workspace_failure(s->work);
    s->failure = s->work->failure;
    return s->method->implicit ? 1 : -1; // an implicit step may recover by itself
  }
  if (s->ledger.count > 0) {
    double own = error_monitor(s, t, power);
    s->pending = false;
    if (s->length > s->n) {
      rate[s->n] = own;
    }
  }
  return 0;
}

/** Called by ARKODE when it has found the state of a stage, before the stage's right-hand side. */
static int begin_stage(double t, N_Vector y, void *data) {
  (void)y;
  arkode *s = data;
  sb_quadrature_begin(&s->ledger, t == s->now);
  s->pending = true;
  s->starting = false;
  return 0;
}

/** Called by ARKODE when it has accepted a step: ties that are kept by their rates drift. */
static int end_step(double t, N_Vector y, void *data) {
  arkode *s = data;
  double *x = NV_DATA_S(y), *quadratures = s->ledger.count > 0 ? s->ledger.sum : x + s->n;
  return sb_workspace_evaluate(s->work, t, x) == 0 &&
                 s->project(s->work, t, x, quadratures) == SB_OK
             ? 0
             : -1;
}

static int error_weights(N_Vector y, N_Vector w, void *data) {
  const arkode *s = data;
  const double *py = NV_DATA_S(y), rtol = s->rtol, atol = s->atol;
  double *pw = NV_DATA_S(w);
  for (int i = 0, n = s->n; i < n; i++) {
    pw[i] = 1 / (rtol * fabs(py[i]) + atol);
  }
  if (s->length > s->n) {
    pw[s->n] = 1;
  }
  return 0;
}

/** ARKODE would print to stderr; errors are worded by whoever called it. */
static void silence(int code, const char *module, const char *function, char *message, void *data) {
  (void)code, (void)module, (void)function, (void)message, (void)data;
}

/** I - gamma J, with J from before if that still serves. */
static int fill_matrix(double t, N_Vector y, N_Vector fy, SUNMatrix matrix, SUNMatrix mass,
                       booleantype serves, booleantype *is_new, double gamma, void *data,
                       N_Vector t1, N_Vector t2, N_Vector t3) {
  (void)mass, (void)t3;
  arkode *s = data;
  *is_new = s->jacobian->colours == 0 || !serves;
  if (!serves && sb_jacobian_evaluate(s->jacobian, s->work, t, NV_DATA_S(y), NV_DATA_S(fy),
                                      NV_DATA_S(t1), NV_DATA_S(t2)) != 0) {
    return 1;
  }
  sb_jacobian_shift(s->jacobian, gamma, matrix);
  return 0;
}

static void drop_solver(arkode *s) {
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

/** For the present modes. Where the rates are linear, one solution is all that a stage needs, by the
 *  matrix of the present step: ARKODE then factorises whenever the step changes, and takes no second
 *  look. */
static bool make_solver(arkode *s) {
  bool linear = false, sparse = false;
  if (s->ledger.count > 0) {
    s->jacobian = sb_jacobian_create(s->network, s->work, true);
    if (s->jacobian == NULL) {
      return false;
    }
    linear = s->jacobian->colours == 0;
    sparse = linear || s->n > SB_DENSE_MAX;
  }
  s->matrix = sparse ? sb_jacobian_matrix(s->jacobian, s->length, s->context)
                     : SUNDenseMatrix(s->length, s->length, s->context);
  s->solver = s->matrix == NULL ? NULL
              : sparse          ? sb_jacobian_solver(s->y, s->matrix, s->context)
                                : SUNLinSol_Dense(s->y, s->matrix, s->context);
  return s->solver != NULL && ARKStepSetLinearSolver(s->ark, s->solver, s->matrix) == 0 &&
         (!sparse || ARKStepSetLinSysFn(s->ark, fill_matrix) == 0) &&
         (linear ? ARKStepSetLinear(s->ark, 0) : ARKStepSetNonlinear(s->ark)) == 0;
}

static bool configure_newton(arkode *s) {
  return make_solver(s) && ARKStepSetNonlinConvCoef(s->ark, newton_fraction) == 0 &&
         ARKStepSetMaxNonlinIters(s->ark, NEWTON_MAX) == 0;
}

/** The implicit midpoint rule: one stage at h/2, order 2, no embedding. */
static ARKodeButcherTable midpoint(void) {
  ARKodeButcherTable table = ARKodeButcherTable_Alloc(1, SUNFALSE);
  if (table != NULL) {
    table->q = 2;
    table->p = 0;
    table->c[0] = 0.5;
    table->A[0][0] = 0.5;
    table->b[0] = 1;
  }
  return table;
}

/** Whether the state of the last stage is the solution (first same as last). */
static bool is_fsal(const ARKodeButcherTable table) {
  int last = table->stages - 1;
  bool same = table->c[last] == 1;
  for (int k = 0; k <= last; k++) {
    same = same && table->A[last][k] == table->b[k];
  }
  return same;
}

static ARKodeButcherTable load_table(const sb_method *m) {
  int number = sb_integrator_of(m)->table;
  return number < 0    ? midpoint()
         : m->implicit ? ARKodeButcherTable_LoadDIRK((ARKODE_DIRKTableID)number)
                       : ARKodeButcherTable_LoadERK((ARKODE_ERKTableID)number);
}

static bool set_table(arkode *s, const ARKodeButcherTable table) {
  bool implicit = s->method->implicit;
  const double *embedded = s->length > s->n ? table->d : NULL;
  const sb_weights weights = {table->stages, table->c, table->b, embedded};
  int count = sb_vector_count(s->network) - s->n;
  return ARKStepSetTables(s->ark, table->q, table->p, implicit ? table : NULL,
                          implicit ? NULL : table) == 0 &&
         (count == 0 || (sb_quadrature_init(&s->ledger, count, &weights) &&
                         ARKStepSetPostprocessStageFn(s->ark, begin_stage) == 0));
}

static bool configure(arkode *s, const ARKodeButcherTable table) {
  bool ok = ARKStepSetUserData(s->ark, s) == 0 &&
            ARKStepSetErrHandlerFn(s->ark, silence, NULL) == 0 && set_table(s, table) &&
            ARKStepWFtolerances(s->ark, error_weights) == 0 &&
            ARKStepSetMaxErrTestFails(s->ark, TEST_FAILURES_MAX) == 0 &&
            ARKStepSetMaxHnilWarns(s->ark, -1) == 0 && ARKStepSetMaxNumSteps(s->ark, -1) == 0 &&
            ARKStepSetInterpolantType(s->ark, ARK_INTERP_LAGRANGE) == 0 &&
            ARKStepSetInterpolantDegree(s->ark, 1) == 0;
  return ok && (!s->method->implicit || configure_newton(s));
}

static void destroy(sb_stepper *stepper) {
  arkode *s = arkode_of(stepper);
  if (s->ark != NULL) {
    ARKStepFree(&s->ark);
  }
  drop_solver(s);
  if (s->y != NULL) {
    N_VDestroy(s->y);
  }
  sb_quadrature_finish(&s->ledger);
  if (s->context != NULL) {
    SUNContext_Free(&s->context);
  }
  free(s);
}

static sb_status create(const sb_stepper_setup *setup, sb_stepper **result, sb_error *err) {
  const sb_options *options = setup->options;
  const sb_network *network = setup->work->network;
  bool fixed = setup->fixed;
  arkode *s = calloc(1, sizeof *s);
  *result = NULL;
  if (s == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  s->network = network;
  s->work = setup->work;
  s->project = setup->project;
  s->method = options->method;
  s->rtol = options->rtol;
  s->atol = options->atol;
  s->fixed = fixed;
  s->n = network->state_count > 0 ? network->state_count : sb_vector_count(network);
  s->length = s->n + (network->state_count > 0 && network->quadrature_count > 0 && !fixed);
  ARKodeButcherTable table = load_table(s->method);
  s->reuses = setup->shared && !s->method->implicit && table != NULL && is_fsal(table);
  bool ok = table != NULL && SUNContext_Create(NULL, &s->context) == 0;
  s->y = ok ? N_VNew_Serial(s->length, s->context) : NULL;
  if (s->y != NULL) {
    sb_vector_optimise(s->y, s->reuses);
    N_VConst(0, s->y);
    s->ark = ARKStepCreate(s->method->implicit ? NULL : right_hand_side,
                           s->method->implicit ? right_hand_side : NULL, options->t_start, s->y,
                           s->context);
  }
  ok = s->ark != NULL && configure(s, table);
  ARKodeButcherTable_Free(table);
  if (!ok) {
    destroy(&s->base);
    return sb_fail(err, SB_ERR_SOLVER, "the integrator %s could not be set up",
                   options->method->name);
  }
  *result = &s->base;
  return SB_OK;
}

static sb_stepper_counts count(const sb_stepper *stepper) {
  const arkode *s = (const arkode *)(const void *)stepper;
  long steps = 0, failures = 0, jacobians = 0, newton = 0;
  (void)ARKStepGetNumSteps(s->ark, &steps);
  (void)ARKStepGetNumErrTestFails(s->ark, &failures);
  if (s->method->implicit) {
    (void)ARKStepGetNumJacEvals(s->ark, &jacobians);
    (void)ARKStepGetNumNonlinSolvConvFails(s->ark, &newton);
  }
  return (sb_stepper_counts){s->steps + steps, s->rejected + failures + newton,
                             s->jacobians + jacobians};
}

static sb_status reset(sb_stepper *stepper, double t, const double x[], double first_step,
                       sb_error *err) {
  arkode *s = arkode_of(stepper);
  sb_stepper_counts before = count(stepper);
  bool remade = s->jacobian != NULL && sb_jacobian_is_stale(s->jacobian, s->work), ok = true;
  if (remade) {
    drop_solver(s);
    ok = make_solver(s);
  }
  N_VConst(0, s->y);
  memcpy(NV_DATA_S(s->y), x, (size_t)s->n * sizeof *x);
  sb_quadrature_reset(&s->ledger, x + s->n);
  s->starting = s->length > s->n;
  s->pending = false;
  ARKRhsFn explicit_rhs = s->method->implicit ? NULL : right_hand_side;
  ARKRhsFn implicit_rhs = s->method->implicit ? right_hand_side : NULL;
  // ARKODE sets up a linear solver only at its very start.
  ok = ok && (remade ? ARKStepReInit(s->ark, explicit_rhs, implicit_rhs, t, s->y)
                     : ARKStepReset(s->ark, t, s->y)) == 0;
  ok = ok && (s->fixed || ARKStepSetInitStep(s->ark, first_step) == 0);
  bool drifts = sb_has_multipliers(&s->work->program->causality);
  ok = ok && ARKStepSetPostprocessStepFn(s->ark, drifts ? end_step : NULL) == 0;
  sb_stepper_counts after = count(stepper);
  s->steps += before.steps - after.steps; // ARKODE's counters may start again
  s->rejected += before.rejected - after.rejected;
  s->jacobians += before.jacobians - after.jacobians;
  return ok ? SB_OK : sb_fail(err, SB_ERR_SOLVER, "the integrator could not be restarted");
}

static sb_status step(sb_stepper *stepper, double t_stop, double *t, double x[], sb_error *err) {
  arkode *s = arkode_of(stepper);
  double reached;
  (void)ARKStepGetCurrentTime(s->ark, &s->now);
  s->failed = NULL;
  if (s->fixed && ARKStepSetFixedStep(s->ark, t_stop - s->now) != 0) {
    return sb_fail(err, SB_ERR_SOLVER, "a step of %s s is not possible",
                   sb_number_word(t_stop - s->now).text);
  }
  if (!s->fixed && ARKStepSetStopTime(s->ark, t_stop) != 0) {
    return sb_fail(err, SB_ERR_SOLVER, "the integrator cannot stop at t = %s s",
                   sb_number_word(t_stop).text);
  }
  int flag = ARKStepEvolve(s->ark, t_stop, s->y, &reached, ARK_ONE_STEP);
  if (flag < 0) {
    return sb_arkode_failure(s, flag, s->now, err);
  }
  if (!s->fixed && !(reached > s->now)) { // an implicit method shortens its steps without end
    return sb_arkode_failure(s, ARK_REPTD_RHSFUNC_ERR, s->now, err);
  }
  (void)ARKStepGetLastStep(s->ark, &s->base.last);
  memcpy(x, NV_DATA_S(s->y), (size_t)s->n * sizeof(double));
  if (s->ledger.count > 0) {
    sb_quadrature_accept(&s->ledger, s->base.last);
    memcpy(x + s->n, s->ledger.sum, (size_t)s->ledger.count * sizeof(double));
  }
  if (!sb_all_finite(x, sb_vector_count(s->network))) {
    return sb_arkode_overflow(s, sb_first_infinite(x, sb_vector_count(s->network)), s->now, err);
  }
  *t = s->fixed ? t_stop : reached;
  return SB_OK;
}

const sb_stepper_type sb_arkode = {create, destroy, reset, step, count};
