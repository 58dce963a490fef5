// SPDX-License-Identifier: GPL-3.0-or-later
#include "contact/turning.h"

#include <math.h>

#include "contact/blame_private.h"
#include "contact/friction.h"

sb_status sb_turning_check(const sb_turning *t, const char **about, sb_error *err) {
  const struct {
    const char *name;
    double value;
  } sizes[] = {{"rolling-friction", t->rolling_friction},
               {"spin-friction", t->spin_friction},
               {"rolling-viscous", t->rolling_viscous},
               {"spin-viscous", t->spin_viscous}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    if (!(sizes[i].value >= 0 && isfinite(sizes[i].value))) {
      return sb_blame(about, sizes[i].name,
                      sb_fail(err, SB_ERR_RANGE, "the %s must not be negative: it is %s",
                              sizes[i].name, sb_number_word(sizes[i].value).text));
    }
  }
  if ((t->rolling_friction > 0 || t->spin_friction > 0) && !(t->speed > 0 && isfinite(t->speed))) {
    return sb_blame(about, "turning-speed",
                    sb_fail(err, SB_ERR_RANGE, "the turning-speed must be positive: it is %s",
                            sb_number_word(t->speed).text));
  }
  return SB_OK;
}

/** M/w of one direction. */
static double factor(double lever, double viscous, double f_n, double speed, double least) {
  return (lever > 0 ? lever * f_n * sb_friction_direction(speed, least) : 0) + viscous;
}

void sb_turning_moment(const sb_turning *t, double f_n, const double w[SB_TURNING_DIM],
                       double moment[SB_TURNING_DIM]) {
  const double rolls =
      factor(t->rolling_friction, t->rolling_viscous, f_n, hypot(w[0], w[1]), t->speed);
  moment[0] = rolls * w[0];
  moment[1] = rolls * w[1];
  moment[2] = factor(t->spin_friction, t->spin_viscous, f_n, fabs(w[2]), t->speed) * w[2];
}
