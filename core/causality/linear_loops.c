// SPDX-License-Identifier: GPL-3.0-or-later
// Linear algebraic loops: rows that share several unknowns (resistors that feed each other, loops of
// junctions) are solved once, at compilation, by sparse elimination (sparse_loops.c): there the pivot of a sum of conductances is the sum,
// however different they are, and whether it is a zero no matter of a tolerance. Where a constraint is stated twice (a redundant
// constraint) a pivot cancels, and the loop is solved by dense elimination with full pivoting. Rows and unknowns
// are scaled for it, as efforts and flows have units: only so is a small pivot a zero, with megaohms too.
// An effort or flow may then circulate that acts on no element; of all solutions the smallest is taken, and the loop is named in the report.
#include <math.h>
#include <string.h>

#include "core/causality/assign_private.h"
#include "core/linalg/dense.h"

/** Unknowns of one loop with redundant constraints, for the cost of a dense block grows with the cube, and of any. */
enum { BLOCK_MAX = 600, LOOP_MAX = 40000 };
/** A pivot below this fraction of the largest entry of the scaled block is zero. */
static const double pivot_tol = 1e-12;
/** What a known makes of an unknown is rounding below this fraction of what other knowns make of it, or below so many times this
 *  fraction of what it makes of another unknown as there are unknowns, for all are solved together. A coupling behind a ratio
 *  may be as small: it is none where it is above this fraction of its bound. */
static const double residue = 1e-15;

typedef struct loop {
  sb_arena memory;
  int *rows, *vars, *knowns; // knowns: everything else in the rows
  int row_count, var_count, known_count;
  int *place;    // (all variables) column in the block, from 1; of knowns counted negative
  char *seen;    // (all rows)
  double *block; // (row_count x (var_count + known_count)) row-major
  double *bound; // (the same) of the rounding of the scaled block
  double *scale; // (var_count + known_count) a variable is this times that of the block
  int *column;   // (var_count) the unknown that each row of the solved block gives
} loop;

/** Collects the connected set of rows and unknowns around an unknown. */
static sb_status collect(const sb_assign *a, int var, loop *l) {
  l->vars[l->var_count++] = var;
  l->place[var] = 1;
  for (int next = 0; next < l->var_count; next++) {
    for (int i = a->column_first[l->vars[next]]; i < a->column_first[l->vars[next] + 1]; i++) {
      int row = a->column_rows[i];
      if (l->seen[row] || a->done[row] || !a->eq.active[row]) {
        continue;
      }
      l->seen[row] = 1;
      l->rows[l->row_count++] = row;
      for (int k = a->eq.first[row]; k < a->eq.first[row + 1]; k++) {
        int other = a->eq.terms[k].var;
        if (l->place[other] != 0) {
          continue;
        }
        if (other < a->base && !a->known[other]) {
          l->vars[l->var_count++] = other;
          l->place[other] = l->var_count;
        } else {
          l->knowns[l->known_count++] = other;
          l->place[other] = -l->known_count;
        }
      }
    }
  }
  return l->var_count <= LOOP_MAX ? SB_OK : SB_ERR_LIMIT;
}

/** Memory of a set. */
static bool loop_init(const sb_assign *a, loop *l) {
  const int all = sb_value_var(a->network, sb_fixed_values(a->network, a->result));
  *l = (loop){.var_count = 0};
  l->rows = sb_arena_zeroed(&l->memory, a->eq.row_count, sizeof(int));
  l->vars = sb_arena_zeroed(&l->memory, a->base, sizeof(int));
  l->knowns = sb_arena_zeroed(&l->memory, all, sizeof(int));
  l->place = sb_arena_zeroed(&l->memory, all, sizeof(int));
  l->seen = sb_arena_zeroed(&l->memory, a->eq.row_count, sizeof(char));
  return !l->memory.failed;
}

/** Collects the set around the first unknown that is not in a set put off.
 *  @return SB_ERR_SINGULAR: there is none */
static sb_status collect_next(const sb_assign *a, loop *l) {
  int var = 0;
  while (var < a->base && (a->known[var] || a->put_off[var])) {
    var++;
  }
  return var == a->base ? SB_ERR_SINGULAR : collect(a, var, l);
}

static void fill(const sb_assign *a, loop *l) {
  int columns = l->var_count + l->known_count;
  for (int r = 0; r < l->row_count; r++) {
    int row = l->rows[r];
    for (int k = a->eq.first[row]; k < a->eq.first[row + 1]; k++) {
      int place = l->place[a->eq.terms[k].var];
      int column = place > 0 ? place - 1 : l->var_count - place - 1;
      l->block[r * columns + column] += a->eq.terms[k].factor;
    }
  }
}

