// SPDX-License-Identifier: GPL-3.0-or-later
// Friction: dry friction with stick as a mode. While it slips, with s the sign of the flow f,
//   e = s (Fc + (Fs - Fc) exp(-(f/vs)^2)) + b f
// with Coulomb's friction Fc, the static peak Fs, Stribeck's velocity vs and viscous friction b (Armstrong,
// Dupont, Canudas de Wit, "A survey of models ... for the control of machines with friction", Automatica 30,
// 1994). Where the flow comes to zero it sticks, f = 0, with an effort that the network determines, until that is
// beyond the static friction. That grows with the time T of rest from Fc on, Fc + (Fs - Fc)(1 - exp(-T/Td)) (Gonthier et
// al., Multibody System Dynamics 11, 2004), if a dwell time Td is given; it is Fs at the start of a run. Fc and Fs
// may follow signals, as a normal force or the pressure on a clutch.
//
// With b > 0 and without vs the law rises on both sides of its jump: where the network gives the effort, as a source
// and a capacitor in series do, the flow is f = (e - s Fc)/b, and the element sticks where this comes to zero.
// With b = 0 and without vs the effort s Fc does not depend on the flow while it slips: a spring in series is then a
// dependent storage, and the flow is what the constraint leaves (Prandtl's element), by d(Fc)/dt too.
#include <math.h>
#include <stdlib.h>

#include "elements/elements.h"
#include "elements/signals_private.h"
#include "elements/stick_private.h"

typedef struct friction {
  sb_list coulomb, peak;                 // none or one number
  sb_expression *coulomb_law, *peak_law; // in place of these
  double stribeck, viscous, dwell;
  int signals; // that the expressions may name
} friction;

enum { STUCK_AT = SB_STICK_STATES, RESTED, STATES }; // [s]

static sb_status check_number(const sb_list *list, const char *name, sb_error *err) {
  return list->count <= 1 ? SB_OK
                          : sb_fail_at(err, SB_ERR_DIMENSION, name, "%s takes one number, got %d",
                                       name, list->count);
}

static bool is_flat(const void *self, int mode) {
  const friction *s = self;
  return s->viscous == 0 && s->stribeck == 0 && sb_stick_slips(mode);
}

static sb_status init(void *self, sb_layout *layout, sb_error *err) {
  friction *s = self;
  s->signals = layout->wires;
  SB_TRY(check_number(&s->coulomb, "coulomb", err));
  SB_TRY(check_number(&s->peak, "static", err));
  SB_TRY(sb_signals_check(s->coulomb_law, 1, s->signals, err));
  SB_TRY(sb_signals_check(s->peak_law, 1, s->signals, err));
  SB_TRY(sb_expression_clamp(&s->coulomb_law, err));
  SB_TRY(sb_expression_clamp(&s->peak_law, err));
  bool constant = s->coulomb_law == NULL && s->peak_law == NULL;
  if (s->coulomb_law == NULL && s->coulomb.count == 0) {
    return sb_fail(err, SB_ERR_MISSING, "coulomb is missing");
  }
  if (constant && s->peak.count > 0 && s->peak.values[0] < s->coulomb.values[0]) {
    sb_status status = sb_fail_at(
        err, SB_ERR_RANGE, "static", "static must not be below coulomb: %s is below %s",
        sb_number_word(s->peak.values[0]).text, sb_number_word(s->coulomb.values[0]).text);
    sb_error_hint(err, "with a static friction below the kinetic one no steady slip is possible");
    return status;
  }
  layout->dim = 1;
  layout->ports[0].output = (s->viscous > 0 && s->stribeck == 0) || is_flat(s, SB_SLIP_FORWARD)
                                ? SB_INDIFFERENT
                                : SB_EFFORT;
  return SB_OK;
}

/** A strength by its number or expression, not below `least`. */
static double strength(const friction *s, const sb_list *number, const sb_expression *law,
                       const sb_at *at, double least) {
  if (law == NULL) {
    return number->count > 0 ? fmax(number->values[0], least) : least;
  }
  const sb_signal_values u = sb_signals_read(at, s->signals);
  double value = sb_expression_at(law, u.now, u.inside, at->branches, -1).value;
  return isnan(value) ? value : fmax(value, least);
}

typedef struct strengths {
  double coulomb, peak;
} strengths;

/** Whether it may hold more than it slips with. */
static bool has_peak(const friction *s) {
  return s->peak.count > 0 || s->peak_law != NULL;
}

static bool rests(int mode) {
  return sb_stick_sticks(NULL, mode) || sb_stick_is_held(NULL, mode);
}

