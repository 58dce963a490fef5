// SPDX-License-Identifier: GPL-3.0-or-later
// Sources of effort (Se) and of flow (Sf): y(t) = offset + value * shape(t), or an expression of
// the time t, or a table of it, or numbers set from outside. Kinks are told to the integrator, which
// steps onto them; of an expression those that can be foreseen (sb_expression_next_kink), while its
// other kinks are left to the step size control.
#include <math.h>

#include "elements/elements.h"
#include "elements/linear_private.h"
#include "elements/signals_private.h"

enum { CONSTANT, STEP, RAMP, SINE, TABLE, INPUT };
static const char *const waveforms[] = {"constant", "step", "ramp", "sine", "table", "input", NULL};

typedef struct source {
  sb_list value, offset;
  sb_expression *formula; // in place of the value
  int signals;            // that it may name
  int waveform;
  double start, rise, frequency, phase;
  sb_list times, values;
} source;

static const double two_pi = 6.283185307179586477;

/** What is of one waveform alone would be ignored with another. */
static sb_status check_waveform(const source *s, sb_error *err) {
  const struct {
    const char *name;
    int waveform;
    bool stated;
  } rows[] = {{"frequency", SINE, s->frequency != 0},
              {"phase", SINE, s->phase != 0},
              {"rise", RAMP, s->rise != 0},
              {"times", TABLE, s->times.count > 0},
              {"values", TABLE, s->values.count > 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (rows[i].stated && s->waveform != rows[i].waveform) {
      const char *wanted = waveforms[rows[i].waveform];
      sb_status status = sb_fail_at(err, SB_ERR_CHOICE, rows[i].name,
                                    "%s belongs to the waveform %s, and the waveform is %s",
                                    rows[i].name, wanted, waveforms[s->waveform]);
      sb_error_hint(err, "write waveform=\"%s\", or leave %s out", wanted, rows[i].name);
      return status;
    }
  }
  return SB_OK;
}

static sb_status init(void *self, sb_layout *layout, sb_error *err) {
  source *s = self;
  s->signals = layout->wires;
  SB_TRY(sb_signals_check(s->formula, 1, layout->wires, err));
  bool table = s->waveform == TABLE;
  layout->dim = table || s->formula != NULL || s->value.count == 0 ? 1 : s->value.count;
  SB_TRY(sb_vector_check(&s->offset, layout->dim, "offset", err));
  if (s->formula != NULL && s->waveform != CONSTANT) {
    sb_status status =
        sb_fail_at(err, SB_ERR_CHOICE, "waveform", "an expression of time takes no waveform");
    sb_error_hint(err, "write the waveform into the expression, as in 5*sin(2*pi*50*t)");
    return status;
  }
  if (!table && s->formula == NULL && s->value.count == 0) {
    return sb_fail(err, SB_ERR_MISSING, "its value is missing");
  }
  if (table && (s->times.count < 1 || s->times.count != s->values.count)) {
    return sb_fail_at(err, SB_ERR_DIMENSION, "values",
                      "times and values need the same number of points: got %d and %d",
                      s->times.count, s->values.count);
  }
  SB_TRY(check_waveform(s, err));
  if (s->waveform == RAMP && !(s->rise > 0)) {
    return sb_fail_at(err, SB_ERR_RANGE, "rise", "a ramp needs a positive rise time");
  }
  if (s->waveform == SINE && !(s->frequency > 0)) {
    return sb_fail_at(err, SB_ERR_RANGE, "frequency", "a sine needs a positive frequency");
  }
  return SB_OK;
}

/** The piece is chosen by the time `inside` it, so that a step that ends on a kink sees one side. */
static double table_value(const source *s, double t, double inside) {
  const double *x = s->times.values, *y = s->values.values;
  int last = s->times.count - 1, i = 0;
  if (inside <= x[0]) {
    return y[0];
  }
  if (inside >= x[last]) {
    return y[last];
  }
  while (x[i + 1] <= inside) {
    i++;
  }
  return y[i] + (y[i + 1] - y[i]) / (x[i + 1] - x[i]) * (t - x[i]);
}

static double shape(const source *s, double t, double inside) {
  switch (s->waveform) {
  case STEP:
    return inside < s->start ? 0 : 1;
  case RAMP:
    return inside < s->start ? 0 : inside < s->start + s->rise ? (t - s->start) / s->rise : 1;
  case SINE:
    return sin(two_pi * s->frequency * (t - s->start) + s->phase);
  default:
    return 1;
  }
}

/** The expression, and its rate if that is wanted. */
static sb_dual formula_at(const source *s, const sb_at *at, bool rate) {
  double u[SB_EXPRESSION_VARIABLES_MAX] = {at->t};
  double inside[SB_EXPRESSION_VARIABLES_MAX] = {at->inside};
  sb_signals_fill(at, s->signals, u + 1);
  sb_signals_fill(at, s->signals, inside + 1);
  return (sb_dual){sb_expression_at(s->formula, u, inside, at->branches, -1).value,
                   rate ? sb_signals_rate(s->formula, u, inside, 1, at, s->signals) : 0};
}

static int value(const void *self, const sb_at *at, double y[]) {
  const source *s = self;
  if (s->waveform == TABLE) {
    y[0] = table_value(s, at->t, at->inside) + (s->offset.count > 0 ? s->offset.values[0] : 0);
    return 0;
  }
  if (s->formula != NULL) {
    y[0] = formula_at(s, at, false).value + (s->offset.count > 0 ? s->offset.values[0] : 0);
    return 0;
  }
  double factor = shape(s, at->t, at->inside);
  for (int i = 0; i < s->value.count; i++) {
    double amount = s->waveform == INPUT ? at->input[i] : factor * s->value.values[i];
    y[i] = amount + (s->offset.count == 0 ? 0 : s->offset.values[s->offset.count == 1 ? 0 : i]);
  }
  return 0;
}

/** d/dt within a smooth piece; jumps are at its ends. */
static int rate(const void *self, const sb_at *at, double ydot[]) {
  const source *s = self;
  double factor = 0;
  if (s->formula != NULL) {
    ydot[0] = formula_at(s, at, true).slope;
    return 0;
  }
  if (s->waveform == TABLE) {
    ydot[0] = table_value(s, at->t + 1, at->inside) - table_value(s, at->t, at->inside);
    return 0;
  }
  if (s->waveform == RAMP && at->inside > s->start && at->inside < s->start + s->rise) {
    factor = 1 / s->rise;
  } else if (s->waveform == SINE) {
    double w = two_pi * s->frequency;
    factor = w * cos(w * (at->t - s->start) + s->phase);
  }
  for (int i = 0; i < s->value.count; i++) {
    ydot[i] = factor * s->value.values[i];
  }
  return 0;
}

/** The offset counts by itself, and A sin(a) by |A sin(a)| + |A a cos(a)|. */
static void terms(const void *self, const sb_at *at, double out[]) {
  const source *s = self;
  double factor = fabs(shape(s, at->t, at->inside));
  if (s->waveform == SINE) {
    const double angle = two_pi * s->frequency * (at->t - s->start) + s->phase;
    factor += fabs(angle * cos(angle));
  }
  const int count = s->waveform == TABLE || s->formula != NULL ? 1 : s->value.count;
  for (int i = 0; i < count; i++) {
    const double own = s->waveform == TABLE   ? table_value(s, at->t, at->inside)
                       : s->formula != NULL   ? sb_signals_terms(s->formula, at, s->signals)
                       : s->waveform == INPUT ? at->input[i]
                                              : factor * s->value.values[i];
    const double offset = s->offset.count == 0 ? 0 : s->offset.values[s->offset.count == 1 ? 0 : i];
    out[i] = fabs(own) + fabs(offset);
  }
}

static double next_break(const void *self, double t) {
  const source *s = self;
  if (s->waveform == STEP || s->waveform == RAMP) {
    double end = s->start + (s->waveform == RAMP ? s->rise : 0);
    return t < s->start ? s->start : t < end ? end : HUGE_VAL;
  }
  for (int i = 0; s->waveform == TABLE && i < s->times.count; i++) {
    if (s->times.values[i] > t) {
      return s->times.values[i];
    }
  }
  return HUGE_VAL;
}

static int external(const void *self) {
  const source *s = self;
  return s->waveform == INPUT ? s->value.count : 0;
}

/** An eighth of a sine's period. */
static double horizon(const void *self) {
  const source *s = self;
  return s->waveform == SINE && s->frequency > 0 ? 0.125 / s->frequency : HUGE_VAL;
}

static bool steady(const void *self) {
  const source *s = self;
  return s->formula == NULL && s->waveform == CONSTANT;
}

static const sb_source_hooks hooks = {
    .value = value, .rate = rate, .terms = terms, .external = external, .steady = steady};
static const sb_time_hooks time_hooks = {next_break, horizon};

static const sb_argument of_time[] = {{.name = "t", .unit = "s"}, {0}};
#define FORMULA(name_, unit_)                                                                      \
  {                                                                                                \
    .name = (name_), .kind = SB_PARAM_EXPRESSION, .offset = offsetof(source, formula),             \
    .unit = (unit_), .fallback = "", .arguments = of_time, .signals = true                         \
  }
static const sb_param formula_Se = FORMULA("effort", "@e");
static const sb_param formula_Sf = FORMULA("flow", "@f");

#define SOURCE_PARAMS(name_, unit_, formula_)                                                      \
  {.name = (name_),                                                                                \
   .kind = SB_PARAM_LIST,                                                                          \
   .offset = offsetof(source, value),                                                              \
   .unit = (unit_),                                                                                \
   .fallback = "",                                                                                 \
   .formula = (formula_),                                                                          \
   .help = "value, or an expression of the time t and of signals; of a sine its amplitude, of an " \
           "input its "                                                                            \
           "value at the start"},                                                                  \
      {.name = "offset",                                                                           \
       .kind = SB_PARAM_LIST,                                                                      \
       .offset = offsetof(source, offset),                                                         \
       .unit = (unit_),                                                                            \
       .fallback = "0",                                                                            \
       .help = "added to it"},                                                                     \
      {.name = "waveform",                                                                         \
       .kind = SB_PARAM_CHOICE,                                                                    \
       .offset = offsetof(source, waveform),                                                       \
       .choices = waveforms,                                                                       \
       .fallback = "constant",                                                                     \
       .help = "input: set from outside while the simulation runs"},                               \
      {.name = "start",                                                                            \
       .kind = SB_PARAM_REAL,                                                                      \
       .offset = offsetof(source, start),                                                          \
       .unit = "s",                                                                                \
       .fallback = "0",                                                                            \
       .help = "time of the step, of the foot of the ramp, of the sine's phase"},                  \
      {.name = "rise",                                                                             \
       .kind = SB_PARAM_REAL,                                                                      \
       .offset = offsetof(source, rise),                                                           \
       .unit = "s",                                                                                \
       .range = SB_NOT_NEGATIVE,                                                                   \
       .fallback = "0",                                                                            \
       .help = "duration of the ramp"},                                                            \
      {.name = "frequency",                                                                        \
       .kind = SB_PARAM_REAL,                                                                      \
       .offset = offsetof(source, frequency),                                                      \
       .unit = "Hz",                                                                               \
       .range = SB_NOT_NEGATIVE,                                                                   \
       .fallback = "0",                                                                            \
       .help = "of the sine"},                                                                     \
      {.name = "phase",                                                                            \
       .kind = SB_PARAM_REAL,                                                                      \
       .offset = offsetof(source, phase),                                                          \
       .unit = "rad",                                                                              \
       .fallback = "0",                                                                            \
       .help = "of the sine at its start"},                                                        \
      {.name = "times",                                                                            \
       .kind = SB_PARAM_LIST,                                                                      \
       .offset = offsetof(source, times),                                                          \
       .unit = "s",                                                                                \
       .range = SB_INCREASING,                                                                     \
       .fallback = "",                                                                             \
       .help = "points of the table"},                                                             \
      {.name = "values",                                                                           \
       .kind = SB_PARAM_LIST,                                                                      \
       .offset = offsetof(source, values),                                                         \
       .unit = (unit_),                                                                            \
       .fallback = "",                                                                             \
       .help = "values at the points, constant before and behind"},                                \
  {                                                                                                \
    0                                                                                              \
  }

static const sb_param params_Se[] = {SOURCE_PARAMS("effort", "@e", &formula_Se)};
static const sb_param params_Sf[] = {SOURCE_PARAMS("flow", "@f", &formula_Sf)};
static const sb_port_spec ports_Se[] = {{"p", .output = SB_EFFORT}, {0}};
static const sb_port_spec ports_Sf[] = {{"p", .output = SB_FLOW}, {0}};

static const sb_signal_spec signals[] = {SB_SIGNAL_INPUTS, {0}};

const sb_element_type sb_kind_Se = {
    .name = "Se",
    .help = "source of effort: voltage, force, pressure",
    .role = SB_SOURCE,
    .size = sizeof(source),
    .params = params_Se,
    .ports = ports_Se,
    .signals = signals,
    .init = init,
    .source = &hooks,
    .time = &time_hooks,
    .example = "<Se id=\"src\" effort=\"5 V\" waveform=\"sine\" frequency=\"50 Hz\"/>"};
const sb_element_type sb_kind_Sf = {.name = "Sf",
                                    .help = "source of flow: current, velocity, volume flow",
                                    .role = SB_SOURCE,
                                    .size = sizeof(source),
                                    .params = params_Sf,
                                    .ports = ports_Sf,
                                    .signals = signals,
                                    .init = init,
                                    .source = &hooks,
                                    .time = &time_hooks,
                                    .example = "<Sf id=\"pump\" flow=\"2 L/min\"/>"};
