// SPDX-License-Identifier: GPL-3.0-or-later
// The exponential of SE(3), its logarithm and their differentials, exact to rounding from zero to
// half a turn: closed forms where they keep their digits, power series where they do not.
#ifndef SB_GEOMETRY_SE3_H
#define SB_GEOMETRY_SE3_H

#include "geometry/quat.h"
#include "geometry/screw.h"

/** exp(T): the pose reached by moving with the constant twist T for unit time. */
SB_API sb_pose sb_se3_exp(sb_twist t);

/** The twist of smallest angle, 0 to pi, with exp(T) = H. At exactly pi the sign of the axis is
 *  arbitrary. */
SB_API sb_twist sb_se3_log(sb_pose h);

/** The differential of exp: with H = exp(T(t)), the spatial twist is dexp(T) Tdot and the body
 *  twist is dexp(-T) Tdot. Acts on (angular; linear). */
SB_API void sb_se3_dexp(sb_twist t, double d[6][6]);

/** The inverse of the above, for rotation angles below 2 pi. */
SB_API void sb_se3_dexp_inverse(sb_twist t, double d[6][6]);

#endif
