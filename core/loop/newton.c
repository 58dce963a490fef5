// SPDX-License-Identifier: GPL-3.0-or-later
// Algebraic loops of hooks that feed each other, y = hooks(b + A y), by Newton's method with a line
// search. For dissipations alone a power-free network makes A the negative of a positive semi-definite
// matrix in matching causality, and laws that rise make the equation strictly monotone: one solution,
// which the damped method reaches from anywhere. Linear hooks (a transformer modulated from outside,
// a gain) are solved in one step. The start is what the last evaluation left; the iteration ends at
// rounding, so that the result is a function of the state alone. Outputs may be of
// any units, 1e7 Pa beside 1e-6 m^3/s, and so each is judged by its own size. Laws that fall somewhere,
// and loops through signals, may have no solution or several: branches.c and searches.c look for them.
#include <math.h>
#include <string.h>

#include "core/loop/newton_private.h"

enum { ITERATIONS_MAX = 100, HALVINGS_MAX = 40 };
/** Of a step that is taken to this part only, and others like it in a row, nothing comes. */
static const double crawl = 1e-5;
enum { CRAWLS_MAX = 5 };
/** Residuals below this part of what they are the difference of are rounding. */
static const double rounding = 4e-15;
/** A pivot below this part of its row is zero, as slopes by differences tell it. */
static const double pivot_part = 1e-8;
/** Part of the diagonal by which forces that are open are shared. */
static const double share_part = 1e-6;
/** Residuals below this part that fall no further are rounding of hooks that lose more. */
static const double solved = 1e-11;
/** What the rounding of a hook's inputs, which are sums, counts beside that of its outputs. */
static const double input_part = 0.1;
/** Stands for a slope that is not finite. */
static const double steepest = 1e12;

static double *input_at(const sb_newton *n, int input) {
  int value = n->inputs[input];
  return &n->work->values[value < 0 ? -1 - value : value];
}

/** Runs a hook at its inputs u; its outputs are left among the values. */
static int run_hook(const sb_newton *n, const sb_loop_hook *hook, const double u[]) {
  for (int k = hook->first_input; k < hook->first_input + hook->input_count; k++) {
    *input_at(n, k) = u[k];
  }
  return n->work->program->operations[hook->op.kind].run(n->work, &hook->op, n->t, n->x, NULL);
}

int sb_newton_run(const sb_newton *n, int hook, const double u[]) {
  return run_hook(n, &n->hooks[hook], u);
}

double sb_newton_law(const sb_newton *n, int k, double in) {
  *input_at(n, k) = in;
  const sb_op *op = &n->hooks[k].op;
  return n->work->program->operations[op->kind].run(n->work, op, n->t, n->x, NULL) == 0
             ? n->work->values[n->outputs[k]]
             : NAN;
}

/** What an input is summed up from, without signs. */
static double terms_of(const sb_newton *n, int input, const double y[]) {
  double sum = fabs(n->b[input]);
  for (int j = 0; j < n->m; j++) {
    sum += fabs(n->a[input * n->m + j] * y[j]);
  }
  return sum;
}

/** Whether a hook gives no output y = hook(u) but a condition, 0 = u, for it. */
static bool is_condition(const sb_loop_hook *hook) {
  return hook->op.kind == SB_OP_MULTIPLIER;
}

/** Whether an output is an input of a hook in the loop. */
static bool feeds(const sb_newton *n, int k) {
  bool any = false;
  for (int i = 0; i < n->loop->input_count; i++) {
    any = any || n->a[i * n->m + k] != 0;
  }
  return any;
}

/** r = y - hooks(b + A y); `size` is what each residual is the difference of. Outputs that feed nothing
 *  are set to what their hooks give, as the entropy of a resistor that heats. */
