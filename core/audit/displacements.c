// SPDX-License-Identifier: GPL-3.0-or-later
// Displacements that energies take from structures, as the gap of a contact: is the flow the rate of that very
// displacement? What the structure has after a time h, by the flows at its ports, is differenced (differences.h).
// No energy and no other element enters: a fault is in the structure.
#include <math.h>
#include <stdbool.h>

#include "core/audit/audit_private.h"
#include "core/audit/differences.h"

enum { POINTS = SB_DIFFERENCE_POINTS, MIDDLE = POINTS / 2 };
static const double evaluation_rounding = 8 * DBL_EPSILON;

/** Values at five points about the present one, as much as they differ. @return false: one is not finite */
static bool look_ahead(const sb_instance *instance, const sb_at *at, double h, double f[POINTS]) {
  double (*ahead)(const void *, const sb_at *, double) = instance->type->structure->audit.ahead;
  const double now = ahead(instance->self, at, 0);
  for (int k = 0; k < POINTS; k++) {
    f[k] = k == MIDDLE ? 0 : ahead(instance->self, at, (k - MIDDLE) * h) - now;
    if (!isfinite(f[k])) {
      return false;
    }
  }
  return true;
}

/** The error of the rate of a displacement. Where it is not smooth within the differences they are taken over a shorter
 *  time: closest points that leave the round of an edge for a flat that all but lies on the other body change their
 *  motion within microseconds. */
static double error_of(const sb_instance *instance, const sb_at *at, const sb_displacement *q,
                       double rate) {
  static const double shorter = 1.0 / 16, smooth = 128; // fourth differences of rounding alone
  enum { TRIES = 6 };
  double h = sb_difference_step * q->time, error = 0, f[POINTS];
  bool again = true;
  for (int i = 0; i < TRIES && again; i++, h *= shorter) {
    if (!look_ahead(instance, at, h, f)) {
      return 0;
    }
    const double rounding = q->rounding + evaluation_rounding * q->terms * h,
                 noise = sb_difference_noise(f);
    error = sb_rate_error(f, h, rate, q->terms, rounding + noise);
    again = error > 0 && noise > smooth * rounding;
  }
  return error;
}

static void check(sb_audit *a, int index, double t, const double x[]) {
  const sb_instance *instance = &a->network->instances[index];
  sb_at at = sb_at_instance(a->work, instance, t, x);
  sb_displacement q;
  for (int k = 0; k < instance->components; k++) {
    a->in[k] = sb_port_value(a, instance, k, sb_other(sb_output_of(a, index, k)));
  }
  at.in = a->in;
  if (instance->type->structure->audit.displacement(instance->self, &at, &q) && q.time > 0) {
    const double rate = sb_port_value(a, instance, q.component, SB_FLOW);
    sb_audit_difference(a, index, error_of(instance, &at, &q, rate), q.terms);
  }
}

void sb_audit_displacements(sb_audit *a, double t, const double x[]) {
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_structure_hooks *hooks = a->network->instances[i].type->structure;
    if (hooks != NULL && hooks->audit.displacement != NULL) {
      check(a, i, t, x);
    }
  }
}
