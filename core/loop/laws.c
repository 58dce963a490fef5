// SPDX-License-Identifier: GPL-3.0-or-later
// Loops of laws alone, y = h(b + A y), in a network that passes on all power: of two solutions the differences meet
//   sum du dy = dy^T A dy <= 0
// (Tellegen), so that they are two only if some law falls between them (Duffin 1947; Millar 1951). If none does there is one, and det(I - h' A) > 0
// everywhere, across kinks too: the way along which the residual goes to zero in a straight line, r(y(s)) = (1 - s) r(y(0)), leads to it from
// anywhere (Katzenelson 1965). Newton's steps follow it where no line search does: before a kink any step that ends behind it makes the residual
// larger, so that ever shorter ones would end in front of it; here a step goes as far as the residual is still straight, and so just across.
//
// At rest f |f| has no slope, and what it is in the other causality, sign(e) sqrt|e|, an infinite one: no step from there has a size. There each law
// is taken for a chord, y = s u, the mean of h(u)/u and of the one before, and the linear network is solved again and again (the linear theory method for
// pipes, Wood & Charles 1972): of powers below 4 the logarithms of the chords come nearer by a fraction each time, whatever the units.
#include <math.h>
#include <string.h>

#include "core/loop/loop.h"
#include "core/loop/newton_private.h"

enum { STEPS_MAX = 100, TRIALS_MAX = 200, CHORDS_MAX = 100 };
/** Of the way between two places, at the ends of which laws are looked at. */
enum { PARTS = 8 };
/** What a residual may be beside the straight line: at most this fraction of what the step takes off it, so that it falls; and at a kink where the step
 *  begins this fraction of it. A step is no shorter than that is a quarter of it. */
static const double beside = 0.5, at_kink = 1e-3, shortest = 0.25;
/** From where no input changes by more than this fraction Newton's method goes on. */
static const double little = 0.1;
/** A law falls if its output does by more than this fraction of what it is. */
static const double falls = 1e-9;

int sb_newton_law_input(const sb_newton *n, const sb_loop_hook *hook) {
  const sb_instance *instance = &n->work->network->instances[hook->op.instance];
  int found = -1;
  bool plain = hook->op.kind == SB_OP_LAW && n->outputs[hook->first_output] == instance->out;
  for (int i = hook->first_input; i < hook->first_input + hook->input_count; i++) {
    plain = plain && (n->rows[i].count == 0 || n->inputs[i] == instance->in);
    found = n->inputs[i] == instance->in ? i : found;
  }
  for (int k = 1; k < hook->output_count; k++) {
    plain = plain && !n->work->program->loop_feeds[n->loop->first_output + hook->first_output + k];
  }
  return plain ? found : -1;
}

bool sb_newton_of_laws(const sb_newton *n) {
  bool all = true;
  for (int h = 0; h < n->loop->count && all; h++) {
    all = sb_newton_law_input(n, &n->hooks[h]) >= 0;
  }
  return all;
}

bool sb_newton_rises(const sb_newton *n) {
  bool all = sb_newton_of_laws(n);
  for (int h = 0; h < n->loop->count && all; h++) {
    all = n->work->network->instances[n->hooks[h].op.instance].layout.rises;
  }
  return all;
}

/** Whether some law falls between two places, or has no value at the second. */
static bool falls_to(const sb_newton *n, double y[], sb_newton_point *p, const double u[],
                     double out[]) {
  bool any = sb_newton_at(n, y, p) != 0;
  for (int h = 0; h < n->loop->count && !any; h++) {
    const int i = sb_newton_law_input(n, &n->hooks[h]), k = n->hooks[h].first_output;
    const double to = y[k] - p->r[k], moved = p->u[i] - u[i];
    any = copysign(1, moved) * (to - out[k]) < -falls * (fabs(out[k]) + fabs(to));
    out[k] = to;
  }
  return any;
}

bool sb_newton_falls(const sb_newton *n, const double a[], const double b[]) {
  sb_newton own = *n;
  sb_newton_point p = sb_newton_point_take(&own);
  double *u = sb_newton_take(&own, n->loop->input_count), *y = sb_newton_vector(&own),
         *out = sb_newton_vector(&own);
  memcpy(y, a, (size_t)n->m * sizeof *y);
  bool any = sb_newton_at(&own, y, &p) != 0;
  for (int k = 0; k < n->m; k++) {
    out[k] = y[k] - p.r[k];
  }
  for (int part = 1; part <= PARTS && !any; part++) {
    memcpy(u, p.u, (size_t)n->loop->input_count * sizeof *u);
    for (int k = 0; k < n->m; k++) {
      y[k] = part == PARTS ? b[k] : a[k] + (b[k] - a[k]) * part / PARTS;
    }
    any = falls_to(&own, y, &p, u, out);
  }
  return any;
}

static double beyond_rounding(double r, double size) {
  return fmax(0, fabs(r) - sb_newton_rounding * size);
}

/** How far the residual at a trial is beside the line (1 - fraction) r, as a part of what it may be; all beyond rounding. */
static double off_line(const sb_newton_point *p, const sb_newton_point *trial, double fraction,
                       const double weight[], int m) {
  double sum = 0, whole = 0;
  for (int k = 0; k < m; k++) {
    if (weight[k] > 0) {
      const double size = p->size[k] + p->noise[k],
                   off = beyond_rounding(trial->r[k] - (1 - fraction) * p->r[k],
                                         size + trial->size[k]) /
                         weight[k],
                   r = beyond_rounding(p->r[k], size) / weight[k];
      sum += off * off;
      whole += r * r;
    }
  }
  return sqrt(sum / whole) / fmax(beside * fraction, at_kink);
}

