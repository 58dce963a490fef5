// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies that pass each other within one step, seen at its end. Their speed and acceleration at its start do not tell: a body at rest that
// begins to fall, or a force that grows with time, move what an integrator follows without an error in a step of any length.
//
// To touch and part again within a step, from the gap g0 to the gap g1, the lesser body travels, as the other one sees it, by g0 + g1 and by
// what it overlaps; so where it has travelled by no more than g0 + g1 + b/2, with the thickness b of the thinner one, it has not passed through.
// The way is the larger one of what its place has changed by, and of h (v0 + v1)/2 with the largest speeds of its points at both ends:
// the former holds for a motion from rest to rest, the latter for one there and back.
#include <math.h>

#include "contact/structure_private.h"
#include "geometry/screw.h"

/** How the lesser body moves as the other one sees it: its place, and the largest speed of its points. */
static sb_vec3 look(const sb_contact_data *s, const sb_at *at, double *speed) {
  const int lesser = s->surface[0].reach < s->surface[1].reach ? 0 : 1;
  const sb_vec3 place = pose_of(at, lesser)->position;
  const sb_twist twist[2] = {sb_twist_load(at->in + BODY_1), sb_twist_load(at->in + BODY_2)};
  const sb_twist relative = sb_twist_sub(twist[lesser], twist[1 - lesser]);
  *speed = sb_vec3_norm(sb_twist_at(relative, place)) + sb_vec3_norm(relative.angular) * s->reach;
  return sb_pose_point(sb_pose_inverse(*pose_of(at, 1 - lesser)), place);
}

/** What has gone through a half space is behind it at the end of the step. */
static bool may_pass(const sb_contact_data *s) {
  return isfinite(s->reach) && !s->surface[0].type->half_space && !s->surface[1].type->half_space;
}

void sb_passing_note(const sb_contact_data *s, const sb_at *at, double note[]) {
  if (may_pass(s)) {
    sb_vec3_store(note + PASSING_PLACE, look(s, at, &note[PASSING_SPEED]));
  }
}

double sb_passing_way(const sb_contact_data *s, const sb_at *at, double since,
                      const double note[]) {
  double speed;
  if (!may_pass(s)) {
    return 0;
  }
  const sb_vec3 change = sb_vec3_sub(look(s, at, &speed), sb_vec3_load(note + PASSING_PLACE));
  return fmax(sb_vec3_norm(change), 0.5 * (at->t - since) * (note[PASSING_SPEED] + speed));
}
