// SPDX-License-Identifier: GPL-3.0-or-later
// A loop of one law that reads one number, y = g(u) on the line u = b + a y with a < 0, without a derivative and without a step that
// can overflow. A passive law has u g(u) >= 0, and so r = y - g(b + a y) has the sign of -b at y = 0 and that of b at y = -b/a,
// where u = 0: a solution is between. Bisection in the order of the floating-point numbers finds it to its last digit in at most 64
// steps, however many decades there are between; where the law has no finite value it is beyond all y. If the law rises there is
// one solution; else which one it is tells the caller's search.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/loop/newton_private.h"

static uint64_t place_of(double positive) {
  uint64_t place;
  memcpy(&place, &positive, sizeof place);
  return place;
}

static double number_at(uint64_t place) {
  double number;
  memcpy(&number, &place, sizeof number);
  return number;
}

/** The input by which what the only law gives comes back to it; -1: it is no such loop. */
static int input_of(const sb_newton *n) {
  const sb_loop_hook *hook = n->hooks;
  int found = -1, terms = 0;
  for (int i = 0; i < n->loop->input_count; i++) {
    terms += n->rows[i].count;
    found = n->rows[i].count > 0 ? i : found;
  }
  const bool one = n->loop->count == 1 && hook->op.kind == SB_OP_LAW && terms == 1;
  return one && n->terms[n->rows[found].first].factor < 0 ? found : -1;
}

/** Whether the solution is further from zero than y, where a law that has no finite value is beyond. */
static bool is_short(const sb_newton *n, sb_newton_point *p, double y[], int k, double sign) {
  const bool finite = sb_newton_at(n, y, p) == 0;
  return !finite || sign * p->r[k] < 0;
}

bool sb_newton_bracket(const sb_newton *n, double y[], sb_newton_point *p) {
  const int input = input_of(n);
  if (input < 0) {
    return false;
  }
  const sb_loop_term *term = &n->terms[n->rows[input].first];
  const double end = -n->b[input] / term->factor, sign = end < 0 ? -1 : 1;
  const int k = term->column;
  if (!isfinite(end)) {
    return false;
  }
  uint64_t low = 0, high = place_of(fabs(end));
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    y[k] = sign * number_at(middle);
    *(is_short(n, p, y, k, sign) ? &low : &high) = middle;
  }
  y[k] = sign * number_at(high);
  return sb_newton_at(n, y, p) == 0;
}
