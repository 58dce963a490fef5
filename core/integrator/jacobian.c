// SPDX-License-Identifier: GPL-3.0-or-later
// Columns that share no curved row are perturbed together (Curtis, Powell and Reid 1974), so that a
// chain of any length costs a handful of right-hand sides, and one of linear elements none.
#include "core/integrator/jacobian.h"
#include "core/model/constraints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include "core/base/array.h"
#include "core/model/rhs.h"

// Every value and rate is a combination of states, as long as only rows of the program make it. What
// a hook makes of states is curved, and so is all that is made of it; there only the pattern is known.
typedef struct entry {
  int state;
  double factor;
} entry;

typedef struct set { // of states, unsorted, without repetition
  entry *items;
  int count, capacity;
  bool curved;
} set;

typedef struct builder {
  const sb_network *network;
  const sb_program *program;
  set *values;      // (value_count) what each value depends on
  set *rows;        // (n) what each rate depends on
  int *seen, *slot; // (n) stamp of the set that a state was last put into, and where
  int stamp;
  bool failed;
} builder;

static void add(builder *b, set *to, int state, double factor) {
  if (b->failed) {
    return;
  }
  if (b->seen[state] == b->stamp) {
    to->items[b->slot[state]].factor += factor;
    return;
  }
  b->seen[state] = b->stamp;
  b->slot[state] = to->count;
  entry item = {state, factor};
  b->failed = !sb_append(&to->items, &to->count, &to->capacity, sizeof item, &item);
}

static void begin(builder *b, const set *to) {
  b->stamp++;
  for (int i = 0; i < to->count; i++) {
    b->seen[to->items[i].state] = b->stamp;
    b->slot[to->items[i].state] = i;
  }
}

static void add_set(builder *b, set *to, const set *from, double factor) {
  to->curved = to->curved || from->curved;
  for (int i = 0; i < from->count; i++) {
    add(b, to, from->items[i].state, factor * from->items[i].factor);
  }
}

static void visit_rows(builder *b, const sb_op *op) {
  const sb_program *p = b->program;
  for (int r = op->first; r < op->first + op->count; r++) {
    const sb_row *row = &p->rows[r];
    for (int k = 0; k < row->repeat; k++) {
      set *to = &b->values[row->dest + k];
      begin(b, to);
      for (int i = row->first; i < row->first + row->count; i++) {
        if (i < row->first + row->states) {
          add(b, to, p->index[i] + k, p->factor[i]);
        } else {
          add_set(b, to, &b->values[p->index[i] + k], p->factor[i]);
        }
      }
    }
  }
}

/** A hook may read all of its part's inputs, signals and states, and the rates of what comes in. */
static void add_reads(builder *b, set *to, const sb_instance *instance, bool rates) {
  int shift = rates ? sb_rate_value(b->network, 0) : 0;
  for (int k = 0; k < instance->layout.states; k++) {
    add(b, to, instance->state + k, 1);
  }
  for (int k = 0; instance->hooked && k < instance->components; k++) {
    add_set(b, to, &b->values[instance->in + k], 1);
    add_set(b, to, &b->values[shift + instance->in + k], 1);
  }
  for (int k = 0; k < instance->wire_count; k++) {
    add_set(b, to, &b->values[b->network->wires[instance->wire + k]], 1);
    add_set(b, to, &b->values[shift + b->network->wires[instance->wire + k]], 1);
  }
}

/** Something that may depend in any way on what `all` holds. */
static void set_curved(builder *b, set *to, const set *all) {
  begin(b, to);
  add_set(b, to, all, 1);
  to->curved = to->count > 0;
}

