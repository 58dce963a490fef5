// SPDX-License-Identifier: GPL-3.0-or-later
// Execution of a program: the right-hand side, the trace of all port variables, energies.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/array_private.h"
#include "core/workspace_private.h"

int sb_run_rows(const sb_model *model, sb_workspace *work, const sb_op *op, double t,
                const double x[], double xdot[]) {
  (void)model, (void)t, (void)xdot;
  const sb_program *program = work->program;
  double *values = work->values;
  for (int r = op->first_row; r < op->first_row + op->row_count; r++) {
    const sb_row *row = &program->rows[r];
    const int *index = program->index + row->first;
    const double *factor = program->factor + row->first;
    double sum = 0;
    int i = 0;
    for (; i < row->states; i++) {
      sum += factor[i] * x[index[i]];
    }
    for (; i < row->count; i++) {
      sum += factor[i] * values[index[i]];
    }
    values[row->dest] = sum;
  }
  return 0;
}

int sb_run_output(const sb_model *model, sb_workspace *work, const sb_op *op, double t,
                  const double x[], double xdot[]) {
  (void)xdot;
  const sb_part *part = &model->parts[op->part];
  sb_at at = sb_at_part(work, part, t, x);
  return part->type->storage->output(part->self, &at, work->values + part->out);
}

int sb_run_value(const sb_model *model, sb_workspace *work, const sb_op *op, double t,
                 const double x[], double xdot[]) {
  (void)xdot;
  const sb_part *part = &model->parts[op->part];
  sb_at at = sb_at_part(work, part, t, x);
  return part->type->source->value(part->self, &at, work->values + part->out);
}

int sb_run_law(const sb_model *model, sb_workspace *work, const sb_op *op, double t,
               const double x[], double xdot[]) {
  (void)xdot;
  const sb_part *part = &model->parts[op->part];
  sb_at at = sb_at_part(work, part, t, x);
  return part->type->dissipation->law(part->self, &at, work->program->causality.given[op->part],
                                      work->values + part->out);
}

int sb_run_forward(const sb_model *model, sb_workspace *work, const sb_op *op, double t,
                   const double x[], double xdot[]) {
  (void)xdot;
  const sb_part *part = &model->parts[op->part];
  sb_at at = sb_at_part(work, part, t, x);
  return part->type->structure->forward(part->self, &at, work->values + part->out);
}

int sb_run_adjoint(const sb_model *model, sb_workspace *work, const sb_op *op, double t,
                   const double x[], double xdot[]) {
  (void)xdot;
  const sb_part *part = &model->parts[op->part];
  sb_at at = sb_at_part(work, part, t, x);
  return part->type->structure->adjoint(part->self, &at, work->values + part->out);
}

int sb_run_rate(const sb_model *model, sb_workspace *work, const sb_op *op, double t,
                const double x[], double xdot[]) {
  const sb_part *part = &model->parts[op->part];
  sb_at at = sb_at_part(work, part, t, x);
  return part->type->storage->rate(part->self, &at, xdot + part->state);
}

/** xdot of the linear storages. The lengths 1 to 3 are most of every network: unrolled. */
static void run_rates(const sb_program *program, const double *restrict x, double *restrict xdot) {
  for (int g = 0; g < program->group_count; g++) {
    const sb_rate_group *group = &program->groups[g];
    const int *restrict dest = program->rate_dest + group->first_row;
    const int *restrict i = program->rate_index + group->first_term;
    const double *restrict a = program->rate_factor + group->first_term;
    int count = group->count;
    switch (group->terms) {
    case 1:
      for (int r = 0; r < count; r++) {
        xdot[dest[r]] = a[r] * x[i[r]];
      }
      break;
    case 2:
      for (int r = 0; r < count; r++) {
        xdot[dest[r]] = a[2 * r] * x[i[2 * r]] + a[2 * r + 1] * x[i[2 * r + 1]];
      }
      break;
    case 3:
      for (int r = 0; r < count; r++) {
        xdot[dest[r]] = a[3 * r] * x[i[3 * r]] + a[3 * r + 1] * x[i[3 * r + 1]] +
                        a[3 * r + 2] * x[i[3 * r + 2]];
      }
      break;
    default:
      for (int r = 0, k = 0; r < count; r++) {
        double sum = 0;
        for (int end = k + group->terms; k < end; k++) {
          sum += a[k] * x[i[k]];
        }
        xdot[dest[r]] = sum;
      }
    }
  }
}

static void run_products(const sb_model *model, const sb_workspace *work, const double *restrict x,
                         double *restrict power) {
  const sb_program *program = work->program;
  const sb_product *p = program->products;
  memset(power, 0, (size_t)model->integral_count * sizeof *power);
  for (int k = 0; k < program->state_products; k++) {
    power[p[k].dest] += p[k].factor * x[p[k].a] * x[p[k].b];
  }
  const int n = model->state_count;
  for (int k = program->state_products; k < program->product_count; k++) {
    double a = p[k].a < n ? x[p[k].a] : work->values[p[k].a - n];
    double b = p[k].b < n ? x[p[k].b] : work->values[p[k].b - n];
    power[p[k].dest] += p[k].factor * a * b;
  }
}

/** Whether an infinity or not-a-number is among the numbers, by their exponent bits (vectorises,
 *  which a floating-point sum would not). */
