// SPDX-License-Identifier: GPL-3.0-or-later
// Linear algebraic loops: rows that share several unknowns (resistors that feed each other, rings
// of junctions) are solved once, at compilation, by dense elimination with full pivoting. Rows and
// unknowns are scaled for it, as efforts and flows have units: only so is a small pivot a zero, with
// megaohms too. Where a constraint is stated twice, something may go round that acts on no element; of
// all solutions the smallest is taken, and the ring is named in the report.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/causality/assign_private.h"
#include "core/linalg/dense.h"

/** Unknowns of one loop; the cost grows with the cube. */
enum { LOOP_MAX = 600 };
/** A pivot below this part of the largest entry of the scaled block is zero. */
static const double pivot_tol = 1e-12;
/** Passes of scaling at the most; entries that differ by less than this power of two stay as they are. */
enum { SCALINGS = 60, ALIKE = 12 };

typedef struct loop {
  int *rows, *vars, *knowns; // knowns: everything else in the rows
  int row_count, var_count, known_count;
  int *place;    // (all variables) column in the block, from 1
  double *block; // (row_count x (var_count + known_count)) row-major
  double *scale; // (var_count + known_count) a variable is this times that of the block
} loop;

static void loop_finish(loop *l) {
  free(l->rows);
  free(l->vars);
  free(l->knowns);
  free(l->place);
  free(l->block);
  free(l->scale);
}

