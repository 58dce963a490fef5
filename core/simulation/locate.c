// SPDX-License-Identifier: GPL-3.0-or-later
// The first event of a step. An event indicator fires when it falls through zero. The time is found by
// root finding (root.c) on the polynomial through the step (crossing.c), then once more close to a partial step of the
// method itself: x(t) is then as accurate as the step, of any order. The state just behind the root is kept, or
// that before it where a mode wants that, so that the new mode starts on its own side.
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/simulation/root_private.h"
#include "core/simulation/switching_private.h"

enum { LOOKS_MAX = 12, RISES_MAX = 10, PINS_TOLD = 3, PINS_MAX = 60 };
/** Within a step nothing changes in a shorter time than this fraction of it, by rounding. */
static const double of_step = 1e-12;
/** An event is looked for as close as this by the polynomial alone, and counts as accurate if it is as close to a partial
 *  step, as a fraction of the way from the start: what it is off by then is about the square of that. */
static const double near = 1e-6;
/** The vertex of a parabola is uncertain by this fraction of its length: of a sine, over an eighth of its period, it is off by no more. */
static const double unsure = 0.15;
/** Events that follow the first one within this fraction of the step, times its tolerance, happen with it: rounding tells them no more
 *  apart, and that they wait for each other is a small part of the error that the step may have. */
static const double together = 0.01;
/** What does not fall when it is expected to is close to zero by rounding, and does so at an event of its own. */
enum { WAITS_MAX = 10 };

/** Whether the time alone decides on a branch. */
static bool is_of_time(const sb_simulation *sim, int index) {
  const sb_instance *instance = &sim->network->instances[sim->switches[index].instance];
  const bool sees_ports = instance->type->source == NULL && instance->type->signal == NULL;
  return sb_is_branch(sim, index) && !sees_ports && instance->wire_count == 0;
}

/** As close as a time before `until` can be told: jumps of expressions of the time to its rounding, so that they are not late by another one;
 *  they may be closer to each other than anything else that changes in the step. */