static int residual(const sb_newton *n, double y[], double u[], double r[], double size[]) {
  for (int i = 0; i < n->loop->input_count; i++) {
    double sum = n->b[i];
    for (int j = 0; j < n->m; j++) {
      sum += n->a[i * n->m + j] * y[j];
    }
    u[i] = sum;
  }
  for (int h = 0; h < n->loop->count; h++) {
    const sb_loop_hook *hook = &n->hooks[h];
    if (run_hook(n, hook, u) != 0) {
      return -1;
    }
    if (is_condition(hook)) {
      r[hook->first_output] = u[hook->first_input];
      size[hook->first_output] = terms_of(n, hook->first_input, y);
      continue;
    }
    for (int k = hook->first_output; k < hook->first_output + hook->output_count; k++) {
      double out = n->work->values[n->outputs[k]];
      if (!isfinite(out)) {
        return -1;
      }
      y[k] = feeds(n, k) ? y[k] : out;
      r[k] = y[k] - out;
      size[k] = fabs(y[k]) + fabs(out);
    }
  }
  return 0;
}

/** Slopes of a hook's outputs over one of its inputs by central differences; where those are not
 *  finite, steep ones. */
static void slopes(const sb_newton *n, const sb_loop_hook *hook, double u[], int input,
                   double s[]) {
  double middle = u[input], h = 6e-6 * fmax(fabs(middle), 1e-6);
  const int *outputs = n->outputs + hook->first_output;
  u[input] = middle + h;
  (void)run_hook(n, hook, u);
  for (int k = 0; k < hook->output_count; k++) {
    s[k] = n->work->values[outputs[k]];
  }
  u[input] = middle - h;
  (void)run_hook(n, hook, u);
  u[input] = middle;
  for (int k = 0; k < hook->output_count; k++) {
    s[k] = (s[k] - n->work->values[outputs[k]]) / (2 * h);
    s[k] = isfinite(s[k]) ? s[k] : steepest;
  }
}

/** J = I - S A, with S the slopes of the hooks. @param noise  out: what each of several outputs inherits
 *  from what its hook's inputs are summed up from */
static void fill_matrix(const sb_newton *n, const double y[], double u[], double j[],
                        double noise[]) {
  int m = n->m;
  double s[SB_LOOP_MAX];
  memset(j, 0, (size_t)(m * m) * sizeof *j);
  memset(noise, 0, (size_t)m * sizeof *noise);
  for (int k = 0; k < m; k++) {
    j[k * m + k] = 1;
  }
  for (int h = 0; h < n->loop->count; h++) {
    const sb_loop_hook *hook = &n->hooks[h];
    if (is_condition(hook)) {
      memcpy(j + hook->first_output * m, n->a + hook->first_input * m, (size_t)m * sizeof *j);
      continue;
    }
    for (int i = hook->first_input; i < hook->first_input + hook->input_count; i++) {
      slopes(n, hook, u, i, s);
      double terms = m > 1 ? input_part * terms_of(n, i, y) : 0;
      for (int k = 0; k < hook->output_count; k++) {
        noise[hook->first_output + k] += fabs(s[k]) < steepest ? fabs(s[k]) * terms : 0;
        for (int c = 0; c < m; c++) {
          j[(hook->first_output + k) * m + c] -= s[k] * n->a[i * m + c];
        }
      }
    }
  }
  for (int h = 0; h < n->loop->count;
       h++) { // conditions inherit it from what they are summed up from
    const sb_loop_hook *hook = &n->hooks[h];
    for (int c = 0; c < m && is_condition(hook); c++) {
      noise[hook->first_output] += fabs(n->a[hook->first_input * m + c]) * noise[c];
    }
  }
}

static void swap_rows(double j[], double d[], int m, int a, int b) {
  for (int q = 0; a != b && q < m; q++) {
    double swap = j[a * m + q];
    j[a * m + q] = j[b * m + q];
    j[b * m + q] = swap;
  }
  double swap = d[a];
  d[a] = d[b];
  d[b] = swap;
}

/** Eliminates the columns from `first` to `last` with pivots from their rows; false if one is not above
 *  `least`. */
