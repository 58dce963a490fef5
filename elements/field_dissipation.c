// SPDX-License-Identifier: GPL-3.0-or-later
// Dissipation of several ports. RField: a matrix e = R f, whose skew-symmetric part gyrates, or laws, e1 = ...
// or f1 = ... for every port, of the port inputs: a transistor, coupled friction. HeatR: heat
// that flows from one temperature to another; energy is kept and entropy is made,
//   Q = g (T1 - T2),  S1 = Q/T1 into the element, S2 = Q/T2 out of it.
// (Thoma and Ould Bouamama, Modelling and Simulation in Thermal and Chemical Engineering.)
#include <float.h>
#include <math.h>
#include <string.h>

#include "elements/elements.h"
#include "elements/linear_private.h"
#include "elements/signals_private.h"

enum { PORTS_MAX = 4, SLOTS = 2 * PORTS_MAX }; // e1 ... e4, then f1 ... f4, then signals

typedef struct field {
  sb_list r;
  sb_expression *effort[PORTS_MAX], *flow[PORTS_MAX]; // of each port one, in place of r
  sb_list limits;                                     // of the port inputs
  int ports, signals;
} field;

static bool gives_effort(const field *s, int port) {
  return s->r.count > 0 || s->effort[port] != NULL;
}

/** The port inputs, in their slots. */
static void fill_slots(const field *s, const double in[], double slots[]) {
  memset(slots, 0, SB_EXPRESSION_VARIABLES_MAX * sizeof *slots);
  for (int k = 0; k < s->ports; k++) {
    slots[gives_effort(s, k) ? PORTS_MAX + k : k] = in[k];
  }
}

static double give(const field *s, int port, const double slots[], const sb_branches *branches) {
  const sb_expression *law = gives_effort(s, port) ? s->effort[port] : s->flow[port];
  return sb_expression_at(law, slots, NULL, branches, -1).value;
}

static const char *const law_names[] = {"e1", "e2", "e3", "e4", "f1", "f2", "f3", "f4"};

static const char *law_name(const field *s, int port) {
  return law_names[s->effort[port] != NULL ? port : PORTS_MAX + port];
}

/** Every port that has a bond has one law, and no other port has. */
static sb_status check_law_count(const field *s, sb_error *err) {
  for (int k = 0; k < PORTS_MAX; k++) {
    int laws = (s->effort[k] != NULL) + (s->flow[k] != NULL);
    if (k >= s->ports && laws > 0) {
      (void)sb_fail_at(err, SB_ERR_PORT, law_name(s, k),
                       "it has a law for port %d, which has no bond", k + 1);
      sb_error_hint(err, "its ports are named as in to=\"ID.%d\"", k + 1);
      return SB_ERR_PORT;
    }
    if (k < s->ports && laws == 0) {
      return sb_fail(err, SB_ERR_MISSING, "the law of port %d is missing: e%d or f%d", k + 1, k + 1,
                     k + 1);
    }
    if (laws == 2) {
      return sb_fail_at(err, SB_ERR_CHOICE, law_names[PORTS_MAX + k],
                        "e%d and f%d exclude each other: a port has one law", k + 1, k + 1);
    }
  }
  return SB_OK;
}

/** The variable is the output of its port, or the port has no bond. */
static sb_status refuse_variable(const field *s, int port, int slot, sb_error *err) {
  int other = slot % PORTS_MAX;
  char letter = slot < PORTS_MAX ? 'e' : 'f';
  sb_status status = sb_fail_at(
      err, SB_ERR_CHOICE, law_name(s, port), "the law %s names %c%d, %s", law_name(s, port), letter,
      other + 1, other < s->ports ? "which a law gives" : "and that port has no bond");
  if (other < s->ports) {
    sb_error_hint(err, "laws are functions of the port inputs: of port %d that is %c%d", other + 1,
                  letter == 'e' ? 'f' : 'e', other + 1);
  }
  return status;
}

