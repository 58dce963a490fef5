// SPDX-License-Identifier: GPL-3.0-or-later
// The ids of the items, as paths of the whole netlist.
#ifndef SB_NETLIST_IDS_PRIVATE_H
#define SB_NETLIST_IDS_PRIVATE_H

#include "netlist/reader/state.h"

/** Reads the ids and labels of the items from `first` on, and the classes of <defaults>. */
void sb_read_names(sb_reader *reader, int first);

#endif
