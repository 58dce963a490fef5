// SPDX-License-Identifier: GPL-3.0-or-later
// Transformer and gyrator whose ratio is an expression of signals: power-free at every instant,
// whatever the ratio does. Port flows count power outwards, as everywhere in structures:
//   MTF  f_to + n f_from = 0,  e_from - n e_to = 0; with several ratios f_to + n.f_from = 0,  e_from - n e_to = 0 (vectors)
//   MGY  e_to + r f_from = 0,  e_from - r f_to = 0
#include <math.h>

#include "elements/elements.h"
#include "elements/signals_private.h"

enum { RATIOS_MAX = 6 };

typedef struct modulated {
  sb_expression *ratio;
  sb_expression *
      ratios[RATIOS_MAX]; // in its place, of an MTF from a port of several components to one of one
  int count;              // of these
  int signals;
} modulated;

static sb_status init(void *self, sb_layout *layout, sb_error *err) {
  modulated *s = self;
  s->signals = layout->wires;
  return s->ratio == NULL ? sb_fail(err, SB_ERR_MISSING, "ratio is missing")
                          : sb_signals_check(s->ratio, 0, layout->wires, err);
}

/** Ports whose ratio is a row do not turn round: the flows of `from` come in, and the effort of `to`. */
static sb_status init_row(modulated *s, sb_layout *layout, sb_error *err) {
  for (int i = 0; i < RATIOS_MAX; i++) {
    if (s->ratios[i] != NULL && i > s->count) {
      return sb_fail(err, SB_ERR_MISSING, "ratio-%d is missing", s->count + 1);
    }
    s->count += s->ratios[i] != NULL;
    SB_TRY(sb_signals_check(s->ratios[i], 0, layout->wires, err));
  }
  if (s->count > 0 && s->ratio != NULL) {
    return sb_fail(err, SB_ERR_CHOICE, "ratio and ratio-1 exclude each other");
  }
  if (s->count > 0) {
    s->signals = layout->wires;
    layout->ports[0].dim = s->count;
    layout->ports[1].dim = 1;
    layout->ports[0].output = SB_EFFORT;
    layout->ports[1].output = SB_FLOW;
  }
  return SB_OK;
}

static sb_status init_MTF(void *self, sb_layout *layout, sb_error *err) {
  modulated *s = self;
  SB_TRY(init_row(s, layout, err));
  return s->count > 0 ? SB_OK : init(self, layout, err);
}

static void entries_at(const modulated *s, const sb_at *at, double n[RATIOS_MAX],
                       double dot[RATIOS_MAX]) {
  double u[SB_EXPRESSION_VARIABLES_MAX] = {0};
  sb_signals_fill(at, s->signals, u);
  for (int i = 0; i < s->count; i++) {
    n[i] = sb_expression_at(s->ratios[i], u, NULL, at->branches, -1).value;
    if (dot != NULL) {
      dot[i] = sb_signals_rate(s->ratios[i], u, u, 0, at, s->signals);
    }
  }
}

static double ratio_at(const modulated *s, const sb_at *at) {
  double u[SB_EXPRESSION_VARIABLES_MAX] = {0};
  sb_signals_fill(at, s->signals, u);
  return sb_expression_at(s->ratio, u, NULL, at->branches, -1).value;
}

/** d/dt of the ratio n. */
static double ratio_rate_at(const modulated *s, const sb_at *at) {
  double u[SB_EXPRESSION_VARIABLES_MAX] = {0};
  sb_signals_fill(at, s->signals, u);
  return sb_signals_rate(s->ratio, u, u, 0, at, s->signals);
}

/** d/dt of scale() by n (power 1) or 1/n (power -1), with a sign. */
static int scale_rate(const modulated *s, const sb_at *at, int side, double sign, int power,
                      double out[]) {
  double n = ratio_at(s, at), dot = ratio_rate_at(s, at);
  double factor = sign * (power > 0 ? n : 1 / n),
         change = sign * (power > 0 ? dot : -dot / (n * n));
  for (int k = 0; k < at->dim; k++) {
    out[k] = factor * at->in_rate[side * at->dim + k] + change * at->in[side * at->dim + k];
  }
  return isfinite(factor) && isfinite(change) ? 0 : -1;
}

/** `count` components of the port on the other side, times a factor; not by a ratio of zero, or an infinite one. */
static int scale(const double in[], double factor, int count, double out[]) {
  for (int k = 0; k < count; k++) {
    out[k] = factor * in[k];
  }
  return isfinite(factor) ? 0 : -1;
}

static void kernel_row(const modulated *s, const sb_at *at, sb_kernel *kernel);

