// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrator/newton_matrix.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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
  sb_newton_matrix *m = solver->content;
  const int status = SUNLinSolSetup(m->factors, matrix);
  m->factorised = status == 0;
  return status;
}

/** x = D (R A D)^-1 R b */
static int solve(SUNLinearSolver solver, SUNMatrix matrix, N_Vector x, N_Vector b,
                 realtype tolerance) {
  const sb_newton_matrix *m = solver->content;
  const double *right = NV_DATA_S(b);
  double *z = NV_DATA_S(x);
  for (sunindextype i = 0; m->row_scale != NULL && i < NV_LENGTH_S(b); i++) {
    z[i] = m->row_scale[i] * right[i];
  }
  int status = SUNLinSolSolve(m->factors, matrix, x, m->row_scale != NULL ? x : b, tolerance);
  for (sunindextype i = 0; i < NV_LENGTH_S(b); i++) {
    z[i] *= m->scale[i];
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
  m->scale = malloc(2 * (size_t)length * sizeof *m->scale);
  m->matrix = sparse ? SUNSparseMatrix(length, length, m->jacobian->nnz + length - m->jacobian->n,
                                       CSC_MAT, context)
                     : SUNDenseMatrix(length, length, context);
  m->factors = m->matrix == NULL ? NULL
               : sparse          ? make_sparse_solver(y, m->matrix, context)
                                 : SUNLinSol_Dense(y, m->matrix, context);
  m->solver = m->factors == NULL || m->scale == NULL ? NULL : make_solver(m, context);
  m->row_scale = sparse || m->scale == NULL ? NULL : m->scale + length;
  m->response = N_VClone(y);
  for (sunindextype i = 0; m->scale != NULL && i < 2 * length; i++) {
    m->scale[i] = 1;
  }
  return m->solver != NULL && m->response != NULL && SUNLinSolInitialize(m->factors) == 0;
}

void sb_newton_matrix_respond(sb_newton_matrix *m, double r[]) {
  const size_t size = m->jacobian != NULL ? (size_t)m->jacobian->n * sizeof *r : 0;
  if (m->factorised && size > 0) { // a model without states has a matrix, but no Jacobian
    N_VConst(0, m->response);
    memcpy(NV_DATA_S(m->response), r, size);
    if (SUNLinSolSolve(m->solver, m->matrix, m->response, m->response, 0) == 0) {
      memcpy(r, NV_DATA_S(m->response), size);
    }
  }
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
  if (m->response != NULL) {
    N_VDestroy(m->response);
  }
  free(m->scale);
  sb_jacobian_destroy(m->jacobian);
  *m = (sb_newton_matrix){0};
}

/** The power of two that is no larger, by which numbers keep their digits. Inverses, and the quotient of any two, stay within the
 *  range of a double while exponents do within half of it. */
static double power_of_two(double size) {
  static const double most = 0x1p511;
  static const uint64_t exponent = 0x7ff0000000000000;
  uint64_t bits;
  size = !(size > 0 && isfinite(size)) ? 1 : size > most ? most : size < 1 / most ? 1 / most : size;
  memcpy(&bits, &size, sizeof bits);
  bits &= exponent;
  memcpy(&size, &bits, sizeof bits);
  return size;
}

static void take_sizes(const sb_newton_matrix *m, const double size[]) {
  for (int i = 0; i < m->jacobian->n; i++) {
    m->scale[i] = power_of_two(size[i]);
  }
  for (int i = 0; m->row_scale != NULL && i < m->jacobian->n; i++) {
    m->row_scale[i] = 1 / m->scale[i];
  }
}

/** Entry of row k of the list of column c. */
static double entry(const sb_jacobian *j, double gamma, int k, int c) {
  return j->row[k] == c ? 1 - gamma * j->value[k] : -gamma * j->value[k];
}

static void fill_sparse(const sb_newton_matrix *m, double gamma, SUNMatrix matrix) {
  const sb_jacobian *j = m->jacobian;
  sunindextype *first = SM_INDEXPTRS_S(matrix), *row = SM_INDEXVALS_S(matrix);
  double *value = SM_DATA_S(matrix);
  first[0] = 0;
  for (int c = 0; c < j->n; c++) {
    for (int k = j->column_first[c]; k < j->column_first[c + 1]; k++) {
      row[k] = j->row[k];
      value[k] = entry(j, gamma, k, c) * m->scale[c];
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
      int r = j->row[k];
      SM_ELEMENT_D(matrix, r, c) = entry(j, gamma, k, c) * (m->row_scale[r] * m->scale[c]);
    }
  }
  for (sunindextype c = j->n; c < SM_COLUMNS_D(matrix); c++) {
    SM_ELEMENT_D(matrix, c, c) = 1;
  }
}
