// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/complex_private.h"

/** Brings the largest entry of column r, from row r on, to row r. */
static void choose_pivot(double complex a[], int n, int columns, int r) {
  int best = r;
  for (int i = r + 1; i < n; i++) {
    best = cabs(a[i * columns + r]) > cabs(a[best * columns + r]) ? i : best;
  }
  for (int j = r; j < columns; j++) {
    double complex swap = a[r * columns + j];
    a[r * columns + j] = a[best * columns + j];
    a[best * columns + j] = swap;
  }
}

bool sb_complex_solve(double complex a[], int n, int columns) {
  for (int r = 0; r < n; r++) {
    choose_pivot(a, n, columns, r);
    if (!(cabs(a[r * columns + r]) > 0)) {
      return false;
    }
    for (int i = r + 1; i < n; i++) {
      double complex factor = a[i * columns + r] / a[r * columns + r];
      for (int j = r; j < columns && factor != 0; j++) {
        a[i * columns + j] -= factor * a[r * columns + j];
      }
    }
  }
  for (int r = n - 1; r >= 0; r--) {
    for (int k = n; k < columns; k++) {
      for (int j = r + 1; j < n; j++) {
        a[r * columns + k] -= a[r * columns + j] * a[j * columns + k];
      }
      a[r * columns + k] /= a[r * columns + r];
    }
  }
  return true;
}
