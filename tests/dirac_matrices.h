// SPDX-License-Identifier: GPL-3.0-or-later
// Dirac structures as dense matrices of their own, and how far they are from what they must satisfy.
#ifndef SB_TESTS_DIRAC_MATRICES_H
#define SB_TESTS_DIRAC_MATRICES_H

#include <math.h>
#include <stdlib.h>

#include "tests/near.h"

#include "core/graph/dirac.h"

/** Zeros. */
static inline void dirac_init(sb_dirac *dirac, int n) {
  *dirac = (sb_dirac){.n = n, .E = calloc((size_t)(2 * n * n), sizeof(double))};
  assert_non_null(dirac->E);
  dirac->F = dirac->E + n * n; // of one piece with E
}

static inline void dirac_finish(sb_dirac *dirac) {
  free(dirac->E);
  *dirac = (sb_dirac){0};
}

/** Largest entry of E F^T + F E^T, relative to the largest of |E| |F|^T + |F| |E|^T. */
static inline double dirac_skew_residual(const sb_dirac *dirac) {
  int n = dirac->n;
  double worst = 0, size = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      double sum = 0, magnitude = 0;
      for (int k = 0; k < n; k++) {
        double a = dirac->E[i * n + k] * dirac->F[j * n + k];
        double b = dirac->F[i * n + k] * dirac->E[j * n + k];
        sum += a + b;
        magnitude += fabs(a) + fabs(b);
      }
      worst = fmax(worst, fabs(sum));
      size = fmax(size, magnitude);
    }
  }
  return size > 0 ? worst / size : 0;
}

/** Largest |E e + F f| relative to the largest row sum of |E e| + |F f|. */
static inline double dirac_kernel_residual(const sb_dirac *dirac, const double e[],
                                           const double f[]) {
  double worst = 0, size = 0;
  for (int i = 0; i < dirac->n; i++) {
    double sum = 0, magnitude = 0;
    for (int k = 0; k < dirac->n; k++) {
      double a = dirac->E[i * dirac->n + k] * e[k], b = dirac->F[i * dirac->n + k] * f[k];
      sum += a + b;
      magnitude += fabs(a) + fabs(b);
    }
    worst = fmax(worst, fabs(sum));
    size = fmax(size, magnitude);
  }
  return size > 0 ? worst / size : 0;
}

#endif