static bool eliminate(double j[], double d[], int m, int first, int last, double least) {
  for (int p = first; p < last; p++) {
    int best = p;
    for (int i = p + 1; i < last; i++) {
      best = fabs(j[i * m + p]) > fabs(j[best * m + p]) ? i : best;
    }
    if (!(fabs(j[best * m + p]) > least)) {
      return false;
    }
    swap_rows(j, d, m, p, best);
    for (int i = p + 1; i < m; i++) {
      double factor = j[i * m + p] / j[p * m + p];
      for (int q = p; factor != 0 && q < m; q++) {
        j[i * m + q] -= factor * j[p * m + q];
      }
      d[i] -= factor * d[p];
    }
  }
  return true;
}

/** Puts conditions and their outputs, the forces, behind all else. Returns how many there are.
 *  @param order  out: the unknown that each column is now */
static int put_forces_last(const sb_newton *n, double j[], double d[], int order[]) {
  int m = n->m, forces = 0, next = 0;
  double rows[SB_LOOP_MAX * SB_LOOP_MAX], right[SB_LOOP_MAX];
  bool force[SB_LOOP_MAX] = {false};
  for (int h = 0; h < n->loop->count; h++) {
    force[n->hooks[h].first_output] = is_condition(&n->hooks[h]);
    forces += is_condition(&n->hooks[h]);
  }
  for (int pass = 0; pass < 2; pass++) {
    for (int k = 0; k < m; k++) {
      order[next] = k;
      next += force[k] == (pass == 1);
    }
  }
  memcpy(rows, j, (size_t)(m * m) * sizeof *rows);
  memcpy(right, d, (size_t)m * sizeof *right);
  for (int i = 0; i < m; i++) {
    d[i] = right[order[i]];
    for (int k = 0; k < m; k++) {
      j[i * m + k] = rows[order[i] * m + order[k]];
    }
  }
  return forces;
}

/** What is left of J for the forces is singular if ties state one thing twice. A small part on its diagonal
 *  then leads to one of all solutions, which agree in what they do together. Forces and ties may be of
 *  any units: whether it is singular is judged with the largest of each row and column near 1. */
static void share_forces(double j[], int m, int forces) {
  double left[SB_LOOP_MAX * SB_LOOP_MAX], none[SB_LOOP_MAX] = {0}, row[SB_LOOP_MAX] = {0},
                                          column[SB_LOOP_MAX] = {0}, largest = 0;
  int first = m - forces;
  for (int i = 0; i < forces; i++) {
    for (int k = 0; k < forces; k++) {
      double size = fabs(j[(first + i) * m + first + k]);
      row[i] = fmax(row[i], size);
      column[k] = fmax(column[k], size);
      largest = fmax(largest, size);
    }
  }
  for (int i = 0; i < forces; i++) {
    for (int k = 0; k < forces; k++) {
      double size = sqrt(row[i] * column[k]);
      left[i * forces + k] = size > 0 ? j[(first + i) * m + first + k] / size : 0;
    }
  }
  if (!eliminate(left, none, forces, 0, forces, pivot_part)) {
    for (int i = first; i < m; i++) {
      double own = j[i * m + i];
      j[i * m + i] += copysign(share_part * (own == 0 ? largest : fabs(own)), own);
    }
  }
}

/** Solves J d = r; false if that is singular. */
static bool solve(const sb_newton *n, double j[], double d[]) {
  int m = n->m, order[SB_LOOP_MAX];
  double x[SB_LOOP_MAX];
  int forces = put_forces_last(n, j, d, order);
  if (!eliminate(j, d, m, 0, m - forces, 0)) {
    return false;
  }
  if (forces > 1) {
    share_forces(j, m, forces);
  }
  if (!eliminate(j, d, m, m - forces, m, 0)) {
    return false;
  }
  for (int p = m - 1; p >= 0; p--) {
    for (int q = p + 1; q < m; q++) {
      d[p] -= j[p * m + q] * d[q];
    }
    d[p] /= j[p * m + p];
  }
  for (int p = 0; p < m; p++) {
    x[order[p]] = d[p];
  }
  memcpy(d, x, (size_t)m * sizeof *d);
  return true;
}

