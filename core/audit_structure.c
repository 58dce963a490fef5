// SPDX-License-Identifier: GPL-3.0-or-later
// Are the structures power-free, and did the solver satisfy them? At every sample all port variables
// are computed once more, row by row, and put into the kernel rows; and every storage's dH/dt is
// compared with the power at its port. What the elements state is asked in audit_laws.c.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array_private.h"
#include "core/audit_laws_private.h"

/** Steps of differences, as a part of a time over which the state changes little. */
static const double difference_step = 1e-5;
/** What is below this part of the largest so far, at a modulated structure, is rounding. */
static const double settled_part = 1e-12;

static double row_value(const sb_audit *a, const double x[], int var) {
  int base = sb_known_base(a->model), states = base + a->model->state_count;
  return var < base     ? a->work->cells[var]
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

static void note_skew(sb_audit *a, const sb_part *part, double skew) {
  if (skew > a->ledger.structure.skew_relative) {
    a->ledger.structure.skew_relative = skew;
    if (skew > a->ledger.structure.residual_relative) {
      a->ledger.structure.worst = part->id;
    }
  }
}

/** Constant structures are checked here once; that causality could be assigned has shown that their
 *  rows have full rank, as every row has determined a variable or was found to be redundant. */
sb_status sb_audit_structures(sb_audit *a) {
  sb_equations_finish(&a->equations);
  SB_TRY(sb_equations_build(a->model, a->work->modes, &a->equations));
  for (int i = 0; i < a->model->part_count; i++) {
    const sb_part *part = &a->model->parts[i];
    if (part->type->role != SB_STRUCTURE || part->hooked) {
      continue;
    }
    sb_kernel kernel = {0};
    sb_at at = {.mode = part->mode < 0 ? 0 : a->work->modes[part->mode]};
    double *scratch = sb_zeroed(5 * part->components, sizeof(double));
    part->type->structure->kernel(part->self, &at, &part->layout, &kernel);
    bool ok = scratch != NULL && !kernel.failed;
    if (ok) {
      note_skew(a, part, skew_of_rows(&kernel, part->components, scratch));
    }
    free(scratch);
    sb_kernel_finish(&kernel);
    if (!ok) {
      return SB_ERR_MEMORY;
    }
  }
  return SB_OK;
}

void sb_audit_note(sb_audit *a, int part, double residual) {
  if (residual > a->ledger.structure.residual_relative) {
    a->ledger.structure.residual_relative = residual;
    a->ledger.structure.worst = a->model->parts[part].id;
  }
}

/** Power balance over the ports of every structure, to the rounding of its efforts and flows. */
static void check_power(sb_audit *a, double elapsed) {
  const double *cells = a->work->cells;
  for (int i = 0; i < a->model->part_count; i++) {
    const sb_part *part = &a->model->parts[i];
    double sum = 0, size = 0;
    if (part->type->role != SB_STRUCTURE) {
      continue;
    }
    for (int k = 0; k < part->components; k++) {
      int ke = sb_effort_var(part, k), kf = sb_flow_var(part, k);
      sum += cells[ke] * cells[kf] * part->signs[k];
      size += a->sizes[ke] * fabs(cells[kf]) + fabs(cells[ke]) * a->sizes[kf];
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
  return var < sb_known_base(a->model) ? a->sizes[var] : fabs(row_value(a, x, var));
}

/** Rows of constant structures and shared ports, with the port variables. Where a loop is solved as a
 *  whole, a row may hold nothing but the rounding of larger numbers (a resistor between equal
 *  voltages): it is judged by what its terms were computed from. */
static void check_rows(sb_audit *a, const double x[]) {
  const sb_equations *eq = &a->equations;
  bool solved = sb_has_solved(&a->work->program->causality);
  memset(a->row_error, 0, (size_t)a->model->part_count * sizeof *a->row_error);
  memset(a->row_size, 0, (size_t)a->model->part_count * sizeof *a->row_size);
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
  for (int i = 0; i < a->model->part_count; i++) {
    // A tied storage follows the others to the rounding of all its motion, not of the moment; and so do
    // the rows of the network where ties are solved for.
    if (solved || a->model->parts[i].type->role == SB_STORAGE) {
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
  const sb_part *part = &a->model->parts[index];
  int n = part->components;
  sb_dirac dirac;
  sb_kernel kernel = {0};
  SB_TRY(sb_dirac_init(&dirac, n));
  double *scratch = sb_zeroed(2 * n * n + 2 * n, sizeof(double));
  sb_at at = sb_at_part(a->work, part, t, x);
  part->type->structure->kernel(part->self, &at, &part->layout, &kernel);
  bool ok = scratch != NULL && !kernel.failed;
  if (ok) {
    double *e = scratch + 2 * n * n, *f = e + n;
    bool solved = sb_has_solved(&a->work->program->causality);
    sb_dirac_load(&dirac, &kernel);
    for (int k = 0; k < n; k++) {
      double *greatest = &a->cell_greatest[2 * part->cells[k]];
      e[k] = settle(a->work->cells[2 * part->cells[k]], &greatest[0], solved);
      f[k] = settle(a->work->cells[2 * part->cells[k] + 1] * part->signs[k], &greatest[1], solved);
    }
    sb_audit_note(a, index, sb_dirac_kernel_residual(&dirac, e, f));
    note_skew(a, part, sb_dirac_skew_residual(&dirac));
    if (sb_dirac_rank(&dirac, scratch) != n) {
      a->ledger.structure.rank_ok = false;
      a->ledger.structure.worst = part->id;
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
  const double *cells = a->work->cells;
  for (int i = 0; i < a->model->part_count; i++) {
    const sb_part *part = &a->model->parts[i];
    double power = 0, power_size = 0, off = 0, rate_size = 0;
    for (int k = 0; k < part->components; k++) {
      int ke = sb_effort_var(part, k), kf = sb_flow_var(part, k);
      double e = cells[ke], f = cells[kf] * part->signs[k];
      power += e * f;
      power_size += a->sizes[ke] * fabs(f) + fabs(e) * a->sizes[kf];
      if (sb_part_integrates(part)) {
        bool flow = part->layout.ports[sb_port_of(part, k)].output == SB_EFFORT;
        off = fmax(off, fabs(xdot[part->state + k] - (flow ? f : e)));
        rate_size = fmax(rate_size, a->sizes[flow ? kf : ke]);
      }
    }
    if (part->integral >= 0 && power_size > 0) {
      double booked = xdot[a->model->state_count + part->integral];
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
  int n = sb_model_vector_count(a->model), parts = a->model->part_count;
  double step = difference_step * scale_t;
  double *forward = a->row_error, *backward = a->row_size; // free again by now
  for (int side = 0; side < 2 && step > 0; side++) {
    double h = side == 0 ? step : -step;
    for (int i = 0; i < n; i++) {
      a->x[i] = x[i] + h * xdot[i];
    }
    if (sb_model_rhs(a->model, a->work, t + h, a->x, a->xdot) != 0) {
      return;
    }
    if (sb_workspace_follow(a->work, t + h, a->x, a->x + a->model->state_count) != SB_OK) {
      return;
    }
    for (int i = 0; i < parts; i++) {
      (side == 0 ? forward : backward)[i] = sb_part_energy(a->work, i, t + h, a->x);
    }
  }
  for (int i = 0; i < parts && step > 0; i++) {
    const sb_part *part = &a->model->parts[i];
    double power = 0;
    for (int k = 0; part->type->role == SB_STORAGE && k < part->components; k++) {
      power += a->work->cells[2 * part->cells[k]] * a->work->cells[2 * part->cells[k] + 1] *
               part->signs[k];
    }
    if (part->type->role == SB_STORAGE) {
      a->blame[i] += fabs((forward[i] - backward[i]) / (2 * step) - power) * elapsed;
    }
  }
}

void sb_audit_sample(sb_audit *a, double t, const double x[], double scale_t) {
  double elapsed = t - a->sampled_t;
  if (sb_model_rhs(a->model, a->work, t, x, a->xdot) != 0) {
    return;
  }
  sb_audit_passive(a, t, x, a->xdot);
  if (sb_has_solved(&a->work->program->causality) &&
      sb_audit_balance(a, t, x).magnitude < settled_part * settled_part * a->magnitude_max) {
    a->sampled_t = t;
    return; // what its ties hold at rest: all is rounding of what it has been
  }
  sb_trace(a->work, x);
  sb_trace_sizes(a->work, x, a->sizes);
  check_power(a, elapsed);
  check_rows(a, x);
  check_folding(a, a->xdot, elapsed);
  sb_audit_laws(a, t, x, a->xdot, scale_t, elapsed);
  for (int i = 0; i < a->model->part_count; i++) {
    if (a->model->parts[i].type->role == SB_STRUCTURE && a->model->parts[i].hooked) {
      (void)check_modulated(a, i, t, x);
    }
  }
  memcpy(a->rate, a->xdot, (size_t)sb_model_vector_count(a->model) * sizeof(double));
  check_storages(a, t, x, a->rate, scale_t, elapsed);
  (void)sb_model_rhs(a->model, a->work, t, x, a->xdot);
  sb_audit_ties(a, t, x, a->rate, scale_t);
  (void)sb_model_rhs(a->model, a->work, t, x, a->xdot);
  a->sampled_t = t;
}
