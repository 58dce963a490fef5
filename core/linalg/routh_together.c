// SPDX-License-Identifier: GPL-3.0-or-later
// One impact of several contacts that approach alike, as the feet of a table that falls flat. One after the other they would turn the table by
// their order; they are struck as one, Routh's method for all of them. Along s, by which their normal flows have grown alike,
//   v' = W p',   (W p')_n = 1 where p'_n > 0, at least 1 else,
// with friction against the slips, or what holds those that have ended: the problem of forces (unilateral.c), of which the least are taken where the
// contacts are redundant. With the sum P of the normal impulses, compression ends at v_n = 0, restitution by Newton's, Poisson's or Stronge's
// law of P and its work. Where no slip turns the rates are constant, and pieces exact; else they are those of Runge and Kutta, over a part of
// the turn.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/linalg/unilateral_private.h"

enum { N, X, Y, PIECES_MAX = 2000, STAGES = 4 };
/** A slip, or its turn, below this fraction is rounding, and so is what is left of a phase. */
static const double rounding = 1e-13;
/** A slip may turn by so much in a piece [rad], or lose this fraction of its speed. */
static const double turn = 0.1, loss = 0.25;
/** Error of a piece along which a slip turns. */
static const double accuracy = 1e-13;

typedef struct impact {
  const sb_unilateral *contacts; // (count)
  const bool *struck;            // (count)
  int count, m;                  // m = 3 count
  const double *W;
  double speed, size; // at which they approach; of all flows
  sb_unilateral *now; // (count) scratch
  double *b, *flows;  // (m) scratch
} impact;

/** Numbers that an impact changes: v (m), p (m), then these. */
enum { WAY, PUSH, WORK, SUMS };

static int numbers_of(const impact *i) {
  return 2 * i->m + SUMS;
}

/** The speed of a slip; 0: it is rounding, as between the stages of a step of what holds. */
static double slip_of(const impact *i, const double v[]) {
  const double slip = hypot(v[X], v[Y]);
  return slip > rounding * i->size ? slip : 0;
}

/** What follows from the rates of the impulses. @param dy  those in, all out  @return whether they press */
static bool add_up(const impact *i, const double y[], double dy[]) {
  const int m = i->m;
  const double *dp = dy + m;
  double *sums = dy + 2 * m;
  sums[WAY] = 1;
  sums[PUSH] = 0;
  for (int k = 0; k < m; k++) {
    dy[k] = 0;
    sums[PUSH] += k % 3 == N ? dp[k] : 0;
    for (int j = 0; j < m; j++) {
      dy[k] += i->W[k * m + j] * dp[j];
    }
  }
  sums[WORK] = (y[2 * m + WAY] - i->speed) * sums[PUSH];
  return sums[PUSH] > 0;
}

/** d(v, p, way, push, work)/ds. @return whether there are forces */
static bool find_rates(const impact *i, const double y[], double dy[]) {
  double *dp = dy + i->m;
  memset(dy, 0, (size_t)numbers_of(i) * sizeof *dy);
  for (int c = 0; c < i->count; c++) {
    const double *v = y + 3 * c, slip = slip_of(i, v);
    i->now[c] = i->contacts[c];
    i->now[c].slides = i->now[c].rubs && slip > 0;
    for (int k = X; k <= Y; k++) {
      i->now[c].s[k - X] = slip > 0 ? v[k] / slip : 0;
      i->flows[3 * c + k] = slip > 0 ? v[k] : 0;
      i->b[3 * c + k] = 0;
    }
    i->flows[3 * c] = 0;
    i->b[3 * c] = i->struck[c] ? -1 : HUGE_VAL;
  }
  if (sb_unilateral_solve(i->now, i->count, i->W, i->b, i->flows, dp) != SB_UNILATERAL_SOLVED) {
    return false;
  }
  return add_up(i, y, dy);
}

/** Slips that turn by no more than they are known go on along the directions that last: friction turns slow ones back so fast that a step would make more of
 *  their rounding.  @param dy  as by find_rates(), in and out */
static bool settle(const impact *i, const double y[], double dy[]) {
  double *dp = dy + i->m;
  for (int c = 0; c < i->count; c++) {
    i->now[c].fades = i->now[c].slides;
    i->now[c].slides = false;
  }
  return sb_unilateral_continue(i->now, i->count, i->W, i->b, dp) ? add_up(i, y, dy)
                                                                  : find_rates(i, y, dy);
}

