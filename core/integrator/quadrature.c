// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrator/quadrature_private.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/wide.h"

bool sb_quadrature_init(sb_quadrature *q, int count, const sb_weights *w) {
  *q = (sb_quadrature){.count = count, .stages = w->stages, .stage = -1};
  q->time = sb_zeroed(3 * w->stages, sizeof(double));
  q->sum = sb_zeroed(2 * count, sizeof(double));
  q->powers = calloc((size_t)w->stages * (size_t)count + 1, sizeof(double));
  q->power = sb_zeroed(w->stages, sizeof(double *));
  if (q->time == NULL || q->sum == NULL || q->powers == NULL || q->power == NULL) {
    return false;
  }
  q->weight = q->time + w->stages;
  q->error_weight = q->weight + w->stages;
  q->growth = q->sum + count;
  q->first_at_start = w->c[0] == 0;
  for (int k = 0; k < w->stages; k++) {
    q->time[k] = w->c[k];
    q->weight[k] = w->b[k];
    q->error_weight[k] = w->d != NULL ? w->b[k] - w->d[k] : 0;
    q->first_at_start = q->first_at_start && (k == 0 || w->c[k] != 0);
    if (q->weight[k] != 0 || q->error_weight[k] != 0) {
      q->power[k] = q->powers + (size_t)k * (size_t)count;
      q->last = k;
    }
  }
  assert(w->d == NULL || q->error_weight[q->last] != 0); // true of all tables offered
  return true;
}

void sb_quadrature_finish(sb_quadrature *q) {
  free(q->time);
  free(q->sum);
  free(q->powers);
  free(q->power);
}

void sb_quadrature_reset(sb_quadrature *q, const double sum[]) {
  if (q->count > 0) { // a model without quadratures has no array
    memcpy(q->sum, sum, (size_t)q->count * sizeof *sum);
  }
  q->stage = -1;
}

enum { BLOCK = 256 };

/** sum += b P and error += h (b - d) P of one stage. */
SB_INLINE void add_stage(double b, double e, const double *restrict power, double *restrict sum,
                         double *restrict error, int n) {
  for (int i = 0; i < n; i++) {
    sum[i] += b * power[i];
    error[i] += e * power[i];
  }
}

/** The same of two stages. */
SB_INLINE void add_stages(const double b[2], const double e[2], const double *restrict power,
                          const double *restrict next, double *restrict sum, double *restrict error,
                          int n) {
  const double b0 = b[0], b1 = b[1], e0 = e[0], e1 = e[1];
  for (int i = 0; i < n; i++) {
    sum[i] = (sum[i] + b0 * power[i]) + b1 * next[i];
    error[i] = (error[i] + e0 * power[i]) + e1 * next[i];
  }
}

SB_INLINE void compare(double error, double tolerance, double *worst, double *poison) {
  double fraction = fabs(error) / (tolerance > 0 ? tolerance : HUGE_VAL);
  *worst = fraction > *worst ? fraction : *worst;
  *poison += 0 * error;
}

SB_INLINE double worst_of(const double *restrict size, const double *restrict error, int n,
                          double rtol) {
  double worst[4] = {0, 0, 0, 0}, poison[4] = {0, 0, 0, 0};
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    SB_LANES
    for (int k = 0; k < 4; k++) {
      compare(error[i + k], rtol * size[i + k], &worst[k], &poison[k]);
    }
  }
  for (; i < n; i++) {
    compare(error[i], rtol * size[i], &worst[0], &poison[0]);
  }
  return poison[0] + poison[1] + (poison[2] + poison[3]) == 0
             ? sb_larger(sb_larger(worst[0], worst[1]), sb_larger(worst[2], worst[3]))
             : HUGE_VAL;
}

/** All stages of quadratures `first` to first + n, two at a time.  @param error  (n) in, out */
SB_INLINE void add_all(const sb_quadrature *q, double h, int first, int n, double error[]) {
  double *sum = q->growth + first;
  int other = -1;
  for (int k = 0; k < q->stages; k++) {
    if (q->power[k] == NULL) {
      continue;
    }
    if (other < 0) {
      other = k;
      continue;
    }
    const double b[] = {q->weight[other], q->weight[k]};
    const double e[] = {h * q->error_weight[other], h * q->error_weight[k]};
    add_stages(b, e, q->power[other] + first, q->power[k] + first, sum, error, n);
    other = -1;
  }
  if (other >= 0) {
    add_stage(q->weight[other], h * q->error_weight[other], q->power[other] + first, sum, error, n);
  }
}

SB_WIDE double sb_quadrature_close(sb_quadrature *q, double h, const double size[], double rtol) {
  double error[BLOCK], worst = 0;
  memset(q->growth, 0, (size_t)q->count * sizeof *q->growth);
  for (int first = 0; first < q->count; first += BLOCK) {
    int n = q->count - first < BLOCK ? q->count - first : BLOCK;
    memset(error, 0, (size_t)n * sizeof *error);
    add_all(q, h, first, n, error);
    worst = sb_larger(worst, worst_of(size + first, error, n, rtol));
  }
  return worst;
}

SB_WIDE void sb_quadrature_accept(sb_quadrature *q, double h) {
  double *restrict sum = q->sum;
  const double *restrict growth = q->growth;
  for (int i = 0, n = q->count; i < n; i++) {
    sum[i] += h * growth[i];
  }
}

SB_WIDE double sb_quadrature_rate(const sb_quadrature *q, const double power[], const double size[],
                                  double rtol) {
  return worst_of(size, power, q->count, rtol);
}
