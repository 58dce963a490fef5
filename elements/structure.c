// SPDX-License-Identifier: GPL-3.0-or-later
// Constant power-continuous structures by their kernel rows: junctions, gyrator, and
// the ideal switch. Port flows count power outwards; `sign` is +1 where the half arrow leaves.
#include <math.h>

#include "elements/elements.h"
#include "elements/signals_private.h"

/** 0-junction: equal efforts, flows (outwards) that sum to zero. */
static void kernel_J0(const void *self, const sb_at *at, const sb_layout *layout,
                      sb_kernel *kernel) {
  (void)self, (void)at;
  for (int k = 0, d = layout->dim; k < d; k++) {
    for (int i = 0; i < layout->port_count; i++) {
      sb_kernel_add(kernel, k, i * d + k, SB_FLOW, 1);
      if (i > 0) {
        sb_kernel_add(kernel, i * d + k, k, SB_EFFORT, 1);
        sb_kernel_add(kernel, i * d + k, i * d + k, SB_EFFORT, -1);
      }
    }
  }
}

/** 1-junction: equal flows along the half arrows, efforts that sum to zero with their signs. */
static void kernel_J1(const void *self, const sb_at *at, const sb_layout *layout,
                      sb_kernel *kernel) {
  (void)self, (void)at;
  for (int k = 0, d = layout->dim; k < d; k++) {
    for (int i = 0; i < layout->port_count; i++) {
      sb_kernel_add(kernel, k, i * d + k, SB_EFFORT, layout->ports[i].sign);
      if (i > 0) {
        sb_kernel_add(kernel, i * d + k, k, SB_FLOW, layout->ports[0].sign);
        sb_kernel_add(kernel, i * d + k, i * d + k, SB_FLOW, -layout->ports[i].sign);
      }
    }
  }
}

typedef struct transducer {
  double ratio;
} transducer;

/** e_to = r f_from and e_from = r f_to for bonds that pass through. */
static void kernel_GY(const void *self, const sb_at *at, const sb_layout *layout,
                      sb_kernel *kernel) {
  (void)at;
  double r = ((const transducer *)self)->ratio;
  for (int k = 0, d = layout->dim; k < d; k++) {
    sb_kernel_add(kernel, k, d + k, SB_EFFORT, 1);
    sb_kernel_add(kernel, k, k, SB_FLOW, r);
    sb_kernel_add(kernel, d + k, k, SB_EFFORT, 1);
    sb_kernel_add(kernel, d + k, d + k, SB_FLOW, -r);
  }
}

enum { OPEN, CLOSED };
static const char *const switch_states[] = {"open", "closed", NULL};

typedef struct ideal_switch {
  int state;
  sb_list times;
  sb_expression *closes, *opens; // in place of the times: when they rise above zero
  int signals;
  double period; // [s] 0: the times do not come again
} ideal_switch;

static sb_status check_period(const ideal_switch *s, sb_error *err) {
  const double *times = s->times.values;
  if (s->period > 0 && s->times.count == 0) {
    return sb_fail_at(err, SB_ERR_RANGE, "period", "a period repeats times, and there are none");
  }
  if (s->period > 0 && !(times[s->times.count - 1] - times[0] < s->period)) {
    return sb_fail_at(err, SB_ERR_RANGE, "period",
                      "the times from %s s to %s s do not fit into a period of %s s",
                      sb_number_word(times[0]).text, sb_number_word(times[s->times.count - 1]).text,
                      sb_number_word(s->period).text);
  }
  return SB_OK;
}

/** A condition follows signals, and rises through zero instead of jumping between 0 and 1. */
static sb_status check_condition(const sb_expression *condition, const char *name, int signals,
                                 sb_error *err) {
  int count;
  bool follows = condition == NULL;
  for (int i = 0; !follows && i < SB_SIGNALS_MAX; i++) {
    follows = sb_expression_uses(condition, i);
  }
  SB_TRY(sb_signals_check(condition, 0, signals, err));
  if (!follows) {
    (void)sb_fail_at(err, SB_ERR_CHOICE, name, "%s names no signal, so that it never changes",
                     name);
    sb_error_hint(err, "times state when it changes over whatever happens");
    return SB_ERR_CHOICE;
  }
  const sb_node *nodes = condition == NULL ? NULL : sb_expression_nodes(condition, &count);
  const sb_function *last = nodes == NULL ? NULL : nodes[count - 1].function;
  if (last != NULL && last->unit == SB_UNIT_COMPARE) {
    (void)sb_fail_at(err, SB_ERR_CHOICE, name, "%s is a comparison, which does not rise", name);
    sb_error_hint(err, "write the difference, which rises above zero: u - 5[V] for u > 5[V]");
    return SB_ERR_CHOICE;
  }
  return SB_OK;
}

