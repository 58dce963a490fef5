// SPDX-License-Identifier: GPL-3.0-or-later
// Which event indicators have fallen through zero in a step: those below zero at its end, and those above zero at both ends that
// were below it in between. The latter are looked for at their minima (root.c) by their rates, by parabolas where these are unknown,
// and at the extremes of expressions.
#include <float.h>
#include <math.h>

#include "core/simulation/root_private.h"
#include "core/simulation/switching_private.h"

enum { LOOKS_MAX = 12 };
/** The vertex of a parabola is uncertain by this fraction of its length: of a sine, over an eighth of its period, it is off by no more. */
static const double unsure = 0.15;

/** Whether the time alone decides on a branch. */
static bool is_of_time(const sb_simulation *sim, int index) {
  const sb_instance *instance = &sim->network->instances[sim->switches[index].instance];
  const bool sees_ports = instance->type->source == NULL && instance->type->signal == NULL;
  return sb_is_branch(sim, index) && !sees_ports && instance->wire_count == 0;
}

double sb_fall_finest(const sb_simulation *sim, int index, double until) {
  const double roundings = sb_is_branch(sim, index) ? 1 : 2;
  const double rounding = roundings * DBL_EPSILON * fmax(fabs(sim->t0), fabs(until));
  const double moves = is_of_time(sim, index) ? 0 : SB_OF_STEP * (until - sim->t0);
  return fmax(sim->options.event_tol, fmax(rounding, moves));
}

/** Whether an indicator that is positive at the start, and not negative at the end, may have been below zero in between: it falls at
 *  the start, rises at the end, and where the tangents of the ends meet, below a convex curve, it is not
 *  positive. */
static bool may_dip(const sb_indicator *g, double length) {
  double fall = g->gdot[0], rise = g->gdot[1];
  if (!(g->g[0] > 0 && g->g[1] >= 0 && fall < 0 && rise > 0)) {
    return false;
  }
  double meet = (g->g[1] - g->g[0] - rise * length) / (fall - rise);
  return g->g[0] + fall * meet <= 0;
}

/** The parabola through three points of a value. */
typedef struct parabola {
  double vertex, least, bend; // where it is least, its value there, and its second derivative
} parabola;

static parabola through(const double t[3], const double g[3]) {
  double left = (g[1] - g[0]) / (t[1] - t[0]), right = (g[2] - g[1]) / (t[2] - t[1]);
  double bend = (right - left) / (t[2] - t[0]), slope = left + bend * (t[1] - t[0]);
  return (parabola){t[1] - slope / (2 * bend), g[1] - slope * slope / (4 * bend), 2 * bend};
}

/** The least that a value may be between the points `first` and 2 of three, if the vertex of their parabola is in between: that
 *  is uncertain by a fraction of the way through all three, as the bend changes on it.
 *  @param at  [s] out: the vertex  @return infinite: the value is least at an end */
static double least_between(const double t[3], const double g[3], int first, double *at) {
  const parabola p = through(t, g);
  const double off = unsure * (t[2] - t[0]);
  const double way[2] = {fabs(p.vertex - t[first]), fabs(p.vertex - t[2])};
  *at = p.vertex;
  if (!(p.bend > 0 && t[first] - off < p.vertex && p.vertex < t[2] + off)) {
    return HUGE_VAL;
  }
  const double far = fmin(way[0], way[1]) + off;
  return g[way[0] < way[1] ? first : 2] - 0.5 * p.bend * far * far;
}

static double middle_of(const sb_simulation *sim) {
  return 0.5 * (sim->t0 + sim->t);
}

/** Whether an element does not know the rate of an indicator that is above zero at both ends of the step. */
static bool is_unknown(const sb_simulation *sim, int index, int indicator) {
  const sb_indicator *g = &sim->switches[index].indicators[indicator];
  return !sim->switches[index].still && g->g[0] > 0 && g->g[1] >= 0 && isnan(g->gdot[0]) &&
         isnan(g->gdot[1]);
}

/** To the middle of the step by the cubic through both ends, x = (x0 + x1)/2 + h (f0 - f1)/8, which takes one right-hand side. */
static sb_status go_to_middle(sb_simulation *sim, sb_error *err) {
  const double t = middle_of(sim), h = sim->t - sim->t0;
  if (!sim->start_known || sim->work->evaluation.t != sim->t) {
    return sb_crossing_go(sim, t, err);
  }
  for (int i = 0; i < sb_vector_count(sim->network); i++) {
    sim->xp[i] = 0.5 * (sim->x0[i] + sim->x[i]) +
                 0.125 * h * (sim->rates0[i] - sim->work->evaluation.xdot[i]);
  }
  if (sb_evaluate(sim, t, sim->xp, err) == SB_OK && sb_enforce(sim, t, sim->xp, err) == SB_OK) {
    return SB_OK;
  }
  return sb_crossing_go(sim, t, err);
}

sb_status sb_falls_begin(sb_simulation *sim, sb_error *err) {
  bool any = false;
  for (int i = 0; i < sim->all_switch_count; i++) {
    for (int k = 0; k < sim->switches[i].count; k++) {
      sim->switches[i].indicators[k].middle = NAN;
      any = any || (i < sim->switch_count && is_unknown(sim, i, k));
    }
  }
  if (!any || !sim->step_restarted) {
    return SB_OK;
  }
  SB_TRY(go_to_middle(sim, err));
  sb_indicators_trace(sim, sim->xp);
  for (int i = 0; i < sim->switch_count; i++) {
    double g[SB_INDICATORS_MAX], gdot[SB_INDICATORS_MAX];
    bool read = false;
    for (int k = 0; k < sim->switches[i].count; k++) {
      if (is_unknown(sim, i, k)) {
        if (!read) {
          SB_TRY(
              sb_switch_indicators(sim, &sim->switches[i], middle_of(sim), sim->xp, g, gdot, err));
        }
        read = true;
        sim->switches[i].indicators[k].middle = g[k];
      }
    }
  }
  return SB_OK;
}

