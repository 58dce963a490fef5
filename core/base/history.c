// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"

static const double half_turn = 3.14159265358979323846;

void sb_history_finish(sb_history *h) {
  free(h->pieces);
}

/** sum c_k T_k and sum c_k T_k' = sum c_k k U_{k-1} by their recurrences. */
static double polynomial(const sb_history_piece *p, double t, double *rate) {
  double x = (2 * t - p->start - p->end) / (p->end - p->start);
  double value = p->c[0], slope = 0, t0 = 1, t1 = x, u0 = 0, u1 = 1;
  for (int k = 1; k < SB_HISTORY_TERMS; k++) {
    value += p->c[k] * t1;
    slope += p->c[k] * k * u1;
    double t2 = 2 * x * t1 - t0, u2 = 2 * x * u1 - u0;
    t0 = t1, t1 = t2;
    u0 = u1, u1 = u2;
  }
  if (rate != NULL) {
    *rate = slope * 2 / (p->end - p->start);
  }
  return value;
}

/** The piece at t; -1: the constant is. Beyond the end: the last one. */
static int find(const sb_history *h, double t) {
  if (h->count == 0 || t < h->start) {
    return -1;
  }
  const sb_history_piece *pieces = h->pieces + h->first;
  int low = 0, high = h->count - 1;
  while (low < high) {
    int middle = (low + high) / 2;
    if (t < pieces[middle].end) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

static int segment(const sb_history *h, int piece) {
  return piece < 0 ? 0 : h->pieces[h->first + piece].segment;
}

/** That of sb_history_at(); NULL: the constant is. */
static const sb_history_piece *piece_at(const sb_history *h, double t, double inside) {
  int i = find(h, t), wanted = segment(h, find(h, inside));
  while (i + 1 < h->count && segment(h, i) < wanted) {
    i++;
  }
  while (i >= 0 && segment(h, i) > wanted) {
    i--;
  }
  return i < 0 ? NULL : &h->pieces[h->first + i];
}

double sb_history_at(const sb_history *h, double t, double inside, double *rate) {
  const sb_history_piece *p = piece_at(h, t, inside);
  if (p == NULL) {
    if (rate != NULL) {
      *rate = 0;
    }
    return h->constant;
  }
  double length = p->end - p->start;
  return polynomial(p, fmin(fmax(t, p->start - length), p->end + length), rate);
}

double sb_history_terms(const sb_history *h, double t, double inside) {
  const sb_history_piece *p = piece_at(h, t, inside);
  double sum = p == NULL ? fabs(h->constant) : 0;
  for (int k = 0; p != NULL && k < SB_HISTORY_TERMS; k++) {
    sum += fabs(p->c[k]);
  }
  return sum;
}

double sb_history_room(const sb_history *h, double t, double inside) {
  const sb_history_piece *p = piece_at(h, t, inside);
  if (p == NULL) {
    return HUGE_VAL;
  }
  const int i = (int)(p - (h->pieces + h->first));
  const double length = p->end - p->start;
  const bool begins = i == 0 || segment(h, i - 1) != segment(h, i),
             ends = i + 1 == h->count || segment(h, i + 1) != segment(h, i);
  return fmax(0, fmin(t - p->start + begins * length, p->end - t + ends * length));
}

double sb_history_value(const sb_history_piece *piece, double t) {
  return polynomial(piece, t, NULL);
}

/** c_k = 2/n sum'' f_j cos(pi j k/n), half of it for k = 0 and n; '' halves the first and the last term. */
void sb_history_fit(sb_history_piece *piece, int n, const double value[], int stride) {
  memset(piece->c, 0, sizeof piece->c);
  for (int k = 0; k <= n; k++) {
    double sum = 0;
    for (int j = 0; j <= n; j++) {
      double term = value[j * stride] * cos(half_turn * ((j * k) % (2 * n)) / n);
      sum += j == 0 || j == n ? 0.5 * term : term;
    }
    piece->c[k] = sum * (k == 0 || k == n ? 1 : 2) / n;
  }
}

bool sb_history_append(sb_history *h, const sb_history_piece *piece) {
  if (h->first + h->count == h->capacity && h->first > h->count) {
    memmove(h->pieces, h->pieces + h->first, (size_t)h->count * sizeof *h->pieces);
    h->first = 0;
  }
  int total = h->first + h->count;
  if (!sb_append(&h->pieces, &total, &h->capacity, sizeof *piece, piece)) {
    return false;
  }
  sb_history_piece *added = &h->pieces[h->first + h->count];
  added->segment = segment(h, h->count - 1) + (piece->level < SB_HISTORY_SMOOTH);
  h->start = h->count == 0 ? piece->start : h->start;
  h->count++;
  return true;
}

void sb_history_cut(sb_history *h, double t) {
  while (h->count > 0 && h->pieces[h->first + h->count - 1].start >= t) {
    h->count--;
  }
}

void sb_history_forget(sb_history *h, double t) {
  while (h->count > 1 && h->pieces[h->first].end < t) {
    h->first++;
    h->count--;
  }
}

double sb_history_break(const sb_history *h, double t, int *level) {
  for (int i = find(h, t) < 0 ? 0 : find(h, t); i < h->count; i++) {
    const sb_history_piece *p = &h->pieces[h->first + i];
    if (p->level < SB_HISTORY_SMOOTH && p->start >= t) {
      if (level != NULL) {
        *level = p->level;
      }
      return p->start;
    }
  }
  return HUGE_VAL;
}

/** Whether the ends of pieces depart little from the chord.  @param end, value  (count) of the pieces */
static bool is_straight(double t, double start, const double end[], const double value[], int count,
                        double bend) {
  double slope = (value[count - 1] - start) / (end[count - 1] - t);
  for (int i = 0; i < count - 1; i++) {
    if (fabs(start + slope * (end[i] - t) - value[i]) > bend) {
      return false;
    }
  }
  return true;
}

double sb_history_reach(const sb_history *h, double t, double bend) {
  enum { AHEAD = 32, FREE = 4 }; // pieces
  double end[AHEAD], value[AHEAD];
  int i = find(h, t), count = 0;
  if (i < 0) {
    return h->start;
  }
  const sb_history_piece *piece = &h->pieces[h->first + i];
  double start = polynomial(piece, t, NULL);
  for (; count < AHEAD && i + count < h->count; count++) {
    end[count] = piece[count].end;
    value[count] = polynomial(&piece[count], end[count], NULL);
    if (count >= FREE && !is_straight(t, start, end, value, count + 1, bend)) {
      break;
    }
  }
  return end[count - 1];
}
