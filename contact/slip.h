// SPDX-License-Identifier: GPL-3.0-or-later
// Coulomb friction of a contact patch with tangential and spin loads coupled: the loads
// tau = (f_x, f_y, m_theta) stay within the limit surface tau.G tau <= lim^2, G = diag(1, 1, 1/r^2), with r the
// radius of friction and lim = mu f_n (Goyal, Ruina and Papadopoulos, Wear 143, 1991, have the ellipsoid; the
// detection of Stramigioli and Duindam, eqs (31)-(33), is its case k_theta = r^2 k_t). The slip w lies in series
// with a spring and a damper side by side, v = sdot + w and tau = K s + B sdot, and is normal to the surface:
//   w = g G u,  tau = lim u,  u.G u = 1,  g >= 0,   or   w = 0 within it.
#ifndef SB_CONTACT_SLIP_H
#define SB_CONTACT_SLIP_H

#include "core/base/export.h"

enum { SB_SLIP_LOADS = 3 }; // x, y, theta

/** |tau|_G [N]. @param radius  r [m] */
SB_API double sb_slip_size(const double tau[SB_SLIP_LOADS], double radius);

/** The slip that brings the loads on the limit surface, and keeps them there.
 *  @param trial    K s + B v: the loads if nothing slipped [N, N, N m]
 *  @param B        the diagonal of the damping, >= 0 [N s/m, N s/m, N m s]; where it is zero nothing slips
 *  @param limit    lim >= 0 [N]
 *  @param w        out [m/s, m/s, rad/s]; for loads within the surface it goes on smoothly, w.tau < 0 */
SB_API void sb_slip_flow(const double trial[SB_SLIP_LOADS], const double B[SB_SLIP_LOADS],
                         double radius, double limit, double w[SB_SLIP_LOADS]);

#endif
