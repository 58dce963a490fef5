// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/ode.h"

#include <arkode/arkode_arkstep.h>
#include <math.h>
#include <string.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include "bench/common.h"
#include "core/base/wide.h"
#include "core/integrator/vector.h"

static int right_hand_side(double t, N_Vector y, N_Vector ydot, void *data) {
  const ode *o = data;
  return o->rhs(o->data, t, NV_DATA_S(y), NV_DATA_S(ydot));
}

/** The loops are apart, as the compiler has none in registers where a division might be in vain. */
SB_WIDE static void weights_by_size(double rtol, const double *restrict y, double *restrict size,
                                    double *restrict w, int n) {
  for (int i = 0; i < n; i++) {
    size[i] = fabs(y[i]) > size[i] ? fabs(y[i]) : size[i];
  }
  for (int i = 0; i < n; i++) {
    w[i] = 1 / (rtol * size[i]);
  }
}

static int error_weights(N_Vector y, N_Vector w, void *data) {
  const ode *o = data;
  const double *py = NV_DATA_S(y), *amplitude = o->amplitude, rtol = o->rtol, atol = o->atol;
  double *pw = NV_DATA_S(w);
  int n = (int)NV_LENGTH_S(y);
  if (o->size != NULL) {
    weights_by_size(rtol, py, o->size, pw, n);
    return 0;
  }
  for (int i = 0; i < n; i++) {
    pw[i] = 1 / (rtol * fabs(py[i]) + (amplitude != NULL ? rtol * amplitude[i] : atol));
  }
  return 0;
}

static void must(int flag, const char *what) {
  if (flag < 0) {
    bench_fail("ARKODE: %s failed with %d", what, flag);
  }
}

static void set_table(ode *o) {
  ARKodeButcherTable table = o->jacobian == NULL
                                 ? ARKodeButcherTable_LoadERK(ARKODE_DORMAND_PRINCE_7_4_5)
                                 : ARKodeButcherTable_LoadDIRK(ARKODE_KVAERNO_7_4_5);
  must(table == NULL
           ? -1
           : ARKStepSetTables(o->ark, table->q, table->p, o->jacobian == NULL ? NULL : table,
                              o->jacobian == NULL ? table : NULL),
       "the table");
  ARKodeButcherTable_Free(table);
}

static void create(ode *o, int n) {
  must(SUNContext_Create(NULL, &o->context), "the context");
  o->y = sb_vector_create(n, NULL, false, o->context);
  must(o->y == NULL ? -1 : 0, "the vector");
  o->x = NV_DATA_S(o->y);
  o->ark = ARKStepCreate(o->jacobian == NULL ? right_hand_side : NULL,
                         o->jacobian == NULL ? NULL : right_hand_side, 0, o->y, o->context);
  must(o->ark == NULL ? -1 : 0, "the integrator");
  set_table(o);
  must(ARKStepSetUserData(o->ark, o), "its data");
  must(ARKStepWFtolerances(o->ark, error_weights), "its weights");
  must(ARKStepSetMaxErrTestFails(o->ark, 25), "an option");
  must(ARKStepSetMaxHnilWarns(o->ark, -1), "an option");
  must(ARKStepSetMaxNumSteps(o->ark, -1), "an option");
  must(ARKStepSetInterpolantType(o->ark, ARK_INTERP_LAGRANGE), "the interpolant");
  must(ARKStepSetInterpolantDegree(o->ark, 1), "the interpolant");
}

/** As core/integrator/arkode_setup.c has it. */
static void choose_every_step(ode *o) {
  must(ARKStepSetFixedStepBounds(o->ark, 1, 1), "an option");
  must(ARKStepSetErrorBias(o->ark, 6), "an option");
}

void ode_init(ode *o, int n, ode_rhs rhs, void *data, double rtol, double atol) {
  *o = (ode){.rhs = rhs, .data = data, .rtol = rtol, .atol = atol};
  create(o, n);
  choose_every_step(o);
}

