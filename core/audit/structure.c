// SPDX-License-Identifier: GPL-3.0-or-later
// Are the structures power-free, and did the solver satisfy them? At every sample all port variables
// are computed once more, row by row, and put into the kernel rows; and every storage's dH/dt is
// compared with the power at its port. What the elements state is asked in audit_laws.c.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/audit/laws_private.h"
#include "core/base/array.h"
#include "core/model/constraints.h"
#include "core/model/rhs.h"

/** Steps of differences, as a part of a time over which the state changes little. */
static const double difference_step = 1e-5;
/** What is below this part of the largest so far, at a modulated structure, is rounding. */
static const double settled_part = 1e-12;

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
    sb_kernel kernel = {0};
    sb_at at = {.mode = instance->mode < 0 ? 0 : a->work->modes[instance->mode]};
    double *scratch = sb_zeroed(5 * instance->components, sizeof(double));
    instance->type->structure->kernel(instance->self, &at, &instance->layout, &kernel);
    bool ok = scratch != NULL && !kernel.failed;
    if (ok) {
      note_skew(a, instance, skew_of_rows(&kernel, instance->components, scratch));
    }
    free(scratch);
    sb_kernel_finish(&kernel);
    if (!ok) {
      return SB_ERR_MEMORY;
    }
  }
  return SB_OK;
}

void sb_audit_note(sb_audit *a, int instance, double residual) {
  if (residual > a->ledger.structure.residual_relative) {
    a->ledger.structure.residual_relative = residual;
    a->ledger.structure.worst = a->network->instances[instance].id;
  }
}

/** Power balance over the ports of every structure, to the rounding of its efforts and flows. */
static void check_power(sb_audit *a, double elapsed) {
  const double *pairs = a->work->bond_values;
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    double sum = 0, size = 0;
    if (instance->type->structure == NULL) {
      continue;
    }
    for (int k = 0; k < instance->components; k++) {
      int ke = sb_effort_var(instance, k), kf = sb_flow_var(instance, k);
      sum += pairs[ke] * pairs[kf] * instance->signs[k];
      size += a->sizes[ke] * fabs(pairs[kf]) + fabs(pairs[ke]) * a->sizes[kf];
    }
    a->ledger.structure.checked++;
    a->blame[i] += fabs(sum) * elapsed;
    if (size > 0) {
      sb_note(a, i, fabs(sum), size);
    }
  }
}

/** What a variable was computed from: its rounding is a part of that. */
static double variable_size(const sb_audit *a, const double x[], int var) {
  return var < sb_known_base(a->network) ? a->sizes[var] : fabs(row_value(a, x, var));
}

/** Rows of constant structures and shared ports, with the port variables. Where a loop is solved as a
 *  whole, a row may hold nothing but the rounding of larger numbers (a resistor between equal
 *  voltages): it is judged by what its terms were computed from. */
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
    // A tied storage follows the others to the rounding of all its motion, not of the moment; and so do
    // the rows of the network where ties are solved for.
    if (solved || a->network->instances[i].type->storage != NULL) {
      a->amplitude[i] = fmax(a->amplitude[i], a->row_size[i]);
      a->row_size[i] = a->amplitude[i];
    }
    if (a->row_size[i] > 0) {
      sb_note(a, i, a->row_error[i], a->row_size[i]);
    }
  }
}

/** A port variable, which where ties are solved for is zero if it is rounding of what it has been. */
static double settle(double value, double *greatest, bool solved) {
  *greatest = fmax(*greatest, fabs(value));
  return solved && fabs(value) < settled_part * *greatest ? 0 : value;
}

/** A modulated structure: its operator form against its kernel form, in the present mode. */
static sb_status check_modulated(sb_audit *a, int index, double t, const double x[]) {
  const sb_instance *instance = &a->network->instances[index];
  int n = instance->components;
  sb_dirac dirac;
  sb_kernel kernel = {0};
  SB_TRY(sb_dirac_init(&dirac, n, NULL));
  double *scratch = sb_zeroed(2 * n * n + 2 * n, sizeof(double));
  sb_at at = sb_at_instance(a->work, instance, t, x);
  instance->type->structure->kernel(instance->self, &at, &instance->layout, &kernel);
  bool ok = scratch != NULL && !kernel.failed;
  if (ok) {
    double *e = scratch + 2 * n * n, *f = e + n;
    bool solved = sb_has_multipliers(&a->work->program->causality);
    sb_dirac_load(&dirac, &kernel);
    for (int k = 0; k < n; k++) {
      double *greatest = &a->variable_greatest[2 * instance->pairs[k]];
      e[k] = settle(a->work->bond_values[2 * instance->pairs[k]], &greatest[0], solved);
      f[k] = settle(a->work->bond_values[2 * instance->pairs[k] + 1] * instance->signs[k],
                    &greatest[1], solved);
    }
    sb_audit_note(a, index, sb_dirac_kernel_residual(&dirac, e, f));
    note_skew(a, instance, sb_dirac_skew_residual(&dirac));
    if (sb_dirac_rank(&dirac, scratch) != n) {
      a->ledger.structure.rank_ok = false;
      a->ledger.structure.worst = instance->id;
    }
  }
  sb_kernel_finish(&kernel);
  sb_dirac_finish(&dirac);
  free(scratch);
  return ok ? SB_OK : SB_ERR_MEMORY;
}

