// SPDX-License-Identifier: GPL-3.0-or-later
// The law of an R as an expression e(f) or f(e): its values beside a jump, whether it could give power, judged by
// samples, and its inverse.
#include "elements/resistance_private.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "elements/signals_private.h"
#include "elements/stick_private.h"

// Without a limit a law is judged up to SAMPLE_RANGE in SI, from SAMPLE_RANGE^-1 on; with one on as
// many decades below it, and at equal distances.
enum {
  SAMPLES_PER_DECADE = 24,
  SAMPLE_DECADES = 18,
  EVEN_SAMPLES = 1000,
  SEARCH_MAX = 400,
  SMOOTH_MAX = 10
};
// Of 8: the largest argument that a law is tried at, and of 1/8 the least.
enum { POWER_MAX = 339 };
// An argument within as many roundings of the place of a jump is there.
enum { PLACE_ROUNDINGS = 4 };
// A law is known to as many roundings of its terms.
enum { TERMS_ROUNDINGS = 4 };
static const double SAMPLE_RANGE = 1e9;
static const double GROWN =
    1e100; // SI; a law that overflows from here has grown to it, and has no pole
// Of the largest sample before, or of the terms of a law, taken for zero.
static const double ROUNDING = 1e-12;

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

/** The law of u, beside it, and of signals. */
typedef struct law_variables {
  double now[SB_EXPRESSION_VARIABLES_MAX], beside[SB_EXPRESSION_VARIABLES_MAX];
} law_variables;

static law_variables variables_at(const resistance *s, const double signals[], double u, int side) {
  const double apart = fmax(BESIDE, BESIDE_PLACE * fabs(s->place));
  double place = side > 0 ? fmax(u, s->place + apart) : side < 0 ? fmin(u, s->place - apart) : u;
  place = side != 0 ? fmin(fmax(place, s->before + BESIDE_PLACE * fabs(s->before) + BESIDE),
                           s->after - BESIDE_PLACE * fabs(s->after) - BESIDE)
                    : place;
  law_variables v = {{[FLOW] = u, [EFFORT] = u}, {[FLOW] = place, [EFFORT] = place}};
  memcpy(v.now + SIGNALS, signals, (size_t)s->signals * sizeof *signals);
  memcpy(v.beside + SIGNALS, signals, (size_t)s->signals * sizeof *signals);
  return v;
}

double sb_resistance_beside(const resistance *s, const double signals[], double u, int side) {
  law_variables v = variables_at(s, signals, u, side);
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
  law_variables v = variables_at(s, signals, at->in[0], side);
  const int slot = sb_resistance_slot(s);
  const sb_dual held = sb_expression_at(s->law, v.now, v.beside, at->branches, slot);
  return s->rises && !s->jumps && !(held.slope > 0) ? sb_expression_dual(s->law, v.now, slot)
                                                    : held;
}

