// SPDX-License-Identifier: GPL-3.0-or-later
// SampleHold: takes its input at the times offset + k period, k = 0, 1, 2, ..., exactly, and holds it until
// the next. All that sample at one instant take what was just before it, whatever their order: one that
// follows another of the same times holds what that held before, a delay by one period (1/z). So a
// recursion y[k] = f(y[k-1], u[k]) is written by signals that name each other. Its clock does not depend on when
// a run begins: one that begins between two of the times holds the start until the next, as a controller does
// that is switched on.
#include <math.h>

#include "elements/elements.h"
#include "elements/signals_private.h"

enum { HELD, PENDING, NEXT, STATES };
/** Two times of one clock differ by rounding if by less than this fraction of the period. */
static const double same = 1e-9;

typedef struct sample_hold {
  sb_block block; // first
  double period, offset, start;
} sample_hold;

static sb_status init(void *self, sb_layout *layout, sb_error *err) {
  return sb_block_init(self, layout, err);
}

static int output(const void *self, const sb_at *at, double own[]) {
  (void)self;
  own[0] = at->discrete[HELD];
  return 0;
}

static int initial_mode(const void *self, const sb_at *at, double discrete[]) {
  (void)at;
  discrete[HELD] = discrete[PENDING] = ((const sample_hold *)self)->start;
  discrete[NEXT] = -1; // the time at which the run begins is not known yet
  return 0;
}

static double next_time(const void *self, const sb_at *at, double t) {
  const sample_hold *s = self;
  (void)t;
  return at->discrete[NEXT] < 0 ? HUGE_VAL : s->offset + at->discrete[NEXT] * s->period;
}

static double interval(const void *self) {
  return ((const sample_hold *)self)->period;
}

static double input(const void *self, const sb_at *at) {
  return sb_block_input(self, at);
}

/** The input at the end of each step: at the time of a sample, that just before it. At the start, the first of its
 *  times that is not before it. */
static void accept(const void *self, const sb_at *at, double discrete[]) {
  const sample_hold *s = self;
  discrete[PENDING] = sb_block_input(self, at);
  if (discrete[NEXT] < 0) {
    discrete[NEXT] = fmax(ceil((at->t - s->offset) / s->period - same), 0);
  }
}

static sb_status fire(const void *self, const sb_at *at, int indicator, double discrete[],
                      sb_transition *out) {
  const sample_hold *s = self;
  (void)indicator, (void)out;
  discrete[HELD] = discrete[PENDING];
  discrete[NEXT] = fmax(discrete[NEXT], floor((at->t - s->offset) / s->period + same)) + 1;
  return SB_OK;
}

static const sb_delay_hooks sampled = {.lag = interval, .input = input};
static const sb_signal_hooks hooks = {.output = output,
                                      .output_rate = sb_block_at_rest,
                                      .reads = sb_block_reads_nothing,
                                      .samples = &sampled};
static const sb_switching_hooks switching = {
    .discrete_states = STATES,
    .initial_mode = initial_mode,
    .fire = fire,
    .times = {.next_time = next_time, .interval = interval, .event = "sample"},
    .accept = accept};
static const sb_param params[] = {
    SB_BLOCK_INPUT,
    SB_PARAM_OF(sample_hold, period, SB_PARAM_REAL, .unit = "s", .range = SB_POSITIVE,
                .help = "between two samples"),
    SB_PARAM_OF(sample_hold, offset, SB_PARAM_REAL, .unit = "s", .range = SB_NOT_NEGATIVE,
                .fallback = "0", .help = "time of the first sample"),
    SB_PARAM_OF(sample_hold, start, SB_PARAM_REAL, .unit = SB_UNIT_INPUT, .fallback = "0",
                .help = "what it holds before the first sample"),
    {0}};

const sb_element_type sb_kind_SampleHold = {
    .name = "SampleHold",
    .help =
        "takes a signal at equal intervals of time and holds it: an input of a digital controller",
    .role = SB_SIGNAL,
    .size = sizeof(sample_hold),
    .params = params,
    .signals = sb_block_signals,
    .measures = SB_BLOCK_MEASURES,
    .init = init,
    .signal = &hooks,
    .switching = &switching,
    .example = "<SampleHold id=\"measured\" of=\"speed\" period=\"1 ms\"/>"};
