// SPDX-License-Identifier: GPL-3.0-or-later
// The distance of two convex sets by their support points alone. Gilbert, Johnson and Keerthi, A fast
// procedure for computing the distance between complex objects in three-dimensional space, 1988.
#ifndef SB_GEOMETRY_GJK_PRIVATE_H
#define SB_GEOMETRY_GJK_PRIVATE_H

#include "geometry/surface_private.h"

/** A convex body in the axes of the pair, whose origin is near both. */
typedef struct convex_side {
  const sb_surface *surface;
  sb_mat3 turn;   // axes of the shape in those of the pair
  sb_vec3 center; // [m]
} convex_side;

/** Support point of the core, which the body sweeps, for a unit n. */
sb_vec3 convex_core_support(const convex_side *side, sb_vec3 n);

/** The points of two cores that are nearest, to about 1e-6 of their distance; false if the cores
 *  overlap or nearly so. Counts support points of pairs.
 *  @param d  where to look first, from the first to the second */
bool gjk_nearest(const convex_side sides[2], sb_vec3 d, sb_vec3 points[2], int *evaluations);

#endif