double sb_resistance_rate(const resistance *s, const sb_at *at) {
  double signals[SB_SIGNALS_MAX];
  sb_signals_fill(at, s->signals, signals);
  law_variables v = variables_at(s, signals, s->place, sb_slip_side(at->mode, 0));
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
      law_variables a = variables_at(s, signals, s->place, -1),
                    b = variables_at(s, signals, s->place, 1);
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
  if (!find_places(s)) {
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

/** Judges a law along one direction. */
typedef struct judge {
  const resistance *s;
  double sign;     // of the arguments
  bool limited;    // only a law without a stated limit may overflow
  bool invertible; // so far
  double last;     // the sample before this one
  double largest;  // of all samples, to tell rounding
  sb_error *err;
} judge;

/** The sum of the absolute values of the terms of a law without signals. */
static double terms_at(const resistance *s, double u) {
  const double all[SB_EXPRESSION_VARIABLES_MAX] = {[FLOW] = u, [EFFORT] = u};
  const double terms = sb_expression_terms(s->law, all, NULL, NULL);
  return isfinite(terms) ? terms : 0;
}

static sb_status judge_sample(judge *j, double u) {
  static const double none[SB_SIGNALS_MAX];
  sb_dual y = sb_resistance_at(j->s, none, j->sign * u);
  const char *name = sb_resistance_slot(j->s) == FLOW ? "f" : "e";
  double value = j->sign * y.value; // passive if not negative
  if (isnan(y.value) || (isinf(y.value) && (j->limited || j->last < GROWN))) {
    sb_status status =
        sb_fail_at(j->err, SB_ERR_RANGE, "law", "the law has no finite value at %s = %s", name,
                   sb_number_word(j->sign * u).text);
    sb_error_hint(j->err, "state the range it is meant for by %s-limit",
                  sb_resistance_slot(j->s) == FLOW ? "flow" : "effort");
    return status;
  }
  if (value < -ROUNDING * fmax(j->largest, terms_at(j->s, j->sign * u))) {
    sb_status status = sb_fail_at(j->err, SB_ERR_RANGE, "law", "the law gives power at %s = %s",
                                  name, sb_number_word(j->sign * u).text);
    sb_error_hint(j->err, "there %s = %s; %s-limit states the range that counts",
                  sb_resistance_slot(j->s) == FLOW ? "e" : "f", sb_number_word(y.value).text,
                  sb_resistance_slot(j->s) == FLOW ? "flow" : "effort");
    return status;
  }
  j->invertible = j->invertible && (isinf(value) || (value > j->last && y.slope > 0));
  j->last = value;
  j->largest = fmax(j->largest, isfinite(value) ? fabs(value) : 0);
  return SB_OK;
}

static sb_status judge_side(judge *j, double limit) {
  const int count = SAMPLES_PER_DECADE * SAMPLE_DECADES;
  j->last = j->largest = 0;
  for (int i = 0; i <= count; i++) {
    double decades = (double)(i - count) / SAMPLES_PER_DECADE;
    SB_TRY(judge_sample(j, limit * pow(10, decades)));
  }
  j->last = 0;
  for (int i = 1; j->limited && i <= EVEN_SAMPLES; i++) {
    SB_TRY(judge_sample(j, limit * i / EVEN_SAMPLES));
  }
  return SB_OK;
}

/** Whether a law without signals has one value between jumps. */
static bool is_flat(const resistance *s, double limit) {
  static const double none[SB_SIGNALS_MAX];
  bool flat = true;
  for (int i = 0; i <= SAMPLES_PER_DECADE * SAMPLE_DECADES && flat; i++) {
    const double size = limit * pow(10, -(double)i / SAMPLES_PER_DECADE);
    for (int sign = -1; sign <= 1; sign += 2) {
      const double u = sign * size;
      resistance view;
      const resistance *there = sb_resistance_view(s, sb_resistance_nearest(s, u), &view);
      const double way = sb_resistance_from_place(there, u);
      flat = flat &&
             (way == 0 || sb_resistance_at(s, none, u).value ==
                              sb_resistance_beside(there, none, there->place, way > 0 ? 1 : -1));
    }
  }
  return flat;
}

sb_status sb_resistance_check_law(resistance *s, bool *invertible, sb_error *err) {
  static const double none[SB_SIGNALS_MAX];
  bool flow = sb_expression_uses(s->law, FLOW), effort = sb_expression_uses(s->law, EFFORT);
  if (s->r.count > 0 || sb_resistance_is_table(s) || s->exponent != 1) {
    return sb_fail_at(err, SB_ERR_CHOICE, "law", "a law excludes r, exponent, flows and efforts");
  }
  if (flow == effort) {
    return sb_fail_at(err, SB_ERR_RANGE, "law",
                      "a law depends on the flow f or on the effort e: %s",
                      flow ? "not on both" : "it has neither");
  }
  SB_TRY(sb_signals_check(s->law, SIGNALS, s->signals, err));
  if (s->signals > 0) { // not known before the run, whose audit checks the power
    return SB_OK;
  }
  double limit = flow ? s->flow_limit : s->effort_limit;
  judge j = {s,
             1,
             limit > 0,
             isfinite(sb_resistance_at(s, none, 0).slope) || sb_resistance_at(s, none, 0).slope > 0,
             0,
             0,
             err};
  if (!isfinite(sb_resistance_at(s, none, 0).value)) {
    return sb_fail_at(err, SB_ERR_RANGE, "law", "the law has no finite value at %s = 0",
                      flow ? "f" : "e");
  }
  for (j.sign = 1; j.sign >= -1; j.sign -= 2) {
    SB_TRY(judge_side(&j, limit > 0 ? limit : SAMPLE_RANGE));
  }
  s->jumps = sb_resistance_claim_jump(s);
  s->flat = s->jumps && is_flat(s, limit > 0 ? limit : SAMPLE_RANGE);
  *invertible = j.invertible && (sb_resistance_at(s, none, 0).value == 0 || s->jumps);
  return SB_OK;
}

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
static bool is_rounding(const resistance *s, const law_variables *v, const sb_branches *branches,
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
    const law_variables v = variables_at(s, signals, u, side);
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
    const law_variables v = variables_at(s, signals, result->value, side);
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
  law_variables v = variables_at(s, signals, end, side);
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
