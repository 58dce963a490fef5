// SPDX-License-Identifier: GPL-3.0-or-later
// Symmetric matrices that are positive definite, or semidefinite: solved without a search for pivots or, where the rank is in question, with
// the largest first, and inverted by the sweep operator with the largest pivot first (Goodnight, The American Statistician 33, 1979).
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "core/linalg/dense.h"

/** What is left of a semidefinite matrix beyond its rank may be this fraction of what its diagonal allows. */
static const double rest_tol = 1e-6;

void sb_solve_definite(double a[], double b[], int n, int columns, double least) {
  for (int p = 0; p < n; p++) {
    double before =
        fabs(a[p * n + p]); // of the same unit as the pivot, as others of its row are not
    for (int q = 0; q < p; q++) {
      before += fabs(a[p * n + q] * a[q * n + p]);
    }
    bool left = fabs(a[p * n + p]) > least * before;
    for (int q = p; !left && q < n; q++) {
      a[p * n + q] = q == p;
    }
    for (int c = 0; !left && c < columns; c++) {
      b[p * columns + c] = 0;
    }
    for (int r = p + 1; r < n; r++) {
      double factor = left ? a[r * n + p] / a[p * n + p] : 0;
      a[r * n + p] = factor;
      for (int q = p + 1; factor != 0 && q < n; q++) {
        a[r * n + q] -= factor * a[p * n + q];
      }
      for (int c = 0; factor != 0 && c < columns; c++) {
        b[r * columns + c] -= factor * b[p * columns + c];
      }
    }
  }
  sb_solve_upper(a, n, b, columns);
}

static void exchange(double *a, double *b) {
  const double c = *a;
  *a = *b;
  *b = c;
}

/** Brings unknown q, of which those before p leave the largest fraction of its diagonal, to the place p. @return that fraction */
static double bring_largest(double a[], double b[], int n, int p, int order[], double diagonal[]) {
  int best = p;
  double most = 0;
  for (int q = p; q < n; q++) {
    const double fraction = diagonal[q] > 0 ? a[q * n + q] / diagonal[q] : 0;
    best = fraction > most ? q : best;
    most = fmax(most, fraction);
  }
  for (int k = 0; k < n && best != p; k++) {
    exchange(&a[p * n + k], &a[best * n + k]);
  }
  for (int k = 0; k < n && best != p; k++) {
    exchange(&a[k * n + p], &a[k * n + best]);
  }
  const int own = order[p];
  order[p] = order[best];
  order[best] = own;
  exchange(&b[p], &b[best]);
  exchange(&diagonal[p], &diagonal[best]);
  return most;
}

int sb_solve_semidefinite(double a[], double b[], int n, double least, int order[],
                          double scratch[]) {
  int rank = 0;
  for (int i = 0; i < n; i++) {
    order[i] = i;
    scratch[i] = fabs(a[i * n + i]);
  }
  while (rank < n && bring_largest(a, b, n, rank, order, scratch) > least) {
    const double *row = &a[rank * n];
    for (int r = rank + 1; r < n; r++) {
      const double factor = a[r * n + rank] / row[rank];
      for (int q = rank + 1; factor != 0 && q < n; q++) {
        a[r * n + q] -= factor * row[q];
      }
      b[r] -= factor * b[rank];
    }
    rank++;
  }
  for (int p = n - 1; p >= 0; p--) {
    double sum = p < rank ? b[p] : 0;
    for (int q = p + 1; q < rank; q++) {
      sum -= a[p * n + q] * b[q];
    }
    b[p] = p < rank ? sum / a[p * n + p] : 0;
    scratch[order[p]] = b[p];
  }
  memcpy(b, scratch, (size_t)n * sizeof *b);
  return rank;
}

/** The row of which the others leave the largest fraction of its diagonal; -1: none above `least`; -2: one is negative. */
static int find_row(const double a[], int n, double least, const double diagonal[],
                    const bool swept[]) {
  int best = -1;
  double most = least;
  for (int i = 0; i < n; i++) {
    double fraction = swept[i] ? 0 : a[i * n + i] / diagonal[i];
    if (!(fraction >= -least)) {
      return -2;
    }
    best = fraction > most ? i : best;
    most = fmax(most, fraction);
  }
  return best;
}

/** Exchanges unknown p with the right-hand side p. */
static void sweep(double a[], int n, int p) {
  double *row = &a[p * n], pivot = row[p];
  for (int j = 0; j < n; j++) {
    row[j] /= pivot;
  }
  for (int i = 0; i < n; i++) {
    double factor = i == p ? 0 : a[i * n + p];
    for (int j = 0; factor != 0 && j < n; j++) {
      a[i * n + j] -= j == p ? 0 : factor * row[j];
    }
    a[i * n + p] = i == p ? 1 / pivot : -factor / pivot;
  }
}

int sb_invert_definite(double a[], int n, double least, double diagonal[], bool swept[]) {
  int rank = 0, row = 0;
  for (int i = 0; i < n; i++) {
    diagonal[i] = a[i * n + i];
    swept[i] = false;
    if (!(diagonal[i] > 0)) {
      return -1;
    }
  }
  while ((row = find_row(a, n, least, diagonal, swept)) >= 0) {
    sweep(a, n, row);
    swept[row] = true;
    rank++;
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      double *entry = &a[i * n + j];
      if (!swept[i] && !swept[j] && !(fabs(*entry) <= rest_tol * sqrt(diagonal[i] * diagonal[j]))) {
        return -1;
      }
      *entry = swept[i] && swept[j] ? *entry : 0;
    }
  }
  for (int i = 0; i < n; i++) { // exactly symmetric
    for (int j = 0; j < i; j++) {
      a[i * n + j] = a[j * n + i] = 0.5 * (a[i * n + j] + a[j * n + i]);
    }
  }
  return row == -1 ? rank : -1;
}
