// SPDX-License-Identifier: GPL-3.0-or-later
// Absolute tolerances: the error of a state x_i may be as large as stated of it, or as moves its output
// y_i = dH/dx_i by no more than stated of that, dx_i = dy_i/K_ii with K = d2H/dx2:
//   linear storage        its matrix
//   with a nominal hook   by sizes that hold E and 4 E: s_i = sqrt(2 E/K_ii) where the second is twice the first
//   with a Hessian        the largest K_ii so far
// Where K is not known, or zero, nothing is allowed by an output.
#include <math.h>
#include <string.h>

#include "core/base/error.h"
#include "core/integrator/nominal_private.h"

/** How far the ratio of two sizes may be from 2, by rounding. */
static const double rounding = 1e-9;

static void allow(sb_nominal *n, int state, double stiffness) {
  if (n->output_atol[state] > 0 && stiffness > 0) {
    n->atol[state] = fmax(n->state_atol[state], n->output_atol[state] / stiffness);
  }
}

/** Stiffnesses from what a nominal hook says that holds more energy than there is. */
static void allow_by_sizes(sb_nominal *n, const sb_instance *instance, double t, const double x[]) {
  double (*size_of)(const void *, const sb_at *, double, double[], double[]) =
      instance->type->storage->sizes.nominal;
  int states = instance->layout.states;
  size_t bytes = (size_t)states * sizeof(double);
  sb_at at = sb_at_instance(n->work, instance, t, x);
  double *once = n->rate[0], *twice = n->rate[1]; // trials are not under way
  memset(once, 0, bytes);
  double held = size_of(instance->self, &at, 0, once, NULL),
         energy = held > 0 ? 4 * held : 1; // [J]
  memset(once, 0, bytes);
  memset(twice, 0, bytes);
  (void)size_of(instance->self, &at, energy, once, NULL);
  (void)size_of(instance->self, &at, 4 * energy, twice, NULL);
  for (int i = 0; i < states; i++) {
    bool holds = isfinite(twice[i]) && fabs(twice[i] - 2 * once[i]) <= rounding * twice[i];
    allow(n, instance->state + i, holds ? 2 * energy / (once[i] * once[i]) : 0);
  }
}

sb_status sb_absolute_init(sb_nominal *n, const sb_options *options, sb_error *err) {
  const sb_network *network = n->network;
  int count = network->state_count;
  if (options->tolerances.find != NULL) {
    const char **units = sb_arena_zeroed(&n->memory, count, sizeof *units);
    if (units == NULL && count > 0) {
      return sb_fail(err, SB_ERR_MEMORY, "out of memory");
    }
    for (int i = 0; i < count; i++) {
      units[i] = sb_network_state_unit(network, i);
    }
    SB_TRY(options->tolerances.find(options->tolerances.context, count, units, n->state_atol,
                                    n->output_atol, err));
  }
  for (int i = 0; i < count; i++) {
    n->state_atol[i] = fmax(n->state_atol[i], options->atol);
    n->atol[i] = n->state_atol[i];
    n->has_outputs = n->has_outputs || n->output_atol[i] > 0;
    n->has_atol = n->has_atol || n->has_outputs || n->atol[i] > 0;
  }
  return SB_OK;
}

void sb_absolute_start(sb_nominal *n, double t, const double x[]) {
  for (int i = 0; i < n->network->instance_count && n->has_outputs; i++) {
    const sb_instance *instance = &n->network->instances[i];
    if (instance->type->storage == NULL) {
      continue;
    }
    for (int k = 0, d = instance->components; k < d && instance->linear; k++) {
      allow(n, instance->state + k, instance->matrix[k * d + k]);
    }
    if (!instance->linear && instance->type->storage->sizes.nominal != NULL) {
      allow_by_sizes(n, instance, t, x);
    }
  }
}

void sb_absolute_accept(sb_nominal *n) {
  for (int i = 0; i < n->network->state_count && n->has_outputs; i++) {
    allow(n, i, n->now.slope[i]); // 0 of storages without a Hessian
  }
}
