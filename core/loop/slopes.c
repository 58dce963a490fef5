// SPDX-License-Identifier: GPL-3.0-or-later
// The Jacobian of a loop, J = I - S A with the slopes S of its hooks, equilibrated and in factors.
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/linalg/dense.h"
#include "core/loop/newton_private.h"
#include "core/program/operation.h"

/** A pivot below this fraction is zero, as slopes by differences tell it. */
static const double pivot_fraction = 1e-8;
/** What the rounding of a hook's inputs, which are sums, counts beside that of its outputs at least; in a loop of one output, as a
 *  law that is all but shorted has, up to this slope of the loop: beyond it an input has lost most of its digits. */
static const double input_fraction = 0.1, steepest_loop = 1e10;
/** Step of differences of what kinds measure, as a fraction of the input, or of 1 in SI. */
static const double measured_step = 1e-3;
/** Through so many rates noise is followed. */
enum { CHAIN = 3 };
/** Stands for a slope that is not finite, as a multiple of output by input. */
static const double steepest = 1e12;
/** A pivot below this fraction is that of a fold close by; a law that rises gives one near 1. */
static const double fold_pivot = 0.3;

/** A sum to which `count` terms are added is rounded by up to count eps/2 of their absolute values (Higham, Accuracy and Stability of Numerical
 *  Algorithms, 2002, section 4.2).  @return that as a fraction of what is rounding of a residual */
static double fraction_of_sum(int count) {
  return fmax(input_fraction, count * (0.5 * DBL_EPSILON / sb_newton_rounding));
}

/** The slope of a law of one input, as its kind states it; not a number where it does not. */
static double slope_of_law(const sb_newton *n, const sb_loop_hook *hook, int input, double u) {
  const sb_instance *instance = &n->work->network->instances[hook->op.instance];
  const sb_dissipation_hooks *law = instance->type->dissipation;
  if (hook->op.kind != SB_OP_LAW || law->slope == NULL || hook->output_count != 1 ||
      n->inputs[input] != instance->in) {
    return NAN;
  }
  sb_at at = sb_at_instance(n->work, instance, n->t, n->x);
  at.in = &u;
  return law->slope(instance->self, &at, at.assigned);
}

/** Those of the acceleration of a storage, which an impulse tells. @return false: it is none, or the input no force */
static bool slopes_of_acceleration(const sb_newton *n, const sb_loop_hook *hook, int input,
                                   double s[]) {
  const sb_instance *instance = &n->work->network->instances[hook->op.instance];
  int own = n->inputs[input] - instance->in;
  if (hook->op.kind != SB_OP_OUTPUT_DOT || !sb_instance_accelerates(instance) || own < 0 ||
      own >= instance->components) {
    return false;
  }
  sb_at at = sb_at_instance(n->work, instance, n->t, n->x);
  sb_newton inner = *n;
  double *w = sb_newton_take(&inner, instance->components);
  memset(w, 0, (size_t)instance->components * sizeof *w);
  w[own] = 1;
  return instance->type->storage->constraints.acceleration->impulse(instance->self, &at, w, NULL,
                                                                    NULL, s) == 0;
}

/** Adds what the rounding of accelerations is a fraction of beside their inputs, to those of their outputs. */
static void add_acceleration(const sb_newton *n, const sb_loop_hook *hook, double noise[]) {
  const sb_instance *instance = &n->work->network->instances[hook->op.instance];
  if (hook->op.kind != SB_OP_OUTPUT_DOT || !sb_instance_accelerates(instance) ||
      instance->type->storage->constraints.acceleration->terms == NULL) {
    return;
  }
  const sb_at at = sb_at_instance(n->work, instance, n->t, n->x);
  const int first = sb_rate_value(n->work->network, instance->out);
  sb_newton inner = *n;
  double *size = sb_newton_take(&inner, instance->components);
  instance->type->storage->constraints.acceleration->terms(instance->self, &at, size);
  for (int k = 0; k < hook->output_count; k++) {
    noise[k] += size[n->outputs[hook->first_output + k] - first];
  }
}

