// SPDX-License-Identifier: GPL-3.0-or-later
// Algebraic loops of hooks that feed each other, y = hooks(b + A y), by Newton's method with a line
// search. For dissipations alone a power-free network makes A the negative of a positive semi-definite
// matrix in matching causality, and laws that rise make the equation strictly monotone: one solution,
// which the damped method reaches from anywhere. Linear hooks (a transformer modulated from outside,
// a gain) are solved in one step. Outputs may be of any units, 1e7 Pa beside 1e-6 m^3/s, and so each is
// judged by its own size.
//
// The start is the accepted solution, of the last step's end, and so an evaluation is a function of the
// state. Within a step only a solution that continues the accepted one counts. Where Newton's method
// contracts from the start on, the two are one branch (Deuflhard, "Newton Methods for Nonlinear Problems",
// 2011, section 2.1); else the Jacobian must keep the sign of its determinant on the way, and the way must
// not be long for its slopes, as it is to another branch from before a fold. If there is none, the step is
// to be shorter. At the start of a run and at events any solution counts that is the only one
// (multiplicity.c).
#include <math.h>
#include <string.h>

#include "core/linalg/dense.h"
#include "core/loop/newton_private.h"

enum { ITERATIONS_MAX = 100, HALVINGS_MAX = 40 };
/** Of a step that is taken to this fraction only, and others like it in a row, nothing comes. */
static const double crawl = 1e-5;
enum { CRAWLS_MAX = 5 };
/** Residuals below this fraction of what they are the difference of are rounding. */
static const double rounding = 4e-15;
/** A pivot below this fraction is zero, as slopes by differences tell it. */
static const double pivot_fraction = 1e-8;
/** On the diagonal of redundant multipliers: they share what they do together. */
static const double share_fraction = 1e-6;
/** Residuals below this fraction that fall no further are rounding of hooks that lose more. */
static const double solved = 1e-11;
/** What the rounding of a hook's inputs, which are sums, counts beside that of its outputs. */
static const double input_fraction = 0.1;
/** Stands for a slope that is not finite. */
static const double steepest = 1e12;
/** Newton's method contracts if what its first step misses is below this fraction of it, by the slopes at
 *  its start and at its end. */
static const double contraction = 1.0 / 3;
/** The way to a solution is no longer than so many times what the slopes at its ends would have it, at
 *  least at one of them; the Jacobian is looked at at the ends of so many parts of it. */
static const double longest = 4;
enum { PARTS = 4 };
/** Solutions that differ by less than this fraction are one. */
static const double same = 1e-6;
/** A pivot below this fraction is that of a fold close by; a law that rises gives one near 1. */
static const double fold_pivot = 0.3;
/** The shortest fraction of b by which a solution is followed from b = 0; and within a step, which can be
 *  shorter itself. */
static const double shortest = 1e-9, shortest_in_step = 1e-4;

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

double sb_newton_input(const sb_newton *n, int input, const double y[], double *terms) {
  double sum = n->b[input], size = fabs(sum);
  for (int j = 0; j < n->m; j++) {
    double term = n->a[input * n->m + j] * y[j];
    sum += term;
    size += fabs(term);
  }
  *terms = size;
  return sum;
}

bool sb_newton_is_condition(const sb_loop_hook *hook) {
  return hook->op.kind == SB_OP_MULTIPLIER;
}

bool sb_newton_feeds(const sb_newton *n, int output) {
  bool any = false;
  for (int i = 0; i < n->loop->input_count; i++) {
    any = any || n->a[i * n->m + output] != 0;
  }
  return any;
}

bool sb_newton_hook(const sb_newton *n, int h, double y[]) {
  const sb_loop_hook *hook = &n->hooks[h];
  double u[SB_LOOP_INPUTS_MAX], terms;
  for (int i = hook->first_input; i < hook->first_input + hook->input_count; i++) {
    u[i] = sb_newton_input(n, i, y, &terms);
  }
  bool finite = run_hook(n, hook, u) == 0;
  for (int k = hook->first_output; k < hook->first_output + hook->output_count; k++) {
    y[k] = n->work->values[n->outputs[k]];
    finite = finite && isfinite(y[k]);
  }
  return finite;
}

