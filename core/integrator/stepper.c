// SPDX-License-Identifier: GPL-3.0-or-later
// The calls that every kind of stepper answers, and the errors that all of them word alike.
#include "core/integrator/stepper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/error.h"
#include "core/integrator/newton_matrix.h"
#include "core/loop/loop.h"
#include "core/network/in_time.h"

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

double sb_stepper_next(const sb_stepper *stepper) {
  return stepper->next;
}

int sb_stepper_binding(const sb_stepper *stepper) {
  return stepper->type->binding == NULL ? -1 : stepper->type->binding(stepper);
}

void sb_stepper_gauge(sb_stepper *stepper, bool gauged) {
  stepper->gauged = gauged;
}

double sb_stepper_fastest(const sb_stepper *stepper) {
  return stepper->fastest;
}

void sb_stepper_respond(sb_stepper *stepper, double h, double r[], int states) {
  for (int i = 0; i < states; i++) {
    r[i] *= h;
  }
  if (stepper->newton != NULL) {
    sb_newton_matrix_respond(stepper->newton, r);
  }
}

sb_stepper_counts sb_stepper_count(const sb_stepper *stepper) {
  return stepper->type->count(stepper);
}

static int owner_of(const sb_network *network, int index) {
  if (index < network->state_count) {
    return sb_owner_of(network, index);
  }
  int i = 0;
  while (network->instances[i].quadrature != index - network->state_count) {
    i++;
  }
  return i;
}

const char *sb_vector_name(const sb_network *network, int index, char name[300]) {
  if (index < network->state_count) {
    return sb_network_state_name(network, index, name);
  }
  (void)snprintf(name, 300, "the energy of %s", network->instances[owner_of(network, index)].id);
  return name;
}

void sb_vector_place(const sb_network *network, int index, sb_error *err) {
  sb_place_into(&network->instances[owner_of(network, index)].place, err);
}

int sb_first_infinite(const double x[], int n) {
  int i = 0;
  while (i < n - 1 && isfinite(x[i])) {
    i++;
  }
  return i;
}

sb_status sb_overflow_fail(const sb_network *network, int index, double t, sb_error *err) {
  char name[300];
  (void)sb_fail(err, SB_ERR_NOT_FINITE, "'%s' grows beyond all numbers near t = %s s",
                sb_vector_name(network, index, name), sb_number_word(t).text);
  sb_vector_place(network, index, err);
  return SB_ERR_NOT_FINITE;
}

sb_status sb_rhs_fail(const sb_workspace *work, const sb_loop_failure *failure, const char *element,
                      double t, sb_error *err) {
  if (failure->kind != SB_LOOP_SOLVED) {
    return sb_loop_failure_word(work, failure, err);
  }
  sb_status status = sb_fail(err, SB_ERR_NOT_FINITE, "'%s' gave no finite number near t = %s s",
                             element, sb_number_word(t).text);
  for (int i = 0; i < work->network->instance_count && err != NULL; i++) {
    if (strcmp(work->network->instances[i].id, element) == 0) {
      sb_instance_no_number(&work->network->instances[i], true, err);
    }
  }
  return status;
}
