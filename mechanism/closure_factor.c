// SPDX-License-Identifier: GPL-3.0-or-later
// Solves for what keeps J v = 0. In the scale of mechanism/closure_private.h:
//   1. J = T E, E orthonormal rows, by Gram and Schmidt's method twice over with the longest remaining row first. What
//      is left of a row once others are taken out is rounding below 1e-11 of the longest row, whatever the
//      masses: the rank is that of the geometry, and full as near to a singular position as its digits go.
//   2. Y = M^-1 E^T, a response of the tree for each, and B = E Y = L L^T: as well conditioned as M.
//   3. T = Z R, Z orthonormal columns: z = R^-1 Z^T c solves T z = c for the least squares, lambda = Z R^-T b solves
//      T^T lambda = b for the least norm.
// So J v' = c by v' = v - Y B^-1 (E v - z): only z is divided by what becomes small near a singular position, and
// nothing by the square of that, as it would be in A = J M^-1 J^T.
#include <math.h>
#include <string.h>

#include "mechanism/closure_private.h"
#include "mechanism/dynamics.h"

/** Of the longest row, in units of the size of the mechanism. */
static const double rounding = 1e-11;

static void scale(double s, double x[], int n) {
  for (int i = 0; i < n; i++) {
    x[i] *= s;
  }
}

static int least_int(int a, int b) {
  return a < b ? a : b;
}

static double *take(double **place, int count) {
  double *part = *place;
  *place += count;
  return part;
}

closure_parts closure_parts_of(const sb_closures *s, double scratch[]) {
  const int m = s->rows, n = s->velocities, r = least_int(m, n);
  closure_parts p;
  p.rank = take(&scratch, 1);
  p.live = take(&scratch, 1);
  p.open = take(&scratch, 1);
  p.order = take(&scratch, m);
  p.J = take(&scratch, m * n);
  p.T = take(&scratch, r * m);
  p.R = take(&scratch, r * r);
  p.Y = take(&scratch, r * n);
  p.B = take(&scratch, r * r);
  p.sum = take(&scratch, r);
  p.row = take(&scratch, m);
  p.effort = take(&scratch, n);
  p.change = take(&scratch, n);
  p.bias = take(&scratch, m);
  p.before = take(&scratch, sb_tree_coordinates(s->tree));
  p.lambda = take(&scratch, m);
  p.rates = (sb_twist *)take(&scratch, 6 * sb_tree_bodies(s->tree));
  p.wrenches = (sb_wrench *)take(&scratch, 6 * (sb_tree_bodies(s->tree) + s->joints));
  return p;
}

int sb_closures_scratch(const sb_closures *s) {
  const int m = s->rows, n = s->velocities, r = least_int(m, n);
  return 3 + 4 * m + m * n + r * (m + n + 2 * r + 1) + 2 * n + sb_tree_coordinates(s->tree) +
         12 * sb_tree_bodies(s->tree) + 6 * s->joints;
}

/** Takes the unit vectors E (count x n) out of x; to each `part` its share is added. */
static void take_out(const double E[], int count, int n, double x[], double part[], int step) {
  for (int i = 0; i < count; i++) {
    const double share = dot(&E[i * n], x, n);
    axpy(-share, &E[i * n], x, n);
    part[i * step] += share;
  }
}

static void swap(double *a, double *b) {
  const double kept = *a;
  *a = *b;
  *b = kept;
}

/** Rows a and b take each other's place, with what they are of the first `rank`. */
static void swap_rows(const sb_closures *s, const closure_parts *p, int rank, int a, int b) {
  const int n = s->velocities, live = (int)*p->live;
  for (int i = 0; i < n && a != b; i++) {
    swap(&p->J[a * n + i], &p->J[b * n + i]);
  }
  for (int i = 0; i < rank; i++) {
    swap(&p->T[i * live + a], &p->T[i * live + b]);
  }
  swap(&p->order[a], &p->order[b]);
}

/** Brings rows that are zero behind all others. Returns the length below which one is. */
static double sort_rows(const sb_closures *s, const closure_parts *p) {
  const int m = s->rows, n = s->velocities;
  double longest = 0;
  for (int k = 0; k < m; k++) {
    p->order[k] = k;
    p->row[k] = sqrt(dot(&p->J[k * n], &p->J[k * n], n));
    longest = fmax(longest, p->row[k]);
  }
  int live = 0;
  for (int k = 0; k < m; k++) {
    if (p->row[k] > rounding * longest) {
      swap_rows(s, p, 0, live++, k);
    }
  }
  *p->live = live;
  return rounding * longest;
}

/** Brings the longest of the rows from `rank` on to that place. Returns its length. */
static double find_longest(const sb_closures *s, const closure_parts *p, int rank) {
  const int n = s->velocities, live = (int)*p->live;
  double most = 0;
  int best = rank;
  for (int k = rank; k < live; k++) {
    const double square = dot(&p->J[k * n], &p->J[k * n], n);
    if (square > most) {
      most = square;
      best = k;
    }
  }
  swap_rows(s, p, rank, rank, best);
  return sqrt(most);
}

