// SPDX-License-Identifier: GPL-3.0-or-later
// The parameters of a netlist.
#ifndef SB_NETLIST_PARAMETERS_H
#define SB_NETLIST_PARAMETERS_H

#include "netlist/reader/state.h"

/** Takes the parameters among the items from `first` on. */
void sb_add_parameters(sb_reader *reader, int first);
/** Evaluates those that are new. */
void sb_resolve_parameters(sb_reader *reader);
/** Evaluates one and all that it names. */
void sb_resolve_parameter(sb_reader *reader, int parameter);

#endif