static void kernel_MTF(const void *self, const sb_at *at, const sb_layout *layout,
                       sb_kernel *kernel) {
  if (((const modulated *)self)->count > 0) {
    kernel_row(self, at, kernel);
    return;
  }
  double n = ratio_at(self, at);
  for (int k = 0, d = layout->ports[0].dim; k < d; k++) {
    sb_kernel_add(kernel, k, d + k, SB_FLOW, 1);
    sb_kernel_add(kernel, k, k, SB_FLOW, n);
    sb_kernel_add(kernel, d + k, k, SB_EFFORT, 1);
    sb_kernel_add(kernel, d + k, d + k, SB_EFFORT, -n);
  }
}

static void kernel_MGY(const void *self, const sb_at *at, const sb_layout *layout,
                       sb_kernel *kernel) {
  double r = ratio_at(self, at);
  for (int k = 0, d = layout->ports[0].dim; k < d; k++) {
    sb_kernel_add(kernel, k, d + k, SB_EFFORT, 1);
    sb_kernel_add(kernel, k, k, SB_FLOW, r);
    sb_kernel_add(kernel, d + k, k, SB_EFFORT, 1);
    sb_kernel_add(kernel, d + k, d + k, SB_FLOW, -r);
  }
}

static void kernel_row(const modulated *s, const sb_at *at, sb_kernel *kernel) {
  double n[RATIOS_MAX];
  entries_at(s, at, n, NULL);
  sb_kernel_add(kernel, 0, s->count, SB_FLOW, 1);
  for (int i = 0; i < s->count; i++) {
    sb_kernel_add(kernel, 0, i, SB_FLOW, n[i]);
    sb_kernel_add(kernel, 1 + i, i, SB_EFFORT, 1);
    sb_kernel_add(kernel, 1 + i, s->count, SB_EFFORT, -n[i]);
  }
}

static int forward_row(const modulated *s, const sb_at *at, double y[]) {
  double n[RATIOS_MAX], sum = 0;
  entries_at(s, at, n, NULL);
  for (int i = 0; i < s->count; i++) {
    sum += n[i] * at->in[i];
  }
  y[s->count] = -sum;
  return isfinite(sum) ? 0 : -1;
}

static int adjoint_row(const modulated *s, const sb_at *at, double y[]) {
  double n[RATIOS_MAX];
  entries_at(s, at, n, NULL);
  return scale(n, at->in[s->count], s->count, y);
}

static int forward_row_rate(const modulated *s, const sb_at *at, double ydot[]) {
  double n[RATIOS_MAX], dot[RATIOS_MAX], sum = 0;
  entries_at(s, at, n, dot);
  for (int i = 0; i < s->count; i++) {
    sum += n[i] * at->in_rate[i] + dot[i] * at->in[i];
  }
  ydot[s->count] = -sum;
  return isfinite(sum) ? 0 : -1;
}

static int adjoint_row_rate(const modulated *s, const sb_at *at, double ydot[]) {
  double n[RATIOS_MAX], dot[RATIOS_MAX];
  entries_at(s, at, n, dot);
  for (int i = 0; i < s->count; i++) {
    ydot[i] = n[i] * at->in_rate[s->count] + dot[i] * at->in[s->count];
  }
  return 0;
}

// Input flows go to the other side by the ratio and efforts by its inverse, or the other way round:
// the same numbers for both kinds.
static int forward(const void *self, const sb_at *at, double y[]) {
  const modulated *s = self;
  if (s->count > 0) {
    return forward_row(s, at, y);
  }
  double n = ratio_at(s, at);
  return isinf(n) ? -1 : scale(at->in, at->assigned == SB_FLOW ? -n : 1 / n, at->dim, y + at->dim);
}

static int adjoint(const void *self, const sb_at *at, double y[]) {
  const modulated *s = self;
  if (s->count > 0) {
    return adjoint_row(s, at, y);
  }
  double n = ratio_at(s, at);
  return isinf(n) ? -1 : scale(at->in + at->dim, at->assigned == SB_FLOW ? n : -1 / n, at->dim, y);
}

static int forward_rate(const void *self, const sb_at *at, double ydot[]) {
  bool flow = at->assigned == SB_FLOW;
  if (((const modulated *)self)->count > 0) {
    return forward_row_rate(self, at, ydot);
  }
  return scale_rate(self, at, 0, flow ? -1 : 1, flow ? 1 : -1, ydot + at->dim);
}

static int adjoint_rate(const void *self, const sb_at *at, double ydot[]) {
  bool flow = at->assigned == SB_FLOW;
  if (((const modulated *)self)->count > 0) {
    return adjoint_row_rate(self, at, ydot);
  }
  return scale_rate(self, at, 1, flow ? 1 : -1, flow ? 1 : -1, ydot);
}

