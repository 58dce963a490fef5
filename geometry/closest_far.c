// SPDX-License-Identifier: GPL-3.0-or-later
// A lower bound of the gap of two bodies along a direction n, n.(c2 - c1) less how far each reaches along it from where it
// counts. Of bodies that are far apart, as most pairs of many are, by the balls that hold them, n from centre to centre;
// of bodies that are near by their support functions, h1(n) and h2(-n), of which the gap is the maximum. To a half-space
// n is its normal, and it counts from its surface.
#include <math.h>
#include <stddef.h>

#include "geometry/closest_private.h"

/** Whether one of two is a half-space; then `n` is its normal, out of the first. */
static bool along_normal(const sb_surface *s1, const sb_pose *H1, const sb_surface *s2,
                         const sb_pose *H2, sb_vec3 *n) {
  const bool first = s1->type->half_space;
  const sb_surface *wall = first ? s1 : s2;
  if (!wall->type->half_space) {
    return false;
  }
  sb_pose own;
  const sb_pose *world = closest_pose(wall, first ? H1 : H2, &own);
  const sb_vec3 outward = sb_mat3_apply(world->rotation, wall->normal);
  *n = first ? outward : sb_vec3_neg(outward);
  return true;
}

/** The centre of a body; of a half-space a point of its surface, which may be far behind its axes.
 *  @param outward  its normal, if it is one */
static sb_vec3 counted_from(const sb_surface *s, const sb_pose *H, sb_vec3 outward) {
  const sb_vec3 c = s->in_place ? H->position : sb_pose_point(*H, s->local.position);
  return s->type->half_space ? sb_vec3_axpy(c, s->offset, outward) : c;
}

static double ball_about(const sb_surface *s) {
  return s->type->half_space ? 0.0 : s->reach;
}

bool sb_closest_far(const sb_surface *s1, const sb_pose *H1, const sb_surface *s2,
                    const sb_pose *H2, double *least, sb_vec3 *normal, sb_vec3 place[2]) {
  sb_vec3 n = {0, 0, 0};
  const bool wall = along_normal(s1, H1, s2, H2, &n);
  const sb_vec3 c1 = counted_from(s1, H1, n), c2 = counted_from(s2, H2, sb_vec3_neg(n));
  const sb_vec3 d = sb_vec3_sub(c2, c1);
  const double r1 = ball_about(s1), r2 = ball_about(s2);
  const double distance = wall ? sb_vec3_dot(n, d) : sb_vec3_norm(d);
  *normal = wall ? n : sb_vec3_scale(d, 1.0 / distance);
  *least = distance - r1 - r2;
  place[0] = s1->type->half_space ? c2 : c1;
  place[1] = s2->type->half_space ? c1 : c2;
  return *least > fmax(r1, r2); // false if there is no ball
}

/** How far a body reaches along n from c [m]. @param p  [m] out: where; of a half-space not set */
static double reach_along(const sb_surface *s, const sb_pose *H, sb_vec3 n, sb_vec3 *c,
                          sb_vec3 *p) {
  *c = counted_from(s, H, n);
  if (s->type->half_space) {
    return 0.0;
  }
  sb_pose own;
  const sb_pose *world = closest_pose(s, H, &own);
  sb_vec3 x;
  const double h = s->type->support(s, sb_mat3_apply_transposed(world->rotation, n), &x);
  *p = sb_pose_point(*world, x);
  return h;
}

double sb_closest_least(const sb_surface *s1, const sb_pose *H1, const sb_surface *s2,
                        const sb_pose *H2, sb_vec3 *normal, sb_vec3 place[2]) {
  sb_vec3 c1, c2;
  if (s1->type->support == NULL || s2->type->support == NULL) {
    return NAN;
  }
  (void)along_normal(s1, H1, s2, H2, normal);
  const double h1 = reach_along(s1, H1, *normal, &c1, &place[0]);
  const double h2 = reach_along(s2, H2, sb_vec3_neg(*normal), &c2, &place[1]);
  if (s1->type->half_space) {
    place[0] = place[1];
  } else if (s2->type->half_space) {
    place[1] = place[0];
  }
  return sb_vec3_dot(*normal, sb_vec3_sub(c2, c1)) - h1 - h2;
}
