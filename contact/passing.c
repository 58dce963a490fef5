// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies that pass each other within one step, seen at its end. Their speed and acceleration at its start do not tell: a body at rest that
// begins to fall, or a force that grows with time, move what an integrator follows without an error in a step of any length.
//
// To touch and part again within a step, from the gap g0 to the gap g1, the lesser body travels, as the other one sees it, by g0 + g1 and by
// what it overlaps; so where it has travelled by no more than g0 + g1 + b/2, with the thickness b of the thinner one, it has not passed through.
// The way is h (v0 + v1)/2 with the largest speeds of its points at both ends: a step behind a rest is short, since nothing has moved yet.
#include <math.h>

#include "contact/structure_private.h"
#include "geometry/screw.h"

double sb_passing_speed(const sb_contact_data *s, const sb_at *at) {
  const sb_twist relative =
      sb_twist_sub(sb_twist_load(at->in + BODY_2), sb_twist_load(at->in + BODY_1));
  // what has gone through a half space is behind it at the end of the step
  if (isinf(s->reach) || s->surface[0].type->half_space || s->surface[1].type->half_space) {
    return 0;
  }
  double speed = 0;
  for (int i = 0; i < 2; i++) {
    if (s->surface[i].reach <= s->surface[1 - i].reach) {
      speed = fmax(speed, sb_vec3_norm(sb_twist_at(relative, pose_of(at, i)->position)));
    }
  }
  return speed + sb_vec3_norm(relative.angular) * s->reach;
}
