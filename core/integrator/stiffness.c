// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrator/stiffness_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"

/** Stages bend by more, in units of what a state may be wrong by, where they bound the step. */
static const double least_bend = 0.01;

bool sb_stiffness_init(sb_stiffness *s, int n) {
  *s = (sb_stiffness){.n = n, .on = true};
  s->y = sb_zeroed(4 * n, sizeof(double));
  s->rate = s->y + n;
  s->second = s->rate + n;
  s->second_rate = s->second + n;
  return s->y != NULL;
}

void sb_stiffness_finish(sb_stiffness *s) {
  free(s->y);
}

void sb_stiffness_keep(sb_stiffness *s, const double y[], const double rate[]) {
  memcpy(s->y, y, (size_t)s->n * sizeof *y);
  memcpy(s->rate, rate, (size_t)s->n * sizeof *rate);
}

double sb_stiffness_of_stages(const sb_stiffness *s, const sb_nominal *nominal, const double y[],
                              const double rate[]) {
  double moved = 0, answered = 0;
  for (int i = 0; i < s->n; i++) {
    double tolerance = sb_nominal_tolerance(nominal, i, y[i]);
    double dy = tolerance > 0 ? (y[i] - s->y[i]) / tolerance : 0;
    double df = tolerance > 0 ? (rate[i] - s->rate[i]) / tolerance : 0;
    moved += dy * dy;
    answered += df * df;
  }
  return moved > 0 && isfinite(answered) ? sqrt(answered / moved) : 0;
}

void sb_stiffness_keep_second(sb_stiffness *s, const double y[], const double rate[]) {
  memcpy(s->second, y, (size_t)s->n * sizeof *y);
  memcpy(s->second_rate, rate, (size_t)s->n * sizeof *rate);
}

double sb_stiffness_of_bend(const sb_stiffness *s, const sb_nominal *nominal, double ratio,
                            const double y[], const double rate[]) {
  double moved = 0, answered = 0;
  for (int i = 0; i < s->n; i++) {
    const double tolerance = sb_nominal_tolerance(nominal, i, y[i]);
    const double dy = y[i] - s->y[i] - ratio * (s->second[i] - s->y[i]);
    const double df = rate[i] - s->rate[i] - ratio * (s->second_rate[i] - s->rate[i]);
    moved += tolerance > 0 ? dy / tolerance * (dy / tolerance) : 0;
    answered += tolerance > 0 ? df / tolerance * (df / tolerance) : 0;
  }
  return moved > least_bend * least_bend && isfinite(answered) ? sqrt(answered / moved) : 0;
}

double sb_stiffness_of_jacobian(sb_stiffness *s, const sb_nominal *nominal,
                                const sb_jacobian *jacobian, const double y[]) {
  double *sum = s->rate, largest = 0;
  memset(sum, 0, (size_t)s->n * sizeof *sum);
  for (int i = 0; i < s->n; i++) {
    s->y[i] = sb_nominal_tolerance(nominal, i, y[i]);
  }
  for (int c = 0; c < jacobian->n; c++) {
    for (int k = jacobian->column_first[c]; k < jacobian->column_first[c + 1]; k++) {
      sum[jacobian->row[k]] += fabs(jacobian->value[k]) * s->y[c];
    }
  }
  for (int i = 0; i < s->n; i++) {
    largest = s->y[i] > 0 ? fmax(largest, sum[i] / s->y[i]) : largest;
  }
  return isfinite(largest) ? largest : 0;
}
