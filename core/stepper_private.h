// SPDX-License-Identifier: GPL-3.0-or-later
// One ARKODE integrator for one model: what steps the simulation, or what takes partial steps for
// samples and events.
#ifndef SB_CORE_STEPPER_PRIVATE_H
#define SB_CORE_STEPPER_PRIVATE_H

#include "core/simulation.h"

typedef struct sb_stepper sb_stepper;

typedef struct sb_stepper_counts {
  long steps, rejected, jacobians;
} sb_stepper_counts;

/** @param fixed  every step has the length that sb_stepper_step() is given */
sb_status sb_stepper_create(const sb_model *model, sb_workspace *work, const sb_options *options,
                            bool fixed, sb_stepper **stepper, sb_error *err);
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
/** Length of the last accepted step, and of the one intended next [s]. */
double sb_stepper_last(const sb_stepper *stepper);
double sb_stepper_next(const sb_stepper *stepper);
sb_stepper_counts sb_stepper_count(const sb_stepper *stepper);

#endif
