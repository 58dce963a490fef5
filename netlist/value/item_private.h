// SPDX-License-Identifier: GPL-3.0-or-later
// The items of a value.
#ifndef SB_NETLIST_VALUE_ITEM_PRIVATE_H
#define SB_NETLIST_VALUE_ITEM_PRIVATE_H

#include "netlist/value/words_private.h"

/** Reads one number, parameter, expression or unit. */
sb_status sb_value_read_item(sb_value_reader *in);

#endif
