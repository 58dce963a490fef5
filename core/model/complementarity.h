// SPDX-License-Identifier: GPL-3.0-or-later
// The modes of diodes and of stops that are closed just behind an instant, all of a connected part at once.
#ifndef SB_CORE_MODEL_COMPLEMENTARITY_H
#define SB_CORE_MODEL_COMPLEMENTARITY_H

#include "core/program/workspace.h"

/** How many elements of a part are complementary in these modes. */
int sb_complementary_count(const sb_network *network, const int modes[], int part);

/** Solves the linear complementarity problem of one implicit Euler step from (t, x) whose length is next to none: it holds what an
 *  impulse moves at once, and what follows behind it.
 *  @param part   what else is as it is
 *  @param modes  (mode_count) in: the present ones, in which nothing has to have a solution; out: those of the solution. Where there are
 *                several, one of them
 *  @return SB_ERR_SOLVER: there is no solution; SB_ERR_LIMIT: something in the part has no linear equation; SB_ERR_MEMORY */
sb_status sb_complementarity_solve(sb_workspace *work, int part, double t, const double x[],
                                   int modes[]);

#endif
