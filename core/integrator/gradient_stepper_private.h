// SPDX-License-Identifier: GPL-3.0-or-later
// A stepper by a discrete gradient method (gradient_stepper.c) and its Newton iteration
// (gradient_newton.c).
#ifndef SB_CORE_INTEGRATOR_GRADIENT_STEPPER_PRIVATE_H
#define SB_CORE_INTEGRATOR_GRADIENT_STEPPER_PRIVATE_H

#include "core/integrator/discrete_gradient_private.h"
#include "core/integrator/newton_matrix.h"
#include "core/integrator/stepper.h"

typedef struct gradient {
  sb_stepper base; // first: an sb_stepper is one of these
  const sb_network *network;
  sb_workspace *work;
  const sb_nominal *nominal;
  sb_status (*project)(sb_workspace *work, double t, double x[], double quadratures[]);
  sb_discrete discrete;
  sb_arena memory;
  int n, length;                                        // states; with the quadratures
  double t, h;                                          // [s] start of the step, its length
  double *x, *carry, *d, *trial, *xm, *f, *r, *scratch; // (length)
  double *terms, *weight; // (n) sizes of the terms of a row's residual, and what it is relative to
  double *middle;         // (n) xm before a correction
  double *last;           // (n) d of the last step
  double last_h;          // [s] its length, 0: none since the reset
  SUNContext context;
  sb_newton_matrix newton; // I - h/2 df/dxm
  N_Vector right, delta;
  double matrix_h;    // [s] of the matrix, 0: no Jacobian yet
  const char *failed; // element whose hook failed last, NULL: none
  long steps, jacobians;
} gradient;

/** f and r at d; false if an element fails. */
bool sb_gradient_residual(gradient *s, const double d[]);
/** Solves r(d) = 0; false if the iteration does not converge, or an element fails. */
bool sb_gradient_solve(gradient *s);

#endif
