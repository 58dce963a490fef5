// SPDX-License-Identifier: GPL-3.0-or-later
// Eigenvalues of an upper Hessenberg matrix by the QR algorithm with implicit double shifts (Francis 1961; Golub and Van Loan, "Matrix
// Computations", section 7.5).
//
// A subdiagonal entry is zero beside its two diagonal entries as soon as it is rounding of them. Where both are zero, as of
// undamped oscillators and free masses, it is judged by the other entries of its two rows: beside 0 and 0 no rounding is small, and
// an iteration that waits for exactly nothing may have no end.
//
// The file is compiled twice: for doubles, and by eigenvalues_extended.c for numbers with more digits.
#include <float.h>
#include <math.h>

#include "core/linalg/dense.h"
#include "core/linalg/extended.h"

#if defined(SB_EXTENDED)
typedef sb_extended real;
#define FIND sb_hessenberg_eigenvalues_extended
#define root_of sb_extended_root
static const real rounding = SB_EXTENDED_ROUNDING;
#else
typedef double real;
#define FIND sb_hessenberg_eigenvalues
#define root_of sqrt
static const real rounding = DBL_EPSILON;
#endif

/** Steps for one eigenvalue before the search is given up, and those after which a shift of another kind breaks a cycle. */
enum { STEPS_MAX = 60, EXCEPTIONAL = 10 };

static real size_of(real a) {
  return a < 0 ? -a : a;
}

static real larger(real a, real b) {
  return a > b ? a : b;
}

/** The rows and columns first to last of H (n x n), of which no subdiagonal entry is zero. */
typedef struct window {
  real *H;
  int n, first, last;
} window;

static real *at(const window *w, int row, int column) {
  return w->H + row * w->n + column;
}

/** What the subdiagonal entry of a row is small beside. */
static real size_beside(const window *w, int row) {
  real size = size_of(*at(w, row - 1, row - 1)) + size_of(*at(w, row, row));
  if (size > 0) {
    return size;
  }
  for (int j = row - 2 < 0 ? 0 : row - 2; j <= w->last; j++) {
    size += size_of(*at(w, row - 1, j)) + (j == row - 1 ? 0 : size_of(*at(w, row, j)));
  }
  return size;
}

/** Narrows the window to what the last row is coupled with. */
static void find_first(window *w) {
  w->first = w->last;
  while (w->first > 0) {
    real *below = at(w, w->first, w->first - 1);
    if (size_of(*below) <= rounding * size_beside(w, w->first)) {
      *below = 0;
      return;
    }
    w->first--;
  }
}

/** Of the last two rows: lambda^2 - 2 (d + p) lambda + ... = 0 with p half the difference of the diagonal; no digit cancels. */
static void find_pair(const window *w, real re[], real im[]) {
  const int k = w->last;
  const real a = *at(w, k - 1, k - 1), d = *at(w, k, k), p = 0.5 * (a - d);
  const real b = *at(w, k - 1, k), c = *at(w, k, k - 1);
  const real size = larger(size_of(p), larger(size_of(b), size_of(c))), unit = size > 0 ? size : 1;
  const real square = (p / unit) * (p / unit) + (b / unit) * (c / unit);
  const real root = unit * root_of(size_of(square)); // no square over- or underflows
  re[k - 1] = re[k] = d + p;
  im[k - 1] = im[k] = 0;
  if (square < 0) {
    im[k - 1] = root;
    im[k] = -root;
  } else {
    const real far = p + (p < 0 ? -root : root); // the larger of both, from d
    re[k - 1] = d + far;
    re[k] = far != 0 ? d - b * (c / far) : d;
  }
}

/** The reflection 1 - beta v v^T, v[0] = 1, that lets x[1] and x[2] vanish. @return beta; 0: they do, and v is not set */
static real reflection(const real x[3], real v[3]) {
  const real size = size_of(x[0]) + size_of(x[1]) + size_of(x[2]);
  if (!(size_of(x[1]) + size_of(x[2]) > 0)) {
    return 0;
  }
  const real p = x[0] / size, q = x[1] / size, r = x[2] / size;
  const real length = root_of(p * p + q * q + r * r) * (p < 0 ? -1 : 1);
  v[0] = 1;
  v[1] = q / (p + length);
  v[2] = r / (p + length);
  return (p + length) / length;
}

