// SPDX-License-Identifier: GPL-3.0-or-later
// What a use sets in its sub-model.
#ifndef SB_NETLIST_SETS_PRIVATE_H
#define SB_NETLIST_SETS_PRIVATE_H

#include "netlist/reader/state.h"

/** Gives the inside of a use the values of its <set>. */
void sb_apply_sets(sb_reader *reader, int use, int inner);
/** Reports sets that name nothing, and what inside has no value yet: of these none where wrong
 *  names may account for them. @param first  item inside the use */
void sb_check_sets(sb_reader *reader, int use, int inner, int first);

#endif
