// SPDX-License-Identifier: GPL-3.0-or-later
// The longest step in which no contact can be made and lost unseen.
#include <math.h>

#include "contact/structure_private.h"

/** Largest turn of a body in one step [rad] while contacts are monitored. */
static const double turn_max = 0.5;

static double finite_or(double value, double other) {
  return isfinite(value) ? value : other;
}

/** The gap g of bodies apart to a half space with the normal n is bounded by its rate alone, however fast they move along it:
 *  g'' = n . a + n' . v, of which |n' . v| <= w v where the half space turns at w. In touch they are followed along it, too: in a
 *  motion without any other error stability alone would bound the steps of an explicit method, which rounding finds.
 *  @param acceleration  [m/s^2] in and out  @return the speed that counts [m/s] */
static double approach(const sb_contact_data *s, const sb_at *at, double *acceleration) {
  const double speed = at->discrete[LATCHED_SPEED];
  for (int i = 0; i < 2 && at->mode == APART; i++) {
    if (s->surface[i].type->half_space) {
      const sb_vec3 w = sb_vec3_load(at->in + (i == 0 ? BODY_1 : BODY_2));
      *acceleration += sb_vec3_norm(w) * speed;
      return fabs(at->discrete[LATCHED_RATE]);
    }
  }
  return speed;
}

double sb_contact_horizon(const void *self, const sb_at *at) {
  const sb_contact_data *s = self;
  const double *discrete = at->discrete;
  double acceleration = discrete[LATCHED_ACCELERATION];
  double turning =
      sb_vec3_norm(sb_vec3_load(at->in + BODY_1)) + sb_vec3_norm(sb_vec3_load(at->in + BODY_2));
  double speed = approach(s, at, &acceleration) + turning * finite_or(s->reach, 0);
  double reach =
      fmax(discrete[LATCHED_GAP], 0) + 0.5 * s->width; // infinite: none can be passed through
  double travel = 2 * reach / (speed + sqrt(speed * speed + 2 * acceleration * reach));
  double turn = turning > 0 ? turn_max / turning : HUGE_VAL;
  return fmin(finite_or(travel, HUGE_VAL), turn);
}
