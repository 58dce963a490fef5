// SPDX-License-Identifier: GPL-3.0-or-later
// SIGINT and SIGTERM. While a simulation runs they end it, and what it has found is kept; before and after,
// nothing that is worth keeping is in the making, and they end the program.
#ifndef SB_TOOLS_INTERRUPT_H
#define SB_TOOLS_INTERRUPT_H

#include "core/simulation/simulation.h"

/** From now on a signal n ends the program with the exit code 128 + n. */
void interrupt_init(void);
/** From now on a signal interrupts the simulation; one that comes more than a second
 *  after the first ends the program. */
void interrupt_begin(sb_simulation *sim);
/** From now on signals are ignored, while results are completed. Returns the signal that came meanwhile;
 *  0: none. */
int interrupt_finish(void);

#endif
