// SPDX-License-Identifier: GPL-3.0-or-later
// Loops of laws alone in which some are steep at zero as they are read, as an orifice f = c sign(e) sqrt|e| whose effort is what others leave. Where its
// flow turns, tangents at its input lead to and fro. What it gives is an unknown of the loop, and of that its inverse g = h^-1 is flat at zero. So in place
// of y = h(u) the row
//   g(y) - u = 0,  u = b + A y,
// is solved by Newton's method, for each law of which g grows in proportion or more, g'(y) y >= g(y); written as y - s u = y - s g(y) with s = 1/g'(y) it
// is that of y = h(u) but with the tangent at y in place of that at u.
#include <math.h>
#include <string.h>

#include "core/loop/newton_private.h"

enum { STEPS_MAX = 100, HALVINGS_MAX = 30 };
/** A slope of g below this fraction of what comes back to its row is none. */
static const double flat = 1e-15;
/** A law is steep at zero if its inverse has g'(y) y above g(y) by this factor at this fraction of y: a diode with a leak is not, whatever it is
 *  further out. */
static const double steep = 1.25, close = 1e-6;
/** A step may take less off the residuals than the tangents would have it, by this fraction. */
static const double enough = 0.1;

/** A law that is inverted at its output. */
typedef struct inverse {
  double value, slope; // g, g'
} inverse;

/** @return whether it has one */
static bool invert(const sb_newton *n, const sb_loop_hook *hook, double y, inverse *g) {
  const sb_instance *instance = &n->work->network->instances[hook->op.instance];
  const sb_dissipation_hooks *law = instance->type->dissipation;
  if (!instance->layout.rises || law->slope == NULL || hook->output_count != 1) {
    return false;
  }
  sb_at at = sb_at_instance(n->work, instance, n->t, n->x);
  const sb_variable other = at.assigned == SB_FLOW ? SB_EFFORT : SB_FLOW;
  at.in = &y;
  if (law->law(instance->self, &at, other, &g->value) != 0) {
    return false;
  }
  g->slope = law->slope(instance->self, &at, other);
  return isfinite(g->value) && isfinite(g->slope);
}

/** The largest of what the outputs make of an input. */
static double fed_back(const sb_newton *n, int input) {
  double most = 0;
  for (int j = 0; j < n->rows[input].count; j++) {
    most = fmax(most, fabs(n->terms[n->rows[input].first + j].factor));
  }
  return most;
}

bool sb_newton_is_steep(const sb_newton *n, const double y[]) {
  bool any = false;
  for (int h = 0; h < n->loop->count && !any; h++) {
    const double near_zero = close * fabs(y[n->hooks[h].first_output]);
    inverse g;
    any = near_zero > 0 && invert(n, &n->hooks[h], near_zero, &g) &&
          g.slope * near_zero > steep * fabs(g.value);
  }
  return any;
}

/** Chooses the tangents of laws that are inverted, at y. @param tangents  (inputs) out; zero: of others
 *  @return whether any is */
static bool choose(const sb_newton *n, const double y[], double tangents[]) {
  bool any = false;
  memset(tangents, 0, (size_t)n->loop->input_count * sizeof *tangents);
  for (int h = 0; h < n->loop->count; h++) {
    const sb_loop_hook *hook = &n->hooks[h];
    const int i = sb_newton_law_input(n, hook);
    const double own = y[hook->first_output], back = fed_back(n, i);
    inverse g;
    if (back > 0 && invert(n, hook, own, &g) && g.slope * fabs(own) >= fabs(g.value)) {
      tangents[i] = 1 / fmax(g.slope, flat * back);
      any = true;
    }
  }
  return any;
}

/** What is left of the rows, r, and what they are compared by: of y - h(u), or of (g(y) - u) s.  @return whether all is finite */
static bool find_rows(const sb_newton *n, double y[], const double tangents[], sb_newton_point *p,
                      double left[], double weight[]) {
  bool finite = sb_newton_at(n, y, p) == 0;
  if (finite) {
    memcpy(left, p->r, (size_t)n->m * sizeof *left);
    sb_newton_weigh(n, p, weight);
  }
  for (int h = 0; h < n->loop->count && finite; h++) {
    const int i = sb_newton_law_input(n, &n->hooks[h]), k = n->hooks[h].first_output;
    inverse g;
    if (tangents[i] > 0) {
      finite = invert(n, &n->hooks[h], y[k], &g);
      left[k] = (g.value - p->u[i]) * tangents[i];
      weight[k] = (fabs(g.value) + p->terms[i]) * tangents[i];
    }
  }
  return finite;
}

static double sum_of_squares(const double left[], const double weight[], int m) {
  double sum = 0;
  for (int k = 0; k < m; k++) {
    sum += weight[k] > 0 ? left[k] / weight[k] * (left[k] / weight[k]) : 0;
  }
  return sum;
}

/** A damped step by the tangents. @return whether it makes the rows smaller */
static bool step(const sb_newton *n, double y[], sb_newton_point *p, const double left[],
                 const double weight[]) {
  sb_newton own = *n;
  sb_newton_point trial = sb_newton_point_take(&own);
  double *next = sb_newton_vector(&own), *d = sb_newton_vector(&own), *now = sb_newton_vector(&own),
         *unused = sb_newton_vector(&own), fraction = 1;
  const double before = sum_of_squares(left, weight, n->m);
  sb_newton_correct(&own, p, y, left, d);
  for (int i = 0; i < HALVINGS_MAX; i++, fraction *= 0.5) {
    for (int k = 0; k < n->m; k++) {
      next[k] = y[k] - fraction * d[k];
    }
    if (find_rows(&own, next, n->tangents, &trial, now, unused) &&
        sum_of_squares(now, weight, n->m) <= (1 - enough * fraction) * before) {
      memcpy(y, next, (size_t)n->m * sizeof *y);
      return true;
    }
  }
  return false;
}

bool sb_newton_by_inverses(const sb_newton *n, double y[], sb_newton_point *p) {
  sb_newton own = *n, plain = *n;
  double *left = sb_newton_vector(&own), *weight = sb_newton_vector(&own),
         *tangents = sb_newton_take(&own, n->loop->input_count);
  bool goes_on = sb_newton_at(n, y, p) == 0 && sb_newton_is_steep(n, y);
  plain.room = own.room;
  for (int i = 0; i < STEPS_MAX && goes_on; i++) {
    goes_on = choose(&own, y, tangents) && find_rows(&own, y, tangents, p, left, weight);
    sb_newton_fill(&plain, p);
    if (!goes_on || sb_newton_below(sb_newton_rounding, p, n->m)) {
      break;
    }
    own.tangents = tangents;
    goes_on = sb_newton_factor(&own, p, NULL) && step(&own, y, p, left, weight);
  }
  if (sb_newton_at(n, y, p) != 0) {
    return false;
  }
  sb_newton_fill(&plain, p);
  return sb_newton_below(sb_newton_solved, p, n->m);
}
