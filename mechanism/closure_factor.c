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

static double dot(const double a[], const double b[], int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += a[i] * b[i];
  }
  return sum;
}

static void axpy(double s, const double x[], double y[], int n) {
  for (int i = 0; i < n; i++) {
    y[i] += s * x[i];
  }
}

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
  p.rates = (sb_twist *)take(&scratch, 6 * sb_tree_bodies(s->tree));
  return p;
}

int sb_closures_scratch(const sb_closures *s) {
  const int m = s->rows, n = s->velocities, r = least_int(m, n);
  return 1 + 3 * m + m * n + r * (m + n + 2 * r + 1) + 2 * n + sb_tree_coordinates(s->tree) +
         6 * sb_tree_bodies(s->tree);
}

/** Takes the unit vectors E (count x n) out of x; to each `part` its share is added. */
static void take_out(const double E[], int count, int n, double x[], double part[], int step) {
  for (int i = 0; i < count; i++) {
    const double share = dot(&E[i * n], x, n);
    axpy(-share, &E[i * n], x, n);
    part[i * step] += share;
  }
}

/** Brings the longest of the rows from `rank` on to that place. Returns its length. */
static double find_longest(const sb_closures *s, const closure_parts *p, int rank) {
  const int n = s->velocities;
  double most = -1;
  int best = rank;
  for (int k = rank; k < s->rows; k++) {
    const double square = dot(&p->J[k * n], &p->J[k * n], n);
    if (square > most) {
      most = square;
      best = k;
    }
  }
  for (int i = 0; i < n && best != rank; i++) {
    const double swap = p->J[rank * n + i];
    p->J[rank * n + i] = p->J[best * n + i];
    p->J[best * n + i] = swap;
  }
  const double swap = p->order[rank];
  p->order[rank] = p->order[best];
  p->order[best] = swap;
  return sqrt(fmax(most, 0));
}

