// SPDX-License-Identifier: GPL-3.0-or-later
// The modes of an R: the pieces of a table (resistance_table.c), and on which side of which of its jumps a law is, or at
// which it sticks (stick_private.h).
#include <math.h>

#include "elements/resistance_private.h"
#include "elements/signals_private.h"
#include "elements/stick_private.h"

/** How far the argument of a law that jumps is from there, its output, and its values on both sides. */
typedef struct jump_state {
  double u, y, low, high;
} jump_state;

static double argument(const resistance *s, const sb_at *at) {
  return at->in[sb_resistance_slot(s) == FLOW ? (s->heated ? 2 : 1) : 0];
}

/** @param mode  tells of which jump */
static jump_state read_jump(const resistance *s, const sb_at *at, int mode) {
  resistance view;
  double signals[SB_SIGNALS_MAX];
  s = sb_resistance_view(s, mode, &view);
  const int components = s->heated ? 2 : 1;
  bool of_flow = sb_resistance_slot(s) == FLOW;
  sb_signals_fill(at, s->signals, signals);
  jump_state j = {.u = sb_resistance_from_place(s, argument(s, at)),
                  .y = at->in[of_flow ? 0 : components]};
  sb_resistance_limits(s, signals, &j.low, &j.high);
  return j;
}

/** Whether the one jump of a law has no height now, as by a signal. */
static bool has_none(const resistance *s, const jump_state *j) {
  return s->jump_count < 2 && j->low == j->high;
}

/** The jump that a law in its present mode comes to on the other side; -1: there is none. */
static int next_jump(const resistance *s, int mode) {
  const int k = mode / SB_STICK_MODES + sb_slip_side(mode, 0);
  return sb_stick_before(s, mode, 0) && k >= 0 && k < s->jump_count ? k : -1;
}

static int indicators(const void *self, const sb_at *at, double g[], double gdot[]) {
  const resistance *s = self;
  if (sb_resistance_is_table(self)) {
    return sb_table_indicators(self, at, g, gdot);
  }
  jump_state j = read_jump(self, at, at->mode);
  const int next = next_jump(s, at->mode);
  const int count =
      sb_stick_indicators(at->mode, has_none(s, &j), at->assigned != sb_resistance_slot_variable(s),
                          j.u, j.y, j.low, j.high, at->discrete, g, gdot);
  if (next < 0) {
    return count;
  }
  g[1] = -sb_slip_side(at->mode, 0) * read_jump(self, at, SB_STICK_MODES * next).u;
  gdot[1] = NAN;
  return 2;
}

/** The mode that an event is about: that of the jump at which it is. */
static int mode_at(const resistance *s, const sb_at *at, int indicator) {
  const int next = next_jump(s, at->mode), side = sb_slip_side(at->mode, 0);
  if (indicator == 1 && next >= 0) {
    return sb_stick_mode(next, -side);
  }
  if (s->jump_count < 2 || at->mode % SB_STICK_MODES != SB_SLIP_START) {
    return at->mode;
  }
  double signals[SB_SIGNALS_MAX];
  sb_signals_fill(at, s->signals, signals);
  const int holding = at->assigned == sb_resistance_slot_variable(s)
                          ? -1
                          : sb_resistance_holding(s, signals, read_jump(s, at, at->mode).y);
  return SB_SLIP_START + (holding >= 0 ? holding : sb_resistance_nearest(s, argument(s, at)));
}

static sb_status fire(const void *self, const sb_at *at, int indicator, double discrete[],
                      sb_transition *out) {
  if (sb_resistance_is_table(self)) {
    sb_table_fire(self, at, indicator, discrete, out);
    return SB_OK;
  }
  const resistance *s = self;
  const int mode = mode_at(s, at, indicator), base = mode - mode % SB_STICK_MODES;
  jump_state j = read_jump(s, at, mode);
  if (s->jump_count > 1) { // the argument at the last step is from the place of another jump
    discrete[SB_STICK_LAST] +=
        s->places[at->mode / SB_STICK_MODES] - s->places[base / SB_STICK_MODES];
  }
  sb_stick_fire(mode, has_none(s, &j), at->assigned != sb_resistance_slot_variable(s), j.u, j.y,
                j.low, j.high, discrete, out);
  out->mode += out->mode == SB_SLIP_START ? 0 : base;
  out->held += base;
  return SB_OK;
}

static void accept(const void *self, const sb_at *at, double discrete[]) {
  if (sb_resistance_is_table(self)) {
    sb_table_accept(self, at, discrete);
    return;
  }
  sb_stick_accept(read_jump(self, at, at->mode).u, discrete);
}

const sb_switching_hooks sb_resistance_switching = {.discrete_states = SB_STICK_STATES,
                                                    .sees_ports = true,
                                                    .modes = {.before = sb_stick_before},
                                                    .initial_mode = sb_stick_initial_mode,
                                                    .bends = SB_BENDS_WITH_PIECES,
                                                    .indicators = indicators,
                                                    .fire = fire,
                                                    .accept = accept};
