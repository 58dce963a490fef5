// SPDX-License-Identifier: GPL-3.0-or-later
// The law of an R as an expression e(f) or f(e), and where it jumps: its values beside a jump.
#include "elements/resistance_private.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "elements/signals_private.h"
#include "elements/stick_private.h"

// An argument within as many roundings of the place of a jump is there.
enum { PLACE_ROUNDINGS = 4 };

sb_dual sb_resistance_at(const resistance *s, const double signals[], double u) {
  double all[SB_EXPRESSION_VARIABLES_MAX] = {[FLOW] = u, [EFFORT] = u};
  memcpy(all + SIGNALS, signals, (size_t)s->signals * sizeof *signals);
  return sb_expression_dual(s->law, all, sb_resistance_slot(s));
}

/** How far beside a jump its branches are taken: at zero, and as a fraction of its place. */
static const double BESIDE = 1e-60, BESIDE_PLACE = 1e-12;

double sb_resistance_from_place(const resistance *s, double u) {
  const double way = u - s->place;
  return fabs(way) <= PLACE_ROUNDINGS * DBL_EPSILON * fabs(s->place) ? 0 : way;
}

sb_law_variables sb_resistance_variables(const resistance *s, const double signals[], double u,
                                         int side) {
  const double apart = fmax(BESIDE, BESIDE_PLACE * fabs(s->place));
  double place = side > 0 ? fmax(u, s->place + apart) : side < 0 ? fmin(u, s->place - apart) : u;
  place = side != 0 ? fmin(fmax(place, s->before + BESIDE_PLACE * fabs(s->before) + BESIDE),
                           s->after - BESIDE_PLACE * fabs(s->after) - BESIDE)
                    : place;
  sb_law_variables v = {{[FLOW] = u, [EFFORT] = u}, {[FLOW] = place, [EFFORT] = place}};
  memcpy(v.now + SIGNALS, signals, (size_t)s->signals * sizeof *signals);
  memcpy(v.beside + SIGNALS, signals, (size_t)s->signals * sizeof *signals);
  return v;
}

double sb_resistance_beside(const resistance *s, const double signals[], double u, int side) {
  sb_law_variables v = sb_resistance_variables(s, signals, u, side);
  return sb_expression_beside(s->law, v.now, v.beside, sb_resistance_slot(s)).value;
}

void sb_resistance_limits(const resistance *s, const double signals[], double *low, double *high) {
  *low = sb_resistance_beside(s, signals, s->place, -1);
  *high = sb_resistance_beside(s, signals, s->place, 1);
  if (s->place == 0) { // no power is given at rest
    *low = fmin(*low, 0);
    *high = fmax(*high, 0);
  }
}

sb_dual sb_resistance_held(const resistance *s, const sb_at *at, const double signals[]) {
  const bool free = !s->jumps || (s->jump_count > 1 && at->mode == SB_SLIP_START);
  int side = free ? 0 : sb_slip_side(at->mode, sb_resistance_from_place(s, at->in[0]));
  sb_law_variables v = sb_resistance_variables(s, signals, at->in[0], side);
  const int slot = sb_resistance_slot(s);
  const sb_dual held = sb_expression_at(s->law, v.now, v.beside, at->branches, slot);
  return s->rises && !s->jumps && !(held.slope > 0) ? sb_expression_dual(s->law, v.now, slot)
                                                    : held;
}

double sb_resistance_rate(const resistance *s, const sb_at *at) {
  double signals[SB_SIGNALS_MAX];
  sb_signals_fill(at, s->signals, signals);
  sb_law_variables v = sb_resistance_variables(s, signals, s->place, sb_slip_side(at->mode, 0));
  return s->signals == 0 ? 0 : sb_signals_rate(s->law, v.now, v.beside, SIGNALS, at, s->signals);
}

