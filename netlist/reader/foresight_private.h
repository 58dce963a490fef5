// SPDX-License-Identifier: GPL-3.0-or-later
// How many XML elements uses and repeats expand to, before they do.
#ifndef SB_NETLIST_FORESIGHT_PRIVATE_H
#define SB_NETLIST_FORESIGHT_PRIVATE_H

#include "netlist/reader/state.h"

/** XML elements that the children of a node expand to, at the least: a repeat among them whose count is no plain
 *  number counts as itself only. */
double sb_count_inside(sb_reader *reader, const sb_xml_node *node);
/** The same of what a use reads. */
double sb_count_use(sb_reader *reader, const sb_xml_node *use);

#endif
