// SPDX-License-Identifier: GPL-3.0-or-later
// R: linear (a number, a diagonal or a matrix), a power law e = r |f|^n sgn f, a table of efforts
// over flows, linear between its points and beyond its ends (resistance_table.c), or a law given as an expression e(f)
// or f(e) (resistance_law.c). A law that jumps at zero, as 6[N]*sign(f), or upwards at other places,
// sticks there (stick_private.h). With a bond at its heat port what it dissipates leaves there as entropy, T S = e f. Refused
// if it could give power; an expression is judged by samples (resistance_judge.c).
#include <math.h>

#include "elements/elements.h"
#include "elements/linear_private.h"
#include "elements/resistance_private.h"
#include "elements/signals_private.h"
#include "elements/stick_private.h"

static sb_status init(void *self, sb_layout *layout, sb_error *err) {
  resistance *s = self;
  bool invertible = true;
  SB_TRY(sb_vector_check(&(sb_list){0}, s->dim, "r", err));
  layout->dim = s->dim;
  s->signals = layout->wires;
  s->heated = layout->port_count > 1;
  if (s->law != NULL) {
    SB_TRY(sb_resistance_check_law(s, &invertible, err));
    s->jumps = s->jumps || sb_resistance_claim_jump(s);
    s->flat = s->flat ||
              (s->jumps && s->signals > 0 && sb_expression_by_sign(s->law, sb_resistance_slot(s)));
    invertible = invertible && (!s->jumps || s->signals == 0);
  } else if (sb_resistance_is_table(s)) {
    SB_TRY(sb_table_check(s, &invertible, err));
  } else if (s->r.count == 0) {
    return sb_fail(err, SB_ERR_MISSING, "r is missing (or a law, or flows and efforts)");
  } else {
    SB_TRY(sb_matrix_check_resistance(&s->r, s->dim, "r", err));
  }
  bool nonlinear = s->law != NULL || sb_resistance_is_table(s) || s->exponent != 1;
  if (nonlinear && s->dim != 1) {
    return sb_fail_at(err, SB_ERR_DIMENSION, "dim", "a law or table takes dim=\"1\"");
  }
  if (s->heated && s->dim != 1) {
    return sb_fail_at(err, SB_ERR_DIMENSION, "dim", "a heat port takes dim=\"1\"");
  }
  if (nonlinear && s->law == NULL && !sb_resistance_is_table(s) && s->r.values[0] == 0) {
    invertible = false;
  }
  sb_variable assigned = s->law != NULL && sb_resistance_slot(s) == EFFORT ? SB_FLOW : SB_EFFORT;
  layout->pieces = s->flows.count > 2 ? s->flows.count - 1 : 0;
  layout->one_mode = !s->jumps && layout->pieces == 0;
  s->rises = layout->rises = nonlinear && invertible && s->signals == 0;
  layout->continuous = s->rises && !s->jumps && !s->staircase;
  layout->ports[0].output = invertible || s->flat ? SB_INDIFFERENT : assigned;
  const sb_variable other = assigned == SB_FLOW ? SB_EFFORT : SB_FLOW;
  layout->preferred =
      sb_resistance_is_steep(s) || sb_resistance_is_exponential(s) ? other : assigned;
  return SB_OK;
}

/** e = R f in place of a law of its own. */
static bool is_linear(const resistance *s) {
  return s->law == NULL && !sb_resistance_is_table(s) && s->exponent == 1;
}

/** The matrix of a number, of a diagonal, or row by row. */
static bool linear(const void *self, int dim, double R[]) {
  const resistance *s = self;
  const double *r = s->r.values;
  for (int i = 0; is_linear(s) && i < dim * dim; i++) {
    bool diagonal = i / dim == i % dim;
    R[i] = s->r.count > dim ? r[i] : diagonal ? r[s->r.count == 1 ? 0 : i / dim] : 0;
  }
  return is_linear(s) && !s->heated;
}

/** e = R f with r as it was given: a number, a diagonal, or a matrix. */
static int law_linear(const resistance *s, const double f[], double e[]) {
  const double *r = s->r.values;
  for (int i = 0; i < s->dim; i++) {
    e[i] = s->r.count > s->dim ? 0 : r[s->r.count == 1 ? 0 : i] * f[i];
    for (int k = 0; s->r.count > s->dim && k < s->dim; k++) {
      e[i] += r[i * s->dim + k] * f[k];
    }
  }
  return 0;
}

/** The least that a law may bear at its jump. */
static double least_inside(const resistance *s, const double signals[]) {
  double low, high;
  sb_resistance_limits(s, signals, &low, &high);
  return fmin(fmax(0, low), high);
}

