// SPDX-License-Identifier: GPL-3.0-or-later
// Eigenvalues of a linearisation, and what each may be off by. Rates of one network may lie 24 decades apart, beyond the
// digits of a double: of matrices that are not too large they are found with more digits. How many of them are zero
// tells an elimination: as of a pencil whose sides are exchanged, that they are infinite.
//
// They are found a second time, from the transpose, whose entries are rounded otherwise, and which are moved by what
// they may be off. What has changed is what is not known.
//
// GSL's error handler, which is global and aborts, is never reached: numbers are checked before, and of GSL only the Hessenberg
// form is used, in memory of our own. gsl_eigen_nonsymm() calls it where it finds no eigenvalues.
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

#include "core/analysis/linear_private.h"
#include "core/analysis/roots_private.h"
#include "core/linalg/dense.h"
#include "core/linalg/numbers.h"

sb_tracked sb_tracked_number(const double m[], const double rest[], const double error[], int i,
                             double rounding) {
  const double off = error != NULL ? error[i] / rounding : 0;
  return (sb_tracked){sb_linear_entry(m, rest, i), fmax(fabs(m[i]), off)};
}

sb_tracked *sb_tracked_numbers(const double m[], const double rest[], const double error[],
                               int count, double rounding, sb_arena *memory) {
  sb_tracked *numbers = sb_arena_zeroed(memory, count, sizeof *numbers);
  for (int i = 0; i < count && numbers != NULL; i++) {
    numbers[i] = sb_tracked_number(m, rest, error, i, rounding);
  }
  return numbers;
}

enum { SWEEPS = 30 }; // of balancing, at most

/** A matrix on its way to Hessenberg form. */
typedef struct work {
  int n;
  sb_extended *H; // (n x n), and two vectors
  double *copy;   // (n x n), and three vectors
} work;

/** H := the matrix, or its transpose, moved by what its entries may be off. */
static void load(work *w, const sb_tracked A[], double rounding, bool again) {
  const int n = w->n;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      const sb_tracked a = A[i * n + j];
      w->H[again ? j * n + i : i * n + j] =
          again ? sb_tracked_moved(a, rounding * a.size, i + 2 * j) : a.value;
    }
  }
}

/** H := D^-1 H D with powers of two D that make what stands beside the diagonal alike in each row and its column (Osborne 1960): the
 *  states have different units. gsl_linalg_balance_matrix() may go to and fro for ever. */
static void balance(work *w) {
  const int n = w->n;
  double *size = w->copy;
  for (int i = 0; i < n * n; i++) {
    size[i] = fabs((double)w->H[i]);
  }
  for (int i = 0, steady = 0, left = SWEEPS * n; steady < n && left > 0; i = (i + 1) % n, left--) {
    double row = 0, column = 0;
    for (int j = 0; j < n; j++) {
      row += j == i ? 0 : size[i * n + j];
      column += j == i ? 0 : size[j * n + i];
    }
    const double factor = row > 0 && column > 0 ? exp2(rint(0.5 * log2(row / column))) : 1;
    steady = factor == 1 ? steady + 1 : 0;
    for (int j = 0; j < n && factor != 1; j++) {
      size[j * n + i] *= factor;
      w->H[j * n + i] *= factor;
      size[i * n + j] /= factor;
      w->H[i * n + j] /= factor;
    }
  }
}

static void swap(sb_extended *a, sb_extended *b) {
  const sb_extended kept = *a;
  *a = *b;
  *b = kept;
}

/** Exchanges two states. */
static void exchange(work *w, int a, int b) {
  const int n = w->n;
  for (int j = 0; j < n && a != b; j++) {
    swap(&w->H[a * n + j], &w->H[b * n + j]);
  }
  for (int i = 0; i < n && a != b; i++) {
    swap(&w->H[i * n + a], &w->H[i * n + b]);
  }
}

