// SPDX-License-Identifier: GPL-3.0-or-later
// The set-up of ARKODE: through ARKStep only, with tables by name, for the packaged 6.4.1's ERKStep
// silently loses order with several tables.
#include <arkode/arkode_arkstep.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/error.h"
#include "core/integrator/arkode_private.h"

/** Newton's iteration ends at this fraction of the tolerance of a step, so that the energy balance is met
 *  to the integrator's tolerance and not to the nonlinear solver's; but not below the rounding of a state. Steps of a given length
 *  have no tolerance, and the shorter they are the more of them add up: theirs ends at that rounding. */
static const double newton_fraction = 1e-4;
/** Steps of explicit methods aim at an error that is smaller by this than what they may have, as the errors of
 *  thousands of them add up. */
static const double error_bias = 6;
/** No smaller error of a step, as a fraction of the size of a state, is told from rounding: the estimate is a sum of h k_i over the
 *  stages, each known to eps, that are as large as the state where it moves by its size. */
static const double state_rounding = 3 * DBL_EPSILON;
/** ARKODE's bound for the growth of a step. */
static const double growth_max = 20;
enum { NEWTON_MAX = 12, TEST_FAILURES_MAX = 25 };

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
  sb_jacobian *jacobian = s->newton.jacobian;
  serves = serves && !s->implicit.anew;
  *is_new = jacobian->colours == 0 || !serves;
  if (!serves && sb_jacobian_evaluate(jacobian, s->work, t, NV_DATA_S(y), s->nominal->used,
                                      NV_DATA_S(fy), NV_DATA_S(t1), NV_DATA_S(t2)) != 0) {
    return 1;
  }
  if (!serves && s->implicit.failed && !*s->implicit.jumps) {
    sb_jacobian_sharpen(jacobian, s->work, t, gamma, NV_DATA_S(y), s->nominal->used, NV_DATA_S(fy),
                        NV_DATA_S(t1), NV_DATA_S(t2));
  }
  if (s->base.gauged) {
    s->base.fastest = sb_stiffness_of_jacobian(&s->stiffness, s->nominal, jacobian, NV_DATA_S(y));
  }
  sb_newton_matrix_fill(&s->newton, gamma, s->nominal->used, matrix);
  s->implicit.gamma = gamma;
  return 0;
}

/** Where the rates are linear, one solution is all that a stage needs, by the matrix of the present step:
 *  ARKODE then factorises whenever the step changes, and iterates no further. */
static bool configure_newton(arkode *s) {
  s->base.newton = &s->newton;
  bool linear = false, sparse = false, states = s->network->state_count > 0;
  if (states) {
    s->newton.jacobian = sb_jacobian_create(s->network, s->work, true);
    if (s->newton.jacobian == NULL) {
      return false;
    }
    linear = s->newton.jacobian->colours == 0;
    sparse = linear || s->n > SB_DENSE_MAX;
  }
  return (!states || sb_implicit_stages_init(s)) &&
         (!states || sb_stage_powers_init(&s->powers, s)) &&
         sb_newton_matrix_init(&s->newton, s->y, sparse, s->context) &&
         ARKStepSetLinearSolver(s->ark, s->newton.solver, s->newton.matrix) == 0 &&
         (!states || ARKStepSetLinSysFn(s->ark, fill_matrix) == 0) &&
         (linear ? ARKStepSetLinear(s->ark, 0) : ARKStepSetNonlinear(s->ark)) == 0 &&
         ARKStepSetNonlinConvCoef(s->ark, fmax(s->nominal->fixed ? 0 : newton_fraction,
                                               state_rounding / s->nominal->rtol)) == 0 &&
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
         ((count == 0 && !s->stiffness.on) ||
          (sb_quadrature_init(&s->ledger, count, &weights) &&
           sb_blind_init(&s->blind, &weights, s->n) &&
           ARKStepSetPostprocessStageFn(s->ark, sb_arkode_begin_stage) == 0));
}

/** ARKODE's own controller, h (e1^-0.58 e2^0.21 e3^-0.1)^(1/p), but that no error counts as less than what rounding leaves of the estimate: steps would
 *  grow by the roots of noise, some per cent more or less in every frame, and what comes behind begins with their length. Of such an error no more is known
 *  than that it is less: behind a time that ends the step, the next may be as long as if it were as large.
 *  @param e1, e2, e3  of this step and those before, as fractions of the tolerance */
static int choose_length(N_Vector y, double t, double h1, double h2, double h3, double e1,
                         double e2, double e3, int q, int p, double *next, void *data) {
  (void)y, (void)t, (void)h2, (void)h3, (void)q;
  arkode *s = data;
  const double least = state_rounding / s->nominal->rtol;
  *next = h1 * pow(fmax(e1, least), -0.58 / p) * pow(fmax(e2, least), 0.21 / p) *
          pow(fmax(e3, least), -0.1 / p);
  s->base.next = fmin(e1 > least ? *next : h1 * pow(least, -1. / p), growth_max * h1);
  return 0;
}

/** Every step of an explicit method is chosen anew. ARKODE would keep one that may grow by less than half, which makes the length a matter
 *  of rounding, and, where stability bounds it, may stay where the estimate of the error has a zero. */
static bool configure_steps(arkode *s) {
  return ARKStepSetFixedStepBounds(s->ark, 1, 1) == 0 &&
         ARKStepSetErrorBias(s->ark, error_bias) == 0;
}