static void visit_hook(builder *b, const sb_op *op) {
  const sb_instance *instance = &b->network->instances[op->instance];
  const sb_operation *operation = &sb_operations[op->kind];
  bool dots = operation->dot;
  int shift = dots ? sb_rate_value(b->network, 0) : 0;
  set all = {0};
  begin(b, &all);
  add_reads(b, &all, instance, dots);
  for (int k = 0; k < instance->signal_count && op->kind == SB_OP_ADJOINT; k++) {
    add_set(b, &all, &b->values[instance->signal + k], 1);
  }
  for (int k = 0; k < instance->components; k++) {
    if (sb_components_hold(operation->gives, instance, k)) {
      set_curved(b, &b->values[shift + instance->out + k], &all);
    }
  }
  for (int k = 0; k < instance->signal_count && operation->gives_signals; k++) {
    set_curved(b, &b->values[shift + instance->signal + k], &all);
  }
  for (int k = 0; k < instance->layout.states && operation->gives_xdot; k++) {
    set_curved(b, &b->rows[instance->state + k], &all);
  }
  free(all.items);
}

/** Every output of a loop depends on what comes to any of its inputs. */
static void visit_loop(builder *b, const sb_op *op) {
  const sb_loop *loop = &b->program->loops[op->first];
  set all = {0};
  begin(b, &all);
  bool rates = b->program->causality.constraint_count > 0;
  for (int k = 0; k < loop->count; k++) {
    add_reads(b, &all, &b->network->instances[b->program->loop_hooks[loop->first + k].op.instance],
              rates);
  }
  for (int k = 0; k < loop->input_count; k++) {
    int value = b->program->loop_inputs[loop->first_input + k];
    add_set(b, &all, &b->values[value < 0 ? -1 - value : value], 1);
  }
  for (int k = 0; k < loop->output_count; k++) {
    set_curved(b, &b->values[b->program->loop_outputs[loop->first_output + k]], &all);
  }
  free(all.items);
}

static void visit_groups(builder *b) {
  const sb_program *p = b->program;
  for (int g = 0; g < p->group_count; g++) {
    const sb_rate_group *group = &p->groups[g];
    for (int r = 0; r < group->count; r++) {
      set *to = &b->rows[p->rate_dest[group->first_row + r]];
      begin(b, to);
      for (int i = 0; i < group->terms; i++) {
        int term = group->first_term + r * group->terms + i;
        add(b, to, p->rate_index[term], p->rate_factor[term]);
      }
    }
  }
}

static void visit_runs(builder *b) {
  const sb_program *p = b->program;
  for (int i = 0; i < p->run_count; i++) {
    const sb_rate_run *run = &p->runs[i];
    for (int r = 0; r < run->count; r++) {
      set *to = &b->rows[run->dest + r * run->stride];
      begin(b, to);
      for (int k = 0; k < run->terms; k++) {
        int factor = run->first + (run->uniform ? k : k * run->count + r);
        add(b, to, run->index[k] + r * run->stride, p->rate_factor[factor]);
      }
    }
  }
}

static void visit_bands(builder *b) {
  const sb_program *p = b->program;
  for (int i = 0; i < p->band_count; i++) {
    const sb_rate_band *band = &p->bands[i];
    for (int r = 0; r < band->count; r++) {
      set *to = &b->rows[band->dest + r];
      begin(b, to);
      for (int k = 0; k < band->terms; k++) {
        double factor = p->band_factor[sb_band_factor(band, k, r)];
        if (factor != 0) { // else it only fills up
          add(b, to, band->index[k] + r, factor);
        }
      }
    }
  }
}

static void visit_program(builder *b) {
  const sb_program *p = b->program;
  for (int i = 0; i < p->op_count; i++) {
    (p->ops[i].kind == SB_OP_ROWS   ? visit_rows
     : p->ops[i].kind == SB_OP_LOOP ? visit_loop
                                    : visit_hook)(b, &p->ops[i]);
  }
  visit_groups(b);
  visit_runs(b);
  visit_bands(b);
  for (int i = 0; i < p->extra_count; i++) {
    const sb_rate_extra *extra = &p->extras[i];
    begin(b, &b->rows[extra->dest]);
    add_set(b, &b->rows[extra->dest], &b->values[extra->index], extra->factor);
  }
}

/** Links the states of each group of ties in a ring.
 *  @param next  out: (states) the next of the same group, -1: it is in none; @param x  scratch, zero */
