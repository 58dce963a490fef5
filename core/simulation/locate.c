// SPDX-License-Identifier: GPL-3.0-or-later
// The first event of a step. An event indicator fires when it falls through zero. The time is found by
// root finding on partial steps of the method itself, from the start of the step: x(t) is then as
// accurate as the step, of any order. The state just behind the root is kept, so that the new mode
// starts on its own side.
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/simulation/simulation_private.h"

enum { ROOT_ITERATIONS_MAX = 200, PARABOLAS = 6 };
/** Within a step nothing changes in a shorter time than this fraction of it, by rounding. */
static const double of_step = 1e-12;

/** An event indicator or, in the search for its minimum, the negative of its derivative at time t. */
static sb_status value_at(sb_simulation *sim, int index, int indicator, bool slope, double t,
                          double *value, sb_error *err) {
  double g[SB_INDICATORS_MAX], gdot[SB_INDICATORS_MAX];
  SB_TRY(sb_probe(sim, sim->locating, t, err));
  if (sb_is_branch(sim, index)) {
    sb_branch_indicator(sim, index, t, sim->xp, &g[0], &gdot[0]);
    *value = slope ? -gdot[0] : g[0];
    return SB_OK;
  }
  sb_indicators_trace(sim, sim->xp);
  SB_TRY(sb_switch_indicators(sim, &sim->switches[index], t, sim->xp, g, gdot, err));
  *value = slope ? -gdot[indicator] : g[indicator];
  return SB_OK;
}

/** Where the value falls from positive at *a to zero or below at *b: the Illinois method, with bisection when it is
 *  slow. Ends with *b - *a below the tolerance; *b is behind the root, and of branches below zero: the value
 *  of a `sign` is then that of the other side. */
static sb_status find_root(sb_simulation *sim, int index, int indicator, bool slope, double *a,
                           double *b, double va, double vb, sb_error *err) {
  double rounding = fmax(4 * DBL_EPSILON * fmax(fabs(*a), fabs(*b)), of_step * (*b - *a));
  double tol = fmax(sim->options.event_tol, rounding);
  int last_side = 0;
  for (int i = 0; *b - *a > tol && i < ROOT_ITERATIONS_MAX; i++) {
    double width = *b - *a, t = *b - width * vb / (vb - va), v;
    if (i % 4 == 3 || va <= 0) {
      t = *a + 0.5 * width;
    }
    t = fmin(fmax(t, *a + 0.4 * tol), *b - 0.4 * tol);
    SB_TRY(value_at(sim, index, indicator, slope, t, &v, err));
    if (v > 0 || (v == 0 && sb_is_branch(sim, index))) {
      vb *= last_side == 1 ? 0.5 : 1;
      *a = t;
      va = v;
      last_side = 1;
    } else {
      va *= last_side == -1 ? 0.5 : 1;
      *b = t;
      vb = v;
      last_side = -1;
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
 *  @param b  in and out: the end of the step, and a time at which the indicator is below zero, if there is one */
static sb_status look_below(sb_simulation *sim, int index, int indicator, double *b, double *end,
                            sb_error *err) {
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
    SB_TRY(value_at(sim, index, indicator, false, t[1], &v[1], err));
    if (v[1] < 0) {
      *b = t[1];
      *end = v[1];
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

/** Whether an indicator fired between the start of the step and *b; then *b becomes a time close behind it, or
 *  before it where the mode wants that. */
static sb_status fired_before(sb_simulation *sim, int index, int indicator, double *b, bool *fired,
                              sb_error *err) {
  sb_switch *element = &sim->switches[index];
  sb_indicator *g = &element->indicators[indicator];
  double a = sim->t0, end = g->g[1];
  *fired = false;
  if (sb_is_branch(sim, index)) {
    SB_TRY(sb_branch_slopes(sim, index, err));
  }
  bool dips = may_dip(g, sim->t - sim->t0);
  if (dips) { // it may have been below zero in between: look at its minimum
    double low = a, high = *b;
    SB_TRY(find_root(sim, index, indicator, true, &low, &high, -g->gdot[0], -g->gdot[1], err));
    SB_TRY(value_at(sim, index, indicator, false, high, &end, err));
    if (end < 0) {
      *b = high;
    }
  }
  if (isnan(g->gdot[0]) && isnan(g->gdot[1])) {
    SB_TRY(look_below(sim, index, indicator, b, &end, err));
  }
  bool armed = g->armed || sim->t - element->since > sb_quiet_time(sim);
  if (end >= 0 || !armed) {
    return SB_OK;
  }
  *fired = true;
  SB_TRY(find_root(sim, index, indicator, false, &a, b, g->g[0], end, err));
  *b = taken_before(sim, index) && a > sim->t0 ? a : *b;
  return SB_OK;
}

sb_status sb_event_find(sb_simulation *sim, int *index, int *indicator, sb_error *err) {
  double first = HUGE_VAL;
  *index = -1;
  SB_TRY(sb_indicators_read(sim, sim->t, sim->x, 1, err));
  for (int i = 0; i < sim->all_switch_count; i++) {
    for (int k = 0; k < sim->switches[i].count; k++) {
      double b = sim->t;
      bool fired;
      SB_TRY(fired_before(sim, i, k, &b, &fired, err));
      if (fired && b < first) {
        first = b;
        *index = i;
        *indicator = k;
      }
    }
  }
  if (*index < 0 && sim->work->evaluation.t == sim->t) {
    return SB_OK; // no partial step was needed: the workspace is still at the end of the step
  }
  if (*index >= 0 && first < sim->t) {
    SB_TRY(sb_probe(sim, sim->locating, first, err));
    memcpy(sim->x, sim->xp, (size_t)sb_vector_count(sim->network) * sizeof(double));
    sim->t = first;
  }
  return sb_evaluate(sim, sim->t, sim->x, err);
}
