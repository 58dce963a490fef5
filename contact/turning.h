// SPDX-License-Identifier: GPL-3.0-or-later
// Resistance of a contact to rolling and to spinning: a moment against the relative angular velocity w of the bodies,
// whose part along the plane of contact rolls and whose part along the normal spins,
//   M_t = mu_r f_n dir(w_t) + c_r w_t,   M_n = mu_s f_n dir(w_n) + c_s w_n,
// with mu_r and mu_s in metres, the lever of the normal force (Johnson, Contact Mechanics, section 9.3; Zhou et al., Physica A 269,
// 1999, eq (5)), and dir() of friction.h. M . w >= 0 is dissipated. Below the speed of turning w_e the body creeps where it should rest.
#ifndef SB_CONTACT_TURNING_H
#define SB_CONTACT_TURNING_H

#include <stdbool.h>

#include "core/base/error.h"

enum { SB_TURNING_DIM = 3 }; // two components of the tangent plane, and the normal one

typedef struct sb_turning {
  double rolling_friction, spin_friction; // [m] mu_r, mu_s
  double rolling_viscous, spin_viscous;   // [N m s/rad] c_r, c_s
  double speed;                           // [rad/s] w_e
} sb_turning;

/** Whether there is any resistance. */
static inline bool sb_turning_acts(const sb_turning *t) {
  return t->rolling_friction > 0 || t->spin_friction > 0 || t->rolling_viscous > 0 ||
         t->spin_viscous > 0;
}
/** @return SB_ERR_RANGE, worded; `about`: the parameter, or NULL */
SB_API sb_status sb_turning_check(const sb_turning *turning, const char **about, sb_error *err);
/** The moment M [N m] for w [rad/s] under the normal force f_n >= 0 [N]. */
SB_API void sb_turning_moment(const sb_turning *turning, double f_n, const double w[SB_TURNING_DIM],
                              double moment[SB_TURNING_DIM]);

#endif
