// SPDX-License-Identifier: GPL-3.0-or-later
// The least squares solution of least norm, by a complete orthogonal decomposition: Householder reflections
// from the left with column pivoting reveal the rank r, A P = Q (R S; 0 0); reflections from the right bring
// (R S) to a triangle, (R S) = (T 0) Z (Golub and Van Loan, "Matrix Computations", section 5.5).
#include <math.h>
#include <stddef.h>

#include "core/linalg/dense.h"

/** A Householder reflection 1 - v v^T / (v . v / 2) that takes a vector to (alpha, 0, ...): v replaces it.
 *  @param rest  the vector without its first entry, at a distance  @return alpha */
static double reflect(double *first, double rest[], int count, int distance) {
  double sum = *first * *first;
  for (int i = 0; i < count; i++) {
    sum += rest[i * distance] * rest[i * distance];
  }
  double alpha = *first > 0 ? -sqrt(sum) : sqrt(sum);
  *first -= alpha;
  return alpha;
}

/** Applies the reflection of v to a vector. */
static void apply(double v, const double rest[], int count, int distance, double *x, double y[],
                  int y_distance) {
  double sum = v * *x, square = v * v;
  for (int i = 0; i < count; i++) {
    sum += rest[i * distance] * y[i * y_distance];
    square += rest[i * distance] * rest[i * distance];
  }
  double factor = square > 0 ? 2 * sum / square : 0;
  *x -= factor * v;
  for (int i = 0; i < count; i++) {
    y[i * y_distance] -= factor * rest[i * distance];
  }
}

/** Swaps the column of the largest norm from row k on to place k. Returns that norm. */
static double pivot(double a[], int rows, int n, int k, int order[]) {
  double most = -1;
  int best = k;
  for (int j = k; j < n; j++) {
    double sum = 0;
    for (int i = k; i < rows; i++) {
      sum += a[i * n + j] * a[i * n + j];
    }
    if (sum > most) {
      most = sum;
      best = j;
    }
  }
  for (int i = 0; i < rows; i++) {
    double swap = a[i * n + k];
    a[i * n + k] = a[i * n + best];
    a[i * n + best] = swap;
  }
  int swap = order[k];
  order[k] = order[best];
  order[best] = swap;
  return sqrt(most);
}

/** A P = Q (R S; 0 0) and b := Q^T b. Returns the rank. */
static int factor(double a[], double b[], int rows, int n, double least, int order[]) {
  double largest = 0;
  int rank = 0;
  for (; rank < rows && rank < n; rank++) {
    double size = pivot(a, rows, n, rank, order);
    largest = rank == 0 ? size : largest;
    if (!(size > least * largest)) {
      break;
    }
    double *v = &a[rank * n + rank], *rest = v + n;
    int below = rows - rank - 1;
    double alpha = reflect(v, rest, below, n);
    for (int j = 1; j < n - rank; j++) {
      apply(*v, rest, below, n, v + j, rest + j, n);
    }
    apply(*v, rest, below, n, &b[rank], &b[rank + 1], 1);
    *v = alpha;
  }
  return rank;
}

/** Of the decomposition the orthonormal vectors P Z^T e_j, j >= rank, that A takes to zero.
 *  @param null  (n x n) out: n - rank rows; the last one is scratch */
static void list_null(const double a[], int n, int rank, const double diagonal[], const int order[],
                      double null[]) {
  for (int j = rank; j < n; j++) {
    double *row = null + (j - rank) * n, *v = rank > 0 ? null + (n - 1) * n : row;
    for (int i = 0; i < n; i++) {
      v[i] = i == j;
    }
    for (int k = 0; k < rank; k++) {
      apply(diagonal[k], &a[k * n + rank], n - rank, 1, &v[k], &v[rank], 1);
    }
    for (int i = 0; rank > 0 && i < n; i++) {
      row[order[i]] = v[i];
    }
  }
}

int sb_solve_least_norm(double a[], double b[], int rows, int n, double least, int order[],
                        double scratch[]) {
  return sb_solve_least_norm_open(a, b, rows, n, least, order, scratch, NULL);
}

int sb_solve_least_norm_open(double a[], double b[], int rows, int n, double least, int order[],
                             double scratch[], double null[]) {
  for (int j = 0; j < n; j++) {
    order[j] = j;
  }
  int rank = factor(a, b, rows, n, least, order), open = n - rank;
  double *diagonal = scratch; // of the reflections from the right
  for (int k = rank - 1; k >= 0; k--) {
    double *v = &a[k * n + k], *rest = &a[k * n + rank];
    double alpha = reflect(v, rest, open, 1);
    for (int i = 0; i < k; i++) {
      apply(*v, rest, open, 1, &a[i * n + k], &a[i * n + rank], 1);
    }
    diagonal[k] = *v;
    *v = alpha;
  }
  for (int k = rank - 1; k >= 0; k--) { // T y = b
    for (int j = k + 1; j < rank; j++) {
      b[k] -= a[k * n + j] * b[j];
    }
    b[k] /= a[k * n + k];
  }
  for (int j = rank; j < n; j++) {
    b[j] = 0;
  }
  for (int k = 0; k < rank; k++) {
    apply(diagonal[k], &a[k * n + rank], open, 1, &b[k], &b[rank], 1);
  }
  if (null != NULL) {
    list_null(a, n, rank, diagonal, order, null);
  }
  for (int j = 0; j < n; j++) {
    scratch[order[j]] = b[j];
  }
  for (int j = 0; j < n; j++) {
    b[j] = scratch[j];
  }
  return rank;
}