/** The minimum of an indicator whose rate its element does not know, as the flow of a friction: by the parabola
 *  through the ends of the last two steps first, of a first step through its middle, and then through places in this one, until what may be
 *  missed is less than the tolerance of the run. What is far from zero there costs no partial step.
 *  @param b  in and out: the end of the step, and where the indicator is below zero, if there is such a time */
static sb_status look_below(sb_simulation *sim, int index, int indicator, sb_value_point *b,
                            sb_error *err) {
  const sb_indicator *g = &sim->switches[index].indicators[indicator];
  const sb_root_search own = {.index = index, .indicator = indicator};
  const double missed = sim->options.rtol * fmax(g->g[0], g->g[1]);
  const bool first = !isnan(g->middle);
  double t[3] = {sim->t0 - sim->length_before, sim->t0, sim->t};
  double v[3] = {g->before, g->g[0], g->g[1]};
  if (first) {
    t[0] = sim->t0, t[1] = middle_of(sim);
    v[0] = g->g[0], v[1] = g->middle;
  }
  double at, least = sim->step_restarted && !first ? HUGE_VAL : least_between(t, v, !first, &at);
  if (first && g->middle < 0) {
    least = g->middle;
    at = t[1];
  }
  // steps of an eighth of a period from an event on end where it was: at zero, if it was the end of such a dip
  if (!(g->g[0] > 0 && v[2] >= 0 && least <= 0)) {
    return SB_OK;
  }
  t[0] = sim->t0, v[0] = g->g[0];
  for (int i = 0; i < LOOKS_MAX; i++) {
    t[1] = fmin(fmax(at, t[0] + 0.05 * (t[2] - t[0])), t[2] - 0.05 * (t[2] - t[0]));
    sb_value_point p;
    SB_TRY(sb_root_value_at(sim, &own, t[1], &p, err));
    v[1] = p.v;
    if (p.v < 0) {
      *b = p;
      return SB_OK;
    }
    least = least_between(t, v, 0, &at);
    if (least > 0 || fmin(v[1], fmin(v[0], v[2])) - least < missed) {
      return SB_OK;
    }
    int replaced = at < t[1] ? 2 : 0;
    t[replaced] = t[1], v[replaced] = v[1];
  }
  return SB_OK;
}

/** The same at the extremes of expressions that it depends on by bonds. */
static sb_status look_at_pulses(sb_simulation *sim, int index, int indicator, sb_value_point *b,
                                sb_error *err) {
  const sb_indicator *g = &sim->switches[index].indicators[indicator];
  const sb_root_search own = {.index = index, .indicator = indicator};
  double t;
  for (int k = 0; g->g[0] > 0 && g->g[1] >= 0 && sb_pulses_place(sim, k, &t); k++) {
    sb_value_point p;
    if (t > sim->t0 && t < b->t) {
      SB_TRY(sb_root_value_at(sim, &own, t, &p, err));
      *b = p.v < 0 ? p : *b;
    }
  }
  return SB_OK;
}

/** The same of one that is an expression, where enclosures of it say that it was below zero. */
static sb_status look_inside(sb_simulation *sim, int index, sb_value_point *b, sb_error *err) {
  const sb_root_search own = {.index = index};
  sb_value_point p;
  double t;
  if (sb_condition_dips(sim, index, &t)) {
    SB_TRY(sb_root_value_at(sim, &own, t, &p, err));
    *b = p.v < 0 ? p : *b;
  }
  return SB_OK;
}

sb_status sb_fall_find(sb_simulation *sim, int index, int indicator, sb_error *err) {
  sb_switch *element = &sim->switches[index];
  sb_indicator *g = &element->indicators[indicator];
  if (sb_is_branch(sim, index)) {
    SB_TRY(sb_branch_slopes(sim, index, err));
  }
  sb_value_point below = {sim->t, g->g[1], g->gdot[1]};
  if (may_dip(g, sim->t - sim->t0)) { // it may have been below zero in between: look at its minimum
    sb_root_search s = {.index = index,
                        .indicator = indicator,
                        .slope = true,
                        .width = sb_fall_finest(sim, index, sim->t),
                        .a = {sim->t0, -g->gdot[0], NAN},
                        .b = {sim->t, -g->gdot[1], NAN},
                        .first = NAN,
                        .steep = NAN};
    SB_TRY(sb_root_find(sim, &s, err));
    s.slope = false;
    SB_TRY(sb_root_value_at(sim, &s, s.b.t, &below, err));
  }
  if (isnan(g->gdot[0]) && isnan(g->gdot[1])) {
    SB_TRY(look_below(sim, index, indicator, &below, err));
    SB_TRY(look_at_pulses(sim, index, indicator, &below, err));
  }
  if (below.t == sim->t) {
    SB_TRY(look_inside(sim, index, &below, err));
  }
  g->until = below.t;
  g->end = below.v;
  g->slope = below.dv;
  bool armed = g->armed || sim->t - element->since > sb_quiet_time(sim);
  g->fell = g->end < 0 && armed;
  return SB_OK;
}
