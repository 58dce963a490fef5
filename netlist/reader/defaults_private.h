// SPDX-License-Identifier: GPL-3.0-or-later
// The classes of <defaults>.
#ifndef SB_NETLIST_DEFAULTS_PRIVATE_H
#define SB_NETLIST_DEFAULTS_PRIVATE_H

#include "netlist/reader/state.h"

/** Adds an item of <defaults>: the class of a kind, or the kind itself. */
void sb_add_class(sb_reader *reader, int item);
/** Links items to the classes and kinds of <defaults>. */
void sb_link_defaults(sb_reader *reader);

#endif
