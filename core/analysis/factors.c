// SPDX-License-Identifier: GPL-3.0-or-later
// Zeros and poles of one channel. Its zeros are the poles of the inverse system, in which y is given and
// u is unknown, wdot = A w + b u, 0 = c w + d u - y, a descriptor system that is reduced as any other.
// The gain follows from the value at one point, and the values at others tell whether all is right.
#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/analysis/linear_private.h"
#include "core/analysis/roots_private.h"
#include "core/analysis/transfer_private.h"

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

/** A frequency, and the transfer function there. */
typedef struct point {
  double omega; // [rad/s]
  sb_extended_complex value;
  double off;    // what the value may be off by, as a fraction; not a number at a pole
  bool extended; // it was found with all digits
} point;

/** The poles that were found last. */
typedef struct poles {
  int count;    // -1: none were
  int *states;  // (count) between which they are
  sb_root *all; // (count)
} poles;

/** What lies between one input and one output. */
typedef struct channel {
  sb_pencil p;       // reduced
  const int *states; // (p.n) their numbers
  int count;
  point *points;  // (count)
  double slowest; // of the roots that are not zero [rad/s]
  sb_response_work work;
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
  const double rounding = sb_linear_rounding(l);
  char *from = sb_arena_zeroed(&c->memory, n, sizeof *from);
  char *to = sb_arena_zeroed(&c->memory, n, sizeof *to);
  int *queue = sb_arena_zeroed(&c->memory, n, sizeof *queue);
  c->p = (sb_pencil){.inputs = 1, .outputs = 1, .rounding = rounding};
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
      queue[c->p.n++] = i;
    }
  }
  if (!sb_pencil_init(&c->p, &c->memory)) {
    return false;
  }
  const int size = c->p.n;
  c->states = queue;
  for (int i = 0; i < size; i++) {
    for (int j = 0; j < size; j++) {
      c->p.A[i * size + j] =
          sb_tracked_number(l->A, l->rest.A, l->error.A, queue[i] * n + queue[j], rounding);
    }
    c->p.B[0][i] = sb_tracked_number(l->B, l->rest.B, l->error.B, queue[i] * m + input, rounding);
    c->p.C[i] = sb_tracked_number(l->C, l->rest.C, l->error.C, output * n + queue[i], rounding);
  }
  *c->p.D[0] = sb_tracked_number(l->D, l->rest.D, l->error.D, output * m + input, rounding);
  for (int k = 1; k <= l->order; k++) {
    const int at = ((k - 1) * l->outputs + output) * m + input;
    *c->p.D[k] =
        sb_tracked_number(l->derivatives, l->rest.derivatives, l->error.derivatives, at, rounding);
    c->p.order = c->p.D[k]->value != 0 ? k : c->p.order;
  }
  return sb_response_work_init(&c->work, &c->p, &c->memory);
}

/** The inverse system in (x, u, its derivatives below the highest). */
static bool invert(const sb_pencil *c, sb_pencil *p, sb_arena *memory) {
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
    p->A[i * size + n] = c->B[0][i];
    p->A[(size - 1) * size + i] = minus(c->C[i]);
  }
  for (int k = 0; k + 1 < more; k++) {
    p->E[(n + k) * size + n + k] = number(1);
    p->A[(n + k) * size + n + k + 1] = number(1);
  }
  for (int k = 0; k < more; k++) {
    p->A[(size - 1) * size + n + k] = minus(*c->D[k]);
  }
  p->E[(size - 1) * size + size - 1] = c->order > 0 ? *c->D[c->order] : (sb_tracked){0};
  return true;
}

static sb_status find_zeros(const channel *c, sb_factors *f, sb_error *err) {
  sb_arena memory = {0};
  sb_pencil p;
  sb_status status = invert(&c->p, &p, &memory) ? sb_pencil_reduce(&p, &memory) : SB_ERR_MEMORY;
  f->zero_count = status == SB_OK ? p.n : 0;
  if (status == SB_OK) {
    status = sb_find_roots(p.A, p.n, p.rounding, true, f->zeros, err);
  } else if (status == SB_ERR_MEMORY) {
    (void)sb_fail(err, status, "out of memory");
  }
  sb_arena_finish(&memory);
  return status;
}

static bool is_known(sb_root root) {
  return sb_root_off(root) < 1;
}