/** The peak is what has grown until the element slipped, or until now. */
static strengths strengths_at(const friction *s, const sb_at *at) {
  double coulomb = strength(s, &s->coulomb, s->coulomb_law, at, 0);
  double peak = strength(s, &s->peak, s->peak_law, at, coulomb);
  if (s->dwell > 0) {
    double rest = rests(at->mode) ? at->t - at->discrete[STUCK_AT] : at->discrete[RESTED];
    peak = coulomb - (peak - coulomb) * expm1(-rest / s->dwell);
  }
  return (strengths){coulomb, peak};
}

static int law(const void *self, const sb_at *at, sb_variable assigned, double y[]) {
  const friction *s = self;
  strengths F = strengths_at(s, at);
  F.coulomb = sb_stick_is_held(NULL, at->mode) ? F.peak : F.coulomb;
  if (assigned == SB_EFFORT) {
    int side = sb_slip_side_given(at->mode, at->in[0], -F.peak, F.peak);
    bool stays = at->mode == SB_SLIP_START && (side == 0 || s->viscous == 0);
    y[0] = stays ? 0 : (at->in[0] - side * F.coulomb) / s->viscous;
    return 0;
  }
  double f = at->in[0], left = 0;
  if (s->stribeck > 0) {
    double ratio = f / s->stribeck;
    left = exp(-ratio * ratio);
  }
  y[0] = sb_slip_side(at->mode, f) * (F.coulomb + (F.peak - F.coulomb) * left) + s->viscous * f;
  return 0;
}

/** Of a strength; below zero that is taken for zero. */
static double rate_of(const friction *s, const sb_expression *law, const sb_at *at) {
  const sb_signal_values u = sb_signals_read(at, s->signals);
  return law == NULL || sb_expression_at(law, u.now, u.inside, at->branches, -1).value < 0
             ? 0
             : sb_signals_rate(law, u.now, u.inside, 1, at, s->signals);
}

/** d/dt of the peak of what rests. */
static double peak_rate(const friction *s, const sb_at *at) {
  const double coulomb = strength(s, &s->coulomb, s->coulomb_law, at, 0),
               peak = strength(s, &s->peak, s->peak_law, at, coulomb),
               coulomb_rate = rate_of(s, s->coulomb_law, at),
               most_rate = peak > coulomb ? rate_of(s, s->peak_law, at) : coulomb_rate,
               missing = s->dwell > 0 ? exp((at->discrete[STUCK_AT] - at->t) / s->dwell) : 0;
  return most_rate + missing * (coulomb_rate - most_rate) +
         (s->dwell > 0 ? missing * (peak - coulomb) / s->dwell : 0);
}

/** d/dt of s Fc. */
static int rate(const void *self, const sb_at *at, double ydot[]) {
  const friction *s = self;
  ydot[0] = sb_slip_side(at->mode, 0) *
            (sb_stick_is_held(NULL, at->mode) ? peak_rate(s, at) : rate_of(s, s->coulomb_law, at));
  return 0;
}

static int initial_mode(const void *self, const sb_at *at, double discrete[]) {
  // what an impact releases has rested until now
  discrete[RESTED] = rests(at->mode) ? at->t - at->discrete[STUCK_AT] : HUGE_VAL;
  discrete[STUCK_AT] = -HUGE_VAL;
  return sb_stick_initial_mode(self, at, discrete);
}

static int indicators(const void *self, const sb_at *at, double g[], double gdot[]) {
  double peak = strengths_at(self, at).peak;
  return sb_stick_indicators(at->mode, peak == 0, at->assigned == SB_EFFORT, at->in[1], at->in[0],
                             -peak, peak, at->discrete, g, gdot);
}

/** When what comes to rest did, and for how long what slips has rested.
 *  @param mode  that it has, or has if it cannot stick  */
static void count_rest(const sb_at *at, const sb_transition *out, double discrete[]) {
  const bool comes = rests(out->mode) && !rests(at->mode);
  if (comes) {
    discrete[STUCK_AT] = at->mode == SB_SLIP_START ? at->t - discrete[RESTED] : at->t;
  }
  if (comes || rests(at->mode)) { // what cannot stick has not rested, or not longer
    discrete[RESTED] = at->t - discrete[STUCK_AT];
  }
}

/** The mode it takes if others hold it. What has a peak bears that where it has come to it, and may bear it where it has come to rest. */
static void hold(const friction *s, const sb_at *at, sb_transition *out) {
  const bool slips = sb_stick_before(NULL, at->mode, 0) && at->in[1] == 0;
  if (has_peak(s) && sb_stick_sticks(NULL, at->mode) && sb_stick_before(NULL, out->mode, 0)) {
    out->held = sb_stick_held(sb_slip_side(out->mode, 0));
  } else if (has_peak(s) && slips && sb_stick_sticks(NULL, out->mode)) {
    out->held = SB_STICK_HELD;
  }
}

