// SPDX-License-Identifier: GPL-3.0-or-later
// Port variables as an element counts them, and what is known of their rounding.
#ifndef SB_CORE_AUDIT_LAWS_PRIVATE_H
#define SB_CORE_AUDIT_LAWS_PRIVATE_H

#include <float.h>

#include "core/audit/audit.h"

/** Differences below this are the rounding of denormals. */
#define SB_LEAST (DBL_MIN / DBL_EPSILON)

/** Notes a difference relative to what it is the difference of. */
static inline void sb_note(sb_audit *a, int index, double off, double size) {
  if (off > SB_LEAST) {
    sb_audit_note(a, index, size > 0 ? off / size : 1);
  }
}

static inline double sb_port_value(const sb_audit *a, const sb_instance *instance, int k,
                                   sb_variable variable) {
  return variable == SB_EFFORT
             ? a->work->bond_values[sb_effort_var(instance, k)]
             : a->work->bond_values[sb_flow_var(instance, k)] * instance->signs[k];
}

static inline double sb_port_size(const sb_audit *a, const sb_instance *instance, int k,
                                  sb_variable variable) {
  return a->sizes[variable == SB_EFFORT ? sb_effort_var(instance, k) : sb_flow_var(instance, k)];
}

/** What a port gives, in the present causality. */
static inline sb_variable sb_output_of(const sb_audit *a, int index, int component) {
  const sb_instance *instance = &a->network->instances[index];
  return sb_output_variable(instance->layout.ports[sb_port_of(instance, component)].output,
                            a->work->program->causality.assigned[index]);
}

static inline sb_variable sb_other(sb_variable variable) {
  return variable == SB_EFFORT ? SB_FLOW : SB_EFFORT;
}

/** One element with hooks of its role: what it states, against what was used. */
void sb_audit_storage(sb_audit *audit, int instance, double t, const double x[],
                      const double xdot[]);
void sb_audit_law(sb_audit *audit, int instance, double t, const double x[]);
void sb_audit_source(sb_audit *audit, int instance, double t, const double x[], double step);

/** Rates that keep ties, once more by differences (audit_ties.c); the workspace is left elsewhere.
 *  @param time  [s] over which little changes */
void sb_audit_constraint_rates(sb_audit *audit, double t, const double x[], const double xdot[],
                               double time);

#endif