/** Adds what the rounding of a measured number is a fraction of: the vector that it is one number of. */
static void add_measured(const sb_newton *n, const sb_loop_hook *hook, double noise[]) {
  if (hook->op.kind == SB_OP_MEASURE) {
    const sb_network *network = n->work->network;
    const sb_at at = sb_at_instance(n->work, &network->instances[hook->op.instance], n->t, n->x);
    double size;
    (void)sb_sensor_measure(network, &network->sensors[hook->op.count], &at, n->work->values,
                            &size);
    noise[0] += size;
  }
}

/** Adds what the rounding of signals and sources is a fraction of beside that of what they read: the terms of their own expressions. In k (w - v - d)
 *  v is 1e-14 V behind the edge of a dead zone, and all of that is the rounding of w and d. */
static void add_stated(const sb_newton *n, const sb_loop_hook *hook, const double u[],
                       double noise[]) {
  const sb_instance *instance = &n->work->network->instances[hook->op.instance];
  const sb_signal_hooks *signal = hook->op.kind == SB_OP_SIGNAL ? instance->type->signal : NULL;
  const sb_source_hooks *source = hook->op.kind == SB_OP_VALUE ? instance->type->source : NULL;
  void (*terms)(const void *, const sb_at *, double[]) = signal != NULL   ? signal->terms
                                                         : source != NULL ? source->terms
                                                                          : NULL;
  if (terms == NULL) {
    return;
  }
  const sb_at at = sb_at_instance(n->work, instance, n->t, n->x);
  sb_newton inner = *n;
  double *size = sb_newton_take(&inner, hook->output_count);
  sb_newton_feed(n, hook, u); // hooks before have been run beside it
  terms(instance->self, &at, size);
  for (int k = 0; k < hook->output_count; k++) {
    noise[k] += isfinite(size[k]) ? input_fraction * size[k] : 0;
  }
}

void sb_newton_add_terms(const sb_newton *n, double size[]) {
  for (int h = 0; h < n->loop->count; h++) {
    if (!sb_newton_is_condition(&n->hooks[h])) {
      add_acceleration(n, &n->hooks[h], size + n->hooks[h].first_output);
      add_measured(n, &n->hooks[h], size + n->hooks[h].first_output);
    }
  }
}

/** The chord from zero of a law that has run at u; where it has none, as at zero, that of the terms of u, or of any number. The mean of that and the
 *  one before: of f |f| under a given pressure each chord alone would lead back to the one before. */
static double chord(const sb_newton *n, const sb_loop_hook *hook, double u[], int input,
                    double terms) {
  const double *value = &n->work->values[n->outputs[hook->first_output]], own = u[input];
  const double tries[] = {own, terms, 1}, before = n->chords[input];
  double s = *value / own;
  for (int i = 1; i < 3 && !(s > 0 && isfinite(s)); i++) {
    u[input] = tries[i];
    s = sb_newton_run(n, hook, u) == 0 ? *value / tries[i] : NAN;
  }
  u[input] = own;
  (void)sb_newton_run(n, hook, u);
  n->chords[input] = before > 0 ? sqrt(before) * sqrt(s) : s;
  return n->chords[input];
}

void sb_newton_slopes(const sb_newton *n, const sb_loop_hook *hook, double u[], int input,
                      double terms, double s[]) {
  const bool laws = n->chords != NULL && n->rows[input].count > 0;
  if (n->tangents != NULL && n->tangents[input] > 0) {
    s[0] = n->tangents[input];
    return;
  }
  s[0] = laws ? chord(n, hook, u, input, terms) : slope_of_law(n, hook, input, u[input]);
  if (isfinite(s[0]) || slopes_of_acceleration(n, hook, input, s)) {
    return;
  }
  double middle = u[input], h = 6e-6 * fmax(fabs(middle), 1e-6);
  if (hook->op.kind == SB_OP_MEASURE) { // forces and velocities are linear in those of the ports
    h = measured_step * fmax(fmax(fabs(middle), terms), 1);
  }
  h = isinf(s[0]) && terms > 0 ? terms : n->linear ? fmax(fabs(middle), 1) : h;
  const int *outputs = n->outputs + hook->first_output;
  u[input] = middle + h;
  (void)sb_newton_run(n, hook, u);
  for (int k = 0; k < hook->output_count; k++) {
    s[k] = n->work->values[outputs[k]];
  }
  u[input] = middle - h;
  (void)sb_newton_run(n, hook, u);
  u[input] = middle;
  sb_newton_feed(n, hook, u); // who asks for sizes at the inputs asks for those of u
  for (int k = 0; k < hook->output_count; k++) {
    s[k] = (s[k] - n->work->values[outputs[k]]) / (2 * h);
  }
}

