// SPDX-License-Identifier: GPL-3.0-or-later
// A plane and a body with a support function: the plane's normal is the answer, whatever the depth.
// Of a body that is not convex, such as a torus, the support function is that of its convex hull,
// and the plane touches no other points.
#include "geometry/closest_private.h"
#include "geometry/surface_private.h"

void closest_plane(const sb_surface *plane, const sb_pose *H1, const sb_surface *body,
                   const sb_pose *H2, const sb_vec3 *warm, sb_closest *out) {
  (void)warm;
  sb_pose own[2];
  const sb_pose *wall = closest_pose(plane, H1, &own[0]), *world = closest_pose(body, H2, &own[1]);
  const sb_vec3 n = sb_mat3_apply(wall->rotation, plane->normal);
  sb_vec3 x;
  // gap = -h2(-n) - h1(n), h1 counted along n from the world's origin
  const double h2 =
      body->type->support(body, sb_vec3_neg(sb_mat3_apply_transposed(world->rotation, n)), &x);
  // n.c - (n.x + offset): the plane may lie far from the axes that it is given in, whose rounding then is the same all along
  const double height = sb_vec3_dot(n, wall->position) + plane->offset;
  const double gap = sb_vec3_dot(n, world->position) - height - h2;
  const sb_vec3 p2 = sb_pose_point(*world, x);
  const bool point = body->reach == 0.0;
  if (body->type->at && !point) {
    sb_surface_spot spot;
    body->type->at(body, x, &spot);
    out->shape2 = closest_turn(world->rotation, spot.shape);
  } else {
    out->shape2 = closest_inverse(sb_surface_radius_matrix(body, H2, sb_vec3_neg(n)), n);
  }
  out->p1 = sb_vec3_axpy(p2, -gap, n);
  out->p2 = p2;
  out->normal = n;
  out->gap = gap;
  out->shape1 = (sb_mat3){0};
  closest_judge(out, (sb_vec3){0, 0, 0}, 1.0,
                INFINITY); // p1 is the foot of p2: nothing is across n
  if (!point && !body->type->curved) {
    closest_require_unique(out, body->reach, 0.0);
  }
}
