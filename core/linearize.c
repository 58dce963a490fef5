// SPDX-License-Identifier: GPL-3.0-or-later
// The matrices of a linearisation. The model is evaluated as it runs, through copies of its sources
// that add a given amount to their effort or flow. Differences are central, extrapolated twice
// (Richardson), over steps of twelve decades: state scales from 1e-6 C to 1e3 m are all met.
#include "core/linearize.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/array_private.h"
#include "core/simulation_private.h"
#include "core/vector_private.h"

enum { STEPS = 12, NEWTON_MAX = 60, HALVINGS_MAX = 30 };

/** A source's instance with this in front of it. */
typedef struct driven {
  _Alignas(16) sb_element_type type; // as the original's, with `hooks`
  sb_source_hooks hooks;
  int (*value)(const void *self, const sb_at *at, double y[]); // the original's
  const double *gain;                                          // on the original's value
  const double *amount;                                        // (count) added
  int count;
} driven;

static int driven_value(const void *self, const sb_at *at, double y[]) {
  const driven *d = (const driven *)self - 1;
  int status = d->value(self, at, y);
  for (int i = 0; i < d->count; i++) {
    y[i] = *d->gain * y[i] + d->amount[i];
  }
  return status;
}

typedef struct plant {
  sb_model model; // the simulation's, with other parts
  driven **sources;
  int source_count;
  double *amount; // (components of all parts) added to sources; 0 elsewhere
  double gain;
  sb_simulation view; // through which quantities are read
  const sb_quantity *outputs;
  int output_count;
  double *x;   // (states and integrals) scratch
  double *all; // (rows + integrals) rates, then outputs, then port variables
  int states, output_components, rows;
} plant;

static bool drive(plant *p, sb_part *part, const double *amount) {
  char *block = calloc(1, sizeof(driven) + part->type->size);
  if (block == NULL) {
    return false;
  }
  driven *d = (driven *)(void *)block;
  p->sources[p->source_count++] = d;
  if (part->type->size > 0) {
    memcpy(d + 1, part->self, part->type->size);
  }
  d->type = *part->type;
  d->hooks = *part->type->source;
  d->value = d->hooks.value;
  d->hooks.value = driven_value;
  d->type.source = &d->hooks;
  d->gain = &p->gain;
  d->amount = amount;
  d->count = part->components;
  part->type = &d->type;
  part->self = d + 1;
  return true;
}

static sb_status copy_model(plant *p, const sb_model *model, sb_error *err) {
  int components = 0;
  p->model = *model;
  p->model.parts = sb_zeroed(model->part_count, sizeof(sb_part));
  p->sources = sb_zeroed(model->part_count, sizeof(driven *));
  for (int i = 0; i < model->part_count; i++) {
    components += model->parts[i].components;
  }
  p->amount = sb_zeroed(components, sizeof(double));
  bool ok = p->model.parts != NULL && p->sources != NULL && p->amount != NULL;
  const double *amount = p->amount;
  for (int i = 0; ok && i < model->part_count; i++) {
    sb_part *part = &p->model.parts[i];
    *part = model->parts[i];
    ok = part->type->role != SB_SOURCE || drive(p, part, amount);
    amount += part->components;
  }
  return ok ? SB_OK : sb_fail(err, SB_ERR_MEMORY, "out of memory");
}

static sb_status copy_workspace(plant *p, const sb_simulation *sim, sb_error *err) {
  const sb_model *model = &p->model;
  sb_workspace *work = sb_workspace_create(model, err);
  if (work == NULL) {
    return SB_ERR_MEMORY;
  }
  p->view.work = work;
  memcpy(work->memo, sim->work->memo, (size_t)model->memo_count * sizeof(double));
  memcpy(work->modes, sim->work->modes, (size_t)model->mode_count * sizeof(int));
  memcpy(work->inputs, sim->work->inputs, (size_t)model->input_count * sizeof(double));
  work->inside = sim->work->inside;
  sb_errors errors = {0};
  sb_status status = sb_workspace_recompile(work, &errors);
  if (status != SB_OK) {
    *err = errors.count > 0 ? errors.items[0] : (sb_error){.text = "out of memory"};
    err->status = status;
  }
  sb_errors_finish(&errors);
  return status;
}

