// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes before anything has moved, from the motion itself: those that a state has after a time h in which the
// rates hardly change. With the rates at the start, f0, and two explicit steps,
//   x1 = x + h f0,  f1 = f(t + h, x1),     x2 = x + h f1,  f2 = f(t + h, x2),
// so that also what is driven through another state moves, h is shortened until f2 and f1 differ by no more
// than a fraction of the larger of f0 and f1; or by what moves a state by less than a fraction of the size that
// it has at x2, which the energy of its part makes more than |x2|: where forces set out from balance, f0 is the
// rounding of their difference, and the rates behind it never agree. Integrals of signals have no energy: where they alone
// do not agree, further steps x_k+1 = x + h f_k bring what has passed one integral more of a chain, up to a few.
// One more is taken where the energy of a part that had some has grown at x2: of a mass m that meets a spring k with the speed v,
// f0 has no force, and f1 and f2 have the same one, k v h, however long h is; that of x3 differs by (k/m) h^2 of it.
// The first step then has to be accurate relative to the last x_k; sizes grow with the motion from there on. Where the steps have a given length, h is that:
// nothing but Newton's iteration needs the sizes.
#include <string.h>

#include "core/integrator/nominal_private.h"
#include "core/integrator/norm_private.h"
#include "core/model/constraints.h"
#include "core/model/rhs.h"

/** The first h as a fraction of the span, what h is shortened by, how often, and how far rates may
 *  differ. */
static const double first_fraction = 0.125, shorter = 0.25, alike = 0.5;
enum { TRIALS_MAX = 128, CHAIN_MAX = 4 };
/** A time is known to this fraction: no h is shorter. */
static const double time_rounding = 1024 * DBL_EPSILON;

/** x + h f, with the quadratures. */
static void move(const sb_nominal *n, double h, const double x[], const double rate[]) {
  for (int i = 0, length = sb_vector_count(n->network); i < length; i++) {
    n->x[i] = x[i] + h * rate[i];
  }
}

/** Whether two rates of a number, or of a vector, are alike, or it is known to move by less than its tolerance: what that
 *  does may be rounding.  @param i  its first component  @param f, g  (vector_count) the rates
 *  @param size  (vector_count) at the end of h; NULL: not known */
static bool agree(const sb_nominal *n, int i, int components, double h, const double f[],
                  const double g[], const double size[]) {
  const double rate =
      fmax(sb_length(n->rate[0] + i, components), sb_length(n->rate[1] + i, components));
  const double apart = sb_distance(f + i, g + i, components);
  return h * rate <= n->rtol * sb_nominal_size(n->now.size + i, components) ||
         apart <= alike * rate ||
         (size != NULL && h * apart <= alike * sb_nominal_size(size + i, components));
}

/** What the rates show to be faster than h. */
typedef enum haste { HASTE_NONE, HASTE_OF_INTEGRALS, HASTE } haste;

/** @param peak  the time is that of a pulse, which f0 has to show as well */
static haste find_haste(const sb_nominal *n, double h, bool peak, const double size[]) {
  const double *f0 = n->rate[0], *f1 = n->rate[1], *f2 = n->rate[2];
  haste found = HASTE_NONE;
  int next = 0, own = 1;
  for (int i = 0; i < n->network->state_count && found != HASTE; i += own) {
    own = sb_state_components(&n->network->vectors, i, &next);
    bool starts = peak && sb_length(f0 + i, own) != 0 && !agree(n, i, own, h, f0, f1, NULL);
    if (starts || !agree(n, i, own, h, f1, f2, size)) {
      found = starts || !n->integral[i] ? HASTE : HASTE_OF_INTEGRALS;
    }
  }
  return found;
}

/** What constraints hold: as after a step of h (nominal.c). */
static void measure_holds(sb_nominal *n, double h) {
  if (!sb_has_multipliers(&n->work->program->causality)) {
    return;
  }
  sb_constraints_note_pushes(n->work, n->x);
  for (int p = 0; p < n->network->part_count; p++) {
    n->trial.energy[p] = fmax(n->trial.energy[p], sb_constraints_push(n->work, p) * h * h);
  }
}

