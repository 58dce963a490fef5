// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/interpolant_private.h"

#include <math.h>
#include <string.h>

#include "core/linalg/dense.h"

/** A pivot below this fraction of the largest entry is zero. */
static const double least_pivot = 1e-12;
static const double half_turn = 3.14159265358979323846;

/** Basis functions T_d(2 theta - 1) - T_d(-1), d = 1 ... degree: zero at 0 and well conditioned.
 *  @param value, slope  (degree) out; NULL: not wanted */
static void basis(int degree, double theta, double value[], double slope[]) {
  double x = 2 * theta - 1, t[2] = {1, x}, u[2] = {0, 1}; // T_{d-1}, T_d; U_{d-2}, U_{d-1}
  for (int d = 1; d <= degree; d++) {
    if (value != NULL) {
      value[d - 1] = t[1] - (d % 2 == 0 ? 1 : -1);
    }
    if (slope != NULL) {
      slope[d - 1] = 2 * d * u[1]; // T_d' = d U_{d-1}
    }
    double next_t = 2 * x * t[1] - t[0], next_u = 2 * x * u[1] - u[0];
    t[0] = t[1], t[1] = next_t;
    u[0] = u[1], u[1] = next_u;
  }
}

bool sb_interpolant_solve(sb_interpolant *u) {
  double rows[SB_DEGREE_MAX * SB_DEGREE_MAX];
  int pivots[SB_DEGREE_MAX], n = u->degree;
  if (n < 1 || n > SB_DEGREE_MAX) {
    return false;
  }
  memset(u->weight, 0, sizeof u->weight);
  for (int j = 0; j < n; j++) {
    basis(n, u->place[j], u->slope[j] ? NULL : &rows[j * n], u->slope[j] ? &rows[j * n] : NULL);
    u->weight[j * n + j] = 1;
  }
  if (sb_lu_factor(rows, n, least_pivot, pivots) < n) {
    return false;
  }
  sb_lu_solve(rows, n, pivots, u->weight, n);
  return true;
}

void sb_interpolant_weights(const sb_interpolant *u, double theta, double weight[]) {
  double value[SB_DEGREE_MAX];
  basis(u->degree, theta, value, NULL);
  for (int j = 0; j < u->degree; j++) {
    weight[j] = 0;
    for (int d = 0; d < u->degree; d++) {
      weight[j] += value[d] * u->weight[d * u->degree + j];
    }
  }
}

bool sb_interpolant_values(int degree, sb_interpolant *u) {
  *u = (sb_interpolant){.degree = degree};
  for (int j = 0; j < degree && j < SB_DEGREE_MAX; j++) {
    u->place[j] = 0.5 - 0.5 * cos(half_turn * (j + 1) / degree);
  }
  return sb_interpolant_solve(u);
}
