// SPDX-License-Identifier: GPL-3.0-or-later
// R: linear (a number, a diagonal or a matrix), a power law e = r |f|^n sgn f, a table of efforts
// over flows, linear between its points and beyond its ends, or a law given as an expression e(f)
// or f(e). A law that jumps at zero, as 6[N]*sign(f), sticks there (stick_private.h). With a bond at its heat port what it dissipates leaves there as entropy, T S = e f. Refused
// if it could give power; an expression is judged by samples.
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "elements/elements.h"
#include "elements/linear_private.h"
#include "elements/signals_private.h"
#include "elements/stick_private.h"

typedef struct resistance {
  int dim;
  sb_list r;
  double exponent;
  sb_list flows, efforts;
  sb_expression *law;
  int signals;                     // that it may name
  bool jumps;                      // the law does, at zero
  bool flat;                       // beside that it is constant
  bool heated;                     // the heat port has a bond
  double flow_limit, effort_limit; // [flow], [effort] what the law is judged on
} resistance;

enum { FLOW, EFFORT, SIGNALS }; // slots of a law

// Without a limit a law is judged up to SAMPLE_RANGE in SI, from SAMPLE_RANGE^-1 on; with one on as
// many decades below it, and at equal distances.
enum { SAMPLES_PER_DECADE = 24, SAMPLE_DECADES = 18, EVEN_SAMPLES = 1000, SEARCH_MAX = 400 };
// Of 8: the largest argument that a law is tried at, and of 1/8 the least.
enum { POWER_MAX = 339 };
static const double SAMPLE_RANGE = 1e9;
static const double ROUNDING = 1e-12; // of the largest sample before, taken for zero

static bool is_table(const resistance *s) {
  return s->flows.count > 0 || s->efforts.count > 0;
}

/** Passive if it rises and passes through (0, 0); invertible if it rises strictly. */
static sb_status check_table(const resistance *s, bool *invertible, sb_error *err) {
  bool zero = false;
  if (s->flows.count != s->efforts.count || s->flows.count < 2) {
    return sb_fail_at(
        err, SB_ERR_DIMENSION, s->efforts.count > 0 ? "efforts" : "flows",
        "flows and efforts need the same number of points, two or more: got %d and %d",
        s->flows.count, s->efforts.count);
  }
  *invertible = true;
  for (int i = 0; i < s->flows.count; i++) {
    zero = zero || (s->flows.values[i] == 0 && s->efforts.values[i] == 0);
    double step = i > 0 ? s->efforts.values[i] - s->efforts.values[i - 1] : 1;
    *invertible = *invertible && step > 0;
    if (step < 0) {
      return sb_fail_at(
          err, SB_ERR_RANGE, "efforts", "the efforts of the table must not fall from %s to %s",
          sb_number_word(s->efforts.values[i - 1]).text, sb_number_word(s->efforts.values[i]).text);
    }
  }
  if (!zero) {
    return sb_fail_at(err, SB_ERR_RANGE, "flows",
                      "the table must have the point of flow 0 and effort 0: "
                      "elsewhere it could give power");
  }
  return SB_OK;
}

static int slot_of(const resistance *s) {
  return sb_expression_uses(s->law, EFFORT) ? EFFORT : FLOW;
}

/** The variable that the law is an expression of. */
static sb_variable slot_variable(const resistance *s) {
  return slot_of(s) == EFFORT ? SB_EFFORT : SB_FLOW;
}

/** The law and its slope at a flow or effort, whichever it is an expression of, and at signals. */
static sb_dual law_at(const resistance *s, const double signals[], double u) {
  double all[SB_EXPRESSION_VARIABLES_MAX] = {[FLOW] = u, [EFFORT] = u};
  memcpy(all + SIGNALS, signals, (size_t)s->signals * sizeof *signals);
  return sb_expression_dual(s->law, all, slot_of(s));
}

/** How far beside a jump at zero its branches are taken. */
static const double BESIDE = 1e-60;

/** The law of u, beside it, and of signals. */
typedef struct law_variables {
  double now[SB_EXPRESSION_VARIABLES_MAX], beside[SB_EXPRESSION_VARIABLES_MAX];
} law_variables;

static law_variables variables_at(const resistance *s, const double signals[], double u, int side) {
  double place = side > 0 ? fmax(u, BESIDE) : side < 0 ? fmin(u, -BESIDE) : u;
  law_variables v = {{[FLOW] = u, [EFFORT] = u}, {[FLOW] = place, [EFFORT] = place}};
  memcpy(v.now + SIGNALS, signals, (size_t)s->signals * sizeof *signals);
  memcpy(v.beside + SIGNALS, signals, (size_t)s->signals * sizeof *signals);
  return v;
}