/** How fast friction turns a slip to the direction that lasts, by s: the faster the slower slips are, whatever they lose. */
static double settling(const impact *i, const double y[], const double dy[], int c) {
  double rate = 0;
  for (int d = 0; d < i->count; d++) {
    const double *w = i->W + (3 * c + X) * i->m + 3 * d + X, *dp = dy + i->m + 3 * d;
    const double slip = i->contacts[d].rubs ? slip_of(i, y + 3 * d) : 0;
    const double moved = hypot(hypot(w[0], w[1]), hypot(w[i->m], w[i->m + 1]));
    rate += slip > 0 ? moved * hypot(dp[X], dp[Y]) / slip : 0;
  }
  return rate;
}

/** How far it is to where a slip ends, or has turned. @param ends  out: the contact whose slip ends there; -1: none  @param turns  in and out */
static double next_piece(const impact *i, const double y[], const double dy[], int *ends,
                         bool *turns) {
  double next = HUGE_VAL;
  *ends = -1;
  *turns = false;
  for (int c = 0; c < i->count; c++) {
    const double *v = y + 3 * c, *dv = dy + 3 * c, slip = slip_of(i, v);
    if (!i->struck[c] || !i->contacts[c].rubs || slip == 0) {
      continue;
    }
    const double along = (v[X] * dv[X] + v[Y] * dv[Y]) / slip,
                 across = fabs(v[X] * dv[Y] - v[Y] * dv[X]) / slip;
    const double settles = settling(i, y, dy, c);
    const bool bends = across > rounding * (fabs(along) + 1 + settles * i->size);
    const double rest = along < 0 ? -slip / along : HUGE_VAL;
    const double bent = fmin(fmin(turn * slip / across, 1 / settles), loss * rest);
    const double way = bends ? bent : rest;
    *turns = *turns || bends;
    *ends = way < next ? (bends ? -1 : c) : *ends;
    next = fmin(next, way);
  }
  return next;
}

/** How far it is to the end of a phase, with rates that stay; behind it, below zero.
 *  @param end  of what the law measures */
static double way_left(const impact *i, const double y[], const double dy[], int law, double end) {
  const double *sums = y + 2 * i->m, push = dy[2 * i->m + PUSH];
  if (law == SB_ROUTH_NEWTON) {
    return end - sums[WAY];
  }
  if (law == SB_ROUTH_POISSON) {
    return (end - sums[PUSH]) / push;
  }
  const double v = sums[WAY] - i->speed; // v h + h^2/2 = what is left of the work, over P'
  const double left = (end - sums[WORK]) / push;
  return 2 * left / (v + sqrt(fmax(v * v + 2 * left, rounding * rounding * i->speed * i->speed)));
}

/** One step of Runge's and Kutta's method from y. @param rates  (STAGES x numbers), the first ones as they are at y  @param to  out
 *  @param at  scratch */
static bool advance(const impact *i, double h, const double y[], double rates[], double to[],
                    double at[]) {
  static const double ahead[STAGES] = {0, 0.5, 0.5, 1}, weight[STAGES] = {1, 2, 2, 1};
  const int size = numbers_of(i);
  for (int s = 1; s < STAGES; s++) {
    for (int k = 0; k < size; k++) {
      at[k] = y[k] + ahead[s] * h * rates[(s - 1) * size + k];
    }
    if (!find_rates(i, at, rates + s * size)) {
      return false;
    }
  }
  memcpy(to, y, (size_t)size * sizeof *to);
  for (int s = 0; s < STAGES; s++) {
    for (int k = 0; k < size; k++) {
      to[k] += weight[s] / 6 * h * rates[s * size + k];
    }
  }
  return true;
}

/** A piece along which a slip turns, by one step and two of half its length, extrapolated. @param part  in and out: of the piece, at which its error
 *  is small enough; where it is not y stays  @return false: there are no forces */
