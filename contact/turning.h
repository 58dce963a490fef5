// SPDX-License-Identifier: GPL-3.0-or-later
// Resistance of a contact to rolling and to spinning: a moment against the relative angular velocity w of the bodies,
// whose part along the plane of contact rolls and whose part along the normal spins. Its dry part is limited by
//   lim_t = mu_r f_n,   lim_n = mu_s f_n
// with mu_r and mu_s in metres, the lever of the normal force (Johnson, Contact Mechanics, section 9.3; Zhou et al., Physica A 269,
// 1999, eq (5)), and beside it there may be viscous parts c_r w_t and c_s w_n. In each part the dry one is
//   by the rate    M = lim dir(w), dir() of friction.h: below the speed of turning w_e the body creeps where it should rest;
//   by springs     M = K theta + B theta' of a spring and a damper in series with what yields, w = theta' + y: with
//                  M* = K theta + B w it sticks, theta' = w, while |M*| <= lim, and else M is lim along M*, so that it yields by
//                  y = (M* - M)/B along M (Iwashita and Oda, J. Eng. Mech. 124, 1998; Ai et al., Powder Technology 206, 2011, type C).
// M . w - K theta . theta' = M . y + B theta'^2 >= 0 is dissipated, and the springs store K theta^2/2.
#ifndef SB_CONTACT_TURNING_H
#define SB_CONTACT_TURNING_H

#include <stdbool.h>

#include "core/base/error.h"

enum { SB_TURNING_DIM = 3 }; // two components of the tangent plane, and the normal one

typedef struct sb_turning {
  double rolling_friction, spin_friction; // [m] mu_r, mu_s
  double rolling_viscous, spin_viscous;   // [N m s/rad] c_r, c_s
  double speed;                           // [rad/s] w_e
  double stiffness;                       // [N m/rad] K; 0: by the rate
  double damping;                         // [s] B = damping K
} sb_turning;

/** Whether there is any resistance. */
static inline bool sb_turning_acts(const sb_turning *t) {
  return t->rolling_friction > 0 || t->spin_friction > 0 || t->rolling_viscous > 0 ||
         t->spin_viscous > 0;
}
/** Whether it has springs, by which it holds what should rest. */
static inline bool sb_turning_holds(const sb_turning *t) {
  return t->stiffness > 0 && (t->rolling_friction > 0 || t->spin_friction > 0);
}
/** @param law    the name of the normal law, for the error
 *  @return SB_ERR_RANGE, worded; `about`: the parameter, or NULL */
SB_API sb_status sb_turning_check(const sb_turning *turning, const char *law, const char **about,
                                  sb_error *err);
/** What the moment follows from. */
typedef struct sb_turning_state {
  double f_n;                  // [N] the normal force, >= 0
  double w[SB_TURNING_DIM];    // [rad/s]
  double held[SB_TURNING_DIM]; // [N m] K theta of the springs; not read without them
} sb_turning_state;

/** Where it has kinks: in each part at its limit, or at w_e. */
enum { SB_TURNING_ROLLING, SB_TURNING_SPIN, SB_TURNING_KINKS };
/** The moment M [N m].
 *  @param sides      of the kinks, see kinks.h; NULL: the guards decide  @param guard  out: of the kinks
 *  @param theta_dot  (SB_TURNING_DIM) out [rad/s]; zero without springs */
SB_API void sb_turning_moment(const sb_turning *turning, const sb_turning_state *state,
                              const double sides[], double moment[SB_TURNING_DIM],
                              double theta_dot[SB_TURNING_DIM], double guard[SB_TURNING_KINKS]);

#endif