/** Whether every residual is at most this part of what it is the difference of. */
static bool all_below(double fraction, const double r[], const double size[], const double noise[],
                      int m) {
  for (int k = 0; k < m; k++) {
    if (!(fabs(r[k]) <= fraction * (size[k] + noise[k]))) {
      return false;
    }
  }
  return true;
}

/** What residuals are compared by: their own size, but no less than what would matter to an input that
 *  the output feeds, for a law that is flat at zero leaves residuals of the size of its output. */
static void weigh(const sb_newton *n, const double y[], const double size[], const double noise[],
                  double weight[]) {
  for (int k = 0; k < n->m; k++) {
    double matters = HUGE_VAL;
    for (int i = 0; i < n->loop->input_count; i++) {
      double fraction = fabs(n->a[i * n->m + k]), terms = fraction > 0 ? terms_of(n, i, y) : 0;
      matters = terms > 0 ? fmin(matters, terms / fraction) : matters;
    }
    weight[k] = fmax(size[k] + noise[k], isfinite(matters) ? matters : 0);
  }
  for (int h = 0; h < n->loop->count; h++) { // of another unit than the output
    int k = n->hooks[h].first_output;
    weight[k] = is_condition(&n->hooks[h]) ? size[k] + noise[k] : weight[k];
  }
}

/** Whether residuals rn, differences of sn, are smaller than r. */
static bool smaller(const double rn[], const double sn[], const double r[], const double weight[],
                    int m) {
  double now = 0, before = 0;
  for (int k = 0; k < m; k++) {
    double w = fmax(sn[k], weight[k]);
    if (w > 0) {
      now += rn[k] / w * (rn[k] / w);
      before += r[k] / w * (r[k] / w);
    }
  }
  return now < before;
}

/** One damped step; returns which part of the whole it is, 0 if none makes the residual smaller. */
static double improve(const sb_newton *n, double y[], double u[], double r[], double size[],
                      double noise[]) {
  int m = n->m;
  double j[SB_LOOP_MAX * SB_LOOP_MAX], d[SB_LOOP_MAX], next[SB_LOOP_MAX], rn[SB_LOOP_MAX],
      sn[SB_LOOP_MAX], weight[SB_LOOP_MAX];
  fill_matrix(n, y, u, j, noise);
  weigh(n, y, size, noise, weight);
  memcpy(d, r, (size_t)m * sizeof *d);
  if (!solve(n, j, d)) {
    return 0;
  }
  double factor = 1;
  for (int halving = 0; halving < HALVINGS_MAX; halving++, factor *= 0.5) {
    for (int k = 0; k < m; k++) {
      next[k] = y[k] - factor * d[k];
    }
    if (residual(n, next, u, rn, sn) == 0 && smaller(rn, sn, r, weight, m)) {
      memcpy(y, next, (size_t)m * sizeof *y);
      memcpy(r, rn, (size_t)m * sizeof *r);
      memcpy(size, sn, (size_t)m * sizeof *size);
      return factor;
    }
  }
  return 0;
}

bool sb_newton_regular(const sb_newton *n, const double y[], double u[]) {
  double j[SB_LOOP_MAX * SB_LOOP_MAX], noise[SB_LOOP_MAX], nothing[SB_LOOP_MAX] = {0};
  int m = n->m;
  fill_matrix(n, y, u, j, noise);
  for (int p = 0; p < m; p++) {
    double largest = 0;
    for (int q = 0; q < m; q++) {
      largest = fmax(largest, fabs(j[p * m + q]));
    }
    for (int q = 0; q < m; q++) {
      j[p * m + q] /= largest;
    }
  }
  // that forces of ties may be open is no fault: they are shared
  int order[SB_LOOP_MAX], forces = put_forces_last(n, j, nothing, order);
  return eliminate(j, nothing, m, 0, m - forces, pivot_part);
}

