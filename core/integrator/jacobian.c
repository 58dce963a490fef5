// SPDX-License-Identifier: GPL-3.0-or-later
// Columns that share no nonlinear row are perturbed together (Curtis, Powell and Reid 1974), so that a
// chain of any length costs a handful of right-hand sides, and one of linear elements none.
#include "core/integrator/jacobian.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/integrator/pattern_private.h"
#include "core/model/rhs.h"

/** Differences of a state, as a fraction of its size: the root of rounding, unless a matrix of shorter ones, down to the least,
 *  has entries that are others by more than this, relative to 1 and themselves. Newton's iteration contracts by about that. Where laws
 *  count as at rest within a fraction of their inputs, the first of the shorter ones is half of it. */
static const double root_eps = 1.4901161193847656e-08, shorter = 0x1p-10, least = 0x1p-50,
                    others = 0.1;

/** Compressed columns from the rows of the pattern. */
static bool compress(sb_pattern *p, sb_jacobian *j) {
  int n = j->n;
  for (int i = 0; i < n; i++) {
    j->nnz += p->rates[i].count;
  }
  j->column_first = sb_arena_zeroed(&j->memory, n + 1, sizeof(int));
  j->row = sb_arena_zeroed(&j->memory, j->nnz, sizeof(int));
  j->value = sb_arena_zeroed(&j->memory, j->nnz, sizeof(double));
  j->other = sb_arena_zeroed(&j->memory, j->nnz, sizeof(double));
  j->nonlinear = sb_arena_zeroed(&j->memory, n, sizeof(char));
  int *next = p->slot; // no longer needed
  if (j->column_first == NULL || j->row == NULL || j->value == NULL || j->other == NULL ||
      j->nonlinear == NULL) {
    return false;
  }
  for (int i = 0; i < n; i++) {
    j->nonlinear[i] = p->rates[i].nonlinear;
    for (int k = 0; k < p->rates[i].count; k++) {
      j->column_first[p->rates[i].terms[k].var + 1]++;
    }
  }
  for (int i = 0; i < n; i++) {
    j->column_first[i + 1] += j->column_first[i];
    next[i] = j->column_first[i];
  }
  for (int i = 0; i < n; i++) { // row by row, so that every column comes out sorted
    for (int k = 0; k < p->rates[i].count; k++) {
      int place = next[p->rates[i].terms[k].var]++;
      j->row[place] = i;
      j->value[place] = p->rates[i].terms[k].factor;
    }
  }
  return true;
}

/** Notes the colours that a column cannot have: those of columns with a common nonlinear row. Returns
 *  whether it has such rows.
 *  @param used  (n + 1) of each colour: 1 + the last column that cannot have it */
static bool exclude_colours(const sb_pattern *p, const sb_jacobian *j, int column, int used[]) {
  bool any = false;
  for (int k = j->column_first[column]; k < j->column_first[column + 1]; k++) {
    const sb_pattern_row *row = &p->rates[j->row[k]];
    any = any || row->nonlinear;
    for (int i = 0; row->nonlinear && i < row->count; i++) {
      int other = j->colour[row->terms[i].var];
      if (other >= 0) {
        used[other] = column + 1;
      }
    }
  }
  return any;
}

/** Greedy: the first colour that no column with a common nonlinear row has. */
static bool find_colours(sb_pattern *p, sb_jacobian *j) {
  int *used = sb_arena_zeroed(&p->memory, j->n + 1, sizeof(int));
  j->colour = sb_arena_zeroed(&j->memory, j->n, sizeof(int));
  if (used == NULL || j->colour == NULL) {
    return false;
  }
  for (int c = 0; c < j->n; c++) {
    j->colour[c] = -1;
  }
  for (int c = 0; c < j->n; c++) {
    if (exclude_colours(p, j, c, used)) {
      int colour = 0;
      while (used[colour] == c + 1) {
        colour++;
      }
      j->colour[c] = colour;
      j->colours = colour + 1 > j->colours ? colour + 1 : j->colours;
    }
  }
  return true;
}

