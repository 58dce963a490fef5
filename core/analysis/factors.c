// SPDX-License-Identifier: GPL-3.0-or-later
// Zeros and poles of one channel. Its zeros are the poles of the inverse system, in which y is given and
// u is unknown, wdot = A w + b u, 0 = c w + d u - y, a descriptor system that is reduced as any other.
// The gain follows from the value at one point, and the values at others tell whether all is right.
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/analysis/complex_private.h"
#include "core/analysis/linear_private.h"
#include "core/analysis/roots_private.h"

/** What the factors may be apart from the transfer function, as a fraction. */
static const double agreement = 1e-6;
/** Where both are compared: so many frequencies in a decade, so many decades beyond all roots, and by this factor beside each. */
enum { PER_DECADE = 2, BEYOND = 3 };
static const double beside = 1 + 1e-5;

static sb_tracked number(sb_extended value) {
  return (sb_tracked){value, fabs((double)value)};
}

static sb_tracked minus(sb_tracked a) {
  return (sb_tracked){-a.value, a.size};
}

/** What lies between one input and one output. */
typedef struct channel {
  int n, order;
  sb_tracked *A, *b, *c;                 // (n x n), (n), (n)
  sb_tracked d[SB_PENCIL_ORDER_MAX + 1]; // of u and its derivatives
  double rounding;                       // what they are known to, as a fraction
  double *zero_error, *pole_error;       // (n + order + 1), (n) what the roots may be off by
  int points;
  double *omega;              // (points) [rad/s]
  double slowest;             // of the roots that are not zero [rad/s]
  sb_extended_complex *value; // (points) of the transfer function there
  double *off;                // (points) what the values may be off by, as a fraction
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
  c->rounding = sb_linear_rounding(l);
  char *from = sb_arena_zeroed(&c->memory, n, sizeof *from);
  char *to = sb_arena_zeroed(&c->memory, n, sizeof *to);
  int *queue = sb_arena_zeroed(&c->memory, n, sizeof *queue);
  c->A = sb_arena_zeroed(&c->memory, n * n, sizeof *c->A);
  c->b = sb_arena_zeroed(&c->memory, n, sizeof *c->b);
  c->c = sb_arena_zeroed(&c->memory, n, sizeof *c->c);
  c->zero_error = sb_arena_zeroed(&c->memory, n + SB_PENCIL_ORDER_MAX + 1, sizeof(double));
  c->pole_error = sb_arena_zeroed(&c->memory, n, sizeof(double));
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
      c->A[i * c->n + j] =
          sb_tracked_number(l->A, l->rest.A, l->error.A, queue[i] * n + queue[j], c->rounding);
    }
    c->b[i] = sb_tracked_number(l->B, l->rest.B, l->error.B, queue[i] * m + input, c->rounding);
    c->c[i] = sb_tracked_number(l->C, l->rest.C, l->error.C, output * n + queue[i], c->rounding);
  }
  c->d[0] = sb_tracked_number(l->D, l->rest.D, l->error.D, output * m + input, c->rounding);
  for (int k = 1; k <= l->order; k++) {
    const int at = ((k - 1) * l->outputs + output) * m + input;
    c->d[k] = sb_tracked_number(l->derivatives, l->rest.derivatives, l->error.derivatives, at,
                                c->rounding);
    c->order = c->d[k].value != 0 ? k : c->order;
  }
  return true;
}

/** c (s - A)^-1 b + d(s), not a number at a pole.
 *  @param rounding  all entries are moved by that fraction of their sizes  @param a, scratch  (n x (n + 1)) */
static sb_extended_complex value_at(const channel *c, double omega, double rounding,
                                    sb_extended_complex a[], double complex scratch[]) {
  const int n = c->n, columns = n + 1;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      a[i * columns + j] = -sb_tracked_moved(c->A[i * n + j], rounding, i + 2 * j);
    }
    a[i * columns + i] += I * omega;
    a[i * columns + n] = sb_tracked_moved(c->b[i], rounding, i);
  }
  if (!sb_complex_solve_to(a, n, columns, scratch)) {
    return NAN;
  }
  sb_extended_complex sum = 0, power = 1;
  for (int r = n - 1; r >= 0; r--) {
    sum += sb_tracked_moved(c->c[r], rounding, r + 1) * a[r * columns + n];
  }
  for (int k = 0; k <= c->order; k++, power *= I * omega) {
    sum += power * sb_tracked_moved(c->d[k], rounding, k);
  }
  return sum;
}