/** By the law as it is stated, whatever the run takes for rest. */
static int law_stated(const resistance *s, const sb_at *at, sb_variable assigned, double y[]) {
  resistance view;
  double u = at->in[0];
  s = sb_resistance_view(s, at->mode, &view);
  if (assigned == SB_FLOW && is_linear(s)) {
    return law_linear(s, at->in, y);
  }
  if (s->jumps && sb_stick_sticks(s, at->mode)) { // what it is given is what the network needs
    y[0] = s->place;
    return 0;
  }
  if (s->law != NULL) {
    double signals[SB_SIGNALS_MAX];
    sb_signals_fill(at, s->signals, signals);
    if (assigned != sb_resistance_slot_variable(s)) {
      sb_dual inverse;
      const int status = s->jumps
                             ? sb_resistance_invert_beside(s, signals, at->branches, at->mode, u, y)
                             : sb_resistance_invert(s, signals, at->branches, u, &inverse);
      y[0] = s->jumps ? y[0] : inverse.value;
      return status;
    }
    bool rests = s->jumps && at->mode % SB_STICK_MODES == SB_STICK_HELD;
    y[0] = rests ? least_inside(s, signals) : sb_resistance_held(s, at, signals).value;
  } else if (sb_resistance_is_table(s)) {
    y[0] = sb_table_at(s, at, assigned, u).value;
  } else if (assigned == SB_FLOW) {
    y[0] = copysign(s->r.values[0] * pow(fabs(u), s->exponent), u);
  } else {
    y[0] = copysign(pow(fabs(u) / s->r.values[0], 1 / s->exponent), u);
  }
  return 0;
}

/** Whether the input, or what it is the output of, is within what the run takes for rest; y goes there in proportion to u.
 *  @param proportion  out: y/u */
static bool is_at_rest(const resistance *s, const sb_at *at, sb_variable assigned,
                       double *proportion) {
  const double rest = at->rest != NULL ? *at->rest : 0, u = at->in[0];
  const bool direct = assigned == at->assigned;
  if (!(rest > 0) || s->jumps || (direct && !(fabs(u) < rest))) {
    return false;
  }
  double y;
  const double edge = copysign(rest, u);
  sb_at there = *at;
  there.in = &edge;
  there.branches = NULL; // those at the edge
  if (law_stated(s, &there, at->assigned, &y) != 0 || !(fabs(y) > 0)) {
    return false;
  }
  *proportion = direct ? y / edge : edge / y;
  return direct || fabs(u) < fabs(y);
}

static int law_alone(const resistance *s, const sb_at *at, sb_variable assigned, double y[]) {
  double proportion;
  if (is_at_rest(s, at, assigned, &proportion)) {
    if (at->branches != NULL && at->branches->notes) { // how far they are from their ends
      (void)law_stated(s, at, assigned, y);
    }
    y[0] = proportion * at->in[0];
    return 0;
  }
  return law_stated(s, at, assigned, y);
}

/** Of e = r |f|^n sgn f and, by the same rule, of its inverse: n y/u. Of an inverse law the reciprocal. */
static double slope(const void *self, const sb_at *at, sb_variable assigned) {
  const resistance *s = self;
  double u = at->in[0], y, signals[SB_SIGNALS_MAX], proportion;
  sb_dual inverse;
  if (s->heated || s->dim > 1 || s->jumps) {
    return NAN;
  }
  if (is_at_rest(s, at, assigned, &proportion)) {
    return proportion;
  }
  if (sb_resistance_is_table(s)) {
    return sb_table_at(s, at, assigned, u).slope;
  }
  if (s->law == NULL) {
    (void)law_stated(s, at, assigned, &y);
    double n = assigned == SB_FLOW ? s->exponent : 1 / s->exponent;
    return u != 0 ? n * (y / u) : n > 1 ? 0 : HUGE_VAL;
  }
  sb_signals_fill(at, s->signals, signals);
  if (assigned == sb_resistance_slot_variable(s)) {
    return sb_resistance_held(s, at, signals).slope;
  }
  return sb_resistance_invert(s, signals, at->branches, u, &inverse) == 0 ? inverse.slope : NAN;
}

/** At the heat port the temperature T [K] is given, and the entropy e f/T flows out: counted into the
 *  element as all power of a dissipation is, -e f/T. */
static int law(const void *self, const sb_at *at, sb_variable assigned, double y[]) {
  const resistance *s = self;
  int status = law_alone(s, at, assigned, y);
  if (s->heated) {
    double T = at->in[1];
    y[1] = -at->in[0] * y[0] / T;
    status = T > 0 ? status : -1;
  }
  return status;
}

static bool is_flat(const void *self, int mode) {
  const resistance *s = self;
  return s->flat && sb_stick_slips(mode);
}

/** Signals alone move a flat law. */
static int rate(const void *self, const sb_at *at, double ydot[]) {
  resistance view;
  ydot[0] = sb_stick_sticks(self, at->mode)
                ? 0
                : sb_resistance_rate(sb_resistance_view(self, at->mode, &view), at);
  return 0;
}

/** What sticks at u0 gives u0 y, and lets go where y is at an end of its jump, but for what the time of that event is known to: a y of the
 *  other sign than u0 there is rounding of the jump. */
