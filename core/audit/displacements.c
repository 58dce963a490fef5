// SPDX-License-Identifier: GPL-3.0-or-later
// Displacements that energies take from structures, as the gap of a contact and its stiffness: is the flow the rate of
// that very displacement? What the structure has after a time h, by the flows at its ports, is differenced (differences.h).
// No energy and no other element enters: a fault is in the structure.
#include <math.h>

#include "core/audit/audit_private.h"
#include "core/audit/differences.h"

/** All displacements of a structure after a time. */
typedef struct places {
  double h, q[SB_DISPLACEMENTS_MAX];
} places;

/** A structure whose displacements are differenced, over the same times. */
typedef struct moving {
  const sb_instance *instance;
  const sb_at *at;
  places known[SB_DIFFERENCE_POINTS];
  int count;
} moving;

/** One of them. */
typedef struct displacement {
  moving *m;
  int which;
} displacement;

static double displacement_after(const void *context, double h) {
  const displacement *d = context;
  moving *m = d->m;
  places now = {.h = h};
  for (int k = 0; k < m->count; k++) {
    if (m->known[k].h == h) {
      return m->known[k].q[d->which];
    }
  }
  m->instance->type->structure->audit.ahead(m->instance->self, m->at, h, now.q);
  if (m->count < SB_DIFFERENCE_POINTS) {
    m->known[m->count++] = now;
  }
  return now.q[d->which];
}

static void check(sb_audit *a, int index, moving *m, int which, const sb_displacement *q,
                  double elapsed) {
  const displacement d = {m, which};
  const double rate = sb_port_value(a, m->instance, q->component, SB_FLOW),
               effort = sb_port_value(a, m->instance, q->component, SB_EFFORT),
               error =
                   sb_rate_error_between_kinks(displacement_after, &d, sb_difference_step * q->time,
                                               rate, q->terms, q->rounding);
  sb_audit_difference(a, index, error, q->terms);
  sb_audit_power(a, index, error * fabs(effort), q->terms * fabs(effort), elapsed);
}

static void check_all(sb_audit *a, int index, double t, const double x[], double elapsed) {
  const sb_instance *instance = &a->network->instances[index];
  const sb_structure_audit *audit = &instance->type->structure->audit;
  sb_at at = sb_at_instance(a->work, instance, t, x);
  moving m = {.instance = instance, .at = &at};
  sb_displacement q;
  for (int k = 0; k < instance->components; k++) {
    a->in[k] = sb_port_value(a, instance, k, sb_other(sb_output_of(a, index, k)));
  }
  at.in = a->in;
  for (int k = 0; audit->displacement(instance->self, &at, k, &q); k++) {
    if (q.time > 0) {
      check(a, index, &m, k, &q, elapsed);
    }
  }
}

void sb_audit_displacements(sb_audit *a, double t, const double x[], double elapsed) {
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_structure_hooks *hooks = a->network->instances[i].type->structure;
    if (hooks != NULL && hooks->audit.displacement != NULL) {
      check_all(a, i, t, x, elapsed);
    }
  }
}
