// SPDX-License-Identifier: GPL-3.0-or-later
// Contact laws.
#ifndef SB_NETLIST_BUILD_LAWS_PRIVATE_H
#define SB_NETLIST_BUILD_LAWS_PRIVATE_H

#include "netlist/build/build.h"

/** The dimension of sb_contact_law_unit(); false: an exponent is not a ratio of small numbers. */
bool sb_law_dimension(const sb_contact_law *law, const char *name, sb_dimension *dimension);

#endif
