// SPDX-License-Identifier: GPL-3.0-or-later
// Eigenvalues and frequency response of a linearisation. GSL's error handler, which is global and
// aborts, is never reached: sizes and numbers are checked before, and gsl_eigen_nonsymm() returns
// GSL_EMAXITER without it.
#include <complex.h>
#include <gsl/gsl_eigen.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/analysis/linearize.h"
#include "core/base/array.h"
#include "core/linalg/numbers.h"

/** What a row sees of a direction is rounding below this part of its terms. */
static const double unseen = 1e-6;
/** A column whose entries are all below this part of their rows is rounding, whatever its unit. */
static const double faint = 1e-9;

/** LU with row pivots of M (n x n) in place; false where a pivot is below `least` (made that). */
static bool factor(double complex M[], int pivot[], int n, double least) {
  bool regular = true;
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++) {
      best = cabs(M[i * n + k]) > cabs(M[best * n + k]) ? i : best;
    }
    pivot[k] = best;
    for (int j = 0; best != k && j < n; j++) {
      double complex swap = M[k * n + j];
      M[k * n + j] = M[best * n + j];
      M[best * n + j] = swap;
    }
    if (!(cabs(M[k * n + k]) > least)) {
      regular = false;
      M[k * n + k] = least;
    }
    for (int i = k + 1; i < n; i++) {
      double complex f = M[i * n + k] /= M[k * n + k];
      for (int j = k + 1; j < n && f != 0; j++) {
        M[i * n + j] -= f * M[k * n + j];
      }
    }
  }
  return regular;
}

static void solve(const double complex M[], const int pivot[], int n, double complex b[]) {
  for (int k = 0; k < n; k++) {
    double complex swap = b[pivot[k]];
    b[pivot[k]] = b[k];
    b[k] = swap;
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      b[i] -= M[i * n + j] * b[j];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) {
      b[i] -= M[i * n + j] * b[j];
    }
    b[i] /= M[i * n + i];
  }
}

/** s I - A. */
static void shifted(const sb_linear *l, double complex s, double complex M[]) {
  int n = l->states;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      M[i * n + j] = (i == j ? s : 0) - l->A[i * n + j];
    }
  }
}

/** Rows whose pivot columns are unit vectors: what ports see of the states, and of their rates, and
 *  so on. What is orthogonal to all of them is never seen. */
typedef struct sight {
  int n, rank;
  double *rows;  // (rank x n)
  int *pivot;    // (rank)
  double *width; // (n) of a column, to compare states of different units
  double *row;   // (n) scratch
} sight;

/** Adds s->row if it tells anything new; what is below a part of `size` is rounding. */
static void add_row(sight *s, double size) {
  int n = s->n, best = 0;
  double *row = s->row;
  for (int r = 0; r < s->rank; r++) {
    double f = row[s->pivot[r]];
    for (int j = 0; f != 0 && j < n; j++) {
      row[j] -= f * s->rows[r * n + j];
    }
  }
  for (int j = 1; j < n; j++) {
    best = fabs(row[j]) > fabs(row[best]) ? j : best;
  }
  double pivot = row[best];
  if (s->rank == n || !(fabs(pivot) > unseen * size)) {
    return;
  }
  for (int j = 0; j < n; j++) {
    row[j] /= pivot;
  }
  for (int r = 0; r < s->rank; r++) {
    double f = s->rows[r * n + best];
    for (int j = 0; f != 0 && j < n; j++) {
      s->rows[r * n + j] -= f * row[j];
    }
  }
  memcpy(s->rows + s->rank * n, row, (size_t)n * sizeof *row);
  s->pivot[s->rank++] = best;
}

static void look(sight *s, const sb_linear *l) {
  int n = s->n;
  for (int j = 0; j < n; j++) {
    for (int r = 0; r < l->ports; r++) {
      const double *row = l->E + (size_t)r * (size_t)n;
      double size = sb_largest(row, n);
      s->width[j] = size > 0 ? fmax(s->width[j], fabs(row[j]) / size) : s->width[j];
    }
    s->width[j] = s->width[j] > faint ? s->width[j] : 1;
  }
  for (int r = 0; r < l->ports; r++) {
    for (int j = 0; j < n; j++) {
      s->row[j] = l->E[(size_t)r * (size_t)n + (size_t)j] / s->width[j];
    }
    add_row(s, sb_largest(s->row, n));
  }
  for (int before = -1; before != s->rank;) { // rows times A, until nothing new comes
    before = s->rank;
    for (int r = 0; r < before; r++) {
      double size = 0;
      for (int j = 0; j < n; j++) {
        double sum = 0, terms = 0;
        for (int k = 0; k < n; k++) {
          double term = s->rows[r * n + k] * s->width[k] * l->A[k * n + j] / s->width[j];
          sum += term;
          terms += fabs(term);
        }
        s->row[j] = sum;
        size = fmax(size, terms);
      }
      add_row(s, size);
    }
  }
}

/** A on the directions that are never seen: one for every column without a pivot. */
static int restrict_unseen(const sight *s, const sb_linear *l, double M[], int free_columns[]) {
  int n = s->n, count = 0;
  for (int j = 0; j < n; j++) {
    bool pivot = false;
    for (int r = 0; r < s->rank; r++) {
      pivot = pivot || s->pivot[r] == j;
    }
    if (!pivot) {
      free_columns[count++] = j;
    }
  }
  for (int b = 0; b < count; b++) {
    int j = free_columns[b];
    for (int a = 0; a < count; a++) {
      int i = free_columns[a];
      double sum = l->A[i * n + j] * s->width[i] / s->width[j];
      for (int r = 0; r < s->rank; r++) {
        int k = s->pivot[r];
        sum -= l->A[i * n + k] * s->width[i] / s->width[k] * s->rows[r * n + j];
      }
      M[a * count + b] = sum;
    }
  }
  return count;
}

