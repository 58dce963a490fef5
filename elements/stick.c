// SPDX-License-Identifier: GPL-3.0-or-later
#include "elements/stick_private.h"

#include <math.h>

/** An output beyond the jump by this fraction of it is rounding. */
static const double rounding = 1e-13;

/** A change at one instant by more than this fraction of the largest argument so far is an impulse. */
static const double jump = 1e-6;

int sb_slip_side(int mode, double u) {
  mode %= SB_STICK_MODES;
  return mode == SB_SLIP_FORWARD || mode == SB_STICK_HELD_FORWARD     ? 1
         : mode == SB_SLIP_BACKWARD || mode == SB_STICK_HELD_BACKWARD ? -1
         : mode == SB_SLIP_START                                      ? (u > 0) - (u < 0)
                                                                      : 0;
}

int sb_slip_side_given(int mode, double y, double low, double high) {
  return mode % SB_STICK_MODES == SB_SLIP_START ? (y > high) - (y < low) : sb_slip_side(mode, 0);
}

bool sb_stick_sticks(const void *self, int mode) {
  (void)self;
  mode %= SB_STICK_MODES;
  return mode == SB_STICK || mode == SB_STICK_GIVEN;
}

bool sb_stick_is_held(const void *self, int mode) {
  (void)self;
  mode %= SB_STICK_MODES;
  return mode == SB_STICK_HELD || mode == SB_STICK_HELD_FORWARD || mode == SB_STICK_HELD_BACKWARD;
}

static bool rests(int mode) {
  return sb_stick_sticks(NULL, mode) || sb_stick_is_held(NULL, mode);
}

int sb_stick_initial_mode(const void *self, const sb_at *at, double discrete[]) {
  (void)self;
  discrete[SB_STICK_LAST] = discrete[SB_STICK_LARGEST] = discrete[SB_STICK_BARE] = 0;
  discrete[SB_STICK_RELEASED] = rests(at->mode) ? 1 : at->mode == SB_SLIP_START ? 0 : -1;
  return SB_SLIP_START;
}

bool sb_stick_slips(int mode) {
  return sb_stick_before(NULL, mode, 0) || sb_stick_is_held(NULL, mode);
}

bool sb_stick_before(const void *self, int mode, int indicator) {
  (void)self, (void)indicator;
  mode %= SB_STICK_MODES;
  return mode == SB_SLIP_FORWARD || mode == SB_SLIP_BACKWARD;
}

/** How far the output is inside the jump; what is left to the nearer end. */
static double room(double y, double low, double high) {
  double size = fmax(fmax(fabs(low), fabs(high)), fabs(y));
  return fmin(high - y, y - low) + rounding * size;
}

/** The argument on the side of a slip. Below zero by rounding it is zero, as that of what another one holds at rest: it would stick and slip
 *  at every step.  @param largest  argument so far */
static double slip_of(int mode, double u, double largest) {
  const double slip = sb_slip_side(mode, u) * u;
  return slip < 0 && -slip <= rounding * largest ? 0 : slip;
}

/** Nothing holds it where there is no jump, but what rests does so until it is loaded. A jump that grows from zero beside the load then
 *  finds it at rest; on the branch of the sign of u it would have moved until then, by numbers that have no digits left. */
static bool may_rest(bool none, bool given, double u, const double discrete[]) {
  return none && !given && u == 0 && discrete[SB_STICK_BARE] == 0;
}

int sb_stick_indicators(int mode, bool none, bool given, double u, double y, double low,
                        double high, const double discrete[], double g[], double gdot[]) {
  mode %= SB_STICK_MODES;
  g[0] = sb_stick_sticks(NULL, mode)    ? room(y, low, high)
         : sb_stick_is_held(NULL, mode) ? (u == 0 ? 1 : -1)
         : mode == SB_SLIP_START // takes another mode at once
             ? (none && !may_rest(none, given, u, discrete) ? 1 : -1)
             : slip_of(mode, u, discrete[SB_STICK_LARGEST]);
  // What sticks beyond its strength slips at once, whenever it began to; but what has just come down to it, and is
  // given, is beyond it by the width of the root only.
  gdot[0] = (mode == SB_STICK || mode == SB_SLIP_START) && g[0] < 0 ? -HUGE_VAL : NAN;
  return 1;
}

