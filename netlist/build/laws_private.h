// SPDX-License-Identifier: GPL-3.0-or-later
// Contact laws.
#ifndef SB_NETLIST_BUILD_LAWS_PRIVATE_H
#define SB_NETLIST_BUILD_LAWS_PRIVATE_H

#include "netlist/build/build.h"

/** The dimension N/m^n; false: n is not a ratio of small numbers. */
bool sb_stiffness_dimension(double exponent, sb_dimension *dimension);

#endif
