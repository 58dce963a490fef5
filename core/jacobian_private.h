// SPDX-License-Identifier: GPL-3.0-or-later
// The sparse Jacobian of a model: pattern from the program, values by coloured differences.
#ifndef SB_CORE_JACOBIAN_PRIVATE_H
#define SB_CORE_JACOBIAN_PRIVATE_H

#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#include "core/workspace_private.h"

/** Up to this many numbers of state and ledger the Jacobian is dense. */
enum { SB_DENSE_MAX = 100 };

typedef struct sb_jacobian sb_jacobian;

sb_jacobian *sb_jacobian_create(const sb_model *model, const sb_workspace *work); // NULL: memory
void sb_jacobian_destroy(sb_jacobian *jacobian);
SUNMatrix sb_jacobian_matrix(const sb_jacobian *jacobian, SUNContext context);
SUNLinearSolver sb_jacobian_solver(N_Vector y, SUNMatrix matrix, SUNContext context);

/** Fills the matrix. @param fy (n) right-hand side at y  @param y2, f2 (n) scratch
 *  @return as sb_model_rhs */
int sb_jacobian_evaluate(const sb_jacobian *jacobian, sb_workspace *work, double t,
                         const double y[], const double fy[], double y2[], double f2[],
                         SUNMatrix matrix);

#endif