/** The inverse system in (x, u, its derivatives below the highest). */
static bool invert(const channel *c, sb_pencil *p, sb_arena *memory) {
  int n = c->n, more = c->order > 1 ? c->order : 1, size = n + more;
  *p = (sb_pencil){.n = size, .rounding = c->rounding};
  if (!sb_pencil_init(p, memory)) {
    return false;
  }
  for (int i = 0; i < n; i++) {
    p->E[i * size + i] = number(1);
    for (int j = 0; j < n; j++) {
      p->A[i * size + j] = c->A[i * n + j];
    }
    p->A[i * size + n] = c->b[i];
    p->A[(size - 1) * size + i] = minus(c->c[i]);
  }
  for (int k = 0; k + 1 < more; k++) {
    p->E[(n + k) * size + n + k] = number(1);
    p->A[(n + k) * size + n + k + 1] = number(1);
  }
  for (int k = 0; k < more; k++) {
    p->A[(size - 1) * size + n + k] = minus(c->d[k]);
  }
  p->E[(size - 1) * size + size - 1] = c->order > 0 ? c->d[c->order] : (sb_tracked){0};
  return true;
}

static sb_status find_zeros(const channel *c, sb_factors *f, sb_error *err) {
  sb_arena memory = {0};
  sb_pencil p;
  sb_status status = invert(c, &p, &memory) ? sb_pencil_reduce(&p, &memory) : SB_ERR_MEMORY;
  f->zero_count = status == SB_OK ? p.n : 0;
  if (status == SB_OK) {
    status = sb_find_roots(p.A, p.n, p.rounding, f->zeros, c->zero_error, err);
  } else if (status == SB_ERR_MEMORY) {
    (void)sb_fail(err, status, "out of memory");
  }
  sb_arena_finish(&memory);
  return status;
}

/** Takes out a zero and a pole that are the same, as far as they are known, the fastest zeros first: of several that cannot be told
 *  from 0 the smallest are left. */
static void cancel(const channel *c, sb_factors *f) {
  for (int i = f->zero_count - 1; i >= 0; i--) {
    const sb_root zero = f->zeros[i];
    int nearest = -1;
    double least = HUGE_VAL;
    for (int k = 0; k < f->pole_count; k++) {
      const sb_root pole = f->poles[k];
      const double distance = hypot(zero.re - pole.re, zero.im - pole.im);
      const double known = fmin(c->zero_error[i] + c->pole_error[k], agreement * fabs(pole.re)) +
                           DBL_EPSILON * (hypot(zero.re, zero.im) + hypot(pole.re, pole.im));
      if (distance <= known && distance < least) {
        nearest = k;
        least = distance;
      }
    }
    if (nearest >= 0) {
      f->zeros[i] = f->zeros[--f->zero_count];
      c->zero_error[i] = c->zero_error[f->zero_count];
      f->poles[nearest] = f->poles[--f->pole_count];
      c->pole_error[nearest] = c->pole_error[f->pole_count];
    }
  }
}

/** The factor j omega - root. @param off  += what the rounding of the root makes of it, as a fraction */
static sb_extended_complex factor(sb_root root, double omega, double *off) {
  *off += DBL_EPSILON * hypot(root.re, root.im) / hypot(root.re, omega - root.im);
  return (I * omega - root.re) - I * root.im;
}

/** The product of the factors at j omega over `by`, one by one, so that no part of it overflows. */
static sb_extended_complex product(const sb_factors *f, double omega, sb_extended_complex by,
                                   double *off) {
  const int most = f->zero_count > f->pole_count ? f->zero_count : f->pole_count;
  sb_extended_complex product = 1 / by;
  for (int k = 0; k < most; k++) {
    product *= k < f->zero_count ? factor(f->zeros[k], omega, off) : 1;
    product /= k < f->pole_count ? factor(f->poles[k], omega, off) : 1;
  }
  return product;
}

/** The slowest and the fastest of roots that are not zero. */
static void note_sizes(const sb_root roots[], int count, double *least, double *most) {
  for (int k = 0; k < count; k++) {
    const double size = hypot(roots[k].re, roots[k].im);
    *least = size > 0 ? fmin(*least, size) : *least;
    *most = fmax(*most, size);
  }
}

/** Frequencies from below the slowest root to beyond the fastest, and one beside each root.
 *  @return false: out of memory */
static bool choose_points(channel *c, const sb_factors *f) {
  double least = HUGE_VAL, most = 0;
  note_sizes(f->poles, f->pole_count, &least, &most);
  note_sizes(f->zeros, f->zero_count, &least, &most);
  most = most > 0 ? most : 1;
  c->slowest = least = isinf(least) ? most : least;
  const int spread = (int)ceil(PER_DECADE * log10(most / least)) + 2 * BEYOND * PER_DECADE + 1;
  const int points = spread + 2 * (f->pole_count + f->zero_count);
  c->points = 0;
  c->omega = sb_arena_zeroed(&c->memory, points, sizeof(double));
  c->value = sb_arena_zeroed(&c->memory, points, sizeof *c->value);
  c->off = sb_arena_zeroed(&c->memory, points, sizeof(double));
  if (c->memory.failed) {
    return false;
  }
  for (int i = 0; i < spread; i++) {
    c->omega[c->points++] = least * pow(10, (double)i / PER_DECADE - BEYOND);
  }
  for (int k = 0; k < f->pole_count + f->zero_count && c->n <= SB_LINEAR_EXTENDED_MAX; k++) {
    const sb_root r = k < f->pole_count ? f->poles[k] : f->zeros[k - f->pole_count];
    if (r.re != 0 && r.im >= 0) { // at the peak
      c->omega[c->points++] = hypot(r.re, r.im);
    }
    if (r.im > 0) {
      c->omega[c->points++] = beside * hypot(r.re, r.im);
    }
  }
  return true;
}