/** The law on the branch of one side of zero, 1 or -1; 0: of none. */
static double law_beside(const resistance *s, const double signals[], double u, int side) {
  law_variables v = variables_at(s, signals, u, side);
  return sb_expression_beside(s->law, v.now, v.beside, slot_of(s)).value;
}

/** The same, with its slope, on the branches that are held; that of zero is by the mode. */
static sb_dual law_held(const resistance *s, const sb_at *at, const double signals[]) {
  int side = s->jumps ? sb_slip_side(at->mode, at->in[0]) : 0;
  law_variables v = variables_at(s, signals, at->in[0], side);
  return sb_expression_at(s->law, v.now, v.beside, at->branches, slot_of(s));
}

/** Whether the law jumps at zero, for some values of the signals; then its branches there are claimed. */
static bool claim_jump(const resistance *s) {
  static const double tries[] = {1, -1, 0.1, 1e3};
  bool any = false;
  for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
    double signals[SB_SIGNALS_MAX];
    for (int k = 0; k < SB_SIGNALS_MAX; k++) {
      signals[k] = tries[i] * (1 + 0.1 * k);
    }
    double low = law_beside(s, signals, 0, -1), high = law_beside(s, signals, 0, 1);
    if (isfinite(low) && isfinite(high) && low != high) {
      law_variables a = variables_at(s, signals, 0, -1), b = variables_at(s, signals, 0, 1);
      sb_expression_claim(s->law, a.beside, b.beside);
      any = true;
    }
  }
  return any;
}

/** Judges a law along one direction. */
typedef struct judge {
  const resistance *s;
  double sign;     // of the arguments
  bool limited;    // only a law without a stated limit may overflow
  bool invertible; // so far
  bool flat;       // so far
  double last;     // the sample before this one
  double largest;  // of all samples, to tell rounding
  sb_error *err;
} judge;

