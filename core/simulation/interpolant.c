// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/interpolant_private.h"

#include <math.h>
#include <string.h>

#include "core/linalg/dense.h"

/** A pivot below this fraction of the largest entry is zero. */
static const double least_pivot = 1e-12;
static const double half_turn = 3.14159265358979323846;

/** V_d = T_d(2 theta - 1) - T_d(-1), d = 1 ... count: zero at 0 and well conditioned. By the recursion of T_d
 *    V_{d+1} = 2 (2 theta - 1) V_d - V_{d-1} + (-1)^d 4 theta,  V_0 = 0, V_1 = 2 theta,
 *  each term of which has the factor theta: close to 0 they have all their digits, where the difference has lost them.
 *  @param value, slope  (count) out */
static void chebyshev(int count, double theta, double value[], double slope[]) {
  double x = 2 * theta - 1, v[2] = {0, 2 * theta}, u[2] = {0, 1}; // V_{d-1}, V_d; U_{d-2}, U_{d-1}
  for (int d = 1; d <= count; d++) {
    value[d - 1] = v[1];
    slope[d - 1] = 2 * d * u[1]; // T_d' = d U_{d-1}
    double next_v = 2 * x * v[1] - v[0] + (d % 2 == 0 ? 4 : -4) * theta;
    double next_u = 2 * x * u[1] - u[0];
    v[0] = v[1], v[1] = next_v;
    u[0] = u[1], u[1] = next_u;
  }
}

/** Which datum is the slope at 0; -1: none. */
static int slope_at_start(const sb_interpolant *u) {
  int datum = -1;
  for (int j = 0; j < u->degree; j++) {
    datum = u->slope[j] && u->place[j] == 0 ? j : datum;
  }
  return datum;
}

/** Basis functions: V_1 ... V_degree, or theta and theta V_1 ... theta V_{degree-1} where the slope at 0 is given. That is then the factor
 *  of theta, and no rounding of the other weights, which go as theta^2, is of first order.
 *  @param value, slope  (degree) out */
static void basis(const sb_interpolant *u, double theta, double value[], double slope[]) {
  if (slope_at_start(u) < 0) {
    chebyshev(u->degree, theta, value, slope);
    return;
  }
  chebyshev(u->degree - 1, theta, value + 1, slope + 1);
  for (int d = 1; d < u->degree; d++) {
    slope[d] = value[d] + theta * slope[d];
    value[d] *= theta;
  }
  value[0] = theta;
  slope[0] = 1;
}

bool sb_interpolant_solve(sb_interpolant *u) {
  double rows[SB_DEGREE_MAX * SB_DEGREE_MAX];
  int pivots[SB_DEGREE_MAX], n = u->degree;
  if (n < 1 || n > SB_DEGREE_MAX) {
    return false;
  }
  memset(u->weight, 0, sizeof u->weight);
  for (int j = 0; j < n; j++) {
    double value[SB_DEGREE_MAX], slope[SB_DEGREE_MAX];
    basis(u, u->place[j], value, slope);
    memcpy(&rows[j * n], u->slope[j] ? slope : value, (size_t)n * sizeof *rows);
    u->weight[j * n + j] = 1;
  }
  if (sb_lu_factor(rows, n, least_pivot, pivots) < n) {
    return false;
  }
  sb_lu_solve(rows, n, pivots, u->weight, n);
  for (int j = 0, start = slope_at_start(u); start >= 0 && j < n; j++) {
    u->weight[j] = j == start; // of theta, without rounding
  }
  return true;
}

void sb_interpolant_weights(const sb_interpolant *u, double theta, double weight[]) {
  double value[SB_DEGREE_MAX], unused[SB_DEGREE_MAX];
  basis(u, theta, value, unused);
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
