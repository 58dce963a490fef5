// SPDX-License-Identifier: GPL-3.0-or-later
// The files that a netlist imports.
#ifndef SB_NETLIST_IMPORT_PRIVATE_H
#define SB_NETLIST_IMPORT_PRIVATE_H

#include "netlist/reader/state.h"

/** Reads the files that the root imports, and those that they import. */
void sb_read_imports(sb_reader *reader);

#endif