static bool link_groups(sb_workspace *work, int next[], const double x[]) {
  sb_groups *g = sb_groups_of(work);
  for (int i = 0; i < work->network->state_count; i++) {
    next[i] = -1;
  }
  for (int group = 0; g != NULL && group < g->count; group++) {
    int n;
    (void)sb_group_begin(g, work, group, x, &n);
    for (int k = 0; k < n && g->solved[group]; k++) {
      next[g->states[k]] = g->states[(k + 1) % n];
    }
    sb_group_end(g, n);
  }
  return g != NULL;
}

/** The states that signals of sources and of modulated structures depend on, by which ties may
 *  change. */
static void collect_signals(builder *b, set *to) {
  const sb_network *network = b->network;
  begin(b, to);
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    bool constraints = instance->type->structure != NULL || instance->type->source != NULL;
    for (int k = 0; constraints && k < instance->wire_count; k++) {
      add_set(b, to, &b->values[network->wires[instance->wire + k]], 0);
    }
  }
}

/** In discrete gradient methods what one storage of a group of ties gives depends on all of the group,
 *  and on what its ties depend on (discrete_ties.c). */
static bool couple_groups(builder *b, sb_workspace *work) {
  int states = b->network->state_count;
  if (!sb_has_multipliers(&b->program->causality)) {
    return true;
  }
  set signals = {0};
  int *next = sb_zeroed(states, sizeof(int));
  double *x = sb_zeroed(states, sizeof(double));
  bool ok = next != NULL && x != NULL && link_groups(work, next, x);
  collect_signals(b, &signals);
  for (int i = 0; ok && i < states; i++) {
    set *row = &b->rows[i];
    bool constrained = false;
    begin(b, row);
    for (int k = 0, assigned = row->count; k < assigned; k++) {
      int first = row->items[k].state;
      constrained = constrained || next[first] >= 0;
      for (int j = next[first]; j >= 0 && j != first; j = next[j]) {
        add(b, row, j, 0);
      }
    }
    if (constrained) {
      add_set(b, row, &signals, 0);
    }
  }
  free(signals.items);
  free(next);
  free(x);
  return ok;
}

static int count_entries(builder *b, int n) {
  int count = 0;
  for (int i = 0; i < n; i++) {
    begin(b, &b->rows[i]);
    add(b, &b->rows[i], i, 0); // the diagonal
    count += b->rows[i].count;
  }
  return count;
}

/** Compressed columns from the rows. */
static bool compress(builder *b, sb_jacobian *j) {
  int n = j->n;
  j->nnz = count_entries(b, n);
  j->column_first = sb_zeroed(n + 1, sizeof(int));
  j->row = sb_zeroed(j->nnz, sizeof(int));
  j->value = sb_zeroed(j->nnz, sizeof(double));
  j->curved = sb_zeroed(n, sizeof(char));
  int *next = b->slot; // no longer needed
  if (b->failed || j->column_first == NULL || j->row == NULL || j->value == NULL ||
      j->curved == NULL) {
    return false;
  }
  for (int i = 0; i < n; i++) {
    j->curved[i] = b->rows[i].curved;
    for (int k = 0; k < b->rows[i].count; k++) {
      j->column_first[b->rows[i].items[k].state + 1]++;
    }
  }
  for (int i = 0; i < n; i++) {
    j->column_first[i + 1] += j->column_first[i];
    next[i] = j->column_first[i];
  }
  for (int i = 0; i < n; i++) { // row by row, so that every column comes out sorted
    for (int k = 0; k < b->rows[i].count; k++) {
      int place = next[b->rows[i].items[k].state]++;
      j->row[place] = i;
      j->value[place] = b->rows[i].items[k].factor;
    }
  }
  return true;
}

/** Greedy: the first colour that no column with a common curved row has. */
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
    bool needed = false;
    for (int k = j->column_first[c]; k < j->column_first[c + 1]; k++) {
      const set *row = &b->rows[j->row[k]];
      needed = needed || row->curved;
      for (int i = 0; row->curved && i < row->count; i++) {
        int other = j->colour[row->items[i].state];
        if (other >= 0) {
          used[other] = c + 1;
        }
      }
    }
    int colour = 0;
    while (used[colour] == c + 1) {
      colour++;
    }
    j->colour[c] = needed ? colour : -1;
    j->colours = needed && colour + 1 > j->colours ? colour + 1 : j->colours;
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

