// SPDX-License-Identifier: GPL-3.0-or-later
// Iterative refinement with residuals of twice the precision (Higham, "Accuracy and Stability of Numerical Algorithms",
// 2002, chapter 12). Elimination leaves each unknown with a rounding of the largest of what it was computed from; what is
// small beside that, because terms cancel, then has few digits, or none. The solution, x + low, is
// corrected by solving for its residual until the correction does not shrink any more; sums and products
// are free of error: a b = p + e with e = fma(a, b, -p).
#include <math.h>
#include <string.h>

#include "core/linalg/dense.h"

/** Corrections at the most: each makes the error less by the condition of the scaled matrix times a rounding. */
enum { PASSES = 6 };

/** (sum, low) += value, without error but for what is left of low. */
static inline void add(double *sum, double *low, double value) {
  const double before = *sum, after = before + value, part = after - before;
  *low += (before - (after - part)) + (value - part);
  *sum = after;
}

/** One row of a - a_P x, over all columns. */
static void find_residual(const double a[], int columns, const int pivots[], int rank,
                          const double x[], const double low[], double residual[], double rest[]) {
  memcpy(residual, a, (size_t)columns * sizeof *a);
  memset(rest, 0, (size_t)columns * sizeof *rest);
  for (int p = 0; p < rank; p++) {
    const double factor = -a[pivots[p]];
    for (int j = 0; factor != 0 && j < columns; j++) {
      const double y = x[p * columns + j];
      if (y != 0) {
        const double product = factor * y;
        add(&residual[j], &rest[j], product);
        rest[j] += fma(factor, y, -product) + factor * low[p * columns + j];
      }
    }
  }
  for (int j = 0; j < columns; j++) {
    residual[j] += rest[j];
  }
}

/** Adds a correction to the solution. @return the largest correction */
static double correct(double x[], double low[], const double by[], int count) {
  double most = 0;
  for (int i = 0; i < count; i++) {
    const double sum = x[i];
    double left = low[i] + by[i];
    x[i] = sum + left;
    low[i] = left - (x[i] - sum);
    most = fmax(most, fabs(by[i]));
  }
  return most;
}

void sb_refine(const double a[], const int order[], int rows, int columns, const int pivots[],
               int rank, double x[], int swaps[], double scratch[]) {
  double *lu = scratch, *low = lu + rank * rank, *residual = low + rank * columns,
         *rest = residual + rows * columns, before = HUGE_VAL;
  for (int i = 0; i < rank; i++) {
    for (int p = 0; p < rank; p++) {
      lu[i * rank + p] = a[order[i] * columns + pivots[p]];
    }
  }
  const bool regular = sb_lu_factor(lu, rank, 0, swaps) == rank;
  memset(low, 0, (size_t)(rank * columns) * sizeof *low);
  for (int pass = 0; pass <= PASSES; pass++) {
    for (int i = 0; i < rows; i++) {
      find_residual(&a[order[i] * columns], columns, pivots, rank, x, low, &residual[i * columns],
                    rest);
    }
    if (!regular || !(before > 0) || pass == PASSES) {
      break;
    }
    sb_lu_solve(lu, rank, swaps, residual, columns);
    const double most = correct(x, low, residual, rank * columns);
    before = most < before ? most : 0;
  }
  memcpy(&x[rank * columns], &residual[rank * columns],
         (size_t)((rows - rank) * columns) * sizeof *x);
}
