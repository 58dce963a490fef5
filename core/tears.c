// SPDX-License-Identifier: GPL-3.0-or-later
// Tearing a loop y = hooks(b + A y) (Kron, "Diakoptics", 1963): which outputs, once guessed, let all hooks be
// run one after the other. One number is enough for most loops: where all that goes through some hook is one
// of its outputs or inputs, and the others read each other in no circle.
#include <math.h>
#include <string.h>

#include "core/tears_private.h"

static uint64_t bit(int k) {
  return (uint64_t)1 << k;
}

static double input_of(const sb_newton *n, int input, const double y[]) {
  double sum = n->b[input];
  for (int j = 0; j < n->m; j++) {
    sum += n->a[input * n->m + j] * y[j];
  }
  return sum;
}

bool sb_tear_run(const sb_tear *tear, int h, const double y[], int input, double z, double out[]) {
  const sb_newton *n = tear->n;
  const sb_loop_hook *hook = &n->hooks[h];
  double u[SB_LOOP_INPUTS_MAX];
  for (int i = hook->first_input; i < hook->first_input + hook->input_count; i++) {
    u[i] = i == input ? z : input_of(n, i, y);
  }
  bool finite = sb_newton_run(n, h, u) == 0;
  for (int k = hook->first_output; k < hook->first_output + hook->output_count; k++) {
    out[k] = n->work->values[n->outputs[k]];
    finite = finite && isfinite(out[k]);
  }
  return finite;
}

/** Which hooks read which, and which outputs are read. A hook that gives back what comes from a modulated
 *  structure follows the one that leads there, whose signals it may read. Returns whether all outputs that
 *  are read are made by hooks. */
static bool find_readers(sb_tear *tear) {
  const sb_newton *n = tear->n;
  bool closed = true;
  for (int k = 0; k < n->m; k++) {
    tear->maker[k] = -1;
  }
  for (int h = 0; h < n->loop->count; h++) {
    const sb_loop_hook *hook = &n->hooks[h];
    for (int k = hook->first_output; k < hook->first_output + hook->output_count; k++) {
      tear->maker[k] = h;
    }
  }
  for (int h = 0; h < n->loop->count; h++) {
    const sb_loop_hook *hook = &n->hooks[h];
    for (int i = hook->first_input; i < hook->first_input + hook->input_count; i++) {
      for (int k = 0; k < n->m; k++) {
        if (n->a[i * n->m + k] != 0) {
          closed = closed && tear->maker[k] >= 0;
          tear->reads[h] |= tear->maker[k] < 0 ? 0 : bit(tear->maker[k]);
          tear->feeds[k] = true;
        }
      }
    }
    for (int g = 0; hook->op.run == sb_run_adjoint && g < n->loop->count; g++) {
      bool pair = n->hooks[g].op.run == sb_run_forward && n->hooks[g].op.part == hook->op.part;
      tear->reads[h] |= pair ? bit(g) : 0;
    }
  }
  return closed;
}

/** Puts all hooks that can be run into the order, where the outputs of `torn` are known; returns those
 *  that remain. */
static uint64_t put_in_order(sb_tear *tear, uint64_t torn) {
  int all = tear->n->loop->count;
  uint64_t left = (all < 64 ? bit(all) - 1 : UINT64_MAX) & ~torn;
  tear->count = 0;
  for (int before = -1; before < tear->count;) {
    before = tear->count;
    for (int h = 0; h < all; h++) {
      if ((left & bit(h)) != 0 && (tear->reads[h] & left) == 0) {
        tear->order[tear->count++] = h;
        left &= ~bit(h);
      }
    }
  }
  return left;
}

/** Whether one output of a hook, or one input, is all that goes through it. */
static bool is_narrow(sb_tear *tear, int h) {
  const sb_newton *n = tear->n;
  const sb_loop_hook *hook = &n->hooks[h];
  int outputs = 0, inputs = 0;
  tear->output = tear->input = -1;
  for (int k = hook->first_output; k < hook->first_output + hook->output_count; k++) {
    outputs += tear->feeds[k];
    tear->output = tear->feeds[k] ? k : tear->output;
  }
  for (int i = hook->first_input; i < hook->first_input + hook->input_count; i++) {
    bool reads = false;
    for (int k = 0; k < n->m; k++) {
      reads = reads || n->a[i * n->m + k] != 0;
    }
    inputs += reads;
    tear->input = reads ? i : tear->input;
  }
  tear->output = outputs == 1 ? tear->output : -1;
  tear->input = outputs == 1 ? -1 : tear->input;
  return outputs == 1 || inputs == 1;
}

/** Of the hooks that remain, the one that most of them read; before all one that reads itself. */
static int most_read(const sb_tear *tear, uint64_t left) {
  int all = tear->n->loop->count, best = -1, most = -1;
  for (int h = 0; h < all; h++) {
    int readers = (tear->reads[h] & bit(h)) != 0 ? all : 0;
    for (int g = 0; g < all; g++) {
      readers += (left & bit(g)) != 0 && (tear->reads[g] & bit(h)) != 0;
    }
    if ((left & bit(h)) != 0 && readers > most) {
      best = h;
      most = readers;
    }
  }
  return best;
}

void sb_tear_loop(sb_tear *tear, const sb_newton *n) {
  *tear = (sb_tear){.n = n};
  bool closed = find_readers(tear);
  for (tear->hook = 0; closed && tear->hook < n->loop->count; tear->hook++) {
    if (is_narrow(tear, tear->hook) && put_in_order(tear, bit(tear->hook)) == 0) {
      tear->torn = bit(tear->hook);
      return;
    }
  }
  tear->hook = tear->output = tear->input = -1;
  for (uint64_t left = put_in_order(tear, 0); left != 0; left = put_in_order(tear, tear->torn)) {
    tear->torn |= bit(most_read(tear, left));
  }
}

bool sb_tear_guesses(const sb_tear *tear, int output) {
  int hook = tear->maker[output];
  return tear->feeds[output] && (hook < 0 || (tear->torn & bit(hook)) != 0);
}

bool sb_tear_follow(const sb_tear *tear, double y[]) {
  bool finite = true;
  for (int i = 0; i < tear->count && finite; i++) {
    finite = sb_tear_run(tear, tear->order[i], y, -1, 0, y);
  }
  return finite;
}

double sb_tear_back(const sb_tear *tear, double z, double y[]) {
  const sb_newton *n = tear->n;
  double out[SB_LOOP_MAX] = {0};
  memset(y, 0, (size_t)n->m * sizeof *y);
  if (tear->input >= 0) {
    return sb_tear_run(tear, tear->hook, y, tear->input, z, y) && sb_tear_follow(tear, y)
               ? input_of(n, tear->input, y)
               : NAN;
  }
  y[tear->output] = z;
  if (!sb_tear_follow(tear, y) || !sb_tear_run(tear, tear->hook, y, -1, 0, out)) {
    return NAN;
  }
  const sb_loop_hook *hook = &n->hooks[tear->hook];
  for (int k = hook->first_output; k < hook->first_output + hook->output_count; k++) {
    y[k] = k == tear->output ? z : out[k];
  }
  return out[tear->output];
}

double sb_tear_value(const sb_tear *tear, const double y[]) {
  return tear->output >= 0 ? y[tear->output] : input_of(tear->n, tear->input, y);
}