/** Outputs that feed nothing are set to what their hooks give, as the entropy of a resistor that heats. */
static int residual(const sb_newton *n, double y[], double u[], double terms[], double r[],
                    double size[]) {
  for (int i = 0; i < n->loop->input_count; i++) {
    u[i] = sb_newton_input(n, i, y, &terms[i]);
  }
  for (int h = 0; h < n->loop->count; h++) {
    const sb_loop_hook *hook = &n->hooks[h];
    if (run_hook(n, hook, u) != 0) {
      return -1;
    }
    for (int k = hook->first_output; k < hook->first_output + hook->output_count; k++) {
      double out = n->work->values[n->outputs[k]];
      if (sb_newton_is_condition(hook)) {
        r[k] = u[hook->first_input];
        size[k] = terms[hook->first_input];
      } else {
        y[k] = sb_newton_feeds(n, k) ? y[k] : out;
        r[k] = y[k] - out;
        size[k] = fabs(y[k]) + fabs(out);
      }
      if (!isfinite(r[k])) {
        return -1;
      }
    }
  }
  return 0;
}

int sb_newton_residual(const sb_newton *n, double y[], double r[], double size[]) {
  double u[SB_LOOP_INPUTS_MAX], terms[SB_LOOP_INPUTS_MAX];
  return residual(n, y, u, terms, r, size);
}

/** Slopes of a hook's outputs over one of its inputs by central differences; where those are not
 *  finite, steep ones.
 *  @param terms  the size of what the input sums up; any size where that is zero, too */
