// SPDX-License-Identifier: GPL-3.0-or-later
// Port variables as an element counts them, and what is known of their rounding.
#ifndef SB_CORE_AUDIT_LAWS_PRIVATE_H
#define SB_CORE_AUDIT_LAWS_PRIVATE_H

#include <float.h>

#include "core/audit_private.h"

/** Differences below this are the rounding of denormals. */
#define SB_LEAST (DBL_MIN / DBL_EPSILON)

/** Notes a difference relative to what it is the difference of. */
static inline void sb_note(sb_audit *a, int index, double off, double size) {
  if (off > SB_LEAST) {
    sb_audit_note(a, index, size > 0 ? off / size : 1);
  }
}

static inline double sb_port_value(const sb_audit *a, const sb_part *part, int k,
                                   sb_variable variable) {
  return variable == SB_EFFORT ? a->work->cells[sb_effort_var(part, k)]
                               : a->work->cells[sb_flow_var(part, k)] * part->signs[k];
}

static inline double sb_port_size(const sb_audit *a, const sb_part *part, int k,
                                  sb_variable variable) {
  return a->sizes[variable == SB_EFFORT ? sb_effort_var(part, k) : sb_flow_var(part, k)];
}

/** What a port gives, in the present causality. */
static inline sb_variable sb_output_of(const sb_audit *a, int index, int component) {
  const sb_part *part = &a->model->parts[index];
  return sb_output_given(part->layout.ports[sb_port_of(part, component)].output,
                         a->work->program->causality.given[index]);
}

static inline sb_variable sb_other(sb_variable variable) {
  return variable == SB_EFFORT ? SB_FLOW : SB_EFFORT;
}

/** One element with hooks of its role: what it states, against what was used. */
void sb_audit_storage(sb_audit *audit, int part, double t, const double x[], const double xdot[]);
void sb_audit_law(sb_audit *audit, int part, double t, const double x[]);
void sb_audit_source(sb_audit *audit, int part, double t, const double x[], double step);

/** Rates that keep ties, once more by differences (audit_ties.c); the workspace is left elsewhere.
 *  @param time  [s] over which little changes */
void sb_audit_ties(sb_audit *audit, double t, const double x[], const double xdot[], double time);

#endif