static void measure(const void *self, const sb_at *at, int quantity, double out[]) {
  const modulated *s = self;
  double n[RATIOS_MAX];
  if (s->count == 0) {
    out[0] = ratio_at(self, at);
    return;
  }
  entries_at(s, at, n, NULL);
  out[0] = 0;
  for (int i = 0; i < s->count; i++) {
    out[0] = hypot(out[0], n[i]);
  }
  (void)quantity;
}

static double divisor(const void *self, const sb_at *at) {
  const modulated *s = self;
  return at->assigned == SB_FLOW || s->count > 0 ? HUGE_VAL : ratio_at(self, at);
}

#define HOOKS(kernel_)                                                                             \
  {                                                                                                \
    .kernel = (kernel_), .forward = forward, .adjoint = adjoint,                                   \
    .rates = {.forward = forward_rate, .adjoint = adjoint_rate}, .division = {                     \
      divisor,                                                                                     \
      "ratio"                                                                                      \
    }                                                                                              \
  }
static const sb_structure_hooks hooks_MTF = HOOKS(kernel_MTF), hooks_MGY = HOOKS(kernel_MGY);
static const sb_argument no_arguments[] = {{0}};
static const sb_signal_spec signals[] = {SB_SIGNAL_INPUTS, {0}};
static const sb_port_spec ports_MTF[] = {{.name = "from", .output = SB_INDIFFERENT, .side = 'A'},
                                         {.name = "to", .output = SB_OPPOSITE, .side = 'B'},
                                         {0}};
static const sb_port_spec ports_MGY[] = {{.name = "from", .output = SB_INDIFFERENT, .side = 'A'},
                                         {.name = "to", .output = SB_INDIFFERENT, .side = 'B'},
                                         {0}};
#define RATIO(unit_, help_)                                                                        \
  {                                                                                                \
    .name = "ratio", .kind = SB_PARAM_EXPRESSION, .offset = offsetof(modulated, ratio),            \
    .unit = (unit_), .fallback = "", .arguments = no_arguments, .signals = true, .help = (help_)   \
  }
#define ENTRY(number_)                                                                             \
  {                                                                                                \
    .name = "ratio-" #number_, .kind = SB_PARAM_EXPRESSION,                                        \
    .offset = offsetof(modulated, ratios) + ((number_)-1) * sizeof(sb_expression *),               \
    .unit = SB_UNIT_ANY, .fallback = "", .arguments = no_arguments, .signals = true,               \
    .help = "in its place, in SI: of component " #number_ " of from, f_to = sum of ratio f_from"   \
  }
static const sb_param params_MTF[] = {
    RATIO("@f2/f1", "n of f_to = n f_from, e_from = n e_to: an expression of signals"),
    ENTRY(1),
    ENTRY(2),
    ENTRY(3),
    ENTRY(4),
    ENTRY(5),
    ENTRY(6),
    {0}};
static const sb_param params_MGY[] = {
    RATIO("@e2/f1", "r of e_to = r f_from, e_from = r f_to: an expression of signals"), {0}};
static const sb_quantity_spec quantities_MTF[] = {
    {"ratio", 1, "@f2/f1", "at present; of several their length"}, {0}};
static const sb_quantity_spec quantities_MGY[] = {{"ratio", 1, "@e2/f1", "at present"}, {0}};

const sb_element_type sb_kind_MTF = {.name = "MTF",
                                     .help =
                                         "transformer whose ratio follows signals: crank, lever",
                                     .role = SB_STRUCTURE,
                                     .size = sizeof(modulated),
                                     .params = params_MTF,
                                     .ports = ports_MTF,
                                     .signals = signals,
                                     .measures = {.quantities = quantities_MTF, .measure = measure},
                                     .init = init_MTF,
                                     .structure = &hooks_MTF,
                                     .example = "<MTF id=\"crank\" ratio=\"0.1[m]*cos(angle)\"/>"};
const sb_element_type sb_kind_MGY = {.name = "MGY",
                                     .help = "gyrator whose ratio follows signals: excited motor",
                                     .role = SB_STRUCTURE,
                                     .size = sizeof(modulated),
                                     .params = params_MGY,
                                     .ports = ports_MGY,
                                     .signals = signals,
                                     .measures = {.quantities = quantities_MGY, .measure = measure},
                                     .init = init,
                                     .structure = &hooks_MGY,
                                     .example = "<MGY id=\"motor\" ratio=\"0.2[N.m/A^2]*field\"/>"};
