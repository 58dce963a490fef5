// SPDX-License-Identifier: GPL-3.0-or-later
// What counts of the momentum p of a body, or of all of a tree, for errors (sb_storage_sizes.nominal). An error dp is along the forces f,
// and v.dp of the energy, which the balance compares with what f exchanges: of p counts what is along f, and what forces
// have changed. A velocity along a plane, on which nothing acts, does not.
#ifndef SB_MECHANISM_MOMENTUM_SIZE_H
#define SB_MECHANISM_MOMENTUM_SIZE_H

#include "geometry/vec3.h"

/** Of the accepted states so far; zero at first. */
typedef struct sb_momentum_kept {
  double centre[3], radius; // [N s] of a sphere that the momenta are in
  double force;             // [N] the largest
  double along;             // [N s] the most that a momentum was along a force
  double largest;           // [N s] momentum
  double begun;             // 0: nothing is known
} sb_momentum_kept;

/** [N s] No more than the largest |p|. As long as there has been no force it is that, as the first one may have any direction.
 *  @param f  all the force, pdot */
double sb_momentum_size(sb_momentum_kept *kept, sb_vec3 p, sb_vec3 f);

#endif
