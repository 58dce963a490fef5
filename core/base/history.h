// SPDX-License-Identifier: GPL-3.0-or-later
// The past of a number as a delay needs it: a polynomial for each of consecutive intervals of time, and a constant before the first.
// Between two intervals there may be a break: a jump or a kink.
#ifndef SB_CORE_HISTORY_H
#define SB_CORE_HISTORY_H

#include <stdbool.h>

enum {
  SB_HISTORY_TERMS = 9,     // of a piece
  SB_HISTORY_SMOOTH = 1000, // level of what is no break
};

/** sum c_k T_k(theta), theta from -1 at the start to 1 at the end, T_k Chebyshev's polynomials. */
typedef struct sb_history_piece {
  double start, end;          // [s]
  int segment;                // one more behind every break
  int level;                  // of the break at its start: the lowest derivative that jumps there
  double c[SB_HISTORY_TERMS]; // unused ones are zero
} sb_history_piece;

typedef struct sb_history {
  double constant;          // before the first piece
  double start;             // [s] of the first piece ever
  sb_history_piece *pieces; // (capacity); those remembered are `count` from `first` on
  int first, count, capacity;
} sb_history;

void sb_history_finish(sb_history *history);

/** The value at time t [s] by the pieces without a break around `inside` [s], beyond them by the nearest one,
 *  at most by its length: some methods have stages behind the end of a step.
 *  @param rate  [1/s] out; NULL: not wanted */
double sb_history_at(const sb_history *history, double t, double inside, double *rate);
/** The sum of the absolute values of the terms of that value: it is known to the rounding of this. */
double sb_history_terms(const sb_history *history, double t, double inside);

/** How far from t [s] the values are those of one polynomial, by the pieces without a break around `inside` [s]; HUGE_VAL: without
 *  end. Where two of them join, derivatives differ by what they are inaccurate by. */
double sb_history_room(const sb_history *history, double t, double inside);

/** The polynomial of a piece by its values at theta_j = cos(pi j/degree), j = 0 ... degree.
 *  @param value  (degree + 1), `stride` numbers apart */
void sb_history_fit(sb_history_piece *piece, int degree, const double value[], int stride);
double sb_history_value(const sb_history_piece *piece, double t);

/** Appends a piece that begins where the last one ends; its segment follows from its level.
 *  @return false: out of memory */
bool sb_history_append(sb_history *history, const sb_history_piece *piece);
/** Takes back the pieces that begin at t [s] or behind it. */
void sb_history_cut(sb_history *history, double t);
/** Forgets the pieces that end before t [s]; the last one stays. */
void sb_history_forget(sb_history *history, double t);

/** The first break at t [s] or behind it; HUGE_VAL: there is none. @param level  out; NULL: not wanted */
double sb_history_break(const sb_history *history, double t, int *level);
/** The end of a span from t [s] that hides nothing: that of the fourth piece, as what is narrow has been remembered in more of them,
 *  or of a later one as long as no end of a piece on the way departs by more than `bend` from the chord. */
double sb_history_reach(const sb_history *history, double t, double bend);

#endif
