// SPDX-License-Identifier: GPL-3.0-or-later
// The root of an event indicator within the last step, or that of its derivative.
#ifndef SB_CORE_SIMULATION_ROOT_PRIVATE_H
#define SB_CORE_SIMULATION_ROOT_PRIVATE_H

#include "core/simulation/simulation_private.h"

/** A value at a time, with its derivative (NAN: unknown). */
typedef struct sb_value_point {
  double t, v, dv;
} sb_value_point;

/** The search for where a value falls through zero: an event indicator or, for its minimum, the negative of its
 *  derivative. It is positive at a, and zero or below at b. */
typedef struct sb_root_search {
  int index, indicator;
  bool slope;
  double width; // [s] how close
  bool roughly; // on either side
  sb_value_point a, b;
  double first; // [s] where to look first; NAN: as the ends tell
  double steep; // derivative near the root of a value that has none; NAN: unknown
  double known; // closer to zero it is rounding
} sb_root_search;

/** The value where sim->xp and the workspace are. */
sb_status sb_root_value_here(sb_simulation *sim, const sb_root_search *s, double t,
                             sb_value_point *out, sb_error *err);
/** The same at time t, where sim->xp and the workspace go. */
sb_status sb_root_value_at(sb_simulation *sim, const sb_root_search *s, double t,
                           sb_value_point *out, sb_error *err);
/** Where the cubic through the values and slopes of both ends falls through zero, as a fraction of the way; without
 *  slopes, where the straight line does. It is right to the fourth power of the step.
 *  @param slopes  times the length of the way */
double sb_cubic_root(double va, double vb, double slope_a, double slope_b);
/** Whether an indicator that is positive at both ends of the step may have been below zero before t: its rate is not known.
 *  One that has been located fell at g->until. */
bool sb_indicator_is_blind(const sb_indicator *g, double t);
/** Whether the events of the present mode are taken before the root. */
bool sb_event_taken_before(const sb_simulation *sim, int index, int indicator);
/** To what an indicator is known, where the workspace is. */
double sb_indicator_known(const sb_simulation *sim, int index, int indicator);
/** Whether a value is zero to what it is known, on the side where the event is taken: nothing tells a place that is nearer to the root. */
bool sb_root_is_here(const sb_simulation *sim, const sb_root_search *s, double value);
/** A value becomes an end of the interval that holds the root. Its state is kept if it is on the side where the event is
 *  taken: the step may end there.  @return whether it is behind the root */
bool sb_root_put(sb_simulation *sim, sb_root_search *s, sb_value_point p);
/** In two or three looks, else until b.t - a.t is below the tolerance. Other indicators of unknown rate that have fallen before a
 *  look on this side of the root are noted as such. b is behind the root, and of branches below
 *  zero: the value of a `sign` is then that of the other side. */
sb_status sb_root_find(sb_simulation *sim, sb_root_search *s, sb_error *err);

// falls.c

/** Within a step nothing changes in a shorter time than this fraction of it, by rounding. */
#define SB_OF_STEP 1e-12
/** As close as a time before `until` can be told: jumps of expressions of the time to its rounding, so that they are not late by another one;
 *  they may be closer to each other than anything else that changes in the step. */
double sb_fall_finest(const sb_simulation *sim, int index, double until);
/** A first step has none before it that would tell whether an indicator dips below zero in it, as where all rests and steps end at the times
 *  of a clock: all are looked at in its middle. */
sb_status sb_falls_begin(sb_simulation *sim, sb_error *err);
/** Whether an indicator fell through zero in the step; then g->until is a time at which it is below zero, and g->end and
 *  g->slope are its value and derivative there. */
sb_status sb_fall_find(sb_simulation *sim, int index, int indicator, sb_error *err);

#endif
