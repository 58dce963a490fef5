// SPDX-License-Identifier: GPL-3.0-or-later
// Are the structures power-free, and did the solver satisfy them? At every sample all port variables
// are computed once more, row by row; the power of every structure is balanced, and dH/dt of every storage is
// compared with the power at its port. Rows are judged by the largest that their terms have been in the run.
#include <math.h>
#include <string.h>

#include "core/audit/audit_private.h"
#include "core/causality/constraint.h"
#include "core/model/constraints.h"
#include "core/model/rhs.h"

/** (E F^T + F E^T) v for a vector v without structure, relative: zero for every v only if the
 *  matrix is. Costs no more than the entries, for junctions of any size. */
static double skew_of_rows(const sb_kernel *kernel, int n, double scratch[]) {
  double *v = scratch, *e = v + n, *f = e + n, *sum = f + n, *size = sum + n;
  memset(scratch, 0, (size_t)(5 * n) * sizeof *scratch);
  for (int i = 0; i < n; i++) {
    double phase = 0.7548776662466927 * (i + 1); // golden sequence: fractions spread evenly
    v[i] = 0.5 + phase - floor(phase);
  }
  for (int i = 0; i < kernel->count; i++) {
    const sb_kernel_entry *k = &kernel->entries[i];
    (k->variable == SB_EFFORT ? e : f)[k->component] += k->value * v[k->row];
  }
  for (int i = 0; i < kernel->count; i++) {
    const sb_kernel_entry *k = &kernel->entries[i];
    double term = k->value * (k->variable == SB_EFFORT ? f : e)[k->component];
    sum[k->row] += term;
    size[k->row] += fabs(term);
  }
  double worst = 0, largest = 0;
  for (int i = 0; i < n; i++) {
    worst = fmax(worst, fabs(sum[i]));
    largest = fmax(largest, size[i]);
  }
  return largest > 0 ? worst / largest : 0;
}

static void note_skew(sb_audit *a, const sb_instance *instance, double skew) {
  if (skew > a->ledger.structure.skew_relative) {
    a->ledger.structure.skew_relative = skew;
    if (skew > a->ledger.structure.residual_relative) {
      a->ledger.structure.worst = instance->id;
    }
  }
}

static const sb_kernel *state_kernel(const sb_instance *instance, const sb_at *at,
                                     sb_kernel *kernel) {
  kernel->count = 0;
  kernel->failed = false;
  instance->type->structure->kernel(instance->self, at, &instance->layout, kernel);
  return kernel->failed ? NULL : kernel;
}

const sb_kernel *sb_audit_kernel(sb_audit *a, const sb_instance *instance, const sb_at *at) {
  return state_kernel(instance, at, &a->kernel);
}

const sb_kernel *sb_audit_modulated_kernel(sb_audit *a, int index, double t, const double x[]) {
  const sb_instance *instance = &a->network->instances[index];
  sb_kernel *kernel = &a->kernels[index];
  if (kernel->count > 0 && !kernel->failed) {
    return kernel;
  }
  const sb_at at = sb_at_instance(a->work, instance, t, x);
  return state_kernel(instance, &at, kernel);
}

/** Constant structures are checked here once; that causality could be assigned has shown that their
 *  rows have full rank, as every row has determined a variable or was found to be redundant. */
sb_status sb_audit_structures(sb_audit *a) {
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    if (instance->type->structure == NULL || instance->hooked) {
      continue;
    }
    sb_at at = {.mode = instance->mode < 0 ? 0 : a->work->modes[instance->mode]};
    const sb_kernel *kernel = sb_audit_kernel(a, instance, &at);
    if (kernel == NULL) {
      return SB_ERR_MEMORY;
    }
    note_skew(a, instance, skew_of_rows(kernel, instance->components, a->dense));
  }
  return SB_OK;
}

