// SPDX-License-Identifier: GPL-3.0-or-later
// Transformer and gyrator whose ratio is an expression of signals: power-free at every instant,
// whatever the ratio does. Port flows count power outwards, as everywhere in structures:
//   MTF  f_to + n f_from = 0,  e_from - n e_to = 0
//   MGY  e_to + r f_from = 0,  e_from - r f_to = 0
#include <math.h>

#include "elements/elements.h"
#include "elements/signals_private.h"

typedef struct modulated {
  sb_expression *ratio;
  int signals;
} modulated;

static sb_status init(void *self, sb_layout *layout, sb_error *err) {
  modulated *s = self;
  s->signals = layout->wires;
  return s->ratio == NULL ? sb_fail(err, SB_ERR_MISSING, "ratio is missing")
                          : sb_signals_check(s->ratio, 0, layout->wires, err);
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

/** `count` components of the port on the other side, times a factor; not by a ratio of zero. */
static int scale(const double in[], double factor, int count, double out[]) {
  for (int k = 0; k < count; k++) {
    out[k] = factor * in[k];
  }
  return isfinite(factor) ? 0 : -1;
}

static void kernel_MTF(const void *self, const sb_at *at, const sb_layout *layout,
                       sb_kernel *kernel) {
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

// Input flows go to the other side by the ratio and efforts by its inverse, or the other way round:
// the same numbers for both kinds.
static int forward(const void *self, const sb_at *at, double y[]) {
  const modulated *s = self;
  double n = ratio_at(s, at);
  return scale(at->in, at->assigned == SB_FLOW ? -n : 1 / n, at->dim, y + at->dim);
}

static int adjoint(const void *self, const sb_at *at, double y[]) {
  const modulated *s = self;
  double n = ratio_at(s, at);
  return scale(at->in + at->dim, at->assigned == SB_FLOW ? n : -1 / n, at->dim, y);
}

static int forward_rate(const void *self, const sb_at *at, double ydot[]) {
  bool flow = at->assigned == SB_FLOW;
  return scale_rate(self, at, 0, flow ? -1 : 1, flow ? 1 : -1, ydot + at->dim);
}

static int adjoint_rate(const void *self, const sb_at *at, double ydot[]) {
  bool flow = at->assigned == SB_FLOW;
  return scale_rate(self, at, 1, flow ? 1 : -1, flow ? 1 : -1, ydot);
}

static void measure(const void *self, const sb_at *at, int quantity, double out[]) {
  (void)quantity;
  out[0] = ratio_at(self, at);
}

static double divisor(const void *self, const sb_at *at) {
  return at->assigned == SB_FLOW ? HUGE_VAL : ratio_at(self, at);
}

#define HOOKS(kernel_)                                                                             \
  {                                                                                                \
    .kernel = (kernel_), .forward = forward, .adjoint = adjoint,                                   \
    .rates = {forward_rate, adjoint_rate}, .division = {                                           \
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
static const sb_param params_MTF[] = {
    RATIO("@f2/f1", "n of f_to = n f_from, e_from = n e_to: an expression of signals"), {0}};
static const sb_param params_MGY[] = {
    RATIO("@e2/f1", "r of e_to = r f_from, e_from = r f_to: an expression of signals"), {0}};
static const sb_quantity_spec quantities_MTF[] = {{"ratio", 1, "@f2/f1", "at present"}, {0}};
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
                                     .init = init,
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
