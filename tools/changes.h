// SPDX-License-Identifier: GPL-3.0-or-later
// What is in another mode at an equilibrium than at the start.
#ifndef SB_TOOLS_CHANGES_H
#define SB_TOOLS_CHANGES_H

#include "core/analysis/linearize.h"
#include "core/base/text.h"

/** A table on stdout; nothing if there are none. */
void changes_print(const sb_mode_change changes[], int count);
/** The key "changed" of a JSON object, with a comma before it. */
void changes_put(sb_text *t, const sb_mode_change changes[], int count);

#endif
