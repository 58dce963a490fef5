// SPDX-License-Identifier: GPL-3.0-or-later
// SIGINT and SIGTERM end a run at its next step; a second one ends the program at once.
#ifndef SB_TOOLS_INTERRUPT_H
#define SB_TOOLS_INTERRUPT_H

#include "core/simulation/simulation.h"

void interrupt_watch(sb_simulation *sim);
/** Stops watching. The signal that came meanwhile; 0: none. */
int interrupt_finish(void);

#endif
