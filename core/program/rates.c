// SPDX-License-Identifier: GPL-3.0-or-later
// The loops of a program over rows and products of like shape, and over those that are in no run.
#include "core/base/wide.h"
#include "core/program/program.h"

/** A band with a number of terms known to the compiler. */
SB_INLINE void run_band(const sb_rate_band *band, const double *restrict factor,
                        const double *restrict x, double *restrict xdot, int terms) {
  const double *restrict x0 = x + band->index[0];
  const double *restrict x1 = x + band->index[terms > 1 ? 1 : 0];
  const double *restrict x2 = x + band->index[terms > 2 ? 2 : 0];
  double *restrict out = xdot + band->dest;
  const double *restrict a = factor;
  int n = band->count;
  if (band->uniform) {
    double a0 = a[0], b0 = a[1], a1 = terms > 1 ? a[2] : 0, b1 = terms > 1 ? a[3] : 0;
    double a2 = terms > 2 ? a[4] : 0, b2 = terms > 2 ? a[5] : 0;
    for (int r = 0; r < n; r += 2) {
      double even = a0 * x0[r], odd = b0 * x0[r + 1];
      even += terms > 1 ? a1 * x1[r] : 0;
      odd += terms > 1 ? b1 * x1[r + 1] : 0;
      even += terms > 2 ? a2 * x2[r] : 0;
      odd += terms > 2 ? b2 * x2[r + 1] : 0;
      out[r] = even;
      out[r + 1] = odd;
    }
    return;
  }
  for (int r = 0; r < n; r++) {
    double sum = a[r] * x0[r];
    sum += terms > 1 ? a[n + r] * x1[r] : 0;
    sum += terms > 2 ? a[2 * n + r] * x2[r] : 0;
    out[r] = sum;
  }
}

SB_INLINE void run_bands(const sb_program *p, const double *restrict x, double *restrict xdot) {
  for (int i = 0; i < p->band_count; i++) {
    const sb_rate_band *band = &p->bands[i];
    const double *factor = p->band_factor + band->first;
    switch (band->terms) {
    case 1:
      run_band(band, factor, x, xdot, 1);
      break;
    case 2:
      run_band(band, factor, x, xdot, 2);
      break;
    default:
      run_band(band, factor, x, xdot, 3);
    }
  }
}

/** One run with a stride and a number of terms known to the compiler. */
SB_INLINE void run_rows(const sb_rate_run *run, const double *restrict factor,
                        const double *restrict x, double *restrict xdot, int terms, int stride) {
  const double *restrict a = factor + run->first;
  const double *restrict x0 = x + run->index[0];
  const double *restrict x1 = x + run->index[terms > 1 ? 1 : 0];
  const double *restrict x2 = x + run->index[terms > 2 ? 2 : 0];
  double *restrict out = xdot + run->dest;
  int n = run->count;
  if (run->uniform) {
    double a0 = a[0], a1 = terms > 1 ? a[1] : 0, a2 = terms > 2 ? a[2] : 0;
    for (int r = 0; r < n; r++) {
      double sum = a0 * x0[r * stride];
      sum += terms > 1 ? a1 * x1[r * stride] : 0;
      sum += terms > 2 ? a2 * x2[r * stride] : 0;
      out[r * stride] = sum;
    }
    return;
  }
  for (int r = 0; r < n; r++) {
    double sum = a[r] * x0[r * stride];
    sum += terms > 1 ? a[n + r] * x1[r * stride] : 0;
    sum += terms > 2 ? a[2 * n + r] * x2[r * stride] : 0;
    out[r * stride] = sum;
  }
}