void sb_audit_note(sb_audit *a, int instance, double relative_error) {
  if (relative_error > a->ledger.structure.residual_relative) {
    a->ledger.structure.residual_relative = relative_error;
    if (relative_error > a->ledger.structure.skew_relative) {
      a->ledger.structure.worst = a->network->instances[instance].id;
    }
  }
}

double sb_port_power(const sb_audit *a, const sb_instance *instance, double *size) {
  const double *variables = a->work->bond_values;
  double power = 0;
  *size = 0;
  for (int k = 0; k < instance->components; k++) {
    int effort = sb_effort_var(instance, k), flow = sb_flow_var(instance, k);
    power += variables[effort] * variables[flow] * instance->signs[k];
    *size += a->sizes[effort] * fabs(variables[flow]) + fabs(variables[effort]) * a->sizes[flow] +
             DBL_EPSILON * a->sizes[effort] * a->sizes[flow];
  }
  return power;
}

/** Power balance over the ports of every structure, to the rounding of its efforts and flows. */
static void check_power(sb_audit *a, double elapsed) {
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    if (instance->type->structure == NULL || a->still[i]) {
      continue;
    }
    double size, error = fabs(sb_port_power(a, instance, &size));
    a->ledger.structure.checked++;
    sb_audit_power(a, i, error, size, elapsed);
    if (size > 0) {
      sb_audit_difference(a, i, error, size);
    }
  }
}

/** A flow that a rigid contact holds at zero, less what no impulse takes of it: an axis off a plane by its digits leaves one across it, and feet that
 *  hold one thing several times contradict each other. No force acts there, or check_power() finds what it gives. */
static double within_reach(sb_audit *a, int index, double flow, const double x[]) {
  const sb_causality *c = &a->work->program->causality;
  double least = fabs(flow);
  for (int i = 0; i < c->constraint_count; i++) {
    if (c->constraints[i].where == index && sb_constraint_contact(a->network, c, i) >= 0) {
      least = fmin(least, fabs(fabs(flow) - fabs(sb_constraint_beyond_reach(a->work, i, x))));
    }
  }
  return least;
}

void sb_audit_kernel_rows(sb_audit *a, int index, const sb_kernel *kernel, const double x[]) {
  const sb_instance *instance = &a->network->instances[index];
  double *sum = a->in, *size = a->stated;
  memset(sum, 0, (size_t)instance->components * sizeof *sum);
  memset(size, 0, (size_t)instance->components * sizeof *size);
  for (int i = 0; i < kernel->count; i++) {
    const sb_kernel_entry *k = &kernel->entries[i];
    sum[k->row] += k->value * sb_port_value(a, instance, k->component, k->variable);
    size[k->row] += k->terms * sb_port_size(a, instance, k->component, k->variable);
  }
  for (int row = 0; row < instance->components; row++) {
    const double error = fabs(sum[row]);
    const bool met = error <= a->ledger.structure.limit * size[row];
    sb_audit_difference(a, index, met ? error : within_reach(a, index, error, x), size[row]);
  }
}

/** What is idle is checked once: nothing that it gives depends on anything then. */
static void find_still(sb_audit *a) {
  for (int i = 0; i < a->network->instance_count; i++) {
    bool idle = sb_live_idles(&a->work->live, i);
    a->still[i] = idle && a->idle[i];
    a->idle[i] = idle;
  }
}

static int rank_of(sb_audit *a, const sb_kernel *kernel, int n) {
  sb_dirac dirac = {n, a->dense, a->dense + n * n};
  memset(a->dense, 0, (size_t)(2 * n * n) * sizeof *a->dense);
  sb_dirac_load(&dirac, kernel);
  return sb_dirac_rank(&dirac, dirac.F + n * n);
}

/** A modulated structure: its operator form against its kernel form, in the present mode. Where memory runs out, the
 *  check is left out. */
