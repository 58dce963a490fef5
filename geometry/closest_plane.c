// SPDX-License-Identifier: GPL-3.0-or-later
// A plane and a strictly convex body: the plane's normal is the answer, whatever the depth.
#include "geometry/closest_private.h"

void closest_plane(const sb_surface *plane, const sb_pose *H1, const sb_surface *body,
                   const sb_pose *H2, const sb_vec3 *warm, sb_closest *out) {
  (void)warm;
  const sb_vec3 n = sb_mat3_apply(H1->rotation, plane->normal);
  sb_vec3 p2;
  // gap = -h2(-n) - h1(n), h1 counted along n from the world's origin
  const double lowest = -sb_surface_support(body, H2, sb_vec3_neg(n), &p2);
  const double gap = lowest - (plane->offset + sb_vec3_dot(n, H1->position));
  *out = (sb_closest){.p1 = sb_vec3_axpy(p2, -gap, n),
                      .p2 = p2,
                      .normal = n,
                      .gap = gap,
                      .shape2 = sb_surface_shape(body, H2, p2)};
  closest_judge(out, sb_vec3_scale(n, gap), sb_surface_bounding_radius(body), INFINITY);
}