/** Takes out a zero and a pole that are the same, as far as they are known. What is 0 only because nothing of it is known stays. */
static void cancel(sb_factors *f) {
  for (int i = f->zero_count - 1; i >= 0; i--) {
    const sb_root zero = f->zeros[i];
    int nearest = -1;
    double least = HUGE_VAL;
    for (int k = 0; k < f->pole_count; k++) {
      const sb_root pole = f->poles[k];
      const double distance = hypot(zero.re - pole.re, zero.im - pole.im);
      const double known = fmin(zero.error + pole.error, agreement * fabs(pole.re)) +
                           DBL_EPSILON * (hypot(zero.re, zero.im) + hypot(pole.re, pole.im));
      if (distance <= known && distance < least && is_known(zero) && is_known(pole)) {
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
  const int room = spread + 2 * (f->pole_count + f->zero_count);
  c->points = sb_arena_zeroed(&c->memory, room, sizeof *c->points);
  if (c->points == NULL) {
    return false;
  }
  for (int i = 0; i < spread; i++) {
    c->points[c->count++].omega = least * pow(10, (double)i / PER_DECADE - BEYOND);
  }
  for (int k = 0; k < f->pole_count + f->zero_count && c->p.n <= SB_LINEAR_EXTENDED_MAX; k++) {
    const sb_root r = k < f->pole_count ? f->poles[k] : f->zeros[k - f->pole_count];
    if (r.re != 0 && r.im >= 0) { // at the peak
      c->points[c->count++].omega = hypot(r.re, r.im);
    }
    if (r.im > 0) {
      c->points[c->count++].omega = beside * hypot(r.re, r.im);
    }
  }
  return true;
}

/** The value at a point, and what it may be off by. */
static void evaluate(channel *c, point *at, bool extended) {
  at->extended = extended;
  if (!sb_pencil_respond(&c->p, at->omega, extended, &c->work, &at->value, &at->off)) {
    at->value = at->off = NAN;
  }
}

/** With all digits, unless it was. @return whether that is new */
static bool refine(channel *c, point *at) {
  const bool more = !at->extended && c->p.n <= SB_LINEAR_EXTENDED_MAX;
  if (more) {
    evaluate(c, at, true);
  }
  return more;
}

/** All values: as doubles wherever these know them, which costs a tenth. */
static sb_status find_values(channel *c, const sb_factors *f, sb_error *err) {
  if (!choose_points(c, f)) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  for (int i = 0; i < c->count; i++) {
    evaluate(c, &c->points[i], false);
    if (!(c->points[i].off <= agreement)) {
      (void)refine(c, &c->points[i]);
    }
  }
  return SB_OK;
}

/** The factors without the gain over the value at a point. @param off  out: what it may be off by, as a fraction */
static double complex ratio(const sb_factors *f, const point *at, double *off) {
  *off = at->off;
  return (double complex)product(f, at->omega, at->value, off);
}

/** Takes the gain from the point that knows it best. */
static void find_gain(channel *c, sb_factors *f) {
  point *best = NULL;
  double off, least = HUGE_VAL;
  for (int i = 0; i < c->count; i++) {
    (void)ratio(f, &c->points[i], &off);
    if (off < least) {
      least = off;
      best = &c->points[i];
    }
  }
  f->gain = NAN;
  if (best != NULL) {
    (void)refine(c, best);
    f->gain = 1 / creal(ratio(f, best, &off));
  }
}

/** Whether the factors give the transfer function at a point. @param off  out: what that may be off by there */
static bool is_right(channel *c, const sb_factors *f, point *at, double *off) {
  const bool right = cabs(f->gain * ratio(f, at, off) - 1) <= agreement;
  return right || *off > agreement || !refine(c, at) ? right : is_right(c, f, at, off);
}

/** Whether the factors give the transfer function wherever that is known, which shall be at half of the points. */
static bool check(channel *c, sb_factors *f) {
  int known = 0;
  bool right = isfinite(f->gain);
  for (int i = 0; i < c->count && right; i++) {
    double off;
    const bool same = is_right(c, f, &c->points[i], &off);
    if (off <= agreement) {
      known++;
      right = same;
    } else if (c->p.rounding == SB_ROUNDING_EXTENDED && c->points[i].omega > c->slowest) {
      f->error = fmax(f->error, fmin(off, 1)); // a zero that is 0 may be one that is small
    }
  }
  return right && 2 * known >= c->count;
}

/** What roots that are not zero may be off by, as a fraction of themselves. @return the largest of them, and of `off` */
static double largest_off(const sb_root roots[], int count, double off) {
  for (int k = 0; k < count; k++) {
    off = roots[k].re != 0 || roots[k].im != 0 ? fmax(off, sb_root_off(roots[k])) : off;
  }
  return off;
}

static double largest_value(const channel *c) {
  double largest = 0;
  for (int i = 0; i < c->count; i++) {
    largest = fmax(largest, cabs((double complex)c->points[i].value));
  }
  return largest;
}

/** Between the same states they are the same. */
static sb_status find_poles(const channel *c, poles *last, sb_factors *f, sb_error *err) {
  const int n = c->p.n;
  if (n != last->count || memcmp(c->states, last->states, (size_t)n * sizeof *c->states) != 0) {
    last->count = -1;
    SB_TRY(sb_find_roots(c->p.A, n, c->p.rounding, true, last->all, err));
    memcpy(last->states, c->states, (size_t)n * sizeof *c->states);
    last->count = n;
  }
  memcpy(f->poles, last->all, (size_t)n * sizeof *f->poles);
  f->pole_count = n;
  return SB_OK;
}

static sb_status find_factors(channel *c, poles *last, sb_factors *f, sb_error *err) {
  SB_TRY(find_poles(c, last, f, err));
  const sb_status status = find_zeros(c, f, err);
  if (status != SB_OK && status != SB_ERR_SINGULAR) {
    return status;
  }
  SB_TRY(find_values(c, f, err));
  if (status == SB_ERR_SINGULAR ||
      largest_value(c) == 0) { // no u is needed for y = 0: there is no effect
    *f = (sb_factors){.zeros = f->zeros, .poles = f->poles};
    return SB_OK;
  }
  f->error = largest_off(f->poles, f->pole_count, largest_off(f->zeros, f->zero_count, 0));
  cancel(f);
  find_gain(c, f);
  const bool right = check(c, f);
  sb_roots_sort(f->zeros, f->zero_count);
  sb_roots_sort(f->poles, f->pole_count);
  return right ? SB_OK
               : sb_fail(err, SB_ERR_SOLVER,
                         "the zeros of the transfer function cannot be told from rounding");
}

static bool is_finite(const sb_pencil *p) {
  sb_extended sum = 0; // less itself it is zero
  for (int i = 0; i < p->n * p->n; i++) {
    sum += p->A[i].value;
  }
  for (int i = 0; i < p->n; i++) {
    sum += p->B[0][i].value + p->C[i].value;
  }
  for (int k = 0; k <= p->order; k++) {
    sum += p->D[k]->value;
  }
  return sum - sum == 0;
}

static sb_status factors_of(const sb_linear *l, int output, int input, poles *last, sb_factors *f,
                            sb_error *err) {
  channel c = {0};
  *f = (sb_factors){.zeros = f->zeros, .poles = f->poles};
  bool made = channel_init(&c, l, output, input);
  sb_status status = SB_OK;
  if (!made) {
    status = sb_fail(err, SB_ERR_MEMORY, "out of memory");
  } else if (!is_finite(&c.p)) {
    status = sb_fail(err, SB_ERR_NOT_FINITE, "the linearisation has entries that are not finite");
  } else {
    status = find_factors(&c, last, f, err);
  }
  sb_arena_finish(&c.memory);
  return status;
}

static bool poles_init(poles *p, int states, sb_arena *memory) {
  *p = (poles){.count = -1,
               .states = sb_arena_zeroed(memory, states, sizeof(int)),
               .all = sb_arena_zeroed(memory, states, sizeof(sb_root))};
  return !memory->failed;
}

sb_status sb_linear_factors(const sb_linear *l, int output, int input, sb_factors *f,
                            sb_error *err) {
  sb_arena memory = {0};
  poles last;
  const sb_status status = poles_init(&last, l->states, &memory)
                               ? factors_of(l, output, input, &last, f, err)
                               : sb_fail(err, SB_ERR_MEMORY, "out of memory");
  sb_arena_finish(&memory);
  return status;
}

sb_status sb_linear_all_factors(const sb_linear *l, sb_factors factors[], sb_error errors[]) {
  sb_arena memory = {0};
  poles last;
  sb_status status = poles_init(&last, l->states, &memory) ? SB_OK : SB_ERR_MEMORY;
  for (int i = 0; i < l->outputs * l->inputs && status != SB_ERR_MEMORY; i++) {
    status = factors_of(l, i / l->inputs, i % l->inputs, &last, &factors[i], &errors[i]);
  }
  sb_arena_finish(&memory);
  return status == SB_ERR_MEMORY ? status : SB_OK;
}
