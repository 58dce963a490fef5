// SPDX-License-Identifier: GPL-3.0-or-later
// Zeros and poles of one channel. Its zeros are the poles of the inverse system, in which y is given and
// u is unknown, wdot = A w + b u, 0 = c w + d u - y, a descriptor system that is reduced as any other.
// The gain follows from the value at one point, and the values at others tell whether all is right.
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/analysis/complex_private.h"
#include "core/analysis/linear_private.h"
#include "core/analysis/pencil_private.h"
#include "core/linalg/numbers.h"

enum { POINTS = 4 };
/** Rounding of entries of the matrices, as a fraction of the terms. */
static const double rounding = 1e-11;
/** A feedthrough below this fraction of the transfer function's values is rounding. */
static const double faint = 1e-13;
/** A zero and a pole that are as near, as a fraction of themselves or of all rates, cancel. */
static const double alike = 1e-7, slow = 1e-13;
/** What the factors may be apart from the transfer function, as a fraction. */
static const double agreement = 1e-6;

/** What lies between one input and one output. */
typedef struct channel {
  int n, order;
  double *A, *b, *c;                 // (n x n), (n), (n)
  double d[SB_PENCIL_ORDER_MAX + 1]; // of u and its derivatives
  double fastest;                    // the largest entry of A
  sb_arena memory;
} channel;

/** Marks what can be reached along the entries of A that are not zero.
 *  @param forward  from x_j to x_i by A_ij, else back  @param mark  (states) in: where to start; out */
static void reach(const sb_linear *l, bool forward, char mark[], int queue[]) {
  int n = l->states, count = 0;
  for (int i = 0; i < n; i++) {
    if (mark[i]) {
      queue[count++] = i;
    }
  }
  for (int k = 0; k < count; k++) {
    for (int i = 0; i < n; i++) {
      double entry = forward ? l->A[i * n + queue[k]] : l->A[queue[k] * n + i];
      if (entry != 0 && !mark[i]) {
        mark[i] = 1;
        queue[count++] = i;
      }
    }
  }
}

/** The states that lie between, and their matrices; false: out of memory. */
static bool channel_init(channel *c, const sb_linear *l, int output, int input) {
  int n = l->states, m = l->inputs;
  char *from = sb_arena_zeroed(&c->memory, n, sizeof *from);
  char *to = sb_arena_zeroed(&c->memory, n, sizeof *to);
  int *queue = sb_arena_zeroed(&c->memory, n, sizeof *queue);
  c->A = sb_arena_zeroed(&c->memory, n * n, sizeof(double));
  c->b = sb_arena_zeroed(&c->memory, n, sizeof(double));
  c->c = sb_arena_zeroed(&c->memory, n, sizeof(double));
  if (c->memory.failed) {
    return false;
  }
  for (int i = 0; i < n; i++) {
    from[i] = l->B[i * m + input] != 0;
    to[i] = l->C[output * n + i] != 0;
  }
  reach(l, true, from, queue);
  reach(l, false, to, queue);
  for (int i = 0; i < n; i++) {
    if (from[i] && to[i]) {
      queue[c->n++] = i;
    }
  }
  for (int i = 0; i < c->n; i++) {
    for (int j = 0; j < c->n; j++) {
      c->A[i * c->n + j] = l->A[queue[i] * n + queue[j]];
    }
    c->b[i] = l->B[queue[i] * m + input];
    c->c[i] = l->C[output * n + queue[i]];
  }
  c->fastest = sb_largest(c->A, c->n * c->n);
  c->d[0] = l->D[output * m + input];
  for (int k = 1; k <= l->order; k++) {
    c->d[k] = l->derivatives[((k - 1) * l->outputs + output) * m + input];
    c->order = c->d[k] != 0 ? k : c->order;
  }
  return true;
}

