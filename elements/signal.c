// SPDX-License-Identifier: GPL-3.0-or-later
// A signal: an expression of the time and of other signals, or the integral of one.
#include <math.h>
#include <stdio.h>

#include "core/graph/graph.h"
#include "elements/elements.h"
#include "elements/signals_private.h"

typedef struct signal {
  sb_shown shown;              // first
  sb_expression *value, *rate; // one of them
  double start;                // of the integral
  int signals;
} signal;

sb_status sb_signals_check(const sb_expression *expression, int arguments, int connected,
                           sb_error *err) {
  if (connected > SB_SIGNALS_MAX) {
    return sb_fail(err, SB_ERR_LIMIT, "%d signals are connected; at most %d are allowed", connected,
                   SB_SIGNALS_MAX);
  }
  for (int i = connected; expression != NULL && i < SB_SIGNALS_MAX; i++) {
    if (sb_expression_uses(expression, arguments + i)) {
      return sb_fail(err, SB_ERR_REFERENCE,
                     "its expression names the signal u%d, and %d %s connected", i + 1, connected,
                     connected == 1 ? "is" : "are");
    }
  }
  return SB_OK;
}

double sb_signals_rate(const sb_expression *expression, const double variables[],
                       const double inside[], int arguments, const sb_at *at, int signals) {
  double rate =
      arguments > 0 ? sb_expression_at(expression, variables, inside, at->branches, 0).slope : 0;
  for (int i = 0; i < signals; i++) {
    if (sb_expression_uses(expression, arguments + i)) {
      rate += sb_expression_at(expression, variables, inside, at->branches, arguments + i).slope *
              *at->signal_rates[i];
    }
  }
  return rate;
}

double sb_signals_terms(const sb_expression *expression, const sb_at *at, int signals) {
  const sb_signal_values u = sb_signals_read(at, signals);
  return sb_expression_terms(expression, u.now, u.inside, at->branches);
}

static sb_status init(void *self, sb_layout *layout, sb_error *err) {
  signal *s = self;
  if ((s->value == NULL) == (s->rate == NULL)) {
    return sb_fail(err, SB_ERR_CHOICE, "a signal has %s",
                   s->value == NULL ? "a value or a rate" : "either a value or a rate, not both");
  }
  s->signals = layout->wires;
  layout->states = s->rate != NULL;
  SB_TRY(sb_signals_check(s->value, 1, layout->wires, err));
  return sb_signals_check(s->rate, 1, layout->wires, err);
}

static double evaluate(const signal *s, const sb_expression *expression, const sb_at *at) {
  const sb_signal_values u = sb_signals_read(at, s->signals);
  return sb_expression_at(expression, u.now, u.inside, at->branches, -1).value;
}

static int output(const void *self, const sb_at *at, double own[]) {
  const signal *s = self;
  own[0] = s->rate != NULL ? at->x[0] : evaluate(s, s->value, at);
  return 0;
}

static void start(const void *self, double x[]) {
  const signal *s = self;
  if (s->rate != NULL) {
    x[0] = s->start;
  }
}

static int rate(const void *self, const sb_at *at, double xdot[]) {
  const signal *s = self;
  xdot[0] = evaluate(s, s->rate, at);
  return 0;
}

static int output_rate(const void *self, const sb_at *at, double dot[]) {
  const signal *s = self;
  if (s->rate != NULL) {
    return rate(self, at, dot);
  }
  const sb_signal_values u = sb_signals_read(at, s->signals);
  dot[0] = sb_signals_rate(s->value, u.now, u.inside, 1, at, s->signals);
  return 0;
}

void sb_signal_set_unit(sb_element *element, const char *text) {
  sb_shown *shown = sb_element_data(element);
  (void)snprintf(shown->unit, sizeof shown->unit, "%s", text);
}

static void terms(const void *self, const sb_at *at, double own[]) {
  const signal *s = self;
  own[0] = s->rate != NULL ? fabs(at->x[0]) : sb_signals_terms(s->value, at, s->signals);
}

static void rate_terms(const void *self, const sb_at *at, double own[]) {
  const signal *s = self;
  if (s->rate == NULL) {
    return;
  }
  const sb_signal_values u = sb_signals_read(at, s->signals);
  const double by_time = sb_expression_at(s->rate, u.now, u.inside, at->branches, 0).slope;
  own[0] = fmax(0, sb_signals_terms(s->rate, at, s->signals) - fabs(at->t * by_time));
}

static double through(const void *self) {
  return ((const signal *)self)->value != NULL;
}

static const sb_signal_hooks hooks = {.output = output,
                                      .start = start,
                                      .rate = rate,
                                      .output_rate = output_rate,
                                      .terms = terms,
                                      .rate_terms = rate_terms,
                                      .through = through,
                                      .integrates = true};
static const sb_param params[] = {
    {.name = "value",
     .kind = SB_PARAM_EXPRESSION,
     .offset = offsetof(signal, value),
     .fallback = "",
     .arguments = sb_of_time,
     .signals = true,
     .help = "an expression of the time t and of signals"},
    {.name = "rate",
     .kind = SB_PARAM_EXPRESSION,
     .offset = offsetof(signal, rate),
     .fallback = "",
     .arguments = sb_of_time,
     .signals = true,
     .help = "in its place: an expression whose integral over time the signal is"},
    {.name = "start",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(signal, start),
     .fallback = "0",
     .help = "of the integral"},
    {0}};
static const char *const states[] = {"x", NULL};

const sb_element_type sb_kind_signal = {
    .name = "signal",
    .help = "a quantity, an expression of signals, or its integral",
    .role = SB_SIGNAL,
    .size = sizeof(signal),
    .params = params,
    .signals = sb_block_signals,
    .measures = SB_BLOCK_MEASURES,
    .state_names = states,
    .init = init,
    .signal = &hooks,
    .example = "<signal id=\"angle\" of=\"shaft.q\"/> <signal id=\"u\" "
               "value=\"2[V/rad]*angle\"/>"};
