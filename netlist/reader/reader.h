// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a netlist into items with their settings, names and parameters. Reading goes on after an
// error, so that all are reported.
#ifndef SB_NETLIST_READER_H
#define SB_NETLIST_READER_H

#include "netlist/reader/state.h"

/** Reads all items, names and overrides of the document, and the files that it imports.
 *  @return false: the root is not that of a netlist, or out of memory; reported */
bool sb_reader_read(sb_reader *reader);
/** Frees all but the errors. */
void sb_reader_finish(sb_reader *reader);

#endif
