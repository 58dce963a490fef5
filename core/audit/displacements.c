// SPDX-License-Identifier: GPL-3.0-or-later
// Displacements that energies take from structures, as the gap of a contact: is the flow the rate of that very
// displacement? What the structure has after a time h, by the flows at its ports, is differenced (differences.h).
// No energy and no other element enters: a fault is in the structure.
#include <math.h>

#include "core/audit/audit_private.h"
#include "core/audit/differences.h"

/** A structure whose displacement is differenced. */
typedef struct moving {
  const sb_instance *instance;
  const sb_at *at;
} moving;

static double displacement_after(const void *context, double h) {
  const moving *m = context;
  return m->instance->type->structure->audit.ahead(m->instance->self, m->at, h);
}

static void check(sb_audit *a, int index, double t, const double x[]) {
  const sb_instance *instance = &a->network->instances[index];
  sb_at at = sb_at_instance(a->work, instance, t, x);
  sb_displacement q;
  for (int k = 0; k < instance->components; k++) {
    a->in[k] = sb_port_value(a, instance, k, sb_other(sb_output_of(a, index, k)));
  }
  at.in = a->in;
  if (!instance->type->structure->audit.displacement(instance->self, &at, &q) || !(q.time > 0)) {
    return;
  }
  const moving m = {instance, &at};
  const double rate = sb_port_value(a, instance, q.component, SB_FLOW),
               error = sb_rate_error_between_kinks(
                   displacement_after, &m, sb_difference_step * q.time, rate, q.terms, q.rounding);
  sb_audit_difference(a, index, error, q.terms);
}

void sb_audit_displacements(sb_audit *a, double t, const double x[]) {
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_structure_hooks *hooks = a->network->instances[i].type->structure;
    if (hooks != NULL && hooks->audit.displacement != NULL) {
      check(a, i, t, x);
    }
  }
}
