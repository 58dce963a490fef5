// SPDX-License-Identifier: GPL-3.0-or-later
// Stop: a rigid end stop of one coordinate. It integrates its port's flow to a displacement x. While
// lower < x < upper the effort is zero. At a limit an impact throws the flow v back to -e v (Newton's
// restitution); where that is too slow to matter the stop closes, f = 0, and stays so while the
// effort pushes: effort and way to go are complementary, and one of the two is zero.
// Impacts that accumulate (times in a geometric series for e < 1) so end in rest, whose energy is
// accounted with the last of them.
#include <float.h>
#include <math.h>

#include "elements/elements.h"

enum { FREE, AT_UPPER, AT_LOWER };
enum {
  STATE_EFFORT,
  STATE_FASTEST,
  STATE_BEHIND_UPPER,
  STATE_BEHIND_LOWER,
  STATE_TIME,
  STATE_LONGEST,
  STATE_COUNT
};
/** Without `rest` a rebound slower than this fraction of the fastest impact so far closes the stop. */
static const double rest_fraction = 1e-6;
/** Impacts that follow each other within this fraction of the longest time between two have come to rest; so has what bounces
 *  no higher than the last digit of its place, as what is pressed on a limit that it starts at but for rounding. */
static const double rest_time = 1e-8;
/** An effort of this fraction of the largest is rounding: the stop stays closed. */
static const double effort_band = 1e-12;

typedef struct end_stop {
  sb_list lower, upper; // none or one number
  double x0, restitution, rest;
} end_stop;

static sb_status check_limit(const sb_list *limit, const char *name, sb_error *err) {
  return limit->count <= 1 ? SB_OK
                           : sb_fail_at(err, SB_ERR_DIMENSION, name, "%s takes one number, got %d",
                                        name, limit->count);
}

static sb_status init_stop(void *self, sb_layout *layout, sb_error *err) {
  const end_stop *s = self;
  SB_TRY(check_limit(&s->lower, "lower", err));
  SB_TRY(check_limit(&s->upper, "upper", err));
  bool low = s->lower.count > 0, high = s->upper.count > 0;
  if (!low && !high) {
    sb_status status = sb_fail(err, SB_ERR_MISSING, "a stop needs a limit: lower, upper or both");
    sb_error_hint(err, "as in <Stop id=\"S\" lower=\"0 m\"/>");
    return status;
  }
  if (low && high && !(s->upper.values[0] > s->lower.values[0])) {
    return sb_fail_at(err, SB_ERR_RANGE, "upper", "upper must be above lower: %s is not above %s",
                      sb_number_word(s->upper.values[0]).text,
                      sb_number_word(s->lower.values[0]).text);
  }
  bool above = high && s->x0 > s->upper.values[0];
  if (above || (low && s->x0 < s->lower.values[0])) {
    return sb_fail_at(err, SB_ERR_RANGE, "x0", "x0 = %s starts beyond the limit %s",
                      sb_number_word(s->x0).text,
                      sb_number_word(above ? s->upper.values[0] : s->lower.values[0]).text);
  }
  if (!(s->restitution <= 1)) {
    sb_status status =
        sb_fail_at(err, SB_ERR_RANGE, "restitution", "restitution must be from 0 to 1, got %s",
                   sb_number_word(s->restitution).text);
    sb_error_hint(err, "above 1 an impact would supply energy");
    return status;
  }
  layout->dim = layout->states = 1;
  return SB_OK;
}

static void start_stop(const void *self, double x[]) {
  x[0] = ((const end_stop *)self)->x0;
}

/** At a limit f = 0, else e = 0. */
static void kernel_stop(const void *self, const sb_at *at, const sb_layout *layout,
                        sb_kernel *kernel) {
  (void)self;
  for (int k = 0; k < layout->dim; k++) {
    sb_kernel_add(kernel, k, k, at->mode == FREE ? SB_EFFORT : SB_FLOW, 1);
  }
}

static int initial_free(const void *self, const sb_at *at, double discrete[]) {
  (void)self, (void)at;
  for (int i = 0; i < STATE_COUNT; i++) {
    discrete[i] = 0;
  }
  discrete[STATE_TIME] = -HUGE_VAL;
  return FREE;
}

/** Free: the way left to both limits, from where they were last left. Closed: the effort that
 *  pushes. */
static int indicators_stop(const void *self, const sb_at *at, double g[], double gdot[]) {
  const end_stop *s = self;
  double e = at->in[0], f = at->in[1],
         band = effort_band * fmax(fabs(e), at->discrete[STATE_EFFORT]);
  if (at->mode != FREE) {
    g[0] = (at->mode == AT_UPPER ? e : -e) + band;
    gdot[0] = NAN;
    return 1;
  }
  g[0] = s->upper.count > 0 ? s->upper.values[0] - at->x[0] + at->discrete[STATE_BEHIND_UPPER]
                            : HUGE_VAL;
  g[1] = s->lower.count > 0 ? at->x[0] - s->lower.values[0] + at->discrete[STATE_BEHIND_LOWER]
                            : HUGE_VAL;
  gdot[0] = s->upper.count > 0 ? -f : NAN;
  gdot[1] = s->lower.count > 0 ? f : NAN;
  return 2;
}

