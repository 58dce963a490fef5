// SPDX-License-Identifier: GPL-3.0-or-later
// Solves by the factors of mechanism/closure_factor.c: with z = R^-1 Z^T c, J v' = c by v' = v - Y B^-1 (E v - z),
// which is the nearest such v' in the metric of M; and the multipliers Z R^-T b of what acts by E^T b.
#include <math.h>
#include <string.h>

#include "mechanism/closure_private.h"
#include "mechanism/dynamics.h"

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
  const int rank = (int)*p->rank, live = (int)*p->live, n = s->velocities;
  for (int i = 0; i < live && c != NULL; i++) {
    const int row = (int)p->order[i];
    p->row[i] = s->row_scale[row] * c[row];
  }
  for (int i = rank - 1; i >= 0; i--) {
    p->sum[i] = c == NULL ? 0 : dot(&p->T[i * live], p->row, live);
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

/** lambda = -Z R^-T sum. */
static void find_multipliers(const sb_closures *s, const closure_parts *p, double lambda[]) {
  const int rank = (int)*p->rank, live = (int)*p->live;
  memset(lambda, 0, (size_t)s->rows * sizeof *lambda);
  for (int i = 0; i < rank; i++) {
    const double b = p->sum[i] - dot(&p->R[i * rank], p->row, i);
    p->row[i] = b / p->R[i * rank + i];
    for (int k = 0; k < live; k++) {
      lambda[(int)p->order[k]] -= p->row[i] * p->T[i * live + k];
    }
  }
  for (int i = 0; i < s->rows; i++) {
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
    find_multipliers(s, &p, lambda);
  }
}

void sb_closures_effort_terms(const sb_closures *s, const double efforts[], double size[]) {
  double square = 0;
  for (int k = 0; k < s->velocities; k++) {
    const double e = efforts[k] / s->unit[k];
    square += e * e;
  }
  for (int k = 0; k < s->velocities; k++) {
    size[k] += s->unit[k] * sqrt(square);
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
