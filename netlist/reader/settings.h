// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of the items.
#ifndef SB_NETLIST_SETTINGS_H
#define SB_NETLIST_SETTINGS_H

#include "netlist/reader/state.h"

/** A setting of the item itself, of its class or of its kind; NULL: none. */
const sb_setting *sb_item_text(const sb_reader *reader, const sb_item *item, const char *name);
const sb_setting *sb_item_value(const sb_reader *reader, const sb_item *item, const sb_param *row);
/** Of the item itself only. */
sb_setting *sb_item_own(const sb_reader *reader, const sb_item *item, const char *name);
/** A new setting of an item; NULL: out of memory, reported. */
sb_setting *sb_item_add_setting(sb_reader *reader, sb_item *item);

/** Whether an attribute is not known: it has been reported with those that are, and was probably meant to be one that is missing. */
bool sb_item_has_unknown(const sb_item *item);

#endif
