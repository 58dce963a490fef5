// SPDX-License-Identifier: GPL-3.0-or-later
// Execution of a program: the right-hand side, the trace of all port variables, energies.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array_private.h"
#include "core/workspace_private.h"

/** A row of value terms for the components of a vector. */
static void run_repeated(const sb_row *row, const int *index, const double *factor,
                         double *values) {
  double *restrict out = values + row->dest;
  const double *first = values + index[0];
  for (int r = 0; r < row->repeat; r++) {
    out[r] = factor[0] * first[r];
  }
  for (int k = 1; k < row->count; k++) {
    const double *more = values + index[k];
    for (int r = 0; r < row->repeat; r++) {
      out[r] += factor[k] * more[r];
    }
  }
}

int sb_run_rows(const sb_model *model, sb_workspace *work, const sb_op *op, double t,
                const double x[], double xdot[]) {
  (void)model, (void)t, (void)xdot;
  const sb_program *program = work->program;
  double *values = work->values;
  for (int r = op->first_row; r < op->first_row + op->row_count; r++) {
    const sb_row *row = &program->rows[r];
    const int *index = program->index + row->first;
    const double *factor = program->factor + row->first;
    if (row->repeat > 1) {
      run_repeated(row, index, factor, values);
      continue;
    }
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
  return part->type->dissipation->law(part->self, &at, at.given, work->values + part->out);
}

/** Notes that a hook failed as it divides by zero, if that is why. */
static int divide_by_zero(sb_workspace *work, int part, double t, const double x[], int status) {
  double divisor = sb_divisor(work, part, t, x);
  if (!isinf(divisor)) {
    work->trouble = (sb_trouble){.kind = SB_TROUBLE_DIVISOR, .part = part, .t = t, .at = {divisor}};
  }
  return status;
}

int sb_run_forward(const sb_model *model, sb_workspace *work, const sb_op *op, double t,
                   const double x[], double xdot[]) {
  (void)xdot;
  const sb_part *part = &model->parts[op->part];
  sb_at at = sb_at_part(work, part, t, x);
  int status = part->type->structure->forward(part->self, &at, work->values + part->out);
  return status == 0 ? 0 : divide_by_zero(work, op->part, t, x, status);
}

int sb_run_adjoint(const sb_model *model, sb_workspace *work, const sb_op *op, double t,
                   const double x[], double xdot[]) {
  (void)xdot;
  const sb_part *part = &model->parts[op->part];
  sb_at at = sb_at_part(work, part, t, x);
  int status = part->type->structure->adjoint(part->self, &at, work->values + part->out);
  return status == 0 ? 0 : divide_by_zero(work, op->part, t, x, status);
}

int sb_run_rate(const sb_model *model, sb_workspace *work, const sb_op *op, double t,
                const double x[], double xdot[]) {
  const sb_part *part = &model->parts[op->part];
  sb_at at = sb_at_part(work, part, t, x);
  return part->type->storage->rate(part->self, &at, xdot + part->state);
}

int sb_run_signal(const sb_model *model, sb_workspace *work, const sb_op *op, double t,
                  const double x[], double xdot[]) {
  (void)xdot;
  const sb_part *part = &model->parts[op->part];
  sb_at at = sb_at_part(work, part, t, x);
  return part->type->signal->output(part->self, &at, work->values + part->signal);
}

int sb_run_signal_rate(const sb_model *model, sb_workspace *work, const sb_op *op, double t,
                       const double x[], double xdot[]) {
  const sb_part *part = &model->parts[op->part];
  sb_at at = sb_at_part(work, part, t, x);
  return part->type->signal->rate(part->self, &at, xdot + part->state);
}

int sb_run_output_dot(const sb_model *model, sb_workspace *work, const sb_op *op, double t,
                      const double x[], double xdot[]) {
  (void)xdot;
  const sb_part *part = &model->parts[op->part];
  sb_at at = sb_at_part(work, part, t, x);
  double K[SB_STIFFNESS_MAX * SB_STIFFNESS_MAX];
  double *ydot = work->values + sb_rate_value(model, part->out);
  int n = part->components, status = part->type->storage->stiffness(part->self, &at, K);
  for (int i = 0; i < n; i++) {
    ydot[i] = 0;
    for (int k = 0; k < n; k++) {
      ydot[i] += K[i * n + k] * at.in[k];
    }
  }
  return status;
}

int sb_run_value_dot(const sb_model *model, sb_workspace *work, const sb_op *op, double t,
                     const double x[], double xdot[]) {
  (void)xdot;
  const sb_part *part = &model->parts[op->part];
  sb_at at = sb_at_part(work, part, t, x);
  return part->type->source->rate(part->self, &at, work->values + sb_rate_value(model, part->out));
}

int sb_run_forward_dot(const sb_model *model, sb_workspace *work, const sb_op *op, double t,
                       const double x[], double xdot[]) {
  (void)xdot;
  const sb_part *part = &model->parts[op->part];
  sb_at at = sb_at_part(work, part, t, x);
  double *ydot = work->values + sb_rate_value(model, part->out);
  return part->type->structure->forward_rate(part->self, &at, ydot);
}

int sb_run_adjoint_dot(const sb_model *model, sb_workspace *work, const sb_op *op, double t,
                       const double x[], double xdot[]) {
  (void)xdot;
  const sb_part *part = &model->parts[op->part];
  sb_at at = sb_at_part(work, part, t, x);
  double *ydot = work->values + sb_rate_value(model, part->out);
  return part->type->structure->adjoint_rate(part->self, &at, ydot);
}

int sb_run_signal_dot(const sb_model *model, sb_workspace *work, const sb_op *op, double t,
                      const double x[], double xdot[]) {
  (void)xdot;
  const sb_part *part = &model->parts[op->part];
  sb_at at = sb_at_part(work, part, t, x);
  double *rate = work->values + sb_rate_value(model, part->signal);
  return part->type->signal->output_rate(part->self, &at, rate);
}

int sb_run_tie(const sb_model *model, sb_workspace *work, const sb_op *op, double t,
               const double x[], double xdot[]) {
  (void)model, (void)work, (void)op, (void)t, (void)x, (void)xdot;
  return 0;
}

/** Returns 0 if all products with values are finite: 0 times anything else is not. */
static double run_products(const sb_model *model, const sb_workspace *work,
                           const double *restrict x, double *restrict power) {
  const sb_program *program = work->program;
  const sb_product *p = program->products;
  double poison = 0;
  sb_run_powers(program, x, power);
  for (int i = 0; i < program->zero_count; i++) {
    power[program->zeros[i]] = 0;
  }
  const int n = model->state_count;
  for (int k = 0; k < program->product_count; k++) {
    double a = p[k].a < n ? x[p[k].a] : work->values[p[k].a - n];
    double b = p[k].b < n ? x[p[k].b] : work->values[p[k].b - n];
    double product = p[k].factor * a * b;
    power[p[k].dest] += product;
    poison += 0 * product;
  }
  return poison;
}

static bool any_not_finite(const double values[], int count) {
  double poison[2] = {0, 0};
  for (int i = 0; i < count; i++) {
    poison[i & 1] += 0 * values[i];
  }
  return !(poison[0] + poison[1] == 0);
}

/** The first hook that gave a number that is not finite. */
static int find_culprit(const sb_model *model, const sb_workspace *work, const double xdot[]) {
  for (int i = 0; i < work->program->op_count; i++) {
    const sb_op *op = &work->program->ops[i];
    if (op->part < 0) {
      continue;
    }
    const sb_part *part = &model->parts[op->part];
    bool bad = op->run == sb_run_rate
                   ? any_not_finite(xdot + part->state, part->layout.states)
                   : any_not_finite(work->values + part->out, part->components) ||
                         any_not_finite(work->values + part->signal, part->signal_count);
    if (bad) {
      return op->part;
    }
  }
  return -1;
}

int sb_model_rates(const sb_model *model, sb_workspace *work, double t, const double x[],
                   double xdot[], double power[]) {
  const sb_program *program = work->program;
  work->failed = -1;
  work->trouble.kind = SB_TROUBLE_NOT;
  work->rhs_count++;
  x = program->see == NULL ? x : program->see(model, work, t, x);
  if (x == NULL) {
    return -1;
  }
  double poison = 0;
  for (int i = 0; i < program->op_count; i++) {
    const sb_op *op = &program->ops[i];
    if (op->run(model, work, op, t, x, xdot) != 0) {
      work->failed = op->part;
      return -1;
    }
    if (op->run == sb_run_rate) {
      const sb_part *part = &model->parts[op->part];
      poison += any_not_finite(xdot + part->state, part->layout.states);
    }
  }
  sb_run_rates(program, x, xdot);
  for (int i = 0; i < program->extra_count; i++) {
    const sb_rate_extra *extra = &program->extras[i];
    double more = extra->factor * work->values[extra->index];
    xdot[extra->dest] += more;
    poison += 0 * more;
  }
  poison += power == NULL ? 0 : run_products(model, work, x, power);
  // What hooks give comes to the state by rates, extras and products; what is linear is finite short
  // of overflow, which shows at the end of the step.
  if (!(poison == 0)) {
    work->failed = find_culprit(model, work, xdot);
    return -1;
  }
  return 0;
}

int sb_model_rhs(const sb_model *model, sb_workspace *work, double t, const double x[],
                 double xdot[]) {
  return sb_model_rates(model, work, t, x, xdot, xdot + model->state_count);
}

const char *sb_workspace_failure(const sb_workspace *work) {
  return work->failed < 0 ? NULL : work->model->parts[work->failed].id;
}

void sb_trace(sb_workspace *work, const double x[]) {
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
  work->traced = x;
  work->traced_at = work->rhs_count;
}

void sb_trace_sizes(const sb_workspace *work, const double x[], double size[]) {
  const sb_model *model = work->model;
  const sb_causality *causality = &work->program->causality;
  int base = sb_known_base(model), states = base + model->state_count;
  for (int k = 0; k < base; k++) {
    int var = causality->order[k];
    const sb_term *term = causality->terms + causality->first[var];
    double sum = 0;
    for (int i = 0; i < causality->count[var]; i++) {
      int v = term[i].var;
      sum += fabs(term[i].factor) * (v < base     ? size[v]
                                     : v < states ? fabs(x[v - base])
                                                  : fabs(work->values[v - states]));
    }
    size[var] = sum;
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

/** Nothing is known yet of the loops of the program and of the laws in them. */
static bool forget_loops(sb_workspace *work) {
  const sb_program *p = work->program;
  int met = 2 * (p->loop_input_count + p->loop_output_count);
  if (!sb_grow(&work->seen, &work->seen_capacity, p->loop_hook_count, sizeof(sb_seen)) ||
      !sb_grow(&work->searched, &work->searched_capacity, p->loop_count, sizeof(sb_searched)) ||
      !sb_grow(&work->met, &work->met_capacity, met, sizeof(double))) {
    return false;
  }
  for (int i = 0; i < p->loop_hook_count; i++) {
    work->seen[i] = (sb_seen){.falls = HUGE_VAL};
  }
  for (int i = 0; i < p->loop_count; i++) {
    work->searched[i] = (sb_searched){0};
  }
  for (int i = 0; i < met; i++) {
    work->met[i] = 0;
  }
  return true;
}

/** Lets the wires point into the values, wherever these are. */
static void connect_wires(sb_workspace *work) {
  const sb_model *model = work->model;
  bool rates = work->program->causality.constraint_count > 0;
  for (int i = 0; i < model->wire_count; i++) {
    work->wires[i] = work->values + model->wires[i];
    work->wires[model->wire_count + i] =
        rates ? work->values + sb_rate_value(model, model->wires[i]) : NULL;
  }
}

sb_workspace *sb_workspace_create(const sb_model *model, sb_error *err) {
  sb_workspace *work = calloc(1, sizeof *work);
  if (work != NULL) {
    work->model = model;
    work->program = model->program;
    work->failed = -1;
    work->value_capacity = model->program->value_count;
    work->values = sb_zeroed(work->value_capacity, sizeof(double));
    work->wires = sb_zeroed(2 * model->wire_count, sizeof(double *));
    work->memo = sb_zeroed(model->memo_count, sizeof(double));
    work->modes = sb_zeroed(model->mode_count, sizeof(int));
    work->inputs = sb_zeroed(model->input_count, sizeof(double));
    work->cells = sb_zeroed(2 * model->cell_count, sizeof(double));
    if (work->values != NULL && work->wires != NULL && work->memo != NULL && work->modes != NULL &&
        work->inputs != NULL && work->cells != NULL && forget_loops(work)) {
      connect_wires(work);
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
  free(work->seen);
  sb_groups_destroy(work->groups);
  free(work->searched);
  free(work->met);
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
  work->generation++;
  work->traced = NULL;
  work->program = initial ? model->program : program;
  connect_wires(work);
  return forget_loops(work) ? SB_OK : SB_ERR_MEMORY;
}