/** What cannot stick, as its argument is prescribed: at rest it waits, from the start or as before; else it slips on. */
static int held_by_others(int mode, double u) {
  if (sb_stick_is_held(NULL, mode) && u == 0) {
    return mode;
  }
  bool waits = mode == SB_SLIP_START && u == 0;
  bool backward = mode == SB_SLIP_FORWARD || (mode != SB_SLIP_BACKWARD && u < 0);
  return waits ? SB_STICK_HELD : backward ? SB_SLIP_BACKWARD : SB_SLIP_FORWARD;
}

void sb_stick_accept(double u, double discrete[]) {
  discrete[SB_STICK_LAST] = u;
  discrete[SB_STICK_LARGEST] = fmax(discrete[SB_STICK_LARGEST], fabs(u));
  discrete[SB_STICK_BARE] = u == 0 ? discrete[SB_STICK_BARE] : 0;
}

/** What an event is reported as: what begins to slip at the start is not, nor what rests on. */
static void report(int mode, double discrete[], sb_transition *out) {
  bool begins = mode == SB_SLIP_START && discrete[SB_STICK_RELEASED] <= 0;
  const bool goes_on = rests(out->mode) ? rests(mode) : begins;
  out->kind = goes_on ? NULL : rests(out->mode) ? "stick" : "slip";
  discrete[SB_STICK_RELEASED] = 0;
}

/** At an event of slip u is zero but for the width of the root. If it has not come there by itself, an impulse
 *  has reversed it. */
void sb_stick_fire(int mode, bool none, bool given, double u, double y, double low, double high,
                   double discrete[], sb_transition *out) {
  mode %= SB_STICK_MODES;
  // a storage beyond the level, at the start or as that has dropped, comes to it by an impulse
  const double released = discrete[SB_STICK_RELEASED];
  const bool beyond = mode == SB_SLIP_START && released <= 0 && given && room(y, low, high) < 0;
  bool reversed = sb_stick_before(NULL, mode, 0) &&
                  fabs(u - discrete[SB_STICK_LAST]) > jump * discrete[SB_STICK_LARGEST] &&
                  sb_slip_side(mode, u) * u < 0;
  const bool bare = mode == SB_SLIP_START && may_rest(none, given, u, discrete);
  if (bare) {
    out->mode = SB_STICK;
    discrete[SB_STICK_BARE] = 1;
  } else if (none && !given) {
    out->mode = SB_SLIP_START;
  } else if (sb_stick_sticks(NULL, mode) || beyond) {
    out->mode = y - high > low - y ? SB_SLIP_FORWARD : SB_SLIP_BACKWARD;
  } else if (reversed) {
    out->mode = SB_SLIP_START; // it goes on as the state behind the impulse says
  } else if (mode == SB_SLIP_START && u != 0) {
    out->mode = u > 0 ? SB_SLIP_FORWARD : SB_SLIP_BACKWARD;
  } else {
    out->mode = given ? SB_STICK_GIVEN : SB_STICK;
  }
  out->held = sb_stick_sticks(NULL, out->mode) ? held_by_others(mode, u) : out->mode;
  report(mode, discrete, out);
  const bool silent = none && !given && (!rests(mode) || discrete[SB_STICK_BARE] == 1);
  out->kind = silent ? NULL : beyond && released < 0 ? "slip" : out->kind;
}

int sb_stick_held(int side) {
  return side > 0 ? SB_STICK_HELD_FORWARD : side < 0 ? SB_STICK_HELD_BACKWARD : SB_STICK_HELD;
}

int sb_stick_mode(int k, int side) {
  return SB_STICK_MODES * k + (side > 0   ? SB_SLIP_FORWARD
                               : side < 0 ? SB_SLIP_BACKWARD
                                          : SB_STICK_GIVEN);
}

void sb_stick_enter(int before, int mode, double discrete[], sb_transition *out) {
  out->mode = out->held = mode;
  report(before, discrete, out);
}
