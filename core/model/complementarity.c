// SPDX-License-Identifier: GPL-3.0-or-later
// Diodes, and stops that are closed, have s e >= 0 and -s f >= 0 of which one is zero. Where several of them change at one instant, their
// modes are those of a linear complementarity problem. With x+ = x + h f the implicit Euler step of the whole part has, for a small h,
// the modes that hold behind the instant, with impulses or without (rational complementarity: Heemels, Schumacher and Weiland,
// "Linear complementarity systems", SIAM J. Appl. Math. 60, 2000). All else is eliminated from its equations (instant_rows.c); what is
// left is a relation between the e and f of these elements, which is monotone as all else is passive. So the matrix M of the
// problem is positive semidefinite, and the criss-cross method ends with a solution if there is one (den Hertog, Roos and Terlaky, "The
// linear complementarity problem, sufficient matrices, and the criss-cross method", Linear Algebra Appl. 187, 1993).
#include "core/model/complementarity.h"

#include <math.h>
#include <string.h>

#include "core/model/instant_rows_private.h"

/** A coefficient of the relation below this fraction of the largest of its variable is rounding. */
static const double rounding = 1e-9;
/** What is left of a difference below this fraction of its terms is rounding. */
static const double cancelled = 1e-14;
/** A w is known to this fraction of the largest that it has been. */
static const double known = 1e-12;
enum { STEPS_EACH = 1000 };

int sb_complementary_count(const sb_network *network, const int modes[], int part) {
  int count = 0;
  for (int i = 0; i < network->instance_count; i++) {
    sb_complementary kind;
    count += network->part_of[i] == part &&
             sb_instance_is_complementary(&network->instances[i], modes, &kind);
  }
  return count;
}

/** The relation as vectors: rows over the efforts, the flows, and 1. */
typedef struct relation {
  const sb_instant *instant;
  int rows, n, columns;
  sb_extended *a;
  double *scale; // (columns) the largest of each
  int *row_of;   // (columns) the row that is solved for it, -1: none
  bool *taken;   // (rows)
} relation;

/** The sign with which a variable of the relation is not below zero. */
static double sign_of(const relation *r, int column) {
  const sb_pair *pair = &r->instant->pairs[column % r->n];
  return column < r->n ? pair->kind.sign : -pair->kind.sign * pair->instance->signs[0];
}

/** The null space of the rows, of these variables alone. */
static void fill(relation *r, const sb_nullspace *space) {
  const sb_instant *instant = r->instant;
  for (int k = 0; k < space->count; k++) {
    for (int i = space->first[k]; i < space->first[k + 1]; i++) {
      const int column = instant->column_of[space->terms[i].var];
      if (column >= 0) {
        r->a[k * r->columns + column] = column < 2 * r->n
                                            ? space->terms[i].factor * sign_of(r, column)
                                            : space->terms[i].factor;
      }
    }
  }
}

/** Solves a row for a variable, and takes it out of all others. */
static void pivot(relation *r, int row, int column) {
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
static int largest_row(const relation *r, int column, double *most) {
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

static void measure(const relation *r) {
  for (int k = 0; k < r->columns; k++) {
    r->scale[k] = 0;
    for (int i = 0; i < r->rows; i++) {
      const double size = r->taken[i] ? 0 : (double)sb_extended_abs(r->a[i * r->columns + k]);
      r->scale[k] = fmax(r->scale[k], size);
    }
  }
}

/** Of each pair the variable that is zero in the present mode becomes one of those that are free, or the other one.
 *  @param present  these first */
static int choose(relation *r, bool present) {
  int count = 0;
  for (bool any = true; any;) {
    int row = -1, column = -1;
    double most = rounding;
    for (int k = 0; k < r->n; k++) {
      const bool held = r->instant->pairs[k].held;
      const int own = k + (held == present ? r->n : 0);
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

/** w = M z + q, z the free variables. @return SB_ERR_SOLVER: sources contradict each other; SB_ERR_LIMIT: it is no such relation */
static sb_status reduce(relation *r) {
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
  measure(r);
  const int present = choose(r, true);
  return present + choose(r, false) == r->n ? SB_OK : SB_ERR_LIMIT;
}

/** The column that is free, and the one that follows, of a pair. */
static int free_column(const relation *r, int k) {
  return r->row_of[k] >= 0 ? k : r->n + k;
}
static int basic_column(const relation *r, int k) {
  return r->row_of[k] >= 0 ? r->n + k : k;
}

static double entry(const relation *r, int i, int j) {
  return (double)r->a[r->row_of[free_column(r, j)] * r->columns + basic_column(r, i)];
}

/** Lets a variable be free in place of another one. */
static void exchange(relation *r, int enters, int leaves) {
  const int row = r->row_of[leaves];
  r->row_of[leaves] = -1;
  pivot(r, row, enters);
}

/** The first w that is negative, -1: none is. */
static int find_negative(const relation *r, double largest[]) {
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
static sb_status solve(relation *r, double largest[]) {
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

static sb_status reduce_and_solve(relation *r, sb_arena *memory, int modes[]) {
  double *largest = sb_arena_zeroed(memory, r->columns, sizeof *largest);
  if (largest == NULL) {
    return SB_ERR_MEMORY;
  }
  SB_TRY(reduce(r));
  SB_TRY(solve(r, largest));
  for (int k = 0; k < r->n; k++) {
    const sb_pair *pair = &r->instant->pairs[k];
    modes[pair->instance->mode] =
        free_column(r, k) < r->n ? pair->kind.free : pair->kind.held; // that is zero
  }
  return SB_OK;
}

sb_status sb_complementarity_solve(sb_workspace *work, int part, double t, const double x[],
                                   int modes[]) {
  sb_instant instant;
  sb_nullspace space;
  sb_status status = sb_instant_build(&instant, work, part, t, x, modes);
  sb_arena *memory = &instant.memory;
  if (status == SB_OK) {
    status = sb_nullspace_find(instant.eq.terms, instant.eq.first, instant.eq.row_count,
                               instant.vars, instant.late, SB_NULLSPACE_ROUNDING, memory, &space);
  }
  if (status == SB_OK) {
    relation r = {.instant = &instant,
                  .rows = space.count,
                  .n = instant.count,
                  .columns = 2 * instant.count + 1};
    r.a = sb_arena_zeroed(memory, r.rows * r.columns, sizeof *r.a);
    r.scale = sb_arena_zeroed(memory, r.columns, sizeof *r.scale);
    r.row_of = sb_arena_zeroed(memory, r.columns, sizeof *r.row_of);
    r.taken = sb_arena_zeroed(memory, r.rows, sizeof *r.taken);
    if (memory->failed) {
      status = SB_ERR_MEMORY;
    } else {
      fill(&r, &space);
      status = reduce_and_solve(&r, memory, modes);
    }
  }
  sb_instant_finish(&instant);
  return status;
}
