// SPDX-License-Identifier: GPL-3.0-or-later
// Expands uses and repeats.
#ifndef SB_NETLIST_EXPAND_PRIVATE_H
#define SB_NETLIST_EXPAND_PRIVATE_H

#include "netlist/reader/state.h"

/** Reads names, overrides and parameters, and all uses and repeats. */
void sb_expand(sb_reader *reader);

#endif
