// SPDX-License-Identifier: GPL-3.0-or-later
// The Jacobian of a loop in factors, equilibrated: what is solved with it, and what its pivots tell.
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/linalg/dense.h"
#include "core/loop/newton_private.h"

/** A pivot below this fraction is zero, as slopes by differences tell it. */
static const double pivot_fraction = 1e-8;
/** A pivot below this fraction is that of a fold close by; a law that rises gives one near 1. */
static const double fold_pivot = 0.3;

/** Divides each row by the sum of the absolute values of its terms, each column by its largest. */
static void equilibrate(const sb_newton *n, sb_newton_point *p) {
  int m = n->m;
  memset(p->column, 0, (size_t)m * sizeof *p->column);
  for (int i = 0; i < m; i++) {
    p->row[i] = p->row[i] > 0 ? p->row[i] : 1;
    for (int k = 0; k < m; k++) {
      n->matrix[i * m + k] /= p->row[i];
      p->column[k] = fmax(p->column[k], fabs(n->matrix[i * m + k]));
    }
  }
  for (int k = 0; k < m; k++) {
    p->column[k] = p->column[k] > 0 && m > 1 ? p->column[k] : 1;
    for (int i = 0; i < m; i++) {
      n->matrix[i * m + k] /= p->column[k];
    }
  }
}

/** Scales anew by the means of rows and columns, which finds the units of chains of them too: unknowns of units far
 *  apart (a torque of 1e12 N m beside an angular velocity of 1e-12 rad/s) are no singular Jacobian. */
static void equilibrate_again(const sb_newton *n, sb_newton_point *p) {
  int m = n->m;
  sb_newton own = *n;
  double *row = sb_newton_vector(&own), *column = sb_newton_vector(&own);
  memset(row, 0, (size_t)m * sizeof *row);
  memset(column, 0, (size_t)m * sizeof *column);
  sb_equilibrate(n->matrix, m, m, m, row, column);
  for (int k = 0; k < m; k++) {
    p->row[k] = ldexp(p->row[k], -(int)lrint(row[k]));
    p->column[k] /= column[k];
  }
}

/** Whether an entry that is less than a rounding of those beside it is left: of a ratio cos(a) at a = pi/2, or of units far apart. */
static bool has_faint_entry(const sb_newton *n) {
  bool any = false;
  for (int i = 0; i < n->m * n->m && !any; i++) {
    any = n->matrix[i] != 0 && fabs(n->matrix[i]) < DBL_EPSILON;
  }
  return any;
}

static int rank_of(const sb_newton *n) {
  int order[SB_LOOP_MAX];
  sb_newton own = *n;
  double *none = sb_newton_vector(&own), *scratch = sb_newton_vector(&own);
  memset(none, 0, (size_t)n->m * sizeof *none);
  memcpy(n->lu, n->matrix, (size_t)(n->m * n->m) * sizeof *n->lu);
  return sb_solve_least_norm(n->lu, none, n->m, n->m, pivot_fraction, order, scratch);
}

/** Scales by largest entries again where the means have lost rank: these count an entry that is nothing but rounding like any other. */
static void keep_rank(const sb_newton *n, sb_newton_point *p) {
  const int rank = rank_of(n);
  sb_newton_fill(n, p);
  equilibrate(n, p);
  if (rank_of(n) <= rank) {
    equilibrate_again(n, p);
  }
}

static bool factor_once(const sb_newton *n, sb_newton_point *p, double least) {
  memcpy(n->lu, n->matrix, (size_t)(n->m * n->m) * sizeof *n->lu);
  return sb_lu_factor(n->lu, n->m, least, p->pivots) == n->m;
}

bool sb_newton_factor(const sb_newton *n, sb_newton_point *p, bool *regular) {
  sb_newton_fill(n, p);
  equilibrate(n, p);
  p->shared = false;
  bool well = factor_once(n, p, pivot_fraction);
  const bool faint = !well && has_faint_entry(n);
  if (!well && n->m > 1) {
    equilibrate_again(n, p);
    well = factor_once(n, p, pivot_fraction);
  }
  for (int h = 0; h < n->loop->count && !well; h++) {
    p->shared = p->shared || sb_newton_is_condition(&n->hooks[h]);
  }
  if (p->shared && faint) {
    keep_rank(n, p);
  }
  well = well || p->shared;
  if (regular != NULL) {
    *regular = well;
  }
  return well || factor_once(n, p, 0);
}

/** Constraints that state one thing twice make J singular in their multipliers: of all solutions, which agree in
 *  what they do together, one is taken that does not depend on the last: d = y - z with J z = J y - r. Its rounding is that of all
 *  unknowns together. */
static void correct_shared(const sb_newton *n, sb_newton_point *p, const double y[],
                           const double r[], double d[]) {
  int m = n->m, order[SB_LOOP_MAX];
  sb_newton own = *n;
  double *z = sb_newton_vector(&own), *scratch = sb_newton_vector(&own), size = 0;
  for (int i = 0; i < m; i++) {
    z[i] = -r[i] / p->row[i];
    for (int k = 0; k < m; k++) {
      z[i] += n->matrix[i * m + k] * p->column[k] * y[k];
    }
  }
  memcpy(n->lu, n->matrix, (size_t)(m * m) * sizeof *n->lu);
  double *null = n->lu + m * m;
  const int open =
      m - sb_solve_least_norm_open(n->lu, z, m, m, pivot_fraction, order, scratch, null);
  sb_newton_share_evenly(&own, p, null, open, z);
  for (int k = 0; k < m; k++) {
    d[k] = y[k] - z[k] / p->column[k];
    size += fabs(z[k]);
  }
  for (int i = 0; i < m; i++) {
    p->noise[i] += p->row[i] * size;
  }
}

void sb_newton_correct(const sb_newton *n, sb_newton_point *p, const double y[], const double r[],
                       double d[]) {
  if (p->shared) {
    correct_shared(n, p, y, r, d);
    return;
  }
  for (int k = 0; k < n->m; k++) {
    d[k] = r[k] / p->row[k];
  }
  sb_lu_solve(n->lu, n->m, p->pivots, d, 1);
  for (int k = 0; k < n->m; k++) {
    d[k] /= p->column[k];
  }
}

bool sb_newton_regular(const sb_newton *n, const double y[], bool *shared) {
  sb_newton own = *n;
  sb_newton_point p = sb_newton_point_take(&own);
  double *at = sb_newton_vector(&own);
  bool regular = false;
  memcpy(at, y, (size_t)n->m * sizeof *at);
  bool solvable = sb_newton_at(&own, at, &p) == 0 && sb_newton_factor(&own, &p, &regular);
  *shared = p.shared;
  return solvable && regular;
}

int sb_newton_orientation(const sb_newton *n, const sb_newton_point *p) {
  int sign = 1;
  for (int k = 0; k < n->m; k++) {
    sign = (n->lu[k * n->m + k] < 0) != (p->pivots[k] != k) ? -sign : sign;
  }
  return sign;
}

bool sb_newton_fold(const sb_newton *n, const double y[]) {
  sb_newton own = *n;
  double *at = sb_newton_vector(&own);
  sb_newton_point p = sb_newton_point_take(&own);
  memcpy(at, y, (size_t)n->m * sizeof *at);
  bool fold = sb_newton_at(&own, at, &p) == 0 && !sb_newton_factor(&own, &p, NULL);
  for (int k = 0; k < n->m && !fold; k++) {
    fold = fabs(n->lu[k * n->m + k]) < fold_pivot;
  }
  return fold;
}
