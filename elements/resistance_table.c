// SPDX-License-Identifier: GPL-3.0-or-later
// The law of an R as a table of efforts over flows, linear between its points. Where its slope changes a step would be of an order of one
// or two only: within steps the line of the present piece goes on, and its end is an event.
#include <math.h>

#include "elements/resistance_private.h"

/** Slopes that differ by less than this fraction are one: the points between lie on a line. */
static const double straight = 1e-9;

sb_status sb_table_check(const resistance *s, bool *invertible, sb_error *err) {
  bool zero = false;
  if (s->flows.count != s->efforts.count || s->flows.count < 2) {
    return sb_fail_at(
        err, SB_ERR_DIMENSION, s->efforts.count > 0 ? "efforts" : "flows",
        "flows and efforts need the same number of points, two or more: got %d and %d",
        s->flows.count, s->efforts.count);
  }
  *invertible = true;
  for (int i = 0; i < s->flows.count; i++) {
    zero = zero || (s->flows.values[i] == 0 && s->efforts.values[i] == 0);
    double step = i > 0 ? s->efforts.values[i] - s->efforts.values[i - 1] : 1;
    *invertible = *invertible && step > 0;
    if (step < 0) {
      return sb_fail_at(
          err, SB_ERR_RANGE, "efforts", "the efforts of the table must not fall from %s to %s",
          sb_number_word(s->efforts.values[i - 1]).text, sb_number_word(s->efforts.values[i]).text);
    }
  }
  if (!zero) {
    return sb_fail_at(err, SB_ERR_RANGE, "flows",
                      "the table must have the point of flow 0 and effort 0: "
                      "elsewhere it could give power");
  }
  return SB_OK;
}

/** y and dy/dx at x of the line from point k - 1 to k of the polygon through (xs, ys), xs rising; k = 0: of that which x is on, where the end
 *  pieces go on for ever. */
static sb_dual interpolate(const double xs[], const double ys[], int count, int k, double x) {
  int low = k > 0 ? k - 1 : 0, high = k > 0 ? k : count - 1;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    *(xs[middle] <= x ? &low : &high) = middle;
  }
  double slope = (ys[high] - ys[low]) / (xs[high] - xs[low]);
  return (sb_dual){fabs(x - xs[low]) <= fabs(x - xs[high]) ? ys[low] + slope * (x - xs[low])
                                                           : ys[high] + slope * (x - xs[high]),
                   slope};
}

sb_dual sb_table_at(const resistance *s, const sb_at *at, sb_variable assigned, double u) {
  const double *f = s->flows.values, *e = s->efforts.values;
  const int count = s->flows.count,
            k = count > 2 && at->discrete != NULL ? (int)at->discrete[0] : 0;
  return assigned == SB_FLOW ? interpolate(f, e, count, k, u) : interpolate(e, f, count, k, u);
}

/** The points by the input of the law in the present causality, and that input. */
typedef struct reading {
  const double *x, *y;
  double u;
} reading;

static reading read(const resistance *s, const sb_at *at) {
  const double *f = s->flows.values, *e = s->efforts.values;
  const int components = s->heated ? 2 : 1;
  return at->assigned == SB_FLOW ? (reading){f, e, at->in[components]} : (reading){e, f, at->in[0]};
}

static double slope_behind(const reading *r, int i) {
  return (r->y[i + 1] - r->y[i]) / (r->x[i + 1] - r->x[i]);
}

static bool is_kink(const reading *r, int i) {
  const double before = slope_behind(r, i - 1), behind = slope_behind(r, i);
  return fabs(behind - before) > straight * fmax(fabs(before), fabs(behind));
}

/** The points between which the table is straight around the piece from point k - 1 to k; 0 or count - 1: it goes on for ever. */
static void find_ends(const resistance *s, const reading *r, int k, int *low, int *high) {
  const int last = s->flows.count - 1;
  for (*high = k; *high < last && !is_kink(r, *high); ++*high) {
  }
  for (*low = k - 1; *low > 0 && !is_kink(r, *low); --*low) {
  }
}

static int piece_of(const resistance *s, const reading *r) {
  int k = 1;
  while (k < s->flows.count - 1 && r->u > r->x[k]) {
    k++;
  }
  return k;
}

int sb_table_indicators(const resistance *s, const sb_at *at, double g[], double gdot[]) {
  const int k = (int)at->discrete[0], last = s->flows.count - 1;
  const reading r = read(s, at);
  int low, high;
  if (k == 0) {
    return 0;
  }
  find_ends(s, &r, k, &low, &high);
  g[0] = high < last ? r.x[high] - r.u : 1;
  g[1] = low > 0 ? r.u - r.x[low] : 1;
  gdot[0] = gdot[1] = NAN;
  return 2;
}

void sb_table_fire(const resistance *s, const sb_at *at, int indicator, double discrete[],
                   sb_transition *out) {
  const reading r = read(s, at);
  int low, high;
  find_ends(s, &r, (int)discrete[0], &low, &high);
  discrete[0] = indicator == 0 ? high + 1 : low;
  out->continues = true;
}

void sb_table_accept(const resistance *s, const sb_at *at, double discrete[]) {
  const reading r = read(s, at);
  discrete[0] = discrete[0] == 0 ? piece_of(s, &r) : discrete[0];
}
