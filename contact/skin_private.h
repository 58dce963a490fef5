// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef SB_CONTACT_SKIN_PRIVATE_H
#define SB_CONTACT_SKIN_PRIVATE_H

#include "contact/contact.h"
#include "contact/parts.h"

/** Combines two materials under a law. @return SB_ERR_RANGE, SB_ERR_NOT_YET */
sb_status sb_contact_skin_combine(const sb_material *m1, const sb_material *m2,
                                  const sb_contact_law *law, sb_contact_skin *skin, sb_error *err);

#endif