static bool any_not_finite(const double values[], int count) {
  const uint64_t exponent = UINT64_C(0x7ff0000000000000);
  uint64_t found = 0;
  for (int i = 0; i < count; i++) {
    uint64_t bits;
    memcpy(&bits, &values[i], sizeof bits);
    found |= (bits & exponent) == exponent;
  }
  return found != 0;
}

/** The part that a number of xdot belongs to. */
static int part_of(const sb_model *model, const double xdot[]) {
  for (int i = 0; i < model->part_count; i++) {
    const sb_part *part = &model->parts[i];
    if (any_not_finite(xdot + part->state, part->layout.states) ||
        (part->integral >= 0 && any_not_finite(xdot + model->state_count + part->integral, 1))) {
      return i;
    }
  }
  return -1;
}

int sb_model_rhs(const sb_model *model, sb_workspace *work, double t, const double x[],
                 double xdot[]) {
  const sb_program *program = work->program;
  work->failed = -1;
  work->rhs_count++;
  for (int i = 0; i < program->op_count; i++) {
    const sb_op *op = &program->ops[i];
    if (op->run(model, work, op, t, x, xdot) != 0) {
      work->failed = op->part;
      return -1;
    }
  }
  run_rates(program, x, xdot);
  for (int i = 0; i < program->extra_count; i++) {
    const sb_rate_extra *extra = &program->extras[i];
    xdot[extra->dest] += extra->factor * work->values[extra->index];
  }
  run_products(model, work, x, xdot + model->state_count);
  if (any_not_finite(xdot, model->state_count + model->integral_count)) {
    work->failed = part_of(model, xdot);
    return -1;
  }
  return 0;
}

const char *sb_workspace_failure(const sb_workspace *work) {
  return work->failed < 0 ? NULL : work->model->parts[work->failed].id;
}

void sb_trace(const sb_workspace *work, const double x[]) {
  const sb_model *model = work->model;
  const sb_causality *causality = &work->program->causality;
  int base = sb_known_base(model), states = base + model->state_count;
  double *cells = work->cells;
  for (int k = 0; k < base; k++) {
    int var = causality->order[k];
    const sb_term *term = causality->terms + causality->first[var];
    double sum = 0;
    for (int i = 0; i < causality->count[var]; i++) {
      int v = term[i].var;
      sum += term[i].factor * (v < base     ? cells[v]
                               : v < states ? x[v - base]
                                            : work->values[v - states]);
    }
    cells[var] = sum;
  }
}

double sb_part_energy(const sb_workspace *work, int index, double t, const double x[]) {
  const sb_part *part = &work->model->parts[index];
  if (part->type->role != SB_STORAGE) {
    return 0;
  }
  if (!part->linear) {
    sb_at at = sb_at_part(work, part, t, x);
    return part->type->storage->energy(part->self, &at);
  }
  double energy = 0;
  const double *q = x + part->state;
  for (int i = 0, d = part->components; i < d; i++) {
    double y = 0;
    for (int k = 0; k < d; k++) {
      y += part->matrix[i * d + k] * q[k];
    }
    energy += 0.5 * y * q[i];
  }
  return energy;
}

sb_workspace *sb_workspace_create(const sb_model *model, sb_error *err) {
  sb_workspace *work = calloc(1, sizeof *work);
  if (work != NULL) {
    work->model = model;
    work->program = model->program;
    work->failed = -1;
    work->value_capacity = model->program->value_count;
    work->values = sb_zeroed(work->value_capacity, sizeof(double));
    work->wires = sb_zeroed(model->wire_count, sizeof(double *));
    work->memo = sb_zeroed(model->memo_count, sizeof(double));
    work->modes = sb_zeroed(model->mode_count, sizeof(int));
    work->inputs = sb_zeroed(model->input_count, sizeof(double));
    work->cells = sb_zeroed(2 * model->cell_count, sizeof(double));
    if (work->values != NULL && work->wires != NULL && work->memo != NULL && work->modes != NULL &&
        work->inputs != NULL && work->cells != NULL) {
      for (int i = 0; i < model->wire_count; i++) {
        work->wires[i] = work->values + model->wires[i];
      }
      return work;
    }
    sb_workspace_destroy(work);
  }
  (void)sb_fail(err, SB_ERR_MEMORY, "out of memory");
  return NULL;
}

void sb_workspace_destroy(sb_workspace *work) {
  if (work == NULL) {
    return;
  }
  sb_program_destroy(work->own);
  free(work->values);
  free(work->wires);
  free(work->memo);
  free(work->modes);
  free(work->inputs);
  free(work->cells);
  free(work);
}

sb_status sb_workspace_recompile(sb_workspace *work, sb_errors *errors) {
  const sb_model *model = work->model;
  sb_program *program = NULL;
  bool initial =
      memcmp(work->modes, model->start_modes, (size_t)model->mode_count * sizeof(int)) == 0;
  if (!initial) {
    SB_TRY(sb_program_create(model, work->modes, &program, errors));
    if (!sb_grow(&work->values, &work->value_capacity, program->value_count, sizeof(double))) {
      sb_program_destroy(program);
      return SB_ERR_MEMORY;
    }
  }
  sb_program_destroy(work->own);
  work->own = program;
  work->program = initial ? model->program : program;
  for (int i = 0; i < model->wire_count; i++) {
    work->wires[i] = work->values + model->wires[i];
  }
  return SB_OK;
}
