// SPDX-License-Identifier: GPL-3.0-or-later
// Displacements that energies take from structures, as the gap of a contact: is the flow the rate of that very
// displacement? What the structure has after a time h, by the flows at its ports, is differenced (differences.h).
// No energy and no other element enters: a fault is in the structure.
#include <math.h>

#include "core/audit/audit_private.h"
#include "core/audit/differences.h"

enum { POINTS = SB_DIFFERENCE_POINTS, MIDDLE = POINTS / 2 };
static const double evaluation_rounding = 8 * DBL_EPSILON;

static void check(sb_audit *a, int index, double t, const double x[]) {
  const sb_instance *instance = &a->network->instances[index];
  const sb_structure_audit *hooks = &instance->type->structure->audit;
  sb_at at = sb_at_instance(a->work, instance, t, x);
  sb_displacement q;
  for (int k = 0; k < instance->components; k++) {
    a->in[k] = sb_port_value(a, instance, k, sb_other(sb_output_of(a, index, k)));
  }
  at.in = a->in;
  if (!hooks->displacement(instance->self, &at, &q) || !(q.time > 0)) {
    return;
  }
  double h = sb_difference_step * q.time, now = hooks->ahead(instance->self, &at, 0), f[POINTS];
  for (int k = 0; k < POINTS; k++) {
    f[k] = k == MIDDLE ? 0 : hooks->ahead(instance->self, &at, (k - MIDDLE) * h) - now;
    if (!isfinite(f[k])) {
      return;
    }
  }
  double rounding = q.rounding + evaluation_rounding * q.terms * h + sb_difference_noise(f);
  double rate = sb_port_value(a, instance, q.component, SB_FLOW);
  sb_audit_difference(a, index, sb_rate_error(f, h, rate, q.terms, rounding), q.terms);
}

void sb_audit_displacements(sb_audit *a, double t, const double x[]) {
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_structure_hooks *hooks = a->network->instances[i].type->structure;
    if (hooks != NULL && hooks->audit.displacement != NULL) {
      check(a, i, t, x);
    }
  }
}
