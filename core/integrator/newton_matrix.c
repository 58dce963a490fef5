// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrator/newton_matrix.h"

#include <math.h>
#include <stdlib.h>

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

static SUNLinearSolver_Type type_of(SUNLinearSolver solver) {
  (void)solver;
  return SUNLINEARSOLVER_DIRECT;
}

static int factorise(SUNLinearSolver solver, SUNMatrix matrix) {
  const sb_newton_matrix *m = solver->content;
  return SUNLinSolSetup(m->factors, matrix);
}

/** x = D (D^-1 A D)^-1 D^-1 b */
static int solve(SUNLinearSolver solver, SUNMatrix matrix, N_Vector x, N_Vector b,
                 realtype tolerance) {
  const sb_newton_matrix *m = solver->content;
  double *right = NV_DATA_S(b), *z = NV_DATA_S(x);
  for (sunindextype i = 0; i < NV_LENGTH_S(b); i++) {
    right[i] /= m->scale[i];
  }
  int status = SUNLinSolSolve(m->factors, matrix, x, b, tolerance);
  for (sunindextype i = 0; i < NV_LENGTH_S(b); i++) {
    right[i] *= m->scale[i];
    z[i] = x == b ? right[i] : z[i] * m->scale[i];
  }
  return status;
}

static SUNLinearSolver make_solver(sb_newton_matrix *m, SUNContext context) {
  SUNLinearSolver solver = SUNLinSolNewEmpty(context);
  if (solver != NULL) {
    solver->ops->gettype = type_of;
    solver->ops->setup = factorise;
    solver->ops->solve = solve;
    solver->content = m;
  }
  return solver;
}

bool sb_newton_matrix_init(sb_newton_matrix *m, N_Vector y, bool sparse, SUNContext context) {
  sunindextype length = NV_LENGTH_S(y);
  m->scale = malloc((size_t)length * sizeof *m->scale);
  m->matrix = sparse ? SUNSparseMatrix(length, length, m->jacobian->nnz + length - m->jacobian->n,
                                       CSC_MAT, context)
                     : SUNDenseMatrix(length, length, context);
  m->factors = m->matrix == NULL ? NULL
               : sparse          ? make_sparse_solver(y, m->matrix, context)
                                 : SUNLinSol_Dense(y, m->matrix, context);
  m->solver = m->factors == NULL || m->scale == NULL ? NULL : make_solver(m, context);
  for (sunindextype i = 0; m->scale != NULL && i < length; i++) {
    m->scale[i] = 1;
  }
  return m->solver != NULL && SUNLinSolInitialize(m->factors) == 0;
}

void sb_newton_matrix_finish(sb_newton_matrix *m) {
  if (m->solver != NULL) {
    SUNLinSolFreeEmpty(m->solver);
  }
  if (m->factors != NULL) {
    SUNLinSolFree(m->factors);
  }
  if (m->matrix != NULL) {
    SUNMatDestroy(m->matrix);
  }
  free(m->scale);
  sb_jacobian_destroy(m->jacobian);
  *m = (sb_newton_matrix){0};
}

/** Powers of two, by which numbers keep their digits. */
static void take_sizes(const sb_newton_matrix *m, const double size[]) {
  for (int i = 0; i < m->jacobian->n; i++) {
    bool usable = size[i] > 0 && isfinite(size[i]);
    m->scale[i] = usable ? ldexp(1, ilogb(size[i])) : 1;
  }
}

/** Entry of row k of the list of column c, equilibrated. */
static double entry(const sb_newton_matrix *m, double gamma, int k, int c) {
  const sb_jacobian *j = m->jacobian;
  int r = j->row[k];
  return r == c ? 1 - gamma * j->value[k] : -gamma * j->value[k] * (m->scale[c] / m->scale[r]);
}

static void fill_sparse(const sb_newton_matrix *m, double gamma, SUNMatrix matrix) {
  const sb_jacobian *j = m->jacobian;
  sunindextype *first = SM_INDEXPTRS_S(matrix), *row = SM_INDEXVALS_S(matrix);
  double *value = SM_DATA_S(matrix);
  first[0] = 0;
  for (int c = 0; c < j->n; c++) {
    for (int k = j->column_first[c]; k < j->column_first[c + 1]; k++) {
      row[k] = j->row[k];
      value[k] = entry(m, gamma, k, c);
    }
    first[c + 1] = j->column_first[c + 1];
  }
  for (sunindextype c = j->n; c < SM_COLUMNS_S(matrix); c++) {
    row[first[c]] = c;
    value[first[c]] = 1;
    first[c + 1] = first[c] + 1;
  }
}

void sb_newton_matrix_fill(sb_newton_matrix *m, double gamma, const double size[],
                           SUNMatrix matrix) {
  const sb_jacobian *j = m->jacobian;
  take_sizes(m, size);
  if (SUNMatGetID(matrix) != SUNMATRIX_DENSE) {
    fill_sparse(m, gamma, matrix);
    return;
  }
  (void)SUNMatZero(matrix);
  for (int c = 0; c < j->n; c++) {
    for (int k = j->column_first[c]; k < j->column_first[c + 1]; k++) {
      SM_ELEMENT_D(matrix, j->row[k], c) = entry(m, gamma, k, c);
    }
  }
  for (sunindextype c = j->n; c < SM_COLUMNS_D(matrix); c++) {
    SM_ELEMENT_D(matrix, c, c) = 1;
  }
}
