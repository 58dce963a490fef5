// SPDX-License-Identifier: GPL-3.0-or-later
// The first event of a step. An event indicator fires when it falls through zero. The time is found by
// root finding on partial steps of the method itself, from the start of the step: x(t) is then as
// accurate as the step, of any order. The state just behind the root is kept, so that the new mode
// starts on its own side.
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/simulation/simulation_private.h"

enum { ROOT_ITERATIONS_MAX = 200, PARABOLAS = 6, GUESS_BISECTIONS = 50 };
/** Within a step nothing changes in a shorter time than this fraction of it, by rounding. */
static const double of_step = 1e-12;

/** A value at a time, with its derivative (NAN: unknown). */
typedef struct point {
  double t, v, dv;
} point;

/** An event indicator or, in the search for its minimum, the negative of its derivative at time t. */
static sb_status value_at(sb_simulation *sim, int index, int indicator, bool slope, double t,
                          point *out, sb_error *err) {
  double g[SB_INDICATORS_MAX], gdot[SB_INDICATORS_MAX];
  SB_TRY(sb_probe(sim, sim->locating, t, err));
  if (sb_is_branch(sim, index)) {
    sb_branch_indicator(sim, index, t, sim->xp, &g[0], &gdot[0]);
    *out = (point){t, slope ? -gdot[0] : g[0], slope ? NAN : gdot[0]};
    return SB_OK;
  }
  sb_indicators_trace(sim, sim->xp);
  SB_TRY(sb_switch_indicators(sim, &sim->switches[index], t, sim->xp, g, gdot, err));
  *out = (point){t, slope ? -gdot[indicator] : g[indicator], slope ? NAN : gdot[indicator]};
  return SB_OK;
}

/** Where the cubic through the values and slopes of both ends falls through zero, as a fraction of the way; without
 *  slopes, where the straight line does. It is right to the fourth power of the step.
 *  @param slopes  times the length of the way */
static double guess(double va, double vb, double slope_a, double slope_b) {
  double low = 0, high = 1;
  if (!isfinite(slope_a + slope_b)) {
    return va / (va - vb);
  }
  for (int i = 0; i < GUESS_BISECTIONS; i++) {
    double s = 0.5 * (low + high), r = 1 - s;
    double v = r * r * (va * (1 + 2 * s) + slope_a * s) + s * s * (vb * (1 + 2 * r) - slope_b * r);
    *(v > 0 ? &low : &high) = s;
  }
  return 0.5 * (low + high);
}

/** The state of the last partial step is kept: it is behind a root, and may be where the step is to end. */
static void keep_behind(sb_simulation *sim, double t) {
  sim->behind_t = t;
  memcpy(sim->behind, sim->xp, (size_t)sb_vector_count(sim->network) * sizeof *sim->xp);
}

/** Where the parabola through three points, the time as a function of the value, is at zero. */
static double through(const point *a, const point *b, const point *c) {
  double ab = a->v - b->v, bc = b->v - c->v, ca = c->v - a->v;
  return -(a->t * b->v * c->v / (ab * ca) + b->t * c->v * a->v / (ab * bc) +
           c->t * a->v * b->v / (ca * bc));
}

/** The next time to look at: by the cubic through both ends, where their derivatives are known, else by the parabola
 *  through both and the end before them, or the straight line, and by bisection every fourth time.
 *  @param weight  of the values at the ends on the straight line, by the Illinois method */
static double next_time(const point *a, const point *b, const point *before, const double weight[2],
                        int count) {
  double width = b->t - a->t;
  if (count % 4 == 3 || a->v <= 0) {
    return a->t + 0.5 * width;
  }
  if (isfinite(a->dv + b->dv)) {
    return a->t + width * guess(a->v, b->v, width * a->dv, width * b->dv);
  }
  double curved = through(a, b, before);
  return curved > a->t && curved < b->t
             ? curved
             : a->t + width * guess(weight[0] * a->v, weight[1] * b->v, NAN, NAN);
}

/** Where the value falls from positive at a to zero or below at b, in three or four partial steps. Ends with b.t - a.t below
 *  the tolerance; b is behind the root, and of branches below zero: the value of a `sign` is then that of the
 *  other side. */
static sb_status find_root(sb_simulation *sim, int index, int indicator, bool slope, point *a,
                           point *b, sb_error *err) {
  double rounding = fmax(4 * DBL_EPSILON * fmax(fabs(a->t), fabs(b->t)), of_step * (b->t - a->t));
  double tol = fmax(sim->options.event_tol, rounding), weight[2] = {1, 1};
  point before = {NAN, NAN, NAN};
  int last = -1;
  for (int i = 0; b->t - a->t > tol && i < ROOT_ITERATIONS_MAX; i++) {
    point p = {0, 0, NAN};
    double t = next_time(a, b, &before, weight, i);
    t = fmin(fmax(t, a->t + 0.4 * tol), b->t - 0.4 * tol);
    SB_TRY(value_at(sim, index, indicator, slope, t, &p, err));
    int side = !(p.v > 0 || (p.v == 0 && sb_is_branch(sim, index)));
    weight[side] = 1;
    weight[!side] *= last == side ? 0.5 : 1;
    before = side ? *b : *a;
    *(side ? b : a) = p;
    last = side;
    if (side) {
      keep_behind(sim, p.t);
    }
  }
  return SB_OK;
}