/** One law for every port, of the inputs of the ports. */
static sb_status check_laws(const field *s, sb_error *err) {
  SB_TRY(check_law_count(s, err));
  for (int k = 0; k < s->ports; k++) {
    const sb_expression *law = gives_effort(s, k) ? s->effort[k] : s->flow[k];
    for (int slot = 0; slot < SLOTS; slot++) {
      int port = slot % PORTS_MAX;
      bool assigned = port < s->ports && gives_effort(s, port) == (slot >= PORTS_MAX);
      if (sb_expression_uses(law, slot) && !assigned) {
        return refuse_variable(s, k, slot, err);
      }
    }
    SB_TRY(sb_signals_check(law, SLOTS, s->signals, err));
  }
  return SB_OK;
}

// Passivity is judged at points that fill the box of the port inputs, evenly within stated
// limits, else over the decades from 1e-9 to 1e9 in SI.
enum { SAMPLES = 4000 };
static const double ROUNDING = 1e-12; // of the sum of the absolute powers

/** Coordinates in (-1, 1) that fill the cube evenly: additive recurrence with the roots of
 *  x^(d+1) = x + 1 (Roberts, 2018). */
static void next_point(int i, int d, double point[]) {
  double phi = 1.5;
  for (int k = 0; k < 40; k++) {
    phi = pow(1 + phi, 1.0 / (d + 1));
  }
  for (int k = 0; k < d; k++) {
    double part = (i + 0.5) * pow(phi, -(k + 1));
    point[k] = 2 * (part - floor(part)) - 1;
  }
}

static double amount(const field *s, int port, double coordinate) {
  if (s->limits.count > 0) {
    return coordinate * s->limits.values[s->limits.count == 1 ? 0 : port];
  }
  return copysign(pow(10, 18 * fabs(coordinate) - 9), coordinate);
}

static sb_status check_passive(const field *s, sb_error *err) {
  for (int i = 0; i < SAMPLES; i++) {
    double in[PORTS_MAX], slots[SB_EXPRESSION_VARIABLES_MAX], power = 0, size = 0, least = 0;
    int worst = 0;
    next_point(i, s->ports, in);
    for (int k = 0; k < s->ports; k++) {
      in[k] = amount(s, k, in[k]);
    }
    fill_slots(s, in, slots);
    for (int k = 0; k < s->ports; k++) {
      double y = give(s, k, slots, NULL);
      power += y * in[k];
      if (!(y * in[k] >= least)) { // or not a number
        least = y * in[k];
        worst = k;
      }
      size += fabs(y * in[k]);
    }
    if (s->limits.count > 0 && !isfinite(power)) {
      return sb_fail_at(err, SB_ERR_RANGE, law_name(s, worst),
                        "its laws are not finite within the limits");
    }
    if (power < -ROUNDING * size) {
      sb_status status = sb_fail_at(
          err, SB_ERR_RANGE, law_name(s, worst), "it gives power at %c1 = %s, %c2 = %s%s",
          gives_effort(s, 0) ? 'f' : 'e', sb_number_word(in[0]).text,
          gives_effort(s, 1) ? 'f' : 'e', sb_number_word(in[1]).text, s->ports > 2 ? ", ..." : "");
      sb_error_hint(err, "limits states the range of the port inputs that counts");
      return status;
    }
  }
  return SB_OK;
}

static sb_status init(void *self, sb_layout *layout, sb_error *err) {
  field *s = self;
  int n = s->ports = layout->port_count;
  bool laws = false;
  s->signals = layout->wires;
  layout->dim = 1;
  for (int k = 0; k < PORTS_MAX; k++) {
    laws = laws || s->effort[k] != NULL || s->flow[k] != NULL;
  }
  if (laws == (s->r.count > 0)) {
    return laws ? sb_fail_at(err, SB_ERR_CHOICE, "r", "r and laws exclude each other")
                : sb_fail(err, SB_ERR_MISSING, "r is missing (or a law for each port)");
  }
  if (s->limits.count > 1 && s->limits.count != n) {
    return sb_fail_at(err, SB_ERR_DIMENSION, "limits", "limits takes 1 or %d numbers, got %d", n,
                      s->limits.count);
  }
  if (!laws && s->r.count != n * n) {
    return sb_fail_at(err, SB_ERR_DIMENSION, "r",
                      "r takes %d numbers for %d ports, row by row, got %d", n * n, n, s->r.count);
  }
  if (!laws) {
    return sb_matrix_check_resistance(&s->r, n, "r", err);
  }
  SB_TRY(check_laws(s, err));
  for (int k = 0; k < n; k++) {
    layout->ports[k].output = gives_effort(s, k) ? SB_EFFORT : SB_FLOW;
  }
  return s->signals > 0 ? SB_OK : check_passive(s, err); // signals: the audit checks the power
}