/** Whether the law jumps at s->place; upwards alone, or either way. @param claims  the branches of the jump are then claimed */
static bool jumps_at_place(const resistance *s, bool upwards, bool claims) {
  static const double tries[] = {1, -1, 0.1, 1e3};
  bool any = false;
  for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
    double signals[SB_SIGNALS_MAX];
    for (int k = 0; k < SB_SIGNALS_MAX; k++) {
      signals[k] = tries[i] * (1 + 0.1 * k);
    }
    double low = sb_resistance_beside(s, signals, s->place, -1),
           high = sb_resistance_beside(s, signals, s->place, 1);
    bool jumps = isfinite(low) && isfinite(high) && (upwards ? high > low : high != low);
    if (jumps && claims) {
      sb_law_variables a = sb_resistance_variables(s, signals, s->place, -1),
                       b = sb_resistance_variables(s, signals, s->place, 1);
      sb_expression_claim(s->law, a.beside, b.beside);
    }
    any = any || jumps;
  }
  return any;
}

/** A law that looks at a jump alone. */
static resistance at_place(const resistance *s, double place) {
  resistance there = *s;
  there.place = place;
  there.before = -HUGE_VAL;
  there.after = HUGE_VAL;
  return there;
}

static void add_place(resistance *s, double place) {
  int k = s->jump_count;
  for (int i = 0; i < s->jump_count; i++) {
    if (fabs(s->places[i] - place) <= BESIDE_PLACE * fabs(place)) {
      return;
    }
  }
  for (; k > 0 && s->places[k - 1] > place; k--) {
    s->places[k] = s->places[k - 1];
  }
  s->places[k] = place;
  s->jump_count++;
}

/** Places other than zero where the law jumps upwards. @return false: too many */
static bool find_places(resistance *s) {
  double places[SB_EXPRESSION_NODES_MAX];
  const int count = sb_expression_turns(s->law, sb_resistance_slot(s), places);
  for (int i = 0; i < count; i++) {
    const resistance there = at_place(s, places[i]);
    if (places[i] != 0 && jumps_at_place(&there, true, false)) {
      if (s->jump_count == SB_JUMPS_MAX) {
        return false;
      }
      add_place(s, places[i]);
    }
  }
  return true;
}

const resistance *sb_resistance_view(const resistance *s, int mode, resistance *view) {
  const int k = mode / SB_STICK_MODES;
  if (s->jump_count < 2) {
    return s;
  }
  *view = *s;
  view->place = s->places[k];
  view->before = k > 0 ? s->places[k - 1] : -HUGE_VAL;
  view->after = k + 1 < s->jump_count ? s->places[k + 1] : HUGE_VAL;
  return view;
}

int sb_resistance_nearest(const resistance *s, double u) {
  int k = 0;
  while (k + 1 < s->jump_count && u > 0.5 * (s->places[k] + s->places[k + 1])) {
    k++;
  }
  return SB_STICK_MODES * k;
}

int sb_resistance_holding(const resistance *s, const double signals[], double y) {
  int found = -1;
  for (int k = 0; k < s->jump_count && found < 0; k++) {
    resistance view;
    double low, high;
    sb_resistance_limits(sb_resistance_view(s, SB_STICK_MODES * k, &view), signals, &low, &high);
    found = y >= low && y <= high ? SB_STICK_MODES * k : -1;
  }
  return found;
}

bool sb_resistance_claim_jump(resistance *s) {
  const resistance zero = at_place(s, 0);
  s->jump_count = 0;
  if (jumps_at_place(&zero, false, false)) {
    add_place(s, 0);
  }
  const int at_zero = s->jump_count;
  s->staircase = !find_places(s);
  if (s->staircase) {
    s->jump_count = at_zero;
    s->places[0] = 0;
  }
  for (int k = 0; k < s->jump_count; k++) {
    const resistance there = at_place(s, s->places[k]);
    (void)jumps_at_place(&there, s->places[k] != 0, true);
  }
  s->before = -HUGE_VAL;
  s->after = HUGE_VAL;
  s->place = s->jump_count > 0 ? s->places[0] : 0;
  return s->jump_count > 0;
}
