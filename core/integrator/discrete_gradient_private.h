// SPDX-License-Identifier: GPL-3.0-or-later
// The right-hand side of a discrete gradient method: the program of the model, in which storages
// give their discrete gradient over the step instead of their gradient.
#ifndef SB_CORE_DISCRETE_GRADIENT_PRIVATE_H
#define SB_CORE_DISCRETE_GRADIENT_PRIVATE_H

#include "core/integrator/options.h"
#include "core/model/rhs.h"

typedef enum sb_gradient_form {
  SB_GRADIENT_MIDPOINT,  // Gonzalez: the gradient at the middle, corrected along the step
  SB_GRADIENT_MEAN_VALUE // the average of the gradient over the step
} sb_gradient_form;

/** Storages in ties that the program solves for, and what they give over the step. */
typedef struct sb_discrete_constraints {
  char *constrained; // (parts) is in one, as a storage or a source
  double *assigned;  // (states) outputs
  double *means;     // (values) what sources give
  double *seen;      // (states) as the rows see them
  double *numbers;
  int number_capacity;
} sb_discrete_constraints;

enum { SB_AT_START, SB_AT_MIDDLE, SB_AT_END, SB_PLACES };

/** What else changes over the step, where ties may go through it. */
typedef struct sb_discrete_motion {
  bool any, begun;         // there is such; the start of the present step is known
  const sb_program *plain; // that tells it
  int *place;              // (parts) where a part's numbers stand, -1: it has none
  double *at[SB_PLACES];   // operators and inputs of structures, outputs of sources
  double *x, *rate;        // (states) scratch
} sb_discrete_motion;

/** A step from (t0, x0) to (t0 + h, .) as the discrete program sees it. */
typedef struct sb_discrete {
  sb_program program; // first: the operations find the step by it; its arrays are borrowed
  sb_operation operations[SB_OPERATION_KINDS];
  sb_workspace *work;
  sb_gradient_form form;
  double t0, h;     // [s]
  const double *x0; // (states) borrowed
  double *scratch;  // for one element
  sb_discrete_constraints constraints;
  sb_discrete_motion motion;
} sb_discrete;

static inline sb_discrete *sb_discrete_of(const sb_workspace *work) {
  return (sb_discrete *)(uintptr_t)work->program;
}

/** The discrete gradient of a storage with hooks over the step whose middle is x. */
int sb_discrete_output(sb_discrete *discrete, const sb_instance *instance, double t,
                       const double x[], double y[]);
/** The mean rate of its output over the step, with its input as it is. */
int sb_discrete_dot(sb_discrete *discrete, const sb_instance *instance, double t, const double x[],
                    double ydot[]);

/** The mean of what a source gives at both ends of the step. */
int sb_discrete_source(sb_discrete *discrete, const sb_instance *instance, double t,
                       const double x[], double mean[]);

/** Makes room for ties that are solved for (discrete_ties.c). */
bool sb_discrete_constraints_init(sb_discrete *discrete);
void sb_discrete_constraints_finish(sb_discrete *discrete);
/** What the program is to see of the states, after the storages in such ties were asked. */
const double *sb_discrete_see(sb_workspace *work, double t, const double x[]);

/** Makes room for what changes besides the states, if there are such ties (discrete_motion.c). */
bool sb_discrete_motion_init(sb_discrete *discrete);
void sb_discrete_motion_finish(sb_discrete *discrete);
/** Asks the plain program at both ends of the step whose middle is x, and there. */
int sb_discrete_motion_see(sb_discrete *discrete, double t, const double x[]);
/** An entry of the operator of a structure over the step: of an output and an input. */
static inline double *sb_discrete_operator(const sb_discrete *discrete, const sb_instance *instance,
                                           int output, int input) {
  int place = discrete->motion.place[instance - discrete->work->network->instances];
  return discrete->motion.at[SB_AT_MIDDLE] + place + output * instance->components + input;
}
/** Lets modulated structures act by their operator over the step. */
void sb_discrete_motion_operations(sb_operation operations[]);

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