/** Collects the connected set of rows and unknowns around the first unknown. */
static sb_status collect(const sb_assign *a, loop *l, char *seen_rows) {
  int var = 0;
  while (a->known[var]) {
    var++;
  }
  l->vars[l->var_count++] = var;
  l->place[var] = 1;
  for (int next = 0; next < l->var_count; next++) {
    for (int i = a->column_first[l->vars[next]]; i < a->column_first[l->vars[next] + 1]; i++) {
      int row = a->column_rows[i];
      if (seen_rows[row] || a->done[row] || !a->eq.active[row]) {
        continue;
      }
      seen_rows[row] = 1;
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

/** Lets the binary exponents of a row's unknowns, or of a column, be zero in the mean; returns by how
 *  much they were not. Entries are `step` apart. */
static double centre(const double entry[], int count, int step, const double other[], double *own) {
  double sum = 0, before = *own;
  int present = 0;
  for (int i = 0; i < count; i++) {
    int exponent;
    if (entry[i * step] != 0) {
      (void)frexp(entry[i * step], &exponent);
      sum += exponent - 1 + other[i];
      present++;
    }
  }
  *own = present > 0 ? -sum / present : 0;
  return fabs(*own - before);
}

/** Whether the entries of the block are of about one size. */
static bool are_alike(const loop *l) {
  double least = HUGE_VAL, most = 0;
  for (int i = 0; i < l->row_count * (l->var_count + l->known_count); i++) {
    double size = fabs(l->block[i]);
    least = size > 0 ? fmin(least, size) : least;
    most = fmax(most, size);
  }
  return most <= ldexp(least, ALIKE);
}

/** Scales rows and columns by powers of two, so that entries are 1 in the geometric mean of each (Curtis
 *  and Reid, "On the automatic scaling of matrices for Gaussian elimination", 1972). Nothing is rounded.
 *  @param row  scratch (row_count) */
static void equilibrate(loop *l, double row[]) {
  int columns = l->var_count + l->known_count;
  double change = are_alike(l) ? 0 : 1;
  for (int pass = 0; change > 0.25 && pass < SCALINGS; pass++) {
    change = 0;
    for (int i = 0; i < l->row_count; i++) {
      double moved = centre(&l->block[i * columns], l->var_count, 1, l->scale, &row[i]);
      change = fmax(change, moved);
    }
    for (int j = 0; j < columns; j++) {
      double moved = centre(&l->block[j], l->row_count, columns, row, &l->scale[j]);
      change = fmax(change, moved);
    }
  }
  for (int j = 0; j < columns; j++) {
    int power = (int)lrint(l->scale[j]);
    l->scale[j] = ldexp(1, power);
    for (int i = 0; i < l->row_count; i++) {
      l->block[i * columns + j] = ldexp(l->block[i * columns + j], power + (int)lrint(row[i]));
    }
  }
}

/** The rows that were solved as they are for the variables themselves. */
static void unscale(loop *l, const int column[], int rank) {
  int columns = l->var_count + l->known_count;
  for (int r = 0; r < rank; r++) {
    for (int j = 0; j < columns; j++) {
      l->block[r * columns + j] *= l->scale[column[r]] / l->scale[j];
    }
  }
}

/** Writes each unknown as a combination of what the block knows; rounding residue is dropped. The
 *  rows stay unsolved: the check for conflicts then proves them to be identities. */
static bool store(sb_assign *a, const loop *l, const int column[]) {
  int columns = l->var_count + l->known_count;
  for (int r = 0; r < l->var_count; r++) {
    const double *row = &l->block[r * columns + l->var_count];
    int var = l->vars[column[r]];
    double size = 0;
    for (int k = 0; k < l->known_count; k++) {
      size = fmax(size, fabs(row[k]) * l->scale[l->var_count + k]);
    }
    a->result->first[var] = a->result->term_count;
    for (int k = 0; k < l->known_count; k++) {
      bool counts = fabs(row[k]) * l->scale[l->var_count + k] > 1e-15 * size;
      if (counts && !sb_assign_term(a, l->knowns[k], -row[k])) {
        return false;
      }
    }
    a->result->count[var] = a->result->term_count - a->result->first[var];
  }
  for (int r = 0; r < l->var_count; r++) {
    sb_assign_known(a, l->vars[column[r]]);
  }
  return true;
}

/** Variables of the bonds of storages, sources and what has hooks. */
static void mark_outside(const sb_assign *a, char outside[]) {
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    for (int k = 0; k < instance->components; k++) {
      if (!instance->hooked && instance->type->role != SB_STORAGE) {
        continue;
      }
      outside[sb_effort_var(instance, k)] = outside[sb_flow_var(instance, k)] = 1;
    }
  }
}

/** The ring of one unknown that nothing determines, if it passes by no element. */
static sb_status add_redundant_loop(sb_assign *a, const loop *l, const int column[], int rank,
                                    int open, const char outside[]) {
  int columns = l->var_count + l->known_count;
  sb_causality *result = a->result;
  sb_redundant_loop found = {.effort = l->vars[open] % 2 == 0,
                             .first = result->redundant_instance_count};
  char *touched = sb_zeroed(a->base, sizeof(char));
  if (touched == NULL) {
    return SB_ERR_MEMORY;
  }
  touched[l->vars[open]] = 1;
  for (int r = 0; r < rank; r++) {
    touched[l->vars[column[r]]] = fabs(l->block[r * columns + open]) > pivot_tol;
  }
  sb_status status = SB_OK;
  for (int v = 0; v < a->base; v++) {
    status = touched[v] && outside[v] ? SB_ERR_SINGULAR : status;
  }
  for (int i = 0; status == SB_OK && i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    bool on = false;
    for (int k = 0; k < instance->components; k++) {
      on = on || touched[sb_effort_var(instance, k)] || touched[sb_flow_var(instance, k)];
    }
    if (on && !sb_append(&result->redundant_instances, &result->redundant_instance_count,
                         &result->redundant_instance_capacity, sizeof i, &i)) {
      status = SB_ERR_MEMORY;
    }
  }
  found.count = result->redundant_instance_count - found.first;
  free(touched);
  if (status == SB_OK && !sb_append(&result->redundant_loops, &result->redundant_loop_count,
                                    &result->redundant_loop_capacity, sizeof found, &found)) {
    status = SB_ERR_MEMORY;
  }
  return status;
}

/** Whether the rows that have no unknown left say nothing about what is known. */
static bool consistent(const loop *l, int rank) {
  int columns = l->var_count + l->known_count;
  double largest = 1;
  for (int r = 0; r < l->row_count; r++) {
    for (int k = l->var_count; k < columns; k++) {
      double size = fabs(l->block[r * columns + k]);
      if (r >= rank && size > 1e-10 * largest) {
        return false;
      }
      largest = fmax(largest, size);
    }
  }
  return true;
}

/** g X = b for the positive definite (n x n) g, b and X (n x m). */
static void solve_all(double g[], double b[], int n, int m) {
  for (int p = 0; p < n; p++) {
    for (int i = 0; i < n; i++) {
      double factor = i == p ? 0 : g[i * n + p] / g[p * n + p];
      for (int j = p; factor != 0 && j < n; j++) {
        g[i * n + j] -= factor * g[p * n + j];
      }
      for (int j = 0; factor != 0 && j < m; j++) {
        b[i * m + j] -= factor * b[p * m + j];
      }
    }
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) {
      b[i * m + j] /= g[i * n + i];
    }
  }
}

/** With x_P = -B x_F - K k for what was solved for, the smallest of all solutions has
 *  (1 + B^T B) x_F = -B^T K k. It takes the rows behind the rank. */
static sb_status take_smallest(loop *l, int column[], int rank) {
  int columns = l->var_count + l->known_count, open = l->var_count - rank, known = l->known_count;
  double *g = sb_zeroed(open * open, sizeof *g), *x = sb_zeroed(open * known, sizeof *x);
  const int *free_column = column + rank;
  for (int i = 0; g != NULL && x != NULL && i < open; i++) {
    for (int j = 0; j < open; j++) {
      g[i * open + j] = i == j;
      for (int r = 0; r < rank; r++) {
        g[i * open + j] +=
            l->block[r * columns + free_column[i]] * l->block[r * columns + free_column[j]];
      }
    }
    for (int r = 0; r < rank; r++) {
      for (int k = 0; k < known; k++) {
        x[i * known + k] -=
            l->block[r * columns + free_column[i]] * l->block[r * columns + l->var_count + k];
      }
    }
  }
  bool ok = g != NULL && x != NULL;
  if (ok) {
    solve_all(g, x, open, known);
  }
  for (int i = 0; ok && i < open; i++) {
    for (int k = 0; k < known; k++) {
      for (int r = 0; r < rank; r++) {
        l->block[r * columns + l->var_count + k] +=
            l->block[r * columns + free_column[i]] * x[i * known + k];
      }
      l->block[(rank + i) * columns + l->var_count + k] = -x[i * known + k];
    }
  }
  free(g);
  free(x);
  return ok ? SB_OK : SB_ERR_MEMORY;
}

/** Unknowns that nothing determines are rings, or the network is singular. */
static sb_status close_redundant_loops(sb_assign *a, loop *l, int column[], int rank) {
  char *outside = sb_zeroed(a->base, sizeof(char)), *solved = sb_zeroed(l->var_count, sizeof(char));
  sb_status status = outside == NULL || solved == NULL ? SB_ERR_MEMORY
                     : consistent(l, rank)             ? SB_OK
                                                       : SB_ERR_SINGULAR;
  int next = rank;
  if (status == SB_OK) {
    mark_outside(a, outside);
  }
  for (int r = 0; status == SB_OK && r < rank; r++) {
    solved[column[r]] = 1;
  }
  for (int v = 0; status == SB_OK && v < l->var_count; v++) {
    if (!solved[v]) {
      column[next++] = v;
      status = add_redundant_loop(a, l, column, rank, v, outside);
    }
  }
  free(outside);
  free(solved);
  unscale(l, column, rank);
  return status == SB_OK ? take_smallest(l, column, rank) : status;
}

/** Solves the block; SB_ERR_SINGULAR if it leaves open what acts on an element.
 *  @param column  scratch: the unknown that each row gives
 *  @param row  scratch (row_count), zero */
static sb_status solve_block(sb_assign *a, loop *l, int column[], double row[]) {
  fill(a, l);
  equilibrate(l, row);
  int rank = sb_eliminate(l->block, l->row_count, l->var_count + l->known_count, l->var_count,
                          pivot_tol, column);
  if (rank < l->var_count) {
    SB_TRY(close_redundant_loops(a, l, column, rank));
  } else {
    unscale(l, column, rank);
  }
  a->result->loop_count++;
  return store(a, l, column) ? SB_OK : SB_ERR_MEMORY;
}

sb_status sb_loop_solve(sb_assign *a, sb_errors *errors) {
  int all = sb_value_var(a->network, sb_fixed_values(a->network, a->result));
  char *seen = sb_zeroed(a->eq.row_count, sizeof(char));
  loop l = {.rows = sb_zeroed(a->eq.row_count, sizeof(int)),
            .vars = sb_zeroed(a->base, sizeof(int)),
            .knowns = sb_zeroed(all, sizeof(int)),
            .place = sb_zeroed(all, sizeof(int))};
  int *column = sb_zeroed(a->base, sizeof(int));
  double *row_scale = NULL;
  sb_status status = SB_ERR_MEMORY;
  if (seen != NULL && l.rows != NULL && l.vars != NULL && l.knowns != NULL && l.place != NULL &&
      column != NULL) {
    status = collect(a, &l, seen);
  }
  if (status == SB_ERR_LIMIT) {
    sb_error err;
    sb_fail(&err, status, "an algebraic loop has %d unknowns; at most %d are allowed", l.var_count,
            LOOP_MAX);
    sb_errors_add(errors, &err);
  }
  if (status == SB_OK) {
    int rows = l.row_count > l.var_count ? l.row_count : l.var_count;
    l.block = sb_zeroed(rows * (l.var_count + l.known_count), sizeof(double));
    l.scale = sb_zeroed(l.var_count + l.known_count, sizeof(double));
    row_scale = sb_zeroed(l.row_count, sizeof(double));
    status = l.block == NULL || l.scale == NULL || row_scale == NULL
                 ? SB_ERR_MEMORY
                 : solve_block(a, &l, column, row_scale);
  }
  loop_finish(&l);
  free(seen);
  free(column);
  free(row_scale);
  return status;
}
