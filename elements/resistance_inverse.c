// SPDX-License-Identifier: GPL-3.0-or-later
// The inverse of the law of an R as an expression e(f) or f(e), by Newton's method in a bracket.
#include "elements/resistance_private.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "elements/stick_private.h"

enum { SEARCH_MAX = 400, SMOOTH_MAX = 10 };
// Of 8: the largest argument that a law is tried at, and of 1/8 the least.
enum { POWER_MAX = 339 };
// A law is known to as many roundings of its terms.
enum { TERMS_ROUNDINGS = 4 };

/** Whether a law that rises is y or more at 8^power; where it has no value it is beyond. */
static bool reaches(const resistance *s, const double signals[], double y, double sign, int power) {
  return !(sign * sb_resistance_at(s, signals, sign * ldexp(1, 3 * power)).value < y);
}

/** The arguments 8^n and 8^(n+1) between which a law reaches y, in no unit: from 1 up or down in strides that
 *  double, then by bisection. @return whether it does */
static bool bracket(const resistance *s, const double signals[], double y, double sign, double *low,
                    double *high) {
  int up = reaches(s, signals, y, sign, 0) ? -1 : 1, last = 0, power = 0;
  do {
    if (abs(power) == POWER_MAX) { // beyond all numbers, or nearer to zero than any
      *low = *high = ldexp(1, -3 * POWER_MAX);
      return up < 0 && !isnan(y);
    }
    last = power;
    power = 2 * abs(power) + 1 < POWER_MAX ? 2 * power + up : up * POWER_MAX;
  } while (reaches(s, signals, y, sign, power) == (up < 0));
  int below = up > 0 ? last : power, above = up > 0 ? power : last;
  while (above - below > 1) {
    int middle = below + (above - below) / 2;
    *(reaches(s, signals, y, sign, middle) ? &above : &below) = middle;
  }
  *low = ldexp(1, 3 * below);
  *high = ldexp(1, 3 * above);
  return !isnan(sb_resistance_at(s, signals, sign * *high).value);
}

/** Newton's method from 1 by the logarithms of u and h(u), which are in proportion for powers of u; from where the value is near by themselves.
 *  @param y  above zero  @param result  out: the argument, without its sign  @return whether it has arrived */
static bool invert_smoothly(const resistance *s, const double signals[], double y, double sign,
                            double *result) {
  double u = 1;
  for (int i = 0; i < SMOOTH_MAX; i++) {
    const sb_dual at = sb_resistance_at(s, signals, sign * u);
    const double value = sign * at.value, miss = value - y;
    const bool near = fabs(miss) < 0.1 * y;
    const double next = near ? u - miss / at.slope : u * pow(y / value, value / (at.slope * u));
    if (!(value > 0 && at.slope > 0 && next > 0) || !isfinite(next)) {
      return false;
    }
    const bool arrived = near && fabs(next - u) <= DBL_EPSILON * u;
    u = next;
    if (arrived) {
      *result = sign * u;
      return true;
    }
  }
  return false;
}

/** By the present arguments: as above, or by Newton's method in a bracket, which bisects where it does not get on. */
static int invert_freely(const resistance *s, const double signals[], double y, double *result) {
  double sign = y < 0 ? -1 : 1, low, high;
  y = fabs(y);
  if (y < DBL_MIN) { // or zero
    *result = 0;
    return 0;
  }
  if (invert_smoothly(s, signals, y, sign, result)) {
    return 0;
  }
  if (!bracket(s, signals, y, sign, &low, &high)) {
    return 1;
  }
  double u = sqrt(low) * sqrt(high), width = high;
  for (int i = 0; i < SEARCH_MAX && high - low > DBL_EPSILON * high; i++) {
    sb_dual at = sb_resistance_at(s, signals, sign * u);
    double miss = sign * at.value - y, next = u - miss / at.slope;
    *(miss > 0 ? &high : &low) = u;
    if (miss == 0) {
      break;
    }
    // Newton's step is taken while it halves the steps; a step of rounding only has arrived.
    bool newton = next > low && next < high && fabs(next - u) < 0.5 * width;
    width = newton ? fabs(next - u) : high - low;
    next = newton ? next : 0.5 * (low + high);
    if (fabs(next - u) <= DBL_EPSILON * u) {
      u = next;
      break;
    }
    u = next;
  }
  *result = sign * u;
  return 0;
}

