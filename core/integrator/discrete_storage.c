// SPDX-License-Identifier: GPL-3.0-or-later
// Discrete gradients of storages with hooks, with d = x1 - x0 and g = grad H (Gonzalez 1996; McLachlan,
// Quispel, Robidoux 1999):
//   midpoint    DH = g(xm) + (H(x1) - H(x0) - g(xm).d) / |d|^2 d
//   mean value  DH = integral of g(x0 + s d) ds from 0 to 1, by a Gauss rule
// For one state both are (H(x1) - H(x0)) / d. The difference of energies cancels as d becomes small;
// there the integral of g.d by the same Gauss rule is exact to rounding of itself, and is used. The
// mean value is corrected as the other form wherever the two differ by more than rounding (kinks,
// very long steps), so that the chain rule holds for both.
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/integrator/discrete_gradient_private.h"

const double sb_energy_rounding = 16 * DBL_EPSILON;

/** Gauss and Legendre's rule of order 16 on [-1, 1]: half of its points and weights. */
enum { GAUSS_HALF = 4 };
static const double gauss_point[GAUSS_HALF] = {0.18343464249564980494, 0.52553240991632898582,
                                               0.79666647741362673959, 0.96028985649753623168};
static const double gauss_weight[GAUSS_HALF] = {0.36268378337836198297, 0.31370664587788728734,
                                                0.22238103445337447054, 0.10122853629037625915};

/** x0 + (1 + z)/2 d of a storage's states, z in [-1, 1]. */
static void point_at(const double x0[], const double d[], double z, int n, double x[]) {
  for (int i = 0; i < n; i++) {
    x[i] = x0[i] + 0.5 * (1 + z) * d[i];
  }
}

/** The same at a point of the Gauss rule. */
static void gauss_point_at(const double x0[], const double d[], int k, int n, double x[]) {
  point_at(x0, d, k % 2 == 0 ? gauss_point[k / 2] : -gauss_point[k / 2], n, x);
}

/** dH/dx of a storage with hooks, which is its output where its states integrate its inputs. */
static int gradient_of(const sb_instance *instance, const sb_at *at, double g[]) {
  const sb_storage_hooks *hooks = instance->type->storage;
  return hooks->structure != NULL ? hooks->structure->gradient(instance->self, at, g)
                                  : hooks->output(instance->self, at, g);
}

/** The average of the gradient over the step; g and x are scratch. */
static int average(const sb_instance *instance, sb_at at, const double x0[], const double d[],
                   double x[], double g[], double mean[]) {
  int n = instance->layout.states;
  memset(mean, 0, (size_t)n * sizeof *mean);
  at.x = x;
  for (int k = 0; k < 2 * GAUSS_HALF; k++) {
    gauss_point_at(x0, d, k, n, x);
    if (gradient_of(instance, &at, g) != 0) {
      return -1;
    }
    for (int i = 0; i < n; i++) {
      mean[i] += 0.5 * gauss_weight[k / 2] * g[i];
    }
  }
  return 0;
}

/** The sum of the absolute values of the terms of the energies at both ends. */
static double terms_of(const sb_instance *instance, sb_at at, const double x0[], const double d[],
                       double x[]) {
  double size = 0;
  for (int end = 0; end < 2; end++) {
    point_at(x0, d, 2 * end - 1, instance->layout.states, x);
    at.x = x;
    size += instance->type->storage->audit.terms(instance->self, &at);
  }
  return isfinite(size) ? size : 0;
}

/** H(x1) - H(x0), or the integral of the gradient where the two agree to rounding. */
static double energy_change(const sb_instance *instance, sb_at at, const double x0[],
                            const double d[], double x[], double integral) {
  const sb_storage_hooks *storage = instance->type->storage;
  double h[2], size = 0;
  for (int end = 0; end < 2; end++) {
    point_at(x0, d, end == 0 ? -1 : 1, instance->layout.states, x);
    at.x = x;
    h[end] = storage->energy(instance->self, &at);
    size += fabs(h[end]);
  }
  double change = h[1] - h[0];
  double difference = fabs(change - integral);
  bool same = difference <= sb_energy_rounding * size ||
              (storage->audit.terms != NULL &&
               difference <= sb_energy_rounding * terms_of(instance, at, x0, d, x));
  return same ? integral : change;
}