static double steep(double output, double input) {
  return steepest * (output > 0 && input > 0 ? output / input : 1);
}

/** The slope of a loop of one output through one of its inputs. */
static double slope_of_loop(const sb_newton *n, int input, double slope) {
  const sb_loop_row *row = &n->rows[input];
  return row->count > 0 ? slope * n->terms[row->first].factor : 0;
}

/** The row of a condition, 0 = u. */
static void fill_condition(const sb_newton *n, const sb_loop_hook *hook, double j[]) {
  const sb_loop_row *row = &n->rows[hook->first_input];
  memset(j, 0, (size_t)n->m * sizeof *j);
  for (int i = 0; i < row->count; i++) {
    j[n->terms[row->first + i].column] = n->terms[row->first + i].factor;
  }
}

/** Adds the noise that rates have from other outputs, over their slopes j: the rate of a source that is moved by a signal of a small
 *  difference of large forces is known to the rounding of these, and so is what reads the source. */
static void hand_on(const sb_newton *n, sb_newton_point *p, double given[], double next[]) {
  const int m = n->m;
  memcpy(given, p->noise, (size_t)m * sizeof *given);
  for (int level = 0; level < CHAIN; level++) {
    memset(next, 0, (size_t)m * sizeof *next);
    for (int h = 0; h < n->loop->count; h++) {
      const sb_loop_hook *hook = &n->hooks[h];
      for (int q = hook->first_output;
           q < hook->first_output + hook->output_count && sb_operations[hook->op.kind].dot; q++) {
        for (int c = 0; c < m; c++) {
          next[q] += c == q ? 0 : fabs(n->matrix[q * m + c]) * given[c];
        }
        p->noise[q] += next[q];
      }
    }
    memcpy(given, next, (size_t)m * sizeof *given);
  }
}

void sb_newton_fill(const sb_newton *n, sb_newton_point *p) {
  sb_newton own = *n;
  n = &own;
  int m = n->m;
  double *s = sb_newton_vector(&own), *given = sb_newton_vector(&own), *j = n->matrix;
  memset(j, 0, (size_t)(m * m) * sizeof *j);
  memset(p->noise, 0, (size_t)m * sizeof *p->noise);
  for (int k = 0; k < m; k++) {
    j[k * m + k] = 1;
    p->row[k] = 1;
  }
  sb_newton_add_terms(n, p->noise);
  for (int h = 0; h < n->loop->count; h++) {
    const sb_loop_hook *hook = &n->hooks[h];
    if (sb_newton_is_condition(hook)) {
      fill_condition(n, hook, j + hook->first_output * m);
      continue;
    }
    add_stated(n, hook, p->u, p->noise + hook->first_output);
    for (int i = hook->first_input; i < hook->first_input + hook->input_count; i++) {
      const sb_loop_term *terms_of = n->terms + n->rows[i].first;
      const int count = n->rows[i].count;
      if (count == 0 && n->linear) {
        continue;
      }
      sb_newton_slopes(n, hook, p->u, i, p->terms[i], s);
      bool known = m > 1 || fabs(slope_of_loop(n, i, s[0])) <= steepest_loop;
      double terms = known ? fraction_of_sum(count) * p->terms[i] : 0;
      for (int k = 0; k < hook->output_count; k++) {
        int q = hook->first_output + k;
        p->noise[q] += isfinite(s[k]) ? fabs(s[k]) * terms : 0;
        s[k] = isfinite(s[k]) ? s[k] : steep(p->size[q], p->terms[i]);
        for (int c = 0; c < count; c++) {
          double entry = s[k] * terms_of[c].factor;
          j[q * m + terms_of[c].column] -= entry;
          p->row[q] += fabs(entry);
        }
      }
    }
  }
  hand_on(n, p, given, s);
  memcpy(given, p->noise, (size_t)m * sizeof *given);
  for (int h = 0; h < n->loop->count; h++) { // conditions inherit noise from the outputs of hooks
    const sb_loop_hook *hook = &n->hooks[h];
    int q = hook->first_output;
    for (int c = 0; c < m && sb_newton_is_condition(hook); c++) {
      p->noise[q] += fabs(j[q * m + c]) * given[c];
      p->row[q] = fmax(c == 0 ? 0 : p->row[q], fabs(j[q * m + c]));
    }
  }
}