static bool follow_turn(const impact *i, double h, double y[], double rates[], double *part,
                        double room[]) {
  const int size = numbers_of(i);
  double *whole = room, *half = whole + size, *both = half + size, *at = both + size, off = 0;
  if (!advance(i, h, y, rates, whole, at) || !advance(i, h / 2, y, rates, half, at) ||
      !find_rates(i, half, rates) || !advance(i, h / 2, half, rates, both, at)) {
    return false;
  }
  for (int k = 0; k < i->m; k++) {
    off = fmax(off, fabs(both[k] - whole[k]));
  }
  const bool good = off <= accuracy * i->size || *part < rounding;
  for (int k = 0; k < size && good; k++) {
    y[k] = both[k] + (both[k] - whole[k]) / 15;
  }
  *part = !good ? *part / 2 : off < accuracy * i->size / 64 ? fmin(2 * *part, 1) : *part;
  return true;
}

/** A piece along which rates stay. */
static void follow_straight(const impact *i, double h, double y[], double rates[]) {
  const double *sums = y + 2 * i->m;
  const double middle = sums[WAY] + 0.5 * h - i->speed;
  rates[2 * i->m + WORK] = middle * rates[2 * i->m + PUSH];
  for (int k = 0; k < numbers_of(i); k++) {
    y[k] += h * rates[k];
  }
}

/** What of a slip is rounding is none. @param ended  a contact whose slip has ended; -1: none */
static void drop_rounding(const impact *i, int ended, double y[]) {
  for (int c = 0; c < i->count; c++) {
    double *v = y + 3 * c;
    if (c == ended || slip_of(i, v) == 0) {
      v[X] = v[Y] = 0;
    }
  }
}

/** To the end of a phase. @param room  (4 x numbers) scratch  @return false: it has none */
static bool follow(const impact *i, int law, double end, double y[], double rates[],
                   double room[]) {
  double part = 1;
  for (int piece = 0; piece < PIECES_MAX; piece++) {
    int ends;
    bool turns;
    if (!find_rates(i, y, rates)) {
      return false;
    }
    double next = next_piece(i, y, rates, &ends, &turns);
    if (!turns && settle(i, y, rates)) {
      next = next_piece(i, y, rates, &ends, &turns);
    }
    const double left = way_left(i, y, rates, law, end);
    if (fabs(left) <= rounding * i->speed) {
      return true;
    }
    if (!turns) {
      follow_straight(i, fmin(left, next), y, rates);
    } else if (!follow_turn(i, fmin(left, part * next), y, rates, &part, room)) {
      return false;
    }
    drop_rounding(i, left <= next ? -1 : ends, y);
  }
  return false;
}

sb_unilateral_status sb_routh_together(const sb_unilateral contacts[], int count,
                                       const bool struck[], const double W[], const double v[],
                                       double speeds, double e, int law, double p[]) {
  const int m = 3 * count, size = 2 * m + SUMS;
  double *numbers = sb_zeroed((STAGES + 5) * size + 2 * m, sizeof *numbers);
  sb_unilateral *now = sb_zeroed(count, sizeof *now);
  const bool memory = numbers != NULL && now != NULL;
  bool good = false;
  if (memory) {
    double *y = numbers, *room = y + size, *rates = room + 4 * size;
    impact i = {contacts, struck, count, m, W, .size = speeds, .now = now};
    i.b = rates + STAGES * size;
    i.flows = i.b + m;
    for (int k = 0; k < m; k++) {
      y[k] = v[k];
      i.size = fmax(i.size, fabs(v[k]));
      i.speed = k % 3 == N && struck[k / 3] ? fmax(i.speed, -v[k]) : i.speed;
    }
    drop_rounding(&i, -1, y);
    good = follow(&i, SB_ROUTH_NEWTON, i.speed, y, rates, room);
    const double *sums = y + 2 * m;
    const double end = law == SB_ROUTH_NEWTON    ? (1 + e) * i.speed
                       : law == SB_ROUTH_POISSON ? (1 + e) * sums[PUSH]
                                                 : (1 - e * e) * sums[WORK];
    good = good && (e == 0 || follow(&i, law, end, y, rates, room));
    memcpy(p, y + m, good ? (size_t)m * sizeof *p : 0);
  }
  free(numbers);
  free(now);
  return good ? SB_UNILATERAL_SOLVED : memory ? SB_UNILATERAL_NOT_MET : SB_UNILATERAL_MEMORY;
}
