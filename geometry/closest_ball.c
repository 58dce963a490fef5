// SPDX-License-Identifier: GPL-3.0-or-later
// A ball, or a point, with any surface that knows its spot nearest to a given point: the ball's centre
// is asked for. With the distance s of the centre from the surface, gap = s - r; the bodies meet
// along the surface's own normal.
//
// Of a centre in a core that has flats, at the depth d_i below each of its flats i, g(n) = -sum |n_i| d_i - r has a maximum at
// the normal of every flat: the branch of a warm start lasts, whichever flat is the nearest.
#include <stddef.h>

#include "geometry/closest_private.h"

/** Cosine between a warm start and the flat of its branch: all three of a corner are within it. */
static const double same_branch = 0.5;

/** Whether the centre is in a core that has flats. */
static bool is_in_core(const sb_surface *other, const sb_surface_spot *spot) {
  return other->type->below != NULL && spot->distance < -other->sweep;
}

/** Whether a point of the ball about y lies in the other body, below this spot, or the spot in the ball. */
static bool is_contact(const sb_surface *other, sb_vec3 y, double r, const sb_surface_spot *spot) {
  sb_surface_spot lowest;
  other->type->nearest(other, sb_vec3_axpy(y, -r, spot->n), &lowest);
  return -spot->distance <= r || lowest.distance <= 0.0;
}

/** Whether a centre that is not in the core has come out of it at another side than that of m: it is below the core's flat
 *  there, -d_i > 0 at the other side makes g rise towards that, and the branch has ended. A centre that went round the edge in
 *  one step looks the same: in shorter ones its normal turns by less. */
static bool left_sideways(const sb_surface *other, sb_vec3 y, double r, sb_vec3 m,
                          const sb_surface_spot *spot) {
  sb_surface_spot flat;
  if (spot->distance >= r || sb_vec3_dot(spot->n, m) > same_branch) {
    return false;
  }
  other->type->below(other, y, m, &flat);
  return flat.distance < -other->sweep;
}

/** The spot below the flat whose normal is near m, in place of the nearest one; not unique where that branch has ended. */
static void keep_branch(const sb_surface *other, sb_vec3 y, double r, sb_vec3 m,
                        sb_surface_spot *spot) {
  sb_surface_spot kept = *spot;
  if (!is_in_core(other, spot)) {
    spot->unique = spot->unique && !left_sideways(other, y, r, m, spot);
    return;
  }
  if (!(sb_vec3_dot(spot->n, m) > same_branch)) {
    other->type->below(other, y, m, &kept);
  }
  kept.unique = sb_vec3_dot(kept.n, m) > same_branch && is_contact(other, y, r, &kept);
  if (kept.unique) {
    *spot = kept;
  }
  spot->unique = kept.unique;
}

void closest_ball(const sb_surface *ball, const sb_pose *H1, const sb_surface *other,
                  const sb_pose *H2, const sb_vec3 *warm, sb_closest *out) {
  sb_pose own;
  const sb_pose *world = closest_pose(other, H2, &own);
  const sb_mat3 R = world->rotation;
  const sb_vec3 center = sb_pose_point(*H1, ball->local.position);
  const sb_vec3 y = sb_mat3_apply_transposed(R, sb_vec3_sub(center, world->position));
  const double r = ball->radius;
  sb_surface_spot spot;
  other->type->nearest(other, y, &spot);
  const bool in_core = is_in_core(other, &spot);
  if (other->type->below != NULL && warm) {
    keep_branch(other, y, r, sb_mat3_apply_transposed(R, sb_vec3_neg(*warm)), &spot);
  }
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
  } else if (in_core && !warm && out->status == SB_CLOSEST_OK) {
    out->status = SB_CLOSEST_DEEP; // the other flats have maxima too
  }
  closest_require_unique(out, sb_vec3_norm(spot.x) + r, 0.0);
}