static bool linear(const void *self, int dim, double R[]) {
  const field *s = self;
  return s->r.count > 0 && sb_matrix_expand(&s->r, dim, "", R, NULL) == SB_OK;
}

static int law(const void *self, const sb_at *at, sb_variable assigned, double y[]) {
  const field *s = self;
  double slots[SB_EXPRESSION_VARIABLES_MAX];
  (void)assigned; // fixed
  for (int i = 0; s->r.count > 0 && i < s->ports; i++) {
    y[i] = 0;
    for (int k = 0; k < s->ports; k++) {
      y[i] += s->r.values[i * s->ports + k] * at->in[k];
    }
  }
  if (s->r.count > 0) {
    return 0;
  }
  fill_slots(s, at->in, slots);
  sb_signals_fill(at, s->signals, slots + SLOTS);
  for (int k = 0; k < s->ports; k++) {
    y[k] = give(s, k, slots, at->branches);
  }
  return 0;
}

static const sb_dissipation_hooks hooks = {.linear = linear, .law = law};

typedef struct conduction {
  sb_list g;           // none or one number: zero is a wall that insulates
  sb_expression *heat; // in place of g
} conduction;

static double heat_at(const conduction *s, double T1, double T2) {
  const double both[SB_EXPRESSION_VARIABLES_MAX] = {T1, T2};
  return s->heat != NULL ? sb_expression_value(s->heat, both) : s->g.values[0] * (T1 - T2);
}

/** Heat must flow from hot to cold, or not at all. */
static sb_status init_heat(void *self, sb_layout *layout, sb_error *err) {
  const conduction *s = self;
  (void)layout;
  if (s->g.count > 1) {
    return sb_fail_at(err, SB_ERR_DIMENSION, "g", "g takes one number, got %d", s->g.count);
  }
  if (s->heat == NULL) {
    return s->g.count == 1 ? SB_OK : sb_fail(err, SB_ERR_MISSING, "g is missing (or its heat)");
  }
  if (s->g.count == 1 && s->g.values[0] != 0) {
    return sb_fail_at(err, SB_ERR_CHOICE, "heat", "g and heat exclude each other");
  }
  for (int i = 0; i < SAMPLES; i++) {
    double T[2];
    next_point(i, 2, T);
    T[0] = pow(10, 2 + 2 * T[0]); // 1 K to 10000 K
    T[1] = pow(10, 2 + 2 * T[1]);
    double heat = heat_at(s, T[0], T[1]);
    if (!isfinite(heat) || heat * (T[0] - T[1]) < 0) {
      (void)sb_fail_at(err, SB_ERR_RANGE, "heat", "%s at T1 = %s K, T2 = %s K",
                       isfinite(heat) ? "heat flows from cold to hot"
                                      : "the expression has no finite value",
                       sb_number_word(T[0]).text, sb_number_word(T[1]).text);
      sb_error_hint(err, "heat counts from port 'from', of T1, to port 'to', of T2: positive where "
                         "T1 > T2");
      return SB_ERR_RANGE;
    }
  }
  return SB_OK;
}

/** Power counts into the element at both ports: T1 S1 + T2 S2 = 0. */
static int law_heat(const void *self, const sb_at *at, sb_variable assigned, double y[]) {
  const conduction *s = self;
  double T1 = at->in[0], T2 = at->in[1], heat = heat_at(s, T1, T2);
  (void)assigned; // the temperatures are
  y[0] = heat / T1;
  y[1] = -heat / T2;
  return T1 > 0 && T2 > 0 ? 0 : -1;
}

static const sb_dissipation_hooks hooks_heat = {.law = law_heat};

static const sb_argument of_ports[] = {{"e1", "@e1", NULL, SB_OWN_EFFORT, 0},
                                       {"e2", "@e2", NULL, SB_OWN_EFFORT, 1},
                                       {"e3", "@e3", NULL, SB_OWN_EFFORT, 2},
                                       {"e4", "@e4", NULL, SB_OWN_EFFORT, 3},
                                       {"f1", "@f1", NULL, SB_OWN_FLOW, 0},
                                       {"f2", "@f2", NULL, SB_OWN_FLOW, 1},
                                       {"f3", "@f3", NULL, SB_OWN_FLOW, 2},
                                       {"f4", "@f4", NULL, SB_OWN_FLOW, 3},
                                       {0}};