/** c (s - A)^-1 b + d(s), not a number at a pole. @param a  (n x (n + 1)) scratch */
static double complex value_at(const channel *c, double complex s, double complex a[]) {
  int n = c->n, columns = n + 1;
  double complex sum = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      a[i * columns + j] = (i == j ? s : 0) - c->A[i * n + j];
    }
    a[i * columns + n] = c->b[i];
  }
  const bool regular = sb_complex_solve(a, n, columns);
  for (int r = n - 1; r >= 0; r--) {
    sum += regular ? c->c[r] * a[r * columns + n] : (double complex)NAN;
  }
  double complex power = 1;
  for (int k = 0; k <= c->order; k++, power *= s) {
    sum += power * c->d[k];
  }
  return sum;
}

static sb_tracked number(double value) {
  return (sb_tracked){value, fabs(value)};
}

/** The inverse system in (x, u, its derivatives below the highest). */
static bool invert(const channel *c, sb_pencil *p, sb_arena *memory) {
  int n = c->n, more = c->order > 1 ? c->order : 1, size = n + more;
  *p = (sb_pencil){.n = size, .rounding = rounding};
  if (!sb_pencil_init(p, memory)) {
    return false;
  }
  for (int i = 0; i < n; i++) {
    p->E[i * size + i] = number(1);
    for (int j = 0; j < n; j++) {
      p->A[i * size + j] = number(c->A[i * n + j]);
    }
    p->A[i * size + n] = number(c->b[i]);
    p->A[(size - 1) * size + i] = number(-c->c[i]);
  }
  for (int k = 0; k + 1 < more; k++) {
    p->E[(n + k) * size + n + k] = number(1);
    p->A[(n + k) * size + n + k + 1] = number(1);
  }
  for (int k = 0; k < more; k++) {
    p->A[(size - 1) * size + n + k] = number(-c->d[k]);
  }
  p->E[(size - 1) * size + size - 1] = number(c->order > 0 ? c->d[c->order] : 0);
  return true;
}

static sb_status find_zeros(const channel *c, sb_factors *f, sb_error *err) {
  sb_arena memory = {0};
  sb_pencil p;
  sb_status status = invert(c, &p, &memory) ? sb_pencil_reduce(&p, &memory) : SB_ERR_MEMORY;
  f->zero_count = status == SB_OK ? p.n : 0;
  if (status == SB_OK) {
    status = sb_pencil_eigenvalues(&p, f->zeros, &memory, err);
  } else if (status == SB_ERR_MEMORY) {
    (void)sb_fail(err, status, "out of memory");
  }
  sb_arena_finish(&memory);
  return status;
}

/** Parts that are rounding beside the fastest rate become zero. */
static void clean(const channel *c, sb_root roots[], int count) {
  for (int i = 0; i < count; i++) {
    roots[i].re = fabs(roots[i].re) <= 2 * DBL_EPSILON * c->fastest ? 0 : roots[i].re;
    roots[i].im = fabs(roots[i].im) <= 2 * DBL_EPSILON * c->fastest ? 0 : roots[i].im;
  }
}

/** Takes out a zero and a pole that are the same, the fastest zeros first: of several that cannot be told from 0 the smallest are left. */
static void cancel(const channel *c, sb_factors *f) {
  for (int i = f->zero_count - 1; i >= 0; i--) {
    double complex zero = f->zeros[i].re + I * f->zeros[i].im;
    int nearest = -1;
    double least = HUGE_VAL;
    for (int k = 0; k < f->pole_count; k++) {
      double complex pole = f->poles[k].re + I * f->poles[k].im;
      double distance = cabs(zero - pole);
      double size = fmax(alike * fmax(cabs(zero), cabs(pole)), slow * c->fastest);
      if (distance <= size && distance < least) {
        nearest = k;
        least = distance;
      }
    }
    if (nearest >= 0) {
      f->zeros[i] = f->zeros[--f->zero_count];
      f->poles[nearest] = f->poles[--f->pole_count];
    }
  }
}

/** The product of the factors over `value`, factor by factor, so that none overflows on its own. */
static double complex product(const sb_factors *f, double complex s) {
  double complex product = 1;
  int most = f->zero_count > f->pole_count ? f->zero_count : f->pole_count;
  for (int k = 0; k < most; k++) {
    product *= k < f->zero_count ? s - (f->zeros[k].re + I * f->zeros[k].im) : 1;
    product /= k < f->pole_count ? s - (f->poles[k].re + I * f->poles[k].im) : 1;
  }
  return product;
}