/** The rows that were solved as they are for the variables themselves. */
static void unscale(loop *l, int rank) {
  int columns = l->var_count + l->known_count;
  for (int r = 0; r < rank; r++) {
    for (int j = 0; j < columns; j++) {
      l->block[r * columns + j] *= l->scale[l->column[r]] / l->scale[j];
    }
  }
}

/** What a known makes of the unknown of a row, in the units of the scaled block. */
static double effect_of(const loop *l, int r, int k) {
  const double *row = &l->block[r * (l->var_count + l->known_count) + l->var_count];
  return fabs(row[k]) * l->scale[l->var_count + k] / l->scale[l->column[r]];
}

/** Writes each unknown as a combination of what the block knows; rounding residue is dropped. The
 *  rows stay unsolved: the check for conflicts then proves them to be identities. */
static sb_status store(sb_assign *a, loop *l) {
  int columns = l->var_count + l->known_count;
  double *largest = sb_arena_zeroed(&l->memory, l->known_count, sizeof *largest);
  if (largest == NULL && l->known_count > 0) {
    return SB_ERR_MEMORY;
  }
  for (int r = 0; r < l->var_count; r++) {
    for (int k = 0; k < l->known_count; k++) {
      largest[k] = fmax(largest[k], effect_of(l, r, k));
    }
  }
  for (int r = 0; r < l->var_count; r++) {
    const double *row = &l->block[r * columns + l->var_count];
    const double *bound = &l->bound[r * columns + l->var_count];
    int var = l->vars[l->column[r]];
    double size = 0;
    for (int k = 0; k < l->known_count; k++) {
      size = fmax(size, effect_of(l, r, k));
    }
    a->result->first[var] = a->result->term_count;
    for (int k = 0; k < l->known_count; k++) {
      double beside = fmax(size, l->var_count * largest[k]);
      if (effect_of(l, r, k) > residue * fmin(beside, bound[k])) {
        sb_assign_term(a, l->knowns[k], -row[k]);
      }
    }
    a->result->count[var] = a->result->term_count - a->result->first[var];
  }
  for (int r = 0; r < l->var_count; r++) {
    sb_assign_known(a, l->vars[l->column[r]]);
  }
  return SB_OK;
}

/** Marks the variables of the bonds of storages, sources and what has hooks. */
static void mark_outside(const sb_assign *a, char outside[]) {
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    bool acts = instance->hooked || instance->type->storage != NULL;
    for (int k = 0; acts && k < instance->components; k++) {
      outside[sb_effort_var(instance, k)] = outside[sb_flow_var(instance, k)] = 1;
    }
  }
}

/** Marks the variables that change with an unknown that nothing determines. */
static void mark_touched(const loop *l, int rank, int open, char touched[]) {
  int columns = l->var_count + l->known_count;
  touched[l->vars[open]] = 1;
  for (int r = 0; r < rank; r++) {
    touched[l->vars[l->column[r]]] = fabs(l->block[r * columns + open]) > pivot_tol;
  }
}

/** The loop in which an unknown circulates that nothing determines, if it acts on no element. */
static sb_status add_redundant_loop(sb_assign *a, loop *l, int rank, int open,
                                    const char outside[]) {
  sb_causality *result = a->result;
  sb_redundant_loop found = {.effort = l->vars[open] % 2 == 0,
                             .first = result->redundant_instance_count};
  char *touched = sb_arena_zeroed(&l->memory, a->base, sizeof(char));
  if (touched == NULL) {
    return SB_ERR_MEMORY;
  }
  mark_touched(l, rank, open, touched);
  for (int v = 0; v < a->base; v++) {
    if (touched[v] && outside[v]) {
      return SB_ERR_SINGULAR;
    }
  }
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    bool on = false;
    for (int k = 0; k < instance->components; k++) {
      on = on || touched[sb_effort_var(instance, k)] || touched[sb_flow_var(instance, k)];
    }
    if (on) {
      sb_arena_append(&result->memory, &result->redundant_instances,
                      &result->redundant_instance_count, &result->redundant_instance_capacity,
                      sizeof i, &i);
    }
  }
  found.count = result->redundant_instance_count - found.first;
  sb_arena_append(&result->memory, &result->redundant_loops, &result->redundant_loop_count,
                  &result->redundant_loop_capacity, sizeof found, &found);
  return SB_OK;
}

