// SPDX-License-Identifier: GPL-3.0-or-later
// Root finding on a value that costs much to look at: by the cubic through both ends where slopes are known, by
// inverse parabolas where they are not, and by bisection where neither tells.
#include <math.h>
#include <string.h>

#include "core/simulation/root_private.h"
#include "core/simulation/switching_private.h"

enum { ROOT_ITERATIONS_MAX = 200, GUESS_BISECTIONS = 50 };

sb_status sb_root_value_here(sb_simulation *sim, const sb_root_search *s, double t,
                             sb_value_point *out, sb_error *err) {
  double g[SB_INDICATORS_MAX], gdot[SB_INDICATORS_MAX];
  int k = s->indicator;
  if (sb_is_branch(sim, s->index)) {
    k = 0;
    sb_branch_indicator(sim, s->index, t, sim->xp, &g[0], &gdot[0]);
  } else {
    sb_indicators_trace(sim, sim->xp);
    SB_TRY(sb_switch_indicators(sim, &sim->switches[s->index], t, sim->xp, g, gdot, err));
  }
  *out = (sb_value_point){t, s->slope ? -gdot[k] : g[k], s->slope ? NAN : gdot[k]};
  return SB_OK;
}

sb_status sb_root_value_at(sb_simulation *sim, const sb_root_search *s, double t,
                           sb_value_point *out, sb_error *err) {
  SB_TRY(sb_crossing_go(sim, t, err));
  return sb_root_value_here(sim, s, t, out, err);
}