static void accept_stop(const void *self, const sb_at *at, double discrete[]) {
  (void)self;
  discrete[STATE_EFFORT] = fmax(discrete[STATE_EFFORT], fabs(at->in[0]));
}

/** An event is located just behind the limit: from there on the way is measured. */
static void note_place(const end_stop *s, bool upper, double x, double discrete[]) {
  if (upper) {
    discrete[STATE_BEHIND_UPPER] = fmax(x - s->upper.values[0], 0);
  } else {
    discrete[STATE_BEHIND_LOWER] = fmax(s->lower.values[0] - x, 0);
  }
}

/** The largest number that the way is computed with: no last digit of it is smaller than eps of this. */
static double size_of(const end_stop *s) {
  double size = fabs(s->x0);
  size = s->upper.count > 0 ? fmax(size, fabs(s->upper.values[0])) : size;
  return s->lower.count > 0 ? fmax(size, fabs(s->lower.values[0])) : size;
}

static sb_status fire_stop(const void *self, const sb_at *at, int indicator, double discrete[],
                           sb_transition *out) {
  const end_stop *s = self;
  if (at->mode != FREE) {
    out->mode = FREE;
    out->kind = "release";
    return SB_OK;
  }
  bool upper = indicator == 0;
  double speed = fmax(upper ? at->in[1] : -at->in[1], 0), rebound = s->restitution * speed;
  note_place(s, upper, at->x[0], discrete);
  discrete[STATE_FASTEST] = fmax(discrete[STATE_FASTEST], speed);
  double slow = s->rest > 0 ? s->rest : rest_fraction * discrete[STATE_FASTEST];
  double pause = at->t - discrete[STATE_TIME]; // not finite at the first impact
  bool rests = rebound <= slow || pause < rest_time * discrete[STATE_LONGEST] ||
               speed * pause < 4 * DBL_EPSILON * size_of(s); // v^2/2a, pause 2v/a
  discrete[STATE_LONGEST] = isfinite(pause) ? fmax(discrete[STATE_LONGEST], pause) : 0;
  discrete[STATE_TIME] = at->t;
  out->mode = upper ? AT_UPPER : AT_LOWER;
  out->restitution = rests ? 0 : s->restitution;
  out->rebound = FREE;
  out->kind = speed > 0 ? "impact" : "touch";
  return SB_OK;
}

/** The way from the start to the limit that is nearer: what moves by rounding of it meets no limit. */
static void nominal_stop(const void *self, double size[]) {
  const end_stop *s = self;
  double up = s->upper.count > 0 ? s->upper.values[0] - s->x0 : 0;
  double down = s->lower.count > 0 ? s->x0 - s->lower.values[0] : 0;
  size[0] = up > 0 && down > 0 ? fmin(up, down) : fmax(up, down);
}

/** At the upper limit e >= 0 and f <= 0, at the lower one the opposite. */
static bool complementary_stop(const void *self, int mode, sb_complementary *out) {
  (void)self;
  *out = (sb_complementary){.free = FREE, .held = mode, .sign = mode == AT_UPPER ? 1 : -1};
  return mode != FREE;
}

static const sb_structure_hooks hooks_stop = {
    .kernel = kernel_stop, .start = start_stop, .nominal = nominal_stop};
static const sb_switching_hooks switching_stop = {.discrete_states = STATE_COUNT,
                                                  .sees_ports = true,
                                                  .initial_mode = initial_free,
                                                  .indicators = indicators_stop,
                                                  .fire = fire_stop,
                                                  .accept = accept_stop,
                                                  .modes = {.complementary = complementary_stop}};
static const sb_port_spec ports_stop[] = {{.name = "p"}, {0}};
static const sb_param params_stop[] = {
    {.name = "upper",
     .kind = SB_PARAM_LIST,
     .offset = offsetof(end_stop, upper),
     .unit = "@q",
     .fallback = "",
     .help = "largest displacement; none if not given"},
    {.name = "lower",
     .kind = SB_PARAM_LIST,
     .offset = offsetof(end_stop, lower),
     .unit = "@q",
     .fallback = "",
     .help = "smallest displacement; none if not given"},
    {.name = "x0",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(end_stop, x0),
     .unit = "@q",
     .fallback = "0",
     .help = "displacement at the start"},
    {.name = "restitution",
     .aliases = "e",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(end_stop, restitution),
     .range = SB_NOT_NEGATIVE,
     .fallback = "0",
     .help = "speed after an impact over that before, 0 to 1"},
    {.name = "rest",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(end_stop, rest),
     .unit = "@f",
     .range = SB_NOT_NEGATIVE,
     .fallback = "0",
     .help = "rebounds slower than this stay at the stop; 0: than 1e-6 of the fastest impact"},
    {0}};

const sb_element_type sb_kind_Stop = {
    .name = "Stop",
    .help = "rigid end stop: at a limit of the displacement f = 0 while it pushes, else e = 0",
    .role = SB_STRUCTURE,
    .size = sizeof(end_stop),
    .params = params_stop,
    .ports = ports_stop,
    .init = init_stop,
    .structure = &hooks_stop,
    .switching = &switching_stop,
    .example = "<Stop id=\"S1\" lower=\"0 m\" x0=\"1 m\" restitution=\"0.8\"/>"};
