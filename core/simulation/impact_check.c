// SPDX-License-Identifier: GPL-3.0-or-later
// The impulses of an impact follow from the response of the network at x-, c+ = c- + W p, which is exact where flows are linear in
// the states, as of all inertias of constant mass. A storage with another energy beside them, as one that a line joins to a body,
// has flows y(x- + G^T p) that differ from it, and the law of impacts, v+ = -e v-, does not hold. Energies balance all the same, so
// the flows behind the impulses are read anew: those of the contacts must be the ones that the response told, and the network's
// other constraints, on which impulses have no effect, be off by no more than before.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/simulation/impacts_private.h"
#include "core/simulation/switching_private.h"

/** Flows agree to rtol, and no closer than responses beside nearly redundant constraints are known. */
static const double least_tol = 1e-9;

static sb_status refuse(const sb_simulation *sim, const sb_touch *touch, sb_error *err) {
  return sb_touch_refuse(
      sim, touch,
      "the impact moves a storage whose flow is not linear in its state, and its law "
      "is not met",
      "give what is joined to rigid contacts a constant mass (energy p^2/(2 m)), or the contact "
      "a stiffness",
      err);
}

/** @param told  (3 count) flows  @param size  (3 count) what they were the sum of */
static sb_status check_flows(const sb_simulation *sim, const sb_touches *all, const double told[],
                             const double size[], double tol, sb_error *err) {
  double largest = 0, off = 0;
  int worst = 0;
  for (int i = 0; i < 3 * all->count; i++) {
    largest = fmax(largest, fmax(size[i], all->size[i]));
    const double miss = fabs(all->v[i] - told[i]);
    worst = miss > off ? i : worst;
    off = fmax(off, miss);
  }
  return off <= tol * largest ? SB_OK : refuse(sim, &all->touches[worst / 3], err);
}

/** @param before  (other_count x 2) as all->beside */
static sb_status check_beside(const sb_simulation *sim, const sb_touches *all,
                              const double before[], double tol, sb_error *err) {
  for (int i = 0; i < all->other_count; i++) {
    const double *now = all->beside + 2 * i, *then = before + 2 * i;
    if (!(fabs(now[0] - then[0]) <= tol * fmax(now[1], then[1]))) {
      const sb_touch *struck = all->touches;
      for (int c = all->count - 1; c >= 0; c--) {
        struck = all->touches[c].struck ? &all->touches[c] : struck;
      }
      return refuse(sim, struck, err);
    }
  }
  return SB_OK;
}

sb_status sb_touches_hold_again(sb_simulation *sim, sb_touches *all, sb_error *err) {
  const int m = 3 * all->count, others = all->other_count;
  const double tol = fmax(sim->options.rtol, least_tol);
  double *told = sb_zeroed(2 * m + 2 * others + 1, sizeof *told);
  if (told == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  double *size = told + m, *beside = size + m;
  memcpy(told, all->v, (size_t)m * sizeof *told);
  memcpy(size, all->size, (size_t)m * sizeof *told);
  memcpy(beside, all->beside, (size_t)(2 * others) * sizeof *told);
  sb_energies_follow(sim); // the state has jumped
  sb_status status = sb_touches_hold(sim, all, err);
  status = status == SB_OK ? check_flows(sim, all, told, size, tol, err) : status;
  status = status == SB_OK && others == all->other_count ? check_beside(sim, all, beside, tol, err)
                                                         : status;
  free(told);
  return status;
}