sb_jacobian *sb_jacobian_create(const sb_network *network, sb_workspace *work, bool exact) {
  sb_jacobian *j = calloc(1, sizeof *j);
  if (j == NULL) {
    return NULL;
  }
  j->n = network->state_count;
  j->generation = work->generation;
  j->fraction = root_eps;
  sb_pattern pattern;
  bool ok =
      sb_pattern_init(&pattern, work, !exact) && compress(&pattern, j) && find_colours(&pattern, j);
  sb_pattern_finish(&pattern);
  if (!ok) {
    sb_jacobian_destroy(j);
    return NULL;
  }
  return j;
}

void sb_jacobian_destroy(sb_jacobian *j) {
  if (j != NULL) {
    sb_arena_finish(&j->memory);
    free(j);
  }
}

/** A difference of a state: a fraction of its size, and well above that of the state. Of one
 *  that has never moved any will do that is small beside 1: nothing is known of its size. It goes where the state
 *  does, for at an event the rates may have a kink: a contact that begins resists behind it only. */
static double difference(double y, double rate, double size, double fraction) {
  static const double above_rounding = 0x1p-40, any = 1e-6;
  double own = size > 0 && isfinite(size) ? size : fabs(y) > 0 ? fabs(y) : any;
  return copysign(fmax(fraction * own, above_rounding * fabs(y)), rate);
}

int sb_jacobian_evaluate(sb_jacobian *j, sb_workspace *work, double t, const double y[],
                         const double size[], const double fy[], double y2[], double f2[]) {
  for (int colour = 0; colour < j->colours; colour++) {
    memcpy(y2, y, (size_t)j->n * sizeof *y2);
    for (int c = 0; c < j->n; c++) {
      y2[c] += j->colour[c] == colour ? difference(y[c], fy[c], size[c], j->fraction) : 0;
    }
    int status = sb_workspace_rates(work, t, y2, f2, NULL);
    if (status != 0) {
      return 1;
    }
    for (int c = 0; c < j->n; c++) {
      double step = y2[c] - y[c];
      for (int k = j->column_first[c]; j->colour[c] == colour && k < j->column_first[c + 1]; k++) {
        int row = j->row[k];
        j->value[k] = j->nonlinear[row] ? (f2[row] - fy[row]) / step : j->value[k];
      }
    }
  }
  return 0;
}

/** Whether `value` and `other` make another matrix of I - gamma J, in units of the sizes of the states. */
static bool differ(const sb_jacobian *j, double gamma, const double size[]) {
  bool any = false;
  for (int c = 0; c < j->n && !any; c++) {
    for (int k = j->column_first[c]; j->colour[c] >= 0 && k < j->column_first[c + 1]; k++) {
      const double scale = fabs(gamma) * size[c] / size[j->row[k]];
      const double entry = scale * fmax(fabs(j->value[k]), fabs(j->other[k]));
      any = any ||
            (isfinite(entry) && scale * fabs(j->value[k] - j->other[k]) > others * (1 + entry));
    }
  }
  return any;
}

void sb_jacobian_sharpen(sb_jacobian *j, sb_workspace *work, double t, double gamma,
                         const double y[], const double size[], const double fy[], double y2[],
                         double f2[]) {
  const double within = work->rest_fraction > 0 ? work->rest_fraction / 2 : HUGE_VAL;
  while (j->colours > 0 && j->fraction * shorter >= least) {
    const double fraction = j->fraction;
    memcpy(j->other, j->value, (size_t)j->nnz * sizeof *j->value);
    j->fraction = fmin(fraction * shorter, within);
    const int status = sb_jacobian_evaluate(j, work, t, y, size, fy, y2, f2);
    if (status != 0 || !differ(j, gamma, size)) {
      memcpy(j->value, j->other, (size_t)j->nnz * sizeof *j->value);
      j->fraction = fraction;
      return;
    }
  }
}
