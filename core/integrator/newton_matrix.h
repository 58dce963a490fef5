// SPDX-License-Identifier: GPL-3.0-or-later
// The matrix I - gamma J of Newton's iterations, dense or sparse, and the solver that factorises it.
// It is equilibrated: with D the sizes of the states, as powers of two, and R a scale of the rows, what is factorised is
// R (I - gamma J) D, whose entries have no unit. So pivots, and with them the last bits of a step, are the same in all
// units. R is D^-1, or where KLU factorises the inverse of the largest entry of the row, which it finds itself.
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
  SUNLinearSolver factors; // of the equilibrated matrix
  SUNLinearSolver solver;  // for whoever solves: by the factors, in the units of the states
  N_Vector response;       // of sb_newton_matrix_respond()
  bool factorised;
  double *scale;     // (rows) D
  double *row_scale; // (rows) R, in the block of `scale`; NULL: KLU's
} sb_newton_matrix;

/** Makes matrix and solver, at the place where *m stays, for vectors like y; what y has beyond the states gets rows of I. The caller
 *  has set the Jacobian, if there is to be one. */
bool sb_newton_matrix_init(sb_newton_matrix *m, N_Vector y, bool sparse, SUNContext context);
void sb_newton_matrix_finish(sb_newton_matrix *m);
/** (I - gamma J)^-1 r, in place, by what was factorised last: nothing changes before something was.  @param r  (states) */
void sb_newton_matrix_respond(sb_newton_matrix *m, double r[]);
/** (I - gamma J) D, and R where it is not KLU's, by the sizes of the states [n], into `matrix`, which is m->matrix or of its kind.
 *  m->solver solves by these sizes until the next call. */
void sb_newton_matrix_fill(sb_newton_matrix *m, double gamma, const double size[],
                           SUNMatrix matrix);

#endif
