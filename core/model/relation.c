// SPDX-License-Identifier: GPL-3.0-or-later
// The criss-cross method for a linear complementarity problem (den Hertog, Roos and Terlaky, "The linear complementarity problem, sufficient
// matrices, and the criss-cross method", Linear Algebra Appl. 187, 1993) on a relation, whose matrix M, w = M z + q, is positive
// semidefinite as the relation is monotone.
#include "core/model/relation_private.h"

#include <math.h>

/** A coefficient of the relation below this fraction of the largest of its variable is rounding. */
static const double rounding = 1e-9;
/** What is left of a difference below this fraction of its terms is rounding. */
static const double cancelled = 1e-14;
/** A w is known to this fraction of the largest that it has been. */
static const double known = 1e-12;
enum { STEPS_EACH = 1000 };

/** Solves a row for a variable, and takes it out of all others. */
static void pivot(sb_relation *r, int row, int column) {
  sb_extended *own = r->a + row * r->columns;
  const sb_extended divisor = own[column];
  for (int k = 0; k < r->columns; k++) {
    own[k] /= divisor;
  }
  for (int i = 0; i < r->rows; i++) {
    sb_extended *other = r->a + i * r->columns;
    const sb_extended factor = other[column];
    for (int k = 0; k < r->columns && i != row && factor != 0; k++) {
      const sb_extended change = factor * own[k], left = other[k] - change;
      const bool zero = k == column || sb_extended_abs(left) <= cancelled * sb_extended_abs(change);
      other[k] = zero ? 0 : left;
    }
  }
  r->taken[row] = true;
  r->row_of[column] = row;
}

/** The row that has most of a variable, among those that are left. @param most  in and out */
static int largest_row(const sb_relation *r, int column, double *most) {
  int best = -1;
  for (int i = 0; i < r->rows; i++) {
    const double size = (double)sb_extended_abs(r->a[i * r->columns + column]);
    if (!r->taken[i] && size > *most * r->scale[column]) {
      *most = size / r->scale[column];
      best = i;
    }
  }
  return best;
}

static void measure(const sb_relation *r) {
  for (int k = 0; k < r->columns; k++) {
    r->scale[k] = 0;
    for (int i = 0; i < r->rows; i++) {
      const double size = r->taken[i] ? 0 : (double)sb_extended_abs(r->a[i * r->columns + k]);
      r->scale[k] = fmax(r->scale[k], size);
    }
  }
}

/** Of each pair the variable that is zero at first becomes one of those that are free, or the other one.
 *  @param present  these first */
static int choose(sb_relation *r, const bool second[], bool present) {
  int count = 0;
  for (bool any = true; any;) {
    int row = -1, column = -1;
    double most = rounding;
    for (int k = 0; k < r->n; k++) {
      const int own = k + (second[k] == present ? r->n : 0);
      const bool chosen = r->row_of[k] >= 0 || r->row_of[r->n + k] >= 0;
      const int best = chosen ? -1 : largest_row(r, own, &most);
      row = best >= 0 ? best : row;
      column = best >= 0 ? own : column;
    }
    any = row >= 0;
    if (any) {
      pivot(r, row, column);
      count++;
    }
  }
  return count;
}

sb_status sb_relation_make(sb_relation *r, sb_arena *memory) {
  r->a = sb_arena_zeroed(memory, r->rows * r->columns, sizeof *r->a);
  r->scale = sb_arena_zeroed(memory, r->columns, sizeof *r->scale);
  r->row_of = sb_arena_zeroed(memory, r->columns, sizeof *r->row_of);
  r->taken = sb_arena_zeroed(memory, r->rows, sizeof *r->taken);
  return memory->failed ? SB_ERR_MEMORY : SB_OK;
}

sb_status sb_relation_normalise(sb_relation *r) {
  double most = 0;
  for (int k = 0; k < r->columns; k++) {
    r->row_of[k] = -1;
  }
  measure(r);
  const int one = largest_row(r, 2 * r->n, &most);
  if (one < 0) {
    return SB_ERR_SOLVER;
  }
  pivot(r, one, 2 * r->n);
  return SB_OK;
}

/** w = M z + q, z the free variables. @return SB_ERR_LIMIT: it is no such relation */
static sb_status reduce(sb_relation *r, const bool second[]) {
  measure(r);
  const int present = choose(r, second, true);
  return present + choose(r, second, false) == r->n ? SB_OK : SB_ERR_LIMIT;
}

/** The column that is free, and the one that follows, of a pair. */
static int free_column(const sb_relation *r, int k) {
  return r->row_of[k] >= 0 ? k : r->n + k;
}
static int basic_column(const sb_relation *r, int k) {
  return r->row_of[k] >= 0 ? r->n + k : k;
}

static double entry(const sb_relation *r, int i, int j) {
  return (double)r->a[r->row_of[free_column(r, j)] * r->columns + basic_column(r, i)];
}

/** Lets a variable be free in place of another one. */
static void exchange(sb_relation *r, int enters, int leaves) {
  const int row = r->row_of[leaves];
  r->row_of[leaves] = -1;
  pivot(r, row, enters);
}

/** The first w that is negative, -1: none is. */
static int find_negative(const sb_relation *r, double largest[]) {
  int first = -1;
  for (int k = 0; k < r->n; k++) {
    const int column = basic_column(r, k);
    const double q = (double)r->a[r->row_of[2 * r->n] * r->columns + column];
    largest[column] = fmax(largest[column], fabs(q));
    first = first < 0 && q < -known * largest[column] ? k : first;
  }
  return first;
}

/** The criss-cross method: the first w_k < 0 changes places with z_k; where it does not depend on that, with the first z_s that
 *  raises it, and w_s with z_k. It ends for sufficient matrices, as semidefinite ones are, and where no z raises w_k there is no
 *  solution. */
static sb_status cross(sb_relation *r, double largest[]) {
  for (int step = 0; step < STEPS_EACH * (r->n + 1); step++) {
    const int k = find_negative(r, largest);
    int s = 0;
    if (k < 0) {
      return SB_OK;
    }
    if (entry(r, k, k) > 0) {
      exchange(r, basic_column(r, k), free_column(r, k));
      continue;
    }
    while (s < r->n && !(entry(r, k, s) > 0 && entry(r, s, k) < 0)) {
      s++;
    }
    if (s == r->n) {
      return SB_ERR_SOLVER;
    }
    const int w_k = basic_column(r, k), w_s = basic_column(r, s), z_k = free_column(r, k);
    exchange(r, w_k, free_column(r, s));
    exchange(r, w_s, z_k);
  }
  return SB_ERR_LIMIT;
}

sb_status sb_relation_solve(sb_relation *r, const bool second[], sb_arena *memory) {
  double *largest = sb_arena_zeroed(memory, r->columns, sizeof *largest);
  if (largest == NULL) {
    return SB_ERR_MEMORY;
  }
  SB_TRY(reduce(r, second));
  return cross(r, largest);
}

bool sb_relation_first_is_zero(const sb_relation *r, int pair) {
  return free_column(r, pair) < r->n;
}

double sb_relation_value(const sb_relation *r, int column) {
  return r->row_of[column] >= 0 && column != 2 * r->n
             ? 0
             : (double)r->a[r->row_of[2 * r->n] * r->columns + column];
}
