// SPDX-License-Identifier: GPL-3.0-or-later
// Are the structures power-free, and did the solver satisfy them? At every sample all port variables
// are computed once more, row by row, and inserted into the kernel rows; and dH/dt of every storage is
// compared with the power at its port.
#include <math.h>
#include <string.h>

#include "core/audit/audit_private.h"
#include "core/model/constraints.h"
#include "core/model/rhs.h"

/** Step of differences, relative to a time over which the state changes little. */
static const double difference_step = 1e-5;
/** Where constraints are solved for, a variable of a modulated structure below this fraction of its
 *  largest value so far is rounding. */
static const double negligible = 1e-12;

static double row_value(const sb_audit *a, const double x[], int var) {
  int base = sb_known_base(a->network), states = base + a->network->state_count;
  return var < base     ? a->work->bond_values[var]
         : var < states ? x[var - base]
                        : a->work->values[var - states];
}

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

const sb_kernel *sb_audit_kernel(sb_audit *a, const sb_instance *instance, const sb_at *at) {
  a->kernel.count = 0;
  a->kernel.failed = false;
  instance->type->structure->kernel(instance->self, at, &instance->layout, &a->kernel);
  return a->kernel.failed ? NULL : &a->kernel;
}

/** Constant structures are checked here once; that causality could be assigned has shown that their
 *  rows have full rank, as every row has determined a variable or was found to be redundant. */
sb_status sb_audit_structures(sb_audit *a) {
  sb_equations_finish(&a->equations);
  SB_TRY(sb_equations_build(a->network, a->work->modes, &a->equations));
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
    a->ledger.structure.worst = a->network->instances[instance].id;
  }
}

double sb_port_power(const sb_audit *a, const sb_instance *instance, double *size) {
  const double *variables = a->work->bond_values;
  double power = 0;
  *size = 0;
  for (int k = 0; k < instance->components; k++) {
    int effort = sb_effort_var(instance, k), flow = sb_flow_var(instance, k);
    power += variables[effort] * variables[flow] * instance->signs[k];
    *size += a->sizes[effort] * fabs(variables[flow]) + fabs(variables[effort]) * a->sizes[flow];
  }
  return power;
}

/** Power balance over the ports of every structure, to the rounding of its efforts and flows. */
static void check_power(sb_audit *a, double elapsed) {
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    if (instance->type->structure == NULL) {
      continue;
    }
    double size, error = fabs(sb_port_power(a, instance, &size));
    a->ledger.structure.checked++;
    a->power_error[i] += error * elapsed;
    if (size > 0) {
      sb_audit_difference(a, i, error, size);
    }
  }
}

/** The sum of the absolute values of the terms of a variable: its rounding is a fraction of that. */
static double variable_size(const sb_audit *a, const double x[], int var) {
  return var < sb_known_base(a->network) ? a->sizes[var] : fabs(row_value(a, x, var));
}

/** Rows of constant structures and shared ports, with the port variables. Where an algebraic loop is
 *  solved as a whole, the terms of a row may be nothing but the rounding of larger numbers (a resistor
 *  between equal voltages): its error is relative to the sizes of its terms. */
static void check_rows(sb_audit *a, const double x[]) {
  const sb_equations *eq = &a->equations;
  bool solved = sb_has_multipliers(&a->work->program->causality);
  memset(a->row_error, 0, (size_t)a->network->instance_count * sizeof *a->row_error);
  memset(a->row_size, 0, (size_t)a->network->instance_count * sizeof *a->row_size);
  for (int row = 0; row < eq->row_count; row++) {
    double sum = 0, size = 0;
    bool in_use = eq->active[row];
    for (int i = eq->first[row]; in_use && i < eq->first[row + 1]; i++) {
      double factor = eq->terms[i].factor;
      sum += factor * row_value(a, x, eq->terms[i].var);
      size += fabs(factor) * variable_size(a, x, eq->terms[i].var);
    }
    int owner = eq->owner[row];
    a->row_error[owner] = fmax(a->row_error[owner], fabs(sum));
    a->row_size[owner] = fmax(a->row_size[owner], size);
  }
  for (int i = 0; i < a->network->instance_count; i++) {
    // A dependent storage equals what the others prescribe to the rounding of its largest values so far,
    // not of the present ones; and so do the rows of the network where Lagrange multipliers are solved for.
    if (solved || a->network->instances[i].type->storage != NULL) {
      a->row_size_max[i] = fmax(a->row_size_max[i], a->row_size[i]);
      a->row_size[i] = a->row_size_max[i];
    }
    if (a->row_size[i] > 0) {
      sb_audit_difference(a, i, a->row_error[i], a->row_size[i]);
    }
  }
}

/** A port variable; where Lagrange multipliers are solved for it is zero if it is only the rounding of its
 *  largest value so far. */
