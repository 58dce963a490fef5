// SPDX-License-Identifier: GPL-3.0-or-later
// The file is compiled twice: for doubles, and by complex_extended.c for numbers with more digits.
#include "core/analysis/complex_private.h"

#if defined(SB_EXTENDED)
typedef sb_extended_complex number;
typedef sb_extended real;
#define SOLVE sb_extended_complex_solve
#else
typedef double complex number;
typedef double real;
#define SOLVE sb_complex_solve
#endif

/** |re| + |im|, whose square roots would cost more. */
static real size_of(number a) {
  const real re = __real__ a, im = __imag__ a;
  return (re < 0 ? -re : re) + (im < 0 ? -im : im);
}

/** Brings the largest entry of column r, from row r on, to row r. */
static void choose_pivot(number a[], int n, int columns, int r) {
  int best = r;
  for (int i = r + 1; i < n; i++) {
    best = size_of(a[i * columns + r]) > size_of(a[best * columns + r]) ? i : best;
  }
  for (int j = r; j < columns && best != r; j++) {
    const number swap = a[r * columns + j];
    a[r * columns + j] = a[best * columns + j];
    a[best * columns + j] = swap;
  }
}

bool SOLVE(number a[], int n, int columns) {
  for (int r = 0; r < n; r++) {
    choose_pivot(a, n, columns, r);
    if (!(size_of(a[r * columns + r]) > 0)) {
      return false;
    }
    for (int i = r + 1; i < n; i++) {
      const number factor = a[i * columns + r] / a[r * columns + r];
      for (int j = r; j < columns && factor != 0; j++) {
        if (a[r * columns + j] != 0) {
          a[i * columns + j] -= factor * a[r * columns + j];
        }
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