static void check_modulated(sb_audit *a, int index, double t, const double x[]) {
  const sb_instance *instance = &a->network->instances[index];
  int n = instance->components;
  const sb_kernel *kernel = sb_audit_modulated_kernel(a, index, t, x);
  if (kernel == NULL) {
    return;
  }
  sb_audit_kernel_rows(a, index, kernel, x);
  note_skew(a, instance, sb_kernel_skew(kernel, n, a->dense));
  if (!sb_kernel_leads(kernel, n, a->dense) && rank_of(a, kernel, n) != n) {
    a->ledger.structure.rank_ok = false;
    a->ledger.structure.worst = instance->id;
  }
}

/** The program has eliminated variables: its rates of the storages and its powers must be those of the
 *  port variables, to the rounding of what both are computed from. */
static void check_elimination(sb_audit *a, const double xdot[], double elapsed) {
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    if (a->still[i]) {
      continue;
    }
    double power_size, power = sb_port_power(a, instance, &power_size), error = 0, rate_size = 0;
    for (int k = 0; k < instance->components && sb_instance_integrates(instance); k++) {
      bool effort_out = instance->layout.ports[sb_port_of(instance, k)].output == SB_EFFORT;
      sb_variable input = effort_out ? SB_FLOW : SB_EFFORT;
      error = fmax(error, fabs(xdot[instance->state + k] - sb_port_value(a, instance, k, input)));
      rate_size = fmax(rate_size, sb_port_size(a, instance, k, input));
    }
    if (instance->quadrature >= 0 && power_size > 0) {
      double difference = fabs(xdot[a->network->state_count + instance->quadrature] - power);
      sb_audit_difference(a, i, difference, power_size);
      sb_audit_power(a, i, difference, power_size, elapsed);
    }
    if (rate_size > 0) {
      sb_audit_difference(a, i, error, rate_size);
    }
  }
}

/** All but passivity. @param xdot  (vector) at (t, x), where the workspace is */
static void check_values(sb_audit *a, double t, const double x[], const double xdot[], double time,
                         double elapsed) {
  sb_trace(a->work, x);
  find_still(a);
  sb_audit_sizes(a, t, x);
  check_power(a, elapsed);
  check_elimination(a, xdot, elapsed);
  sb_audit_accounts(a, t, x);
  sb_audit_laws(a, t, x, xdot, time, elapsed);
  sb_audit_signals(a, t, x, xdot);
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    if (instance->type->structure != NULL && instance->hooked && !a->still[i]) {
      check_modulated(a, i, t, x);
    }
  }
  sb_audit_displacements(a, t, x, elapsed);
  sb_audit_storages(a, t, x, xdot, elapsed);
  sb_audit_constraint_rates(a, t, x, xdot, time);
}

/** @return (vector) the rates at (t, x); NULL: there are none */
static const double *rates_at(sb_audit *a, double t, const double x[]) {
  if (sb_workspace_evaluate(a->work, t, x) != 0) {
    return NULL;
  }
  size_t count = (size_t)sb_vector_count(a->network);
  return memcpy(a->xdot, a->work->evaluation.xdot, count * sizeof *a->xdot);
}

void sb_audit_sample(sb_audit *a, double t, const double x[], double time) {
  double elapsed = t - a->sampled_t;
  const double *xdot = rates_at(a, t, x);
  if (xdot != NULL) {
    a->sampled_t = t;
    sb_audit_passive(a, t, x, xdot);
    check_values(a, t, x, xdot, time, elapsed);
  }
}

void sb_audit_before_events(sb_audit *a, double t, const double x[]) {
  const double *xdot = rates_at(a, t, x);
  if (xdot != NULL) {
    check_values(a, t, x, xdot, 0, 0);
  }
  a->settled = true;
  memset(a->largest, 0, (size_t)(2 * a->network->pair_count) * sizeof *a->largest);
  memset(a->power_max, 0, (size_t)a->network->instance_count * sizeof *a->power_max);
}
