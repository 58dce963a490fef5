// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the present program that is to be run (live.h), with what its hooks see.
#ifndef SB_CORE_PROGRAM_LIVE_PART_H
#define SB_CORE_PROGRAM_LIVE_PART_H

#include "core/program/workspace.h"

/** Made anew after a change of the program or the modes. Those of discrete gradients are run whole. */
const sb_program *sb_live_part(sb_workspace *work);
/** What the hooks of an instance see while the program runs: in a part, inputs where they stand. */
sb_at sb_live_at(const sb_workspace *work, int instance, double t, const double x[]);

#endif
