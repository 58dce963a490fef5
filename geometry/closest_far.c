// SPDX-License-Identifier: GPL-3.0-or-later
// A lower bound of the gap of two bodies that are far apart, by the balls that hold them: between two balls
// |c2 - c1| - r1 - r2, between a plane and a ball n.(c - w) - offset - r. Most pairs of many bodies are such. And of bodies
// that are near by their support functions, g(n) = n.(c2 - c1) - h1(n) - h2(-n), of which the gap is the maximum.
#include <math.h>
#include <stddef.h>

#include "geometry/closest_private.h"

static sb_vec3 center_of(const sb_surface *s, const sb_pose *H) {
  return s->in_place ? H->position : sb_pose_point(*H, s->local.position);
}

/** From a plane to the ball about the other shape. */
static double from_plane(const sb_surface *plane, const sb_pose *H, const sb_surface *other,
                         sb_vec3 center, sb_vec3 *n) {
  sb_pose own;
  const sb_pose *wall = closest_pose(plane, H, &own);
  *n = sb_mat3_apply(wall->rotation, plane->normal);
  return sb_vec3_dot(*n, sb_vec3_sub(center, wall->position)) - plane->offset - other->reach;
}

bool sb_closest_far(const sb_surface *s1, const sb_pose *H1, const sb_surface *s2,
                    const sb_pose *H2, double *least, sb_vec3 *normal, sb_vec3 *place) {
  const sb_vec3 c1 = center_of(s1, H1), c2 = center_of(s2, H2);
  *place = c2;
  if (s1->type == &sb_plane) {
    *least = from_plane(s1, H1, s2, c2, normal);
    return *least > s2->reach; // false if there is no ball
  }
  if (s2->type == &sb_plane) {
    *least = from_plane(s2, H2, s1, c1, normal);
    *normal = sb_vec3_neg(*normal);
    *place = c1;
    return *least > s1->reach;
  }
  const sb_vec3 d = sb_vec3_sub(c2, c1);
  const double distance = sb_vec3_norm(d);
  *least = distance - s1->reach - s2->reach;
  *normal = sb_vec3_scale(d, 1.0 / distance);
  return *least > fmax(s1->reach, s2->reach);
}

/** The support about its centre c [m]. @param p  [m] out: where */
static double support_of(const sb_surface *s, const sb_pose *H, sb_vec3 n, sb_vec3 *c, sb_vec3 *p) {
  sb_pose own;
  const sb_pose *world = closest_pose(s, H, &own);
  sb_vec3 x;
  const double h = s->type->support(s, sb_mat3_apply_transposed(world->rotation, n), &x);
  *c = world->position;
  *p = sb_pose_point(*world, x);
  return h;
}

/** The gap to a plane; its normal turns with it. */
static double above_plane(const sb_surface *plane, const sb_pose *H1, const sb_surface *body,
                          const sb_pose *H2, sb_vec3 *n, sb_vec3 *p) {
  sb_pose own;
  const sb_pose *wall = closest_pose(plane, H1, &own);
  sb_vec3 c;
  *n = sb_mat3_apply(wall->rotation, plane->normal);
  const double h = support_of(body, H2, sb_vec3_neg(*n), &c, p);
  return sb_vec3_dot(*n, sb_vec3_sub(c, sb_vec3_axpy(wall->position, plane->offset, *n))) - h;
}

double sb_closest_least(const sb_surface *s1, const sb_pose *H1, const sb_surface *s2,
                        const sb_pose *H2, sb_vec3 *normal, sb_vec3 place[2]) {
  sb_vec3 c1, c2;
  if (s1->type->support == NULL || s2->type->support == NULL) {
    return NAN;
  }
  if (s1->type == &sb_plane) {
    const double gap = above_plane(s1, H1, s2, H2, normal, &place[1]);
    place[0] = place[1];
    return gap;
  }
  if (s2->type == &sb_plane) {
    const double gap = above_plane(s2, H2, s1, H1, normal, &place[0]);
    *normal = sb_vec3_neg(*normal);
    place[1] = place[0];
    return gap;
  }
  const double h1 = support_of(s1, H1, *normal, &c1, &place[0]);
  const double h2 = support_of(s2, H2, sb_vec3_neg(*normal), &c2, &place[1]);
  return sb_vec3_dot(*normal, sb_vec3_sub(c2, c1)) - h1 - h2;
}
