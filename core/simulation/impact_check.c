// SPDX-License-Identifier: GPL-3.0-or-later
// The impulses of an impact follow from the response of the network at x-, c+ = c- + W p, which is exact where flows are linear in
// the states, as of all inertias of constant mass. Beside a storage with another energy flows are y(x- + G^T p): the laws that ask for
// flows are solved again (impact_newton.c), and those that follow the impulse on its way, by its work or along a slip, are not met.
// Energies balance all the same, so the flows behind the impulses are read anew: those of the contacts must be the ones that the
// response told, and the network's other constraints, on which impulses have no effect, be off by no more than before.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/simulation/impacts_private.h"
#include "core/simulation/switching_private.h"

/** Flows agree to rtol, and no closer than responses beside nearly redundant constraints are known. */
static const double least_tol = 1e-9;

sb_status sb_touch_refuse_bent(const sb_simulation *sim, const sb_touch *touch, sb_error *err) {
  return sb_touch_refuse(
      sim, touch,
      "the impact moves a storage whose flow is not linear in its state, and its law "
      "is not met",
      "impact=\"newton\" without Coulomb's friction can be met there; else give what is joined to "
      "rigid "
      "contacts a constant mass (energy p^2/(2 m)), or the contact a stiffness",
      err);
}

double sb_touches_tolerance(const sb_simulation *sim) {
  return fmax(sim->options.rtol, least_tol);
}

static double part(double off, double of) {
  return off == 0 ? 0 : off / of;
}

double sb_touches_miss(const sb_touches *all, const double told[], const double size[],
                       const double beside[], int *worst) {
  double largest = 0, off = 0, miss;
  int of = 0;
  for (int i = 0; i < 3 * all->count; i++) {
    largest = fmax(largest, fmax(size[i], all->size[i]));
    const double apart = fabs(all->v[i] - told[i]);
    of = apart > off ? i / 3 : of;
    off = fmax(off, apart);
  }
  miss = part(off, largest);
  for (int i = 0; i < all->other_count; i++) {
    const double *now = all->beside + 2 * i, *then = beside + 2 * i;
    const double apart = part(fabs(now[0] - then[0]), fmax(now[1], then[1]));
    for (int c = all->count - 1; c >= 0 && apart > miss; c--) {
      of = all->touches[c].struck ? c : of;
    }
    miss = fmax(miss, apart);
  }
  if (worst != NULL) {
    *worst = of;
  }
  return miss;
}

sb_status sb_touches_hold_again(sb_simulation *sim, sb_touches *all, sb_error *err) {
  const int m = 3 * all->count, others = all->other_count;
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
  int worst;
  if (status == SB_OK && others == all->other_count &&
      !(sb_touches_miss(all, told, size, beside, &worst) <= sb_touches_tolerance(sim))) {
    status = sb_touch_refuse_bent(sim, &all->touches[worst], err);
  }
  free(told);
  return status;
}
