// SPDX-License-Identifier: GPL-3.0-or-later
// The right-hand side of a discrete gradient method: the program of the model, in which storages
// give their discrete gradient over the step instead of their gradient.
#ifndef SB_CORE_DISCRETE_GRADIENT_PRIVATE_H
#define SB_CORE_DISCRETE_GRADIENT_PRIVATE_H

#include "core/simulation.h"
#include "core/workspace_private.h"

typedef enum sb_gradient_form {
  SB_GRADIENT_MIDPOINT,  // Gonzalez: the gradient at the middle, corrected along the step
  SB_GRADIENT_MEAN_VALUE // the average of the gradient over the step
} sb_gradient_form;

/** A step from (t0, x0) to (t0 + h, .) as the discrete program sees it. */
typedef struct sb_discrete {
  sb_program program; // first: its own ops find the step by it; all but `ops` is borrowed
  sb_workspace *work;
  sb_gradient_form form;
  double t0, h;     // [s]
  const double *x0; // (states) borrowed
  double *scratch;  // for one element
} sb_discrete;

/** For the present modes of the workspace.
 *  @return SB_ERR_USAGE, naming the element, if a storage is not of the form y = dH/dx, xdot = u */
sb_status sb_discrete_init(sb_discrete *discrete, sb_workspace *work, sb_gradient_form form,
                           const sb_method *method, sb_error *err);
void sb_discrete_finish(sb_discrete *discrete);

/** Puts the discrete program in the place of the workspace's own, and gives that back. While it is
 *  there, sb_model_rhs(t0 + h/2, (x0 + x1)/2) gives (x1 - x0)/h and the mean powers of the step. */
const sb_program *sb_discrete_enter(sb_discrete *discrete);
void sb_discrete_leave(sb_discrete *discrete, const sb_program *kept);

#endif
