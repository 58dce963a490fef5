// SPDX-License-Identifier: GPL-3.0-or-later
// The ends of bonds, and the ports of uses.
#ifndef SB_NETLIST_BUILD_ENDS_PRIVATE_H
#define SB_NETLIST_BUILD_ENDS_PRIVATE_H

#include "netlist/build/build.h"

/** What an end of a bond names, as the graph knows it; through ports of uses to the node
 *  inside. An error is reported.
 *  @param connected  (items) out: the ports of uses on the way; may be NULL
 *  @return the item of an element; NULL: none */
enum { SB_END_MAX = SB_PATH_MAX + 100 };
const sb_item *sb_find_end(const sb_build *build, const sb_setting *setting, bool connected[],
                           char out[SB_END_MAX]);
/** Whether an item was left out of the graph, which has been reported. */
bool sb_is_left_out(const sb_build *build, const sb_item *item);
/** Finds the nodes of all ports. */
void sb_check_ports(const sb_build *build, bool connected[]);
/** Reports ports that no bond names. @param whole  all bonds are good */
void sb_check_connected(const sb_build *build, const bool connected[], bool whole);

#endif