static double finest(const sb_simulation *sim, int index, double until) {
  const double roundings = sb_is_branch(sim, index) ? 1 : 2;
  const double rounding = roundings * DBL_EPSILON * fmax(fabs(sim->t0), fabs(until));
  const double moves = is_of_time(sim, index) ? 0 : of_step * (until - sim->t0);
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

/** A first step has none before it that would tell whether an indicator dips below zero in it, as where all rests and steps end at the times
 *  of a clock: all are looked at in its middle. */
static sb_status look_at_middle(sb_simulation *sim, sb_error *err) {
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

/** Whether an indicator fell through zero in the step; then g->until is a time at which it is below zero, and g->end and
 *  g->slope are its value and derivative there. */
static sb_status find_fallen(sb_simulation *sim, int index, int indicator, sb_error *err) {
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
                        .width = finest(sim, index, sim->t),
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

/** About when it did. */
static double expected(const sb_simulation *sim, const sb_indicator *g) {
  double length = g->until - sim->t0;
  double start = length * g->gdot[0], end = length * g->slope;
  return g->g[0] > 0 ? sim->t0 + length * sb_cubic_root(g->g[0], g->end, start, end) : sim->t0;
}

/** Of the ends of an interval that holds the root, the one that is nearer to it. */
static double nearest(const sb_simulation *sim, const sb_root_search *s) {
  return s->a.t > sim->t0 && fabs(s->a.v) < fabs(s->b.v) ? s->a.t : s->b.t;
}

/** What sets out from zero, as the slip of what has just come loose, may rise before it falls.
 *  @param a  in and out: the start of the step, and a time at which it is above zero, if there is such a one */
static sb_status look_for_rise(sb_simulation *sim, const sb_root_search *s, double until,
                               sb_value_point *a, sb_error *err) {
  const sb_switch *element = &sim->switches[s->index];
  const bool sets_out = !sb_is_branch(sim, s->index) && !element->indicators[s->indicator].armed;
  for (int k = 1; sets_out && !(a->v > 0) && k <= RISES_MAX; k++) {
    sb_value_point p;
    SB_TRY(sb_root_value_at(sim, s, sim->t0 + ldexp(until - sim->t0, -k), &p, err));
    *a = p.v > 0 ? p : *a;
  }
  return SB_OK;
}

/** The time close behind the root, or before it where the mode wants that. What is found by the polynomial alone is where
 *  it is pinned; the root is then found once more. */
static sb_status locate(sb_simulation *sim, int index, int indicator, double *found,
                        sb_error *err) {
  const sb_indicator *g = &sim->switches[index].indicators[indicator];
  const bool smooth = sb_crossing_is_smooth(sim);
  sb_root_search whole = {.index = index,
                          .indicator = indicator,
                          .width = finest(sim, index, g->until),
                          .a = {sim->t0, g->g[0], g->gdot[0]},
                          .b = {g->until, g->end, g->slope},
                          .first = NAN,
                          .steep = NAN,
                          .known = sb_indicator_known(sim, index, indicator)};
  if (g->until == sim->t && !(g->slope > 0) && sb_root_is_here(sim, &whole, g->end)) {
    *found = sim->t;
    return SB_OK;
  }
  SB_TRY(look_for_rise(sim, &whole, g->until, &whole.a, err));
  sb_root_search s = whole, known = whole; // the ends of the latter are partial steps
  s.width = smooth ? fmax(near * (g->until - sim->t0), whole.width) : whole.width;
  s.roughly = smooth;
  SB_TRY(sb_root_find(sim, &s, err));
  double moved = smooth ? HUGE_VAL : 0, pinned = nearest(sim, &s);
  for (int i = 0; moved > fmax(near * (s.b.t - sim->t0), whole.width) && i < PINS_MAX; i++) {
    sb_value_point p;
    SB_TRY(sb_crossing_pin(sim, pinned, err));
    SB_TRY(sb_root_value_here(sim, &whole, pinned, &p, err));
    (void)sb_root_put(sim, &known, p);
    s = known;
    if (sb_root_is_here(sim, &whole, p.v)) {
      break;
    }
    s.steep = (known.b.v - known.a.v) / (known.b.t - known.a.t);
    s.first = pinned - p.v / (isfinite(p.dv) ? p.dv : s.steep);
    SB_TRY(sb_root_find(sim, &s, err));
    moved = fabs(nearest(sim, &s) - pinned);
    // a step that is longer than what changes at the root has no polynomial that tells more: its halves do
    pinned = i < PINS_TOLD ? nearest(sim, &s) : 0.5 * (known.a.t + known.b.t);
  }
  *found = sb_event_taken_before(sim, index, indicator) && s.a.t > sim->t0 ? s.a.t : s.b.t;
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

static bool any_blind(const sb_simulation *sim, double t) {
  bool any = false;
  for (int i = 0; i < sim->switch_count; i++) {
    for (int k = 0; k < sim->switches[i].count; k++) {
      any = any || sb_indicator_is_blind(&sim->switches[i].indicators[k], t);
    }
  }
  return any;
}

/** The workspace is at t, where one has fallen: those that are above zero there fall later, and those below zero of which that was
 *  not known have fallen too. One that was below zero only before t stays. */
static sb_status leave_later(sb_simulation *sim, double t, sb_error *err) {
  sb_indicators_trace(sim, sim->xp);
  for (int i = 0; i < sim->all_switch_count; i++) {
    double g[SB_INDICATORS_MAX], gdot[SB_INDICATORS_MAX];
    bool read = false;
    for (int k = 0; k < sim->switches[i].count; k++) {
      sb_indicator *own = &sim->switches[i].indicators[k];
      const bool blind = !sb_is_branch(sim, i) && sb_indicator_is_blind(own, t);
      if ((!own->fell || own->until <= t) && !blind) {
        continue;
      }
      if (sb_is_branch(sim, i)) {
        sb_branch_indicator(sim, i, t, sim->xp, &g[0], &gdot[0]);
      } else if (!read) {
        SB_TRY(sb_switch_indicators(sim, &sim->switches[i], t, sim->xp, g, gdot, err));
      }
      read = true;
      own->fell = g[k] < 0;
      own->until = !blind || own->fell ? t : own->until;
      own->end = g[k];
      own->slope = gdot[k];
    }
  }
  return SB_OK;
}

/** To the state in which the event that has just been located would happen. */
static sb_status go_to_event(sb_simulation *sim, double t, sb_error *err) {
  if (sim->behind_t != t) {
    return sb_probe(sim, sim->locating, t, err);
  }
  memcpy(sim->xp, sim->behind, (size_t)sb_vector_count(sim->network) * sizeof *sim->xp);
  return sb_evaluate(sim, t, sim->xp, err);
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
    sim->switches[i].indicators[k].until = t;
    if (t < *first - same || (t <= *first + same && i < *index)) {
      *first = t;
      *index = i;
      *indicator = k;
      if (count > 1 || any_blind(sim, t)) {
        SB_TRY(go_to_event(sim, t, err));
        SB_TRY(leave_later(sim, t, err));
        *probed = t;
      }
    }
  }
  return SB_OK;
}

/** Whether an indicator has fallen in the step, later than the first one or not. */
static bool falls(const sb_simulation *sim, int i, int k) {
  const sb_indicator *g = &sim->switches[i].indicators[k];
  return g->g[0] > 0 && g->g[1] < 0 && !sb_event_taken_before(sim, i, k);
}

/** How much later than at t, where the workspace is, all have fallen that do so within `window` [s]; -1: they have. */
static sb_status wait_for_others(sb_simulation *sim, double t, double window, double *wait,
                                 sb_error *err) {
  sb_indicators_trace(sim, sim->xp);
  *wait = -1;
  for (int i = 0; i < sim->all_switch_count; i++) {
    for (int k = 0; k < sim->switches[i].count; k++) {
      const sb_root_search s = {.index = i, .indicator = k};
      sb_value_point p;
      if (falls(sim, i, k)) {
        SB_TRY(sb_root_value_here(sim, &s, t, &p, err));
        const double mean = (sim->switches[i].indicators[k].g[1] - p.v) / (sim->t - t);
        const double own = p.v / -(isfinite(p.dv) ? p.dv : mean);
        *wait = p.v >= 0 && own >= 0 && own <= window ? fmax(*wait, own) : *wait;
      }
    }
  }
  return SB_OK;
}

/** What falls together but for rounding happens together, behind the last of them: else rounding would decide how many
 *  steps they take, and each is a restart.
 *  @param first  [s] in and out: when the first has fallen, and when all have  @param probed  as in find_first() */
static sb_status cross_together(sb_simulation *sim, int index, int indicator, double *first,
                                double *probed, sb_error *err) {
  const double width = finest(sim, index, *first);
  const double share = together * sim->options.rtol * (sim->t - sim->t0);
  const double last = fmin(*first + fmax(2 * width, share), sim->t);
  int count = 0;
  for (int i = 0; i < sim->all_switch_count; i++) {
    for (int k = 0; k < sim->switches[i].count; k++) {
      count += i != index && falls(sim, i, k);
    }
  }
  double wait = count > 0 && !sb_event_taken_before(sim, index, indicator) ? 0 : -1;
  double t = *first;
  for (int i = 0; i < WAITS_MAX && wait >= 0 && t < last; i++, t += wait + 0.4 * width) {
    SB_TRY(go_to_event(sim, t, err));
    *first = *probed = t;
    SB_TRY(wait_for_others(sim, t, last - t, &wait, err));
  }
  return SB_OK;
}

sb_status sb_event_find(sb_simulation *sim, int *index, int *indicator, sb_error *err) {
  double first = HUGE_VAL, probed = NAN;
  *index = -1;
  sim->behind_t = NAN;
  if (sim->crossing != NULL) {
    sb_crossing_begin(sim->crossing);
  }
  SB_TRY(sb_indicators_read(sim, sim->t, sim->x, 1, err));
  SB_TRY(look_at_middle(sim, err));
  for (int i = 0; i < sim->all_switch_count; i++) {
    for (int k = 0; !sim->switches[i].still && k < sim->switches[i].count; k++) {
      SB_TRY(find_fallen(sim, i, k, err));
    }
  }
  SB_TRY(find_first(sim, &first, &probed, index, indicator, err));
  if (*index >= 0) {
    SB_TRY(cross_together(sim, *index, *indicator, &first, &probed, err));
  }
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