static int fill_jacobian(double t, N_Vector y, N_Vector fy, SUNMatrix matrix, void *data,
                         N_Vector t1, N_Vector t2, N_Vector t3) {
  (void)t, (void)y, (void)fy, (void)t1, (void)t2, (void)t3;
  const ode *o = data;
  o->jacobian(o->data, SM_INDEXPTRS_S(matrix), SM_INDEXVALS_S(matrix), SM_DATA_S(matrix));
  return 0;
}

void ode_init_implicit(ode *o, int n, ode_rhs rhs, ode_jacobian jacobian, int count, void *data,
                       double rtol, double atol) {
  *o = (ode){.rhs = rhs, .jacobian = jacobian, .data = data, .rtol = rtol, .atol = atol};
  create(o, n);
  o->matrix = SUNSparseMatrix(n, n, count, CSC_MAT, o->context);
  o->solver = o->matrix == NULL ? NULL : SUNLinSol_KLU(o->y, o->matrix, o->context);
  must(o->solver == NULL ? -1 : ARKStepSetLinearSolver(o->ark, o->solver, o->matrix), "KLU");
  must(ARKStepSetJacFn(o->ark, fill_jacobian), "the Jacobian");
  // The rate of convergence that ARKODE remembers of earlier stages would end iterations at their first correction, with errors of
  // 1e-5 whatever the tolerance is.
  must(ARKStepSetNonlinCRDown(o->ark, 1), "an option");
  must(ARKStepSetNonlinConvCoef(o->ark, 1e-4), "an option");
  must(ARKStepSetMaxNonlinIters(o->ark, 12), "an option");
}

void ode_set_sizes(ode *o, double size[]) {
  o->size = size;
}

void ode_set_amplitudes(ode *o, double amplitude[]) {
  o->amplitude = amplitude;
}

void ode_set_linear(ode *o) {
  must(SUNLinSol_KLUSetOrdering(o->solver, 0), "AMD");
  must(ARKStepSetLinear(o->ark, 0), "linearity");
}

void ode_finish(ode *o) {
  ARKStepFree(&o->ark);
  if (o->solver != NULL) {
    SUNLinSolFree(o->solver);
    SUNMatDestroy(o->matrix);
  }
  N_VDestroy(o->y);
  SUNContext_Free(&o->context);
}

void ode_reset(ode *o, double t, const double x[], double first_step) {
  memcpy(o->x, x, (size_t)NV_LENGTH_S(o->y) * sizeof *x);
  must(ARKStepReset(o->ark, t, o->y), "a restart");
  must(ARKStepSetInitStep(o->ark, first_step), "the first step");
}

void ode_limit_step(ode *o, double longest) {
  must(ARKStepSetMaxStep(o->ark, longest), "the longest step");
}

double ode_step(ode *o, double t_stop) {
  double t;
  must(ARKStepSetStopTime(o->ark, t_stop), "the stop time");
  must(ARKStepEvolve(o->ark, t_stop, o->y, &t, ARK_ONE_STEP), "a step");
  return t;
}

void ode_leap(ode *o, double t, const double x[], double t_stop) {
  double reached;
  memcpy(o->x, x, (size_t)NV_LENGTH_S(o->y) * sizeof *x);
  must(ARKStepReset(o->ark, t, o->y), "a restart");
  must(ARKStepSetFixedStep(o->ark, t_stop - t), "the step");
  must(ARKStepEvolve(o->ark, t_stop, o->y, &reached, ARK_ONE_STEP), "a step");
}

void ode_run(ode *o, double t_end) {
  double t;
  must(ARKStepSetStopTime(o->ark, t_end), "the stop time");
  must(ARKStepEvolve(o->ark, t_end, o->y, &t, ARK_NORMAL), "the run");
}

double ode_last_step(const ode *o) {
  double h = 0;
  (void)ARKStepGetLastStep(o->ark, &h);
  return h;
}

long ode_step_count(const ode *o) {
  long steps = 0;
  (void)ARKStepGetNumSteps(o->ark, &steps);
  return steps;
}
