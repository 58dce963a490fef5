// SPDX-License-Identifier: GPL-3.0-or-later
// Modes and frequency response of a linearisation.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/analysis/linear_private.h"
#include "core/analysis/roots_private.h"
#include "core/analysis/transfer_private.h"
#include "core/base/arena.h"
#include "core/base/array.h"
#include "core/linalg/dense.h"
#include "core/linalg/numbers.h"

/** What a row sees of a direction is rounding below this fraction of its terms. */
static const double unseen = 1e-6;
/** A column whose entries are all below this fraction of their rows is rounding, whatever its unit. */
static const double faint = 1e-9;
/** Responses that doubles know to this fraction are known with more digits. */
static const double little = 1e-6;

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

static sb_mode mode_of(double re, double im) {
  sb_mode mode = {.re = re, .im = im, .natural = hypot(re, im)};
  mode.damping = mode.natural > 0 ? -re / mode.natural : 0;
  mode.time_constant = re != 0 ? -1 / re : HUGE_VAL;
  return mode;
}

/** @param rest, error  as of l->A; may be NULL */
static sb_status find_modes(const double matrix[], const double rest[], const double error[],
                            int count, sb_mode modes[], sb_error *err) {
  sb_arena memory = {0};
  const double known = rest != NULL ? SB_ROUNDING_EXTENDED : SB_ROUNDING;
  const sb_tracked *A = sb_tracked_numbers(matrix, rest, error, count * count, known, &memory);
  sb_root *values = sb_arena_zeroed(&memory, count, sizeof *values);
  sb_status status = memory.failed ? sb_fail(err, SB_ERR_MEMORY, "out of memory")
                                   : sb_find_roots(A, count, known, true, values, err);
  for (int i = 0; status == SB_OK && i < count; i++) {
    modes[i] = mode_of(values[i].re, values[i].im);
    modes[i].error = values[i].error;
  }
  sb_arena_finish(&memory);
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
    status = find_modes(M, NULL, NULL, count, found, err);
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
  SB_TRY(find_modes(l->A, l->rest.A, l->error.A, n, modes, err));
  // in linear models all storages are observed; without a port none is
  return l->E != NULL && l->ports > 0 ? mark_neutral(l, modes, err) : SB_OK;
}

/** All matrices, as those of a reduced pencil. @return false: out of memory */
static bool make_pencil(const sb_linear *l, sb_pencil *p, sb_arena *memory) {
  const int n = l->states, m = l->inputs, r = l->outputs;
  const double known = sb_linear_rounding(l);
  *p = (sb_pencil){.n = n, .inputs = m, .outputs = r, .order = l->order, .rounding = known};
  p->A = sb_tracked_numbers(l->A, l->rest.A, l->error.A, n * n, known, memory);
  p->B[0] = sb_tracked_numbers(l->B, l->rest.B, l->error.B, n * m, known, memory);
  p->C = sb_tracked_numbers(l->C, l->rest.C, l->error.C, r * n, known, memory);
  p->D[0] = sb_tracked_numbers(l->D, l->rest.D, l->error.D, r * m, known, memory);
  for (int k = 1; k <= l->order; k++) {
    p->D[k] = sb_arena_zeroed(memory, r * m, sizeof(sb_tracked));
    for (int i = 0; i < r * m && p->D[k] != NULL; i++) {
      p->D[k][i] = sb_tracked_number(l->derivatives, l->rest.derivatives, l->error.derivatives,
                                     (k - 1) * r * m + i, known);
    }
  }
  return !memory->failed;
}

/** With all digits where there are more than those of doubles. What these would be off by stands for what it is, where that is little.
 *  @return false: at an undamped resonance */
static bool respond(const sb_pencil *p, double omega, sb_response_work *w, sb_extended_complex y[],
                    double off[]) {
  bool known = sb_pencil_respond(p, omega, false, w, y, off);
  if (p->n > SB_LINEAR_EXTENDED_MAX) {
    return known;
  }
  for (int i = 0; i < p->outputs * p->inputs && known; i++) {
    known = off[i] <= little;
  }
  return sb_pencil_respond(p, omega, true, w, y, known ? NULL : off);
}

sb_status sb_linear_response(const sb_linear *l, double omega, double re[], double im[],
                             double error[], sb_error *err) {
  const int count = l->outputs * l->inputs;
  sb_arena memory = {0};
  sb_pencil p;
  sb_response_work w;
  const bool room = make_pencil(l, &p, &memory) && sb_response_work_init(&w, &p, &memory);
  sb_extended_complex *y = sb_arena_zeroed(&memory, count, sizeof *y);
  double *off = sb_arena_zeroed(&memory, count, sizeof *off);
  const bool taken = room && !memory.failed;
  const bool regular = taken && respond(&p, omega, &w, y, off);
  for (int i = 0; i < count && taken; i++) {
    re[i] = regular ? (double)__real__ y[i] : HUGE_VAL;
    im[i] = regular ? (double)__imag__ y[i] : 0;
    if (error != NULL) {
      error[i] = regular && y[i] != 0 ? off[i] : 0; // entries that are not known from 0 are 0
    }
  }
  sb_arena_finish(&memory);
  return taken ? SB_OK : sb_fail(err, SB_ERR_MEMORY, "out of memory");
}
