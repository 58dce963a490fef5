// SPDX-License-Identifier: GPL-3.0-or-later
// The surface behind a release. Where the force of a law with a clamp has come to zero at a depth x_r, the body flies on
// and the surface recovers by itself, k x^n + b x^p |x'|^q sign(x') = 0 (Azad and Featherstone, 2014, section III: K x + D x' = 0), so
//   x' = -c x^m,  c = (k/b)^(1/q),  m = (n - p)/q,
// which depends on nothing but the time: x = x_r f(y) with y = c x_r^(m-1) (t - t_r), f' = -f^m, f(0) = 1.
// Of a law by functions the equation f_el(x) + f_d(x, x') = 0 is solved for x' = -u(x), and with x = x_r exp(-s)
//   t - t_r = int_0^s x/u(x) ds,
// whose integrand is smooth and does not vanish, however fast the surface ends.
#ifndef SB_CONTACT_RECOVERY_H
#define SB_CONTACT_RECOVERY_H

#include "contact/law.h"

typedef struct sb_recovery {
  double depth;              // [m] x_r; 0: the surface has recovered
  double time;               // [s] t_r; of functions that of the last accepted step
  double pace;               // [1/s] c x_r^(m-1); of functions u(x)/x at that time
  double stiffness, damping; // k, b
  double fallen;             // of functions: s at that time
} sb_recovery;

/** Where the recovered surface may be taken as it was: at this share of x_r. */
#define SB_RECOVERY_LEAST 1e-8

/** Begins at the depth x_r > 0 and the time t_r. @param k, b  stiffness and damping there
 *  @return SB_ERR_CONTACT, worded: no x' solves the equation at some depth up to x_r */
SB_API sb_status sb_recovery_begin(const sb_contact_law *law, double k, double b, double depth,
                                   double time, sb_recovery *recovery, sb_error *err);
/** x [m] at the time t. @param rate  out: x' [m/s] */
SB_API double sb_recovery_depth(const sb_contact_law *law, const sb_recovery *recovery, double t,
                                double *rate);
/** Of functions: counts from the time t on, so that the integral stays short. */
void sb_recovery_accept(const sb_contact_law *law, sb_recovery *recovery, double t);

#endif