static sb_status init_switch(void *self, sb_layout *layout, sb_error *err) {
  ideal_switch *s = self;
  s->signals = layout->wires;
  if (s->times.count > 0 && (s->closes != NULL || s->opens != NULL)) {
    return sb_fail_at(err, SB_ERR_CHOICE, "times", "times and conditions exclude each other");
  }
  SB_TRY(check_period(s, err));
  SB_TRY(check_condition(s->closes, "closes", s->signals, err));
  return check_condition(s->opens, "opens", s->signals, err);
}

/** Discrete states: how many times have passed, and 1 while its condition has to fall first. */
enum { PASSED, WAITS, STATES };

/** The condition that ends a mode; of a switch with one condition the other is its negative. Without conditions it never
 *  comes. One that is above zero when its mode begins ends it when it rises again: it has to fall first. */
static const sb_expression *condition(const void *self, int mode, const double discrete[],
                                      double *sign, double *offset) {
  const ideal_switch *s = self;
  const sb_expression *own = mode == OPEN ? s->closes : s->opens;
  *sign = (own != NULL) == (discrete[WAITS] == 0) ? -1 : 1;
  *offset = 0;
  return own != NULL ? own : mode == OPEN ? s->opens : s->closes;
}

/** The indicator in a mode.  @return whether there is one */
static bool read_condition(const ideal_switch *s, const sb_at *at, int mode,
                           const double discrete[], double *g) {
  double u[SB_EXPRESSION_VARIABLES_MAX] = {0}, sign, offset;
  const sb_expression *ends = condition(s, mode, discrete, &sign, &offset);
  if (ends != NULL) {
    sb_signals_fill(at, s->signals, u);
    *g = sign * sb_expression_at(ends, u, NULL, at->branches, -1).value;
  }
  return ends != NULL;
}

static int indicators_switch(const void *self, const sb_at *at, double g[], double gdot[]) {
  gdot[0] = NAN;
  return read_condition(self, at, at->mode, at->discrete, &g[0]);
}

/** Closed: e = 0. Open: f = 0. */
static void kernel_switch(const void *self, const sb_at *at, const sb_layout *layout,
                          sb_kernel *kernel) {
  (void)self;
  for (int k = 0; k < layout->dim; k++) {
    sb_kernel_add(kernel, k, k, at->mode == CLOSED ? SB_EFFORT : SB_FLOW, 1);
  }
}

static int initial_mode(const void *self, const sb_at *at, double discrete[]) {
  (void)at;
  discrete[PASSED] = discrete[WAITS] = 0;
  return ((const ideal_switch *)self)->state;
}

static double next_time(const void *self, const sb_at *at, double t) {
  (void)t;
  const ideal_switch *s = self;
  double round = s->period > 0 ? floor(at->discrete[PASSED] / s->times.count) : 0;
  int next = (int)(at->discrete[PASSED] - round * s->times.count);
  return next < s->times.count ? s->times.values[next] + round * s->period : HUGE_VAL;
}

static double interval(const void *self) {
  const ideal_switch *s = self;
  return s->period > 0 ? s->period / s->times.count : 0;
}

static sb_status fire(const void *self, const sb_at *at, int indicator, double discrete[],
                      sb_transition *out) {
  const ideal_switch *s = self;
  if (discrete[WAITS] != 0 && indicator >= 0) { // it has fallen
    discrete[WAITS] = 0;
    return SB_OK;
  }
  discrete[PASSED] += indicator < 0; // a time has come
  out->mode = at->mode == OPEN ? CLOSED : OPEN;
  out->kind = "switch";
  double g = 0;
  discrete[WAITS] = s->closes != NULL && s->opens != NULL &&
                    read_condition(s, at, out->mode, discrete, &g) && g < 0;
  return SB_OK;
}

