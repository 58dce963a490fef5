// SPDX-License-Identifier: GPL-3.0-or-later
// Which contacts go on, and how: with the forces f that hold all of them the rates without forces are -W f; the
// forces that satisfy the conditions of contact and friction (core/linalg/unilateral.h) tell.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/linalg/unilateral.h"
#include "core/simulation/impacts_private.h"

/** A slip that ends is over below this fraction of the speed before. */
static const double slip_rounding = 1e-6;

/** Whether a contact has no speed of slip. @param reversed  a slip has just ended: with it end those that are as slow, as the feet
 *  of one body */
static bool is_still(const sb_touches *all, int c, bool reversed) {
  const double *v = all->v + 3 * c;
  const sb_touch *touch = &all->touches[c];
  double speed = hypot(v[1], v[2]);
  return speed <= (reversed ? slip_rounding * touch->terms.speed : 0) + touch->slow;
}

/** The rates of the flows without forces; those of what parts are without end, those below rounding zero. @param b  (3 count) out */
static void rates_without_forces(const sb_touches *all, double b[]) {
  const int m = 3 * all->count;
  for (int i = 0; i < m; i++) {
    b[i] = all->touches[i / 3].rate[i % 3];
    for (int j = 0; j < m; j++) {
      b[i] -= all->W[i * m + j] * all->touches[j / 3].held[j % 3];
    }
  }
  for (int c = 0; c < all->count; c++) { // what parts takes no part
    const sb_touch *touch = &all->touches[c];
    double rest = touch->slow * touch->slow /
                  (SB_TOUCH_ROUNDING * touch->terms.length); // what v v/l is known to
    b[3 * c] = all->v[3 * c] > touch->slow ? HUGE_VAL : fabs(b[3 * c]) > rest ? b[3 * c] : 0;
  }
}

bool sb_touches_jam(const sb_touches *all) {
  const sb_unilateral_terms *terms = &all->touches[0].terms;
  if (all->count != 1 || !terms->rubs || isinf(terms->mu) || is_still(all, 0, false)) {
    return false;
  }
  double b[3];
  rates_without_forces(all, b);
  const double *v = all->v, speed = hypot(v[1], v[2]);
  const double a = all->W[0] - terms->mu * (all->W[1] * v[1] + all->W[2] * v[2]) / speed;
  return b[0] < 0 && !(a > 0);
}

/** Takes what is left of slips that have ended, so that they begin anew from rest, whichever way.
 *  @param ended  (contacts) */
static sb_status end_slips(sb_simulation *sim, sb_touches *all, const bool ended[], sb_error *err) {
  const int m = 3 * all->count;
  bool *struck = sb_zeroed(all->count + m, sizeof *struck), *held = struck + all->count;
  if (struck == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  for (int c = 0; c < all->count; c++) {
    struck[c] = all->touches[c].struck; // this is no impact
  }
  for (int i = 0; i < m; i++) { // what else is held stays so
    const sb_touch *touch = &all->touches[i / 3];
    const bool holds = i % 3 > 0 ? touch->mode == SB_STICKS
                                 : touch->mode != SB_APART && !(all->v[i] > touch->slow);
    held[i] = holds || (ended[i / 3] && i % 3 > 0);
  }
  sb_status status = sb_touches_arrest(all, held, err);
  if (status == SB_OK) {
    sb_touches_apply(sim, all);
  }
  for (int c = 0; c < all->count; c++) {
    all->touches[c].struck = struck[c];
  }
  free(struck);
  return status;
}

/** Which contacts go on, and how, by the forces that satisfy the conditions. */
sb_status sb_touches_choose(sb_simulation *sim, sb_touches *all, int index, int indicator,
                            sb_error *err) {
  int m = 3 * all->count;
  sb_unilateral *contacts = sb_zeroed(all->count, sizeof *contacts);
  double *b = sb_zeroed(2 * m, sizeof *b), *f = b + m;
  if (contacts == NULL || b == NULL) {
    free(contacts);
    free(b);
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  bool slip_ends = false, *ended = sb_zeroed(all->count, sizeof *ended);
  if (ended == NULL) {
    free(contacts);
    free(b);
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  for (int c = 0; c < all->count; c++) {
    const sb_touch *touch = &all->touches[c];
    slip_ends = slip_ends || (touch->index == index && indicator == 1 && touch->mode == SB_SLIDES);
  }
  for (int c = 0; c < all->count; c++) {
    const sb_touch *touch = &all->touches[c];
    const double *v = all->v + 3 * c;
    bool reversed = slip_ends && touch->mode == SB_SLIDES;
    double speed = hypot(v[1], v[2]);
    ended[c] = reversed && is_still(all, c, true);
    contacts[c] = (sb_unilateral){.rubs = touch->terms.rubs,
                                  .mu = touch->terms.mu,
                                  .slides = touch->terms.rubs && !isinf(touch->terms.mu) &&
                                            !is_still(all, c, reversed)};
    if (contacts[c].slides) {
      contacts[c].s[0] = v[1] / speed;
      contacts[c].s[1] = v[2] / speed;
    }
  }
  rates_without_forces(all, b);
  sb_status status = slip_ends ? end_slips(sim, all, ended, err) : SB_OK;
  status = status == SB_OK ? sb_touches_solve(sim, all, contacts, b, f, err) : status;
  free(ended);
  for (int c = 0; status == SB_OK && c < all->count; c++) {
    sb_touch *touch = &all->touches[c];
    // what takes no force is free, though it touches: a constraint would have nothing but rounding to do
    touch->next = !contacts[c].acts ? SB_APART : contacts[c].sticks ? SB_STICKS : SB_SLIDES;
    memcpy(touch->terms.slip, contacts[c].s, sizeof contacts[c].s);
    memcpy(touch->force, f + 3 * c, sizeof touch->force);
  }
  free(contacts);
  free(b);
  return status;
}
