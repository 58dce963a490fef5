// SPDX-License-Identifier: GPL-3.0-or-later
// The Jacobian of a loop, J = I - S A with the slopes S of its hooks, and what its rows are known to.
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/loop/newton_private.h"
#include "core/program/operation.h"

/** What the rounding of a hook's inputs, which are sums, counts beside that of its outputs at least; in a loop of one output, as a
 *  law that is all but shorted has, up to this slope of the loop: beyond it an input has lost most of its digits. */
static const double input_fraction = 0.1, steepest_loop = 1e10;
/** Through so many rates noise is followed. */
enum { CHAIN = 3 };
/** Stands for a slope that is not finite, as a multiple of output by input. */
static const double steepest = 1e12;

/** A sum to which `count` terms are added is rounded by up to count eps/2 of their absolute values (Higham, Accuracy and Stability of Numerical
 *  Algorithms, 2002, section 4.2).  @return that as a fraction of what is rounding of a residual */
static double fraction_of_sum(int count) {
  return fmax(input_fraction, count * (0.5 * DBL_EPSILON / sb_newton_rounding));
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
