// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef SB_CORE_MODEL_COMPUTE_H
#define SB_CORE_MODEL_COMPUTE_H

#include "core/program/workspace.h"

/** The operations of the program at (t, x), on the branches that are held.
 *  @param xdot   (state_count) out  @param power  (quadrature_count) out, [W]; NULL: not wanted
 *  @param inputs  with what idle elements are given, so that all values are those at (t, x)  @return as sb_model_rhs */
int sb_workspace_compute(sb_workspace *work, double t, const double x[], double xdot[],
                         double power[], bool inputs);
/** Runs an operation of a program; loops and constraints are in folders above the table of operations.  @return 0; else it failed */
int sb_workspace_run(sb_workspace *work, const sb_op *op, double t, const double x[],
                     double xdot[]);

/** The largest effort or flow that a storage or a source gives its ports, in SI, as far as the last evaluation came; of
 *  other elements 0. */
double sb_workspace_output(sb_workspace *work, int instance, const double x[]);

#endif
