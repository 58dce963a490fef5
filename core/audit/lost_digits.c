// SPDX-License-Identifier: GPL-3.0-or-later
// Digits that a dissipation loses. The effort of a resistor that is all but a wire is a small difference of two large ones,
// e = u1 - u2, known to eps |u1|; its flow, known to eps |u1|/R, is that of all beside it, so that in the time T up to
// eps |u1| |u1|/R T of the energy there may be nothing but rounding. Balances see less of it, as it adds up without a
// sign; who reads the flow sees all.
#include <float.h>

#include "core/audit/audit_private.h"

void sb_audit_lost_digits(sb_audit *a, double time) {
  for (int i = 0; i < a->ledger.part_count; i++) {
    a->ledger.parts[i].blurred = 0;
    a->ledger.parts[i].blurring_element = NULL;
  }
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    const int index = a->network->part_of[i];
    const bool linear = instance->type->dissipation != NULL && !instance->hooked && index >= 0;
    double energy = 0;
    for (int k = 0; linear && k < instance->components; k++) {
      energy += DBL_EPSILON * sb_port_size(a, instance, k, SB_EFFORT) *
                sb_port_size(a, instance, k, SB_FLOW) * time;
    }
    sb_part *part = linear ? &a->ledger.parts[index] : NULL;
    if (linear && energy > part->blurred && energy > a->ledger.limit * part->scale &&
        part->scale > part->rounding) {
      part->blurred = energy;
      part->blurring_element = instance->id;
    }
  }
}
