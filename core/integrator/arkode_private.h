// SPDX-License-Identifier: GPL-3.0-or-later
// A stepper by ARKODE (arkode.c), and words for its failures (arkode_failure.c).
#ifndef SB_CORE_INTEGRATOR_ARKODE_PRIVATE_H
#define SB_CORE_INTEGRATOR_ARKODE_PRIVATE_H

#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#include "core/integrator/jacobian.h"
#include "core/integrator/quadrature_private.h"
#include "core/integrator/stepper.h"

typedef struct arkode {
  sb_stepper base; // first: an sb_stepper is one of these
  const sb_network *network;
  sb_workspace *work;
  const sb_method *method;
  double rtol, atol;
  bool fixed;
  int n;                // states, or the integrals of a model without states
  int length;           // of the vector: with the witness of the ledger
  double now;           // [s] start of the present step
  sb_quadrature ledger; // the integrals that are not in the vector
  bool pending;         // the next right-hand side is that of the ledger's stage
  bool starting;        // there was no stage since the reset
  bool reuses; // the last stage of a step is the first of the next, and the caller evaluates there
  sb_status (*project)(sb_workspace *work, double t, double x[], double quadratures[]);
  SUNContext context;
  void *ark;
  N_Vector y;
  SUNMatrix matrix;
  SUNLinearSolver solver;
  sb_jacobian *jacobian;           // NULL: there are no states
  long steps, rejected, jacobians; // of earlier resets
  const char *failed; // element whose right-hand side failed in the present step, NULL: none did
  sb_loop_failure failure; // of its loop, then
} arkode;

/** Words that a number of the vector is not finite. */
sb_status sb_arkode_overflow(const arkode *s, int index, double t, sb_error *err);
/** Words a failure of ARKStepEvolve() in a step from t. */
sb_status sb_arkode_failure(const arkode *s, int flag, double t, sb_error *err);
/** The first number that is not finite, else the last. */
int sb_first_infinite(const double x[], int n);

#endif
