// SPDX-License-Identifier: GPL-3.0-or-later
// Closest points that leap. The gap of two bodies is continuous, and its rate n . (v2 - v1)(c) is where the points are. Where an edge or
// a side passes through lying flat they change ends, and the rate of the gap that is held jumps by w x (c+ - c-): the other end strikes,
// by an impact that one pair of points does not know. To bring its velocity to zero would take energy that nobody books.
// A point moves over its surface by the integral of its speed |u|, so over a time h by no more than h max |u|; a leap
// stays as long however short h is.
#include <math.h>

#include "contact/hertz.h"
#include "contact/rigid_private.h"
#include "geometry/se3.h"

/** Of a speed that changes within the time the larger one at both ends, so many times. */
static const double most = 4;
/** A leap by this fraction of the length of the contact, with a loss of its square, is none. */
static const double nearby = 1e-6;

static sb_vec3 place_of(const sb_at *at, const sb_closest *points, int body) {
  return sb_pose_point(sb_pose_inverse(*pose_of(at, body)), body == 0 ? points->p1 : points->p2);
}

/** The speeds of the points over the surfaces [m/s]; what is not known is zero. */
static void roll(const sb_at *at, const sb_closest *points, double speed[2]) {
  const sb_closest_motion motion =
      sb_closest_derivative(points, sb_twist_load(at->in + BODY_1), sb_twist_load(at->in + BODY_2));
  speed[0] = sb_vec3_norm(motion.u1);
  speed[1] = sb_vec3_norm(motion.u2);
  for (int i = 0; i < 2; i++) {
    speed[i] = isfinite(speed[i]) ? speed[i] : 0;
  }
}

void sb_rigid_note_points(const sb_at *at, const sb_closest *points, double discrete[]) {
  discrete[STATE_SINCE] = at->t;
  for (int i = 0; i < 2; i++) {
    sb_vec3_store(discrete + STATE_POINT + 3 * i, place_of(at, points, i));
  }
  roll(at, points, discrete + STATE_ROLLING);
}

/** A point has no ends that could be changed: where it lies at the origin no size tells its drift from a leap. Nor has a strictly
 *  convex surface, whose points may run with an infinite speed where its curvature vanishes. */
static bool has_no_ends(const sb_contact_data *s) {
  return s->surface[0].type == &sb_point || s->surface[1].type == &sb_point ||
         sb_closest_unique(&s->surface[0], &s->surface[1]);
}

bool sb_rigid_leaps(const sb_contact_data *s, const sb_at *at, const sb_closest *points) {
  const double *latched = at->discrete, slack = nearby * sb_rigid_length(s, at);
  const double elapsed = most * fabs(at->t - latched[STATE_SINCE]);
  double speed[2];
  bool asked = false;
  if (points->status == SB_CLOSEST_AMBIGUOUS && points->depth_ratio <= SB_CLOSEST_DEPTH_LIMIT) {
    return true; // on its way, as they lie flat
  }
  if (has_no_ends(s)) {
    return false;
  }
  for (int i = 0; i < 2; i++) {
    const sb_vec3 before = sb_vec3_load(latched + STATE_POINT + 3 * i);
    const double way = sb_vec3_norm(sb_vec3_sub(place_of(at, points, i), before)) - slack;
    if (!(way > elapsed * latched[STATE_ROLLING + i])) {
      continue;
    }
    if (!asked) {
      roll(at, points, speed);
    }
    asked = true;
    if (way > elapsed * speed[i]) {
      return true;
    }
  }
  return false;
}

sb_status sb_rigid_explain(const void *self, const sb_at *at, sb_error *err) {
  sb_closest points;
  if (at->mode != SB_APART) {
    sb_contact_closest(self, at, &points);
    if (points.status != SB_CLOSEST_FAILED && sb_rigid_leaps(self, at, &points)) {
      const sb_status status = sb_contact_explain_two_places(self, err);
      return status == SB_OK ? sb_contact_lies_flat(err) : status;
    }
  }
  const sb_status status = sb_contact_explain(self, at, err);
  return status == SB_OK && at->mode != SB_APART ? sb_contact_explain_two_places(self, err)
                                                 : status; // just ahead
}

/** Where the point of a body that turns at w across rolls over a place where a curvature k vanishes, u = w/k is infinite for an instant, and so
 *  is its acceleration along the normal, u w. */
sb_status sb_rigid_unbounded(const void *self, const sb_at *at, sb_error *err) {
  static const double vanished = 1e-6; // of what a ball of the size of the smaller body has
  const sb_contact_data *s = self;
  sb_closest points;
  double k[2];
  if (at->mode == SB_APART) {
    return SB_OK;
  }
  sb_contact_closest(s, at, &points);
  sb_hertz_curvatures(sb_mat3_add(points.shape1, points.shape2), points.normal, k);
  const double size =
      fmin(sb_surface_bounding_radius(&s->surface[0]), sb_surface_bounding_radius(&s->surface[1]));
  if (!(size > 0 && isfinite(size) && k[1] * size < vanished &&
        sb_closest_unique(&s->surface[0], &s->surface[1]))) {
    return SB_OK;
  }
  (void)sb_fail(
      err, SB_ERR_CONTACT,
      "the force of a rigid contact is infinite for an instant where it rolls over a place "
      "at which a curvature vanishes, as it does where x, y or z of a superellipsoid is "
      "zero: the principal relative curvatures are %s and %s 1/m",
      sb_number_word(k[0]).text, sb_number_word(k[1]).text);
  sb_error_hint(err, "a contact with a stiffness goes on, as does an exponent nearer to 2");
  return SB_ERR_CONTACT;
}
