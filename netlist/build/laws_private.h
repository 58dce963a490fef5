// SPDX-License-Identifier: GPL-3.0-or-later
// Contact laws.
#ifndef SB_NETLIST_BUILD_LAWS_PRIVATE_H
#define SB_NETLIST_BUILD_LAWS_PRIVATE_H

#include "netlist/build/build.h"

enum { SB_LAW_UNIT_SIZE = 100 };

/** The unit of "stiffness", "damping" or "damping-factor" under a law that is complete, as people write it. */
void sb_law_unit(const sb_contact_law *law, const char *name, char unit[], size_t size);
/** Its dimension; false: an exponent is not a ratio of small numbers. */
bool sb_law_dimension(const sb_contact_law *law, const char *name, sb_dimension *dimension);

#endif
