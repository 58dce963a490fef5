// SPDX-License-Identifier: GPL-3.0-or-later
// Complex linear equations with more digits than those of doubles, by the same elimination.
// The source is compiled a second time with another type of numbers, as C has no templates: hence the include of a .c file.
#define SB_EXTENDED
#include "core/analysis/complex.c" // NOLINT(bugprone-suspicious-include)
#include "core/analysis/roots_private.h"

bool sb_complex_solve_to(sb_extended_complex a[], int n, int columns, double complex scratch[]) {
  if (n <= SB_LINEAR_EXTENDED_MAX) {
    return sb_extended_complex_solve(a, n, columns);
  }
  for (int i = 0; i < n * columns; i++) {
    scratch[i] = (double complex)a[i];
  }
  const bool regular = sb_complex_solve(scratch, n, columns);
  for (int i = 0; i < n * columns; i++) {
    a[i] = scratch[i];
  }
  return regular;
}