static sb_status fire(const void *self, const sb_at *at, int indicator, double discrete[],
                      sb_transition *out) {
  (void)indicator;
  const friction *s = self;
  double peak = strengths_at(s, at).peak;
  sb_stick_fire(at->mode, peak == 0, at->assigned == SB_EFFORT, at->in[1], at->in[0], -peak, peak,
                discrete, out);
  hold(s, at, out);
  count_rest(at, out, discrete);
  return SB_OK;
}

static int mode_of(const void *self, int jump, int side) {
  const bool at_end = abs(side) == 2 && has_peak(self);
  return jump > 0 ? -1 : at_end ? sb_stick_held(side) : sb_stick_mode(0, side);
}

/** What slips comes to rest at Coulomb's friction; by Stribeck's law at the peak, which it has come back to. */
static void limits(const void *self, const sb_at *at, double *low, double *high) {
  const friction *s = self;
  const strengths F = strengths_at(self, at);
  *high = sb_stick_before(self, at->mode, 0) && s->stribeck == 0 ? F.coulomb : F.peak;
  *low = -*high;
}

static void enter(const void *self, const sb_at *at, int mode, double discrete[],
                  sb_transition *out) {
  (void)self;
  sb_stick_enter(at->mode, mode, discrete, out);
  count_rest(at, out, discrete);
}

static void accept(const void *self, const sb_at *at, double discrete[]) {
  sb_stick_accept(at->in[1], discrete);
  if (discrete[SB_STICK_BARE] == 1 && strengths_at(self, at).peak > 0) {
    discrete[SB_STICK_BARE] = 0; // it holds what rested without friction
  }
}

static const sb_dissipation_hooks hooks = {.law = law,
                                           .jumps = {.sticks = sb_stick_sticks,
                                                     .held = sb_stick_is_held,
                                                     .mode = mode_of,
                                                     .limits = limits,
                                                     .enter = enter,
                                                     .flat = is_flat,
                                                     .rate = rate}};
static const sb_switching_hooks switching = {.discrete_states = STATES,
                                             .sees_ports = true,
                                             .modes = {.before = sb_stick_before},
                                             .initial_mode = initial_mode,
                                             .indicators = indicators,
                                             .fire = fire,
                                             .accept = accept};
static const sb_argument of_time[] = {{.name = "t", .unit = "s"}, {0}};
#define FORMULA(name_, field_)                                                                     \
  {                                                                                                \
    .name = (name_), .kind = SB_PARAM_EXPRESSION, .offset = offsetof(friction, field_),            \
    .unit = "@e", .fallback = "", .arguments = of_time, .signals = true                            \
  }
static const sb_param coulomb_formula = FORMULA("coulomb", coulomb_law);
static const sb_param peak_formula = FORMULA("static", peak_law);
static const sb_param params[] = {
    {.name = "coulomb",
     .kind = SB_PARAM_LIST,
     .offset = offsetof(friction, coulomb),
     .unit = "@e",
     .range = SB_ONE_NOT_NEGATIVE,
     .fallback = "",
     .formula = &coulomb_formula,
     .help = "friction while it slips: a number, or an expression of the time t and of signals, "
             "below zero taken for zero"},
    {.name = "static",
     .kind = SB_PARAM_LIST,
     .offset = offsetof(friction, peak),
     .unit = "@e",
     .range = SB_ONE_NOT_NEGATIVE,
     .fallback = "",
     .formula = &peak_formula,
     .help = "the most that it holds: a number or an expression, below coulomb taken for that; "
             "as coulomb if not given"},
    {.name = "stribeck",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(friction, stribeck),
     .unit = "@f",
     .range = SB_NOT_NEGATIVE,
     .fallback = "0",
     .help = "flow at which a fraction 1/e of static - coulomb is left; 0: it drops at once"},
    {.name = "viscous",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(friction, viscous),
     .unit = "@e/f",
     .range = SB_NOT_NEGATIVE,
     .fallback = "0",
     .help = "friction in proportion to the flow, beside"},
    {.name = "dwell",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(friction, dwell),
     .unit = "s",
     .range = SB_NOT_NEGATIVE,
     .fallback = "0",
     .help = "time of rest in which a fraction 1/e of static - coulomb is still missing; 0: static "
             "holds at once"},
    {0}};
static const sb_port_spec ports[] = {{"p", .dim = 1, .output = SB_EFFORT}, {0}};
static const sb_signal_spec signals[] = {SB_SIGNAL_INPUTS, {0}};

const sb_element_type sb_kind_Friction = {
    .name = "Friction",
    .help = "dry friction that sticks and slips: Coulomb, static peak, Stribeck, viscous; a "
            "slipping clutch",
    .role = SB_DISSIPATION,
    .size = sizeof(friction),
    .params = params,
    .ports = ports,
    .signals = signals,
    .init = init,
    .dissipation = &hooks,
    .switching = &switching,
    .example = "<Friction id=\"F1\" coulomb=\"4 N\" static=\"6 N\" stribeck=\"1 mm/s\"/>"};
