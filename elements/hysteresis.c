// SPDX-License-Identifier: GPL-3.0-or-later
// Hysteresis: a relay of two thresholds. Its output is `below` until the input rises above `rising`, and then
// `above` until the input falls below `falling`. Both are events, located in time: the output
// changes at once, and stands still between them.
#include <math.h>

#include "elements/elements.h"
#include "elements/signals_private.h"

enum { BELOW, ABOVE };
static const char *const sides[] = {"below", "above", NULL};

typedef struct hysteresis {
  sb_block block; // first
  double rising, falling, above, below;
  int initial;
} hysteresis;

static sb_status init(void *self, sb_layout *layout, sb_error *err) {
  hysteresis *s = self;
  SB_TRY(sb_block_init(&s->block, layout, err));
  if (!(s->rising > s->falling)) {
    sb_status status =
        sb_fail_at(err, SB_ERR_RANGE, "rising", "rising must be above falling: %s is not above %s",
                   sb_number_word(s->rising).text, sb_number_word(s->falling).text);
    sb_error_hint(err, "without a gap between them the output would change without end");
    return status;
  }
  return SB_OK;
}

static int output(const void *self, const sb_at *at, double own[]) {
  const hysteresis *s = self;
  own[0] = at->mode == ABOVE ? s->above : s->below;
  return 0;
}

static int initial_mode(const void *self, const sb_at *at, double discrete[]) {
  (void)at, (void)discrete;
  return ((const hysteresis *)self)->initial;
}

/** The way to the threshold; an input beyond it at the start changes over at once. */
static int indicators(const void *self, const sb_at *at, double g[], double gdot[]) {
  const hysteresis *s = self;
  double u = sb_block_input(&s->block, at);
  g[0] = at->mode == ABOVE ? u - s->falling : s->rising - u;
  gdot[0] = NAN;
  return 1;
}

static const sb_expression *condition(const void *self, int mode, const double discrete[],
                                      double *sign, double *offset) {
  (void)discrete;
  const hysteresis *s = self;
  *sign = mode == ABOVE ? 1 : -1;
  *offset = mode == ABOVE ? -s->falling : s->rising;
  return s->block.of;
}

static sb_status fire(const void *self, const sb_at *at, int indicator, double discrete[],
                      sb_transition *out) {
  (void)self, (void)indicator, (void)discrete;
  out->mode = at->mode == ABOVE ? BELOW : ABOVE;
  out->kind = "switch";
  return SB_OK;
}

static const sb_signal_hooks hooks = {
    .output = output, .output_rate = sb_block_at_rest, .reads = sb_block_reads_nothing};
static const sb_switching_hooks switching = {
    .initial_mode = initial_mode, .indicators = indicators, .condition = condition, .fire = fire};

#define LEVEL(name_, unit_, fallback_, help_)                                                      \
  {                                                                                                \
    .name = #name_, .kind = SB_PARAM_REAL, .offset = offsetof(hysteresis, name_), .unit = (unit_), \
    .fallback = (fallback_), .help = (help_)                                                       \
  }
static const sb_param params[] = {
    SB_BLOCK_INPUT,
    LEVEL(rising, SB_UNIT_INPUT, "0", "the output becomes `above` where the input rises above it"),
    LEVEL(falling, SB_UNIT_INPUT, "0", "the output becomes `below` where the input falls below it"),
    LEVEL(above, SB_UNIT_OUTPUT, "1", "the output from then on"),
    LEVEL(below, SB_UNIT_OUTPUT, "0", "the output from then on"),
    {.name = "initial",
     .kind = SB_PARAM_CHOICE,
     .offset = offsetof(hysteresis, initial),
     .choices = sides,
     .fallback = "below",
     .help = "where an input between the thresholds starts"},
    {0}};

const sb_element_type sb_kind_Hysteresis = {
    .name = "Hysteresis",
    .help = "a signal of two values, by two thresholds of another one: a relay, a thermostat",
    .role = SB_SIGNAL,
    .size = sizeof(hysteresis),
    .params = params,
    .signals = sb_block_signals,
    .measures = SB_BLOCK_MEASURES,
    .init = init,
    .signal = &hooks,
    .switching = &switching,
    .example = "<Hysteresis id=\"heater\" of=\"20[K] - T\" rising=\"1 K\" falling=\"-1 K\" "
               "above=\"2 kW\" below=\"0 W\"/>"};