double sb_cubic_root(double va, double vb, double slope_a, double slope_b) {
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

bool sb_event_taken_before(const sb_simulation *sim, int index, int indicator) {
  const sb_instance *instance = &sim->network->instances[sim->switches[index].instance];
  const sb_switching_hooks *hooks = instance->type->switching;
  return !sb_is_branch(sim, index) && hooks->modes.before != NULL &&
         hooks->modes.before(instance->self, sim->work->modes[instance->mode], indicator);
}

double sb_indicator_known(const sb_simulation *sim, int index, int indicator) {
  const sb_switch *element = &sim->switches[index];
  if (sb_is_branch(sim, index) || element->hooks->known == NULL) {
    return 0;
  }
  const sb_at at = sb_at_switch(sim, element, sim->work->evaluation.t, sim->xp);
  return element->hooks->known(sim->network->instances[element->instance].self, &at, indicator);
}

/** Whether a value is behind the root; that of a branch is below zero there. */
static bool is_behind(const sb_simulation *sim, int index, double v) {
  return !(v > 0 || (v == 0 && sb_is_branch(sim, index)));
}

bool sb_root_is_here(const sb_simulation *sim, const sb_root_search *s, double value) {
  return !s->slope && fabs(value) <= s->known &&
         is_behind(sim, s->index, value) != sb_event_taken_before(sim, s->index, s->indicator);
}

bool sb_root_put(sb_simulation *sim, sb_root_search *s, sb_value_point p) {
  const bool side = is_behind(sim, s->index, p.v);
  *(side ? &s->b : &s->a) = p;
  if (!s->slope && side != sb_event_taken_before(sim, s->index, s->indicator)) {
    sim->behind_t = p.t;
    memcpy(sim->behind, sim->xp, (size_t)sb_vector_count(sim->network) * sizeof *sim->xp);
  }
  return side;
}

/** Where the parabola through three points, the time as a function of the value, is at zero. */
static double through(const sb_value_point *a, const sb_value_point *b, const sb_value_point *c) {
  double ab = a->v - b->v, bc = b->v - c->v, ca = c->v - a->v;
  return -(a->t * b->v * c->v / (ab * ca) + b->t * c->v * a->v / (ab * bc) +
           c->t * a->v * b->v / (ca * bc));
}

/** The next time to look at: by the cubic through both ends, where their derivatives are known, else by the parabola
 *  through both and the end before them, or the straight line, and by bisection every fourth time.
 *  @param weight  of the values at the ends on the straight line, by the Illinois method */
static double next_time(const sb_value_point *a, const sb_value_point *b,
                        const sb_value_point *before, const double weight[2], int count) {
  double width = b->t - a->t;
  if (count % 4 == 3 || a->v <= 0) {
    return a->t + 0.5 * width;
  }
  if (isfinite(a->dv + b->dv)) {
    return a->t + width * sb_cubic_root(a->v, b->v, width * a->dv, width * b->dv);
  }
  double curved = through(a, b, before);
  return curved > a->t && curved < b->t
             ? curved
             : a->t + width * sb_cubic_root(weight[0] * a->v, weight[1] * b->v, NAN, NAN);
}

/** Whether a look was close enough to the root, by the least of the slopes that are known there, on a side that will do. That of a branch
 *  is a difference over a part of the step, and a straight line from afar is steeper than what bends towards the root, as (t - a)^2 - w^2. */
static bool is_close(const sb_simulation *sim, const sb_root_search *s, const sb_value_point *p,
                     const sb_value_point *before, double tol) {
  const double line = (p->v - before->v) / (p->t - before->t);
  double slope = isnan(s->steep) ? line : s->steep;
  slope = isfinite(p->dv) ? p->dv : slope;
  slope = sb_is_branch(sim, s->index) ? fmin(fabs(line), fabs(slope)) : fabs(slope);
  return fabs(p->v) <= tol * slope &&
         (s->roughly ||
          is_behind(sim, s->index, p->v) != sb_event_taken_before(sim, s->index, s->indicator));
}

/** The first look is a little on the side where the event is taken, further than rounding could turn its sign. */
static double first_look(const sb_simulation *sim, const sb_root_search *s, double tol) {
  return isnan(s->first)
             ? next_time(&s->a, &s->b, &s->a, (double[]){1, 1}, 0)
             : s->first + (sb_event_taken_before(sim, s->index, s->indicator) ? -0.4 : 0.4) * tol;
}

bool sb_indicator_is_blind(const sb_indicator *g, double t) {
  return g->armed && !g->fell && g->g[0] > 0 && isnan(g->gdot[0]) && t < g->until;
}

/** An indicator whose rate is not known is below zero at t: where that was not known so early, it is now. */
static void note_below(sb_indicator *g, double t, double value, double slope) {
  const bool later = g->fell && isnan(g->gdot[0]) && t < g->until;
  if (value < 0 && (later || sb_indicator_is_blind(g, t))) {
    g->fell = true;
    g->until = t;
    g->end = value;
    g->slope = slope;
  }
}

/** The workspace is at t, before the root that is searched: others that have fallen by then are noted, as they may be above zero at
 *  the end of the step and at that root. Where contacts hold links that come to lie in line, constraints lose rank at a time t1, and
 *  forces go as 1/(t1 - t): what is searched may be their pole, behind which one of them pulls; before it another one does. */
static sb_status note_others(sb_simulation *sim, double t, sb_error *err) {
  double g[SB_INDICATORS_MAX], gdot[SB_INDICATORS_MAX];
  for (int i = 0; i < sim->switch_count; i++) {
    sb_switch *element = &sim->switches[i];
    bool unknown = false;
    for (int k = 0; !element->still && k < element->count; k++) {
      unknown = unknown || isnan(element->indicators[k].gdot[0]);
    }
    if (!unknown) {
      continue;
    }
    SB_TRY(sb_switch_indicators(sim, element, t, sim->xp, g, gdot, err));
    for (int k = 0; k < element->count; k++) {
      note_below(&element->indicators[k], t, g[k], gdot[k]);
    }
  }
  return SB_OK;
}

sb_status sb_root_find(sb_simulation *sim, sb_root_search *s, sb_error *err) {
  const double tol = s->width;
  double weight[2] = {1, 1};
  sb_value_point before = {NAN, NAN, NAN}, p = before;
  int last = -1;
  bool close = false;
  for (int i = 0; s->b.t - s->a.t > tol && !close && i < ROOT_ITERATIONS_MAX; i++) {
    const sb_value_point looked = p;
    double t = i == 0 ? first_look(sim, s, tol) : next_time(&s->a, &s->b, &before, weight, i);
    t = fmin(fmax(t, s->a.t + 0.4 * tol), s->b.t - 0.4 * tol);
    SB_TRY(sb_root_value_at(sim, s, t, &p, err));
    int side = is_behind(sim, s->index, p.v);
    if (!side && !s->slope && !sb_is_branch(sim, s->index)) { // else port variables are not traced
      SB_TRY(note_others(sim, t, err));
    }
    weight[side] = 1;
    weight[!side] *= last == side ? 0.5 : 1;
    before = side ? s->b : s->a;
    last = sb_root_put(sim, s, p);
    close = is_close(sim, s, &p, &looked, tol) || sb_root_is_here(sim, s, p.v);
  }
  return SB_OK;
}