static sb_status judge_sample(judge *j, double u) {
  static const double none[SB_SIGNALS_MAX];
  sb_dual y = law_at(j->s, none, j->sign * u);
  const char *name = slot_of(j->s) == FLOW ? "f" : "e";
  double value = j->sign * y.value; // passive if not negative
  if (isnan(y.value) || (isinf(y.value) && (j->limited || u <= 1))) {
    sb_status status =
        sb_fail_at(j->err, SB_ERR_RANGE, "law", "the law has no finite value at %s = %s", name,
                   sb_number_word(j->sign * u).text);
    sb_error_hint(j->err, "state the range it is meant for by %s-limit",
                  slot_of(j->s) == FLOW ? "flow" : "effort");
    return status;
  }
  if (value < -ROUNDING * j->largest) {
    sb_status status = sb_fail_at(j->err, SB_ERR_RANGE, "law", "the law gives power at %s = %s",
                                  name, sb_number_word(j->sign * u).text);
    sb_error_hint(j->err, "there the other variable is %s; %s-limit states the range that counts",
                  sb_number_word(y.value).text, slot_of(j->s) == FLOW ? "flow" : "effort");
    return status;
  }
  j->invertible = j->invertible && (isinf(value) || (value > j->last && y.slope > 0));
  j->flat = j->flat && (j->last == 0 || value == j->last);
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

static sb_status check_law(resistance *s, bool *invertible, sb_error *err) {
  static const double none[SB_SIGNALS_MAX];
  bool flow = sb_expression_uses(s->law, FLOW), effort = sb_expression_uses(s->law, EFFORT);
  if (s->r.count > 0 || is_table(s) || s->exponent != 1) {
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
  judge j = {s,    1, limit > 0, isfinite(law_at(s, none, 0).slope) || law_at(s, none, 0).slope > 0,
             true, 0, 0,         err};
  if (!isfinite(law_at(s, none, 0).value)) {
    return sb_fail_at(err, SB_ERR_RANGE, "law", "the law has no finite value at %s = 0",
                      flow ? "f" : "e");
  }
  for (j.sign = 1; j.sign >= -1; j.sign -= 2) {
    SB_TRY(judge_side(&j, limit > 0 ? limit : SAMPLE_RANGE));
  }
  s->jumps = claim_jump(s);
  s->flat = s->jumps && j.flat;
  *invertible = j.invertible && (law_at(s, none, 0).value == 0 || s->jumps);
  return SB_OK;
}

/** Whether a law that rises is y or more at 8^power; where it has no value it is beyond. */
static bool reaches(const resistance *s, const double signals[], double y, double sign, int power) {
  return !(sign * law_at(s, signals, sign * ldexp(1, 3 * power)).value < y);
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
  return !isnan(law_at(s, signals, sign * *high).value);
}

/** The argument of the law at which it is y: Newton's method in a bracket, which bisects where it
 *  does not get on. @return 0; 1 if the law does not reach y */
static int invert(const resistance *s, const double signals[], double y, double *result) {
  double sign = y < 0 ? -1 : 1, low, high;
  y = fabs(y);
  if (y < DBL_MIN) { // or zero
    *result = 0;
    return 0;
  }
  if (!bracket(s, signals, y, sign, &low, &high)) {
    return 1;
  }
  double u = sqrt(low) * sqrt(high), width = high;
  for (int i = 0; i < SEARCH_MAX && high - low > DBL_EPSILON * high; i++) {
    sb_dual at = law_at(s, signals, sign * u);
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

/** The same for a law that jumps at zero: on the branch of the mode, whose tangent goes on inside the jump. */
static int invert_beside(const resistance *s, const double signals[], int mode, double y,
                         double *result) {
  double low = fmin(law_beside(s, signals, 0, -1), 0), high = fmax(law_beside(s, signals, 0, 1), 0);
  int side = sb_slip_side_given(mode, y, low, high);
  double inside = side * ((side > 0 ? high : low) - y);
  if (side == 0 || s->flat) {
    *result = 0;
    return 0;
  }
  if (inside < 0) {
    return invert(s, signals, y, result);
  }
  law_variables v = variables_at(s, signals, 0, side);
  double slope = sb_expression_beside(s->law, v.now, v.beside, slot_of(s)).slope;
  *result = -side * inside / (slope > 0 && isfinite(slope) ? slope : 1);
  return 0;
}

static sb_status init(void *self, sb_layout *layout, sb_error *err) {
  resistance *s = self;
  bool invertible = true;
  SB_TRY(sb_vector_check(&(sb_list){0}, s->dim, "r", err));
  layout->dim = s->dim;
  s->signals = layout->wires;
  s->heated = layout->port_count > 1;
  if (s->law != NULL) {
    SB_TRY(check_law(s, &invertible, err));
    s->jumps = s->jumps || claim_jump(s);
    invertible = invertible && (!s->jumps || s->signals == 0);
  } else if (is_table(s)) {
    SB_TRY(check_table(s, &invertible, err));
  } else if (s->r.count == 0) {
    return sb_fail(err, SB_ERR_MISSING, "r is missing (or a law, or flows and efforts)");
  } else {
    SB_TRY(sb_matrix_check_resistance(&s->r, s->dim, "r", err));
  }
  bool nonlinear = s->law != NULL || is_table(s) || s->exponent != 1;
  if (nonlinear && s->dim != 1) {
    return sb_fail_at(err, SB_ERR_DIMENSION, "dim", "a law or table takes dim=\"1\"");
  }
  if (s->heated && s->dim != 1) {
    return sb_fail_at(err, SB_ERR_DIMENSION, "dim", "a heat port takes dim=\"1\"");
  }
  if (nonlinear && s->law == NULL && !is_table(s) && s->r.values[0] == 0) {
    invertible = false;
  }
  sb_variable assigned = s->law != NULL && slot_of(s) == EFFORT ? SB_FLOW : SB_EFFORT;
  layout->one_mode = !s->jumps;
  layout->ports[0].output = invertible || s->flat ? SB_INDIFFERENT : assigned;
  layout->preferred = s->signals > 0 || s->jumps
                          ? assigned
                          : SB_EFFORT; // signals may make the law flat: not inverted
  return SB_OK;
}

/** e = R f in place of a law of its own. */
static bool is_linear(const resistance *s) {
  return s->law == NULL && !is_table(s) && s->exponent == 1;
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

/** y at x of the polygon through (xs, ys), xs rising; its end pieces go on for ever. */
static double interpolate(const double xs[], const double ys[], int count, double x) {
  int low = 0, high = count - 1;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    *(xs[middle] <= x ? &low : &high) = middle;
  }
  double slope = (ys[high] - ys[low]) / (xs[high] - xs[low]);
  return fabs(x - xs[low]) <= fabs(x - xs[high]) ? ys[low] + slope * (x - xs[low])
                                                 : ys[high] + slope * (x - xs[high]);
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

static int law_alone(const resistance *s, const sb_at *at, sb_variable assigned, double y[]) {
  double u = at->in[0];
  if (assigned == SB_FLOW && is_linear(s)) {
    return law_linear(s, at->in, y);
  }
  if (s->law != NULL) {
    double signals[SB_SIGNALS_MAX];
    sb_signals_fill(at, s->signals, signals);
    if ((assigned == SB_FLOW) != (slot_of(s) == FLOW)) {
      return s->jumps ? invert_beside(s, signals, at->mode, u, y) : invert(s, signals, u, y);
    }
    bool rests = s->jumps && at->mode >= SB_STICK;
    y[0] = rests ? 0 : law_held(s, at, signals).value;
  } else if (is_table(s)) {
    const double *f = s->flows.values, *e = s->efforts.values;
    y[0] = assigned == SB_FLOW ? interpolate(f, e, s->flows.count, u)
                               : interpolate(e, f, s->flows.count, u);
  } else if (assigned == SB_FLOW) {
    y[0] = copysign(s->r.values[0] * pow(fabs(u), s->exponent), u);
  } else {
    y[0] = copysign(pow(fabs(u) / s->r.values[0], 1 / s->exponent), u);
  }
  return 0;
}

/** Of e = r |f|^n sgn f and, by the same rule, of its inverse: n y/u. Of an inverse law the reciprocal. */
static double slope(const void *self, const sb_at *at, sb_variable assigned) {
  const resistance *s = self;
  double u = at->in[0], y, signals[SB_SIGNALS_MAX];
  if (s->heated || is_table(s) || s->dim > 1 || s->jumps || law_alone(s, at, assigned, &y) != 0) {
    return NAN;
  }
  if (s->law == NULL) {
    double n = assigned == SB_FLOW ? s->exponent : 1 / s->exponent;
    return u != 0 ? n * (y / u) : n > 1 ? 0 : HUGE_VAL;
  }
  sb_signals_fill(at, s->signals, signals);
  return assigned == slot_variable(s) ? law_held(s, at, signals).slope
                                      : 1 / law_at(s, signals, y).slope;
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

/** The argument and the output of a law that jumps, and its values on both sides. */
typedef struct jump_state {
  double u, y, low, high;
} jump_state;

static jump_state read_jump(const resistance *s, const sb_at *at) {
  double signals[SB_SIGNALS_MAX];
  int components = s->heated ? 2 : 1;
  double e = at->in[0], f = at->in[components];
  bool of_flow = slot_of(s) == FLOW;
  sb_signals_fill(at, s->signals, signals);
  double low = law_beside(s, signals, 0, -1), high = law_beside(s, signals, 0, 1);
  return (jump_state){of_flow ? f : e, of_flow ? e : f, fmin(low, 0), fmax(high, 0)};
}

static int indicators(const void *self, const sb_at *at, double g[], double gdot[]) {
  jump_state j = read_jump(self, at);
  return sb_stick_indicators(at->mode, j.u, j.y, j.low, j.high, g, gdot);
}

static sb_status fire(const void *self, const sb_at *at, int indicator, double discrete[],
                      sb_transition *out) {
  (void)indicator;
  jump_state j = read_jump(self, at);
  sb_stick_fire(at->mode, at->assigned != slot_variable(self), j.u, j.y, j.low, j.high, discrete,
                out);
  return SB_OK;
}

static void accept(const void *self, const sb_at *at, double discrete[]) {
  sb_stick_accept(read_jump(self, at).u, discrete);
}

static bool is_flat(const void *self, int mode) {
  const resistance *s = self;
  return s->flat && sb_stick_slips(mode);
}

static const sb_dissipation_hooks hooks = {
    .linear = linear, .law = law, .slope = slope, .sticks = sb_stick_sticks, .flat = is_flat};
static const sb_switching_hooks switching = {.discrete_states = SB_STICK_STATES,
                                             .sees_ports = true,
                                             .before = sb_stick_before,
                                             .initial_mode = sb_stick_initial_mode,
                                             .indicators = indicators,
                                             .fire = fire,
                                             .accept = accept};
static const sb_argument of_flow_or_effort[] = {
    [FLOW] = {"f", "@f", "@e"}, [EFFORT] = {"e", "@e", "@f"}, {0}};
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
    .switching = &switching,
    .example = "<R id=\"R1\" r=\"10 ohm\"/> <R id=\"drag\" law=\"0.5[N.s^2/m^2]*f*abs(f)\"/>"};
