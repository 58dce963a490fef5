// SPDX-License-Identifier: GPL-3.0-or-later
// The nearest equilibrium: Newton's iteration, damped, to xdot = 0.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array_private.h"
#include "core/plant_private.h"

enum { NEWTON_MAX = 60, HALVINGS_MAX = 30 };

/** Solves A step = -rate with all pivots, rows and columns scaled; directions that A does not see
 *  stay where they are. A and rate are overwritten. */
static void solve_singular(double A[], double rate[], int n, double step[], int column[],
                           double scale[]) {
  for (int j = 0; j < n; j++) {
    double largest = 0;
    for (int i = 0; i < n; i++) {
      largest = fmax(largest, fabs(A[i * n + j]));
    }
    scale[j] = largest > 0 ? 1 / largest : 1;
    column[j] = j;
    for (int i = 0; i < n; i++) {
      A[i * n + j] *= scale[j];
    }
  }
  for (int i = 0; i < n; i++) {
    double largest = 0;
    for (int j = 0; j < n; j++) {
      largest = fmax(largest, fabs(A[i * n + j]));
    }
    for (int j = 0; j < n && largest > 0; j++) {
      A[i * n + j] /= largest;
    }
    rate[i] /= largest > 0 ? largest : 1;
  }
  int rank = 0;
  for (; rank < n; rank++) {
    int pi = rank, pj = rank;
    for (int i = rank; i < n; i++) {
      for (int j = rank; j < n; j++) {
        if (fabs(A[i * n + j]) > fabs(A[pi * n + pj])) {
          pi = i;
          pj = j;
        }
      }
    }
    if (!(fabs(A[pi * n + pj]) > 1e-10)) {
      break;
    }
    for (int j = 0; j < n; j++) {
      double swap = A[pi * n + j];
      A[pi * n + j] = A[rank * n + j];
      A[rank * n + j] = swap;
    }
    for (int i = 0; i < n; i++) {
      double swap = A[i * n + pj];
      A[i * n + pj] = A[i * n + rank];
      A[i * n + rank] = swap;
    }
    double swap = rate[pi];
    rate[pi] = rate[rank];
    rate[rank] = swap;
    int other = column[pj];
    column[pj] = column[rank];
    column[rank] = other;
    for (int i = rank + 1; i < n; i++) {
      double factor = A[i * n + rank] / A[rank * n + rank];
      for (int j = rank; j < n && factor != 0; j++) {
        A[i * n + j] -= factor * A[rank * n + j];
      }
      rate[i] -= factor * rate[rank];
    }
  }
  memset(step, 0, (size_t)n * sizeof *step);
  for (int i = rank - 1; i >= 0; i--) {
    double sum = -rate[i];
    for (int j = i + 1; j < rank; j++) {
      sum -= A[i * n + j] * step[column[j]];
    }
    step[column[i]] = sum / A[i * n + i];
  }
  for (int j = 0; j < n; j++) {
    step[j] *= scale[j];
  }
}

/** Size of the rates, each against what its row of A would make of a unit of every state. */
static double rate_size(const double rate[], const double weight[], int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += rate[i] * weight[i] * rate[i] * weight[i];
  }
  return sqrt(sum);
}

sb_status sb_plant_settle(sb_plant *p, sb_linear *l, sb_error *err) {
  int n = l->states;
  double *block = sb_zeroed(4 * n, sizeof(double)), *rows = sb_zeroed(p->rows, sizeof(double));
  int *column = sb_zeroed(n, sizeof(int));
  double *step = block, *weight = block + n, *scale = block + 2 * n, *rate = block + 3 * n;
  sb_status status = block != NULL && rows != NULL && column != NULL
                         ? SB_OK
                         : sb_fail(err, SB_ERR_MEMORY, "out of memory");
  bool found = false;
  for (int k = 0; status == SB_OK && !found && k < NEWTON_MAX; k++) {
    status = sb_plant_differentiate(p, l, NULL, l->exact, err);
    memcpy(p->x, l->x, (size_t)n * sizeof(double));
    if (status != SB_OK || !sb_plant_evaluate(p, rows)) {
      break;
    }
    memcpy(rate, rows, (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++) {
      double largest = 0;
      for (int j = 0; j < n; j++) {
        largest = fmax(largest, fabs(l->A[i * n + j]));
      }
      weight[i] = largest > 0 ? 1 / largest : 1;
    }
    double before = rate_size(rate, weight, n), after = HUGE_VAL, part = 1, size = 0;
    solve_singular(l->A, rate, n, step, column, scale);
    for (int halving = 0; halving < HALVINGS_MAX; halving++, part *= 0.5) {
      for (int i = 0; i < n; i++) {
        p->x[i] = l->x[i] + part * step[i];
      }
      after = sb_plant_evaluate(p, rows) ? rate_size(rows, weight, n) : HUGE_VAL;
      if (after < before) {
        break;
      }
    }
    for (int i = 0; i < n; i++) {
      size = fmax(size, fabs(l->x[i]));
    }
    if (after < before) {
      memcpy(l->x, p->x, (size_t)n * sizeof(double));
    }
    // the residual left: rounding of the states, and nothing that a further step would take away
    found = after <= 1e-12 * (1 + size) || (!(after < before) && before <= 1e-9 * (1 + size));
    if (!(after < before) && !found) {
      break;
    }
  }
  free(block);
  free(rows);
  free(column);
  if (status == SB_OK && !found) {
    status = sb_fail(err, SB_ERR_SOLVER, "no equilibrium of '%s' was found near its state at %s s",
                     p->model.name, sb_number_word(p->view.t).text);
    sb_error_hint(err, "start nearer to it, as by a later time");
  }
  return status;
}
