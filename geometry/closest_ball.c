// SPDX-License-Identifier: GPL-3.0-or-later
// A ball, or a point, with any surface that knows its spot nearest to a given point: the ball's centre
// is asked for. With the distance s of the centre from the surface, gap = s - r; the bodies meet
// along the surface's own normal.
#include "geometry/closest_private.h"

void closest_ball(const sb_surface *ball, const sb_pose *H1, const sb_surface *other,
                  const sb_pose *H2, const sb_vec3 *warm, sb_closest *out) {
  (void)warm;
  sb_pose own;
  const sb_pose *world = closest_pose(other, H2, &own);
  const sb_mat3 R = world->rotation;
  const sb_vec3 center = sb_pose_point(*H1, ball->local.position);
  const sb_vec3 y = sb_mat3_apply_transposed(R, sb_vec3_sub(center, world->position));
  const double r = ball->radius;
  sb_surface_spot spot;
  other->type->nearest(other, y, &spot);
  const sb_vec3 n = sb_vec3_neg(sb_mat3_apply(R, spot.n));
  sb_vec3 e1, e2;
  sb_tangent_basis(n, &e1, &e2);
  const double curvature = r > 0.0 ? 1.0 / r : SB_POINT_CURVATURE;
  *out = (sb_closest){.p1 = sb_vec3_axpy(center, r, n),
                      .p2 = sb_pose_point(*world, spot.x),
                      .normal = n,
                      .gap = spot.distance - r,
                      .shape1 = form2_matrix((form2){curvature, 0.0, curvature}, e1, e2),
                      .shape2 = closest_turn(R, spot.shape)};
  const sb_vec3 span = sb_mat3_apply(R, sb_vec3_axpy(sb_vec3_sub(spot.x, y), r, spot.n));
  closest_judge(out, span, sb_vec3_norm(y) + sb_vec3_norm(spot.x) + r, closest_least_radius(out));
  if (!spot.unique && out->status != SB_CLOSEST_FAILED) {
    out->status = SB_CLOSEST_AMBIGUOUS;
  }
  closest_require_unique(out, sb_vec3_norm(spot.x) + r, 0.0);
}
