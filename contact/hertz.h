// SPDX-License-Identifier: GPL-3.0-or-later
// Hertz's contact of two smooth elastic bodies: f = k d^(3/2) with k from the elastic moduli and the
// relative curvature L1 + L2 at the closest points (Stramigioli and Duindam, eqs (17), (18)). Johnson, Contact Mechanics, sections 4.1 and 4.2.
#ifndef SB_CONTACT_HERTZ_H
#define SB_CONTACT_HERTZ_H

#include <stdbool.h>

#include "core/base/export.h"
#include "geometry/vec3.h"

/** Beyond this ratio of the principal relative curvatures the patch is a line: k has no limit there. */
#define SB_HERTZ_CURVATURE_RATIO_MAX 1e8

typedef struct sb_hertz {
  double stiffness;     // [N/m^1.5] k of f = k d^(3/2)
  double ratio;         // a/b >= 1 of the semi-axes of the patch; a along the smaller curvature
  double curvatures[2]; // [1/m] principal values k1 >= k2 > 0 of L1 + L2
  sb_vec3 long_axis;    // unit vector along a; any tangent of a circular patch
  sb_mat3 slope;        // [m] d ln k / d(L1 + L2), a symmetric tensor of the tangent plane
} sb_hertz;

/** 1/E* = (1 - nu1^2)/E1 + (1 - nu2^2)/E2; this is the share of one body [1/Pa], 0 if it is rigid. */
SB_API double sb_hertz_compliance(double youngs_modulus, double poisson_ratio);

/** @param curvature  L1 + L2 [1/m], a tensor of the plane across the unit vector `normal`
 *  @param modulus    E* [Pa]
 *  @return false, and nothing in `out`, unless the curvatures are positive, finite, and less than
 *          SB_HERTZ_CURVATURE_RATIO_MAX apart: bodies that conform, or touch along a line */
SB_API bool sb_hertz_contact(sb_mat3 curvature, sb_vec3 normal, double modulus, sb_hertz *out);

/** Principal values k[0] >= k[1] [1/m] of a curvature tensor of the plane across `normal`. */
SB_API void sb_hertz_curvatures(sb_mat3 curvature, sb_vec3 normal, double k[2]);

/** Semi-axes a >= b [m] of the patch at the depth d >= 0: k1 b^2 + k2 a^2 = 2 d. */
SB_API void sb_hertz_patch(const sb_hertz *hertz, double depth, double *a, double *b);

#endif
