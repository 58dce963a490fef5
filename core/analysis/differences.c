// SPDX-License-Identifier: GPL-3.0-or-later
// Differences are central, extrapolated twice (Richardson), over steps of twelve decades: state scales
// from 1e-6 C to 1e3 m are all met. A wide step has less rounding, but it may look past what there is near the point, such as the
// sharp edge of a wheel; the narrowest may be within a tolerance. So the steps that agree over the most decades have it.
#include "core/analysis/differences_private.h"

#include <float.h>
#include <math.h>

enum { STEPS = SB_DIFFERENCE_STEPS, LEVELS = SB_DIFFERENCE_LEVELS, NARROW = 4, COARSE = 3 };
/** How many errors apart two differences are that do not agree. */
static const double apart = 3;
/** What is off by less than this fraction is known. */
static const double known = 1e-3;
static const double rounding = 4 * DBL_EPSILON;

bool sb_differences_init(sb_differences *d, sb_arena *memory) {
  d->column = sb_arena_zeroed(memory, d->rows, sizeof(double));
  d->error = sb_arena_zeroed(memory, d->rows, sizeof(double));
  for (int k = 0; k < LEVELS; k++) {
    d->plus[k] = sb_arena_zeroed(memory, d->rows, sizeof(double));
    d->minus[k] = sb_arena_zeroed(memory, d->rows, sizeof(double));
  }
  for (int k = 0; k < STEPS; k++) {
    d->slopes[k] = sb_arena_zeroed(memory, d->rows, sizeof(double));
    d->errors[k] = sb_arena_zeroed(memory, d->rows, sizeof(double));
  }
  return !memory->failed;
}

static bool pair(sb_differences *d, double *variable, double h, int level) {
  double kept = *variable;
  *variable = kept + h;
  bool ok = d->evaluate(d->context, d->plus[level]);
  *variable = kept - h;
  ok = ok && d->evaluate(d->context, d->minus[level]);
  *variable = kept;
  return ok;
}

/** The slopes by one step, and what they may be off by: what the second extrapolation changed, and rounding. */
static void extrapolate(sb_differences *d, double h, double slopes[], double errors[]) {
  for (int r = 0; r < d->rows; r++) {
    double slope[LEVELS];
    for (int k = 0; k < LEVELS; k++) {
      slope[k] = (d->plus[k][r] - d->minus[k][r]) / (2 * h) * (1 << k);
    }
    double first = slope[1] + (slope[1] - slope[0]) / 3;
    double second = slope[2] + (slope[2] - slope[1]) / 3;
    double noise = DBL_EPSILON * (fabs(d->plus[0][r]) + fabs(d->minus[0][r])) / h;
    slopes[r] = second + (second - first) / 15;
    errors[r] = fabs(second - first) + 8 * noise;
  }
}

/** The steps of a row that are not too wide. Where one has lost what the one before it knew, it is wider than what it looks at, and
 *  there may be nothing but exponentials of large numbers farther on; but the narrowest may be within a tolerance of the model, and then more of
 *  the others know something. That of one row says nothing of another, which may be rounding. */
static int usable(const sb_differences *d, int r, int count) {
  for (int k = 1; k < count; k++) {
    const double slope = fabs(d->slopes[k - 1][r]);
    int beyond = 0;
    for (int j = k + 1; j < count; j++) {
      beyond += d->errors[j][r] <= known * fabs(d->slopes[j][r]);
    }
    if (d->errors[k - 1][r] < known * slope && d->errors[k][r] > slope && beyond <= k) {
      return k;
    }
  }
  return count;
}

/** The longest run of steps that agree, from the narrowest on, and in it the one with the least error. What the narrowest are
 *  off by is rounding, and counts for all; so does that of their slopes, which for the others may cancel.
 *  @param h  (taken) the steps, the narrowest first */
static void choose(sb_differences *d, int r, const double h[], int taken) {
  const int count = usable(d, r, taken);
  double noise = 0, size = 0, column = 0, error = 0;
  for (int k = 0; k < (d->coarse ? 1 : NARROW) && k < count; k++) {
    noise = fmax(noise, d->errors[k][r] * h[k]);
    size = fmax(size, fabs(d->slopes[k][r]));
  }
  for (int k = 0, length = 0, longest = 0; k < count; k++) {
    const double slope = d->slopes[k][r], off = d->errors[k][r] + noise / h[k] + rounding * size;
    const bool agrees = length > 0 && fabs(slope - column) <= apart * (off + error);
    if (!agrees || off < error) {
      column = slope;
      error = off;
    }
    length = agrees ? length + 1 : 1;
    if (length > longest) {
      longest = length;
      d->column[r] = column;
      d->error[r] = error;
    }
  }
  d->column[r] = fabs(d->column[r]) <= d->error[r] ? 0 : d->column[r];
}

bool sb_differences_take(sb_differences *d, double *variable) {
  const double widest = 0.1 * fmax(fabs(*variable), 1);
  double steps[STEPS];
  int count = 0;
  bool ok = true;
  for (int k = STEPS - 1; k >= 0 && (ok || count == 0); k -= d->coarse ? COARSE : 1) {
    volatile double moved =
        *variable + widest * pow(10, -k); // a step that the variable can make exactly
    double step = moved - *variable;
    ok = true;
    for (int level = 0; ok && level < LEVELS; level++) {
      ok = pair(d, variable, step / (1 << level), level);
    }
    if (ok) {
      extrapolate(d, step, d->slopes[count], d->errors[count]);
      steps[count++] = step;
    }
  }
  for (int r = 0; count > 0 && r < d->rows; r++) {
    choose(d, r, steps, count);
  }
  return count > 0;
}

// Over steps H far beyond all that stands still, (f(H) - f(-H))/(2 H) has the rounding of the slope alone. The slope there is that
// at the point if both steps have it and what is known of it at the point does not contradict.
bool sb_differences_affine(sb_differences *d, double *variable) {
  static const double far[2] = {0x1p160, 0x1p200};
  double *slope[2] = {d->slopes[0], d->slopes[1]};
  bool affine = true;
  for (int k = 0; k < 2 && affine; k++) {
    affine = pair(d, variable, far[k], 0);
    for (int r = 0; r < d->rows && affine; r++) {
      slope[k][r] = (d->plus[0][r] - d->minus[0][r]) / (2 * far[k]);
    }
  }
  for (int r = 0; r < d->rows && affine; r++) {
    affine = fabs(slope[1][r] - slope[0][r]) <= 4 * DBL_EPSILON * fabs(slope[1][r]) &&
             fabs(slope[1][r] - d->column[r]) <= apart * d->error[r];
  }
  for (int r = 0; r < d->rows && affine; r++) {
    d->column[r] = slope[1][r];
    d->error[r] = 0;
  }
  return affine;
}
