// SPDX-License-Identifier: GPL-3.0-or-later
// What comes back of an impact: the coefficient of restitution e of a mass that meets a contact law at a speed v,
// without gravity, and the damping that gives a wanted e. For f = k z^n + b z^p |zd|^q sign(zd), with the
// length L = (m v^2/k)^(1/(n+1)) and the time L/v, e depends on one number alone,
//   G = (b/k) v^q (m v^2/k)^((p-n)/(n+1)).
// Of a law by functions, expressions or a potential (where it is met along z alone) it depends on m and v.
#ifndef SB_CONTACT_RESTITUTION_H
#define SB_CONTACT_RESTITUTION_H

#include "contact/law.h"

/** Whether e depends on G alone: the law is one of powers. */
SB_API bool sb_impact_by_group(const sb_contact_law *law);
/** b [N s^q/m^(p+q)] of a law after a touch at the speed v [m/s], with the stiffness of the law. */
SB_API double sb_impact_damping_of(const sb_contact_law *law, double v);
/** G of a law of powers for a mass m [kg] at the speed v [m/s]. */
SB_API double sb_impact_group(const sb_contact_law *law, double m, double v);
/** e for a G >= 0 and the exponents of a law of powers, to 1e-11: closed for p = n, else by integration: bounce.h.
 *  @return SB_ERR_RANGE, SB_ERR_CHOICE for a law that is not one of powers, SB_ERR_SOLVER */
SB_API sb_status sb_impact_restitution_of(const sb_contact_law *law, double G, double *e,
                                          sb_error *err);
/** e of any law for a mass m [kg] at the speed v [m/s]; `damping` is that of the law, or of the materials beside one by an
 *  energy. Without a clamp, as of a potential, the contact lasts until the depth is zero.
 *  @param factor  what a viscous function counts with: 1
 *  @return SB_ERR_RANGE, also where the spring never holds the energy of the impact, SB_ERR_SOLVER */
SB_API sb_status sb_impact_restitution_at(const sb_contact_law *law, double m, double v,
                                          double factor, double *e, sb_error *err);
/** The damping b that gives a law the restitution e for a mass m at the speed v, with the stiffness of the law; where a
 *  law by expression has a damping-force, the factor of this.
 *  @return SB_ERR_RANGE for an e that no damping gives, and as above */
SB_API sb_status sb_impact_damping_for(const sb_contact_law *law, double m, double v, double e,
                                       double *b, sb_error *err);

#endif
