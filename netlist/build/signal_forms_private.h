// SPDX-License-Identifier: GPL-3.0-or-later
// What a signal is.
#ifndef SB_NETLIST_BUILD_SIGNAL_FORMS_PRIVATE_H
#define SB_NETLIST_BUILD_SIGNAL_FORMS_PRIVATE_H

#include "netlist/build/build.h"
#include "netlist/reader/definitions.h"

/** Reads the expression or quantity of a signal that is in the graph, and its
 *  dimension. */
sb_outcome sb_read_signal(const sb_build *build, const sb_item *item, sb_definition *entry);

#endif
