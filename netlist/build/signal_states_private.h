// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of a signal while the signals are read.
#ifndef SB_NETLIST_BUILD_SIGNAL_STATES_PRIVATE_H
#define SB_NETLIST_BUILD_SIGNAL_STATES_PRIVATE_H

#include "netlist/build/build.h"
#include "netlist/reader/definitions.h"

/** Whether a signal is known. */
sb_outcome sb_signal_await(const sb_build *build, int item);
/** The dimension of a signal, as far as it is known. */
const sb_dimension *sb_signal_dimension(const sb_build *build, int item);

#endif