static void slopes(const sb_newton *n, const sb_loop_hook *hook, double u[], int input,
                   double terms, double s[]) {
  double middle = u[input], size = fmax(fabs(middle), 1e-6 * terms);
  double h = 6e-6 * (size > 0 ? size : 1e-6);
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

/** A loop at some y: what residuals and steps are judged by, and the Jacobian in factors. */
typedef struct point {
  double u[SB_LOOP_INPUTS_MAX], terms[SB_LOOP_INPUTS_MAX]; // inputs, and sizes of what they sum up
  double r[SB_LOOP_MAX], size[SB_LOOP_MAX];
  double noise[SB_LOOP_MAX];  // what the outputs of a hook inherit from its inputs' rounding
  double matter[SB_LOOP_MAX]; // a change of an output that would matter to an input that it feeds
  double row[SB_LOOP_MAX], column[SB_LOOP_MAX]; // scales
  int pivots[SB_LOOP_MAX];
  bool shared; // multipliers are regularised
} point;

/** J = I - S A, with S the slopes of the hooks. */
static void fill_matrix(const sb_newton *n, point *p) {
  int m = n->m;
  double s[SB_LOOP_MAX], *j = n->matrix;
  memset(j, 0, (size_t)(m * m) * sizeof *j);
  memset(p->noise, 0, sizeof p->noise);
  for (int k = 0; k < m; k++) {
    j[k * m + k] = 1;
    p->row[k] = 1;
  }
  for (int h = 0; h < n->loop->count; h++) {
    const sb_loop_hook *hook = &n->hooks[h];
    if (sb_newton_is_condition(hook)) {
      memcpy(j + hook->first_output * m, n->a + hook->first_input * m, (size_t)m * sizeof *j);
      continue;
    }
    for (int i = hook->first_input; i < hook->first_input + hook->input_count; i++) {
      slopes(n, hook, p->u, i, p->terms[i], s);
      double terms = m > 1 ? input_fraction * p->terms[i] : 0;
      for (int k = 0; k < hook->output_count; k++) {
        int q = hook->first_output + k;
        p->noise[q] += fabs(s[k]) < steepest ? fabs(s[k]) * terms : 0;
        for (int c = 0; c < m; c++) {
          j[q * m + c] -= s[k] * n->a[i * m + c];
          p->row[q] += fabs(s[k] * n->a[i * m + c]);
        }
      }
    }
  }
  for (int h = 0; h < n->loop->count; h++) { // conditions inherit noise from their terms
    const sb_loop_hook *hook = &n->hooks[h];
    int q = hook->first_output;
    for (int c = 0; c < m && sb_newton_is_condition(hook); c++) {
      p->noise[q] += fabs(j[q * m + c]) * p->noise[c];
      p->row[q] = fmax(c == 0 ? 0 : p->row[q], fabs(j[q * m + c]));
    }
  }
}

/** Divides each row by the sum of the absolute values of its terms, each column by its largest. */
static void equilibrate(const sb_newton *n, point *p) {
  int m = n->m;
  memset(p->column, 0, sizeof p->column);
  for (int i = 0; i < m; i++) {
    p->row[i] = p->row[i] > 0 ? p->row[i] : 1;
    for (int k = 0; k < m; k++) {
      n->matrix[i * m + k] /= p->row[i];
      p->column[k] = fmax(p->column[k], fabs(n->matrix[i * m + k]));
    }
  }
  for (int k = 0; k < m; k++) {
    p->column[k] = p->column[k] > 0 && m > 1 ? p->column[k] : 1;
    for (int i = 0; i < m; i++) {
      n->matrix[i * m + k] /= p->column[k];
    }
  }
}

static bool factor_once(const sb_newton *n, point *p, double least) {
  memcpy(n->lu, n->matrix, (size_t)(n->m * n->m) * sizeof *n->lu);
  return sb_lu_factor(n->lu, n->m, least, p->pivots) == n->m;
}

/** Factors J. Constraints that state one thing twice make it singular in their multipliers: a small
 *  fraction on their diagonal then leads to one of all solutions, which agree in what they do together.
 *  @param regular  out: NULL: not wanted  @return whether anything can be solved with it */
static bool factor(const sb_newton *n, point *p, bool *regular) {
  fill_matrix(n, p);
  equilibrate(n, p);
  p->shared = false;
  bool well = factor_once(n, p, pivot_fraction);
  for (int h = 0; h < n->loop->count && !well; h++) {
    int k = n->hooks[h].first_output;
    if (sb_newton_is_condition(&n->hooks[h])) {
      n->matrix[k * n->m + k] += share_fraction;
      p->shared = true;
    }
  }
  well = well || (p->shared && factor_once(n, p, pivot_fraction));
  if (regular != NULL) {
    *regular = well;
  }
  return well || factor_once(n, p, 0);
}

/** d = J^-1 r */
static void correct(const sb_newton *n, const point *p, const double r[], double d[]) {
  for (int k = 0; k < n->m; k++) {
    d[k] = r[k] / p->row[k];
  }
  sb_lu_solve(n->lu, n->m, p->pivots, d, 1);
  for (int k = 0; k < n->m; k++) {
    d[k] /= p->column[k];
  }
}

/** Whether every residual is at most this fraction of what it is the difference of. */
static bool all_below(double fraction, const point *p, int m) {
  for (int k = 0; k < m; k++) {
    if (!(fabs(p->r[k]) <= fraction * (p->size[k] + p->noise[k]))) {
      return false;
    }
  }
  return true;
}

/** What residuals are compared by: their own size, but no less than what would matter to an input that
 *  the output feeds, for a law that is flat at zero leaves residuals of the size of its output. */
static void weigh(const sb_newton *n, point *p, double weight[]) {
  for (int k = 0; k < n->m; k++) {
    double matters = HUGE_VAL;
    for (int i = 0; i < n->loop->input_count; i++) {
      double fraction = fabs(n->a[i * n->m + k]);
      matters = fraction > 0 && p->terms[i] > 0 ? fmin(matters, p->terms[i] / fraction) : matters;
    }
    p->matter[k] = isfinite(matters) ? matters : 0;
    weight[k] = fmax(p->size[k] + p->noise[k], p->matter[k]);
  }
  for (int h = 0; h < n->loop->count; h++) { // of another unit than the output
    int k = n->hooks[h].first_output;
    weight[k] = sb_newton_is_condition(&n->hooks[h]) ? p->size[k] + p->noise[k] : weight[k];
  }
}

/** The sum of squares of the residuals at `now`, as a fraction of that before. */
static double reduction(const point *now, const point *before, const double weight[], int m) {
  double sum_now = 0, sum_before = 0;
  for (int k = 0; k < m; k++) {
    double w = fmax(now->size[k], weight[k]);
    if (w > 0) {
      sum_now += now->r[k] / w * (now->r[k] / w);
      sum_before += before->r[k] / w * (before->r[k] / w);
    }
  }
  return sum_before > 0 ? sum_now / sum_before : 1;
}

/** One damped step; returns which fraction of the whole it is, 0 if none makes the residual smaller.
 *  Where it becomes hardly smaller, as at a kink, half of it may do better.
 *  @param d  the whole */
static double improve(const sb_newton *n, double y[], point *p, const double d[]) {
  int m = n->m;
  double next[SB_LOOP_MAX], weight[SB_LOOP_MAX], from[SB_LOOP_MAX], factor = 1, taken = 0,
                                                                    least = 1;
  point trial, before = *p;
  memcpy(from, y, (size_t)m * sizeof *from);
  weigh(n, p, weight);
  for (int halving = 0; halving < HALVINGS_MAX && least > 0.25; halving++, factor *= 0.5) {
    for (int k = 0; k < m; k++) {
      next[k] = from[k] - factor * d[k];
    }
    double left = residual(n, next, trial.u, trial.terms, trial.r, trial.size) == 0
                      ? reduction(&trial, &before, weight, m)
                      : HUGE_VAL;
    if (taken > 0 && !(left < least)) {
      break;
    }
    if (left < least) {
      least = left;
      taken = factor;
      memcpy(y, next, (size_t)m * sizeof *y);
      memcpy(p->u, trial.u, sizeof p->u);
      memcpy(p->terms, trial.terms, sizeof p->terms);
      memcpy(p->r, trial.r, (size_t)m * sizeof *p->r);
      memcpy(p->size, trial.size, (size_t)m * sizeof *p->size);
    }
  }
  return taken;
}

/** The largest difference of what two steps change. */
static double distance(const sb_newton *n, const point *p, const double y[], const double a[],
                       const double b[]) {
  double most = 0;
  for (int k = 0; k < n->m; k++) {
    double size = fmax(fabs(y[k]), p->matter[k]);
    most = p->matter[k] > 0 ? fmax(most, fabs(a[k] - b[k]) / size) : most;
  }
  return most;
}

bool sb_newton_regular(const sb_newton *n, const double y[], bool *shared) {
  point p;
  double at[SB_LOOP_MAX];
  bool regular = false;
  memcpy(at, y, (size_t)n->m * sizeof *at);
  bool solvable = residual(n, at, p.u, p.terms, p.r, p.size) == 0 && factor(n, &p, &regular);
  *shared = p.shared;
  return solvable && regular;
}

/** The sign of det J by its factors. */
static int orientation(const sb_newton *n, const point *p) {
  int sign = 1;
  for (int k = 0; k < n->m; k++) {
    sign = (n->lu[k * n->m + k] < 0) != (p->pivots[k] != k) ? -sign : sign;
  }
  return sign;
}

/** Whether a solution y continues a start. @param first_r  residual there, and Newton's first step */
static bool continues(const sb_newton *n, const double start[], const double y[],
                      const double first_r[], const double first[]) {
  static const double none[SB_LOOP_MAX] = {0};
  double at[SB_LOOP_MAX], last[SB_LOOP_MAX], weight[SB_LOOP_MAX];
  int sign = 0;
  point p;
  for (int i = 0; i <= PARTS; i++) {
    for (int k = 0; k < n->m; k++) {
      at[k] = i == PARTS ? y[k] : start[k] + (y[k] - start[k]) * i / PARTS;
    }
    if (residual(n, at, p.u, p.terms, p.r, p.size) != 0 || !factor(n, &p, NULL)) {
      return false;
    }
    int now = p.shared ? 1 : orientation(n, &p);
    if (i > 0 && now != sign) {
      return false;
    }
    sign = now;
  }
  correct(n, &p, first_r, last);
  weigh(n, &p, weight);
  return distance(n, &p, y, y, start) <=
         longest * fmax(distance(n, &p, y, first, none), distance(n, &p, y, last, none));
}

bool sb_newton_solve(const sb_newton *n, double y[], bool follow) {
  static const double none[SB_LOOP_MAX] = {0};
  double start[SB_LOOP_MAX], first_r[SB_LOOP_MAX], first[SB_LOOP_MAX], again[SB_LOOP_MAX],
      d[SB_LOOP_MAX];
  point p;
  int crawls = 0;
  bool certain = true;
  memset(p.noise, 0, sizeof p.noise);
  if (residual(n, y, p.u, p.terms, p.r, p.size) != 0) {
    return false;
  }
  memcpy(start, y, (size_t)n->m * sizeof *start);
  memcpy(first_r, p.r, (size_t)n->m * sizeof *first_r);
  for (int i = 0; i < ITERATIONS_MAX && !all_below(rounding, &p, n->m); i++) {
    if (!factor(n, &p, NULL)) {
      break;
    }
    correct(n, &p, p.r, d);
    if (i == 0) {
      memcpy(first, d, (size_t)n->m * sizeof *first);
    } else if (i == 1 && follow && certain) {
      correct(n, &p, first_r, again);
      double most = contraction * distance(n, &p, y, first, none);
      certain = distance(n, &p, y, again, first) <= most && distance(n, &p, y, d, none) <= most;
    }
    double fraction = improve(n, y, &p, d);
    certain = certain && (i > 0 || fraction == 1);
    crawls = fraction < crawl ? crawls + 1 : 0;
    if (fraction == 0 || crawls == CRAWLS_MAX) {
      break; // the residual is at rounding, or there is no solution: the test below tells
    }
  }
  return all_below(solved, &p, n->m) &&
         (!follow || certain || distance(n, &p, y, y, start) <= same ||
          continues(n, start, y, first_r, first));
}

bool sb_newton_follow(const sb_newton *n, double y[]) {
  double b[SB_LOOP_INPUTS_MAX], next[SB_LOOP_MAX], done = 0, step = 0.25;
  sb_newton scaled = *n;
  scaled.b = b;
  double least = n->work->loops.continues ? shortest_in_step : shortest;
  memset(y, 0, (size_t)n->m * sizeof *y);
  while (done < 1 && step > least) {
    double to = fmin(done + step, 1);
    for (int i = 0; i < n->loop->input_count; i++) {
      b[i] = to * n->b[i];
    }
    memcpy(next, y, (size_t)n->m * sizeof *y);
    bool ok = sb_newton_solve(&scaled, next, false);
    if (ok) {
      memcpy(y, next, (size_t)n->m * sizeof *y);
      done = to;
    }
    step *= ok ? 2 : 0.25;
  }
  return done == 1;
}

bool sb_newton_fail(const sb_newton *n, sb_loop_failure failure) {
  failure.loop = n->index;
  failure.t = n->t;
  n->work->failure = failure;
  return false;
}

sb_newton sb_newton_begin(sb_workspace *work, int index, double t, const double x[]) {
  const sb_program *p = work->program;
  const sb_loop *loop = &p->loops[index];
  int m = loop->output_count;
  return (sb_newton){.work = work,
                     .loop = loop,
                     .index = index,
                     .hooks = p->loop_hooks + loop->first,
                     .inputs = p->loop_inputs + loop->first_input,
                     .outputs = p->loop_outputs + loop->first_output,
                     .a = p->loop_matrix + loop->matrix,
                     .b = work->loops.b + loop->first_input,
                     .matrix = work->loops.matrices,
                     .lu = work->loops.matrices + m * m,
                     .m = m,
                     .t = t,
                     .x = x};
}

void sb_newton_leave(const sb_newton *n, const double y[]) {
  double terms;
  for (int i = 0; i < n->loop->input_count; i++) {
    *input_at(n, i) = sb_newton_input(n, i, y, &terms);
  }
  for (int k = 0; k < n->m; k++) {
    n->work->values[n->outputs[k]] = y[k];
  }
}

/** Whether the Jacobian is nearly singular at y, as where two solutions meet and end. */
static bool at_fold(const sb_newton *n, const double y[]) {
  double at[SB_LOOP_MAX];
  point p;
  memcpy(at, y, (size_t)n->m * sizeof *at);
  bool fold = residual(n, at, p.u, p.terms, p.r, p.size) == 0 && !factor(n, &p, NULL);
  for (int k = 0; k < n->m && !fold; k++) {
    fold = fabs(n->lu[k * n->m + k]) < fold_pivot;
  }
  return fold;
}

/** What keeps the hooks from meeting: one without a value, or the one that is most off. */
static bool refuse(const sb_newton *n, const double y[]) {
  sb_loop_failure failure = {.kind = SB_LOOP_NO_SOLUTION};
  double r[SB_LOOP_MAX], size[SB_LOOP_MAX], at[SB_LOOP_MAX], most = -1, terms;
  int worst = 0, h = 0;
  memcpy(at, y, (size_t)n->m * sizeof *at);
  bool finite = sb_newton_residual(n, at, r, size) == 0;
  for (int k = 0; k < n->m && finite; k++) {
    if (fabs(r[k]) > most * size[k]) {
      most = fabs(r[k]) / size[k];
      worst = k;
    }
  }
  while (h + 1 < n->loop->count && n->hooks[h + 1].first_output <= worst) {
    h++;
  }
  if (n->work->loops.continues && finite && at_fold(n, y)) {
    failure.kind = SB_LOOP_LOST;
  }
  const sb_loop_hook *hook = &n->hooks[h];
  bool law = hook->op.kind == SB_OP_LAW && hook->input_count == 1;
  failure.instance = hook->op.instance;
  failure.at[0] = law ? sb_newton_input(n, hook->first_input, at, &terms) : NAN;
  failure.at[1] = at[worst];
  failure.at[2] = finite ? at[worst] - r[worst] : NAN;
  return sb_newton_fail(n, failure);
}

/** From the accepted solution. Within a step only one that continues it counts, if the hooks have a value
 *  there; elsewhere the only one. */
static bool find(const sb_newton *n, double y[]) {
  const double *start = n->work->loops.start_y + n->loop->first_output;
  bool follow = n->work->loops.continues;
  double r[SB_LOOP_MAX], size[SB_LOOP_MAX];
  memcpy(y, start, (size_t)n->m * sizeof *y);
  if (sb_newton_solve(n, y, follow)) {
    return true;
  }
  memcpy(y, start, (size_t)n->m * sizeof *y);
  if (follow && sb_newton_residual(n, y, r, size) == 0) {
    return refuse(n, y);
  }
  if (sb_newton_follow(n, y)) {
    return sb_multiplicity_single(n, y);
  }
  return sb_multiplicity_find(n, y) || (n->work->failure.kind != SB_LOOP_SEVERAL && refuse(n, y));
}

int sb_loop_run(sb_workspace *work, int loop, double t, const double x[]) {
  sb_newton n = sb_newton_begin(work, loop, t, x);
  double y[SB_LOOP_MAX], *b = work->loops.b + n.loop->first_input;
  for (int i = 0; i < n.loop->input_count; i++) {
    b[i] = n.inputs[i] < 0 ? 0 : *input_at(&n, i);
    if (!isfinite(b[i])) {
      return -1; // the fault is in its inputs
    }
  }
  if (!find(&n, y)) {
    return -1;
  }
  sb_newton_leave(&n, y);
  return 0;
}

void sb_loop_accept(sb_workspace *work) {
  const sb_program *p = work->program;
  for (int k = 0; k < p->loop_output_count; k++) {
    work->loops.start_y[k] = work->values[p->loop_outputs[k]];
  }
}
