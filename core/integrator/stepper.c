// SPDX-License-Identifier: GPL-3.0-or-later
// The calls that every kind of stepper answers.
#include "core/integrator/stepper.h"

#include "core/base/error.h"

sb_status sb_stepper_create(const sb_stepper_setup *setup, sb_stepper **stepper, sb_error *err) {
  const sb_stepper_type *type = sb_integrator_of(setup->options->method)->stepper;
  SB_TRY(type->create(setup, stepper, err));
  (*stepper)->type = type;
  return SB_OK;
}

void sb_stepper_destroy(sb_stepper *stepper) {
  if (stepper != NULL) {
    stepper->type->destroy(stepper);
  }
}

sb_status sb_stepper_reset(sb_stepper *stepper, double t, const double x[], double first_step,
                           sb_error *err) {
  return stepper->type->reset(stepper, t, x, first_step, err);
}

sb_status sb_stepper_step(sb_stepper *stepper, double t_stop, double *t, double x[],
                          sb_error *err) {
  return stepper->type->step(stepper, t_stop, t, x, err);
}

double sb_stepper_last(const sb_stepper *stepper) {
  return stepper->last;
}

sb_stepper_counts sb_stepper_count(const sb_stepper *stepper) {
  return stepper->type->count(stepper);
}
