// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef SB_CONTACT_SKIN_PRIVATE_H
#define SB_CONTACT_SKIN_PRIVATE_H

#include "contact/contact.h"
#include "contact/parts.h"

/** Combines the two materials under the law of `contact`: its skin and modulus.
 *  @return SB_ERR_RANGE, SB_ERR_MISSING, SB_ERR_NOT_YET */
sb_status sb_contact_skin_combine(const sb_contact_spec *spec, sb_contact_data *contact,
                                  sb_error *err);

/** All that follows from the pair, checked; without the expressions of its law (expand.c). */
sb_status sb_contact_prepare(const sb_contact_spec *spec, sb_contact_data *data, sb_error *err);

#endif