#define LAW(name_, field_, unit_, help_)                                                           \
  {                                                                                                \
    .name = (name_), .kind = SB_PARAM_EXPRESSION, .offset = offsetof(field, field_),               \
    .unit = (unit_), .fallback = "", .arguments = of_ports, .signals = true, .help = (help_)       \
  }
static const sb_param params[] = {
    {.name = "r",
     .kind = SB_PARAM_LIST,
     .offset = offsetof(field, r),
     .unit = "@e1/f1",
     .fallback = "",
     .help = "matrix of e = r f, row by row; its symmetric part must not give power"},
    LAW("e1", effort[0], "@e1",
        "law of port 1 that gives its effort, in place of r: an expression"),
    LAW("e2", effort[1], "@e2", "of port 2"),
    LAW("e3", effort[2], "@e3", "of port 3"),
    LAW("e4", effort[3], "@e4", "of port 4"),
    LAW("f1", flow[0], "@f1", "law of port 1 that gives its flow, in place of e1: an expression"),
    LAW("f2", flow[1], "@f2", "of port 2"),
    LAW("f3", flow[2], "@f3", "of port 3"),
    LAW("f4", flow[3], "@f4", "of port 4"),
    {.name = "limits",
     .kind = SB_PARAM_LIST,
     .offset = offsetof(field, limits),
     .fallback = "",
     .help = "largest magnitudes of the port inputs that the laws are judged on, in SI "
             "units; 1e9 if left out"},
    {0}};
static const sb_argument of_temperatures[] = {
    {.name = "T1", .unit = "K", .own = SB_OWN_EFFORT, .component = 0},
    {.name = "T2", .unit = "K", .own = SB_OWN_EFFORT, .component = 1},
    {0}};
static const sb_param params_heat[] = {
    {.name = "g",
     .kind = SB_PARAM_LIST,
     .offset = offsetof(conduction, g),
     .unit = "W/K",
     .range = SB_ONE_NOT_NEGATIVE,
     .fallback = "",
     .help = "conductance, a number: the heat is g (T1 - T2)"},
    {.name = "heat",
     .kind = SB_PARAM_EXPRESSION,
     .offset = offsetof(conduction, heat),
     .unit = "W",
     .fallback = "",
     .arguments = of_temperatures,
     .help = "in its place: an expression of the temperatures T1 and T2 of the ports"},
    {0}};
static const sb_port_spec ports[] = {{"1", .dim = 1, .output = SB_EFFORT},
                                     {"2", .dim = 1, .output = SB_EFFORT},
                                     {"3", .dim = 1, .output = SB_EFFORT, .optional = true},
                                     {"4", .dim = 1, .output = SB_EFFORT, .optional = true},
                                     {0}};
static const sb_port_spec ports_heat[] = {
    {"from", .dim = 1, .domain = "thermal", .output = SB_FLOW},
    {"to", .dim = 1, .domain = "thermal", .output = SB_FLOW},
    {0}};
static const sb_signal_spec signals[] = {SB_SIGNAL_INPUTS, {0}};

const sb_element_type sb_kind_RField = {
    .name = "RField",
    .help = "dissipation of several ports: transistor, coupled friction",
    .role = SB_DISSIPATION,
    .size = sizeof(field),
    .params = params,
    .ports = ports,
    .signals = signals,
    .init = init,
    .dissipation = &hooks,
    .example = "<RField id=\"coupled\" r=\"3 1 1 2 ohm\"/>"};
const sb_element_type sb_kind_HeatR = {
    .name = "HeatR",
    .help = "heat conduction, convection, radiation: energy is kept, entropy is made",
    .role = SB_DISSIPATION,
    .size = sizeof(conduction),
    .params = params_heat,
    .ports = ports_heat,
    .init = init_heat,
    .dissipation = &hooks_heat,
    .example = "<HeatR id=\"wall\" g=\"3 W/K\"/>"};