/** The right-hand side works on folded rows: its rates of the linear storages and its powers must be
 *  those of the port variables, to the rounding of what both are computed from. */
static void check_folding(sb_audit *a, const double xdot[], double elapsed) {
  const double *pairs = a->work->bond_values;
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    double power = 0, power_size = 0, off = 0, rate_size = 0;
    for (int k = 0; k < instance->components; k++) {
      int ke = sb_effort_var(instance, k), kf = sb_flow_var(instance, k);
      double e = pairs[ke], f = pairs[kf] * instance->signs[k];
      power += e * f;
      power_size += a->sizes[ke] * fabs(f) + fabs(e) * a->sizes[kf];
      if (sb_instance_integrates(instance)) {
        bool flow = instance->layout.ports[sb_port_of(instance, k)].output == SB_EFFORT;
        off = fmax(off, fabs(xdot[instance->state + k] - (flow ? f : e)));
        rate_size = fmax(rate_size, a->sizes[flow ? kf : ke]);
      }
    }
    if (instance->quadrature >= 0 && power_size > 0) {
      double booked = xdot[a->network->state_count + instance->quadrature];
      sb_note(a, i, fabs(booked - power), power_size);
      a->blame[i] += fabs(booked - power) * elapsed;
    }
    if (rate_size > 0) {
      sb_note(a, i, off, rate_size);
    }
  }
}

/** dH/dt of every storage by central differences along xdot against the power at its port. */
static void check_storages(sb_audit *a, double t, const double x[], const double xdot[],
                           double scale_t, double elapsed) {
  int n = sb_vector_count(a->network), instances = a->network->instance_count;
  double step = difference_step * scale_t;
  double *forward = a->row_error, *backward = a->row_size; // free again by now
  for (int side = 0; side < 2 && step > 0; side++) {
    double h = side == 0 ? step : -step;
    for (int i = 0; i < n; i++) {
      a->x[i] = x[i] + h * xdot[i];
    }
    if (sb_workspace_evaluate(a->work, t + h, a->x) != 0 ||
        sb_workspace_enforce(a->work, t + h, a->x, a->x + a->network->state_count) != SB_OK) {
      return;
    }
    for (int i = 0; i < instances; i++) {
      (side == 0 ? forward : backward)[i] = sb_instance_energy(a->work, i, t + h, a->x);
    }
  }
  for (int i = 0; i < instances && step > 0; i++) {
    const sb_instance *instance = &a->network->instances[i];
    double power = 0;
    for (int k = 0; instance->type->storage != NULL && k < instance->components; k++) {
      power += a->work->bond_values[2 * instance->pairs[k]] *
               a->work->bond_values[2 * instance->pairs[k] + 1] * instance->signs[k];
    }
    if (instance->type->storage != NULL) {
      a->blame[i] += fabs((forward[i] - backward[i]) / (2 * step) - power) * elapsed;
    }
  }
}

void sb_audit_sample(sb_audit *a, double t, const double x[], double scale_t) {
  double elapsed = t - a->sampled_t;
  if (sb_workspace_evaluate(a->work, t, x) != 0) {
    return;
  }
  double *xdot = a->rate;
  memcpy(xdot, a->work->evaluation.xdot, (size_t)sb_vector_count(a->network) * sizeof *xdot);
  sb_audit_passive(a, t, x, xdot);
  if (sb_has_multipliers(&a->work->program->causality) &&
      sb_audit_balance(a, t, x).magnitude < settled_part * settled_part * a->magnitude_max) {
    a->sampled_t = t;
    return; // what its ties hold at rest: all is rounding of what it has been
  }
  sb_trace(a->work, x);
  sb_trace_sizes(a->work, x, a->sizes);
  check_power(a, elapsed);
  check_rows(a, x);
  check_folding(a, xdot, elapsed);
  sb_audit_laws(a, t, x, xdot, scale_t, elapsed);
  for (int i = 0; i < a->network->instance_count; i++) {
    if (a->network->instances[i].type->structure != NULL && a->network->instances[i].hooked) {
      (void)check_modulated(a, i, t, x);
    }
  }
  check_storages(a, t, x, xdot, scale_t, elapsed);
  sb_audit_constraint_rates(a, t, x, xdot, scale_t);
  a->sampled_t = t;
}
