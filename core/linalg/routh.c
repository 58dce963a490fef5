// SPDX-License-Identifier: GPL-3.0-or-later
// One impact with friction. Along straight slips all pieces are exact: v_n is linear in the normal impulse P, and the
// work of the normal force is the integral of v_n, a parabola. A slip whose direction turns is followed by the classical
// method of Runge and Kutta in pieces of P.
#include <math.h>
#include <string.h>

#include "core/linalg/unilateral_private.h"

enum { N, X, Y, PIECES_MAX = 200000, TURNING_PIECES = 2000 };
/** A tangential speed, or the turn of a slip, below this fraction is rounding. */
static const double rounding = 1e-13, singular = 1e-12;
/** What the end of a piece leaves of a speed that ends with it. */
static const double still = 1e-9;

typedef struct impact {
  const double *W;
  double mu, e;
  int law;
  double v[3], p[3];
  double first;       // v_n before
  double compression; // P at the end of compression; below 0: it has not ended
  double work, lost;  // of the normal force: so far, and in compression (below zero)
} impact;

static void direction(const impact *m, double s[2]) {
  double speed = hypot(m->v[X], m->v[Y]);
  s[0] = m->v[X] / speed;
  s[1] = m->v[Y] / speed;
}

/** dv/dP and dp/dP where it slips along s. */
static void slipping(const impact *m, const double s[2], double dv[3], double dp[3]) {
  dp[N] = 1;
  dp[X] = -m->mu * s[0];
  dp[Y] = -m->mu * s[1];
  for (int i = 0; i < 3; i++) {
    dv[i] = m->W[3 * i] + m->W[3 * i + X] * dp[X] + m->W[3 * i + Y] * dp[Y];
  }
}

/** Where v_t = 0: it sticks if friction can hold it, else it slips along the direction in which it moves away.
 *  @return whether there is one of them */
static bool from_rest(impact *m, double dv[3], double dp[3]) {
  const double *W = m->W;
  double trace = W[4] + W[8], det = W[4] * W[8] - W[5] * W[7];
  dp[N] = 1;
  dp[X] = dp[Y] = 0;
  if (det > singular * trace * trace) {
    dp[X] = -(W[8] * W[3] - W[5] * W[6]) / det;
    dp[Y] = -(W[4] * W[6] - W[7] * W[3]) / det;
  } else if (trace > 0) { // of a mechanism that moves in a plane, along d alone: W_tt = trace d d^T
    double d[2] = {sqrt(W[4] / trace), copysign(sqrt(W[8] / trace), W[5])};
    double along = -(W[3] * d[0] + W[6] * d[1]) / trace;
    dp[X] = along * d[0];
    dp[Y] = along * d[1];
  }
  m->v[X] = m->v[Y] = 0;
  if (hypot(dp[X], dp[Y]) > m->mu) {
    double s[2];
    const bool moves = sb_slip_direction(W, (double[2]){0, 0}, m->mu, s);
    if (moves) {
      slipping(m, s, dv, dp);
    }
    return moves;
  }
  dv[N] = W[0] + W[1] * dp[X] + W[2] * dp[Y];
  dv[X] = dv[Y] = 0;
  return true;
}

/** How much P is left until compression, or the restitution, ends, with v_n growing at the rate a. */
static double left(const impact *m, double a) {
  if (m->compression < 0) {
    return a > 0 ? -m->v[N] / a : HUGE_VAL;
  }
  if (m->law == SB_ROUTH_NEWTON) {
    return a > 0 ? fmax((-m->e * m->first - m->v[N]) / a, 0) : HUGE_VAL;
  }
  if (m->law == SB_ROUTH_POISSON) {
    return fmax((1 + m->e) * m->compression - m->p[N], 0);
  }
  // work + v_n P + a P^2/2 = lost - e^2 lost
  double c = m->work - m->lost * (1 - m->e * m->e);
  double root = sqrt(fmax(m->v[N] * m->v[N] - 2 * a * c, 0));
  return c >= 0 ? 0 : -2 * c / (m->v[N] + root);
}

static void advance(impact *m, const double dv[3], const double dp[3], double P) {
  m->work += P * (m->v[N] + 0.5 * P * dv[N]);
  for (int i = 0; i < 3; i++) {
    m->v[i] += P * dv[i];
    m->p[i] += P * dp[i];
  }
}

/** The slope of a slip that turns, in the mean over a piece P, by Runge and Kutta. */
static void mean_slope(const impact *m, double P, double dv[3], double dp[3]) {
  static const double at[] = {0, 0.5, 0.5, 1}, weight[] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
  double slope[3] = {0}, force[3], sum_v[3] = {0}, sum_p[3] = {0};
  for (int k = 0; k < 4; k++) {
    impact trial = *m;
    double s[2];
    for (int i = 0; i < 3; i++) {
      trial.v[i] += at[k] * P * slope[i];
    }
    direction(&trial, s);
    slipping(m, s, slope, force);
    for (int i = 0; i < 3; i++) {
      sum_v[i] += weight[k] * slope[i];
      sum_p[i] += weight[k] * force[i];
    }
  }
  memcpy(dv, sum_v, sizeof sum_v);
  memcpy(dp, sum_p, sizeof sum_p);
}

/** One piece of constant slope, at most to the end of the slip or of the phase. @return whether the phase ended */
static bool piece(impact *m, double size, double step, bool *good) {
  double dv[3] = {0}, dp[3] = {0}, s[2], rest = HUGE_VAL;
  if (hypot(m->v[X], m->v[Y]) <= rounding * size) {
    *good = from_rest(m, dv, dp);
    if (*good && fabs(m->v[N]) <= still * size && dv[N] <= rounding * m->W[0]) {
      return true; // wedged: friction holds it, and nothing is given back
    }
  } else {
    direction(m, s);
    slipping(m, s, dv, dp);
    double along = dv[X] * s[0] + dv[Y] * s[1], across = dv[Y] * s[0] - dv[X] * s[1];
    rest = along < 0 ? -hypot(m->v[X], m->v[Y]) / along : HUGE_VAL;
    if (fabs(across) > rounding * (fabs(along) + fabs(dv[N]))) {
      double P = fmin(step, 0.1 * hypot(m->v[X], m->v[Y]) / hypot(along, across));
      mean_slope(m, P, dv, dp);
      rest = P;
    }
  }
  double end = left(m, dv[N]);
  bool ends = end <= rest;
  if (!isfinite(fmin(end, rest))) {
    *good = false;
    return false;
  }
  advance(m, dv, dp, fmin(end, rest));
  if (!ends && rest != step && hypot(m->v[X], m->v[Y]) < still * size) {
    m->v[X] = m->v[Y] = 0;
  }
  return ends;
}

bool sb_routh(const double W[9], const double v[3], double mu, double e, int law, double p[3]) {
  impact m = {.W = W, .mu = mu, .e = e, .law = law, .first = v[N], .compression = -1};
  const double size = fabs(v[N]) + fabs(v[X]) + fabs(v[Y]);
  const double step = -v[N] / W[0] / TURNING_PIECES;
  bool good = W[0] > 0 && v[N] < 0;
  memcpy(m.v, v, sizeof m.v);
  for (int i = 0; good && i < PIECES_MAX; i++) {
    if (!piece(&m, size, step, &good)) {
      continue;
    }
    if (m.compression >= 0) {
      memcpy(p, m.p, sizeof m.p);
      return true;
    }
    m.compression = m.p[N];
    m.lost = m.work;
    m.v[N] = 0;
  }
  return false;
}
