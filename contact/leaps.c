// SPDX-License-Identifier: GPL-3.0-or-later
// Closest points that leap: from one end of a flat side or a straight edge to the other, as that passes through parallel.
// A point moves over its surface by the integral of its speed |u|, so over a time h by no more than h max |u|; a leap
// stays as long however short h is.
//
// Of bodies that yield, both ends are equally deep at a leap: depth, force and stored energy are continuous there, the torque about the
// middle of the side is not, and drives it back. Pressed in by d, the side rocks between its ends as in a potential ~ |tilt|; where that
// is damped the rocking and the time from leap to leap fall to zero together, and never end. What an end comes out by between two leaps,
// against the depth, tells when the side lies flat: it is then pressed in all along, which one pair of points does not tell.
#include <math.h>

#include "contact/structure_private.h"
#include "geometry/se3.h"

/** Of a speed that changes within the time the larger one at both ends, so many times. */
static const double most = 4;
/** A leap of a body that yields by this fraction of its thickness is none. */
static const double nearby = 1e-6;
/** A side lies flat where it has risen by less than this share of the depth at an end, from one leap to the next, so many times in a row. */
static const double flat = 1e-3;
enum { FLAT_LEAPS = 2 };
/** Nor does what passes through lying flat end as many steps in a row there. */
enum { LYING_MAX = 30 };

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

void sb_leaps_note(const sb_at *at, const sb_closest *points, double note[]) {
  note[LEAPS_SINCE] = at->t;
  for (int i = 0; i < 2; i++) {
    sb_vec3_store(note + LEAPS_POINT + 3 * i, place_of(at, points, i));
  }
  roll(at, points, note + LEAPS_ROLLING);
}

bool sb_leaps_seen(const sb_at *at, const sb_closest *points, const double note[], double slack) {
  const double elapsed = most * fabs(at->t - note[LEAPS_SINCE]);
  double speed[2];
  bool asked = false;
  for (int i = 0; i < 2; i++) {
    const sb_vec3 before = sb_vec3_load(note + LEAPS_POINT + 3 * i);
    const double way = sb_vec3_norm(sb_vec3_sub(place_of(at, points, i), before)) - slack;
    if (!(way > elapsed * note[LEAPS_ROLLING + i])) {
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

void sb_rocking_begin(double rocking[]) {
  rocking[ROCKING_NOTE + LEAPS_SINCE] = HUGE_VAL;
  rocking[ROCKING_LEAP] = -HUGE_VAL;
  rocking[ROCKING_COUNTED] = rocking[ROCKING_LYING] = 0;
}

bool sb_rocking_passes(const sb_contact_data *s, const sb_at *at, const sb_closest *points) {
  return sb_contact_flat(points) &&
         isfinite(at->discrete[LATCHED_ROCKING + ROCKING_NOTE + LEAPS_SINCE]) &&
         (s->surface[0].type->half_space || s->surface[1].type->half_space);
}

/** By how much an end had come out, at the most, since the last leap: n . (w x d) T/4 with the way d from end to end and the time T, as a
 *  constant torque drives it back [m]. */
static double risen(const sb_at *at, sb_vec3 normal, sb_vec3 way, double time) {
  const sb_vec3 w = sb_vec3_sub(sb_vec3_load(at->in + BODY_2), sb_vec3_load(at->in + BODY_1));
  return 0.25 * time * fabs(sb_vec3_dot(normal, sb_vec3_cross(w, way)));
}

/** Whether it is bent all over, so that it has no side and no edge to lie on. The side of a half space never rocks. */
static bool is_round(const sb_surface_type *type) {
  return type->half_space || (type->curved && type->least_shape == NULL);
}

void sb_rocking_follow(const sb_contact_data *s, const sb_at *at, const sb_closest *points,
                       double rocking[]) {
  double *note = rocking + ROCKING_NOTE;
  const sb_surface_type *type1 = s->surface[0].type, *type2 = s->surface[1].type;
  if (type1 == &sb_point || type2 == &sb_point || (is_round(type1) && is_round(type2))) {
    return;
  }
  rocking[ROCKING_LYING] = sb_contact_flat(points) ? rocking[ROCKING_LYING] + 1 : 0;
  if (rocking[ROCKING_LYING] > 0) {
    return; // on its way to the other end
  }
  if (isfinite(note[LEAPS_SINCE]) && sb_leaps_seen(at, points, note, nearby * s->width)) {
    const sb_vec3 before = sb_pose_point(*pose_of(at, 1), sb_vec3_load(note + LEAPS_POINT + 3)),
                  way = sb_vec3_sub(points->p2, before);
    const double height = risen(at, points->normal, way, at->t - rocking[ROCKING_LEAP]);
    rocking[ROCKING_COUNTED] = height < flat * -points->gap ? rocking[ROCKING_COUNTED] + 1 : 0;
    rocking[ROCKING_LEAP] = at->t;
  }
  sb_leaps_note(at, points, note);
}

bool sb_rocking_ends(const double rocking[]) {
  return rocking[ROCKING_COUNTED] >= FLAT_LEAPS || rocking[ROCKING_LYING] >= LYING_MAX;
}
