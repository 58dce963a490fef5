// SPDX-License-Identifier: GPL-3.0-or-later
// Transfer functions of a pencil, and whether those of two pencils are the same.
#include <complex.h>
#include <math.h>

#include "core/analysis/complex_private.h"
#include "core/analysis/roots_private.h"
#include "core/analysis/transfer_private.h"

/** What both forms of a transfer function may be apart, as a fraction. */
static const double agreement = 1e-6;

static double size_of(sb_extended a) {
  return fabs((double)a);
}

/** Solves A X = B by Gaussian elimination with the largest pivot of each column.
 *  @param a  (n x columns) row-major: A, and B behind it, which becomes X  @return false: A is singular */
static bool solve(sb_extended a[], int n, int columns) {
  for (int r = 0; r < n; r++) {
    int best = r;
    for (int i = r + 1; i < n; i++) {
      best = size_of(a[i * columns + r]) > size_of(a[best * columns + r]) ? i : best;
    }
    for (int j = r; j < columns && best != r; j++) {
      const sb_extended swap = a[r * columns + j];
      a[r * columns + j] = a[best * columns + j];
      a[best * columns + j] = swap;
    }
    if (a[r * columns + r] == 0) {
      return false;
    }
    for (int i = 0; i < n; i++) {
      const sb_extended factor = i == r ? 0 : a[i * columns + r] / a[r * columns + r];
      for (int j = r; j < columns && factor != 0; j++) {
        if (a[r * columns + j] != 0) {
          a[i * columns + j] -= factor * a[r * columns + j];
        }
      }
    }
  }
  for (int i = 0; i < n; i++) {
    for (int k = n; k < columns; k++) {
      a[i * columns + k] /= a[i * columns + i];
    }
  }
  return true;
}

/** Solves (s E - A) w = sum s^k B_k, y = C w + sum s^k D_k.
 *  @param blur  out: what rounding of w makes of y  @return false: s is an eigenvalue, or memory */
static bool transfer(const sb_pencil *p, double s, sb_extended y[], double blur[],
                     sb_arena *memory) {
  int n = p->n, m = p->inputs, columns = n + m;
  sb_extended *a = sb_arena_zeroed(memory, n, (size_t)columns * sizeof *a), power = 1;
  for (int i = 0; i < n * n && a != NULL; i++) {
    a[i / n * columns + i % n] = s * p->E[i].value - p->A[i].value;
  }
  for (int i = 0; i < p->outputs * m; i++) {
    y[i] = 0;
  }
  for (int k = 0; k <= p->order && a != NULL; k++, power *= s) {
    for (int i = 0; i < n * m; i++) {
      a[i / m * columns + n + i % m] += power * p->B[k][i].value;
    }
    for (int i = 0; i < p->outputs * m; i++) {
      y[i] += power * p->D[k][i].value;
    }
  }
  if (a == NULL || !solve(a, n, columns)) {
    return false;
  }
  double largest = 0;
  for (int i = 0; i < n * m; i++) {
    largest = fmax(largest, size_of(a[i / m * columns + n + i % m]));
  }
  for (int i = 0; i < p->outputs; i++) {
    for (int r = 0; r < n; r++) {
      for (int j = 0; j < m; j++) {
        blur[i * m + j] += p->rounding * p->C[i * n + r].size * largest;
      }
      for (int j = 0; j < m && p->C[i * n + r].value != 0; j++) {
        y[i * m + j] += p->C[i * n + r].value * a[r * columns + n + j];
      }
    }
  }
  return true;
}

bool sb_response_work_init(sb_response_work *w, const sb_pencil *p, sb_arena *memory) {
  const int columns = p->n + (p->inputs > p->outputs ? p->inputs : p->outputs);
  w->a = sb_arena_zeroed(memory, p->n, (size_t)columns * sizeof *w->a);
  w->doubles = sb_arena_zeroed(memory, p->n, (size_t)columns * sizeof *w->doubles);
  w->again = sb_arena_zeroed(memory, p->outputs * p->inputs, sizeof *w->again);
  return !memory->failed;
}

/** What numbers of a pencil are taken for. */
typedef struct reading {
  const sb_pencil *p;
  bool extended; // with all digits, else as doubles
  bool again;    // moved by what they may be off, which as doubles is not less than their rounding
  bool across;   // of the transpose
} reading;

static sb_extended taken(const reading *r, sb_tracked a, int k) {
  const double least = r->extended ? 0 : SB_ROUNDING * size_of(a.value);
  return r->again ? sb_tracked_moved(a, fmax(r->p->rounding * a.size, least), k) : a.value;
}

/** Solves A X = B as sb_complex_solve(), with all digits or as doubles. */
static bool solve_complex(sb_response_work *w, int n, int columns, bool extended) {
  if (extended) {
    return sb_extended_complex_solve(w->a, n, columns);
  }
  for (int i = 0; i < n * columns; i++) {
    w->doubles[i] = (double complex)w->a[i];
  }
  const bool regular = sb_complex_solve(w->doubles, n, columns);
  for (int i = 0; i < n * columns; i++) {
    w->a[i] = w->doubles[i];
  }
  return regular;
}

