// SPDX-License-Identifier: GPL-3.0-or-later
// Connections of signals and quantities to the inputs of elements.
#ifndef SB_NETLIST_BUILD_WIRES_PRIVATE_H
#define SB_NETLIST_BUILD_WIRES_PRIVATE_H

#include "netlist/build/build.h"

/** The signals that the expressions of an element name, in the order of its inputs. */
typedef struct sb_wires {
  int items[SB_SIGNALS_MAX]; // (count)
  int count;
} sb_wires;

/** Connects a signal to the next input of an element, once; an error is reported. */
bool sb_wire_signal(const sb_build *build, const sb_setting *setting, const sb_element *element,
                    int item, int column, sb_wires *wires);
/** Connects any quantity, by its full name. */
bool sb_wire_quantity(const sb_build *build, const sb_setting *setting, const char *from,
                      const sb_element *element, int column);

#endif