/** Divides each row by the sum of the absolute values of its terms, each column by its largest. */
static void equilibrate(const sb_newton *n, sb_newton_point *p) {
  int m = n->m;
  memset(p->column, 0, (size_t)m * sizeof *p->column);
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

/** Scales anew by the means of rows and columns, which finds the units of chains of them too: unknowns of units far
 *  apart (a torque of 1e12 N m beside an angular velocity of 1e-12 rad/s) are no singular Jacobian. */
static void equilibrate_again(const sb_newton *n, sb_newton_point *p) {
  int m = n->m;
  sb_newton own = *n;
  double *row = sb_newton_vector(&own), *column = sb_newton_vector(&own);
  memset(row, 0, (size_t)m * sizeof *row);
  memset(column, 0, (size_t)m * sizeof *column);
  sb_equilibrate(n->matrix, m, m, m, row, column);
  for (int k = 0; k < m; k++) {
    p->row[k] = ldexp(p->row[k], -(int)lrint(row[k]));
    p->column[k] /= column[k];
  }
}

/** Whether an entry that is less than a rounding of those beside it is left: of a ratio cos(a) at a = pi/2, or of units far apart. */
static bool has_faint_entry(const sb_newton *n) {
  bool any = false;
  for (int i = 0; i < n->m * n->m && !any; i++) {
    any = n->matrix[i] != 0 && fabs(n->matrix[i]) < DBL_EPSILON;
  }
  return any;
}

static int rank_of(const sb_newton *n) {
  int order[SB_LOOP_MAX];
  sb_newton own = *n;
  double *none = sb_newton_vector(&own), *scratch = sb_newton_vector(&own);
  memset(none, 0, (size_t)n->m * sizeof *none);
  memcpy(n->lu, n->matrix, (size_t)(n->m * n->m) * sizeof *n->lu);
  return sb_solve_least_norm(n->lu, none, n->m, n->m, pivot_fraction, order, scratch);
}

/** Scales by largest entries again where the means have lost rank: these count an entry that is nothing but rounding like any other. */
static void keep_rank(const sb_newton *n, sb_newton_point *p) {
  const int rank = rank_of(n);
  sb_newton_fill(n, p);
  equilibrate(n, p);
  if (rank_of(n) <= rank) {
    equilibrate_again(n, p);
  }
}

static bool factor_once(const sb_newton *n, sb_newton_point *p, double least) {
  memcpy(n->lu, n->matrix, (size_t)(n->m * n->m) * sizeof *n->lu);
  return sb_lu_factor(n->lu, n->m, least, p->pivots) == n->m;
}

bool sb_newton_factor(const sb_newton *n, sb_newton_point *p, bool *regular) {
  sb_newton_fill(n, p);
  equilibrate(n, p);
  p->shared = false;
  bool well = factor_once(n, p, pivot_fraction);
  const bool faint = !well && has_faint_entry(n);
  if (!well && n->m > 1) {
    equilibrate_again(n, p);
    well = factor_once(n, p, pivot_fraction);
  }
  for (int h = 0; h < n->loop->count && !well; h++) {
    p->shared = p->shared || sb_newton_is_condition(&n->hooks[h]);
  }
  if (p->shared && faint) {
    keep_rank(n, p);
  }
  well = well || p->shared;
  if (regular != NULL) {
    *regular = well;
  }
  return well || factor_once(n, p, 0);
}

/** Constraints that state one thing twice make J singular in their multipliers: of all solutions, which agree in
 *  what they do together, one is taken that does not depend on the last: d = y - z with J z = J y - r. Its rounding is that of all
 *  unknowns together. */
static void correct_shared(const sb_newton *n, sb_newton_point *p, const double y[],
                           const double r[], double d[]) {
  int m = n->m, order[SB_LOOP_MAX];
  sb_newton own = *n;
  double *z = sb_newton_vector(&own), *scratch = sb_newton_vector(&own), size = 0;
  for (int i = 0; i < m; i++) {
    z[i] = -r[i] / p->row[i];
    for (int k = 0; k < m; k++) {
      z[i] += n->matrix[i * m + k] * p->column[k] * y[k];
    }
  }
  memcpy(n->lu, n->matrix, (size_t)(m * m) * sizeof *n->lu);
  double *null = n->lu + m * m;
  const int open =
      m - sb_solve_least_norm_open(n->lu, z, m, m, pivot_fraction, order, scratch, null);
  sb_newton_share_evenly(&own, p, null, open, z);
  for (int k = 0; k < m; k++) {
    d[k] = y[k] - z[k] / p->column[k];
    size += fabs(z[k]);
  }
  for (int i = 0; i < m; i++) {
    p->noise[i] += p->row[i] * size;
  }
}

void sb_newton_correct(const sb_newton *n, sb_newton_point *p, const double y[], const double r[],
                       double d[]) {
  if (p->shared) {
    correct_shared(n, p, y, r, d);
    return;
  }
  for (int k = 0; k < n->m; k++) {
    d[k] = r[k] / p->row[k];
  }
  sb_lu_solve(n->lu, n->m, p->pivots, d, 1);
  for (int k = 0; k < n->m; k++) {
    d[k] /= p->column[k];
  }
}

bool sb_newton_regular(const sb_newton *n, const double y[], bool *shared) {
  sb_newton own = *n;
  sb_newton_point p = sb_newton_point_take(&own);
  double *at = sb_newton_vector(&own);
  bool regular = false;
  memcpy(at, y, (size_t)n->m * sizeof *at);
  bool solvable = sb_newton_at(&own, at, &p) == 0 && sb_newton_factor(&own, &p, &regular);
  *shared = p.shared;
  return solvable && regular;
}

int sb_newton_orientation(const sb_newton *n, const sb_newton_point *p) {
  int sign = 1;
  for (int k = 0; k < n->m; k++) {
    sign = (n->lu[k * n->m + k] < 0) != (p->pivots[k] != k) ? -sign : sign;
  }
  return sign;
}

bool sb_newton_steep(const sb_newton *n, const double y[]) {
  sb_newton own = *n;
  double *at = sb_newton_vector(&own), *s = sb_newton_vector(&own);
  sb_newton_point p = sb_newton_point_take(&own);
  bool steep = false;
  memcpy(at, y, (size_t)n->m * sizeof *at);
  if (n->m > 1 || n->loop->count > 1 || sb_newton_is_condition(n->hooks) ||
      sb_newton_at(&own, at, &p) != 0) {
    return false;
  }
  for (int i = 0; i < n->loop->input_count; i++) {
    sb_newton_slopes(&own, n->hooks, p.u, i, p.terms[i], s);
    steep = steep || !(fabs(slope_of_loop(n, i, s[0])) <= steepest_loop);
  }
  return steep;
}

bool sb_newton_fold(const sb_newton *n, const double y[]) {
  sb_newton own = *n;
  double *at = sb_newton_vector(&own);
  sb_newton_point p = sb_newton_point_take(&own);
  memcpy(at, y, (size_t)n->m * sizeof *at);
  bool fold = sb_newton_at(&own, at, &p) == 0 && !sb_newton_factor(&own, &p, NULL);
  for (int k = 0; k < n->m && !fold; k++) {
    fold = fabs(n->lu[k * n->m + k]) < fold_pivot;
  }
  return fold;
}