/** The rows that have no unknown left, relations of what is known: they say nothing, or are constraints of
 *  storages (two capacitors in parallel between nodes whose voltages are unknown).
 *  @return SB_ERR_SINGULAR if they contradict each other */
static sb_status imply(sb_assign *a, loop *l, int rank, int *found) {
  int columns = l->var_count + l->known_count;
  sb_term *terms = sb_arena_zeroed(&l->memory, l->known_count, sizeof *terms);
  if (terms == NULL) {
    return SB_ERR_MEMORY;
  }
  double largest = 1;
  for (int r = 0; r < rank; r++) {
    for (int k = l->var_count; k < columns; k++) {
      largest = fmax(largest, fabs(l->block[r * columns + k]));
    }
  }
  for (int r = rank; r < l->row_count; r++) {
    int count = 0;
    for (int k = l->var_count; k < columns; k++) {
      double factor = l->block[r * columns + k];
      if (fabs(factor) > 1e-10 * largest) {
        terms[count++] = (sb_term){l->knowns[k - l->var_count], factor / l->scale[k]};
      }
    }
    SB_TRY(count == 0 ? SB_OK : sb_conflicts_imply(a, l->rows[r], terms, count, found));
  }
  return SB_OK;
}

/** With x_P = -B x_F - K k for what was solved for, the smallest of all solutions has
 *  (1 + B^T B) x_F = -B^T K k. It takes the rows behind the rank. */
static sb_status take_smallest(loop *l, int rank) {
  int columns = l->var_count + l->known_count, open = l->var_count - rank, known = l->known_count;
  double *g = sb_arena_zeroed(&l->memory, open * open, sizeof *g);
  double *x = sb_arena_zeroed(&l->memory, open * known, sizeof *x);
  const int *free_column = l->column + rank;
  if (l->memory.failed) {
    return SB_ERR_MEMORY;
  }
  for (int i = 0; i < open; i++) {
    g[i * open + i] = 1;
    for (int r = 0; r < rank; r++) {
      const double *row = l->block + r * columns;
      for (int j = 0; j < open; j++) {
        g[i * open + j] += row[free_column[i]] * row[free_column[j]];
      }
      for (int k = 0; k < known; k++) {
        x[i * known + k] -= row[free_column[i]] * row[l->var_count + k];
      }
    }
  }
  sb_solve_definite(g, x, open, known, 0);
  for (int i = 0; i < open; i++) {
    for (int k = 0; k < known; k++) {
      for (int r = 0; r < rank; r++) {
        l->block[r * columns + l->var_count + k] +=
            l->block[r * columns + free_column[i]] * x[i * known + k];
      }
      l->block[(rank + i) * columns + l->var_count + k] = -x[i * known + k];
    }
  }
  return SB_OK;
}

/** Unknowns that nothing determines circulate in redundant loops, or the network is singular. */
static sb_status close_redundant_loops(sb_assign *a, loop *l, int rank) {
  char *outside = sb_arena_zeroed(&l->memory, a->base, sizeof(char));
  char *solved = sb_arena_zeroed(&l->memory, l->var_count, sizeof(char));
  if (l->memory.failed) {
    return SB_ERR_MEMORY;
  }
  mark_outside(a, outside);
  for (int r = 0; r < rank; r++) {
    solved[l->column[r]] = 1;
  }
  for (int v = 0, next = rank; v < l->var_count; v++) {
    if (!solved[v]) {
      l->column[next++] = v;
      SB_TRY(add_redundant_loop(a, l, rank, v, outside));
    }
  }
  for (int i = 0; i < l->var_count * (l->var_count + l->known_count); i++) {
    l->bound[i] = HUGE_VAL; // the smallest solution mixes the rows
  }
  unscale(l, rank);
  return take_smallest(l, rank);
}

/** Solves the scaled block for as many unknowns as its rank. @return the rank; -1: out of memory */
static int eliminate(loop *l) {
  const int rows = l->row_count, columns = l->var_count + l->known_count;
  const size_t size = (size_t)(rows * columns) * sizeof(double);
  double *given = sb_arena_zeroed(&l->memory, rows * columns, sizeof *given);
  int *order = sb_arena_zeroed(&l->memory, rows, sizeof *order);
  int *swaps = sb_arena_zeroed(&l->memory, rows, sizeof *swaps);
  if (l->memory.failed) {
    return -1;
  }
  memcpy(given, l->block, size);
  const int rank = sb_eliminate_bounded(l->block, rows, columns, l->var_count, pivot_tol, l->column,
                                        order, l->bound);
  double *scratch =
      sb_arena_zeroed(&l->memory, rank * rank + (rank + rows + 1) * columns, sizeof *scratch);
  if (scratch == NULL) {
    return -1;
  }
  sb_refine(given, order, rows, columns, l->column, rank, l->block, swaps, scratch);
  return rank;
}

