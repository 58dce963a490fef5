// SPDX-License-Identifier: GPL-3.0-or-later
// The powers at a stage of an implicit method, to more digits than its state has. Newton's iteration ends with a
// state z whose slope k = (z - z0)/gamma is not f(z) yet: with
//   (I - gamma J) d = gamma (f(z) - k)
// the stage would be z + d. Of a fast mode that is less than the rounding of z, but what depends on the mode, as the flow
// of a resistor whose effort is the small difference of two, would be off by much more than its tolerance. The powers
// belong to z + d, which z cannot hold; so they are found along d, s times as far, where it shows:
//   P(z + d) = P(z) + (P(z + s d) - P(z))/s,  f likewise.
// P and f are rounded alike at z, so that what k corrects in f is corrected in P. The matrix of the iteration may be an
// old one; f(z + d) tells what is left of the difference, and is solved for again (Hairer & Wanner, Solving Ordinary
// Differential Equations II, section IV.8).
#include <arkode/arkode_arkstep.h>
#include <float.h>
#include <math.h>
#include <string.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

#include "core/base/array.h"
#include "core/base/wide.h"
#include "core/integrator/arkode_private.h"
#include "core/model/rhs.h"

/** Slopes that differ by less, in units of what a state may be wrong by in the time gamma, are the same. */
static const double same = 0.01;
/** Of what states are known to by rounding (simulation/blurred.c): some eps of the terms of their rates. */
static const double few = 0x1p-4;
/** Corrections, each smaller than the one before. */
enum { CORRECTIONS_MAX = 6 };

bool sb_stage_powers_init(sb_stage_powers *p, const arkode *s) {
  int count = s->ledger.count > 0 ? s->ledger.count : 1;
  p->left = N_VClone(s->y);
  p->missing = N_VClone(s->y);
  p->away = N_VClone(s->y);
  p->slope = N_VClone(s->y);
  p->own = sb_zeroed(4 * count, sizeof(double));
  if (p->left == NULL || p->missing == NULL || p->away == NULL || p->slope == NULL ||
      p->own == NULL) {
    return false;
  }
  p->far = p->own + count;
  p->last = p->far + count;
  p->first = p->last + count;
  return true;
}

void sb_stage_powers_finish(sb_stage_powers *p) {
  N_Vector vectors[] = {p->left, p->missing, p->away, p->slope};
  for (int i = 0; i < 4; i++) {
    if (vectors[i] != NULL) {
      N_VDestroy(vectors[i]);
    }
  }
  free(p->own);
}

/** left = gamma (f - k) with gamma k = correction - known. */
SB_WIDE static void subtract_slope(int n, double gamma, const double rate[],
                                   const double correction[], const double known[],
                                   double *restrict left) {
  for (int i = 0; i < n; i++) {
    left[i] = gamma * rate[i] - (correction[i] - known[i]);
  }
}

/** left = gamma (f(z + d) - k) - d, where f(z + d) - f(z) is a part `share` of that at z + s d. */
static double find_left(arkode *s, const sb_stage *stage, N_Vector rate, double share) {
  sb_stage_powers *p = &s->powers;
  double gamma = stage->gamma;
  subtract_slope(s->length, gamma, NV_DATA_S(rate), NV_DATA_S(stage->correction),
                 NV_DATA_S(stage->known), NV_DATA_S(p->left));
  if (share > 0) {
    N_VLinearSum(gamma * share, p->slope, 1, p->left, p->left);
    N_VLinearSum(-gamma * share, rate, 1, p->left, p->left);
    N_VLinearSum(-1, p->missing, 1, p->left, p->left);
  }
  if (s->length > s->n) {
    NV_DATA_S(p->left)[s->n] = 0; // nothing depends on the error monitor
  }
  return N_VWrmsNorm(p->left, stage->weight);
}

/** The norm of what the missing part d of a stage is beyond rounding: where large terms cancel in rates, as at the neutral of balanced phases, a
 *  fast mode is nothing else, and f(z) is nowhere nearer to k. */
static double missed_of(const arkode *s, const sb_stage *stage) {
  const double *missing = NV_DATA_S(s->powers.missing), *known = s->nominal->blurred;
  double *beyond = NV_DATA_S(s->powers.away);
  N_VConst(0, s->powers.away);
  for (int i = 0; i < s->n; i++) {
    beyond[i] = fmax(0, fabs(missing[i]) - few * known[i]);
  }
  return N_VWrmsNorm(s->powers.away, stage->weight);
}

/** The powers at z + d, by those at z + s d; false: it has none.  @param share  out: 1/s */
static bool find_powers(arkode *s, const sb_stage *stage, double t, double power[], double *share) {
  sb_stage_powers *p = &s->powers;
  double length = N_VWrmsNorm(p->missing, stage->weight) * s->nominal->rtol;
  *share = fmin(length / sqrt(DBL_EPSILON), 1);
  if (!(*share > 0)) {
    return false;
  }
  N_VLinearSum(1, stage->z, 1 / *share, p->missing, p->away);
  if (sb_workspace_rates(s->work, t, NV_DATA_S(p->away), NV_DATA_S(p->slope), p->far) != 0) {
    return false;
  }
  for (int i = 0; i < s->ledger.count; i++) {
    power[i] = p->own[i] + (p->far[i] - p->own[i]) * *share;
  }
  return true;
}

/** The powers of the stage that is solved, whose rate is known. */
static void refine(arkode *s, const sb_stage *stage, double t, N_Vector rate, double power[]) {
  sb_stage_powers *p = &s->powers;
  size_t bytes = (size_t)s->ledger.count * sizeof *power;
  SUNNonlinearSolverContent_Newton newton = stage->iteration->content;
  double share = 0, before = HUGE_VAL, left = find_left(s, stage, rate, 0);
  p->missed = 0;
  p->residual = left;
  if (!(left > same)) {
    return;
  }
  memcpy(p->own, power, bytes);
  N_VConst(0, p->missing);
  for (int i = 0; i < CORRECTIONS_MAX && left > same && left < before; i++) {
    before = left;
    if (newton->LSolve(p->left, stage->ark) != 0) {
      return;
    }
    N_VLinearSum(1, p->left, 1, p->missing, p->missing);
    if (i == 0 && s->newton.jacobian->colours == 0) {
      p->missed = missed_of(s, stage);
    }
    if (p->missed > stage->tolerance) {
      return;
    }
    if (!find_powers(s, stage, t, power, &share)) {
      memcpy(power, p->own, bytes);
      return;
    }
    left = find_left(s, stage, rate, share);
    p->residual = left;
  }
}

void sb_stage_powers_find(arkode *s, double t, N_Vector rate, double power[]) {
  sb_stage_powers *p = &s->powers;
  size_t bytes = (size_t)s->ledger.count * sizeof *power;
  if (s->implicit.present != NULL) {
    refine(s, s->implicit.present, t, rate, power);
    if (sb_arkode_in_last_stage(s)) {
      memcpy(p->last, power, bytes);
    }
  } else if (s->implicit.known && s->ledger.stage == 0) {
    memcpy(power, p->first, bytes);
  }
}

void sb_stage_powers_accept(sb_stage_powers *p) {
  double *last = p->last;
  p->last = p->first;
  p->first = last;
}
