// SPDX-License-Identifier: GPL-3.0-or-later
// An integrator for a model in its present modes: the one that steps a simulation, or the one that takes
// partial steps to samples and events. The row of the method says of which kind it is, ARKODE or a
// discrete gradient. When the modes change, a new one is made.
#ifndef SB_CORE_INTEGRATOR_STEPPER_H
#define SB_CORE_INTEGRATOR_STEPPER_H

#include "core/integrator/nominal.h"
#include "core/integrator/options.h"
#include "core/program/workspace.h"

typedef struct sb_stepper sb_stepper;

/** What a stepper works on; all is borrowed. */
typedef struct sb_stepper_setup {
  sb_workspace *work;
  const sb_options *options;
  const sb_nominal *nominal; // sizes that errors are relative to
  bool fixed;                // every step has the length that sb_stepper_step() is given
  bool shared;               // the caller evaluates the model at the end of every step
  bool gauged;               // sb_stepper_gauge() will be called
  const bool
      *jumps; // a law jumps where no branch does: no difference is short enough for a slope there
  double
      bias; // steps aim at an error that is smaller by this than what they may have; 0: the method's own
  /** Removes the drift off the constraints, with the workspace at (t, x) before. */
  sb_status (*project)(sb_workspace *work, double t, double x[], double quadratures[]);
} sb_stepper_setup;

typedef struct sb_stepper_counts {
  long steps, rejected, jacobians;
} sb_stepper_counts;

/** A kind of stepper. Its functions do what is said below, at those that call them; create() leaves
 *  `base.type` to its caller, and step() stores the length in `base.last`. */
typedef struct sb_stepper_type {
  sb_status (*create)(const sb_stepper_setup *setup, sb_stepper **stepper, sb_error *err);
  void (*destroy)(sb_stepper *stepper);
  sb_status (*reset)(sb_stepper *stepper, double t, const double x[], double first_step,
                     sb_error *err);
  sb_status (*step)(sb_stepper *stepper, double t_stop, double *t, double x[], sb_error *err);
  sb_stepper_counts (*count)(const sb_stepper *stepper);
  int (*binding)(const sb_stepper *stepper); // NULL: of steps of a given length
} sb_stepper_type;

/** Forms of the discrete gradient. */
enum {
  SB_GRADIENT_MIDPOINT,  // Gonzalez: the gradient at the middle, corrected along the step
  SB_GRADIENT_MEAN_VALUE // the average of the gradient over the step
};

/** How a method takes its steps. */
typedef struct sb_integrator {
  int table; // SUNDIALS' number of the Butcher table, -1: the implicit midpoint rule; or the form
  const sb_stepper_type *stepper;
} sb_integrator;
const sb_integrator *sb_integrator_of(const sb_method *method);

extern const sb_stepper_type sb_arkode;            // arkode.c
extern const sb_stepper_type sb_discrete_gradient; // gradient_stepper.c

/** What every kind of stepper begins with. */
struct sb_stepper {
  const sb_stepper_type *type;
  double last;                     // [s] length of the last accepted step
  double next;                     // [s] as sb_stepper_next() says
  bool gauged;                     // as sb_stepper_gauge() says
  double fastest;                  // [1/s] as sb_stepper_fastest() says
  struct sb_newton_matrix *newton; // of implicit methods; NULL: of others
};

sb_status sb_stepper_create(const sb_stepper_setup *setup, sb_stepper **stepper, sb_error *err);
void sb_stepper_destroy(sb_stepper *stepper);

/** Starts anew from (t, x). @param first_step [s] 0: chosen by the integrator */
sb_status sb_stepper_reset(sb_stepper *stepper, double t, const double x[], double first_step,
                           sb_error *err);

/** One accepted step, at most to t_stop (a fixed one: exactly to t_stop).
 *  @param t  in: unused, out: time reached
 *  @param x  (vector_count) out
 *  @return SB_ERR_NOT_FINITE if the right-hand side failed, SB_ERR_SOLVER otherwise; x and t are
 *          then left alone, and the stepper must be reset */
sb_status sb_stepper_step(sb_stepper *stepper, double t_stop, double *t, double x[], sb_error *err);
/** Length of the last accepted step [s]. */
double sb_stepper_last(const sb_stepper *stepper);
/** The length that its error lets the next step have, wherever it ended [s]; 0: steps have a given length. */
double sb_stepper_next(const sb_stepper *stepper);
/** The number of the vector whose estimated error lets the last step be no longer, or one past all for the accounts of powers; -1: none
 *  does, as the step ended where it had to, or has a given length. */
int sb_stepper_binding(const sb_stepper *stepper);
/** Whether the next steps are gauged for how fast the fastest mode is, where the method can tell. */
void sb_stepper_gauge(sb_stepper *stepper, bool gauged);
/** How fast the fastest mode was in the last step that was gauged, about: |lambda| [1/s]; 0: not known. */
double sb_stepper_fastest(const sb_stepper *stepper);
/** What an error of the rates makes of the states in a step of h [s]: h r, and of implicit methods (I - gamma J)^-1 h r, where fast modes
 *  forget it.  @param r  (states) in and out */
void sb_stepper_respond(sb_stepper *stepper, double h, double r[], int states);
sb_stepper_counts sb_stepper_count(const sb_stepper *stepper);

// Errors that steppers share.
/** Name of a number of the integrated vector: of a state, or "the energy of" an element; and the place of its element. */
const char *sb_vector_name(const sb_network *network, int index, char name[300]);
void sb_vector_place(const sb_network *network, int index, sb_error *err);
/** Index of the first number that is not finite, else of the last. */
int sb_first_infinite(const double x[], int n);
/** A number of the vector is not finite. */
sb_status sb_overflow_fail(const sb_network *network, int index, double t, sb_error *err);
/** The right-hand side failed, in a loop or in an element. */
sb_status sb_rhs_fail(const sb_workspace *work, const sb_loop_failure *failure, const char *element,
                      double t, sb_error *err);

#endif
