// SPDX-License-Identifier: GPL-3.0-or-later
// Scaling by powers of two, so that entries are 1 in the geometric mean of each row and column (Curtis and
// Reid, "On the automatic scaling of matrices for Gaussian elimination", 1972). Nothing is rounded.
#include <math.h>

#include "core/linalg/dense.h"

/** Passes at the most; entries that differ by less than this power of two stay as they are. */
enum { PASSES = 60, ALIKE = 12 };

/** Lets the binary exponents of a row's unknowns, or of a column, be zero in the mean; returns by how
 *  much they were not. Entries are `step` apart. */
static double centre(const double entry[], int count, int step, const double other[], double *own) {
  double sum = 0, before = *own;
  int present = 0;
  for (int i = 0; i < count; i++) {
    int exponent;
    if (entry[i * step] != 0) {
      (void)frexp(entry[i * step], &exponent);
      sum += exponent - 1 + other[i];
      present++;
    }
  }
  *own = present > 0 ? -sum / present : 0;
  return fabs(*own - before);
}

/** Whether the entries are of about one size. */
static int are_alike(const double a[], int count) {
  double least = HUGE_VAL, most = 0;
  for (int i = 0; i < count; i++) {
    double size = fabs(a[i]);
    least = size > 0 ? fmin(least, size) : least;
    most = fmax(most, size);
  }
  return most <= ldexp(least, ALIKE);
}

void sb_equilibrate(double a[], int rows, int columns, int unknowns, double row[], double scale[]) {
  double change = are_alike(a, rows * columns) ? 0 : 1;
  for (int pass = 0; change > 0.25 && pass < PASSES; pass++) {
    change = 0;
    for (int i = 0; i < rows; i++) {
      change = fmax(change, centre(&a[i * columns], unknowns, 1, scale, &row[i]));
    }
    for (int j = 0; j < columns; j++) {
      change = fmax(change, centre(&a[j], rows, columns, row, &scale[j]));
    }
  }
  for (int j = 0; j < columns; j++) {
    int power = (int)lrint(scale[j]);
    scale[j] = ldexp(1, power);
    for (int i = 0; i < rows; i++) {
      a[i * columns + j] = ldexp(a[i * columns + j], power + (int)lrint(row[i]));
    }
  }
}
