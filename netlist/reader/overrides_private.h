// SPDX-License-Identifier: GPL-3.0-or-later
// What the command line sets.
#ifndef SB_NETLIST_OVERRIDES_PRIVATE_H
#define SB_NETLIST_OVERRIDES_PRIVATE_H

#include "netlist/reader/state.h"

/** Applies what the command line sets, as far as its items are there.
 *  @param last  all items are there: reports those that match nothing */
void sb_read_overrides(sb_reader *reader, bool last);

#endif
