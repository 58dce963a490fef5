// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/dirac.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/graph/kernel.h"
#include "core/linalg/dense.h"

/** Pivots below this fraction of the largest are zero: a rank decision on rows of size one. */
static const double rank_tol = 1e-11;
/** The same for outputs that the inputs are to determine well. */
static const double condition_limit = 1e-8;

void sb_kernel_add(sb_kernel *kernel, int row, int component, sb_variable variable, double value) {
  const sb_kernel_entry entry = {row, component, variable, value};
  if (value != 0 &&
      !sb_append(&kernel->entries, &kernel->count, &kernel->capacity, sizeof entry, &entry)) {
    kernel->failed = true;
  }
}

void sb_kernel_finish(sb_kernel *kernel) {
  free(kernel->entries);
  *kernel = (sb_kernel){0};
}

sb_status sb_dirac_init(sb_dirac *dirac, int n, sb_error *err) {
  *dirac = (sb_dirac){.n = n, .E = sb_zeroed(2 * n * n, sizeof(double))};
  dirac->F = dirac->E == NULL ? NULL : dirac->E + n * n; // of one piece with E
  return dirac->E == NULL ? sb_fail(err, SB_ERR_MEMORY, "out of memory") : SB_OK;
}

void sb_dirac_finish(sb_dirac *dirac) {
  free(dirac->E);
  *dirac = (sb_dirac){0};
}

void sb_dirac_load(sb_dirac *dirac, const sb_kernel *kernel) {
  for (int i = 0; i < kernel->count; i++) {
    const sb_kernel_entry *entry = &kernel->entries[i];
    double *matrix = entry->variable == SB_EFFORT ? dirac->E : dirac->F;
    matrix[entry->row * dirac->n + entry->component] += entry->value;
  }
}