/** The discrete gradient, y (states). */
static int discrete_gradient(sb_discrete *s, const sb_instance *instance, double t,
                             const double x[], double y[]) {
  int n = instance->layout.states;
  const double *x0 = s->x0 + instance->state, *xm = x + instance->state;
  double *d = s->scratch, *point = d + n, *g = point + n, *mean = g + n;
  sb_at at = sb_at_instance(s->work, instance, t, x);
  for (int i = 0; i < n; i++) {
    d[i] = 2 * (xm[i] - x0[i]);
  }
  if (average(instance, at, x0, d, point, g, mean) != 0 || gradient_of(instance, &at, y) != 0) {
    return -1;
  }
  double integral = sb_discrete_dot(mean, d, n), length = sb_discrete_dot(d, d, n);
  double change = energy_change(instance, at, x0, d, point, integral);
  if (s->form == SB_GRADIENT_MEAN_VALUE || n == 1) {
    memcpy(y, mean, (size_t)n * sizeof *y);
  }
  double factor = length > DBL_MIN ? (change - sb_discrete_dot(y, d, n)) / length : 0;
  for (int i = 0; i < n; i++) {
    y[i] += factor * d[i];
  }
  return 0;
}

int sb_discrete_output(sb_discrete *s, const sb_instance *instance, double t, const double x[],
                       double y[]) {
  const sb_storage_hooks *hooks = instance->type->storage;
  if (hooks->structure == NULL) {
    return discrete_gradient(s, instance, t, x, y);
  }
  const sb_at at = sb_at_instance(s->work, instance, t, x);
  const int status = discrete_gradient(s, instance, t, x, s->gradients + instance->state);
  return status == 0 && hooks->output(instance->self, &at, y) == 0
             ? sb_discrete_act(s, instance, t, x, y, NULL)
             : -1;
}

/** The average of K u over the step, K the Hessian. */
static int average_rate(const sb_instance *instance, sb_at at, const double x0[], const double d[],
                        double x[], double ydot[]) {
  double K[SB_HESSIAN_MAX * SB_HESSIAN_MAX];
  int n = instance->components;
  memset(ydot, 0, (size_t)n * sizeof *ydot);
  at.x = x;
  for (int k = 0; k < 2 * GAUSS_HALF; k++) {
    gauss_point_at(x0, d, k, n, x);
    if (instance->type->storage->constraints.hessian(instance->self, &at, K) != 0) {
      return -1;
    }
    for (int i = 0; i < n * n; i++) {
      ydot[i / n] += 0.5 * gauss_weight[k / 2] * K[i] * at.in[i % n];
    }
  }
  return 0;
}

int sb_discrete_output_rate(sb_discrete *s, const sb_instance *instance, double t, const double x[],
                            double ydot[]) {
  if (sb_discrete_structured(instance)) {
    return sb_discrete_structure_rate(s, instance, t, x, ydot);
  }
  int n = instance->components;
  const double *x0 = s->x0 + instance->state;
  double *d = s->scratch, *point = d + n, *end = point + n, *start = end + n;
  sb_at at = sb_at_instance(s->work, instance, t, x);
  const sb_storage_hooks *hooks = instance->type->storage;
  for (int i = 0; i < n; i++) {
    d[i] = s->h * at.in[i];
  }
  if (average_rate(instance, at, x0, d, point, ydot) != 0) {
    return -1;
  }
  at.x = point;
  point_at(x0, d, 1, n, point);
  if (hooks->output(instance->self, &at, end) != 0) {
    return -1;
  }
  point_at(x0, d, -1, n, point);
  if (hooks->output(instance->self, &at, start) != 0) {
    return -1;
  }
  for (int i = 0; i < n; i++) {
    double change = end[i] - start[i], size = fabs(end[i]) + fabs(start[i]);
    bool same = fabs(change - s->h * ydot[i]) <= sb_energy_rounding * size;
    ydot[i] = same ? ydot[i] : change / s->h;
  }
  return 0;
}