static sb_extended largest_of(const sb_extended row[], int n) {
  sb_extended largest = 0;
  for (int j = 0; j < n; j++) {
    const sb_extended size = sb_extended_abs(row[j]);
    largest = size > largest ? size : largest;
  }
  return largest;
}

/** Orders the states by the size of their rows, the largest first: QR steps keep the digits of what is small below what is large,
 *  not of what is small above it. */
static void grade(work *w) {
  const int n = w->n;
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++) {
      best = largest_of(w->H + i * n, n) > largest_of(w->H + best * n, n) ? i : best;
    }
    exchange(w, k, best);
  }
}

/** Hessenberg form by elimination with the largest pivot (Golub and Van Loan, section 7.4.7). */
static void eliminate(work *w) {
  const int n = w->n;
  sb_extended *H = w->H;
  for (int k = 1; k + 1 < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++) {
      best = sb_extended_abs(H[i * n + k - 1]) > sb_extended_abs(H[best * n + k - 1]) ? i : best;
    }
    exchange(w, k, best);
    for (int i = k + 1; i < n; i++) {
      const sb_extended factor = H[i * n + k - 1] == 0 ? 0 : H[i * n + k - 1] / H[k * n + k - 1];
      for (int j = k; j < n && factor != 0; j++) {
        H[i * n + j] -= factor * H[k * n + j];
      }
      for (int r = 0; r < n && factor != 0; r++) {
        H[r * n + k] += factor * H[r * n + i];
      }
      H[i * n + k - 1] = 0;
    }
  }
}

static bool find_extended(work *w, sb_root values[]) {
  const int n = w->n;
  sb_extended *re = w->H + n * n, *im = re + n;
  eliminate(w);
  const bool found = sb_hessenberg_eigenvalues_extended(w->H, n, re, im);
  for (int i = 0; i < n; i++) {
    values[i] = (sb_root){.re = (double)re[i], .im = (double)im[i]};
  }
  return found;
}

static bool find_double(work *w, sb_root values[]) {
  const size_t n = (size_t)w->n;
  double *re = w->copy + n * n, *im = re + n;
  for (int i = 0; i < w->n * w->n; i++) {
    w->copy[i] = (double)w->H[i];
  }
  gsl_matrix_view H = gsl_matrix_view_array(w->copy, n, n);
  gsl_vector_view reflections = gsl_vector_view_array(re, n);
  gsl_linalg_hessenberg_decomp(&H.matrix, &reflections.vector);
  gsl_linalg_hessenberg_set_zero(&H.matrix);
  const bool found = sb_hessenberg_eigenvalues(w->copy, w->n, re, im);
  for (int i = 0; i < w->n; i++) {
    values[i] = (sb_root){.re = re[i], .im = im[i]};
  }
  return found;
}

/** What is left without the eigenvalues that are zero, as those of the inverse: of A wdot = w they are infinite.
 *  @param p  out: reduced; p->n less than n if there are any */
static bool take_out_zeros(const sb_tracked A[], int n, double rounding, sb_pencil *p,
                           sb_arena *memory) {
  *p = (sb_pencil){.n = n, .rounding = rounding};
  if (!sb_pencil_init(p, memory)) {
    return false;
  }
  memcpy(p->E, A, (size_t)(n * n) * sizeof *A);
  for (int i = 0; i < n; i++) {
    p->A[i * n + i] = (sb_tracked){1, 1};
  }
  return sb_pencil_reduce(p, memory) != SB_ERR_MEMORY;
}

/** Slowest first, of pairs the one above the real axis. */
void sb_roots_sort(sb_root roots[], int count) {
  for (int i = 1; i < count; i++) {
    for (int k = i; k > 0; k--) {
      const double a = hypot(roots[k].re, roots[k].im);
      const double b = hypot(roots[k - 1].re, roots[k - 1].im);
      const bool before = fabs(a - b) > 1e-9 * (a + b) ? a < b : roots[k].im > roots[k - 1].im;
      if (!before) {
        break;
      }
      const sb_root other = roots[k];
      roots[k] = roots[k - 1];
      roots[k - 1] = other;
    }
  }
}

