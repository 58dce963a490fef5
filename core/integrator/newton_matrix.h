// SPDX-License-Identifier: GPL-3.0-or-later
// The matrix I - gamma J of Newton's iterations, dense or sparse, and the solver that factorises it.
#ifndef SB_CORE_INTEGRATOR_NEWTON_MATRIX_H
#define SB_CORE_INTEGRATOR_NEWTON_MATRIX_H

#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#include "core/integrator/jacobian.h"

/** All zero: empty. */
typedef struct sb_newton_matrix {
  sb_jacobian *jacobian; // owned; NULL: the matrix is dense, and filled by somebody else
  SUNMatrix matrix;
  SUNLinearSolver solver;
} sb_newton_matrix;

/** Makes matrix and solver for vectors like y; what y has beyond the states gets rows of I. The caller
 *  has set the Jacobian, if there is to be one. */
bool sb_newton_matrix_init(sb_newton_matrix *m, N_Vector y, bool sparse, SUNContext context);
void sb_newton_matrix_finish(sb_newton_matrix *m);
/** I - gamma J into `matrix`, which is m->matrix or of its kind. */
void sb_newton_matrix_fill(const sb_newton_matrix *m, double gamma, SUNMatrix matrix);

#endif