static int slower(const void *a, const void *b) {
  const sb_mode *m = a, *k = b;
  if (fabs(m->natural - k->natural) > 1e-9 * (m->natural + k->natural)) {
    return m->natural < k->natural ? -1 : 1;
  }
  return m->im != k->im ? (m->im > k->im ? -1 : 1) : (m->re > k->re) - (m->re < k->re);
}

static sb_mode mode_of(double re, double im) {
  sb_mode mode = {.re = re, .im = im, .natural = hypot(re, im)};
  mode.damping = mode.natural > 0 ? -re / mode.natural : 0;
  mode.time_constant = re != 0 ? -1 / re : HUGE_VAL;
  return mode;
}

static sb_status find_modes(const double matrix[], int count, sb_mode modes[], sb_error *err) {
  size_t n = (size_t)count;
  gsl_matrix *A = gsl_matrix_alloc(n, n);
  gsl_vector_complex *values = gsl_vector_complex_alloc(n);
  gsl_eigen_nonsymm_workspace *work = gsl_eigen_nonsymm_alloc(n);
  sb_status status = SB_OK;
  if (A == NULL || values == NULL || work == NULL) {
    status = sb_fail(err, SB_ERR_MEMORY, "out of memory");
  } else {
    memcpy(A->data, matrix, n * n * sizeof(double)); // a new matrix has no gaps
    gsl_eigen_nonsymm_params(0, 1, work);            // balanced: the states have different units
    if (gsl_eigen_nonsymm(A, values, work) != GSL_SUCCESS) {
      status = sb_fail(err, SB_ERR_SOLVER, "the eigenvalues were not found");
    }
    for (size_t i = 0; status == SB_OK && i < n; i++) {
      gsl_complex value = gsl_vector_complex_get(values, i);
      modes[i] = mode_of(GSL_REAL(value), GSL_IMAG(value));
    }
  }
  gsl_eigen_nonsymm_free(work);
  gsl_vector_complex_free(values);
  gsl_matrix_free(A);
  return status;
}

/** Marks, for every eigenvalue of the unseen part, the mode that is nearest to it. */
static sb_status mark_neutral(const sb_linear *l, sb_mode modes[], sb_error *err) {
  int n = l->states;
  double *block = sb_zeroed(2 * n * n + 2 * n, sizeof *block);
  int *columns = sb_zeroed(2 * n, sizeof *columns);
  sb_mode *found = sb_zeroed(n, sizeof *found);
  sb_status status = block != NULL && columns != NULL && found != NULL
                         ? SB_OK
                         : sb_fail(err, SB_ERR_MEMORY, "out of memory");
  if (status == SB_OK) {
    sight s = {.n = n,
               .rows = block + n * n,
               .pivot = columns + n,
               .width = block + 2 * n * n,
               .row = block + 2 * n * n + n};
    look(&s, l);
    int count = restrict_unseen(&s, l, block, columns);
    status = count > 0 ? find_modes(block, count, found, err) : SB_OK;
    for (int k = 0; status == SB_OK && k < count; k++) {
      int nearest = -1;
      for (int i = 0; i < n; i++) {
        double off = hypot(modes[i].re - found[k].re, modes[i].im - found[k].im);
        if (!modes[i].neutral && (nearest < 0 || off < hypot(modes[nearest].re - found[k].re,
                                                             modes[nearest].im - found[k].im))) {
          nearest = i;
        }
      }
      modes[nearest].neutral = true;
    }
  }
  free(block);
  free(columns);
  free(found);
  return status;
}

sb_status sb_linear_modes(const sb_linear *l, sb_mode modes[], sb_error *err) {
  int n = l->states;
  for (int i = 0; i < n * n; i++) {
    if (!isfinite(l->A[i])) {
      return sb_fail(err, SB_ERR_NOT_FINITE, "the linearisation has entries that are not finite");
    }
  }
  if (n == 0) {
    return SB_OK;
  }
  SB_TRY(find_modes(l->A, n, modes, err));
  qsort(modes, (size_t)n, sizeof *modes, slower);
  return l->E != NULL ? mark_neutral(l, modes, err) : SB_OK; // linear storages are all seen
}

sb_status sb_linear_response(const sb_linear *l, double omega, double re[], double im[],
                             sb_error *err) {
  int n = l->states, m = l->inputs;
  double complex *M = sb_zeroed(n * n + n, sizeof *M), *b = M + n * n;
  int *pivot = sb_zeroed(n, sizeof *pivot);
  if (M == NULL || pivot == NULL) {
    free(M);
    free(pivot);
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  shifted(l, I * omega, M);
  bool regular = factor(M, pivot, n, 0);
  for (int j = 0; j < m; j++) {
    for (int i = 0; i < n; i++) {
      b[i] = l->B[i * m + j];
    }
    if (regular) {
      solve(M, pivot, n, b);
    }
    for (int r = 0; r < l->outputs; r++) {
      double complex sum = l->D[r * m + j];
      for (int i = 0; i < n; i++) {
        sum += l->C[r * n + i] * b[i];
      }
      re[r * m + j] = regular ? creal(sum) : HUGE_VAL;
      im[r * m + j] = regular ? cimag(sum) : 0;
    }
  }
  free(M);
  free(pivot);
  return SB_OK;
}