/** How far each is from what else was found. Parts that are not more than that are put down as zero, but keep the error: beside k
 *  zeros the rounding r of A hides a root as large as r^(1/k). */
static void compare(sb_root values[], const sb_root again[], int n) {
  for (int i = 0; i < n; i++) {
    sb_root *v = &values[i];
    v->error = HUGE_VAL;
    for (int k = 0; k < n; k++) {
      v->error = fmin(v->error, hypot(v->re - again[k].re, v->im - again[k].im));
    }
    v->re = fabs(v->re) <= v->error ? 0 : v->re;
    v->im = fabs(v->im) <= v->error ? 0 : v->im;
  }
}

double sb_root_off(sb_root root) {
  const double size = hypot(root.re, root.im);
  return root.error < size ? root.error / size : root.error == 0 ? 0 : 1;
}

/** Sorted. @param zeros  how many of them are zero  @param inverse  of A^-1  @param again  as load() has it */
static sb_status find(const sb_tracked A[], int n, double rounding, int zeros, bool inverse,
                      bool again, sb_root values[], sb_arena *memory) {
  work w = {n, sb_arena_zeroed(memory, n + 2, (size_t)n * sizeof *w.H),
            sb_arena_zeroed(memory, n + 3, (size_t)n * sizeof *w.copy)};
  if (memory->failed || n == 0) {
    return memory->failed ? SB_ERR_MEMORY : SB_OK;
  }
  load(&w, A, rounding, again);
  balance(&w);
  grade(&w);
  if (!(n <= SB_LINEAR_EXTENDED_MAX ? find_extended(&w, values) : find_double(&w, values))) {
    return SB_ERR_SOLVER;
  }
  for (int i = 0; i < n && inverse; i++) {
    const double size = hypot(values[i].re, values[i].im);
    values[i].re = values[i].re / size / size;
    values[i].im = -values[i].im / size / size;
  }
  sb_roots_sort(values, n);
  memset(values, 0, (size_t)zeros * sizeof *values);
  return SB_OK;
}

/** Both times. @param estimate  false: once */
static sb_status find_twice(const sb_tracked A[], int n, double rounding, int zeros, bool inverse,
                            bool estimate, sb_root values[], sb_arena *memory) {
  sb_root *again = sb_arena_zeroed(memory, n, sizeof *again);
  if (again == NULL) {
    return SB_ERR_MEMORY;
  }
  SB_TRY(find(A, n, rounding, zeros, inverse, false, values, memory));
  if (!estimate) {
    return SB_OK;
  }
  const sb_status status = find(A, n, rounding, zeros, inverse, true, again, memory);
  if (status == SB_OK) {
    compare(values, again, n);
  }
  for (int i = 0; i < n && status == SB_ERR_SOLVER; i++) {
    values[i].error = NAN;
  }
  return status == SB_ERR_MEMORY ? status : SB_OK;
}

sb_status sb_find_roots(const sb_tracked A[], int n, double rounding, bool estimate,
                        sb_root values[], sb_error *err) {
  sb_arena memory = {0};
  sb_pencil p = {.n = n};
  const bool room = n > SB_LINEAR_EXTENDED_MAX || take_out_zeros(A, n, rounding, &p, &memory);
  const int zeros = n - p.n;
  sb_status status =
      room ? find_twice(A, n, rounding, zeros, false, estimate, values, &memory) : SB_ERR_MEMORY;
  if (status == SB_ERR_SOLVER && zeros > 0) { // QR steps may wait for ever where many are zero
    memset(values, 0, (size_t)zeros * sizeof *values);
    status = find_twice(p.A, p.n, rounding, 0, true, estimate, values + zeros, &memory);
  }
  sb_arena_finish(&memory);
  return status == SB_OK ? SB_OK
         : status == SB_ERR_MEMORY
             ? sb_fail(err, status, "out of memory")
             : sb_fail(err, status, "the eigenvalues of the linearisation were not found");
}