/** Whether the value of a law is y but for the rounding of its terms. */
static bool is_rounding(const resistance *s, const sb_law_variables *v, const sb_branches *branches,
                        double miss, double y) {
  const double terms = sb_expression_terms(s->law, v->now, v->beside, branches) + fabs(y);
  return fabs(miss) <= TERMS_ROUNDINGS * DBL_EPSILON * terms;
}

/** From a solution by the present arguments to that on the branches that are held, which go on beyond their kinks: Newton's method, in a bracket
 *  as soon as there is one. Where the law does not rise on them, as |f| f beyond zero, the present arguments decide.
 *  @param result  in: by the present arguments; out: the slope too */
static void go_on(const resistance *s, const double signals[], const sb_branches *branches,
                  int side, double y, sb_dual *result) {
  double u = result->value, low = -HUGE_VAL, high = HUGE_VAL, before = HUGE_VAL;
  for (int i = 0; i < SEARCH_MAX; i++) {
    const sb_law_variables v = sb_resistance_variables(s, signals, u, side);
    const sb_dual at = sb_expression_at(s->law, v.now, v.beside, branches, sb_resistance_slot(s));
    const double miss = at.value - y, whole = miss / at.slope;
    if (!(at.slope > 0) || !isfinite(whole)) {
      return;
    }
    *(miss > 0 ? &high : &low) = u;
    const double next = u - whole > low && u - whole < high ? u - whole : 0.5 * (low + high);
    const double step = fabs(next - u);
    if (fabs(whole) <= DBL_EPSILON * fabs(u) ||
        (step >= 0.5 * before && is_rounding(s, &v, branches, miss, y))) {
      *result = (sb_dual){u, 1 / at.slope};
      return;
    }
    before = step;
    u = next;
  }
}

/** @param side  of its jump on which the law is inverted; 0: it has none */
static int invert(const resistance *s, const double signals[], const sb_branches *branches,
                  int side, double y, sb_dual *result) {
  if (invert_freely(s, signals, y, &result->value) != 0) {
    return 1;
  }
  result->slope = 1 / sb_resistance_at(s, signals, result->value).slope;
  if (branches != NULL) {
    sb_branches quiet = *branches;
    quiet.notes = quiet.measures = false;
    go_on(s, signals, &quiet, side, y, result);
  }
  if (branches != NULL && (branches->notes || branches->measures)) {
    const sb_law_variables v = sb_resistance_variables(s, signals, result->value, side);
    (void)sb_expression_at(s->law, v.now, v.beside, branches, sb_resistance_slot(s));
  }
  return 0;
}

int sb_resistance_invert(const resistance *s, const double signals[], const sb_branches *branches,
                         double y, sb_dual *result) {
  return invert(s, signals, branches, 0, y, result);
}

/** Where the tangent at an end of the present piece of a law comes to y. */
static double on_tangent(const resistance *s, const double signals[], double end, int side,
                         double y) {
  sb_law_variables v = sb_resistance_variables(s, signals, end, side);
  const sb_dual at = sb_expression_beside(s->law, v.now, v.beside, sb_resistance_slot(s));
  return end + (y - at.value) / (at.slope > 0 && isfinite(at.slope) ? at.slope : 1);
}

int sb_resistance_invert_beside(const resistance *s, const double signals[],
                                const sb_branches *branches, int mode, double y, double *result) {
  double low, high;
  sb_dual inverse;
  const int holding =
      s->jump_count > 1 && mode == SB_SLIP_START ? sb_resistance_holding(s, signals, y) : -1;
  if (holding >= 0) {
    *result = s->places[holding / SB_STICK_MODES];
    return 0;
  }
  sb_resistance_limits(s, signals, &low, &high);
  int side = sb_slip_side_given(mode, y, low, high);
  double inside = side * ((side > 0 ? high : low) - y);
  const double end = side > 0 ? s->after : s->before;
  if (side == 0 || s->flat) {
    *result = s->place;
    return 0;
  }
  if (inside >= 0) {
    *result = on_tangent(s, signals, s->place, side, y);
    return 0;
  }
  if (isfinite(end) && mode % SB_STICK_MODES != SB_SLIP_START &&
      side * (y - sb_resistance_beside(s, signals, end, side)) > 0) {
    *result = on_tangent(s, signals, end, side, y);
    return 0;
  }
  const int status = invert(s, signals, branches, side, y, &inverse);
  *result = inverse.value;
  return status;
}
