// SPDX-License-Identifier: GPL-3.0-or-later
// The modes of laws that jump where states alone do not decide, all of a connected part at once.
#ifndef SB_CORE_MODEL_JUMP_LAWS_H
#define SB_CORE_MODEL_JUMP_LAWS_H

#include "core/program/workspace.h"

/** In place of a mode: the states alone determine it. */
enum { SB_JUMP_GIVEN = -1 };

/** How many of them a part has. */
int sb_jump_law_count(const sb_network *network, int part);
/** Solves the problem of the instant: the modes in which laws are on a side of a jump, or rest there.
 *  @param h      [s] of a step of that length, next to none; 0: by the time constants
 *  @param modes  (mode_count) the present ones, in which nothing has to have a solution
 *  @param solved  whether they have
 *  @param rests  (instances) of laws that jump: whether it is at its jump by its states
 *  @param found  (instances) out, of laws that jump
 *  @return SB_ERR_SOLVER: there is no solution; SB_ERR_LIMIT: states decide on all laws, or something in the part has no linear
 *          equation; SB_ERR_MEMORY */
sb_status sb_jump_laws_solve(sb_workspace *work, int part, double t, double h, const double x[],
                             const int modes[], bool solved, const bool rests[], int found[]);

#endif