/** J = T E. T is kept by columns, (rank x rows). Returns the rank. */
static int reveal(const sb_closures *s, const closure_parts *p, int most) {
  const int m = s->rows, n = s->velocities;
  double longest = 0;
  int rank = 0;
  for (int k = 0; k < m; k++) {
    p->order[k] = k;
  }
  memset(p->T, 0, (size_t)(least_int(m, n) * m) * sizeof *p->T);
  for (; rank < least_int(most, least_int(m, n)); rank++) {
    double length = find_longest(s, p, rank), *row = &p->J[rank * n];
    const int own = (int)p->order[rank];
    longest = rank == 0 ? length : longest;
    if (!(length > rounding * longest)) {
      break;
    }
    take_out(p->J, rank, n, row, &p->T[own], m);
    const double left = sqrt(dot(row, row, n));
    if (!(left > rounding * longest)) {
      break;
    }
    p->T[rank * m + own] = left;
    scale(1 / left, row, n);
    for (int k = rank + 1; k < m; k++) {
      double *other = &p->J[k * n], share = dot(row, other, n);
      if (share != 0) {
        axpy(-share, row, other, n);
        p->T[rank * m + (int)p->order[k]] = share;
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

int sb_closures_factor(const sb_closures *s, int most, double tree_scratch[], double scratch[]) {
  const closure_parts p = closure_parts_of(s, scratch);
  const int n = s->velocities;
  sb_closures_jacobian(s, tree_scratch, p.J);
  for (int i = 0; i < s->rows; i++) {
    for (int k = 0; k < n; k++) {
      p.J[i * n + k] *= s->row_scale[i] / s->unit[k];
    }
  }
  const int rank = reveal(s, &p, most);
  make_orthogonal(&p, rank, s->rows);
  respond(s, &p, rank, tree_scratch);
  *p.rank = rank;
  return rank;
}

/** sum := B^-1 sum */
static void solve_reduced(const closure_parts *p, int rank) {
  double *x = p->sum;
  for (int i = 0; i < rank; i++) {
    x[i] = (x[i] - dot(&p->B[i * rank], x, i)) / p->B[i * rank + i];
  }
  for (int i = rank - 1; i >= 0; i--) {
    x[i] /= p->B[i * rank + i];
    axpy(-x[i], &p->B[i * rank], x, i);
  }
}

/** sum := E v + R^-1 Z^T c. @param c  (rows); NULL: zero */
static void reduce(const sb_closures *s, const closure_parts *p, const double v[],
                   const double c[]) {
  const int rank = (int)*p->rank, m = s->rows, n = s->velocities;
  for (int i = 0; i < m && c != NULL; i++) {
    p->row[i] = s->row_scale[i] * c[i];
  }
  for (int i = rank - 1; i >= 0; i--) {
    p->sum[i] = c == NULL ? 0 : dot(&p->T[i * m], p->row, m);
    for (int j = i + 1; j < rank && c != NULL; j++) {
      p->sum[i] -= p->R[j * rank + i] * p->sum[j];
    }
    p->sum[i] /= p->R[i * rank + i];
  }
  for (int k = 0; k < n && v != NULL; k++) {
    p->change[k] = s->unit[k] * v[k];
  }
  for (int i = 0; i < rank && v != NULL; i++) {
    p->sum[i] += dot(&p->J[i * n], p->change, n);
  }
}

void closure_multipliers(const sb_closures *s, const closure_parts *p, double lambda[]) {
  const int rank = (int)*p->rank, m = s->rows;
  memset(lambda, 0, (size_t)m * sizeof *lambda);
  for (int i = 0; i < rank; i++) {
    const double b = p->sum[i] - dot(&p->R[i * rank], p->row, i);
    p->row[i] = b / p->R[i * rank + i];
    axpy(-p->row[i], &p->T[i * m], lambda, m);
  }
  for (int i = 0; i < m; i++) {
    lambda[i] *= s->row_scale[i];
  }
}

/** v -= Y sum, and effort = -E^T sum. */
static void correct(const sb_closures *s, const closure_parts *p, double v[], double effort[]) {
  const int rank = (int)*p->rank, n = s->velocities;
  memset(effort, 0, (size_t)n * sizeof *effort);
  memset(p->change, 0, (size_t)n * sizeof *p->change);
  for (int i = 0; i < rank; i++) {
    axpy(-p->sum[i], &p->J[i * n], effort, n);
    axpy(-p->sum[i], &p->Y[i * n], p->change, n);
  }
  for (int k = 0; k < n; k++) {
    effort[k] *= s->unit[k];
    if (v != NULL) {
      v[k] += p->change[k] / s->unit[k];
    }
  }
}

void sb_closures_accelerate(const sb_closures *s, const double bias[], double scratch[],
                            double vdot[], double efforts[], double lambda[]) {
  const closure_parts p = closure_parts_of(s, scratch);
  reduce(s, &p, vdot, bias);
  solve_reduced(&p, (int)*p.rank);
  correct(s, &p, vdot, efforts == NULL ? p.effort : efforts);
  if (lambda != NULL) {
    closure_multipliers(s, &p, lambda);
  }
}

void sb_closures_project(const sb_closures *s, double scratch[], double v[], double p[],
                         double mu[]) {
  const closure_parts parts = closure_parts_of(s, scratch);
  sb_closures_accelerate(s, NULL, scratch, v, parts.effort, mu);
  if (p != NULL) {
    axpy(1, parts.effort, p, s->velocities);
  }
}

void sb_closures_response(const sb_closures *s, const double tau[], const sb_wrench wrenches[],
                          double tree_scratch[], double scratch[], double dv[],
                          sb_twist dtwists[]) {
  const closure_parts p = closure_parts_of(s, scratch);
  sb_tree_response(s->tree, tau, wrenches, tree_scratch, dv, NULL);
  sb_closures_accelerate(s, NULL, scratch, dv, p.effort, NULL);
  if (dtwists != NULL) {
    for (int k = 0; k < s->velocities; k++) {
      p.effort[k] += tau == NULL ? 0 : tau[k];
    }
    sb_tree_response(s->tree, p.effort, wrenches, tree_scratch, dv, dtwists);
  }
}