static bool find_values(channel *c, const sb_factors *f, sb_error *err) {
  const int n = c->n;
  sb_arena memory = {0};
  sb_extended_complex *a = sb_arena_zeroed(&memory, n, (size_t)(n + 1) * sizeof *a);
  double complex *scratch = sb_arena_zeroed(&memory, n, (size_t)(n + 1) * sizeof *scratch);
  const bool room = !memory.failed && choose_points(c, f);
  for (int i = 0; i < c->points && room; i++) {
    c->value[i] = value_at(c, c->omega[i], 0, a, scratch);
    const double complex off =
        (double complex)(value_at(c, c->omega[i], c->rounding, a, scratch) / c->value[i] - 1);
    c->off[i] = cabs(off);
  }
  sb_arena_finish(&memory);
  return room || sb_fail(err, SB_ERR_MEMORY, "out of memory") == SB_OK;
}

/** What roots that are not zero may be off by, as a fraction of themselves. @return the largest of them, and of `off` */
static double largest_error(const sb_root roots[], const double error[], int count, double off) {
  for (int k = 0; k < count; k++) {
    const double size = hypot(roots[k].re, roots[k].im);
    off = size > 0 ? fmax(off, error[k] / size) : off;
  }
  return off;
}

/** The gain, and whether the factors give the transfer function wherever that is known, which shall be at half of the points. */
static bool find_gain(const channel *c, sb_factors *f) {
  double least = HUGE_VAL;
  int known = 0;
  bool right = true;
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < c->points; i++) {
      double off = c->off[i];
      const double complex inverse = (double complex)product(f, c->omega[i], c->value[i], &off);
      if (pass == 0 && off < least) {
        least = off;
        f->gain = 1 / creal(inverse);
      } else if (pass == 1 && off <= agreement) {
        known++;
        right = right && cabs(f->gain * inverse - 1) <= agreement;
      } else if (pass == 1 && c->rounding == SB_ROUNDING_EXTENDED && c->omega[i] > c->slowest) {
        f->error = fmax(f->error, fmin(off, 1)); // a zero that is 0 may be one that is small
      }
    }
  }
  return right && 2 * known >= c->points && isfinite(f->gain);
}

static double largest_value(const channel *c) {
  double largest = 0;
  for (int i = 0; i < c->points; i++) {
    largest = fmax(largest, cabs((double complex)c->value[i]));
  }
  return largest;
}

static sb_status find_factors(channel *c, sb_factors *f, sb_error *err) {
  f->pole_count = c->n;
  SB_TRY(sb_find_roots(c->A, c->n, c->rounding, f->poles, c->pole_error, err));
  const sb_status status = find_zeros(c, f, err);
  if (status != SB_OK && status != SB_ERR_SINGULAR) {
    return status;
  }
  if (!find_values(c, f, err)) {
    return err->status;
  }
  if (status == SB_ERR_SINGULAR ||
      largest_value(c) == 0) { // no u is needed for y = 0: there is no effect
    *f = (sb_factors){.zeros = f->zeros, .poles = f->poles};
    return SB_OK;
  }
  f->error = largest_error(f->zeros, c->zero_error, f->zero_count, 0);
  f->error = largest_error(f->poles, c->pole_error, f->pole_count, f->error);
  cancel(c, f);
  const bool right = find_gain(c, f);
  sb_roots_sort(f->zeros, f->zero_count);
  sb_roots_sort(f->poles, f->pole_count);
  return right ? SB_OK
               : sb_fail(err, SB_ERR_SOLVER,
                         "the zeros of the transfer function cannot be told from rounding");
}

static bool is_finite(const channel *c) {
  sb_extended sum = 0; // less itself it is zero
  for (int i = 0; i < c->n * c->n; i++) {
    sum += c->A[i].value;
  }
  for (int i = 0; i < c->n; i++) {
    sum += c->b[i].value + c->c[i].value;
  }
  for (int k = 0; k <= c->order; k++) {
    sum += c->d[k].value;
  }
  return sum - sum == 0;
}

sb_status sb_linear_factors(const sb_linear *l, int output, int input, sb_factors *f,
                            sb_error *err) {
  channel c = {0};
  *f = (sb_factors){.zeros = f->zeros, .poles = f->poles};
  bool made = channel_init(&c, l, output, input);
  sb_status status = SB_OK;
  if (!made) {
    status = sb_fail(err, SB_ERR_MEMORY, "out of memory");
  } else if (!is_finite(&c)) {
    status = sb_fail(err, SB_ERR_NOT_FINITE, "the linearisation has entries that are not finite");
  } else {
    status = find_factors(&c, f, err);
  }
  sb_arena_finish(&c.memory);
  return status;
}