static sb_status plant_init(plant *p, const sb_simulation *sim, const sb_quantity outputs[],
                            int output_count, sb_error *err) {
  *p = (plant){.gain = 1, .outputs = outputs, .output_count = output_count};
  SB_TRY(copy_model(p, sim->model, err));
  p->view.model = &p->model;
  p->view.t = p->view.view_t = sim->t;
  p->states = sim->model->state_count;
  for (int i = 0; i < output_count; i++) {
    p->output_components += outputs[i].count;
  }
  p->rows = p->states + p->output_components + 2 * sim->model->cell_count;
  p->x = sb_zeroed(sb_model_vector_count(sim->model), sizeof(double));
  p->all = sb_zeroed(p->rows + sim->model->integral_count, sizeof(double));
  if (p->x == NULL || p->all == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  memcpy(p->x, sim->x, (size_t)sb_model_vector_count(sim->model) * sizeof(double));
  return copy_workspace(p, sim, err);
}

static void plant_finish(plant *p) {
  for (int i = 0; i < p->source_count; i++) {
    free(p->sources[i]);
  }
  sb_workspace_destroy(p->view.work);
  free(p->sources);
  free(p->model.parts);
  free(p->amount);
  free(p->x);
  free(p->all);
}

/** Rates, outputs and port variables at p->x. false: an element gives no finite number. */
static bool evaluate(plant *p, double out[]) {
  sb_workspace *work = p->view.work;
  if (sb_model_rhs(&p->model, work, p->view.t, p->x, p->all) != 0) {
    return false;
  }
  memcpy(out, p->all, (size_t)p->states * sizeof(double)); // the integrals are left behind
  p->view.view_x = p->x;
  double *y = out + p->states;
  for (int i = 0; i < p->output_count; i++) {
    sb_simulation_read(&p->view, &p->outputs[i], y);
    y += p->outputs[i].count;
  }
  sb_trace(work, p->x);
  memcpy(y, work->cells, (size_t)(2 * p->model.cell_count) * sizeof(double));
  return sb_all_finite(out, p->rows) != 0;
}

static bool is_linear(const sb_model *model) {
  for (int i = 0; i < model->part_count; i++) {
    const sb_part *part = &model->parts[i];
    if (part->hooked && part->type->role != SB_SOURCE) {
      return false;
    }
  }
  return true;
}

enum { LEVELS = 3 }; // h, h/2 and h/4

/** What one column of the differences is made of. */
typedef struct difference {
  double *column, *error;               // (rows) best so far
  double *rest, *last;                  // (rows) of a column; errors of the step before
  double *plus[LEVELS], *minus[LEVELS]; // (rows)
} difference;

static sb_status difference_init(difference *d, int rows, sb_error *err) {
  double *block = sb_zeroed((4 + 2 * LEVELS) * rows, sizeof(double));
  *d = (difference){.column = block};
  if (block == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  d->error = block + rows;
  d->rest = block + 2 * rows;
  d->last = block + 3 * rows;
  for (int k = 0; k < LEVELS; k++) {
    d->plus[k] = block + (4 + 2 * k) * rows;
    d->minus[k] = block + (5 + 2 * k) * rows;
  }
  return SB_OK;
}

static bool pair(plant *p, double *variable, double h, double plus[], double minus[]) {
  double kept = *variable;
  *variable = kept + h;
  bool ok = evaluate(p, plus);
  *variable = kept - h;
  ok = ok && evaluate(p, minus);
  *variable = kept;
  return ok;
}

/** Takes over every entry that this step gives better than those before. An exact zero is left for
 *  any clear slope: a wide step may span a whole hump. */
static void improve(difference *d, int rows, double h) {
  for (int r = 0; r < rows; r++) {
    double slope[LEVELS];
    for (int k = 0; k < LEVELS; k++) {
      slope[k] = (d->plus[k][r] - d->minus[k][r]) / (2 * h) * (1 << k);
    }
    double first = slope[1] + (slope[1] - slope[0]) / 3;
    double second = slope[2] + (slope[2] - slope[1]) / 3;
    double value = second + (second - first) / 15;
    double rounding = DBL_EPSILON * (fabs(d->plus[0][r]) + fabs(d->minus[0][r])) / h;
    // a tenth of the step cannot make it better by more than 1e-4: rounding that happens to agree
    double error = fmax(fabs(second - first) + 8 * rounding, 1e-5 * d->last[r]);
    d->last[r] = error;
    if (error < d->error[r] || (d->column[r] == 0 && fabs(value) > 100 * error)) {
      d->column[r] = value;
      d->error[r] = error;
    }
  }
}

/** d/d(variable) of all rows into d->column. */
static sb_status differentiate(plant *p, double *variable, difference *d, sb_error *err) {
  double h = 0.1 * fmax(fabs(*variable), 1);
  bool any = false;
  for (int r = 0; r < p->rows; r++) {
    d->error[r] = HUGE_VAL;
    d->column[r] = NAN;
    d->last[r] = 0;
  }
  for (int k = 0; k < STEPS; k++, h *= 0.1) {
    volatile double moved = *variable + h; // a step that the variable can make exactly
    double step = moved - *variable;
    bool ok = true;
    for (int level = 0; ok && level < LEVELS; level++) {
      ok = pair(p, variable, step / (1 << level), d->plus[level], d->minus[level]);
    }
    if (ok) {
      improve(d, p->rows, step);
      any = true;
    }
  }
  if (!any) {
    const char *element = sb_workspace_failure(p->view.work);
    return sb_fail(err, SB_ERR_NOT_FINITE, "'%s' gives no finite number near the operating point",
                   element == NULL ? p->model.name : element);
  }
  for (int r = 0; r < p->rows; r++) {
    d->column[r] = fabs(d->column[r]) <= d->error[r] ? 0 : d->column[r];
  }
  return SB_OK;
}

/** A column of a linear model: its answer to a unit of one variable and nothing else. */
static sb_status take_column(plant *p, double *variable, const double rest[], difference *d,
                             sb_error *err) {
  *variable = 1;
  bool ok = evaluate(p, d->column);
  *variable = 0;
  for (int r = 0; r < p->rows; r++) {
    d->column[r] -= rest[r];
  }
  return ok ? SB_OK : sb_fail(err, SB_ERR_NOT_FINITE, "'%s' overflows", p->model.name);
}

/** Quantities of a linear model that are not linear, energies and powers, need differences. */
static bool port_or_state(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot != NULL && (strcmp(dot, ".e") == 0 || strcmp(dot, ".f") == 0 ||
                         strcmp(dot, ".q") == 0 || strcmp(dot, ".p") == 0);
}

static void put_column(const plant *p, sb_linear *l, const difference *d, int j, bool input) {
  int columns = input ? l->inputs : l->states;
  double *upper = input ? l->B : l->A, *lower = input ? l->D : l->C;
  for (int i = 0; i < l->states; i++) {
    upper[i * columns + j] = d->column[i];
  }
  for (int i = 0; i < l->outputs; i++) {
    lower[i * columns + j] = d->column[l->states + i];
  }
  for (int i = 0; !input && l->E != NULL && i < l->ports; i++) {
    l->E[i * columns + j] = d->column[p->rows - l->ports + i];
  }
}

static sb_status fill_by_differences(plant *p, sb_linear *l, double *const inputs[], difference *d,
                                     sb_error *err) {
  memcpy(p->x, l->x, (size_t)l->states * sizeof(double));
  for (int j = 0; j < l->states; j++) {
    SB_TRY(differentiate(p, &p->x[j], d, err));
    put_column(p, l, d, j, false);
  }
  for (int j = 0; inputs != NULL && j < l->inputs; j++) {
    SB_TRY(differentiate(p, inputs[j], d, err));
    put_column(p, l, d, j, true);
  }
  return SB_OK;
}

static sb_status fill_by_columns(plant *p, sb_linear *l, double *const inputs[], difference *d,
                                 sb_error *err) {
  memset(p->x, 0, (size_t)l->states * sizeof(double));
  p->gain = 0;
  if (!evaluate(p, d->rest)) {
    return sb_fail(err, SB_ERR_NOT_FINITE, "'%s' overflows", p->model.name);
  }
  for (int j = 0; j < l->states; j++) {
    SB_TRY(take_column(p, &p->x[j], d->rest, d, err));
    put_column(p, l, d, j, false);
  }
  for (int j = 0; inputs != NULL && j < l->inputs; j++) {
    SB_TRY(take_column(p, inputs[j], d->rest, d, err));
    put_column(p, l, d, j, true);
  }
  p->gain = 1;
  return SB_OK;
}

static sb_status fill(plant *p, sb_linear *l, double *const inputs[], bool exact, sb_error *err) {
  difference d;
  sb_status status = difference_init(&d, p->rows, err);
  if (status == SB_OK) {
    status = (exact ? fill_by_columns : fill_by_differences)(p, l, inputs, &d, err);
  }
  free(d.column);
  return status;
}

/** Solves A step = -rate with all pivots, rows and columns scaled; directions that A does not see
 *  stay where they are. A and rate are overwritten. */
static void solve_singular(double A[], double rate[], int n, double step[], int column[],
                           double scale[]) {
  for (int j = 0; j < n; j++) {
    double largest = 0;
    for (int i = 0; i < n; i++) {
      largest = fmax(largest, fabs(A[i * n + j]));
    }
    scale[j] = largest > 0 ? 1 / largest : 1;
    column[j] = j;
    for (int i = 0; i < n; i++) {
      A[i * n + j] *= scale[j];
    }
  }
  for (int i = 0; i < n; i++) {
    double largest = 0;
    for (int j = 0; j < n; j++) {
      largest = fmax(largest, fabs(A[i * n + j]));
    }
    for (int j = 0; j < n && largest > 0; j++) {
      A[i * n + j] /= largest;
    }
    rate[i] /= largest > 0 ? largest : 1;
  }
  int rank = 0;
  for (; rank < n; rank++) {
    int pi = rank, pj = rank;
    for (int i = rank; i < n; i++) {
      for (int j = rank; j < n; j++) {
        if (fabs(A[i * n + j]) > fabs(A[pi * n + pj])) {
          pi = i;
          pj = j;
        }
      }
    }
    if (!(fabs(A[pi * n + pj]) > 1e-10)) {
      break;
    }
    for (int j = 0; j < n; j++) {
      double swap = A[pi * n + j];
      A[pi * n + j] = A[rank * n + j];
      A[rank * n + j] = swap;
    }
    for (int i = 0; i < n; i++) {
      double swap = A[i * n + pj];
      A[i * n + pj] = A[i * n + rank];
      A[i * n + rank] = swap;
    }
    double swap = rate[pi];
    rate[pi] = rate[rank];
    rate[rank] = swap;
    int other = column[pj];
    column[pj] = column[rank];
    column[rank] = other;
    for (int i = rank + 1; i < n; i++) {
      double factor = A[i * n + rank] / A[rank * n + rank];
      for (int j = rank; j < n && factor != 0; j++) {
        A[i * n + j] -= factor * A[rank * n + j];
      }
      rate[i] -= factor * rate[rank];
    }
  }
  memset(step, 0, (size_t)n * sizeof *step);
  for (int i = rank - 1; i >= 0; i--) {
    double sum = -rate[i];
    for (int j = i + 1; j < rank; j++) {
      sum -= A[i * n + j] * step[column[j]];
    }
    step[column[i]] = sum / A[i * n + i];
  }
  for (int j = 0; j < n; j++) {
    step[j] *= scale[j];
  }
}

/** Size of the rates, each against what its row of A would make of a unit of every state. */
static double rate_size(const double rate[], const double weight[], int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += rate[i] * weight[i] * rate[i] * weight[i];
  }
  return sqrt(sum);
}

/** Damped Newton iteration to xdot = 0, from l->x. */
static sb_status find_equilibrium(plant *p, sb_linear *l, sb_error *err) {
  int n = l->states;
  double *block = sb_zeroed(4 * n, sizeof(double)), *rows = sb_zeroed(p->rows, sizeof(double));
  int *column = sb_zeroed(n, sizeof(int));
  double *step = block, *weight = block + n, *scale = block + 2 * n, *rate = block + 3 * n;
  sb_status status = block != NULL && rows != NULL && column != NULL
                         ? SB_OK
                         : sb_fail(err, SB_ERR_MEMORY, "out of memory");
  bool found = false;
  for (int k = 0; status == SB_OK && !found && k < NEWTON_MAX; k++) {
    status = fill(p, l, NULL, l->exact, err);
    memcpy(p->x, l->x, (size_t)n * sizeof(double));
    if (status != SB_OK || !evaluate(p, rows)) {
      break;
    }
    memcpy(rate, rows, (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++) {
      double largest = 0;
      for (int j = 0; j < n; j++) {
        largest = fmax(largest, fabs(l->A[i * n + j]));
      }
      weight[i] = largest > 0 ? 1 / largest : 1;
    }
    double before = rate_size(rate, weight, n), after = HUGE_VAL, part = 1, far = 0, size = 0;
    solve_singular(l->A, rate, n, step, column, scale);
    for (int halving = 0; halving < HALVINGS_MAX; halving++, part *= 0.5) {
      for (int i = 0; i < n; i++) {
        p->x[i] = l->x[i] + part * step[i];
      }
      after = evaluate(p, rows) ? rate_size(rows, weight, n) : HUGE_VAL;
      if (after < before) {
        break;
      }
    }
    for (int i = 0; i < n; i++) {
      far = fmax(far, fabs(step[i]));
      size = fmax(size, fabs(l->x[i]));
    }
    if (after < before) {
      memcpy(l->x, p->x, (size_t)n * sizeof(double));
    }
    // the residual left: rounding of the states, and nothing that a further step would take away
    found = after <= 1e-12 * (1 + size) || (!(after < before) && before <= 1e-9 * (1 + size));
    if (!(after < before) && !found) {
      break;
    }
  }
  free(block);
  free(rows);
  free(column);
  if (status == SB_OK && !found) {
    status = sb_fail(err, SB_ERR_SOLVER, "no equilibrium of '%s' was found near its state at %s s",
                     p->model.name, sb_number_word(p->view.t).text);
    sb_error_hint(err, "start nearer to it, as by a later time");
  }
  return status;
}

static sb_status allocate(sb_linear *l, const plant *p, sb_error *err) {
  int n = l->states;
  l->x = sb_zeroed(n, sizeof(double));
  l->xdot = sb_zeroed(n, sizeof(double));
  l->A = sb_zeroed(n * n, sizeof(double));
  l->B = sb_zeroed(n * l->inputs, sizeof(double));
  l->C = sb_zeroed(l->outputs * n, sizeof(double));
  l->D = sb_zeroed(l->outputs * l->inputs, sizeof(double));
  l->ports = 2 * p->model.cell_count;
  l->E = l->exact ? NULL : calloc((size_t)l->ports * (size_t)n + 1, sizeof(double));
  l->input_names = sb_zeroed(l->inputs, sizeof(char *));
  return l->x != NULL && l->xdot != NULL && l->A != NULL && l->B != NULL && l->C != NULL &&
                 l->D != NULL && (l->exact || l->E != NULL) && l->input_names != NULL
             ? SB_OK
             : sb_fail(err, SB_ERR_MEMORY, "out of memory");
}

/** The amounts of one source, and their names. */
static sb_status add_source(plant *p, sb_linear *l, int index, double *inputs[], sb_error *err) {
  const sb_part *part = &p->model.parts[index];
  char name[600];
  for (int k = 0, at = 0; k < part->components; k++, at++) {
    const char *variable = part->layout.ports[sb_port_of(part, k)].output == SB_FLOW ? "f" : "e";
    if (part->components == 1) {
      (void)snprintf(name, sizeof name, "%s.%s", part->id, variable);
    } else {
      (void)snprintf(name, sizeof name, "%s.%s.%d", part->id, variable, k);
    }
    double *amount = p->amount;
    for (int i = 0; i < index; i++) {
      amount += p->model.parts[i].components;
    }
    inputs[l->inputs] = amount + k;
    l->input_names[l->inputs] = sb_duplicate(name);
    if (l->input_names[l->inputs++] == NULL) {
      return sb_fail(err, SB_ERR_MEMORY, "out of memory");
    }
  }
  return SB_OK;
}

static sb_status find_source(const sb_model *model, const char *name, int *index, sb_error *err) {
  size_t length = strlen(name);
  if (length > 2 &&
      (strcmp(name + length - 2, ".e") == 0 || strcmp(name + length - 2, ".f") == 0)) {
    length -= 2;
  }
  *index = sb_names_find(&model->names, name, length);
  if (*index < 0) {
    return sb_fail(err, SB_ERR_REFERENCE, "there is no element '%.*s'", (int)length, name);
  }
  if (model->parts[*index].type->role != SB_SOURCE) {
    return sb_fail(err, SB_ERR_REFERENCE, "'%.*s' is no source, but a %s", (int)length, name,
                   model->parts[*index].type->name);
  }
  return SB_OK;
}

static sb_status add_sources(plant *p, sb_linear *l, const sb_linear_request *request,
                             double *inputs[], sb_error *err) {
  const sb_model *model = &p->model;
  int room = l->inputs, index;
  l->inputs = 0;
  for (int i = 0; request->inputs == NULL && i < model->part_count; i++) {
    if (model->parts[i].type->role == SB_SOURCE) {
      SB_TRY(add_source(p, l, i, inputs, err));
    }
  }
  for (int i = 0; request->inputs != NULL && i < request->input_count; i++) {
    SB_TRY(find_source(model, request->inputs[i], &index, err));
    if (l->inputs + model->parts[index].components > room) {
      return sb_fail(err, SB_ERR_DUPLICATE, "an input is given twice");
    }
    SB_TRY(add_source(p, l, index, inputs, err));
  }
  return SB_OK;
}

static sb_status build(plant *p, sb_linear *l, const sb_linear_request *request, double *inputs[],
                       sb_error *err) {
  SB_TRY(allocate(l, p, err));
  SB_TRY(add_sources(p, l, request, inputs, err));
  memcpy(l->x, p->x, (size_t)l->states * sizeof(double));
  if (request->equilibrium) {
    SB_TRY(find_equilibrium(p, l, err));
  }
  bool curved = false;
  for (int i = 0; i < request->output_count; i++) {
    curved = curved || !port_or_state(request->outputs[i]);
  }
  SB_TRY(fill(p, l, inputs, l->exact && !curved, err));
  if (l->exact && curved) { // C and D by differences; A and B all the same without
    int outputs = l->outputs;
    l->outputs = 0;
    SB_TRY(fill(p, l, inputs, true, err));
    l->outputs = outputs;
  }
  memcpy(p->x, l->x, (size_t)l->states * sizeof(double));
  double *rows = sb_zeroed(p->rows, sizeof(double));
  if (rows == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  (void)evaluate(p, rows);
  memcpy(l->xdot, rows, (size_t)l->states * sizeof(double));
  free(rows);
  return SB_OK;
}

static sb_status check_size(const sb_model *model, sb_error *err) {
  if (model->state_count > SB_LINEAR_STATES_MAX) {
    return sb_fail(err, SB_ERR_LIMIT, "'%s' has %d states; at most %d can be linearised",
                   model->name, model->state_count, SB_LINEAR_STATES_MAX);
  }
  return SB_OK;
}

sb_status sb_linearize(const sb_simulation *sim, const sb_linear_request *request,
                       sb_linear **linear, sb_error *err) {
  const sb_model *model = sim->model;
  *linear = NULL;
  SB_TRY(check_size(model, err));
  sb_linear *l = calloc(1, sizeof *l);
  sb_quantity *outputs = sb_zeroed(request->output_count, sizeof *outputs);
  plant p = {0};
  sb_status status =
      l != NULL && outputs != NULL ? SB_OK : sb_fail(err, SB_ERR_MEMORY, "no memory");
  for (int i = 0; status == SB_OK && i < request->output_count; i++) {
    status = sb_model_find(model, request->outputs[i], &outputs[i], err);
  }
  if (status == SB_OK) {
    status = plant_init(&p, sim, outputs, request->output_count, err);
  }
  if (status == SB_OK) {
    *l = (sb_linear){.states = p.states, .outputs = p.output_components, .t = sim->t};
    l->exact = is_linear(model);
    l->tied = p.view.work->program->causality.constraint_count;
    for (int i = 0; i < model->part_count; i++) {
      l->inputs += model->parts[i].type->role == SB_SOURCE ? model->parts[i].components : 0;
    }
    double **inputs = sb_zeroed(l->inputs, sizeof *inputs);
    status = inputs != NULL ? build(&p, l, request, inputs, err)
                            : sb_fail(err, SB_ERR_MEMORY, "out of memory");
    free(inputs);
  }
  plant_finish(&p);
  free(outputs);
  if (status != SB_OK) {
    sb_linear_destroy(l);
    return status;
  }
  *linear = l;
  return SB_OK;
}

void sb_linear_destroy(sb_linear *l) {
  if (l == NULL) {
    return;
  }
  for (int i = 0; l->input_names != NULL && i < l->inputs; i++) {
    free(l->input_names[i]);
  }
  free(l->input_names);
  free(l->x);
  free(l->xdot);
  free(l->A);
  free(l->B);
  free(l->C);
  free(l->D);
  free(l->E);
  free(l);
}