/** @return false: the residual is known no better, or jumps */
static bool step(const sb_newton *n, double y[], sb_newton_point *p, const double d[]) {
  sb_newton own = *n;
  sb_newton_point trial = sb_newton_point_take(&own);
  double *next = sb_newton_vector(&own), *weight = sb_newton_vector(&own);
  double low = 0, high = 1, fraction = 1;
  bool found = false;
  sb_newton_weigh(&own, p, weight);
  for (int i = 0; i < TRIALS_MAX && !found; i++) {
    for (int k = 0; k < n->m; k++) {
      next[k] = y[k] - fraction * d[k];
    }
    const bool finite = sb_newton_at(&own, next, &trial) == 0;
    const double off = finite ? off_line(p, &trial, fraction, weight, n->m) : HUGE_VAL;
    found = off <= 1 && (fraction == 1 || off >= shortest);
    *(off <= 1 ? &low : &high) = fraction;
    const double middle = 0.5 * (low + high);
    if (!found && !(middle > low && middle < high)) {
      break;
    }
    fraction = middle;
  }
  if (found) {
    memcpy(y, next, (size_t)n->m * sizeof *y);
    found = sb_newton_at(n, y, p) == 0;
  }
  return found;
}

bool sb_newton_go_straight(const sb_newton *n, double y[], sb_newton_point *p) {
  sb_newton own = *n;
  double *d = sb_newton_vector(&own);
  bool goes_on = true;
  if (sb_newton_at(n, y, p) != 0) {
    return false;
  }
  for (int i = 0; i < STEPS_MAX && goes_on; i++) {
    goes_on = sb_newton_factor(&own, p, NULL);
    if (goes_on && sb_newton_below(sb_newton_rounding, p, n->m)) {
      break;
    }
    if (goes_on) {
      sb_newton_correct(&own, p, y, p->r, d);
      goes_on = step(&own, y, p, d);
    }
  }
  return sb_newton_below(sb_newton_solved, p, n->m);
}

/** The largest change of an input from u to that of y, as a fraction of what it is. */
static double change(const sb_newton *n, const double y[], const double u[]) {
  double most = 0, terms;
  for (int i = 0; i < n->loop->input_count; i++) {
    const double next = sb_newton_input(n, i, y, &terms), off = fabs(next - u[i]);
    most = off > 0 ? fmax(most, off / fmax(fabs(next), fabs(u[i]))) : most;
  }
  return most;
}

bool sb_newton_by_chords(const sb_newton *n, double y[], sb_newton_point *p) {
  sb_newton own = *n;
  double *d = sb_newton_vector(&own), moved = HUGE_VAL;
  for (int h = 0; h < n->loop->count; h++) {
    if (!n->work->network->instances[n->hooks[h].op.instance].layout.one_mode) {
      return false; // it jumps, or has pieces: no chord tells of them
    }
  }
  own.chords = sb_newton_take(&own, n->loop->input_count);
  memset(own.chords, 0, (size_t)n->loop->input_count * sizeof *own.chords);
  for (int turn = 0; turn < CHORDS_MAX && moved > little; turn++) {
    if (sb_newton_at(&own, y, p) != 0 || !sb_newton_factor(&own, p, NULL)) {
      return false;
    }
    for (int h = 0; h < n->loop->count; h++) {
      const int i = sb_newton_law_input(n, &n->hooks[h]), k = n->hooks[h].first_output;
      p->r[k] = y[k] - own.chords[i] * p->u[i];
    }
    sb_newton_correct(&own, p, y, p->r, d);
    for (int k = 0; k < n->m; k++) {
      y[k] -= d[k];
    }
    moved = change(n, y, p->u);
  }
  return moved <= little && sb_newton_go_straight(n, y, p);
}

/** What the outputs have of the rounding of all: where diodes block, the current of a loop of resistors is a difference of terms of which leaks
 *  of 1 uS make potentials. */
static void find_sizes(const sb_newton *n, double y[], double size[]) {
  sb_newton own = *n;
  sb_newton_point p = sb_newton_point_take(&own);
  double *one = sb_newton_vector(&own), *moved = sb_newton_vector(&own);
  memset(one, 0, (size_t)n->m * sizeof *one);
  if (sb_newton_at(&own, y, &p) != 0 || !sb_newton_factor(&own, &p, NULL)) {
    return;
  }
  for (int q = 0; q < n->m; q++) {
    one[q] = p.size[q] + p.noise[q];
    sb_newton_correct(&own, &p, y, one, moved);
    one[q] = 0;
    for (int k = 0; k < n->m; k++) {
      size[n->outputs[k]] += fabs(moved[k]);
    }
  }
}

void sb_loop_sizes(sb_workspace *work, double t, const double x[], double size[]) {
  for (int i = 0; i < work->program->loop_count; i++) {
    sb_newton n = sb_newton_begin(work, i, t, x);
    double *y = sb_newton_vector(&n);
    for (int k = 0; k < n.m; k++) {
      y[k] = work->values[n.outputs[k]];
    }
    if (sb_newton_of_laws(&n)) {
      find_sizes(&n, y, size);
      sb_newton_leave(&n, y);
    }
  }
}
