// SPDX-License-Identifier: GPL-3.0-or-later
// Did the solver use what the elements state? At every sample the hooks of each element are called once
// more, independently of the equations and of the program that the right-hand side consists of:
//   structures  the kernel rows, with the port variables; the bonds at a shared port carry its power
//   linear      y = K x or e = R f by the matrix, and by output() or law() where the kind has both
// Elements that have hooks only are checked in hooks.c.
#include <math.h>
#include <string.h>

#include "core/audit/audit_private.h"

/** +1 if power that flows along the bond counts positive at its end, by the rule of element.h. */
static double stated_sign(const sb_instance *instance, bool arrives) {
  bool one = instance->layout.port_count == 1 && !instance->type->ports[0].many;
  bool takes = instance->type->storage != NULL || instance->type->dissipation != NULL ||
               (instance->type->structure != NULL && one);
  return takes == arrives ? 1 : -1;
}

static void check_end(sb_audit *a, int index, int port, int pair, bool arrives) {
  const sb_instance *instance = &a->network->instances[index];
  double sign = 0;
  if (instance->pairs[instance->first[port]] == pair) {
    sign = instance->signs[instance->first[port]];
  }
  for (int s = 0; s < a->network->shared_count; s++) {
    const sb_shared_port *shared = &a->network->shared[s];
    for (int b = shared->instance == index && shared->port == port ? shared->head : -1; b >= 0;
         b = a->network->shared_bonds[b].next) {
      sign = a->network->shared_bonds[b].pair == pair ? a->network->shared_bonds[b].sign : sign;
    }
  }
  sb_audit_note(a, index, sign == stated_sign(instance, arrives) ? 0 : 1);
}

void sb_audit_bonds(sb_audit *a) {
  for (int i = 0; i < a->network->bond_count; i++) {
    const sb_network_bond *bond = &a->network->bonds[i];
    check_end(a, bond->from, bond->from_port, bond->pair, false);
    check_end(a, bond->to, bond->to_port, bond->pair, true);
  }
}

/** Whether all port variables are zero, as at the junctions of bodies apart: whatever the rows, they are met. */
static bool is_silent(const sb_audit *a, const sb_instance *instance) {
  const double *values = a->work->bond_values;
  int k = 0;
  while (k < instance->components && values[sb_effort_var(instance, k)] == 0 &&
         values[sb_flow_var(instance, k)] == 0) {
    k++;
  }
  return k == instance->components;
}

/** The rows of a constant structure as its kernel() states them. Where memory runs out, the check is left
 *  out. */
static void check_kernel(sb_audit *a, int index, double t, const double x[]) {
  const sb_instance *instance = &a->network->instances[index];
  if (is_silent(a, instance)) {
    return;
  }
  sb_at at = sb_at_instance(a->work, instance, t, x);
  const sb_kernel *kernel = sb_audit_kernel(a, instance, &at);
  if (kernel != NULL) {
    sb_audit_kernel_rows(a, index, kernel, x);
  }
}

/** A shared port is a junction: all bonds have its output, their other variables sum up to that of the
 *  port, and so do their powers. */
static void check_shared(sb_audit *a, const sb_shared_port *shared, double elapsed) {
  const sb_instance *instance = &a->network->instances[shared->instance];
  const double *values = a->work->bond_values, *sizes = a->sizes;
  bool common_flow = instance->layout.ports[shared->port].output == SB_FLOW,
       one = common_flow && instance->type->storage != NULL; // whichever way its bonds point
  double lost = 0, terms = 0;
  for (int k = 0; k < instance->layout.ports[shared->port].dim; k++) {
    int own = 2 * instance->pairs[instance->first[shared->port] + k];
    int common = own + common_flow, summed = own + !common_flow;
    double sum = -values[summed], size = sizes[summed], power = values[own] * values[own + 1];
    terms += sizes[own] * sizes[own + 1];
    for (int b = shared->head; b >= 0; b = a->network->shared_bonds[b].next) {
      const sb_shared_bond *bond = &a->network->shared_bonds[b];
      int e = 2 * (bond->pair + k), f = e + 1;
      double effort = values[e] * (one ? bond->sign : 1), flow = values[f] * (one ? 1 : bond->sign);
      sum += common_flow ? effort : flow;
      size += sizes[common_flow ? e : f];
      power -= effort * flow;
      terms += sizes[e] * sizes[f];
      sb_audit_difference(a, shared->instance, fabs((common_flow ? flow : effort) - values[common]),
                          sizes[common_flow ? f : e] + sizes[common]);
    }
    sb_audit_difference(a, shared->instance, fabs(sum), size);
    lost += power;
  }
  sb_audit_power(a, shared->instance, fabs(lost), terms, elapsed);
}

