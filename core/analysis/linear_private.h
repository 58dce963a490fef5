// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of a linearisation.
#ifndef SB_CORE_ANALYSIS_LINEAR_PRIVATE_H
#define SB_CORE_ANALYSIS_LINEAR_PRIVATE_H

#include "core/analysis/linearize.h"
#include "core/analysis/operating_point_private.h"

/** Whether all elements but sources are linear. */
bool sb_network_is_linear(const sb_network *network);

/** Takes the arrays for l's numbers of states, inputs, outputs and ports, and its order; zero.
 *  memory->failed: out of memory */
void sb_linear_allocate(sb_linear *l, sb_arena *memory);

/** The descriptor system of a model with constraints about p->x, where p was evaluated last. On entry
 *  l->x and l->xdot hold all states of the model; all arrays of l become those of the result.
 *  @param input_of  (components of all instances) number of the input, from 1
 *  @return as sb_linearize() */
sb_status sb_descriptor_linearise(sb_operating_point *p, sb_linear *l, const int input_of[],
                                  sb_arena *memory, sb_error *err);

/** @param matrix  (count x count) finite, count > 0  @param values  (count) out
 *  @return SB_ERR_MEMORY, SB_ERR_SOLVER */
sb_status sb_find_eigenvalues(const double matrix[], int count, sb_root values[], sb_error *err);

/** A and C about l->x, E where there is one, and B and D; it moves p->x.
 *  @param inputs  amounts of p, one for each of l's inputs; NULL: B and D are left as they are
 *  @param exact   the model and the outputs are linear: no differences are taken
 *  @return SB_ERR_MEMORY, SB_ERR_NOT_FINITE */
sb_status sb_operating_point_differentiate(sb_operating_point *p, sb_linear *l,
                                           double *const inputs[], bool exact, sb_error *err);

/** Moves l->x to xdot = 0 by Newton's iteration, damped, with A and C for its scratch.
 *  @return SB_ERR_MEMORY, SB_ERR_NOT_FINITE; SB_ERR_SOLVER: no equilibrium found */
sb_status sb_operating_point_settle(sb_operating_point *p, sb_linear *l, sb_error *err);

#endif
