// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a netlist into items with their settings, names and parameters. Nothing ends at the first
// fault; each is reported and reading goes on.
#ifndef SB_NETLIST_READER_H
#define SB_NETLIST_READER_H

#include "netlist/reader/state.h"

/** Reads all items, names and overrides of the document, and the files that it imports.
 *  @return false: the root is none of a netlist, or there was no memory; reported */
bool sb_reader_read(sb_reader *reader);
/** Frees all but the errors. */
void sb_reader_finish(sb_reader *reader);

#endif
