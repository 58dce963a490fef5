// SPDX-License-Identifier: GPL-3.0-or-later
// Linear algebraic loops: rows that share several unknowns (resistors that feed each other, rings
// of junctions) are solved once, at compilation, by dense elimination with full pivoting.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array_private.h"
#include "core/assign_private.h"

/** Unknowns of one loop; the cost grows with the cube. */
enum { LOOP_MAX = 600 };
/** A pivot below this part of the largest entry of the block is zero. */
static const double pivot_tol = 1e-12;

typedef struct loop {
  int *rows, *vars, *knowns; // knowns: everything else in the rows
  int row_count, var_count, known_count;
  int *place; // (all variables) column in the block, from 1
  int place_count;
  double *block; // (row_count x (var_count + known_count)) row-major
  int *column;   // (var_count) variable of each pivot column
} loop;

static void loop_finish(loop *l) {
  free(l->rows);
  free(l->vars);
  free(l->knowns);
  free(l->place);
  free(l->block);
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

static void swap_rows(double *block, int columns, int i, int j) {
  for (int k = 0; i != j && k < columns; k++) {
    double swap = block[i * columns + k];
    block[i * columns + k] = block[j * columns + k];
    block[j * columns + k] = swap;
  }
}

/** Gauss-Jordan on the columns of the unknowns. column[r] is the unknown that row r gives. */
static int reduce(loop *l, int column[]) {
  int columns = l->var_count + l->known_count, rank = 0;
  double largest = 0;
  for (int limit = l->row_count < l->var_count ? l->row_count : l->var_count; rank < limit;
       rank++) {
    double best = 0;
    int row = -1, pivot = -1;
    for (int i = rank; i < l->row_count; i++) {
      for (int j = 0; j < l->var_count; j++) {
        if (fabs(l->block[i * columns + j]) > best) {
          best = fabs(l->block[i * columns + j]);
          row = i;
          pivot = j;
        }
      }
    }
    largest = fmax(largest, best);
    if (row < 0 || best <= pivot_tol * largest) {
      break;
    }
    swap_rows(l->block, columns, rank, row);
    column[rank] = pivot;
    double *p = &l->block[rank * columns], inverse = 1 / p[pivot];
    for (int j = 0; j < columns; j++) {
      p[j] *= inverse;
    }
    for (int i = 0; i < l->row_count; i++) {
      double factor = i == rank ? 0 : l->block[i * columns + pivot];
      for (int j = 0; factor != 0 && j < columns; j++) {
        l->block[i * columns + j] -= factor * p[j];
      }
    }
  }
  return rank;
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
      size = fmax(size, fabs(row[k]));
    }
    a->result->first[var] = a->result->term_count;
    for (int k = 0; k < l->known_count; k++) {
      if (fabs(row[k]) > 1e-15 * size && !sb_assign_term(a, l->knowns[k], -row[k])) {
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

sb_status sb_loop_solve(sb_assign *a, sb_errors *errors) {
  int all = sb_value_var(a->model, a->model->value_count);
  char *seen = sb_zeroed(a->eq.row_count, sizeof(char));
  loop l = {.rows = sb_zeroed(a->eq.row_count, sizeof(int)),
            .vars = sb_zeroed(a->base, sizeof(int)),
            .knowns = sb_zeroed(all, sizeof(int)),
            .place = sb_zeroed(all, sizeof(int))};
  int *column = sb_zeroed(a->base, sizeof(int));
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
    l.block = sb_zeroed(l.row_count * (l.var_count + l.known_count), sizeof(double));
    status = l.block == NULL ? SB_ERR_MEMORY : SB_OK;
  }
  if (status == SB_OK) {
    fill(a, &l);
    status = reduce(&l, column) < l.var_count ? SB_ERR_SINGULAR
             : store(a, &l, column)           ? SB_OK
                                              : SB_ERR_MEMORY;
  }
  loop_finish(&l);
  free(seen);
  free(column);
  return status;
}
