// SPDX-License-Identifier: GPL-3.0-or-later
// One impact with friction (Routh). Along straight slips all pieces are exact: v_n is linear in the normal impulse P, and the
// work of the normal force is the integral of v_n, a parabola. A slip whose direction turns is followed over s with dP = |v_t| ds,
// where it has neither an end nor a singular point, v_t' = |v_t| W_tn - mu W_tt v_t. Midpoint rules over a fraction of a turn are
// extrapolated to order 12 (Gragg), and the end of a phase is found on them: to rounding, so that no choice of axes tells.
#include <math.h>
#include <string.h>

#include "core/linalg/unilateral_private.h"

enum { N, X, Y, PUSH, WORK = PUSH + 3, SIZE, PIECES_MAX = 20000, COLUMNS = 6, HALVINGS = 54 };
/** A tangential speed, or the turn of a slip, below this fraction is rounding. */
static const double rounding = 1e-13, singular = 1e-12;
/** Below this fraction a slip that turned as it came to its end is over. */
static const double over = 1e-16;
/** A normal speed, as a fraction, at which friction may hold what it stops. */
static const double still = 1e-9;
/** What the speed of a slip may change by in a step along which it turns, as a fraction. */
static const double step = 0.25;

typedef struct impact {
  const double *W;
  double mu, e;
  int law;
  double y[SIZE];     // v, p, and the work of the normal force
  double first;       // v_n before
  double compression; // P at the end of compression; below 0: it has not ended
  double lost;        // work in compression, below zero
} impact;

/** dv/dP and dp/dP where it slips along s. */
static void slipping(const impact *m, const double s[2], double dv[3], double dp[3]) {
  dp[N] = 1;
  dp[X] = -m->mu * s[0];
  dp[Y] = -m->mu * s[1];
  for (int i = 0; i < 3; i++) {
    dv[i] = m->W[3 * i] + m->W[3 * i + X] * dp[X] + m->W[3 * i + Y] * dp[Y];
  }
}

/** Whether friction moves the contact along d alone, W_tt = trace d d^T, as that of a mechanism in a plane.  @param d  out */
static bool moves_along(const double W[9], double d[2]) {
  const double trace = W[4] + W[8], det = W[4] * W[8] - W[5] * W[7];
  if (!(trace > 0) || det > singular * trace * trace) {
    return false;
  }
  d[0] = sqrt(W[4] / trace);
  d[1] = copysign(sqrt(W[8] / trace), W[5]);
  return true;
}

/** Where v_t = 0: it sticks if friction can hold it, else it slips along the direction in which it moves away.
 *  @return whether there is one of them */