/** Whether an indicator that is positive at both ends may have been below zero in between: it falls at the
 *  start, rises at the end, and where the tangents of the ends meet, below a convex curve, it is not
 *  positive. */
static bool may_dip(const sb_indicator *g, double length) {
  double fall = g->gdot[0], rise = g->gdot[1];
  if (!(g->g[0] > 0 && g->g[1] > 0 && fall < 0 && rise > 0)) {
    return false;
  }
  double meet = (g->g[1] - g->g[0] - rise * length) / (fall - rise);
  return g->g[0] + fall * meet <= 0;
}

/** The vertex of the parabola through three points. @param least  out: its value there */
static double vertex(const double t[3], const double g[3], double *least) {
  double left = (g[1] - g[0]) / (t[1] - t[0]), right = (g[2] - g[1]) / (t[2] - t[1]);
  double bend = (right - left) / (t[2] - t[0]), slope = left + bend * (t[1] - t[0]);
  double at = t[1] - slope / (2 * bend);
  *least = g[1] - slope * slope / (4 * bend);
  return bend > 0 ? at : NAN;
}

/** The minimum of an indicator whose rate its element does not know, as the flow of a friction: by the parabola
 *  through the ends of the last two steps first, and then through places in this one. What is far from zero there costs
 *  no partial step.
 *  @param b  in and out: the end of the step, and where the indicator is below zero, if there is such a time */
static sb_status look_below(sb_simulation *sim, int index, int indicator, point *b, sb_error *err) {
  const sb_indicator *g = &sim->switches[index].indicators[indicator];
  double length = sim->t - sim->t0, before = sim->t0 - sim->length_before, least = HUGE_VAL;
  double t[3] = {before, sim->t0, sim->t}, v[3] = {g->before, g->g[0], g->g[1]};
  double at = sim->step_restarted ? NAN : vertex(t, v, &least);
  if (!(v[1] > 0 && v[2] > 0 && fabs(at - (sim->t0 + 0.5 * length)) < length &&
        least < 0.5 * fmin(v[1], v[2]))) {
    return SB_OK;
  }
  t[0] = sim->t0, v[0] = v[1];
  for (int i = 0; i < PARABOLAS; i++) {
    t[1] = fmin(fmax(at, t[0] + 0.05 * (t[2] - t[0])), t[2] - 0.05 * (t[2] - t[0]));
    point p;
    SB_TRY(value_at(sim, index, indicator, false, t[1], &p, err));
    v[1] = p.v;
    if (p.v < 0) {
      *b = p;
      return SB_OK;
    }
    at = vertex(t, v, &least);
    if (!(t[0] < at && at < t[2]) || least > 0.5 * v[1]) {
      return SB_OK;
    }
    int replaced = at < t[1] ? 2 : 0;
    t[replaced] = t[1], v[replaced] = v[1];
  }
  return SB_OK;
}

/** Whether the events of the present mode are taken before the root. */
static bool taken_before(const sb_simulation *sim, int index) {
  const sb_instance *instance = &sim->network->instances[sim->switches[index].instance];
  const sb_switching_hooks *hooks = instance->type->switching;
  return !sb_is_branch(sim, index) && hooks->before != NULL &&
         hooks->before(instance->self, sim->work->modes[instance->mode]);
}

/** Whether an indicator fell through zero in the step; then g->until is a time at which it is below zero, and g->end and
 *  g->slope are its value and derivative there. */
static sb_status find_fallen(sb_simulation *sim, int index, int indicator, sb_error *err) {
  sb_switch *element = &sim->switches[index];
  sb_indicator *g = &element->indicators[indicator];
  if (sb_is_branch(sim, index)) {
    SB_TRY(sb_branch_slopes(sim, index, err));
  }
  point below = {sim->t, g->g[1], g->gdot[1]};
  if (may_dip(g, sim->t - sim->t0)) { // it may have been below zero in between: look at its minimum
    point a = {sim->t0, -g->gdot[0], NAN}, b = {sim->t, -g->gdot[1], NAN};
    SB_TRY(find_root(sim, index, indicator, true, &a, &b, err));
    SB_TRY(value_at(sim, index, indicator, false, b.t, &below, err));
  }
  if (isnan(g->gdot[0]) && isnan(g->gdot[1])) {
    SB_TRY(look_below(sim, index, indicator, &below, err));
  }
  g->until = below.t;
  g->end = below.v;
  g->slope = below.dv;
  bool armed = g->armed || sim->t - element->since > sb_quiet_time(sim);
  g->fell = g->end < 0 && armed;
  return SB_OK;
}