/** Clutch: engaged (closed) f_from = f_to, e_from = e_to; disengaged both efforts zero. */
static void kernel_clutch(const void *self, const sb_at *at, const sb_layout *layout,
                          sb_kernel *kernel) {
  (void)self;
  for (int k = 0, d = layout->dim; k < d; k++) {
    sb_kernel_add(kernel, k, k, SB_EFFORT, 1);
    if (at->mode == CLOSED) {
      sb_kernel_add(kernel, k, d + k, SB_EFFORT, -1);
      sb_kernel_add(kernel, d + k, k, SB_FLOW, 1);
      sb_kernel_add(kernel, d + k, d + k, SB_FLOW, 1);
    } else {
      sb_kernel_add(kernel, d + k, d + k, SB_EFFORT, 1);
    }
  }
}

/** Ideal diode: conducting e = 0 while f > 0, blocking f = 0 while e < 0. A dead band at rounding of
 *  the largest effort and flow so far keeps it quiet where both are zero. */
static const double diode_band = 1e-12;
enum { LARGEST_EFFORT, LARGEST_FLOW };

static sb_status init_diode(void *self, sb_layout *layout, sb_error *err) {
  (void)self, (void)err;
  layout->dim = 1;
  return SB_OK;
}

static int initial_blocking(const void *self, const sb_at *at, double discrete[]) {
  (void)self, (void)at;
  discrete[LARGEST_EFFORT] = discrete[LARGEST_FLOW] = 0;
  return OPEN;
}

static int indicators_diode(const void *self, const sb_at *at, double g[], double gdot[]) {
  (void)self;
  double e = at->in[0], f = at->in[1];
  g[0] = at->mode == CLOSED ? f + diode_band * fmax(fabs(f), at->discrete[LARGEST_FLOW])
                            : diode_band * fmax(fabs(e), at->discrete[LARGEST_EFFORT]) - e;
  gdot[0] = NAN;
  return 1;
}

static void accept_diode(const void *self, const sb_at *at, double discrete[]) {
  (void)self;
  discrete[LARGEST_EFFORT] = fmax(discrete[LARGEST_EFFORT], fabs(at->in[0]));
  discrete[LARGEST_FLOW] = fmax(discrete[LARGEST_FLOW], fabs(at->in[1]));
}

static sb_status fire_diode(const void *self, const sb_at *at, int indicator, double discrete[],
                            sb_transition *out) {
  (void)self, (void)indicator, (void)discrete;
  out->mode = at->mode == OPEN ? CLOSED : OPEN;
  out->kind = "switch";
  return SB_OK;
}

static bool complementary_diode(const void *self, int mode, sb_complementary *out) {
  (void)self, (void)mode;
  *out = (sb_complementary){.free = CLOSED, .held = OPEN, .sign = -1};
  return true;
}

static const sb_structure_hooks hooks_J0 = {.kernel = kernel_J0};
static const sb_structure_hooks hooks_J1 = {.kernel = kernel_J1};
static const sb_structure_hooks hooks_GY = {.kernel = kernel_GY};
static const sb_structure_hooks hooks_switch = {.kernel = kernel_switch};
static const sb_structure_hooks hooks_clutch = {.kernel = kernel_clutch};
static const sb_switching_hooks switching = {
    .discrete_states = STATES,
    .initial_mode = initial_mode,
    .indicators = indicators_switch,
    .condition = condition,
    .fire = fire,
    .times = {.next_time = next_time, .interval = interval, .event = "change"}};
static const sb_switching_hooks switching_diode = {.discrete_states = 2,
                                                   .sees_ports = true,
                                                   .initial_mode = initial_blocking,
                                                   .indicators = indicators_diode,
                                                   .fire = fire_diode,
                                                   .accept = accept_diode,
                                                   .modes = {.complementary = complementary_diode}};

