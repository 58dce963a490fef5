// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/linalg/dense.h"

#include <math.h>
#include <stddef.h>

static void swap_rows(double a[], int columns, int i, int j) {
  for (int k = 0; i != j && k < columns; k++) {
    double swap = a[i * columns + k];
    a[i * columns + k] = a[j * columns + k];
    a[j * columns + k] = swap;
  }
}

/** Makes the pivot 1, and all else in its column 0. */
static void clear_column(double a[], int rows, int columns, int row, int pivot) {
  double *p = &a[row * columns], inverse = 1 / p[pivot];
  for (int j = 0; j < columns; j++) {
    p[j] *= inverse;
  }
  for (int i = 0; i < rows; i++) {
    double factor = i == row ? 0 : a[i * columns + pivot];
    for (int j = 0; factor != 0 && j < columns; j++) {
      a[i * columns + j] -= factor * p[j];
    }
  }
}

/** The largest absolute entry of the rows from `first` on and the columns [from, to), and where it is. */
static double find_largest(const double a[], int columns, int first, int rows, int from, int to,
                           int *row, int *column) {
  double best = 0;
  for (int i = first; i < rows; i++) {
    for (int j = from; j < to; j++) {
      if (fabs(a[i * columns + j]) > best) {
        best = fabs(a[i * columns + j]);
        *row = i;
        *column = j;
      }
    }
  }
  return best;
}

int sb_eliminate(double a[], int rows, int columns, int unknowns, double least, int pivots[]) {
  double largest = 0;
  int rank = 0;
  for (; rank < rows && rank < unknowns; rank++) {
    int row = rank, pivot = 0;
    double best = find_largest(a, columns, rank, rows, 0, unknowns, &row, &pivot);
    largest = fmax(largest, best);
    if (!(best > least * largest)) {
      break;
    }
    swap_rows(a, columns, rank, row);
    clear_column(a, rows, columns, rank, pivot);
    if (pivots != NULL) {
      pivots[rank] = pivot;
    }
  }
  return rank;
}

int sb_eliminate_early(double a[], int rows, int unknowns, int rank, double enough, int pivots[]) {
  for (int found = 0; found < rank; found++) {
    int row = found, pivot = 0;
    double most = find_largest(a, unknowns, found, rows, 0, unknowns, &row, &pivot);
    if (!(most > 0)) {
      return found;
    }
    for (int j = 0; j < unknowns; j++) {
      if (find_largest(a, unknowns, found, rows, j, j + 1, &row, &pivot) >= enough * most) {
        break;
      }
    }
    swap_rows(a, unknowns, found, row);
    clear_column(a, rows, unknowns, found, pivot);
    pivots[found] = pivot;
  }
  return rank;
}

void sb_solve_upper(const double u[], int n, double b[], int columns) {
  for (int p = n - 1; p >= 0; p--) {
    for (int q = p + 1; q < n; q++) {
      const double factor = u[p * n + q];
      for (int c = 0; factor != 0 && c < columns; c++) {
        b[p * columns + c] -= factor * b[q * columns + c];
      }
    }
    for (int c = 0; c < columns; c++) {
      b[p * columns + c] /= u[p * n + p];
    }
  }
}

int sb_lu_factor(double a[], int n, double least, int pivots[]) {
  return sb_lu_factor_near(a, n, least, HUGE_VAL, pivots);
}

int sb_lu_factor_near(double a[], int n, double least, double enough, int pivots[]) {
  double largest = 0;
  for (int i = 0; i < n * n; i++) {
    largest = fabs(a[i]) > largest ? fabs(a[i]) : largest;
  }
  for (int p = 0; p < n; p++) {
    int best = p;
    for (int i = p + 1; i < n; i++) {
      best = fabs(a[i * n + p]) > fabs(a[best * n + p]) ? i : best;
    }
    best = fabs(a[p * n + p]) >= enough ? p : best;
    if (!(fabs(a[best * n + p]) > least * largest)) {
      return p;
    }
    pivots[p] = best;
    swap_rows(a, n, p, best);
    for (int i = p + 1; i < n; i++) {
      if (a[i * n + p] == 0) {
        continue;
      }
      double factor = a[i * n + p] / a[p * n + p];
      a[i * n + p] = factor;
      for (int j = p + 1; j < n; j++) {
        a[i * n + j] -= factor * a[p * n + j];
      }
    }
  }
  return n;
}

void sb_lu_solve(const double lu[], int n, const int pivots[], double b[], int columns) {
  for (int p = 0; p < n; p++) {
    swap_rows(b, columns, p, pivots[p]);
  }
  for (int p = 0; p < n; p++) { // L y = P b
    for (int i = p + 1; i < n; i++) {
      double factor = lu[i * n + p];
      for (int c = 0; factor != 0 && c < columns; c++) {
        b[i * columns + c] -= factor * b[p * columns + c];
      }
    }
  }
  sb_solve_upper(lu, n, b, columns);
}