/** (j omega - A) X = B, or of the transpose, whose right sides are the rows of C. */
static void load(const reading *r, double omega, sb_extended_complex a[], int columns) {
  const sb_pencil *p = r->p;
  const int n = p->n, m = p->inputs;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      a[r->across ? j * columns + i : i * columns + j] = -taken(r, p->A[i * n + j], i + 2 * j);
    }
  }
  for (int i = 0; i < n; i++) {
    a[i * columns + i] += I * omega;
    for (int j = n; j < columns; j++) {
      a[i * columns + j] =
          r->across ? taken(r, p->C[(j - n) * n + i], i + 1) : taken(r, p->B[0][i * m + j - n], i);
    }
  }
}

/** @return false: a pole */
static bool respond(const reading *r, double omega, sb_response_work *w, sb_extended_complex y[]) {
  const sb_pencil *p = r->p;
  const int n = p->n, m = p->inputs, columns = n + (r->across ? p->outputs : m);
  load(r, omega, w->a, columns);
  if (!solve_complex(w, n, columns, r->extended)) {
    return false;
  }
  for (int i = 0; i < p->outputs * m; i++) {
    const int row = i / m, column = i % m;
    sb_extended_complex power = 1;
    y[i] = 0;
    for (int k = 0; k < n; k++) {
      const sb_extended_complex *x = w->a + k * columns + n;
      y[i] += r->across ? taken(r, p->B[0][k * m + column], k) * x[row]
                        : taken(r, p->C[row * n + k], k + 1) * x[column];
    }
    for (int k = 0; k <= p->order; k++, power *= I * omega) {
      y[i] += power * taken(r, p->D[k][i], k);
    }
  }
  return true;
}

bool sb_pencil_respond(const sb_pencil *p, double omega, bool extended, sb_response_work *w,
                       sb_extended_complex y[], double off[]) {
  // the columns of A have the units of the states each, which a search for pivots along them does not see: the transpose costs digits
  const reading first = {p, extended, false, false}, again = {p, extended, true, extended};
  if (!respond(&first, omega, w, y) || (off != NULL && !respond(&again, omega, w, w->again))) {
    return false;
  }
  for (int i = 0; i < p->outputs * p->inputs && off != NULL; i++) {
    off[i] = w->again[i] == y[i] ? 0 : cabs((double complex)(w->again[i] / y[i] - 1));
  }
  return true;
}

/** The largest eigenvalue of the reduced pencil [1/s], or 1 where all are zero: its entries depend on the units. */
static sb_status find_fastest(const sb_pencil *p, double *fastest, sb_arena *memory,
                              sb_error *err) {
  sb_root *roots = sb_arena_zeroed(memory, p->n, sizeof *roots);
  if (roots == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  SB_TRY(sb_find_roots(p->A, p->n, p->rounding, false, roots, err));
  *fastest = 0;
  for (int i = 0; i < p->n; i++) {
    *fastest = fmax(*fastest, hypot(roots[i].re, roots[i].im));
  }
  *fastest = *fastest > 0 ? *fastest : 1;
  return SB_OK;
}

/** At one frequency. @return SB_ERR_SOLVER: they differ, or s is an eigenvalue; SB_ERR_MEMORY */
static sb_status compare_at(const sb_pencil *before, const sb_pencil *after, double s,
                            sb_arena *memory) {
  int count = after->outputs * after->inputs;
  sb_extended *y = sb_arena_zeroed(memory, 2 * count, sizeof *y);
  double *blur = sb_arena_zeroed(memory, count, sizeof *blur);
  bool same = !memory->failed && transfer(before, s, y, blur, memory) &&
              transfer(after, s, y + count, blur, memory);
  double largest = 0;
  for (int i = 0; same && i < count; i++) {
    largest = fmax(largest, size_of(y[i]));
  }
  for (int i = 0; same && i < count; i++) {
    same =
        size_of(y[i] - y[count + i]) <= agreement * (size_of(y[i]) + agreement * largest) + blur[i];
  }
  return memory->failed ? SB_ERR_MEMORY : same ? SB_OK : SB_ERR_SOLVER;
}

sb_status sb_pencil_compare(const sb_pencil *before, const sb_pencil *after, const char *name,
                            sb_error *err) {
  sb_arena memory = {0};
  double fastest = 1;
  sb_status status = find_fastest(after, &fastest, &memory, err);
  if (status == SB_OK) {
    const double sizes[] = {1.3437 * fastest,
                            fmin(1.1319, 0.13437 * fastest)}; // no pole is likely there
    for (int k = 0; k < 2 && status == SB_OK; k++) {
      status = compare_at(before, after, sizes[k], &memory);
    }
    if (status == SB_ERR_SOLVER) {
      (void)sb_fail(
          err, status,
          "the linearisation of '%s' cannot be told from rounding: its numbers differ too "
          "much in size",
          name);
    } else if (status == SB_ERR_MEMORY) {
      (void)sb_fail(err, status, "out of memory");
    }
  }
  sb_arena_finish(&memory);
  return status;
}
