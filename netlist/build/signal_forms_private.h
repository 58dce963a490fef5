// SPDX-License-Identifier: GPL-3.0-or-later
// What a signal is.
#ifndef SB_NETLIST_BUILD_SIGNAL_FORMS_PRIVATE_H
#define SB_NETLIST_BUILD_SIGNAL_FORMS_PRIVATE_H

#include "netlist/build/build.h"
#include "netlist/reader/definitions.h"

/** Reads the expression or quantity of a signal that is in the graph, and its
 *  dimension. */
sb_outcome sb_read_signal(const sb_build *build, const sb_item *item, sb_definition *entry);

/** Reads a signal of another kind: its input, its parameters, and the dimension of its output. */
sb_outcome sb_read_block(const sb_build *build, const sb_item *item, sb_definition *entry);
/** An expression of signals into the row of its name, and its dimension; a number in its place. */
sb_outcome sb_read_input(const sb_build *build, sb_element *element, const sb_setting *setting,
                         sb_dimension *dimension);

#endif