static double without_rounding(double value, double *largest, bool solved) {
  *largest = fmax(*largest, fabs(value));
  return solved && fabs(value) < negligible * *largest ? 0 : value;
}

/** A modulated structure: its operator form against its kernel form, in the present mode. Where memory
 *  runs out, the check is left out. */
static void check_modulated(sb_audit *a, int index, double t, const double x[]) {
  const sb_instance *instance = &a->network->instances[index];
  int n = instance->components;
  sb_dirac dirac = {n, a->dense, a->dense + n * n};
  double *work = dirac.F + n * n, *e = work + 2 * n * n, *f = e + n;
  bool solved = sb_has_multipliers(&a->work->program->causality);
  sb_at at = sb_at_instance(a->work, instance, t, x);
  const sb_kernel *kernel = sb_audit_kernel(a, instance, &at);
  if (kernel == NULL) {
    return;
  }
  memset(a->dense, 0, (size_t)(2 * n * n) * sizeof *a->dense);
  sb_dirac_load(&dirac, kernel);
  for (int k = 0; k < n; k++) {
    double *largest = &a->variable_max[2 * instance->pairs[k]];
    e[k] = without_rounding(sb_port_value(a, instance, k, SB_EFFORT), &largest[0], solved);
    f[k] = without_rounding(sb_port_value(a, instance, k, SB_FLOW), &largest[1], solved);
  }
  sb_audit_note(a, index, sb_dirac_kernel_residual(&dirac, e, f));
  note_skew(a, instance, sb_dirac_skew_residual(&dirac));
  if (sb_dirac_rank(&dirac, work) != n) {
    a->ledger.structure.rank_ok = false;
    a->ledger.structure.worst = instance->id;
  }
}

/** The program has eliminated variables: its rates of the storages and its powers must be those of the
 *  port variables, to the rounding of what both are computed from. */
static void check_elimination(sb_audit *a, const double xdot[], double elapsed) {
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
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
      a->power_error[i] += difference * elapsed;
    }
    if (rate_size > 0) {
      sb_audit_difference(a, i, error, rate_size);
    }
  }
}

/** Energies of all storages at a time h from (t, x) along xdot. Returns false if the model has no values
 *  there. */
static bool energies_along(sb_audit *a, double t, const double x[], const double xdot[], double h,
                           double energy[]) {
  for (int i = 0, n = sb_vector_count(a->network); i < n; i++) {
    a->x[i] = x[i] + h * xdot[i];
  }
  if (sb_workspace_evaluate(a->work, t + h, a->x) != 0 ||
      sb_workspace_enforce(a->work, t + h, a->x, a->x + a->network->state_count) != SB_OK) {
    return false;
  }
  for (int i = 0; i < a->network->instance_count; i++) {
    energy[i] = sb_instance_energy(a->work, i, t + h, a->x);
  }
  return true;
}

/** dH/dt of every storage by central differences along xdot against the power at its port. */
static void check_storages(sb_audit *a, double t, const double x[], const double xdot[],
                           double time, double elapsed) {
  double h = difference_step * time, size;
  double *forward = a->row_error, *backward = a->row_size; // not needed any more
  if (!(h > 0) || !energies_along(a, t, x, xdot, h, forward) ||
      !energies_along(a, t, x, xdot, -h, backward)) {
    return;
  }
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    if (instance->type->storage != NULL) {
      double power = sb_port_power(a, instance, &size);
      a->power_error[i] += fabs((forward[i] - backward[i]) / (2 * h) - power) * elapsed;
    }
  }
}

void sb_audit_sample(sb_audit *a, double t, const double x[], double time) {
  double elapsed = t - a->sampled_t, *xdot = a->xdot;
  if (sb_workspace_evaluate(a->work, t, x) != 0) {
    return;
  }
  a->sampled_t = t;
  memcpy(xdot, a->work->evaluation.xdot, (size_t)sb_vector_count(a->network) * sizeof *xdot);
  sb_audit_passive(a, t, x, xdot);
  if (sb_has_multipliers(&a->work->program->causality) &&
      sb_audit_balance(a, t, x).magnitude < negligible * negligible * a->magnitude_max) {
    return; // held at rest by constraints: all values are the rounding of earlier ones
  }
  sb_trace(a->work, x);
  sb_trace_sizes(a->work, x, a->sizes);
  check_power(a, elapsed);
  check_rows(a, x);
  check_elimination(a, xdot, elapsed);
  sb_audit_laws(a, t, x, xdot, time, elapsed);
  for (int i = 0; i < a->network->instance_count; i++) {
    if (a->network->instances[i].type->structure != NULL && a->network->instances[i].hooked) {
      check_modulated(a, i, t, x);
    }
  }
  check_storages(a, t, x, xdot, time, elapsed);
  sb_audit_constraint_rates(a, t, x, xdot, time);
}
