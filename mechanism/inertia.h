// SPDX-License-Identifier: GPL-3.0-or-later
// The inertia of a rigid body about the origin of a frame, in its axes, and how bodies are composed.
// Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 2.
#ifndef SB_MECHANISM_INERTIA_H
#define SB_MECHANISM_INERTIA_H

#include "core/base/error.h"
#include "core/base/export.h"
#include "geometry/screw.h"

/** The momentum under the twist (w, v) is the wrench (J w + c x v, m v - c x w), c = `first`. */
typedef struct sb_inertia {
  double mass;   // [kg]; 0 with all else zero: a link without mass
  sb_vec3 first; // [kg m] mass times the place of its centre
  sb_mat3
      second; // [kg m^2] symmetric, about the frame's origin: a point mass has m (x.x 1 - x x^T)
} sb_inertia;

/** @param central  about the centre of mass, in the axes of the frame [kg m^2]; zero: a point mass */
SB_API sb_inertia sb_inertia_make(double mass, sb_vec3 centre, sb_mat3 central);

/** Both together as one body. */
sb_inertia sb_inertia_add(sb_inertia a, sb_inertia b);

/** The same body in a frame b. @param h_ab  H_a^b of the frame a that it is given in */
sb_inertia sb_inertia_transform(sb_pose h_ab, sb_inertia a);

/** Its momentum about the frame's origin under a twist [N m s], [N s]. */
sb_wrench sb_inertia_momentum(const sb_inertia *a, sb_twist t);

/** SB_ERR_RANGE, worded, if no body has this inertia: the mass is negative, it is zero and the rest is not,
 *  or a moment about an axis through the centre exceeds the sum of those about the other two. */
sb_status sb_inertia_check(const sb_inertia *a, sb_error *err);

#endif
