// SPDX-License-Identifier: GPL-3.0-or-later
// Eigenvalues and frequency response of a linearisation. GSL's error handler, which is global and aborts, is never reached:
// numbers are checked before, and of GSL only the balancing and the Hessenberg form are used, in memory of our own.
// gsl_eigen_nonsymm() calls it where it finds no eigenvalues, and its factors of complex matrices take memory of their own.
#include <complex.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/analysis/linear_private.h"
#include "core/analysis/pencil_private.h"
#include "core/base/arena.h"
#include "core/base/array.h"
#include "core/linalg/dense.h"
#include "core/linalg/numbers.h"

/** What a row sees of a direction is rounding below this fraction of its terms. */
static const double unseen = 1e-6;
/** A column whose entries are all below this fraction of their rows is rounding, whatever its unit. */
static const double faint = 1e-9;

/** The observable subspace of A from the port variables, spanned by the rows of E, E A, E A^2, ... The
 *  states are scaled to compare different units. */
typedef struct observed {
  int n, rank;
  double *A;    // (n x n) of the scaled states
  double *rows; // (rank x n): row r has 1 at pivots[r], where the others have 0
  int *pivots;  // (n)
} observed;

/** @param width  (n) scratch: the largest entry of each column of E, relative to those of its row */
static void scale_states(observed *o, const sb_linear *l, double width[]) {
  int n = o->n;
  for (int r = 0; r < l->ports; r++) {
    const double *row = l->E + (size_t)r * (size_t)n;
    double size = sb_largest(row, n);
    for (int j = 0; j < n && size > 0; j++) {
      width[j] = fmax(width[j], fabs(row[j]) / size);
    }
  }
  for (int j = 0; j < n; j++) {
    width[j] = width[j] > faint ? width[j] : 1;
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      o->A[i * n + j] = l->A[i * n + j] * width[i] / width[j];
    }
  }
  for (int r = 0; r < l->ports; r++) {
    double *row = o->rows + (size_t)r * (size_t)n;
    for (int j = 0; j < n; j++) {
      row[j] = l->E[(size_t)r * (size_t)n + (size_t)j] / width[j];
    }
    double size = sb_largest(row, n);
    for (int j = 0; j < n && size > 0; j++) {
      row[j] /= size;
    }
  }
}

/** out := row A, relative to the largest sum of the absolute values of its terms. */
static void advance(const observed *o, const double row[], double out[]) {
  double size = 0;
  for (int j = 0; j < o->n; j++) {
    double terms = 0;
    out[j] = 0;
    for (int k = 0; k < o->n; k++) {
      double term = row[k] * o->A[k * o->n + j];
      out[j] += term;
      terms += fabs(term);
    }
    size = fmax(size, terms);
  }
  for (int j = 0; j < o->n && size > 0; j++) {
    out[j] /= size;
  }
}

static void find_observed(observed *o, const sb_linear *l, double width[]) {
  int n = o->n;
  scale_states(o, l, width);
  o->rank = sb_eliminate(o->rows, l->ports, n, n, unseen, o->pivots);
  for (int before = 0; o->rank > before;) {
    before = o->rank;
    for (int r = 0; r < before; r++) {
      advance(o, o->rows + r * n, o->rows + (before + r) * n);
    }
    o->rank = sb_eliminate(o->rows, 2 * before, n, n, unseen, o->pivots);
  }
}

/** A on the directions that are not observed: one for every column without a pivot.
 *  @param M  (n x n) out  @param columns  (n) scratch, zero  @return their number */
