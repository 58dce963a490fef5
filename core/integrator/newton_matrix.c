// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrator/newton_matrix.h"

#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

static SUNLinearSolver make_sparse_solver(N_Vector y, SUNMatrix matrix, SUNContext context) {
  SUNLinearSolver solver = SUNLinSol_KLU(y, matrix, context);
  if (solver != NULL && SUNLinSol_KLUSetOrdering(solver, 0) != 0) { // AMD
    SUNLinSolFree(solver);
    return NULL;
  }
  return solver;
}

bool sb_newton_matrix_init(sb_newton_matrix *m, N_Vector y, bool sparse, SUNContext context) {
  sunindextype length = NV_LENGTH_S(y);
  m->matrix = sparse ? SUNSparseMatrix(length, length, m->jacobian->nnz + length - m->jacobian->n,
                                       CSC_MAT, context)
                     : SUNDenseMatrix(length, length, context);
  m->solver = m->matrix == NULL ? NULL
              : sparse          ? make_sparse_solver(y, m->matrix, context)
                                : SUNLinSol_Dense(y, m->matrix, context);
  return m->solver != NULL;
}

void sb_newton_matrix_finish(sb_newton_matrix *m) {
  if (m->solver != NULL) {
    SUNLinSolFree(m->solver);
  }
  if (m->matrix != NULL) {
    SUNMatDestroy(m->matrix);
  }
  sb_jacobian_destroy(m->jacobian);
  *m = (sb_newton_matrix){0};
}

static void fill_sparse(const sb_jacobian *j, double gamma, SUNMatrix matrix) {
  sunindextype *first = SM_INDEXPTRS_S(matrix), *row = SM_INDEXVALS_S(matrix);
  double *value = SM_DATA_S(matrix);
  first[0] = 0;
  for (int c = 0; c < j->n; c++) {
    for (int k = j->column_first[c]; k < j->column_first[c + 1]; k++) {
      row[k] = j->row[k];
      value[k] = (j->row[k] == c) - gamma * j->value[k];
    }
    first[c + 1] = j->column_first[c + 1];
  }
  for (sunindextype c = j->n; c < SM_COLUMNS_S(matrix); c++) {
    row[first[c]] = c;
    value[first[c]] = 1;
    first[c + 1] = first[c] + 1;
  }
}

void sb_newton_matrix_fill(const sb_newton_matrix *m, double gamma, SUNMatrix matrix) {
  const sb_jacobian *j = m->jacobian;
  if (SUNMatGetID(matrix) != SUNMATRIX_DENSE) {
    fill_sparse(j, gamma, matrix);
    return;
  }
  (void)SUNMatZero(matrix);
  for (int c = 0; c < j->n; c++) {
    for (int k = j->column_first[c]; k < j->column_first[c + 1]; k++) {
      SM_ELEMENT_D(matrix, j->row[k], c) = (j->row[k] == c) - gamma * j->value[k];
    }
  }
  for (sunindextype c = j->n; c < SM_COLUMNS_D(matrix); c++) {
    SM_ELEMENT_D(matrix, c, c) = 1;
  }
}
