// SPDX-License-Identifier: GPL-3.0-or-later
// The expressions of a normal law of a user's own: f = dV/dz + g(z, zd), with the stored energy V(z), whose derivative
// is exact, and the viscous force g, a dissipation of g zd. law.c evaluates them; here they are checked and owned.
#ifndef SB_CONTACT_EXPRESSED_H
#define SB_CONTACT_EXPRESSED_H

#include "contact/law.h"

/** V names z alone; it and its derivative are zero at the touch, and g is zero where nothing moves.
 *  @return SB_ERR_MISSING, SB_ERR_CHOICE or SB_ERR_RANGE, worded; `about`: the parameter, or NULL */
SB_API sb_status sb_expressed_check(const sb_contact_law *law, const char **about, sb_error *err);

/** Copies the expressions of `law` into `to`, and the caller of this frees them; NULL stays NULL.
 *  @return SB_ERR_MEMORY; `to` then has some of them */
SB_API sb_status sb_contact_law_copy_expressions(const sb_contact_law *law, sb_contact_law *to,
                                                 sb_error *err);
SB_API void sb_contact_law_finish(sb_contact_law *law);

#endif
