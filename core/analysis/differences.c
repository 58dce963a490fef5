// SPDX-License-Identifier: GPL-3.0-or-later
// The matrices of a linearisation, column by column. Differences are central, extrapolated twice
// (Richardson), over steps of twelve decades: state scales from 1e-6 C to 1e3 m are all met.
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/analysis/linear_private.h"

enum { STEPS = 12, LEVELS = 3 }; // levels: h, h/2 and h/4

/** What one column of the differences is made of. */
typedef struct difference {
  double *column, *error;               // (rows) best so far
  double *rest, *last;                  // (rows) of a column; errors of the step before
  double *plus[LEVELS], *minus[LEVELS]; // (rows)
} difference;

static bool pair(sb_operating_point *p, double *variable, double h, double plus[], double minus[]) {
  double kept = *variable;
  *variable = kept + h;
  bool ok = sb_operating_point_evaluate(p, plus);
  *variable = kept - h;
  ok = ok && sb_operating_point_evaluate(p, minus);
  *variable = kept;
  return ok;
}

/** Takes over every entry that this step gives better than those before. An exact zero is left for
 *  any clear slope: a wide step may span a whole hump. */
static void improve(difference *d, int rows, double h) {
  for (int r = 0; r < rows; r++) {
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

/** d/d(variable) of all rows into d->column. */
static sb_status differentiate(sb_operating_point *p, double *variable, difference *d,
                               sb_error *err) {
  double h = 0.1 * fmax(fabs(*variable), 1);
  bool any = false;
  for (int r = 0; r < p->rows; r++) {
    d->error[r] = HUGE_VAL;
    d->column[r] = NAN;
    d->last[r] = 0;
  }
  for (int k = 0; k < STEPS; k++, h *= 0.1) {
    volatile double moved = *variable + h; // a step that the variable can make exactly
    double step = moved - *variable;
    bool ok = true;
    for (int level = 0; ok && level < LEVELS; level++) {
      ok = pair(p, variable, step / (1 << level), d->plus[level], d->minus[level]);
    }
    if (ok) {
      improve(d, p->rows, step);
      any = true;
    }
  }
  if (!any) {
    const char *element = sb_workspace_failure(p->work);
    return sb_fail(err, SB_ERR_NOT_FINITE, "'%s' gives no finite number near the operating point",
                   element == NULL ? p->network.name : element);
  }
  for (int r = 0; r < p->rows; r++) {
    d->column[r] = fabs(d->column[r]) <= d->error[r] ? 0 : d->column[r];
  }
  return SB_OK;
}

/** A column of a linear model: its answer to a unit of one variable and nothing else. */
static sb_status take_column(sb_operating_point *p, double *variable, difference *d,
                             sb_error *err) {
  *variable = 1;
  bool ok = sb_operating_point_evaluate(p, d->column);
  *variable = 0;
  for (int r = 0; r < p->rows; r++) {
    d->column[r] -= d->rest[r];
  }
  return ok ? SB_OK : sb_fail(err, SB_ERR_NOT_FINITE, "'%s' overflows", p->network.name);
}

static void put_column(const sb_operating_point *p, sb_linear *l, const difference *d, int j,
                       bool input) {
  int columns = input ? l->inputs : l->states;
  double *upper = input ? l->B : l->A, *lower = input ? l->D : l->C;
  for (int i = 0; i < l->states; i++) {
    upper[i * columns + j] = d->column[i];
  }
  for (int i = 0; i < l->outputs; i++) {
    lower[i * columns + j] = d->column[l->states + i];
  }
  for (int i = 0; !input && l->E != NULL && i < l->ports; i++) {
    l->E[i * columns + j] = d->column[p->rows - l->ports + i];
  }
}

static sb_status fill(sb_operating_point *p, sb_linear *l, double *const inputs[], bool exact,
                      difference *d, sb_error *err) {
  memcpy(p->x, l->x, (size_t)l->states * sizeof(double));
  if (exact) {
    memset(p->x, 0, (size_t)l->states * sizeof(double));
    p->gain = 0;
    if (!sb_operating_point_evaluate(p, d->rest)) {
      return sb_fail(err, SB_ERR_NOT_FINITE, "'%s' overflows", p->network.name);
    }
  }
  for (int j = 0; j < l->states; j++) {
    SB_TRY((exact ? take_column : differentiate)(p, &p->x[j], d, err));
    put_column(p, l, d, j, false);
  }
  for (int j = 0; inputs != NULL && j < l->inputs; j++) {
    SB_TRY((exact ? take_column : differentiate)(p, inputs[j], d, err));
    put_column(p, l, d, j, true);
  }
  p->gain = 1;
  return SB_OK;
}

sb_status sb_operating_point_differentiate(sb_operating_point *p, sb_linear *l,
                                           double *const inputs[], bool exact, sb_error *err) {
  sb_arena memory = {0};
  difference d = {.column = sb_arena_zeroed(&memory, p->rows, sizeof(double)),
                  .error = sb_arena_zeroed(&memory, p->rows, sizeof(double)),
                  .rest = sb_arena_zeroed(&memory, p->rows, sizeof(double)),
                  .last = sb_arena_zeroed(&memory, p->rows, sizeof(double))};
  for (int k = 0; k < LEVELS; k++) {
    d.plus[k] = sb_arena_zeroed(&memory, p->rows, sizeof(double));
    d.minus[k] = sb_arena_zeroed(&memory, p->rows, sizeof(double));
  }
  sb_status status = memory.failed ? sb_fail(err, SB_ERR_MEMORY, "out of memory")
                                   : fill(p, l, inputs, exact, &d, err);
  sb_arena_finish(&memory);
  return status;
}