sb_jacobian *sb_jacobian_create(const sb_network *network, sb_workspace *work, bool exact) {
  int n = network->state_count, values = work->program->value_count;
  sb_jacobian *j = calloc(1, sizeof *j);
  builder b = {.network = network,
               .program = work->program,
               .values = sb_zeroed(values, sizeof(set)),
               .rows = sb_zeroed(n, sizeof(set)),
               .seen = sb_zeroed(n, sizeof(int)),
               .slot = sb_zeroed(n, sizeof(int))};
  bool ok = j != NULL && b.values != NULL && b.rows != NULL && b.seen != NULL && b.slot != NULL;
  if (ok) {
    j->n = n;
    j->generation = work->generation;
    visit_program(&b);
    for (int i = 0; i < n && !exact; i++) {
      b.rows[i].curved = true;
    }
    ok = (exact || couple_groups(&b, work)) && !b.failed && compress(&b, j) && paint(&b, j);
  }
  free_sets(b.values, values);
  free_sets(b.rows, n);
  free(b.seen);
  free(b.slot);
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
    free(j->value);
    free(j->curved);
    free(j->colour);
    free(j);
  }
}

bool sb_jacobian_is_stale(const sb_jacobian *j, const sb_workspace *work) {
  return j->generation != work->generation;
}

int sb_jacobian_evaluate(sb_jacobian *j, sb_workspace *work, double t, const double y[],
                         const double fy[], double y2[], double f2[]) {
  static const double root_eps = 1.4901161193847656e-08, least = 1e-6; // [1], [state's unit]
  for (int colour = 0; colour < j->colours; colour++) {
    memcpy(y2, y, (size_t)j->n * sizeof *y2);
    for (int c = 0; c < j->n; c++) {
      y2[c] += j->colour[c] == colour ? root_eps * fmax(fabs(y[c]), least) : 0;
    }
    int status = sb_workspace_rates(work, t, y2, f2, NULL);
    if (status != 0) {
      return 1;
    }
    for (int c = 0; c < j->n; c++) {
      double step = y2[c] - y[c];
      for (int k = j->column_first[c]; j->colour[c] == colour && k < j->column_first[c + 1]; k++) {
        int row = j->row[k];
        j->value[k] = j->curved[row] ? (f2[row] - fy[row]) / step : j->value[k];
      }
    }
  }
  return 0;
}

SUNMatrix sb_jacobian_matrix(const sb_jacobian *j, int length, SUNContext context) {
  return SUNSparseMatrix(length, length, j->nnz + length - j->n, CSC_MAT, context);
}

SUNLinearSolver sb_jacobian_solver(N_Vector y, SUNMatrix matrix, SUNContext context) {
  SUNLinearSolver solver = SUNLinSol_KLU(y, matrix, context);
  if (solver != NULL && SUNLinSol_KLUSetOrdering(solver, 0) != 0) { // AMD
    SUNLinSolFree(solver);
    return NULL;
  }
  return solver;
}

void sb_jacobian_shift(const sb_jacobian *j, double gamma, SUNMatrix matrix) {
  sunindextype *first = SM_INDEXPTRS_S(matrix), *row = SM_INDEXVALS_S(matrix);
  double *value = SM_DATA_S(matrix);
  first[0] = 0;
  for (int c = 0; c < j->n; c++) {
    for (int k = j->column_first[c]; k < j->column_first[c + 1]; k++) {
      row[k] = j->row[k];
      value[k] = (j->row[k] == c) - gamma * j->value[k];
    }
    first[c + 1] = j->column_first[c + 1];
  }
  for (sunindextype c = j->n; c < SM_COLUMNS_S(matrix); c++) {
    row[first[c]] = c;
    value[first[c]] = 1;
    first[c + 1] = first[c] + 1;
  }
}
