// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes of the states of a tree, for errors (sb_storage_sizes.nominal): coordinates by one radian, or the size of the tree; momenta by
// the kinetic energy of the whole tree, each with the inertia that its joint moves while all others are held. By Koenig's theorem that energy is
//   T = P^2/(2 m) + T_c
// with the momentum P of all that moves, of mass m, and what T_c it has about its common centre: of P counts what
// momentum_size.h says. Where loops are closed all counts, as what holds them has no direction near a singular position. No kinetic energy counts that is less than the rounding of the potential one, or of what a fall would give.
#include <assert.h>
#include <float.h>
#include <math.h>

#include "mechanism/dynamics.h"
#include "mechanism/loads.h"
#include "mechanism/mechanism_private.h"
#include "mechanism/momentum_size.h"

/** Of the accepted states so far, of trees of more than one velocity without closed loops. */
typedef struct tree_kept {
  sb_momentum_kept momentum;
  double inner;     // [J] the largest T_c
  double largest[]; // (velocities) sizes of the momenta by all of the energy
} tree_kept;

static_assert(sizeof(tree_kept) / sizeof(double) + 2 <= 4 * SB_SIZES_KEPT,
              "of two velocities, and so of more");

/** The part of the largest kinetic energy so far that counts.
 *  @param scratch  solved  @param moving  [J] T  @param least  [J] no less counts */
static double counting(const sb_linkage *l, const sb_at *at, double scratch[], double moving,
                       double least, tree_kept *kept) {
  const double twice = 2 * sb_tree_mass(l->tree);
  sb_vec3 p, f;
  const bool pushed = sb_linkage_take_ports(l, at, at->in);
  sb_linkage_accelerate(l, at, pushed, scratch, NULL, NULL);
  sb_tree_momentum(l->tree, at->own + l->scratch.dv, scratch, &p, &f);
  const double size = sb_momentum_size(&kept->momentum, p, f), most = kept->momentum.largest;
  kept->inner = fmax(kept->inner, moving - sb_vec3_dot(p, p) / twice);
  const double counts = fmax(kept->inner + size * size / twice, least);
  const double all = kept->inner + most * most / twice;
  return counts < all ? counts / all : 1;
}

double sb_linkage_nominal(const void *self, const sb_at *at, double floor, double size[],
                          double kept[]) {
  const sb_linkage *l = sb_linkage_of(self);
  double *scratch = at->own + l->scratch.other, *v = sb_linkage_solve_beside(self, at);
  if (v == NULL) {
    return 0;
  }
  const int n = l->velocities;
  const double moving = sb_tree_kinetic(l->tree, at->x + l->coordinates, v);
  double potential, part = 1, *largest = size + l->coordinates;
  (void)sb_tree_potential(l->tree, at->x, scratch, NULL, &potential);
  floor = fmax(floor, DBL_EPSILON * (potential + l->fall));
  if (kept != NULL && n > 1 && l->closures == NULL) { // one velocity is along its force
    tree_kept *so_far = (tree_kept *)(void *)kept;
    part = sqrt(counting(l, at, scratch, moving, floor, so_far));
    largest = so_far->largest;
  }
  for (int i = 0; i < l->coordinates; i++) {
    size[i] = fmax(size[i], l->length[i]);
  }
  sb_tree_diagonal(l->tree, scratch, v);
  for (int i = 0; i < n; i++) {
    largest[i] = fmax(largest[i], sqrt(2 * v[i] * fmax(moving, floor)));
    size[l->coordinates + i] = part * largest[i];
  }
  return moving;
}
