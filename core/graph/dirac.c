// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/dirac.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/wide.h"
#include "core/graph/kernel.h"
#include "core/linalg/dense.h"

/** Pivots below this fraction of the largest are zero, once rows and columns are scaled: efforts, flows and levers
 *  have units. */
static const double rank_tol = 1e-11;

void sb_kernel_add(sb_kernel *kernel, int row, int component, sb_variable variable, double value) {
  sb_kernel_add_of(kernel, row, component, variable, value, fabs(value));
}

void sb_kernel_add_of(sb_kernel *kernel, int row, int component, sb_variable variable, double value,
                      double terms) {
  if (value == 0 && terms == 0) {
    return;
  }
  if (kernel->count == kernel->capacity &&
      !sb_grow(&kernel->entries, &kernel->capacity, kernel->count + 1, sizeof *kernel->entries)) {
    kernel->failed = true;
    return;
  }
  kernel->entries[kernel->count++] = (sb_kernel_entry){row, component, variable, value, terms};
}

void sb_kernel_finish(sb_kernel *kernel) {
  free(kernel->entries);
  *kernel = (sb_kernel){0};
}

void sb_dirac_load(sb_dirac *dirac, const sb_kernel *kernel) {
  for (int i = 0; i < kernel->count; i++) {
    const sb_kernel_entry *entry = &kernel->entries[i];
    double *matrix = entry->variable == SB_EFFORT ? dirac->E : dirac->F;
    matrix[entry->row * dirac->n + entry->component] += entry->value;
  }
}

double sb_kernel_skew(const sb_kernel *kernel, int n, double scratch[]) {
  double *flows = scratch, *sums = flows + n * n, *sizes = sums + n * n, worst = 0, size = 0;
  double *first = sizes + n * n, *end = first + n; // rows that a flow stands in
  memset(scratch, 0, (size_t)(3 * n * n + 2 * n) * sizeof *scratch);
  for (int i = 0; i < kernel->count; i++) {
    const sb_kernel_entry *entry = &kernel->entries[i];
    const int c = entry->component, row = entry->row;
    if (entry->variable == SB_FLOW) {
      flows[c * n + row] += entry->value;
      first[c] = end[c] == 0 || row < first[c] ? row : first[c];
      end[c] = row >= end[c] ? row + 1 : end[c];
    }
  }
  for (int i = 0; i < kernel->count; i++) { // E F^T
    const sb_kernel_entry *entry = &kernel->entries[i];
    const int c = entry->component, last = entry->variable == SB_EFFORT ? (int)end[c] : 0;
    for (int j = (int)first[c]; j < last; j++) {
      const double term = entry->value * flows[c * n + j];
      sums[entry->row * n + j] += term;
      sizes[entry->row * n + j] += fabs(term);
    }
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      worst = sb_larger(worst, fabs(sums[i * n + j] + sums[j * n + i]));
      size = sb_larger(size, sizes[i * n + j] + sizes[j * n + i]);
    }
  }
  return size > 0 ? worst / size : 0;
}

static int column_of(const sb_kernel_entry *entry, int n) {
  return entry->component + (entry->variable == SB_FLOW ? n : 0);
}

bool sb_kernel_leads(const sb_kernel *kernel, int n, double scratch[]) {
  double *entries = scratch, *own = entries + 2 * n, *largest = own + n;
  memset(scratch, 0, (size_t)(4 * n) * sizeof *scratch);
  for (int i = 0; i < kernel->count; i++) {
    entries[column_of(&kernel->entries[i], n)]++;
  }
  for (int i = 0; i < kernel->count; i++) {
    const sb_kernel_entry *entry = &kernel->entries[i];
    const double size = fabs(entry->value);
    const bool alone = entries[column_of(entry, n)] == 1;
    own[entry->row] = sb_larger(own[entry->row], alone ? size : 0);
    largest[entry->row] = sb_larger(largest[entry->row], size);
  }
  int row = 0; // an output is stated with the coefficient 1, however large the levers beside it are
  while (row < n && own[row] > rank_tol * fmin(largest[row], 1)) {
    row++;
  }
  return row == n;
}

/** [E F], row by row. */
static void place_side_by_side(const sb_dirac *dirac, double work[]) {
  int n = dirac->n;
  for (int i = 0; i < n; i++) {
    memcpy(&work[2 * n * i], &dirac->E[n * i], (size_t)n * sizeof(double));
    memcpy(&work[2 * n * i + n], &dirac->F[n * i], (size_t)n * sizeof(double));
  }
}

int sb_dirac_rank(const sb_dirac *dirac, double work[]) {
  int n = dirac->n;
  place_side_by_side(dirac, work);
  int rank = sb_eliminate(work, n, 2 * n, 2 * n, rank_tol, NULL);
  if (rank == n) {
    return rank; // in one scaling is in all: a lever that is rounding, 1e-17 m, must not lead another
  }
  place_side_by_side(dirac, work);
  double *scale = work + 2 * n * n;
  memset(scale, 0, (size_t)(3 * n) * sizeof *scale);
  sb_equilibrate(work, n, 2 * n, 2 * n, scale + 2 * n, scale);
  return sb_eliminate(work, n, 2 * n, 2 * n, rank_tol, NULL);
}
