// SPDX-License-Identifier: GPL-3.0-or-later
// The energy balance: stored(t) - stored(0) - supplied(t) + dissipated(t) + event losses(t) = 0. What is
// stored is computed from the states; what was supplied and dissipated is integrated along with them.
#include <math.h>

#include "core/audit/audit_private.h"

static double magnitude_of(const sb_audit *a, int index, double energy, double t,
                           const double x[]) {
  const sb_instance *instance = &a->network->instances[index];
  if (instance->linear || instance->type->storage->audit.magnitude == NULL) {
    return fabs(energy);
  }
  sb_at at = sb_at_instance(a->work, instance, t, x);
  return instance->type->storage->audit.magnitude(instance->self, &at);
}

/** Stored energy, and the sum of the absolute values of its terms. */
static double stored(const sb_audit *a, double t, const double x[], double *magnitude) {
  double sum = 0, absolute;
  for (int i = 0; i < a->scalar_count; i++) {
    double q = x[a->scalar_state[i]];
    sum += a->scalar_half[i] * q * q;
  }
  absolute = sum;
  for (int i = 0; i < a->other_count; i++) {
    double h = sb_instance_energy(a->work, a->others[i], t, x);
    sum += h;
    absolute += magnitude_of(a, a->others[i], h, t, x);
  }
  *magnitude = absolute;
  return sum;
}

static double sum_of(const double x[], const int list[], int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) {
    sum += x[list[i]];
  }
  return sum;
}

sb_balance sb_audit_balance(const sb_audit *a, double t, const double x[]) {
  sb_balance b;
  b.stored = stored(a, t, x, &b.magnitude);
  b.supplied = sum_of(x, a->supplies, a->supply_count);
  b.dissipated = sum_of(x, a->losses, a->loss_count);
  b.residual = b.stored - a->ledger.total.stored_start - b.supplied + b.dissipated +
               a->ledger.total.event_loss;
  return b;
}

void sb_audit_start(sb_audit *a, double t, const double x[]) {
  sb_ledger *ledger = &a->ledger;
  double magnitude, h = stored(a, t, x, &magnitude);
  ledger->t_start = ledger->t_end = a->sampled_t = t;
  ledger->total.stored_start = ledger->total.stored_end = h;
  a->stored_min = a->stored_max = h;
  a->magnitude_max = magnitude;
  for (int i = 0; i < a->network->instance_count; i++) {
    ledger->elements[i].stored_start = sb_instance_energy(a->work, i, t, x);
  }
}

double sb_audit_scale(const sb_audit *a) {
  // Rounding grows with the energy present, also where none changes hands.
  return fmax(fmax(a->stored_max - a->stored_min, a->magnitude_max),
              fmax(a->supplied_max, a->dissipated_max));
}

void sb_audit_step(sb_audit *a, double t, const sb_balance *b, const double x[],
                   const double xdot[]) {
  sb_ledger *ledger = &a->ledger;
  a->stored_min = fmin(a->stored_min, b->stored);
  a->stored_max = fmax(a->stored_max, b->stored);
  a->magnitude_max = fmax(a->magnitude_max, b->magnitude);
  a->supplied_max = fmax(a->supplied_max, fabs(b->supplied));
  a->dissipated_max = fmax(a->dissipated_max, fabs(b->dissipated));
  a->residual = b->residual;
  if (!(fabs(b->residual) <= ledger->residual_max)) {
    ledger->residual_max = fabs(b->residual);
    ledger->residual_time = t;
  }
  ledger->t_end = t;
  if (xdot != NULL) {
    sb_audit_passive(a, t, x, xdot);
  }
}