/** Row `i` of K x or R f, and the sum of the absolute values of its terms.
 *  @param left_of  out: the same of the terms of states that depend on others, of which they may be a small rest */
static double row_of(const sb_audit *a, const sb_instance *instance, int i, const double x[],
                     double *size, double *left_of) {
  double sum = 0;
  *size = *left_of = 0;
  for (int k = 0; k < instance->components; k++) {
    double factor = instance->matrix[i * instance->components + k];
    bool state = instance->type->storage != NULL;
    sum += factor * (state ? x[instance->state + k] : sb_port_value(a, instance, k, SB_FLOW));
    *size += fabs(factor) *
             (state ? fabs(x[instance->state + k]) : sb_port_size(a, instance, k, SB_FLOW));
    *left_of += state ? fabs(factor * a->state_sizes[instance->state + k]) : 0;
  }
  return sum;
}

/** A linear element: by its matrix, and by its hooks if the kind has them too. */
static void check_linear(sb_audit *a, int index, double t, const double x[]) {
  const sb_instance *instance = &a->network->instances[index];
  const sb_element_type *type = instance->type;
  bool storage = type->storage != NULL, by_hook = false;
  sb_at at = sb_at_instance(a->work, instance, t, x);
  for (int k = 0; k < instance->components; k++) {
    a->in[k] = storage ? 0 : sb_port_value(a, instance, k, SB_FLOW);
  }
  at.in = a->in;
  if (storage && type->storage->output != NULL) {
    by_hook = type->storage->output(instance->self, &at, a->stated) == 0;
  } else if (!storage && type->dissipation->law != NULL) {
    by_hook = type->dissipation->law(instance->self, &at, SB_FLOW, a->stated) == 0;
  }
  for (int k = 0; k < instance->components; k++) {
    double size, left_of, y = row_of(a, instance, k, x, &size, &left_of);
    sb_variable output = storage ? sb_output_of(a, index, k) : SB_EFFORT;
    size = fmax(size, sb_port_size(a, instance, k, output));
    double error = sb_beyond_rounding(fabs(y - sb_port_value(a, instance, k, output)), left_of);
    error = by_hook ? fmax(error, fabs(y - a->stated[k])) : error;
    sb_audit_difference(a, index, error, size);
  }
}

/** A storage of which only the inverse M of its matrix exists, and is singular, as of ideally coupled coils:
 *  M y = x for the independent states. */
static void check_singular(sb_audit *a, int index, const double x[]) {
  const sb_instance *instance = &a->network->instances[index];
  for (int i = 0, d = instance->components; i < d; i++) {
    double sum = -x[instance->state + i], size = fabs(sum);
    for (int k = 0; k < d; k++) {
      double factor = instance->inverse[i * d + k];
      sum += factor * sb_port_value(a, instance, k, sb_output_of(a, index, k));
      size = fmax(size, fabs(factor) * sb_port_size(a, instance, k, sb_output_of(a, index, k)));
    }
    const double error = sb_beyond_rounding(fabs(sum), fabs(a->state_sizes[instance->state + i]));
    sb_audit_difference(a, index, sb_instance_depends(instance, i) ? 0 : error, size);
  }
}

void sb_audit_laws(sb_audit *a, double t, const double x[], const double xdot[], double time,
                   double elapsed) {
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    if (a->still[i]) {
      continue;
    }
    if (instance->inverse != NULL) {
      check_singular(a, i, x);
    } else if (instance->linear) {
      check_linear(a, i, t, x);
    } else if (instance->type->structure != NULL && !instance->hooked) {
      check_kernel(a, i, t, x);
    } else if (instance->type->storage != NULL) {
      sb_audit_storage(a, i, t, x, xdot);
    } else if (instance->type->dissipation != NULL && (a->settled || instance->mode < 0)) {
      sb_audit_law(a, i, t, x);
    } else if (instance->type->source != NULL) {
      sb_audit_source(a, i, t, x, time);
    }
  }
  for (int i = 0; i < a->network->shared_count; i++) {
    check_shared(a, &a->network->shared[i], elapsed);
  }
}
