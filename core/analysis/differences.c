// SPDX-License-Identifier: GPL-3.0-or-later
// Differences are central, extrapolated twice (Richardson), over steps of twelve decades: state scales
// from 1e-6 C to 1e3 m are all met.
#include "core/analysis/differences_private.h"

#include <float.h>
#include <math.h>

enum { STEPS = 12, LEVELS = SB_DIFFERENCE_LEVELS };

bool sb_differences_init(sb_differences *d, sb_arena *memory) {
  d->column = sb_arena_zeroed(memory, d->rows, sizeof(double));
  d->error = sb_arena_zeroed(memory, d->rows, sizeof(double));
  d->last = sb_arena_zeroed(memory, d->rows, sizeof(double));
  for (int k = 0; k < LEVELS; k++) {
    d->plus[k] = sb_arena_zeroed(memory, d->rows, sizeof(double));
    d->minus[k] = sb_arena_zeroed(memory, d->rows, sizeof(double));
  }
  return !memory->failed;
}

static bool pair(sb_differences *d, double *variable, double h, int level) {
  double kept = *variable;
  *variable = kept + h;
  bool ok = d->evaluate(d->context, d->plus[level]);
  *variable = kept - h;
  ok = ok && d->evaluate(d->context, d->minus[level]);
  *variable = kept;
  return ok;
}

/** Takes over every entry that this step gives better than those before. An exact zero is left for
 *  any clear slope: a wide step may span a whole hump. */
static void improve(sb_differences *d, double h) {
  for (int r = 0; r < d->rows; r++) {
    double slope[LEVELS];
    for (int k = 0; k < LEVELS; k++) {
      slope[k] = (d->plus[k][r] - d->minus[k][r]) / (2 * h) * (1 << k);
    }
    double first = slope[1] + (slope[1] - slope[0]) / 3;
    double second = slope[2] + (slope[2] - slope[1]) / 3;
    double value = second + (second - first) / 15;
    double rounding = DBL_EPSILON * (fabs(d->plus[0][r]) + fabs(d->minus[0][r])) / h;
    // a tenth of the step cannot make it better by more than 1e-4: rounding that happens to agree
    double error = fmax(fabs(second - first) + 8 * rounding, 1e-5 * d->last[r]);
    d->last[r] = error;
    if (error < d->error[r] || (d->column[r] == 0 && fabs(value) > 100 * error)) {
      d->column[r] = value;
      d->error[r] = error;
    }
  }
}

bool sb_differences_take(sb_differences *d, double *variable) {
  double h = 0.1 * fmax(fabs(*variable), 1);
  bool any = false;
  for (int r = 0; r < d->rows; r++) {
    d->error[r] = HUGE_VAL;
    d->column[r] = NAN;
    d->last[r] = 0;
  }
  for (int k = 0; k < STEPS; k++, h *= 0.1) {
    volatile double moved = *variable + h; // a step that the variable can make exactly
    double step = moved - *variable;
    bool ok = true;
    for (int level = 0; ok && level < LEVELS; level++) {
      ok = pair(d, variable, step / (1 << level), level);
    }
    if (ok) {
      improve(d, step);
      any = true;
    }
  }
  for (int r = 0; any && r < d->rows; r++) {
    d->column[r] = fabs(d->column[r]) <= d->error[r] ? 0 : d->column[r];
  }
  return any;
}
