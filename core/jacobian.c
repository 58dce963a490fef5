// SPDX-License-Identifier: GPL-3.0-or-later
// Columns that share no row are perturbed together (Curtis, Powell and Reid 1974), so that a chain
// of any length costs a handful of right-hand sides.
#include "core/jacobian_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include "core/array_private.h"

typedef struct set { // of states, unsorted, without repetition
  int *items;
  int count, capacity;
} set;

struct sb_jacobian {
  int n, nnz, colours;
  int *column_first, *row; // CSC
  int *colour;             // (n)
};

typedef struct builder {
  const sb_model *model;
  const sb_program *program;
  set *values; // (value_count) what each value depends on
  set *rows;   // (n) what each rate depends on
  int *seen, stamp;
  bool failed;
} builder;

static void add(builder *b, set *to, int state) {
  if (b->seen[state] == b->stamp || b->failed) {
    return;
  }
  b->seen[state] = b->stamp;
  if (!sb_grow(&to->items, &to->capacity, to->count + 1, sizeof(int))) {
    b->failed = true;
    return;
  }
  to->items[to->count++] = state;
}

static void begin(builder *b, const set *to) {
  b->stamp++;
  for (int i = 0; i < to->count; i++) {
    b->seen[to->items[i]] = b->stamp;
  }
}

static void add_set(builder *b, set *to, const set *from) {
  for (int i = 0; i < from->count; i++) {
    add(b, to, from->items[i]);
  }
}

static void add_index(builder *b, set *to, int index) {
  if (index < b->model->state_count) {
    add(b, to, index);
  } else {
    add_set(b, to, &b->values[index - b->model->state_count]);
  }
}

static void visit_rows(builder *b, const sb_op *op) {
  for (int r = op->first_row; r < op->first_row + op->row_count; r++) {
    const sb_row *row = &b->program->rows[r];
    for (int k = 0; k < row->repeat; k++) {
      set *to = &b->values[row->dest + k];
      begin(b, to);
      for (int i = 0; i < row->count; i++) {
        int index = b->program->index[row->first + i] + k;
        add_index(b, to, i < row->states ? index : index + b->model->state_count);
      }
    }
  }
}

/** A hook may read all of its part's inputs, signals and states. */
static void add_reads(builder *b, set *to, const sb_part *part, bool inputs) {
  for (int k = 0; k < part->layout.states; k++) {
    add(b, to, part->state + k);
  }
  for (int k = 0; inputs && k < part->components; k++) {
    add_set(b, to, &b->values[part->in + k]);
  }
  for (int k = 0; k < part->wire_count; k++) {
    add_set(b, to, &b->values[b->model->wires[part->wire + k]]);
  }
}

static void visit_hook(builder *b, const sb_op *op) {
  const sb_part *part = &b->model->parts[op->part];
  bool rate = op->run == sb_run_rate || op->run == sb_run_signal_rate,
       adjoint = op->run == sb_run_adjoint;
  set all = {0};
  begin(b, &all);
  add_reads(b, &all, part, true);
  if (adjoint && part->signal_count > 0) {
    add_set(b, &all, &b->values[part->signal]);
  }
  for (int k = 0; k < part->layout.states && rate; k++) {
    begin(b, &b->rows[part->state + k]);
    add_set(b, &b->rows[part->state + k], &all);
  }
  for (int k = 0; k < part->components + part->signal_count && !rate; k++) {
    bool port = k < part->components;
    char side = port && part->type->role == SB_STRUCTURE
                    ? part->type->ports[sb_port_of(part, k)].side
                    : 'B';
    if ((adjoint && (!port || side != 'A')) || (!adjoint && side == 'A')) {
      continue;
    }
    set *to = &b->values[port ? part->out + k : part->signal + k - part->components];
    begin(b, to);
    add_set(b, to, &all);
  }
  free(all.items);
}