SB_INLINE void run_runs(const sb_program *p, const double *restrict x, double *restrict xdot) {
  for (int i = 0; i < p->run_count; i++) {
    const sb_rate_run *run = &p->runs[i];
    switch (run->stride == 2 ? run->terms : -run->terms) {
    case 1:
      run_rows(run, p->rate_factor, x, xdot, 1, 2);
      break;
    case 2:
      run_rows(run, p->rate_factor, x, xdot, 2, 2);
      break;
    case 3:
      run_rows(run, p->rate_factor, x, xdot, 3, 2);
      break;
    case -1:
      run_rows(run, p->rate_factor, x, xdot, 1, run->stride);
      break;
    case -2:
      run_rows(run, p->rate_factor, x, xdot, 2, run->stride);
      break;
    default:
      run_rows(run, p->rate_factor, x, xdot, 3, run->stride);
    }
  }
}

/** A group with a number of terms known to the compiler, where that is small. */
SB_INLINE void run_group(const sb_program *program, const sb_rate_group *group, int terms,
                         const double *restrict x, double *restrict xdot) {
  const int *restrict dest = program->rate_dest + group->first_row;
  const int *restrict i = program->rate_index + group->first_term;
  const double *restrict a = program->rate_factor + group->first_term;
  for (int r = 0; r < group->count; r++, i += terms, a += terms) {
    double sum = 0;
    for (int k = 0; k < terms; k++) {
      sum += a[k] * x[i[k]];
    }
    xdot[dest[r]] = sum;
  }
}

/** xdot of the linear storages that are in no run. */
SB_INLINE void run_groups(const sb_program *program, const double *restrict x,
                          double *restrict xdot) {
  for (int g = 0; g < program->group_count; g++) {
    const sb_rate_group *group = &program->groups[g];
    switch (group->terms) {
    case 1:
      run_group(program, group, 1, x, xdot);
      break;
    case 2:
      run_group(program, group, 2, x, xdot);
      break;
    case 3:
      run_group(program, group, 3, x, xdot);
      break;
    default:
      run_group(program, group, group->terms, x, xdot);
    }
  }
}

SB_WIDE void sb_run_rates(const sb_program *program, const double x[], double xdot[]) {
  run_bands(program, x, xdot);
  run_runs(program, x, xdot);
  run_groups(program, x, xdot);
}

SB_INLINE void run_products(const sb_product_run *run, const double *restrict factor,
                            const double *restrict a, const double *restrict b,
                            double *restrict power, int stride) {
  double *restrict out = power + run->dest, all = factor[0];
  if (run->uniform) {
    for (int r = 0; r < run->count; r++) {
      out[r] = all * a[r * stride] * b[r * stride];
    }
    return;
  }
  for (int r = 0; r < run->count; r++) {
    out[r] = factor[r] * a[r * stride] * b[r * stride];
  }
}

SB_INLINE void run_product_runs(const sb_program *p, const double x[], double power[]) {
  for (int i = 0; i < p->product_run_count; i++) {
    const sb_product_run *run = &p->product_runs[i];
    const double *factor = p->product_factor + run->first, *a = x + run->a, *b = x + run->b;
    if (run->stride == 2 && a == b) { // squares, as of the currents of resistors
      run_products(run, factor, a, a, power, 2);
    } else if (run->stride == 2) {
      run_products(run, factor, a, b, power, 2);
    } else {
      run_products(run, factor, a, b, power, run->stride);
    }
  }
}

SB_WIDE double sb_run_powers(const sb_program *program, const double *restrict x,
                             const double values[], int state_count, double *restrict power) {
  const sb_product *p = program->products;
  double poison = 0;
  run_product_runs(program, x, power);
  for (int i = 0; i < program->zero_count; i++) {
    power[program->zeros[i]] = 0;
  }
  for (int k = 0; k < program->product_count; k++) {
    const double *a = sb_product_factor(p[k].a, x, values, state_count);
    const double *b = sb_product_factor(p[k].b, x, values, state_count);
    double sum = power[p[k].dest], factor = p[k].factor;
    for (int r = 0; r < p[k].count; r++) {
      sum += factor * a[r] * b[r];
    }
    power[p[k].dest] = sum;
    poison += 0 * sum;
  }
  return poison;
}
