// SPDX-License-Identifier: GPL-3.0-or-later
// What a storage whose states have each an output y = dH/dx has exchanged through each of them since the start [J],
//   W_k = int y_k dx_k,  sum W_k = H - H(0),
// so that sum |W_k| is at stake also where H stays, as that of a top whose axes exchange it. It is not |y_k (x_k - x0_k)|: an angle that
// turns on and on below a potential of bounded energy, or a stiff wall behind a long way, would be at stake with more than there is.
// W grows by trapezoids in every step, whose sum is brought to the change of H by shares of their sizes.
#include <math.h>

#include "core/audit/audit_private.h"

/** Terms of a step. */
typedef struct trapezoids {
  double size;   // the sum of their absolute values [J]
  double excess; // by which their sum is more than the change of H [J]
} trapezoids;

static double trapezoid(const sb_audit *a, const sb_instance *instance, int k, const double x[]) {
  const int i = instance->state + k;
  const double y = sb_storage_output(a, instance, k, x);
  return 0.5 * (a->output_accepted[i] + y) * (x[i] - a->state_accepted[i]);
}

static trapezoids add_trapezoids(const sb_audit *a, int index, double H, const double x[]) {
  const sb_instance *instance = &a->network->instances[index];
  trapezoids all = {.excess = a->energy_accepted[index] - H};
  for (int k = 0; k < instance->components; k++) {
    const double w = trapezoid(a, instance, k, x);
    all.excess += w;
    all.size += fabs(w);
  }
  return all;
}

/** W_k behind the step. */
static double exchanged_by(const sb_audit *a, const sb_instance *instance, int k, const double x[],
                           trapezoids all) {
  const double w = trapezoid(a, instance, k, x);
  const double share = all.size > 0 ? fabs(w) / all.size : 1. / instance->components;
  return a->exchanged[instance->state + k] + w - share * all.excess;
}

double sb_storage_exchanged(const sb_audit *a, int index, double H, const double x[]) {
  const sb_instance *instance = &a->network->instances[index];
  if (instance->components == 1) {
    return fabs(H - a->ledger.elements[index].stored_start);
  }
  const trapezoids all = add_trapezoids(a, index, H, x);
  double sum = 0;
  for (int k = 0; k < instance->components; k++) {
    sum += fabs(exchanged_by(a, instance, k, x, all));
  }
  return sum;
}

void sb_audit_exchange(sb_audit *a, int index, double t, const double x[]) {
  const sb_instance *instance = &a->network->instances[index];
  if (instance->components == 1 || !sb_storage_has_outputs(instance)) {
    return;
  }
  const double H = sb_instance_energy(a->work, index, t, x);
  const trapezoids all = add_trapezoids(a, index, H, x);
  for (int k = 0; k < instance->components; k++) {
    const int i = instance->state + k;
    a->exchanged[i] = exchanged_by(a, instance, k, x, all);
    a->output_accepted[i] = sb_storage_output(a, instance, k, x);
    a->state_accepted[i] = x[i];
  }
  a->energy_accepted[index] = H;
}

void sb_audit_exchange_start(sb_audit *a, int index, const double x[]) {
  const sb_instance *instance = &a->network->instances[index];
  a->energy_accepted[index] = a->ledger.elements[index].stored_start;
  for (int k = 0; sb_storage_has_outputs(instance) && k < instance->components; k++) {
    const int i = instance->state + k;
    a->exchanged[i] = 0;
    a->output_accepted[i] = sb_storage_output(a, instance, k, x);
    a->state_accepted[i] = x[i];
  }
}