/** H := P H P of a reflection on the rows and columns k to k + count - 1. */
static void reflect(const window *w, int k, int count, const real v[3], real beta) {
  for (int j = k > w->first ? k - 1 : k; j <= w->last; j++) {
    real sum = 0;
    for (int i = 0; i < count; i++) {
      sum += v[i] * *at(w, k + i, j);
    }
    for (int i = 0; i < count; i++) {
      *at(w, k + i, j) -= beta * sum * v[i];
    }
  }
  const int end = k + 3 < w->last ? k + 3 : w->last;
  for (int i = w->first; i <= end; i++) {
    real sum = 0;
    for (int j = 0; j < count; j++) {
      sum += v[j] * *at(w, i, k + j);
    }
    for (int j = 0; j < count; j++) {
      *at(w, i, k + j) -= beta * sum * v[j];
    }
  }
}

/** The first column of (H - s1)(H - s2), but for a factor, with the shifts s1 + s2 = sum and s1 s2 = product. */
static void first_column(const window *w, real sum, real product, real x[3]) {
  const int k = w->first;
  const real below = *at(w, k + 1, k), a = *at(w, k, k);
  x[0] = (a * (a - sum) + product) / below + *at(w, k, k + 1);
  x[1] = a + *at(w, k + 1, k + 1) - sum;
  x[2] = *at(w, k + 2, k + 1);
}

/** One step H := Q^T H Q: the bulge that the shifts make is chased down the subdiagonal. */
static void sweep(const window *w, int step) {
  const int m = w->last;
  real sum = *at(w, m - 1, m - 1) + *at(w, m, m), v[3], x[3];
  real product = *at(w, m - 1, m - 1) * *at(w, m, m) - *at(w, m - 1, m) * *at(w, m, m - 1);
  if (step % EXCEPTIONAL == 0) { // as of EISPACK's hqr
    const real size = size_of(*at(w, m, m - 1)) + size_of(*at(w, m - 1, m - 2));
    sum = 1.5 * size;
    product = size * size;
  }
  first_column(w, sum, product, x);
  for (int k = w->first; k < m; k++) {
    const int count = k + 2 <= m ? 3 : 2;
    if (k > w->first) {
      x[0] = *at(w, k, k - 1);
      x[1] = *at(w, k + 1, k - 1);
      x[2] = count == 3 ? *at(w, k + 2, k - 1) : 0;
    }
    const real beta = reflection(x, v);
    if (beta != 0) {
      reflect(w, k, count, v, beta);
    }
    for (int i = k + 1; k > w->first && i < k + count; i++) {
      *at(w, i, k - 1) = 0;
    }
  }
}

/** numbers := factor numbers; a power of two, so exactly. */
static void scale(real numbers[], int count, real factor) {
  for (int i = 0; i < count; i++) {
    numbers[i] *= factor;
  }
}

bool FIND(real H[], int n, real re[], real im[]) {
  window w = {.H = H, .n = n, .last = n - 1};
  double largest = 0; // shifts are squares: the largest entry becomes about 1
  int power = 0;
  for (int i = 0; i < n * n; i++) {
    largest = fmax(largest, (double)size_of(H[i]));
  }
  (void)frexp(largest, &power);
  scale(H, n * n, ldexp(1, -power));
  for (int step = 1; w.last >= 0; step++) {
    find_first(&w);
    if (w.last - w.first < 2) {
      if (w.first == w.last) {
        re[w.last] = *at(&w, w.last, w.last);
        im[w.last] = 0;
      } else {
        find_pair(&w, re, im);
      }
      w.last = w.first - 1;
      step = 0;
    } else if (step > STEPS_MAX) {
      return false;
    } else {
      sweep(&w, step);
    }
  }
  scale(re, n, ldexp(1, power));
  scale(im, n, ldexp(1, power));
  return true;
}
