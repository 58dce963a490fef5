// SPDX-License-Identifier: GPL-3.0-or-later
// TransferFunction: y = gain num(s)/den(s) u, proper, in the observer form (Kailath, "Linear Systems", 1980,
// 2.1). With s = w sigma and den monic in sigma the states are all of the size of the output:
//   z_i' = w (z_{i+1} - alpha_{n-1-i} z_0 + beta_{n-1-i} u),  z_n = 0,   y = gain (z_0 + d u)
//   alpha_k = a_k w^(k-n)/a_n,  d = b_n/a_n,  beta_k = b_k w^(k-n)/a_n - d alpha_k,  w = max |a_k/a_n|^(1/(n-k))
#include <math.h>

#include "elements/elements.h"
#include "elements/signals_private.h"

enum { ORDER_MAX = 16 };

typedef struct transfer_function {
  sb_block block; // first
  sb_list num, den;
  double gain;
  int order;
  double w, direct, alpha[ORDER_MAX], beta[ORDER_MAX];
} transfer_function;

/** The coefficient of s^k; those of a list begin with the highest power. */
static double coefficient(const sb_list *list, int k) {
  return k < list->count ? list->values[list->count - 1 - k] : 0;
}

/** The highest power of s with a coefficient, as zeros that lead add none; -1: all are zero. */
static int order_of(const sb_list *list) {
  int k = list->count - 1;
  while (k >= 0 && coefficient(list, k) == 0) {
    k--;
  }
  return k;
}

/** The largest |c_k/leading|^(1/(n-k)) of the coefficients below s^n: no root is above twice that [1/s]. */
static double size_of(const sb_list *list, int n, double leading) {
  double size = 0;
  for (int k = 0; k < n; k++) {
    size = fmax(size, pow(fabs(coefficient(list, k) / leading), 1.0 / (n - k)));
  }
  return size;
}

static sb_status init(void *self, sb_layout *layout, sb_error *err) {
  transfer_function *s = self;
  SB_TRY(sb_block_init(&s->block, layout, err));
  const int n = s->order = order_of(&s->den), above = order_of(&s->num);
  if (s->num.count < 1 || n < 0) {
    return sb_fail_at(err, SB_ERR_RANGE, "den",
                      "num and den need coefficients, and those of den must not all be zero");
  }
  const double leading = coefficient(&s->den, n);
  const sb_param leading_row = {.name = "the leading coefficient of den", .range = SB_NONZERO};
  if (sb_param_check_size(&leading_row, &leading, 1, err) != SB_OK) {
    err->param = "den"; // all others are divided by it
    return SB_ERR_RANGE;
  }
  if (above > n) {
    sb_status status =
        sb_fail_at(err, SB_ERR_DIMENSION, "num",
                   "the transfer function is not proper: num is of order %d, den of %d", above, n);
    sb_error_hint(err, "a derivative is approximated by a pole beyond the frequencies of interest");
    return status;
  }
  if (n > ORDER_MAX) {
    return sb_fail_at(err, SB_ERR_LIMIT, "den", "the order is %d, at most %d", n, ORDER_MAX);
  }
  double w = size_of(&s->den, n, leading);
  w = w > 0 ? w : size_of(&s->num, n, leading); // integrators alone
  s->w = w > 0 ? w : 1;
  s->direct = coefficient(&s->num, n) / leading;
  for (int k = 0; k < n; k++) {
    double scale = pow(s->w, k - n) / leading;
    s->alpha[k] = coefficient(&s->den, k) * scale;
    s->beta[k] = coefficient(&s->num, k) * scale - s->direct * s->alpha[k];
  }
  layout->states = n;
  return SB_OK;
}

static int output(const void *self, const sb_at *at, double own[]) {
  const transfer_function *s = self;
  own[0] = (s->order > 0 ? at->x[0] : 0) +
           (s->direct != 0 ? s->direct * sb_block_input(&s->block, at) : 0);
  own[0] *= s->gain;
  return 0;
}

static int rate(const void *self, const sb_at *at, double xdot[]) {
  const transfer_function *s = self;
  double u = sb_block_input(&s->block, at);
  for (int i = 0; i < s->order; i++) {
    int k = s->order - 1 - i;
    double next = i + 1 < s->order ? at->x[i + 1] : 0;
    xdot[i] = s->w * (next - s->alpha[k] * at->x[0] + s->beta[k] * u);
  }
  return 0;
}

static int output_rate(const void *self, const sb_at *at, double dot[]) {
  const transfer_function *s = self;
  double xdot[ORDER_MAX] = {0};
  (void)rate(self, at, xdot);
  double through = s->direct != 0 ? s->direct * sb_block_input_rate(&s->block, at) : 0;
  dot[0] = s->gain * (xdot[0] + through);
  return 0;
}

static bool reads(const void *self) {
  return ((const transfer_function *)self)->direct != 0;
}

static double through(const void *self) {
  const transfer_function *s = self;
  return s->gain * s->direct;
}

static const sb_signal_hooks hooks = {
    .output = output, .rate = rate, .output_rate = output_rate, .reads = reads, .through = through};
static const sb_param params[] = {
    SB_BLOCK_INPUT,
    SB_PARAM_OF(transfer_function, num, SB_PARAM_LIST,
                .help =
                    "coefficients of the powers of s [rad/s], the highest first; bare numbers, SI"),
    SB_PARAM_OF(
        transfer_function, den, SB_PARAM_LIST,
        .help = "coefficients of the denominator, the highest power of s first; bare numbers, SI"),
    SB_PARAM_OF(transfer_function, gain, SB_PARAM_REAL, .unit = SB_UNIT_GAIN, .fallback = "1",
                .help = "multiplies it, and brings the unit of the output over that of the input"),
    {0}};
static const char *const states[] = {"x1",  "x2",  "x3",  "x4",  "x5",  "x6",  "x7",  "x8", "x9",
                                     "x10", "x11", "x12", "x13", "x14", "x15", "x16", NULL};

const sb_element_type sb_kind_TransferFunction = {
    .name = "TransferFunction",
    .help = "y = gain num(s)/den(s) u: a filter, a controller, a sensor; at rest at the start",
    .role = SB_SIGNAL,
    .size = sizeof(transfer_function),
    .params = params,
    .signals = sb_block_signals,
    .measures = SB_BLOCK_MEASURES,
    .state_names = states,
    .init = init,
    .signal = &hooks,
    .example = "<TransferFunction id=\"filtered\" of=\"speed\" num=\"1\" den=\"0.01 1\"/>"};