static int restrict_unobserved(const observed *o, double M[], int columns[]) {
  int n = o->n, count = 0;
  for (int r = 0; r < o->rank; r++) {
    columns[o->pivots[r]] = 1;
  }
  for (int j = 0; j < n; j++) {
    if (columns[j] == 0) { // never behind what is read next
      columns[count++] = j;
    }
  }
  for (int i = 0; i < count; i++) {
    for (int j = 0; j < count; j++) {
      const double *row = o->A + columns[i] * n;
      double sum = row[columns[j]];
      for (int r = 0; r < o->rank; r++) {
        sum -= row[o->pivots[r]] * o->rows[r * n + columns[j]];
      }
      M[i * count + j] = sum;
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

/** Orders the states by the size of their rows, the largest first: QR steps keep the digits of what is small below what is large,
 *  not of what is small above it. */
static void grade(double A[], int n) {
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++) {
      best = sb_largest(A + i * n, n) > sb_largest(A + best * n, n) ? i : best;
    }
    for (int j = 0; j < n && best != k; j++) {
      const double swap = A[k * n + j];
      A[k * n + j] = A[best * n + j];
      A[best * n + j] = swap;
    }
    for (int i = 0; i < n && best != k; i++) {
      const double swap = A[i * n + k];
      A[i * n + k] = A[i * n + best];
      A[i * n + best] = swap;
    }
  }
}

sb_status sb_find_eigenvalues(const double matrix[], int count, sb_root values[], sb_error *err) {
  size_t n = (size_t)count;
  if (count == 0) {
    return SB_OK;
  }
  double *copy = sb_zeroed(count + 3, n * sizeof *copy); // and three vectors
  if (copy == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  memcpy(copy, matrix, n * n * sizeof *copy);
  double *const vectors = copy + n * n;
  gsl_matrix_view H = gsl_matrix_view_array(copy, n, n);
  gsl_vector_view scales = gsl_vector_view_array(vectors, n);
  gsl_vector_view reflections = gsl_vector_view_array(vectors + n, n);
  gsl_linalg_balance_matrix(&H.matrix, &scales.vector); // the states have different units
  grade(copy, count);
  gsl_linalg_hessenberg_decomp(&H.matrix, &reflections.vector);
  gsl_linalg_hessenberg_set_zero(&H.matrix);
  double *re = vectors + n, *im = vectors + 2 * n;
  const bool found = sb_hessenberg_eigenvalues(copy, count, re, im);
  for (int i = 0; found && i < count; i++) {
    values[i] = (sb_root){re[i], im[i]};
  }
  free(copy);
  return found ? SB_OK
               : sb_fail(err, SB_ERR_SOLVER, "the eigenvalues of the linearisation were not found");
}

sb_status sb_pencil_eigenvalues(const sb_pencil *p, sb_root values[], sb_arena *memory,
                                sb_error *err) {
  double *A = sb_arena_zeroed(memory, p->n, (size_t)p->n * sizeof *A);
  if (A == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  for (int i = 0; i < p->n * p->n; i++) {
    A[i] = (double)p->A[i].value;
  }
  return sb_find_eigenvalues(A, p->n, values, err);
}

/** @param matrix  (count x count) */
static sb_status find_modes(const double matrix[], int count, sb_mode modes[], sb_error *err) {
  sb_root *values = sb_zeroed(count, sizeof *values);
  sb_status status = values == NULL ? sb_fail(err, SB_ERR_MEMORY, "out of memory")
                                    : sb_find_eigenvalues(matrix, count, values, err);
  for (int i = 0; status == SB_OK && i < count; i++) {
    modes[i] = mode_of(values[i].re, values[i].im);
  }
  free(values);
  return status;
}

/** Marks as neutral the mode that is nearest to a given one. */
static void mark_nearest(sb_mode modes[], int count, const sb_mode *found) {
  int nearest = -1;
  double least = HUGE_VAL;
  for (int i = 0; i < count; i++) {
    double distance = hypot(modes[i].re - found->re, modes[i].im - found->im);
    if (!modes[i].neutral && (nearest < 0 || distance < least)) {
      nearest = i;
      least = distance;
    }
  }
  modes[nearest].neutral = true;
}

/** Marks, for every eigenvalue of the unobserved part, the mode that is nearest to it. */
static sb_status mark_neutral(const sb_linear *l, sb_mode modes[], sb_error *err) {
  int n = l->states, rows = l->ports > 2 * n ? l->ports : 2 * n;
  sb_arena memory = {0};
  observed o = {.n = n,
                .A = sb_arena_zeroed(&memory, n * n, sizeof(double)),
                .rows = sb_arena_zeroed(&memory, rows, (size_t)n * sizeof(double)),
                .pivots = sb_arena_zeroed(&memory, n, sizeof(int))};
  double *width = sb_arena_zeroed(&memory, n, sizeof *width);
  double *M = sb_arena_zeroed(&memory, n * n, sizeof *M);
  int *columns = sb_arena_zeroed(&memory, n, sizeof *columns);
  sb_mode *found = sb_arena_zeroed(&memory, n, sizeof *found);
  sb_status status = memory.failed ? sb_fail(err, SB_ERR_MEMORY, "out of memory") : SB_OK;
  if (status == SB_OK) {
    find_observed(&o, l, width);
    int count = restrict_unobserved(&o, M, columns);
    status = find_modes(M, count, found, err);
    for (int k = 0; status == SB_OK && k < count; k++) {
      mark_nearest(modes, n, &found[k]);
    }
  }
  sb_arena_finish(&memory);
  return status;
}

sb_status sb_linear_modes(const sb_linear *l, sb_mode modes[], sb_error *err) {
  int n = l->states;
  if (!sb_all_finite(l->A, n * n)) {
    return sb_fail(err, SB_ERR_NOT_FINITE, "the linearisation has entries that are not finite");
  }
  SB_TRY(find_modes(l->A, n, modes, err));
  qsort(modes, (size_t)n, sizeof *modes, slower);
  // in linear models all storages are observed; without a port none is
  return l->E != NULL && l->ports > 0 ? mark_neutral(l, modes, err) : SB_OK;
}

/** (j omega - A)(x + j y) = B as a system of real numbers, by which it needs no solver of its own:
 *    ( -A  -omega ) ( x )   ( B )
 *    ( omega   -A ) ( y ) = ( 0 )
 *  @param xy  (2n x m) out: x, and y below it @return whether it is regular: not at an undamped resonance */
static bool solve_shifted(const sb_linear *l, double omega, double M[], int pivots[], double xy[]) {
  const int n = l->states, m = l->inputs;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++) {
      M[i * 2 * n + k] = M[(n + i) * 2 * n + n + k] = -l->A[i * n + k];
    }
    M[i * 2 * n + n + i] = -omega;
    M[(n + i) * 2 * n + i] = omega;
  }
  for (int i = 0; i < n * m; i++) {
    xy[i] = l->B[i];
  }
  if (sb_lu_factor(M, 2 * n, 0, pivots) < 2 * n) {
    return false;
  }
  sb_lu_solve(M, 2 * n, pivots, xy, m);
  return true;
}

sb_status sb_linear_response(const sb_linear *l, double omega, double re[], double im[],
                             sb_error *err) {
  int n = l->states, m = l->inputs;
  sb_arena memory = {0};
  double *M = sb_arena_zeroed(&memory, 4 * n, (size_t)n * sizeof *M);
  double *xy = sb_arena_zeroed(&memory, 2 * n, (size_t)m * sizeof *xy);
  int *pivots = sb_arena_zeroed(&memory, 2 * n, sizeof *pivots);
  if (memory.failed) {
    sb_arena_finish(&memory);
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  bool regular = solve_shifted(l, omega, M, pivots, xy);
  for (int j = 0; j < m; j++) {
    for (int r = 0; r < l->outputs; r++) {
      double complex sum = l->D[r * m + j];
      for (int i = 0; i < n; i++) {
        sum += l->C[r * n + i] * (xy[i * m + j] + I * xy[(n + i) * m + j]);
      }
      double complex power = I * omega;
      for (int k = 0; k < l->order; k++, power *= I * omega) {
        sum += power * l->derivatives[(k * l->outputs + r) * m + j];
      }
      re[r * m + j] = regular ? creal(sum) : HUGE_VAL;
      im[r * m + j] = regular ? cimag(sum) : 0;
    }
  }
  sb_arena_finish(&memory);
  return SB_OK;
}