/** Solves the block; SB_ERR_SINGULAR if it leaves undetermined what acts on an element. */
static sb_status solve_block(sb_assign *a, loop *l, int *found) {
  int rows = l->row_count > l->var_count ? l->row_count : l->var_count;
  int columns = l->var_count + l->known_count;
  double *row_scale = sb_arena_zeroed(&l->memory, l->row_count, sizeof(double));
  l->block = sb_arena_zeroed(&l->memory, rows * columns, sizeof(double));
  l->bound = sb_arena_zeroed(&l->memory, rows * columns, sizeof(double));
  l->scale = sb_arena_zeroed(&l->memory, columns, sizeof(double));
  l->column = sb_arena_zeroed(&l->memory, l->var_count, sizeof(int));
  if (l->memory.failed) {
    return SB_ERR_MEMORY;
  }
  fill(a, l);
  sb_equilibrate(l->block, l->row_count, columns, l->var_count, row_scale, l->scale);
  const int rank = eliminate(l);
  if (rank < 0) {
    return SB_ERR_MEMORY;
  }
  if (rank < l->var_count) {
    SB_TRY(imply(a, l, rank, found));
    if (*found > 0) {
      return SB_OK;
    }
    SB_TRY(close_redundant_loops(a, l, rank));
  } else {
    unscale(l, rank);
  }
  a->result->loop_count++;
  return store(a, l);
}

/** One set.  @param more  out: whether it is put off, and another may be tried */
static sb_status solve_set(sb_assign *a, int *found, bool *more, sb_errors *errors) {
  const int loops = a->result->redundant_loop_count, listed = a->result->redundant_instance_count;
  loop l;
  sb_status status = loop_init(a, &l) ? collect_next(a, &l) : SB_ERR_MEMORY;
  if (status == SB_ERR_LIMIT) {
    sb_error err;
    sb_fail(&err, status, "an algebraic loop has %d unknowns; at most %d are allowed", l.var_count,
            LOOP_MAX);
    sb_errors_add(errors, &err);
  }
  if (status == SB_OK) {
    const bool dense = l.var_count <= BLOCK_MAX;
    const sb_loop_set set = {l.rows, l.vars, l.row_count, l.var_count, l.place};
    status = sb_loop_solve_sparse(a, &set, dense ? NULL : errors);
    if (dense && (status == SB_ERR_SINGULAR || status == SB_ERR_LIMIT)) {
      status = solve_block(a, &l, found);
    }
  }
  *more = status == SB_ERR_SINGULAR && l.var_count > 0;
  for (int i = 0; *more && i < l.var_count; i++) {
    a->put_off[l.vars[i]] = 1;
    a->result->redundant_loop_count = loops;
    a->result->redundant_instance_count = listed;
  }
  sb_arena_finish(&l.memory);
  return status;
}

/** A set that is singular waits for the others: they may imply the constraint that determines it, as two paths between the same
 *  junctions, by ratios that differ, let neither effort nor flow pass. */
sb_status sb_loop_solve(sb_assign *a, int *found, sb_errors *errors) {
  bool more = true;
  sb_status status = SB_OK;
  memset(a->put_off, 0, (size_t)a->base);
  while (more) {
    status = solve_set(a, found, &more, errors);
  }
  return status;
}

bool sb_loop_determines(sb_assign *a, int var) {
  loop l;
  bool determined = false;
  if (loop_init(a, &l) && !a->known[var] && collect(a, var, &l) == SB_OK) {
    l.vars[0] = l.vars[--l.var_count]; // the first one is that asked for: it is taken as known
    l.place[l.vars[0]] = 1;
    l.place[var] = 0;
    const sb_loop_set set = {l.rows, l.vars, l.row_count, l.var_count, l.place};
    determined = sb_loop_implies(a, &set, var);
  }
  a->memory.failed = a->memory.failed || l.memory.failed;
  sb_arena_finish(&l.memory);
  return determined;
}