/** J = T E. T is kept by columns, (rank x live rows). Returns the rank. */
static int reveal(const sb_closures *s, const closure_parts *p, int most) {
  const int n = s->velocities;
  const double zero = sort_rows(s, p);
  const int live = (int)*p->live;
  int rank = 0;
  memset(p->T, 0, (size_t)(least_int(live, n) * live) * sizeof *p->T);
  for (; rank < least_int(most, least_int(live, n)); rank++) {
    if (!(find_longest(s, p, rank) > zero)) {
      break;
    }
    double *row = &p->J[rank * n];
    take_out(p->J, rank, n, row, &p->T[rank], live);
    const double left = sqrt(dot(row, row, n));
    if (!(left > zero)) {
      break;
    }
    p->T[rank * live + rank] = left;
    scale(1 / left, row, n);
    for (int k = rank + 1; k < live; k++) {
      double *other = &p->J[k * n], share = dot(row, other, n);
      if (share != 0) {
        axpy(-share, row, other, n);
        p->T[rank * live + k] = share;
      }
    }
  }
  return rank;
}

/** T = Z R in place, R (rank x rank) by columns as T is. */
static void make_orthogonal(const closure_parts *p, int rank, int m) {
  memset(p->R, 0, (size_t)(rank * rank) * sizeof *p->R);
  for (int i = 0; i < rank; i++) {
    double *column = &p->T[i * m];
    for (int twice = 0; twice < 2; twice++) {
      take_out(p->T, i, m, column, &p->R[i * rank], 1);
    }
    const double length = sqrt(dot(column, column, m));
    p->R[i * rank + i] = length;
    scale(1 / length, column, m);
  }
}

/** Y = M^-1 E^T and the factors of B = E Y. */
static void respond(const sb_closures *s, const closure_parts *p, int rank, double tree_scratch[]) {
  const int n = s->velocities;
  for (int i = 0; i < rank; i++) {
    for (int k = 0; k < n; k++) {
      p->effort[k] = p->J[i * n + k] * s->unit[k];
    }
    sb_tree_response(s->tree, p->effort, NULL, tree_scratch, &p->Y[i * n], NULL);
    for (int k = 0; k < n; k++) {
      p->Y[i * n + k] *= s->unit[k];
    }
  }
  for (int i = 0; i < rank; i++) {
    double *row = &p->B[i * rank];
    for (int j = 0; j <= i; j++) {
      const double *other = &p->B[j * rank];
      const double left = dot(&p->J[i * n], &p->Y[j * n], n) - dot(row, other, j);
      row[j] = j < i ? left / other[j] : sqrt(left);
    }
  }
}

/** J to the scale of the scratch memory, without the rows from `first` to `end`. */
static void scale_rows(const sb_closures *s, const closure_parts *p, int first, int end) {
  const int n = s->velocities;
  for (int i = 0; i < s->rows; i++) {
    const double size = i >= first && i < end ? 0 : s->row_scale[i];
    for (int k = 0; k < n; k++) {
      p->J[i * n + k] *= size / s->unit[k];
    }
  }
}

int closure_rank(const sb_closures *s, int skip, int most, const double tree_scratch[],
                 double scratch[]) {
  const closure_parts p = closure_parts_of(s, scratch);
  const int count = s->joints + s->couplings;
  const int first = skip < 0 ? 0 : sb_closures_first_row(s, skip),
            end = skip < 0 || skip >= count ? 0 : sb_closures_first_row(s, skip + 1);
  sb_closures_jacobian(s, tree_scratch, p.J);
  scale_rows(s, &p, first, end);
  *p.rank = reveal(s, &p, most);
  return (int)*p.rank;
}

static int factor(const sb_closures *s, const closure_parts *p, int rank, double tree_scratch[]) {
  make_orthogonal(p, rank, (int)*p->live);
  respond(s, p, rank, tree_scratch);
  return rank;
}

int sb_closures_factor(const sb_closures *s, int most, double tree_scratch[], double scratch[]) {
  const closure_parts p = closure_parts_of(s, scratch);
  return factor(s, &p, closure_rank(s, -1, most, tree_scratch, scratch), tree_scratch);
}

/** Of a step w by the length of the mechanism, D and J differ by w^2, and g is known to the rounding of 1: below the cube
 *  root of that D would be rounding, and closures are off by no more with J. */
static const double shortest = 1e-5;

int sb_closures_factor_over(const sb_closures *s, int most, const double w[], const double g[],
                            double tree_scratch[], double scratch[]) {
  const closure_parts p = closure_parts_of(s, scratch);
  const int n = s->velocities;
  double square = 0;
  sb_closures_jacobian(s, tree_scratch, p.J);
  for (int k = 0; k < n; k++) {
    p.change[k] = s->unit[k] * s->unit[k] * w[k];
    square += w[k] * p.change[k];
  }
  for (int i = 0; i < s->rows && square > shortest * shortest * s->length * s->length; i++) {
    double *row = &p.J[i * n];
    axpy((g[i] - dot(row, w, n)) / square, p.change, row, n);
  }
  scale_rows(s, &p, 0, 0);
  *p.rank = reveal(s, &p, most);
  return factor(s, &p, (int)*p.rank, tree_scratch);
}
