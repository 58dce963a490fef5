// SPDX-License-Identifier: GPL-3.0-or-later
// The slip on an ellipsoidal limit surface. From trial = K s + B v and tau = K s + B (v - w) follows
//   u_i = trial_i / (lim + g c_i),   c = B G,   S(g) = sum G_i u_i^2 = 1.
// 1/sqrt(S) is a power mean of order -2 of linear functions of g, so it is concave and rises: Newton's method
// converges monotonically from below, where (|trial| - lim)/max c lies. It holds for lim = 0 too.
#include "contact/slip.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

enum { ITERATIONS_MAX = 60 };
/** Within the surface g is followed down to this share of where S has a pole. */
static const double least_share = -0.5;

static double weight(int i, double radius) {
  return i < 2 ? 1 : radius > 0 ? 1 / (radius * radius) : 0;
}

double sb_slip_size(const double tau[SB_SLIP_LOADS], double radius) {
  return sqrt(tau[0] * tau[0] + tau[1] * tau[1] + weight(2, radius) * tau[2] * tau[2]);
}

/** 1/sqrt(S(g)) - 1 and its derivative. */
static double excess(const double a[], const double c[], double limit, double g, double *slope) {
  double S = 0, sum = 0;
  for (int i = 0; i < SB_SLIP_LOADS; i++) {
    if (a[i] > 0) {
      double d = limit + g * c[i];
      S += a[i] / (d * d);
      sum += a[i] * c[i] / (d * d * d);
    }
  }
  double root = 1 / sqrt(S);
  *slope = sum * root / S;
  return root - 1;
}

void sb_slip_flow(const double trial[SB_SLIP_LOADS], const double B[SB_SLIP_LOADS], double radius,
                  double limit, double w[SB_SLIP_LOADS]) {
  double a[SB_SLIP_LOADS], c[SB_SLIP_LOADS], low = HUGE_VAL, high = 0, size = 0, slope;
  for (int i = 0; i < SB_SLIP_LOADS; i++) {
    double G = weight(i, radius);
    c[i] = B[i] * G;
    a[i] = c[i] > 0 ? G * trial[i] * trial[i] : 0;
    size += a[i];
    low = a[i] > 0 ? fmin(low, c[i]) : low;
    high = a[i] > 0 ? fmax(high, c[i]) : high;
    w[i] = 0;
  }
  size = sqrt(size);
  if (!(size > 0)) {
    return;
  }
  double least = least_share * limit / high;
  double g = size >= limit ? (size - limit) / high : fmax((size - limit) / low, least);
  for (int k = 0; k < ITERATIONS_MAX; k++) {
    double f = excess(a, c, limit, g, &slope), next = fmax(g - f / slope, least);
    bool done = fabs(f) <= 2 * DBL_EPSILON || !(fabs(next - g) > DBL_EPSILON * fabs(g));
    g = next;
    if (done) {
      break;
    }
  }
  for (int i = 0; i < SB_SLIP_LOADS; i++) {
    w[i] = a[i] > 0 ? g * weight(i, radius) * trial[i] / (limit + g * c[i]) : 0;
  }
}
