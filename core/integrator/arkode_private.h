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

/** A stage that Newton's iteration has solved. */
typedef struct sb_stage {
  N_Vector z, weight;         // its state, and the weights of errors
  N_Vector correction, known; // gamma times its deduced slope is the former without the latter
  double gamma;               // [s]
  double tolerance;           // of the iteration, in units of what a state may be wrong by
  SUNNonlinearSolver iteration;
  void *ark;
} sb_stage;

/** Scratch memory of the powers at stages (stage_powers.c). All zero: of another method. */
typedef struct sb_stage_powers {
  N_Vector left, missing; // gamma (f - k) - d, and d
  N_Vector away, slope;   // z + s d, and f there
  double
      missed; // size of d, where rates are linear; more than the iteration leaves: z is to move by it
  double residual;      // |gamma (f(z + d) - k) - d|, in units of what a state may be wrong by
  double *own, *far;    // (quadratures) P(z), and P(z + s d)
  double *last, *first; // of the stage that was solved last, and of the first one of the step
} sb_stage_powers;

/** Of an implicit method: how the slopes of its stages are found (implicit_stages.c). All zero: of another. */
typedef struct sb_implicit_stages {
  SUNNonlinearSolver iteration; // Newton's, and its own function that solves
  int (*iterate)(SUNNonlinearSolver iteration, N_Vector predicted, N_Vector correction,
                 N_Vector weight, double tolerance, booleantype setup, void *ark);
  SUNNonlinSolConvTestFn test; // of ARKODE, which tells when it has converged
  void *ark;                   // whose
  double gamma;                // [s] of the matrix
  double corrected;        // size of the last correction, in units of what a state may be wrong by
  bool solved;             // the present stage, which has had its right-hand side
  bool fsal;               // the last stage of a step is the first of the next, with its slope
  bool known;              // which is in `first`
  const bool *jumps;       // as in sb_stepper_setup
  bool failed;             // Newton's iteration has, last
  bool tangent;            // where it begins: on that of the step; else where that does
  bool anew;               // the next matrix is by a Jacobian of the present iterate
  N_Vector first;          // slope of the first stage
  N_Vector last;           // and of the one that was solved last
  const sb_stage *present; // whose right-hand side is evaluated; NULL: of another point
} sb_implicit_stages;

typedef struct arkode {
  sb_stepper base; // first: an sb_stepper is one of these
  const sb_network *network;
  sb_workspace *work;
  const sb_method *method;
  const sb_nominal *nominal; // sizes of the states and quadratures
  bool fixed;
  double bias; // as in sb_stepper_setup
  int n;       // states, or the quadratures of a model without states
  int length;  // of the vector: with the error monitor of the ledger
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
  sb_stage_powers powers;
  const char *failed; // element whose right-hand side failed in the present step, NULL: none did
  sb_loop_failure failure; // of its loop, then
} arkode;

static inline arkode *sb_arkode_of(sb_stepper *stepper) {
  return (arkode *)(void *)stepper;
}

/** Whether the stage that is solved may be the last one: without a ledger stages are not told apart there. */
static inline bool sb_arkode_in_last_stage(const arkode *s) {
  return s->ledger.count == 0 || s->ledger.stage == s->ledger.stages - 1;
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
void sb_implicit_stages_reset(sb_implicit_stages *stages);
/** The step is accepted. */
void sb_implicit_stages_accept(sb_implicit_stages *stages);

bool sb_stage_powers_init(sb_stage_powers *powers, const arkode *s);
void sb_stage_powers_finish(sb_stage_powers *powers);
/** The powers at the point of the present right-hand side `rate`, in place of those at its state. */
void sb_stage_powers_find(arkode *s, double t, N_Vector rate, double power[]);
/** The step is accepted, and its last stage is the first of the next. */
void sb_stage_powers_accept(sb_stage_powers *powers);

/** As sb_stepper_binding(). */
int sb_arkode_binding(const sb_stepper *stepper);
/** Words a failure of ARKStepEvolve() in a step from t. */
sb_status sb_arkode_failure(const arkode *s, int flag, double t, sb_error *err);

#endif
