// SPDX-License-Identifier: GPL-3.0-or-later
// From the XML tree to items.
#ifndef SB_NETLIST_ITEMS_PRIVATE_H
#define SB_NETLIST_ITEMS_PRIVATE_H

#include "netlist/reader/state.h"

/** A tree as items below an item, with unknown and misplaced ones reported. The bodies of
 *  sub-models and repeats are left. */
void sb_read_tree(sb_reader *reader, const sb_xml_node *node, int parent, int scope);
/** Reports required attributes and elements that are missing; after overrides and defaults. */
void sb_check_required(const sb_reader *reader, int first); // from this item on

#endif