bool sb_newton_solve(const sb_newton *n, double y[], double u[]) {
  double r[SB_LOOP_MAX], size[SB_LOOP_MAX], noise[SB_LOOP_MAX] = {0};
  if (residual(n, y, u, r, size) != 0) {
    return false;
  }
  int crawls = 0;
  for (int i = 0; i < ITERATIONS_MAX && !all_below(rounding, r, size, noise, n->m); i++) {
    double fraction = improve(n, y, u, r, size, noise);
    crawls = fraction < crawl ? crawls + 1 : 0;
    if (fraction == 0 || crawls == CRAWLS_MAX) {
      break; // the residual is at rounding, or there is no solution: the test below tells
    }
  }
  return all_below(solved, r, size, noise, n->m);
}

int sb_newton_worst(const sb_newton *n, const double y[], double *said) {
  double u[SB_LOOP_INPUTS_MAX], r[SB_LOOP_MAX], size[SB_LOOP_MAX], at[SB_LOOP_MAX], most = -1;
  int worst = 0;
  *said = NAN;
  memcpy(at, y, (size_t)n->m * sizeof *at);
  if (residual(n, at, u, r, size) != 0) {
    return 0;
  }
  for (int k = 0; k < n->m; k++) {
    if (fabs(r[k]) > most * size[k]) {
      most = fabs(r[k]) / size[k];
      worst = k;
    }
  }
  *said = y[worst] - r[worst];
  return worst;
}

/** Whether every hook is a law of one input and one output. */
static bool is_scalar(const sb_newton *n) {
  bool scalar = n->loop->input_count == n->m && n->loop->count == n->m;
  for (int h = 0; h < n->loop->count; h++) {
    scalar = scalar && n->hooks[h].op.kind == SB_OP_LAW && n->hooks[h].input_count == 1 &&
             n->hooks[h].output_count == 1 && n->inputs[h] >= 0;
  }
  return scalar;
}

/** The loop as the program has it, with b as the rows before left it. */
static sb_newton begin(sb_workspace *work, int index, double t, const double x[]) {
  const sb_program *p = work->program;
  const sb_loop *loop = &p->loops[index];
  sb_newton n = {.network = work->network,
                 .work = work,
                 .loop = loop,
                 .index = index,
                 .hooks = p->loop_hooks + loop->first,
                 .inputs = p->loop_inputs + loop->first_input,
                 .outputs = p->loop_outputs + loop->first_output,
                 .a = p->loop_matrix + loop->matrix,
                 .m = loop->output_count,
                 .t = t,
                 .x = x};
  for (int i = 0; i < loop->input_count; i++) {
    n.b[i] = n.inputs[i] < 0 ? 0 : *input_at(&n, i);
  }
  n.scalar = is_scalar(&n);
  return n;
}

/** Leaves the inputs of all hooks, and all outputs, as they are at y. */
static void leave(const sb_newton *n, const double y[]) {
  for (int i = 0; i < n->loop->input_count; i++) {
    double sum = n->b[i];
    for (int j = 0; j < n->m; j++) {
      sum += n->a[i * n->m + j] * y[j];
    }
    *input_at(n, i) = sum;
  }
  for (int k = 0; k < n->m; k++) {
    n->work->values[n->outputs[k]] = y[k];
  }
}

int sb_loop_run(sb_workspace *work, int loop, double t, const double x[]) {
  sb_newton n = begin(work, loop, t, x);
  double y[SB_LOOP_MAX], u[SB_LOOP_INPUTS_MAX];
  for (int i = 0; i < n.loop->input_count; i++) {
    if (!isfinite(n.b[i])) {
      return -1; // what it is given is at fault
    }
  }
  for (int k = 0; k < n.m; k++) {
    double last = work->values[n.outputs[k]];
    y[k] = isfinite(last) ? last : 0;
  }
  if (!(sb_newton_solve(&n, y, u) || sb_branches_find(&n, y, u)) || !sb_branches_single(&n, y, u)) {
    return -1; // the next evaluation starts from the last solution
  }
  leave(&n, y);
  return 0;
}
