// SPDX-License-Identifier: GPL-3.0-or-later
#include "contact/turning.h"

#include <math.h>
#include <string.h>

#include "contact/blame_private.h"
#include "contact/friction.h"

sb_status sb_turning_check(const sb_turning *t, const char *law, const char **about,
                           sb_error *err) {
  const bool dry = t->rolling_friction > 0 || t->spin_friction > 0;
  const struct {
    const char *name, *unit;
    double value;
    bool positive, used;
  } sizes[] = {{"rolling-friction", "m", t->rolling_friction, false, true},
               {"spin-friction", "m", t->spin_friction, false, true},
               {"rolling-viscous", "N.m.s/rad", t->rolling_viscous, false, true},
               {"spin-viscous", "N.m.s/rad", t->spin_viscous, false, true},
               {"turning-stiffness", "N.m/rad", t->stiffness, false, true},
               {"turning-damping", "s", t->damping, true, sb_turning_holds(t)},
               {"turning-speed", "rad/s", t->speed, true, dry && !sb_turning_holds(t)}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const double x = sizes[i].value;
    if (sizes[i].used && !(isfinite(x) && (sizes[i].positive ? x > 0 : x >= 0))) {
      return sb_blame(about, sizes[i].name,
                      sb_fail(err, SB_ERR_RANGE, "the %s of the law '%s' must %s: it is %s %s",
                              sizes[i].name, law,
                              sizes[i].positive ? "be positive" : "not be negative",
                              sb_number_word(x).text, sizes[i].unit));
    }
  }
  return SB_OK;
}

/** One part of the dry resistance, of `count` components.
 *  @param limit  [N m] */
static void resist(const sb_turning *t, double limit, int count, const double w[],
                   const double held[], double moment[], double theta_dot[]) {
  const double B = t->damping * t->stiffness;
  double square = 0;
  if (!sb_turning_holds(t)) {
    const double speed = count == 1 ? fabs(w[0]) : hypot(w[0], w[1]);
    const double factor = limit > 0 ? limit * sb_friction_direction(speed, t->speed) : 0;
    for (int i = 0; i < count; i++) {
      moment[i] = factor * w[i];
      theta_dot[i] = 0;
    }
    return;
  }
  for (int i = 0; i < count; i++) {
    moment[i] = held[i] + B * w[i];
    square += moment[i] * moment[i];
    theta_dot[i] = w[i];
  }
  const double size = sqrt(square);
  for (int i = 0; i < count && size > limit; i++) { // it yields
    moment[i] *= limit / size;
    theta_dot[i] = (moment[i] - held[i]) / B;
  }
}

void sb_turning_moment(const sb_turning *t, double f_n, const double w[SB_TURNING_DIM],
                       const double held[SB_TURNING_DIM], double moment[SB_TURNING_DIM],
                       double theta_dot[SB_TURNING_DIM]) {
  resist(t, t->rolling_friction * f_n, 2, w, held, moment, theta_dot);
  resist(t, t->spin_friction * f_n, 1, w + 2, held + 2, moment + 2, theta_dot + 2);
  moment[0] += t->rolling_viscous * w[0];
  moment[1] += t->rolling_viscous * w[1];
  moment[2] += t->spin_viscous * w[2];
}
