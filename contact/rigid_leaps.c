// SPDX-License-Identifier: GPL-3.0-or-later
// Closest points that leap. The gap of two bodies is continuous, and its rate n . (v2 - v1)(c) is where the points are. Where an edge or
// a side passes through lying flat they change ends, and the rate of the gap that is held jumps by w x (c+ - c-): the other end strikes,
// by an impact that one pair of points does not know. To bring its velocity to zero would take energy that nobody books.
#include <math.h>

#include "contact/hertz.h"
#include "contact/rigid_private.h"

/** What lies at rest where both curvatures vanish rocks ever faster the less it does: it lies there as on a flat side. What passes over such a
 *  place does not end so many steps in a row there. */
enum { LYING_MAX = 30 };
/** A leap by this fraction of the length of the contact, with a loss of its square, is none. */
static const double nearby = 1e-6;
/** One by this fraction of it is from end to end. */
static const double far = 1e-3;

/** A point has no ends that could be changed: where it lies at the origin no size tells its drift from a leap. Nor has a strictly
 *  convex surface, whose points may run with an infinite speed where its curvature vanishes. */
static bool has_no_ends(const sb_contact_data *s) {
  return s->surface[0].type == &sb_point || s->surface[1].type == &sb_point ||
         sb_closest_unique(&s->surface[0], &s->surface[1]);
}

bool sb_rigid_is_flat(const sb_contact_data *s, const sb_rigid_frame *frame) {
  static const double golden = 0.6180339887498949;
  const sb_vec3 still = {0, 0, 0};
  const sb_twist none = {still, still};
  const sb_twist turns = {sb_vec3_axpy(frame->axes[1], golden, frame->axes[2]), still};
  const sb_vec3 u = sb_closest_derivative(&frame->points, none, turns).u1;
  return !sb_closest_unique(&s->surface[0], &s->surface[1]) && !isfinite(u.x + u.y + u.z);
}

static bool leaps(const sb_contact_data *s, const sb_at *at, const sb_closest *points) {
  if (sb_contact_flat(points)) {
    return true; // on its way, as they lie flat
  }
  return !has_no_ends(s) &&
         sb_leaps_seen(at, points, at->discrete + STATE_LEAPS, nearby * sb_rigid_length(s, at));
}

bool sb_rigid_leaps(const sb_contact_data *s, const sb_at *at) {
  const sb_closest *points = &sb_rigid_frame_of(at)->points;
  if (leaps(s, at, points)) {
    return true;
  }
  if (has_no_ends(s)) {
    return false;
  }
  sb_closest now;
  sb_contact_closest(s, at, &now); // to close the gap at one end may open it at the other
  return sb_rigid_usable(s, at, &now) && leaps(s, at, &now);
}

/** Whether the points leap as body 2 turns by hardly more than rounding, about any axis across the normal: a side or an edge lies flat, whatever a step of
 *  an infinite force has made of its velocities. */
static bool leaps_by_rounding(const sb_contact_data *s, const sb_at *at,
                              const sb_rigid_frame *frame) {
  static const double angle = 1e-9; // [rad]
  const sb_pose *pose = pose_of(at, 1);
  bool any = false;
  for (int k = 0; k < 4 && !any; k++) {
    const sb_vec3 turn = sb_vec3_scale(frame->axes[1 + k / 2], k % 2 == 0 ? angle : -angle),
                  arm = sb_vec3_sub(pose->position, frame->points.p2);
    const sb_mat3 R = sb_mat3_add(sb_mat3_identity(), sb_mat3_hat(turn));
    const sb_pose turned = {sb_mat3_mul(R, pose->rotation),
                            sb_vec3_add(pose->position, sb_vec3_cross(turn, arm))};
    sb_closest points;
    sb_closest_points(&s->surface[0], pose_of(at, 0), &s->surface[1], &turned, NULL, &points);
    any = points.status != SB_CLOSEST_FAILED &&
          sb_vec3_norm(sb_vec3_sub(points.p2, frame->points.p2)) > far * sb_rigid_length(s, at);
  }
  return any;
}

/** Whether the points have leapt, or lie flat: those of the present poses, or those that were refused. */
static bool is_on_a_side(const sb_contact_data *s, const sb_at *at) {
  const sb_rigid_frame *refused = sb_rigid_frame_of(at);
  sb_rigid_frame now = {0};
  sb_contact_closest(s, at, &now.points);
  if (now.points.status == SB_CLOSEST_FAILED) {
    return false;
  }
  sb_rigid_place_frame(s, at, &now);
  return leaps(s, at, &now.points) || sb_rigid_is_flat(s, &now) ||
         (!has_no_ends(s) && leaps_by_rounding(s, at, &now)) ||
         (refused->active != 0 && leaps(s, at, &refused->points));
}

bool sb_rigid_vanishes(const sb_contact_data *s, const sb_closest *points, int which,
                       double fraction) {
  double k[2];
  sb_hertz_curvatures(sb_mat3_add(points->shape1, points->shape2), points->normal, k);
  const double size = fmin(s->surface[0].reach, s->surface[1].reach);
  return size > 0 && isfinite(size) && k[which] * size < fraction &&
         sb_closest_unique(&s->surface[0], &s->surface[1]);
}

bool sb_rigid_lies(const sb_at *at) {
  return at->mode != SB_APART && at->discrete[STATE_LYING] >= LYING_MAX;
}

sb_status sb_rigid_explain(const void *self, const sb_at *at, sb_error *err) {
  if (sb_rigid_lies(at) && sb_rigid_unbounded(self, at, err) != SB_OK) {
    return SB_ERR_CONTACT;
  }
  if (at->mode != SB_APART && is_on_a_side(self, at)) {
    const sb_status status = sb_contact_explain_two_places(self, err);
    return status == SB_OK ? sb_contact_lies_flat(err) : status;
  }
  const sb_status status = sb_contact_explain(self, at, err);
  return status == SB_OK && at->mode != SB_APART ? sb_contact_explain_two_places(self, err)
                                                 : status; // just ahead
}

/** Where the point of a body that turns at w across rolls over a place where a curvature k vanishes, u = w/k is infinite for an instant, and so
 *  is its acceleration along the normal, u w. */
sb_status sb_rigid_unbounded(const void *self, const sb_at *at, sb_error *err) {
  static const double vanished = 1e-6;
  const sb_contact_data *s = self;
  sb_closest points;
  double k[2];
  if (at->mode == SB_APART) {
    return SB_OK;
  }
  sb_contact_closest(s, at, &points);
  if (!sb_rigid_vanishes(s, &points, 1, vanished)) {
    return SB_OK;
  }
  sb_hertz_curvatures(sb_mat3_add(points.shape1, points.shape2), points.normal, k);
  (void)sb_fail(
      err, SB_ERR_CONTACT,
      "the force of a rigid contact is infinite for an instant where it rolls over a place "
      "at which a curvature vanishes, as it does where x, y or z of a superellipsoid is "
      "zero: the principal relative curvatures are %s and %s 1/m",
      sb_number_word(k[0]).text, sb_number_word(k[1]).text);
  sb_error_hint(err, "a contact with a stiffness goes on, as does an exponent nearer to 2");
  return SB_ERR_CONTACT;
}