static bool configure(arkode *s, const ARKodeButcherTable table) {
  bool ok = ARKStepSetUserData(s->ark, s) == 0 &&
            ARKStepSetErrHandlerFn(s->ark, silence, NULL) == 0 && set_table(s, table) &&
            ARKStepWFtolerances(s->ark, sb_arkode_error_weights) == 0 &&
            ARKStepSetMaxErrTestFails(s->ark, TEST_FAILURES_MAX) == 0 &&
            ARKStepSetMaxConvFails(s->ark, TEST_FAILURES_MAX) == 0 &&
            ARKStepSetMaxHnilWarns(s->ark, -1) == 0 && ARKStepSetMaxNumSteps(s->ark, -1) == 0 &&
            ARKStepSetInterpolantType(s->ark, ARK_INTERP_LAGRANGE) == 0 &&
            ARKStepSetInterpolantDegree(s->ark, 1) == 0;
  ok = ok && ARKStepSetAdaptivityFn(s->ark, choose_length, s) == 0 &&
       (s->method->implicit ? configure_newton(s) : configure_steps(s));
  return ok && (s->bias == 0 || ARKStepSetErrorBias(s->ark, s->bias) == 0);
}

void sb_arkode_destroy(sb_stepper *stepper) {
  arkode *s = sb_arkode_of(stepper);
  if (s->ark != NULL) {
    ARKStepFree(&s->ark);
  }
  sb_implicit_stages_finish(&s->implicit);
  sb_stage_powers_finish(&s->powers);
  sb_newton_matrix_finish(&s->newton);
  if (s->y != NULL) {
    N_VDestroy(s->y);
  }
  sb_quadrature_finish(&s->ledger);
  sb_blind_finish(&s->blind);
  sb_stiffness_finish(&s->stiffness);
  sb_chart_finish(&s->chart);
  free(s->counted);
  if (s->context != NULL) {
    SUNContext_Free(&s->context);
  }
  free(s);
}

/** Without what the storages read their states without. */
static const double *count_error(void *data, const double error[], int n) {
  arkode *s = data;
  const sb_network *network = s->network;
  memcpy(s->counted, error, (size_t)n * sizeof *error);
  for (int k = 0; k < network->drifting_count; k++) {
    const sb_instance *instance = &network->instances[network->drifting[k]];
    if (instance->type->storage->manifold.count != NULL) {
      const sb_at at = sb_at_instance(s->work, instance, s->now, NV_DATA_S(s->y));
      instance->type->storage->manifold.count(instance->self, &at, s->counted + instance->state);
    }
  }
  return s->counted;
}

/** @return false: out of memory */
static bool make_measure(arkode *s) {
  const sb_network *network = s->network;
  bool all = true;
  for (int k = 0; k < network->drifting_count; k++) {
    all = all && network->instances[network->drifting[k]].type->storage->manifold.count == NULL;
  }
  s->measure = (sb_error_measure){&network->vectors, all ? NULL : count_error, s};
  s->counted = all ? NULL : sb_zeroed(s->length, sizeof *s->counted);
  return all || s->counted != NULL;
}

/** The vector, and ARKODE with its settings. */
static bool make_arkode(arkode *s, double t_start) {
  ARKRhsFn first = sb_implicit_stages_first;
  bool implicit = s->method->implicit;
  ARKodeButcherTable table = load_table(s->method);
  bool fsal = table != NULL && is_fsal(table);
  s->reuses = s->reuses && !implicit && fsal;
  s->implicit.fsal = implicit && fsal && s->network->state_count > 0;
  bool ok = table != NULL && make_measure(s) && SUNContext_Create(NULL, &s->context) == 0;
  s->y = ok ? sb_vector_create(s->length, &s->measure, s->reuses, s->context) : NULL;
  if (s->y != NULL) {
    s->ark = ARKStepCreate(implicit ? NULL : sb_arkode_rhs, implicit ? first : NULL, t_start, s->y,
                           s->context);
  }
  ok = s->ark != NULL && configure(s, table);
  ARKodeButcherTable_Free(table);
  return ok;
}

sb_status sb_arkode_create(const sb_stepper_setup *setup, sb_stepper **result, sb_error *err) {
  const sb_options *options = setup->options;
  const sb_network *network = setup->work->network;
  arkode *s = calloc(1, sizeof *s);
  *result = NULL;
  if (s == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  s->network = network;
  s->work = setup->work;
  s->project = setup->project;
  s->method = options->method;
  s->nominal = setup->nominal;
  s->fixed = setup->fixed;
  s->bias = setup->bias;
  s->reuses = setup->shared;
  s->implicit.jumps = setup->jumps;
  s->n = network->state_count > 0 ? network->state_count : sb_vector_count(network);
  s->length = s->n + (network->state_count > 0 && network->quadrature_count > 0 && !s->fixed);
  bool gauged = setup->gauged && network->state_count > 0;
  bool charted = network->state_count > 0 && !s->method->implicit;
  if ((gauged && !sb_stiffness_init(&s->stiffness, s->n)) ||
      (charted && !sb_chart_init(&s->chart, s->work)) || !make_arkode(s, options->t_start)) {
    sb_arkode_destroy(&s->base);
    return sb_fail(err, SB_ERR_MEMORY, "out of memory for the integrator %s",
                   options->method->name);
  }
  *result = &s->base;
  return SB_OK;
}
