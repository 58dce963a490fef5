// SPDX-License-Identifier: GPL-3.0-or-later
// The first event of a step. An event indicator fires when it falls through zero (falls.c). The time is found by
// root finding (root.c) on the polynomial through the step (crossing.c), then once more close to a partial step of the
// method itself: x(t) is then as accurate as the step, of any order. The state just behind the root is kept, or
// that before it where a mode wants that, so that the new mode starts on its own side.
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/simulation/root_private.h"
#include "core/simulation/switching_private.h"

enum { RISES_MAX = 10, PINS_TOLD = 3, PINS_MAX = 60 };
/** An event is looked for as close as this by the polynomial alone, and counts as accurate if it is as close to a partial
 *  step, as a fraction of the way from the start: what it is off by then is about the square of that. */
static const double near = 1e-6;
/** Events that follow the first one within this fraction of the step, times its tolerance, happen with it: rounding tells them no more
 *  apart, and that they wait for each other is a small part of the error that the step may have. */
static const double together = 0.01;
/** What does not fall when it is expected to is close to zero by rounding, and does so at an event of its own. */
enum { WAITS_MAX = 10 };

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
                          .width = sb_fall_finest(sim, index, g->until),
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
                     fmax(4 * DBL_EPSILON * fabs(sim->t), SB_OF_STEP * (sim->t - sim->t0)));
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
  const double width = sb_fall_finest(sim, index, *first);
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
  SB_TRY(sb_falls_begin(sim, err));
  for (int i = 0; i < sim->all_switch_count; i++) {
    for (int k = 0; !sim->switches[i].still && k < sim->switches[i].count; k++) {
      SB_TRY(sb_fall_find(sim, i, k, err));
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
