// SPDX-License-Identifier: GPL-3.0-or-later
// The largest state and output of each kind in a part, and what they make other states of that kind count as at
// least. States are of one kind if they have the same unit; so have their outputs dH/dx: voltages of capacitors,
// currents of inductors, speeds of masses. A state counts with this fraction of the lesser of
//   the largest state of its kind,  and the state that would give the largest output of its kind, max |y| / K:
// a voltage of 1 mV beside one of 100 V is held to rtol times 0.1 V, as one of 0.1 V is. All that is above a
// hundred-thousandth of the largest of its kind is then known to 100 rtol, and what diffuses or decays is not followed
// below that. Both are asked for, as the same force moves a soft spring far, and the same charge makes a high voltage
// of a small capacitor. States without a unit, as of elements whose domain nobody stated, are not compared.
#include <math.h>
#include <string.h>

#include "core/integrator/nominal_private.h"

static const double least_fraction = 1e-3;

/** @param units  (kinds so far) out: with the unit of a new kind  @return -1 if the state's is not known */
static int find_kind(const sb_network *network, int state, const char *units[], int *kinds) {
  const char *unit = sb_network_state_unit(network, state);
  for (int k = 0; k < *kinds && unit != NULL; k++) {
    if (strcmp(unit, units[k]) == 0) {
      return k;
    }
  }
  units[*kinds] = unit;
  return unit == NULL ? -1 : (*kinds)++;
}

/** Whether the states of a storage are compared: those with a nominal hook say themselves what they count as. */
static bool is_compared(const sb_instance *instance) {
  const sb_storage_hooks *storage = instance->type->storage;
  return storage != NULL && storage->sizes.nominal == NULL &&
         instance->layout.states == instance->components;
}

bool sb_peaks_init(sb_nominal *n) {
  int states = n->network->state_count;
  const char **units = sb_arena_zeroed(&n->memory, states + 1, sizeof *units);
  n->kind = sb_arena_zeroed(&n->memory, states, sizeof *n->kind);
  n->kind_count = 0;
  if (n->memory.failed) {
    return false;
  }
  for (int i = 0; i < n->network->instance_count; i++) {
    const sb_instance *instance = &n->network->instances[i];
    for (int k = 0; k < instance->layout.states; k++) {
      n->kind[instance->state + k] =
          is_compared(instance) ? find_kind(n->network, instance->state + k, units, &n->kind_count)
                                : -1;
    }
  }
  return true;
}

static double *peak_of(const sb_nominal *n, const sb_nominal_record *z, int part, int kind) {
  return z->peak + 2 * ((long)part * n->kind_count + kind);
}

/** K of a state, by which its output moves; 0: not known. */
static double stiffness_of(const sb_instance *instance, const sb_nominal_record *z, int own) {
  int d = instance->components;
  return instance->linear ? instance->matrix[own * d + own] : z->slope[instance->state + own];
}

void sb_peaks_find(const sb_nominal *n, const sb_nominal_record *z) {
  for (int i = 0; i < n->network->instance_count; i++) {
    const sb_instance *instance = &n->network->instances[i];
    for (int k = 0; k < instance->layout.states; k++) {
      int state = instance->state + k;
      if (n->kind[state] >= 0) {
        double *peak = peak_of(n, z, n->network->part_of[i], n->kind[state]);
        double output = stiffness_of(instance, z, k) * z->size[state];
        peak[0] = fmax(peak[0], z->size[state]);
        peak[1] = fmax(peak[1], output);
      }
    }
  }
}

double sb_peaks_least(const sb_nominal *n, const sb_nominal_record *z, int state, int part,
                      double stiffness) {
  if (n->kind[state] < 0 || !(stiffness > 0)) {
    return 0;
  }
  const double *peak = peak_of(n, z, part, n->kind[state]);
  return least_fraction * fmin(peak[0], peak[1] / stiffness);
}
