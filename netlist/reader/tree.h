// SPDX-License-Identifier: GPL-3.0-or-later
// The items as a tree: adding one, and the order in which they are visited.
#ifndef SB_NETLIST_TREE_H
#define SB_NETLIST_TREE_H

#include "netlist/reader/state.h"

/** A new item below `parent` (-1: the root); -1: out of memory, reported. */
int sb_add_item(sb_reader *reader, const sb_xml_node *node, int parent, int scope);
/** The values that an item may have. */
const sb_param *sb_item_values(const sb_item *item);
bool sb_item_in_defaults(const sb_reader *reader, const sb_item *item);

/** The item after `item` in preorder, as if sub-models and repeats were written out; -1: none. */
int sb_walk(const sb_reader *reader, int item);
/** The next item of a tag after `from` (start with NULL) in this order, NULL: none. */
const sb_item *sb_next_item(const sb_reader *reader, const sb_item *from, const char *tag);
/** Finds the items of each tag for sb_next_item(), once all are there. */
void sb_link_items(sb_reader *reader);

#endif
