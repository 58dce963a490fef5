// SPDX-License-Identifier: GPL-3.0-or-later
// Tearing a loop y = hooks(b + A y) (Kron, "Diakoptics", 1963): which outputs, once guessed, let all hooks be
// run one after the other. One number is enough for most loops: where all that goes through some hook is one
// of its outputs or inputs, and the others read each other in no circle.
#include <math.h>
#include <string.h>

#include "core/loop/tears_private.h"

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

bool sb_tearing_run(const sb_tearing *tearing, int h, const double y[], int input, double z,
                    double out[]) {
  const sb_newton *n = tearing->n;
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
static bool find_readers(sb_tearing *tearing) {
  const sb_newton *n = tearing->n;
  bool closed = true;
  for (int k = 0; k < n->m; k++) {
    tearing->maker[k] = -1;
  }
  for (int h = 0; h < n->loop->count; h++) {
    const sb_loop_hook *hook = &n->hooks[h];
    for (int k = hook->first_output; k < hook->first_output + hook->output_count; k++) {
      tearing->maker[k] = h;
    }
  }
  for (int h = 0; h < n->loop->count; h++) {
    const sb_loop_hook *hook = &n->hooks[h];
    for (int i = hook->first_input; i < hook->first_input + hook->input_count; i++) {
      for (int k = 0; k < n->m; k++) {
        if (n->a[i * n->m + k] != 0) {
          closed = closed && tearing->maker[k] >= 0;
          tearing->reads[h] |= tearing->maker[k] < 0 ? 0 : bit(tearing->maker[k]);
          tearing->feeds[k] = true;
        }
      }
    }
    for (int g = 0; hook->op.kind == SB_OP_ADJOINT && g < n->loop->count; g++) {
      bool pair =
          n->hooks[g].op.kind == SB_OP_FORWARD && n->hooks[g].op.instance == hook->op.instance;
      tearing->reads[h] |= pair ? bit(g) : 0;
    }
  }
  return closed;
}

/** Puts all hooks that can be run into the order, where the outputs of `torn` are known; returns those
 *  that remain. */
static uint64_t put_in_order(sb_tearing *tearing, uint64_t torn) {
  int all = tearing->n->loop->count;
  uint64_t left = (all < 64 ? bit(all) - 1 : UINT64_MAX) & ~torn;
  tearing->count = 0;
  for (int before = -1; before < tearing->count;) {
    before = tearing->count;
    for (int h = 0; h < all; h++) {
      if ((left & bit(h)) != 0 && (tearing->reads[h] & left) == 0) {
        tearing->order[tearing->count++] = h;
        left &= ~bit(h);
      }
    }
  }
  return left;
}

/** Whether one output of a hook, or one input, is all that goes through it. */
static bool is_narrow(sb_tearing *tearing, int h) {
  const sb_newton *n = tearing->n;
  const sb_loop_hook *hook = &n->hooks[h];
  int outputs = 0, inputs = 0;
  tearing->output = tearing->input = -1;
  for (int k = hook->first_output; k < hook->first_output + hook->output_count; k++) {
    outputs += tearing->feeds[k];
    tearing->output = tearing->feeds[k] ? k : tearing->output;
  }
  for (int i = hook->first_input; i < hook->first_input + hook->input_count; i++) {
    bool reads = false;
    for (int k = 0; k < n->m; k++) {
      reads = reads || n->a[i * n->m + k] != 0;
    }
    inputs += reads;
    tearing->input = reads ? i : tearing->input;
  }
  tearing->output = outputs == 1 ? tearing->output : -1;
  tearing->input = outputs == 1 ? -1 : tearing->input;
  return outputs == 1 || inputs == 1;
}

/** Of the hooks that remain, the one that most of them read; before all one that reads itself. */
static int most_read(const sb_tearing *tearing, uint64_t left) {
  int all = tearing->n->loop->count, best = -1, most = -1;
  for (int h = 0; h < all; h++) {
    int readers = (tearing->reads[h] & bit(h)) != 0 ? all : 0;
    for (int g = 0; g < all; g++) {
      readers += (left & bit(g)) != 0 && (tearing->reads[g] & bit(h)) != 0;
    }
    if ((left & bit(h)) != 0 && readers > most) {
      best = h;
      most = readers;
    }
  }
  return best;
}

void sb_tearing_find(sb_tearing *tearing, const sb_newton *n) {
  *tearing = (sb_tearing){.n = n};
  bool closed = find_readers(tearing);
  for (tearing->hook = 0; closed && tearing->hook < n->loop->count; tearing->hook++) {
    if (is_narrow(tearing, tearing->hook) && put_in_order(tearing, bit(tearing->hook)) == 0) {
      tearing->torn = bit(tearing->hook);
      return;
    }
  }
  tearing->hook = tearing->output = tearing->input = -1;
  for (uint64_t left = put_in_order(tearing, 0); left != 0;
       left = put_in_order(tearing, tearing->torn)) {
    tearing->torn |= bit(most_read(tearing, left));
  }
}

bool sb_tearing_guesses(const sb_tearing *tearing, int output) {
  int hook = tearing->maker[output];
  return tearing->feeds[output] && (hook < 0 || (tearing->torn & bit(hook)) != 0);
}

bool sb_tearing_propagate(const sb_tearing *tearing, double y[]) {
  bool finite = true;
  for (int i = 0; i < tearing->count && finite; i++) {
    finite = sb_tearing_run(tearing, tearing->order[i], y, -1, 0, y);
  }
  return finite;
}

double sb_tearing_return(const sb_tearing *tearing, double z, double y[]) {
  const sb_newton *n = tearing->n;
  double out[SB_LOOP_MAX] = {0};
  memset(y, 0, (size_t)n->m * sizeof *y);
  if (tearing->input >= 0) {
    return sb_tearing_run(tearing, tearing->hook, y, tearing->input, z, y) &&
                   sb_tearing_propagate(tearing, y)
               ? input_of(n, tearing->input, y)
               : NAN;
  }
  y[tearing->output] = z;
  if (!sb_tearing_propagate(tearing, y) || !sb_tearing_run(tearing, tearing->hook, y, -1, 0, out)) {
    return NAN;
  }
  const sb_loop_hook *hook = &n->hooks[tearing->hook];
  for (int k = hook->first_output; k < hook->first_output + hook->output_count; k++) {
    y[k] = k == tearing->output ? z : out[k];
  }
  return out[tearing->output];
}

double sb_tearing_value(const sb_tearing *tearing, const double y[]) {
  return tearing->output >= 0 ? y[tearing->output] : input_of(tearing->n, tearing->input, y);
}
