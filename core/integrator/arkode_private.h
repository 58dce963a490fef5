// SPDX-License-Identifier: GPL-3.0-or-later
// A stepper by ARKODE (arkode.c), its set-up (arkode_setup.c) and the words for its failures
// (arkode_failure.c).
#ifndef SB_CORE_INTEGRATOR_ARKODE_PRIVATE_H
#define SB_CORE_INTEGRATOR_ARKODE_PRIVATE_H

#include <sundials/sundials_nonlinearsolver.h>

#include "core/integrator/blind_private.h"
#include "core/integrator/chart_private.h"
#include "core/integrator/newton_matrix.h"
#include "core/integrator/quadrature_private.h"
#include "core/integrator/stepper.h"
#include "core/integrator/stiffness_private.h"
#include "core/integrator/vector.h"

/** Of an implicit method: how the slopes of its stages are found (implicit_stages.c). All zero: of another. */
typedef struct sb_implicit_stages {
  SUNNonlinearSolver iteration; // Newton's, and its own function that solves
  int (*iterate)(SUNNonlinearSolver iteration, N_Vector predicted, N_Vector correction,
                 N_Vector weight, double tolerance, booleantype setup, void *ark);
  bool solved;    // the present stage, which has had its right-hand side
  bool fsal;      // the last stage of a step is the first of the next
  bool keeps;     // and its slope is kept for that: no projection comes between
  bool known;     // it is, in `first`
  N_Vector first; // slope of the first stage
  N_Vector last;  // and of the one that was solved last
} sb_implicit_stages;

typedef struct arkode {
  sb_stepper base; // first: an sb_stepper is one of these
  const sb_network *network;
  sb_workspace *work;
  const sb_method *method;
  const sb_nominal *nominal; // sizes of the states and quadratures
  bool fixed;
  bool evaluated; // as in sb_stepper_setup
  double bias;    // as in sb_stepper_setup
  int n;          // states, or the quadratures of a model without states
  int length;     // of the vector: with the error monitor of the ledger
  sb_error_measure measure;
  double *counted;      // (length) scratch of it; NULL: all of an error counts
  double now;           // [s] start of the present step
  sb_blind blind;       // the second error estimate
  sb_quadrature ledger; // the quadratures that are not in the vector
  sb_stiffness stiffness;
  sb_chart chart; // of explicit methods: the vector holds its variables
  bool pending;   // the next right-hand side is that of the ledger's stage
  bool starting;  // there was no stage since the reset
  bool reuses; // the last stage of a step is the first of the next, and the caller evaluates there
  sb_status (*project)(sb_workspace *work, double t, double x[], double quadratures[]);
  SUNContext context;
  void *ark;
  N_Vector y;
  sb_newton_matrix newton; // of implicit methods
  sb_implicit_stages implicit;
  const char *failed; // element whose right-hand side failed in the present step, NULL: none did
  sb_loop_failure failure; // of its loop, then
} arkode;

static inline arkode *sb_arkode_of(sb_stepper *stepper) {
  return (arkode *)(void *)stepper;
}

sb_status sb_arkode_create(const sb_stepper_setup *setup, sb_stepper **result, sb_error *err);
void sb_arkode_destroy(sb_stepper *stepper);

/** What ARKODE calls; `data` is the arkode. */
int sb_arkode_rhs(double t, N_Vector y, N_Vector ydot, void *data);
int sb_arkode_begin_stage(double t, N_Vector y, void *data);
int sb_arkode_error_weights(N_Vector y, N_Vector w, void *data);

/** After ARKStepCreate(): has ARKODE solve and deduce so; false: out of memory. */
bool sb_implicit_stages_init(arkode *s);
/** What ARKODE calls as the right-hand side at the start of a step; `data` is the arkode. */
int sb_implicit_stages_first(double t, N_Vector y, N_Vector ydot, void *data);
void sb_implicit_stages_finish(sb_implicit_stages *stages);
/** @param projected  the state of every step is changed at its end */
void sb_implicit_stages_reset(sb_implicit_stages *stages, bool projected);
/** The step is accepted. */
void sb_implicit_stages_accept(sb_implicit_stages *stages);

/** Words a failure of ARKStepEvolve() in a step from t. */
sb_status sb_arkode_failure(const arkode *s, int flag, double t, sb_error *err);

#endif
