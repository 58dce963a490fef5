// SPDX-License-Identifier: GPL-3.0-or-later
// The impact of a mass on f = k z^n (1 + a zd), without gravity, after a touch at the speed v: the coefficient of
// restitution e depends on s = a v alone, whatever the mass, k and n.
#ifndef SB_CONTACT_IMPACT_H
#define SB_CONTACT_IMPACT_H

#include "core/base/export.h"

/** s for a wanted e in (0, 1], Gonthier et al. (2004), eqs (10), (11): s = d/e with
 *  (1 + d/e)/(1 - d) = exp(d (1 + 1/e)). */
SB_API double sb_impact_damping(double e);
/** Its inverse, e of s >= 0: s - ln(1 + s) + e s + ln(1 - e s) = 0. */
SB_API double sb_impact_restitution(double s);

#endif