/** About when it did. */
static double expected(const sb_simulation *sim, const sb_indicator *g) {
  double length = g->until - sim->t0;
  double start = length * g->gdot[0], end = length * g->slope;
  return g->g[0] > 0 ? sim->t0 + length * guess(g->g[0], g->end, start, end) : sim->t0;
}

/** The time close behind the root, or before it where the mode wants that. */
static sb_status locate(sb_simulation *sim, int index, int indicator, double *found,
                        sb_error *err) {
  const sb_indicator *g = &sim->switches[index].indicators[indicator];
  point a = {sim->t0, g->g[0], g->gdot[0]}, b = {g->until, g->end, g->slope};
  SB_TRY(find_root(sim, index, indicator, false, &a, &b, err));
  *found = taken_before(sim, index) && a.t > sim->t0 ? a.t : b.t;
  return SB_OK;
}

/** The indicator that has fallen, and is expected to have done so first. @return how many have fallen */
static int choose(const sb_simulation *sim, int *index, int *indicator) {
  double earliest = HUGE_VAL;
  int count = 0;
  for (int i = 0; i < sim->all_switch_count; i++) {
    for (int k = 0; k < sim->switches[i].count; k++) {
      const sb_indicator *g = &sim->switches[i].indicators[k];
      double t = g->fell ? expected(sim, g) : HUGE_VAL;
      count += g->fell;
      if (t < earliest) {
        earliest = t;
        *index = i;
        *indicator = k;
      }
    }
  }
  return count;
}

/** The workspace is at t, where one has fallen: those that are above zero there fall later. One that was below zero only
 *  before t stays. */
static sb_status leave_later(sb_simulation *sim, double t, sb_error *err) {
  sb_indicators_trace(sim, sim->xp);
  for (int i = 0; i < sim->all_switch_count; i++) {
    double g[SB_INDICATORS_MAX], gdot[SB_INDICATORS_MAX];
    bool read = false;
    for (int k = 0; k < sim->switches[i].count; k++) {
      sb_indicator *own = &sim->switches[i].indicators[k];
      if (!own->fell || own->until <= t) {
        continue;
      }
      if (sb_is_branch(sim, i)) {
        sb_branch_indicator(sim, i, t, sim->xp, &g[0], &gdot[0]);
      } else if (!read) {
        SB_TRY(sb_switch_indicators(sim, &sim->switches[i], t, sim->xp, g, gdot, err));
      }
      read = true;
      own->fell = g[k] < 0;
      own->until = t;
      own->end = g[k];
      own->slope = gdot[k];
    }
  }
  return SB_OK;
}

/** The first of those that have fallen; of several at the same time the first of the list.
 *  @param first  out: its time  @param probed  out: where the last partial step led to */
static sb_status find_first(sb_simulation *sim, double *first, double *probed, int *index,
                            int *indicator, sb_error *err) {
  double same = fmax(sim->options.event_tol,
                     fmax(4 * DBL_EPSILON * fabs(sim->t), of_step * (sim->t - sim->t0)));
  int i = 0, k = 0;
  for (int count = choose(sim, &i, &k); count > 0; count = choose(sim, &i, &k)) {
    double t;
    SB_TRY(locate(sim, i, k, &t, err));
    sim->switches[i].indicators[k].fell = false;
    if (t < *first - same || (t <= *first + same && i < *index)) {
      *first = t;
      *index = i;
      *indicator = k;
      if (count > 1) {
        SB_TRY(sb_probe(sim, sim->locating, t, err));
        SB_TRY(leave_later(sim, t, err));
        *probed = t;
      }
    }
  }
  return SB_OK;
}

sb_status sb_event_find(sb_simulation *sim, int *index, int *indicator, sb_error *err) {
  double first = HUGE_VAL, probed = NAN;
  *index = -1;
  sim->behind_t = NAN;
  SB_TRY(sb_indicators_read(sim, sim->t, sim->x, 1, err));
  for (int i = 0; i < sim->all_switch_count; i++) {
    for (int k = 0; k < sim->switches[i].count; k++) {
      SB_TRY(find_fallen(sim, i, k, err));
    }
  }
  SB_TRY(find_first(sim, &first, &probed, index, indicator, err));
  if (*index < 0 && sim->work->evaluation.t == sim->t) {
    return SB_OK; // no partial step was needed: the workspace is still at the end of the step
  }
  if (*index >= 0 && first < sim->t) {
    bool known = sim->behind_t == first;
    if (!known && (sim->work->evaluation.t != first || probed != first)) {
      SB_TRY(sb_probe(sim, sim->locating, first, err));
    }
    memcpy(sim->x, known ? sim->behind : sim->xp,
           (size_t)sb_vector_count(sim->network) * sizeof(double));
    sim->t = first;
  }
  return sb_evaluate(sim, sim->t, sim->x, err);
}
