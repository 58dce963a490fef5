// SPDX-License-Identifier: GPL-3.0-or-later
// The sub-models of a netlist and its imports.
#ifndef SB_NETLIST_SUBMODELS_PRIVATE_H
#define SB_NETLIST_SUBMODELS_PRIVATE_H

#include "netlist/reader/state.h"

/** Adds a sub-model; false: an error, reported. Its file is that of `scope`. */
bool sb_define_submodel(sb_reader *reader, const sb_xml_node *node, int scope);
/** The sub-model of a use. */
sb_status sb_find_submodel(const sb_reader *reader, const sb_item *use, const char *name,
                           int *submodel, sb_error *err);

#endif