bool sb_nominal_measure_held(sb_nominal *n, double t, const double x[]) {
  if (!sb_has_multipliers(&n->work->program->causality) ||
      sb_workspace_evaluate(n->work, t, x) != 0) {
    return false;
  }
  memcpy(n->x, x, (size_t)sb_vector_count(n->network) * sizeof *x);
  memcpy(n->trial.size, n->now.size, (size_t)n->record_length * sizeof(double));
  measure_holds(n, t - n->accepted_t);
  sb_nominal_measure(n, &n->trial, t, n->x);
  return true;
}

/** Whether a part has more energy in the trial than it has held: sources may have supplied it, or h is too long. */
static bool has_gained(const sb_nominal *n) {
  bool gained = false;
  for (int p = 0; p < n->network->part_count; p++) {
    gained = gained || (n->now.scale[p] > 0 && n->trial.scale[p] > n->now.scale[p]);
  }
  return gained;
}

/** Whether the rates after k steps behind x1 are to be compared with those after one more. */
static bool goes_on(const sb_nominal *n, int k, haste found) {
  return k < CHAIN_MAX && (found == HASTE_OF_INTEGRALS ||
                           (found == HASTE_NONE && k == 1 && !n->fixed && has_gained(n)));
}

/** Brings the workspace to (t + h, x2), or further, and enters that into the trial record if h is short enough.
 *  @return whether it is, and the rates are known */
static bool try_time(sb_nominal *n, double t, const double x[], double h, bool peak) {
  const size_t length = (size_t)sb_vector_count(n->network) * sizeof(double);
  haste found = HASTE_OF_INTEGRALS;
  move(n, h, x, n->rate[0]);
  if (sb_workspace_rhs(n->work, t + h, n->x, n->rate[1]) != 0) {
    return false;
  }
  for (int k = 0; goes_on(n, k, found); k++) {
    if (k > 0) {
      memcpy(n->rate[1], n->rate[2], length);
    }
    move(n, h, x, n->rate[1]);
    if (sb_workspace_evaluate(n->work, t + h, n->x) != 0) {
      return false;
    }
    memcpy(n->rate[2], n->work->evaluation.xdot, length);
    memcpy(n->trial.size, n->now.size, (size_t)n->record_length * sizeof(double));
    measure_holds(n, h);
    sb_nominal_measure(n, &n->trial, t + h, n->x);
    found = n->fixed ? HASTE_NONE : find_haste(n, h, peak, n->trial.size);
  }
  return found == HASTE_NONE;
}

/** Finds a short time, with the state after it in the trial record.  @return the time [s]; 0: there is none */
static double find_time(sb_nominal *n, double t, const double x[], double span, bool peak) {
  double h = (n->fixed ? 1 : first_fraction) * span, least = time_rounding * fabs(t);
  if (sb_workspace_rhs(n->work, t, x, n->rate[0]) != 0) {
    return 0; // the step itself says why
  }
  for (int k = 0; k < TRIALS_MAX && h > least; k++, h *= shorter) {
    if (try_time(n, t, x, h, peak)) {
      return h;
    }
  }
  return 0;
}

bool sb_nominal_promises(const sb_nominal *n) {
  bool more = false;
  for (int p = 0; p < n->network->part_count; p++) {
    more = more || n->trial.scale[p] > n->now.scale[p];
  }
  return more;
}

double sb_nominal_try(sb_nominal *n, double t, const double x[], double span) {
  double h = find_time(n, t, x, span, false);
  if (h > 0) {
    sb_nominal_choose(n, t + h);
  }
  return h;
}

bool sb_nominal_foresee(sb_nominal *n, double t, const double x[], double span) {
  double h = n->fixed ? 0 : find_time(n, t, x, span, true);
  for (int p = 0; p < n->network->part_count && h > 0; p++) {
    n->now.energy[p] = fmax(n->now.energy[p], n->trial.energy[p]);
  }
  for (int i = 0; i < n->network->state_count && h > 0; i++) {
    n->foreseen[i] = fmax(n->foreseen[i], n->trial.size[i]);
  }
  memset(n->trial.size, 0, (size_t)n->record_length * sizeof *n->trial.size); // of no step
  return h > 0;
}