static const sb_port_spec ports_J0[] = {{"p", .many = true, .common = 'e'}, {0}};
static const sb_port_spec ports_J1[] = {{"p", .many = true, .common = 'f'}, {0}};
static const sb_port_spec ports_two[] = {{.name = "from"}, {.name = "to"}, {0}};
static const sb_port_spec ports_switch[] = {{.name = "p"}, {0}};
static const sb_param params_GY[] = {{.name = "ratio",
                                      .aliases = "r",
                                      .kind = SB_PARAM_REAL,
                                      .offset = offsetof(transducer, ratio),
                                      .unit = "@e2/f1",
                                      .range = SB_NONZERO,
                                      .help = "r of e_to = r f_from, e_from = r f_to"},
                                     {0}};
static const sb_argument no_arguments[] = {{0}};
#define CONDITION(field_, help_)                                                                   \
  {                                                                                                \
    .name = #field_, .kind = SB_PARAM_EXPRESSION, .offset = offsetof(ideal_switch, field_),        \
    .unit = SB_UNIT_ANY, .fallback = "", .arguments = no_arguments, .signals = true,               \
    .help = (help_)                                                                                \
  }
static const sb_param params_switch[] = {
    {.name = "state",
     .kind = SB_PARAM_CHOICE,
     .offset = offsetof(ideal_switch, state),
     .choices = switch_states,
     .fallback = "open",
     .help = "at the start"},
    {.name = "times",
     .kind = SB_PARAM_LIST,
     .offset = offsetof(ideal_switch, times),
     .unit = "s",
     .range = SB_INCREASING,
     .fallback = "",
     .help = "when it changes over"},
    {.name = "period",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(ideal_switch, period),
     .unit = "s",
     .range = SB_NOT_NEGATIVE,
     .fallback = "0",
     .help = "after which the times come again; 0: never"},
    CONDITION(closes, "in place of times: it closes when this "
                      "expression of signals rises above zero"),
    CONDITION(opens, "it opens when this one does; if there is "
                     "only one of them, the other is its negative"),
    {0}};

const sb_element_type sb_kind_J0 = {.name = "J0",
                                    .help = "0-junction: common effort (parallel circuit)",
                                    .role = SB_STRUCTURE,
                                    .ports = ports_J0,
                                    .structure = &hooks_J0,
                                    .example = "<J0 id=\"node\"/>"};
const sb_element_type sb_kind_J1 = {.name = "J1",
                                    .help = "1-junction: common flow (series circuit)",
                                    .role = SB_STRUCTURE,
                                    .ports = ports_J1,
                                    .structure = &hooks_J1,
                                    .example = "<J1 id=\"loop\"/>"};
const sb_element_type sb_kind_GY = {.name = "GY",
                                    .help = "gyrator, electric motor",
                                    .role = SB_STRUCTURE,
                                    .size = sizeof(transducer),
                                    .params = params_GY,
                                    .ports = ports_two,
                                    .structure = &hooks_GY,
                                    .example = "<GY id=\"emf\" ratio=\"35 mN.m/A\"/>"};
static const sb_signal_spec signals[] = {SB_SIGNAL_INPUTS, {0}};

const sb_element_type sb_kind_Switch = {
    .name = "Switch",
    .help = "ideal switch: closed e = 0, open f = 0",
    .role = SB_STRUCTURE,
    .size = sizeof(ideal_switch),
    .params = params_switch,
    .ports = ports_switch,
    .signals = signals,
    .init = init_switch,
    .structure = &hooks_switch,
    .switching = &switching,
    .example = "<Switch id=\"S1\" times=\"1 ms\"/> <Switch id=\"S2\" closes=\"u - 5[V]\"/>"};
const sb_element_type sb_kind_Clutch = {
    .name = "Clutch",
    .help = "ideal clutch: closed, both sides turn together; open, no torque",
    .role = SB_STRUCTURE,
    .size = sizeof(ideal_switch),
    .params = params_switch,
    .one_domain = true,
    .ports = ports_two,
    .signals = signals,
    .init = init_switch,
    .structure = &hooks_clutch,
    .switching = &switching,
    .example = "<Clutch id=\"K1\" state=\"open\" times=\"0.5 s\"/>"};
const sb_element_type sb_kind_Diode = {
    .name = "Diode",
    .help = "ideal diode: conducts e = 0, f > 0; blocks f = 0, e < 0",
    .role = SB_STRUCTURE,
    .ports = ports_switch,
    .init = init_diode,
    .structure = &hooks_switch,
    .switching = &switching_diode,
    .example = "<Diode id=\"D1\"/>"};
