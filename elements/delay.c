// SPDX-License-Identifier: GPL-3.0-or-later
// Delay: y(t) = u(t - delay). The simulation remembers the input by polynomials over the accepted steps
// (core/simulation/delays.c), ends steps where what it remembers breaks, and takes none longer than the delay.
#include <math.h>

#include "core/base/history.h"
#include "elements/elements.h"
#include "elements/signals_private.h"

typedef struct delay {
  sb_block block; // first
  double delay;   // [s]
  sb_list before;
} delay;

static sb_status init(void *self, sb_layout *layout, sb_error *err) {
  delay *s = self;
  if (s->before.count > 1) {
    return sb_fail_at(err, SB_ERR_DIMENSION, "before", "before takes one number, got %d",
                      s->before.count);
  }
  return sb_block_init(&s->block, layout, err);
}

static int output(const void *self, const sb_at *at, double own[]) {
  double lag = ((const delay *)self)->delay;
  own[0] = sb_history_at(at->past, at->t - lag, at->inside - lag, NULL);
  return 0;
}

static int output_rate(const void *self, const sb_at *at, double rate[]) {
  double lag = ((const delay *)self)->delay;
  (void)sb_history_at(at->past, at->t - lag, at->inside - lag, rate);
  return 0;
}

/** What begins at rest within a long piece is a small difference of large terms. */
static void terms(const void *self, const sb_at *at, double sum[]) {
  double lag = ((const delay *)self)->delay;
  sum[0] = sb_history_terms(at->past, at->t - lag, at->inside - lag);
}

static double lag_of(const void *self) {
  return ((const delay *)self)->delay;
}

static double input(const void *self, const sb_at *at) {
  return sb_block_input(self, at);
}

static double before(const void *self) {
  const delay *s = self;
  return s->before.count > 0 ? s->before.values[0] : NAN;
}

static const sb_delay_hooks delayed = {lag_of, input, before};
static const sb_signal_hooks hooks = {.output = output,
                                      .output_rate = output_rate,
                                      .terms = terms,
                                      .reads = sb_block_reads_nothing,
                                      .delay = &delayed};
static const sb_param params[] = {
    SB_BLOCK_INPUT,
    SB_PARAM_OF(delay, delay, SB_PARAM_REAL, .unit = "s", .range = SB_POSITIVE,
                .help = "the output is what the input was so long ago"),
    SB_PARAM_OF(delay, before, SB_PARAM_LIST, .unit = SB_UNIT_INPUT, .fallback = "",
                .help = "what the input was before the start; if left out, its value at the start"),
    {0}};

const sb_element_type sb_kind_Delay = {
    .name = "Delay",
    .help = "a signal as it was some time ago: the way of a fluid, a network, a reaction time",
    .role = SB_SIGNAL,
    .size = sizeof(delay),
    .params = params,
    .signals = sb_block_signals,
    .measures = SB_BLOCK_MEASURES,
    .init = init,
    .signal = &hooks,
    .example = "<Delay id=\"late\" of=\"speed\" delay=\"20 ms\"/>"};