/** Every output of a loop depends on what comes to any of its inputs. */
static void visit_loop(builder *b, const sb_op *op) {
  const sb_loop *loop = &b->program->loops[op->first_row];
  set all = {0};
  begin(b, &all);
  for (int k = 0; k < loop->count; k++) {
    add_reads(b, &all, &b->model->parts[b->program->loop_hooks[loop->first + k].op.part], true);
  }
  for (int k = 0; k < loop->input_count; k++) {
    int value = b->program->loop_inputs[loop->first_input + k];
    add_set(b, &all, &b->values[value < 0 ? -1 - value : value]);
  }
  for (int k = 0; k < loop->output_count; k++) {
    set *to = &b->values[b->program->loop_outputs[loop->first_output + k]];
    begin(b, to);
    add_set(b, to, &all);
  }
  free(all.items);
}

static void visit_program(builder *b) {
  const sb_program *p = b->program;
  for (int i = 0; i < p->op_count; i++) {
    (p->ops[i].run == sb_run_rows   ? visit_rows
     : p->ops[i].run == sb_run_loop ? visit_loop
                                    : visit_hook)(b, &p->ops[i]);
  }
  for (int g = 0; g < p->group_count; g++) {
    const sb_rate_group *group = &p->groups[g];
    for (int r = 0; r < group->count; r++) {
      set *to = &b->rows[p->rate_dest[group->first_row + r]];
      begin(b, to);
      for (int i = 0; i < group->terms; i++) {
        add(b, to, p->rate_index[group->first_term + r * group->terms + i]);
      }
    }
  }
  for (int i = 0; i < p->run_count; i++) {
    const sb_rate_run *run = &p->runs[i];
    for (int r = 0; r < run->count; r++) {
      set *to = &b->rows[run->dest + r * run->stride];
      begin(b, to);
      for (int k = 0; k < run->terms; k++) {
        add(b, to, run->index[k] + r * run->stride);
      }
    }
  }
  for (int i = 0; i < p->product_run_count; i++) {
    const sb_product_run *run = &p->product_runs[i];
    for (int r = 0; r < run->count; r++) {
      set *to = &b->rows[b->model->state_count + run->dest + r];
      begin(b, to);
      add(b, to, run->a + r * run->stride);
      add(b, to, run->b + r * run->stride);
    }
  }
  for (int i = 0; i < p->extra_count; i++) {
    begin(b, &b->rows[p->extras[i].dest]);
    add_set(b, &b->rows[p->extras[i].dest], &b->values[p->extras[i].index]);
  }
  for (int i = 0; i < p->product_count; i++) {
    set *to = &b->rows[b->model->state_count + p->products[i].dest];
    begin(b, to);
    add_index(b, to, p->products[i].a);
    add_index(b, to, p->products[i].b);
  }
}

/** Compressed columns, with the diagonal, from the rows. */
static bool compress(builder *b, sb_jacobian *j) {
  int n = j->n;
  j->column_first = sb_zeroed(n + 1, sizeof(int));
  for (int i = 0; i < n; i++) {
    begin(b, &b->rows[i]);
    add(b, &b->rows[i], i);
    j->nnz += b->rows[i].count;
  }
  j->row = sb_zeroed(j->nnz, sizeof(int));
  int *next = sb_zeroed(n, sizeof(int));
  if (b->failed || j->column_first == NULL || j->row == NULL || next == NULL) {
    free(next);
    return false;
  }
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < b->rows[i].count; k++) {
      j->column_first[b->rows[i].items[k] + 1]++;
    }
  }
  for (int i = 0; i < n; i++) {
    j->column_first[i + 1] += j->column_first[i];
    next[i] = j->column_first[i];
  }
  for (int i = 0; i < n; i++) { // row by row, so that every column comes out sorted
    for (int k = 0; k < b->rows[i].count; k++) {
      j->row[next[b->rows[i].items[k]]++] = i;
    }
  }
  free(next);
  return true;
}