double sb_dirac_skew_residual(const sb_dirac *dirac) {
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

int sb_dirac_rank(const sb_dirac *dirac, double work[]) {
  int n = dirac->n;
  for (int i = 0; i < n; i++) {
    memcpy(&work[2 * n * i], &dirac->E[n * i], (size_t)n * sizeof(double));
    memcpy(&work[2 * n * i + n], &dirac->F[n * i], (size_t)n * sizeof(double));
  }
  return sb_eliminate(work, n, 2 * n, 2 * n, rank_tol, NULL);
}

double sb_dirac_kernel_residual(const sb_dirac *dirac, const double e[], const double f[]) {
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

/** Rows [E_A,c E_A,ext | F...]: the stacked matrix whose shared columns come first, so that
 *  eliminating them leaves rows over the external columns only. With f_A = sigma f_B and equal
 *  efforts: row of A: E_Ac e + F_Ac f_A, row of B: E_Bc e + F_Bc f_A / sigma. */
static void stack(const sb_dirac *a, const sb_dirac *b, int shared, double sigma, double m[]) {
  int next = a->n + b->n - 2 * shared, columns = 2 * shared + 2 * next, left = a->n - shared;
  for (int i = 0; i < a->n; i++) {
    double *row = &m[i * columns];
    for (int k = 0; k < a->n; k++) {
      int c = k < left ? 2 * shared + k : k - left;
      row[c] = a->E[i * a->n + k];
      row[k < left ? c + next : c + shared] = a->F[i * a->n + k];
    }
  }
  for (int i = 0; i < b->n; i++) {
    double *row = &m[(a->n + i) * columns];
    for (int k = 0; k < b->n; k++) {
      bool joint = k < shared;
      int c = joint ? k : 2 * shared + left + k - shared;
      row[c] = b->E[i * b->n + k];
      row[joint ? c + shared : c + next] = joint ? b->F[i * b->n + k] / sigma : b->F[i * b->n + k];
    }
  }
}

sb_status sb_dirac_compose(const sb_dirac *a, const sb_dirac *b, int shared, double sigma,
                           sb_dirac *result, sb_error *err) {
  int rows = a->n + b->n, next = rows - 2 * shared, columns = 2 * shared + 2 * next;
  double *m = sb_zeroed(rows * columns, sizeof(double));
  if (m == NULL || sb_dirac_init(result, next, NULL) != SB_OK) {
    free(m);
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  stack(a, b, shared, sigma, m);
  int used = sb_eliminate(m, rows, columns, 2 * shared, rank_tol, NULL);
  // What is left is free of the joint; with a rank-deficient joint more than `next` rows remain,
  // of which a second elimination keeps an independent set.
  double *rest = &m[used * columns];
  for (int i = used; i < rows; i++) {
    memset(&m[i * columns], 0, (size_t)(2 * shared) * sizeof(double));
  }
  int rank = sb_eliminate(rest, rows - used, columns, columns, rank_tol, NULL);
  for (int i = 0; i < next && i < rank; i++) {
    memcpy(&result->E[i * next], &rest[i * columns + 2 * shared], (size_t)next * sizeof(double));
    memcpy(&result->F[i * next], &rest[i * columns + 2 * shared + next],
           (size_t)next * sizeof(double));
  }
  free(m);
  if (rank != next) {
    sb_dirac_finish(result);
    return sb_fail(err, SB_ERR_STRUCTURE, "the composition has %d rows for %d ports", rank, next);
  }
  return SB_OK;
}

/** Chooses columns of F greedily by their size after projection, times the preference. */
static void choose_flows(const sb_dirac *dirac, const double weight[], bool flow_out[],
                         double F[]) {
  int n = dirac->n;
  memcpy(F, dirac->F, (size_t)(n * n) * sizeof(double));
  memset(flow_out, 0, (size_t)n * sizeof *flow_out);
  double largest = 0;
  for (int step = 0; step < n; step++) {
    int best = -1;
    double best_score = 0, best_norm = 0;
    for (int k = 0; k < n; k++) {
      double norm = 0;
      for (int i = 0; i < n; i++) {
        norm += F[i * n + k] * F[i * n + k];
      }
      norm = sqrt(norm);
      double score = norm * (weight != NULL && weight[k] > 0 ? 1 + weight[k] : 1);
      if (!flow_out[k] && norm > rank_tol * largest && score > best_score) {
        best = k;
        best_score = score;
        best_norm = norm;
      }
    }
    if (best < 0 || best_norm <= rank_tol * fmax(largest, best_norm)) {
      return;
    }
    largest = fmax(largest, best_norm);
    flow_out[best] = true;
    for (int k = 0; k < n; k++) { // make the other columns orthogonal to the chosen one
      double dot = 0;
      for (int i = 0; i < n; i++) {
        dot += F[i * n + k] * F[i * n + best];
      }
      for (int i = 0; k != best && i < n; i++) {
        F[i * n + k] -= dot / (best_norm * best_norm) * F[i * n + best];
      }
    }
  }
}

sb_status sb_dirac_hybrid(const sb_dirac *dirac, const double weight[], bool flow_out[], double J[],
                          sb_error *err) {
  int n = dirac->n;
  double *m = sb_zeroed(2 * n * n, sizeof *m);
  int *pivots = sb_zeroed(n, sizeof *pivots);
  if (m == NULL || pivots == NULL) {
    free(m);
    free(pivots);
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  choose_flows(dirac, weight, flow_out, m);
  for (int i = 0; i < n; i++) { // rows [M N] of M y + N u = 0
    for (int k = 0; k < n; k++) {
      double e = dirac->E[i * n + k], f = dirac->F[i * n + k];
      m[2 * n * i + k] = flow_out[k] ? f : e;
      m[2 * n * i + n + k] = flow_out[k] ? e : f;
    }
  }
  bool regular = sb_eliminate(m, n, 2 * n, n, condition_limit, pivots) == n;
  for (int r = 0; regular && r < n; r++) {
    for (int k = 0; k < n; k++) {
      J[pivots[r] * n + k] = -m[2 * n * r + n + k];
    }
  }
  free(m);
  free(pivots);
  return regular ? SB_OK
                 : sb_fail(err, SB_ERR_STRUCTURE, "no well-conditioned causality of the structure");
}