static bool from_rest(impact *m, double dv[3], double dp[3]) {
  const double *W = m->W;
  const double trace = W[4] + W[8], det = W[4] * W[8] - W[5] * W[7];
  double d[2];
  dp[N] = 1;
  dp[X] = dp[Y] = 0;
  if (moves_along(W, d)) {
    const double along = -(W[3] * d[0] + W[6] * d[1]) / trace;
    dp[X] = along * d[0];
    dp[Y] = along * d[1];
  } else if (trace > 0) {
    dp[X] = -(W[8] * W[3] - W[5] * W[6]) / det;
    dp[Y] = -(W[4] * W[6] - W[7] * W[3]) / det;
  }
  m->y[X] = m->y[Y] = 0;
  if (hypot(dp[X], dp[Y]) > (1 + rounding) * m->mu) { // at its bound there is no direction
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

/** By which of its numbers a phase ends, and at which value. */
static int measure(const impact *m, double *end) {
  if (m->compression < 0) {
    *end = 0;
    return N;
  }
  *end = m->law == SB_ROUTH_NEWTON    ? -m->e * m->first
         : m->law == SB_ROUTH_POISSON ? (1 + m->e) * m->compression
                                      : m->lost * (1 - m->e * m->e);
  return m->law == SB_ROUTH_NEWTON ? N : m->law == SB_ROUTH_POISSON ? PUSH : WORK;
}

/** Below zero until the phase ends. */
static double excess(const impact *m) {
  double end;
  const int k = measure(m, &end);
  return m->y[k] - end;
}

/** How much P is left until the phase ends, with v_n growing at the rate a. */
static double left(const impact *m, double a) {
  double end;
  const int k = measure(m, &end);
  const double rest = fmax(end - m->y[k], 0);
  if (k == PUSH) {
    return rest;
  }
  if (k == N) {
    return a > 0 ? rest / a : HUGE_VAL;
  }
  // v_n P + a P^2/2 = rest
  return rest > 0 ? 2 * rest / (m->y[N] + sqrt(fmax(m->y[N] * m->y[N] + 2 * a * rest, 0))) : 0;
}

static void advance(impact *m, const double dv[3], const double dp[3], double P) {
  m->y[WORK] += P * (m->y[N] + 0.5 * P * dv[N]);
  for (int i = 0; i < 3; i++) {
    m->y[i] += P * dv[i];
    m->y[PUSH + i] += P * dp[i];
  }
}

/** dy/ds */
static void rates(const impact *m, const double y[SIZE], double dy[SIZE]) {
  const double speed = hypot(y[X], y[Y]);
  for (int i = 0; i < 3; i++) {
    const double *w = m->W + 3 * i;
    dy[i] = speed * w[N] - m->mu * (w[X] * y[X] + w[Y] * y[Y]);
  }
  dy[PUSH + N] = speed;
  dy[PUSH + X] = -m->mu * y[X];
  dy[PUSH + Y] = -m->mu * y[Y];
  dy[WORK] = speed * y[N];
}

/** Below zero while the phase comes nearer to its end. */
static double retreat(const impact *m) {
  double end, dy[SIZE];
  rates(m, m->y, dy);
  return -dy[measure(m, &end)];
}

/** The midpoint rule over s in n steps, its ends smoothed. */
static void midpoints(const impact *m, double s, int n, double y[SIZE]) {
  double before[SIZE], dy[SIZE];
  memcpy(before, m->y, sizeof before);
  rates(m, before, dy);
  for (int i = 0; i < SIZE; i++) {
    y[i] = before[i] + s / n * dy[i];
  }
  for (int k = 1; k < n; k++) {
    rates(m, y, dy);
    for (int i = 0; i < SIZE; i++) {
      const double next = before[i] + 2 * s / n * dy[i];
      before[i] = y[i];
      y[i] = next;
    }
  }
  rates(m, y, dy);
  for (int i = 0; i < SIZE; i++) {
    y[i] = 0.5 * (before[i] + y[i] + s / n * dy[i]);
  }
}

/** Where a slip that turns is after s: midpoint rules of 2, 4, ... steps, extrapolated. */
static impact turned(const impact *m, double s) {
  double table[COLUMNS][SIZE];
  impact to = *m;
  for (int k = 0; k < COLUMNS; k++) {
    midpoints(m, s, 2 * (k + 1), table[k]);
    for (int j = k - 1; j >= 0; j--) {
      const double ratio = (k + 1.0) / (j + 1.0);
      for (int i = 0; i < SIZE; i++) {
        table[j][i] = table[j + 1][i] + (table[j + 1][i] - table[j][i]) / (ratio * ratio - 1);
      }
    }
  }
  memcpy(to.y, table[0], sizeof to.y);
  return to;
}

/** The s up to which f is below zero, as it is at first, and at *s no longer. */
static void find_zero(const impact *m, double (*f)(const impact *), double *s) {
  double low = 0;
  for (int i = 0; i < HALVINGS; i++) {
    const double middle = 0.5 * (low + *s);
    const impact there = turned(m, middle);
    *(f(&there) < 0 ? &low : s) = middle;
  }
}

/** A step along a slip that turns, to the end of the phase if it comes, even if it would be past at the end of the step.
 *  @return whether it has ended */
static bool turn(impact *m) {
  const double *W = m->W;
  const double longest = step / (hypot(W[3], W[6]) + m->mu * (W[4] + W[8]));
  double s = longest;
  const impact whole = turned(m, s);
  if (excess(m) >= 0) {
    return true;
  }
  if (excess(&whole) < 0 && retreat(m) < 0 && retreat(&whole) > 0) {
    find_zero(m, retreat, &s);
  }
  const impact nearest = s < longest ? turned(m, s) : whole;
  const bool ends = excess(&nearest) >= 0;
  if (ends) {
    find_zero(m, excess, &s);
  }
  *m = ends ? turned(m, s) : whole;
  return ends;
}

/** One piece: straight, at most to the end of the slip or of the phase, or a step along a slip that turns. @return whether the phase ended */
static bool piece(impact *m, double size, bool *good) {
  double dv[3] = {0}, dp[3] = {0}, rest = HUGE_VAL;
  const double speed = hypot(m->y[X], m->y[Y]);
  if (speed <= over * size) {
    *good = from_rest(m, dv, dp);
    if (*good && fabs(m->y[N]) <= still * size && dv[N] <= rounding * m->W[0]) {
      return true; // wedged: friction holds it, and nothing is given back
    }
  } else {
    const double s[2] = {m->y[X] / speed, m->y[Y] / speed};
    slipping(m, s, dv, dp);
    const double along = dv[X] * s[0] + dv[Y] * s[1], across = dv[Y] * s[0] - dv[X] * s[1];
    if (fabs(across) > rounding * (fabs(along) + fabs(dv[N]))) {
      return turn(m);
    }
    rest = along < 0 ? -speed / along : HUGE_VAL;
  }
  const double end = left(m, dv[N]);
  *good = *good && isfinite(fmin(end, rest));
  if (*good) {
    advance(m, dv, dp, fmin(end, rest));
    m->y[X] = rest < end ? 0 : m->y[X];
    m->y[Y] = rest < end ? 0 : m->y[Y];
  }
  return *good && end <= rest;
}

/** What of a slip is rounding is none: all of it, or what is across the only direction in which friction moves the contact, where it would
 *  be all that is left as the slip ends. */
static void drop_rounding(const double W[9], double known, double v[3]) {
  double d[2];
  if (hypot(v[X], v[Y]) <= known) {
    v[X] = v[Y] = 0;
  } else if (moves_along(W, d) && fabs(v[Y] * d[0] - v[X] * d[1]) <= known) {
    const double along = v[X] * d[0] + v[Y] * d[1];
    v[X] = along * d[0];
    v[Y] = along * d[1];
  }
}

bool sb_routh(const double W[9], const double v[3], double known, double mu, double e, int law,
              double p[3]) {
  impact m = {.W = W, .mu = mu, .e = e, .law = law, .first = v[N], .compression = -1};
  const double size = fabs(v[N]) + hypot(v[X], v[Y]);
  bool good = W[0] > 0 && v[N] < 0;
  memcpy(m.y, v, 3 * sizeof *v);
  drop_rounding(W, fmax(rounding * size, known), m.y);
  for (int i = 0; good && i < PIECES_MAX; i++) {
    if (!piece(&m, size, &good)) {
      continue;
    }
    if (m.compression >= 0) {
      memcpy(p, m.y + PUSH, 3 * sizeof *p);
      return true;
    }
    m.compression = m.y[PUSH];
    m.lost = m.y[WORK];
    m.y[N] = 0;
  }
  return false;
}