static double terms(const void *self, const sb_at *at) {
  const resistance *s = self;
  const bool sticks = s->jumps && sb_stick_sticks(s, at->mode);
  double signals[SB_SIGNALS_MAX], low = 0, high = 0;
  resistance view;
  s = sb_resistance_view(s, at->mode, &view);
  if (sticks && s->place != 0) {
    sb_signals_fill(at, s->signals, signals);
    sb_resistance_limits(s, signals, &low, &high);
  }
  return fabs(s->place) * fmax(fabs(low), fabs(high));
}

static int mode_of(const void *self, int jump, int side) {
  return jump < ((const resistance *)self)->jump_count ? sb_stick_mode(jump, side) : -1;
}

static void limits(const void *self, const sb_at *at, double *low, double *high) {
  const resistance *s = self;
  double signals[SB_SIGNALS_MAX];
  resistance view;
  sb_signals_fill(at, s->signals, signals);
  sb_resistance_limits(sb_resistance_view(s, at->mode, &view), signals, low, high);
}

static void enter(const void *self, const sb_at *at, int mode, double discrete[],
                  sb_transition *out) {
  (void)self;
  sb_stick_enter(at->mode, mode, discrete, out);
}

static double place(const void *self, int mode) {
  resistance view;
  return sb_resistance_view(self, mode, &view)->place;
}

static const sb_dissipation_hooks hooks = {.linear = linear,
                                           .law = law,
                                           .slope = slope,
                                           .terms = terms,
                                           .jumps = {.sticks = sb_stick_sticks,
                                                     .held = sb_stick_is_held,
                                                     .place = place,
                                                     .mode = mode_of,
                                                     .limits = limits,
                                                     .enter = enter,
                                                     .flat = is_flat,
                                                     .rate = rate}};

static const sb_argument of_flow_or_effort[] = {[FLOW] = {"f", "@f", "@e", SB_OWN_FLOW, 0},
                                                [EFFORT] = {"e", "@e", "@f", SB_OWN_EFFORT, 0},
                                                {0}};
static const sb_param params[] = {
    {.name = "r",
     .aliases = "resistance",
     .kind = SB_PARAM_LIST,
     .offset = offsetof(resistance, r),
     .unit = "@e/f",
     .range = SB_ONE_NOT_NEGATIVE,
     .fallback = "",
     .help = "resistance: one number, a diagonal, or a matrix row by row; with an exponent n the "
             "effort at flow 1"},
    {.name = "exponent",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(resistance, exponent),
     .range = SB_POSITIVE,
     .fallback = "1",
     .help = "n of e = r |f|^n sgn f"},
    {.name = "flows",
     .kind = SB_PARAM_LIST,
     .offset = offsetof(resistance, flows),
     .unit = "@f",
     .range = SB_INCREASING,
     .fallback = "",
     .help = "points of a table"},
    {.name = "efforts",
     .kind = SB_PARAM_LIST,
     .offset = offsetof(resistance, efforts),
     .unit = "@e",
     .fallback = "",
     .help = "efforts at the points of the table"},
    {.name = "law",
     .kind = SB_PARAM_EXPRESSION,
     .offset = offsetof(resistance, law),
     .unit = "@e",
     .fallback = "",
     .arguments = of_flow_or_effort,
     .signals = true,
     .help = "expression: the effort over the flow f, or the flow over the effort e, and signals"},
    {.name = "flow_limit",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(resistance, flow_limit),
     .unit = "@f",
     .range = SB_NOT_NEGATIVE,
     .fallback = "0",
     .help = "largest |f| that a law is judged on; 0: 1e9 in SI"},
    {.name = "effort_limit",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(resistance, effort_limit),
     .unit = "@e",
     .range = SB_NOT_NEGATIVE,
     .fallback = "0",
     .help = "largest |e| that a law is judged on; 0: 1e9 in SI"},
    {.name = "dim",
     .kind = SB_PARAM_INT,
     .offset = offsetof(resistance, dim),
     .range = SB_POSITIVE,
     .fallback = "1",
     .help = "components of the bond"},
    {0}};
static const sb_port_spec ports[] = {
    {"p", .output = SB_EFFORT},
    {"heat", .dim = 1, .domain = "thermal", .output = SB_FLOW, .optional = true},
    {0}};
static const sb_signal_spec signals[] = {SB_SIGNAL_INPUTS, {0}};

const sb_element_type sb_kind_R = {
    .name = "R",
    .help = "resistance, damper, friction: e = r f, a power law, a table or an expression",
    .role = SB_DISSIPATION,
    .size = sizeof(resistance),
    .params = params,
    .ports = ports,
    .signals = signals,
    .init = init,
    .dissipation = &hooks,
    .switching = &sb_resistance_switching,
    .example = "<R id=\"R1\" r=\"10 ohm\"/> <R id=\"drag\" law=\"0.5[N.s^2/m^2]*f*abs(f)\"/>"};