/** Slowest first, of pairs the one above the real axis. */
static void sort(sb_root roots[], int count) {
  for (int i = 1; i < count; i++) {
    for (int k = i; k > 0; k--) {
      double a = hypot(roots[k].re, roots[k].im), b = hypot(roots[k - 1].re, roots[k - 1].im);
      bool before = fabs(a - b) > 1e-9 * (a + b) ? a < b : roots[k].im > roots[k - 1].im;
      if (!before) {
        break;
      }
      sb_root swap = roots[k];
      roots[k] = roots[k - 1];
      roots[k - 1] = swap;
    }
  }
}

/** Points off both axes that all rates of the channel are near to. */
static void choose_points(const channel *c, const sb_factors *f, double complex s[POINTS]) {
  double least = HUGE_VAL, most = 0;
  for (int k = 0; k < f->pole_count; k++) {
    double size = hypot(f->poles[k].re, f->poles[k].im);
    least = size > slow * c->fastest ? fmin(least, size) : least;
    most = fmax(most, size);
  }
  most = most > 0 ? most : 1;
  least = isinf(least) ? most : least;
  for (int i = 0; i < POINTS; i++) {
    s[i] = least * pow(most / least, i / (POINTS - 1.0)) * (0.6 + 0.8 * I) * (1.31 + 0.1 * i);
  }
}

static sb_status find_factors(channel *c, sb_factors *f, sb_error *err) {
  double complex s[POINTS], y[POINTS];
  double complex *scratch =
      sb_arena_zeroed(&c->memory, c->n + 1, (size_t)(c->n + 1) * sizeof *scratch);
  double largest = 0;
  if (scratch == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  f->pole_count = c->n;
  SB_TRY(sb_find_eigenvalues(c->A, c->n, f->poles, err));
  choose_points(c, f, s);
  for (int i = 0; i < POINTS; i++) {
    y[i] = value_at(c, s[i], scratch);
    largest = fmax(largest, cabs(y[i]));
  }
  c->d[0] = fabs(c->d[0]) <= faint * largest ? 0 : c->d[0];
  sb_status status = find_zeros(c, f, err);
  if (status == SB_ERR_SINGULAR || largest == 0) { // no u is needed for y = 0: there is no effect
    *f = (sb_factors){.zeros = f->zeros, .poles = f->poles};
    return SB_OK;
  }
  SB_TRY(status);
  clean(c, f->zeros, f->zero_count);
  clean(c, f->poles, f->pole_count);
  sort(f->zeros, f->zero_count); // whatever order they were found in
  sort(f->poles, f->pole_count);
  cancel(c, f);
  f->gain = creal(y[0] / product(f, s[0]));
  bool right = isfinite(f->gain);
  for (int i = 0; i < POINTS; i++) {
    right = right && cabs(f->gain * product(f, s[i]) - y[i]) <= agreement * cabs(y[i]);
  }
  sort(f->zeros, f->zero_count);
  sort(f->poles, f->pole_count);
  return right ? SB_OK
               : sb_fail(err, SB_ERR_SOLVER,
                         "the zeros of the transfer function cannot be told from rounding");
}

sb_status sb_linear_factors(const sb_linear *l, int output, int input, sb_factors *f,
                            sb_error *err) {
  channel c = {0};
  *f = (sb_factors){.zeros = f->zeros, .poles = f->poles};
  bool made = channel_init(&c, l, output, input);
  sb_status status = SB_OK;
  if (!made) {
    status = sb_fail(err, SB_ERR_MEMORY, "out of memory");
  } else if (!sb_all_finite(c.A, c.n * c.n) || !sb_all_finite(c.b, c.n) ||
             !sb_all_finite(c.c, c.n) || !sb_all_finite(c.d, c.order + 1)) {
    status = sb_fail(err, SB_ERR_NOT_FINITE, "the linearisation has entries that are not finite");
  } else {
    status = find_factors(&c, f, err);
  }
  sb_arena_finish(&c.memory);
  return status;
}