/** Greedy: the first colour that no column with a common row has. */
static bool paint(const builder *b, sb_jacobian *j) {
  int *used = sb_zeroed(j->n + 1, sizeof(int)); // colour -> last column that excluded it
  j->colour = sb_zeroed(j->n, sizeof(int));
  if (used == NULL || j->colour == NULL) {
    free(used);
    return false;
  }
  for (int c = 0; c < j->n; c++) {
    j->colour[c] = -1;
  }
  for (int c = 0; c < j->n; c++) {
    for (int k = j->column_first[c]; k < j->column_first[c + 1]; k++) {
      const set *row = &b->rows[j->row[k]];
      for (int i = 0; i < row->count; i++) {
        if (j->colour[row->items[i]] >= 0) {
          used[j->colour[row->items[i]]] = c + 1;
        }
      }
    }
    int colour = 0;
    while (used[colour] == c + 1) {
      colour++;
    }
    j->colour[c] = colour;
    j->colours = colour + 1 > j->colours ? colour + 1 : j->colours;
  }
  free(used);
  return true;
}

static void free_sets(set *sets, int count) {
  for (int i = 0; sets != NULL && i < count; i++) {
    free(sets[i].items);
  }
  free(sets);
}

sb_jacobian *sb_jacobian_create(const sb_model *model, const sb_workspace *work) {
  int n = sb_model_vector_count(model), values = work->program->value_count;
  sb_jacobian *j = calloc(1, sizeof *j);
  builder b = {.model = model,
               .program = work->program,
               .values = sb_zeroed(values, sizeof(set)),
               .rows = sb_zeroed(n, sizeof(set)),
               .seen = sb_zeroed(n, sizeof(int))};
  bool ok = j != NULL && b.values != NULL && b.rows != NULL && b.seen != NULL;
  if (ok) {
    j->n = n;
    visit_program(&b);
    ok = !b.failed && compress(&b, j) && paint(&b, j);
  }
  free_sets(b.values, values);
  free_sets(b.rows, n);
  free(b.seen);
  if (!ok) {
    sb_jacobian_destroy(j);
    return NULL;
  }
  return j;
}

void sb_jacobian_destroy(sb_jacobian *j) {
  if (j != NULL) {
    free(j->column_first);
    free(j->row);
    free(j->colour);
    free(j);
  }
}

SUNMatrix sb_jacobian_matrix(const sb_jacobian *j, SUNContext context) {
  return SUNSparseMatrix(j->n, j->n, j->nnz, CSC_MAT, context);
}

SUNLinearSolver sb_jacobian_solver(N_Vector y, SUNMatrix matrix, SUNContext context) {
  return SUNLinSol_KLU(y, matrix, context);
}

int sb_jacobian_evaluate(const sb_jacobian *j, sb_workspace *work, double t, const double y[],
                         const double fy[], double y2[], double f2[], SUNMatrix matrix) {
  static const double root_eps = 1.4901161193847656e-08, least = 1e-6; // [1], [state's unit]
  sunindextype *first = SM_INDEXPTRS_S(matrix), *row = SM_INDEXVALS_S(matrix);
  double *value = SM_DATA_S(matrix);
  for (int c = 0; c <= j->n; c++) {
    first[c] = j->column_first[c];
  }
  for (int colour = 0; colour < j->colours; colour++) {
    memcpy(y2, y, (size_t)j->n * sizeof *y2);
    for (int c = 0; c < j->n; c++) {
      y2[c] += j->colour[c] == colour ? root_eps * fmax(fabs(y[c]), least) : 0;
    }
    int status = sb_model_rhs(work->model, work, t, y2, f2);
    if (status != 0) {
      return 1;
    }
    for (int c = 0; c < j->n; c++) {
      double step = y2[c] - y[c];
      for (int k = j->column_first[c]; j->colour[c] == colour && k < j->column_first[c + 1]; k++) {
        row[k] = j->row[k];
        value[k] = (f2[j->row[k]] - fy[j->row[k]]) / step;
      }
    }
  }
  return 0;
}
