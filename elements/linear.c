// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <string.h>

#include "core/linalg/dense.h"
#include "elements/linear_private.h"

/** A start that is off by less than this fraction of its terms is rounding. */
static const double start_tol = 1e-9;

/** A row of which the others leave less than this fraction of its diagonal depends on them. */
static const double singular_tol = 1e-13;

sb_status sb_matrix_expand(const sb_list *list, int d, const char *name, double matrix[],
                           sb_error *err) {
  if (list->count != 1 && list->count != d && list->count != d * d) {
    return d == 1 ? sb_fail_at(err, SB_ERR_DIMENSION, name,
                               "%s takes one number for dim=\"1\", got %d", name, list->count)
                  : sb_fail_at(err, SB_ERR_DIMENSION, name,
                               "%s takes 1, %d or %d numbers for dim=\"%d\", got %d", name, d,
                               d * d, d, list->count);
  }
  memset(matrix, 0, (size_t)(d * d) * sizeof *matrix);
  for (int i = 0; i < d; i++) {
    matrix[i * d + i] = list->values[list->count == 1 ? 0 : i];
  }
  if (list->count == d * d) {
    memcpy(matrix, list->values, (size_t)(d * d) * sizeof *matrix);
  }
  return SB_OK;
}

/** L with L L^T = M in the lower triangle; false where a pivot is not positive. */
static bool cholesky(double m[], int d, double least) {
  for (int j = 0; j < d; j++) {
    for (int i = j; i < d; i++) {
      double sum = m[i * d + j];
      for (int k = 0; k < j; k++) {
        sum -= m[i * d + k] * m[j * d + k];
      }
      if (i == j && !(sum > least)) {
        return false;
      }
      m[i * d + j] = i == j ? sqrt(sum) : sum / m[j * d + j];
    }
  }
  return true;
}

static sb_status check_symmetric(const double m[], int d, const char *name, sb_error *err) {
  for (int i = 0; i < d; i++) {
    for (int j = 0; j < i; j++) {
      if (fabs(m[i * d + j] - m[j * d + i]) > 1e-12 * (fabs(m[i * d + j]) + fabs(m[j * d + i]))) {
        return sb_fail_at(err, SB_ERR_RANGE, name,
                          "the matrix %s must be symmetric: %s in row %d, column %d, but %s in row "
                          "%d, column %d",
                          name, sb_number_word(m[j * d + i]).text, j + 1, i + 1,
                          sb_number_word(m[i * d + j]).text, i + 1, j + 1);
      }
    }
  }
  return SB_OK;
}

/** Inverts a symmetric positive definite matrix in place; Cholesky's factors tell whether it is one.
 *  @return SB_ERR_RANGE if it is not */
static sb_status invert_definite(double m[], int d, const char *name, sb_error *err) {
  double l[SB_MATRIX_MAX * SB_MATRIX_MAX];
  SB_TRY(check_symmetric(m, d, name, err));
  memcpy(l, m, (size_t)(d * d) * sizeof *l);
  if (!cholesky(l, d, 0)) {
    return sb_fail_at(err, SB_ERR_RANGE, name,
                      d == 1 ? "%s must be positive" : "the matrix %s must be positive definite",
                      name);
  }
  memcpy(l, m, (size_t)(d * d) * sizeof *l);
  memset(m, 0, (size_t)(d * d) * sizeof *m);
  for (int i = 0; i < d; i++) {
    m[i * d + i] = 1;
  }
  sb_solve_definite(l, m, d, d, 0);
  for (int i = 0; i < d; i++) { // exactly symmetric, so that the energy is a potential
    for (int j = 0; j < i; j++) {
      m[i * d + j] = m[j * d + i] = 0.5 * (m[i * d + j] + m[j * d + i]);
    }
  }
  return SB_OK;
}

/** Cholesky's factors with the largest pivot first (Higham 2002, section 10.3). `lead` are the rows that
 *  were pivots; returns their number, -1 if the matrix is indefinite. */
static int find_leading(const double m[], int d, int lead[]) {
  double r[SB_MATRIX_MAX * SB_MATRIX_MAX];
  int count = 0;
  memcpy(r, m, (size_t)(d * d) * sizeof *r);
  for (;; count++) {
    int best = -1;
    double most = singular_tol;
    for (int i = 0; i < d; i++) {
      double fraction = r[i * d + i] / m[i * d + i]; // what the others leave of the diagonal
      if (fraction < -singular_tol) {
        return -1;
      }
      best = fraction > most ? i : best;
      most = fmax(most, fraction);
    }
    if (best < 0) {
      break;
    }
    lead[count] = best;
    double pivot = r[best * d + best], column[SB_MATRIX_MAX];
    for (int i = 0; i < d; i++) {
      column[i] = r[i * d + best];
    }
    for (int i = 0; i < d * d; i++) {
      r[i] -= column[i / d] * column[i % d] / pivot;
    }
    for (int i = 0; i < d; i++) {
      r[i * d + best] = r[best * d + i] = 0;
    }
  }
  for (int i = 0; i < d * d; i++) { // with a semi-definite rest of no diagonal nothing is left
    if (fabs(r[i]) > 1e-6 * sqrt(m[i / d * d + i / d] * m[i % d * d + i % d])) {
      return -1;
    }
  }
  return count;
}

/** The same for a matrix that may be singular with a positive diagonal: of a set of rows and columns that
 *  the others depend on the inverse, zeros in the others (a generalised inverse).
 *  @param singular  out */
static sb_status invert_semidefinite(double m[], int d, const char *name, bool *singular,
                                     sb_error *err) {
  int lead[SB_MATRIX_MAX], count = d;
  bool positive = true;
  *singular = false;
  SB_TRY(check_symmetric(m, d, name, err));
  for (int i = 0; i < d; i++) {
    positive = positive && m[i * d + i] > 0;
  }
  count = positive ? find_leading(m, d, lead) : -1;
  if (count < 0 || count == d) {
    return invert_definite(m, d, name, err);
  }
  double block[SB_MATRIX_MAX * SB_MATRIX_MAX];
  for (int i = 0; i < count * count; i++) {
    block[i] = m[lead[i / count] * d + lead[i % count]];
  }
  SB_TRY(invert_definite(block, count, name, err));
  memset(m, 0, (size_t)(d * d) * sizeof *m);
  for (int i = 0; i < count * count; i++) {
    m[lead[i / count] * d + lead[i % count]] = block[i];
  }
  *singular = true;
  return SB_OK;
}

bool sb_matrix_of_storage(const sb_list *list, int d, double K[]) {
  bool singular;
  return sb_matrix_expand(list, d, "", K, NULL) == SB_OK &&
         invert_semidefinite(K, d, "", &singular, NULL) == SB_OK;
}

bool sb_matrix_singular(const sb_list *list, int d, double M[]) {
  bool singular = false;
  return sb_matrix_expand(list, d, "", M, NULL) == SB_OK &&
         invert_semidefinite(M, d, "", &singular, NULL) == SB_OK && singular &&
         sb_matrix_expand(list, d, "", M, NULL) == SB_OK;
}

/** With a singular matrix the start must be of the form M y: x = M K x. */
static sb_status check_start(const double M[], const double K[], const sb_list *start, int d,
                             const char *name, const char *start_name, sb_error *err) {
  double x[SB_MATRIX_MAX] = {0}, y[SB_MATRIX_MAX] = {0};
  sb_vector_fill(start, d, x);
  for (int i = 0; i < d * d; i++) {
    y[i / d] += K[i] * x[i % d];
  }
  for (int i = 0; i < d; i++) {
    double sum = 0, size = fabs(x[i]);
    for (int k = 0; k < d; k++) {
      sum += M[i * d + k] * y[k];
      size = fmax(size, fabs(M[i * d + k] * y[k]));
    }
    if (fabs(sum - x[i]) > start_tol * size) {
      return sb_fail_at(
          err, SB_ERR_RANGE, start_name,
          "the matrix %s is singular, so that %s is not free: component %d must be %s "
          "with the others, not %s",
          name, start_name, i + 1, sb_number_word(sum).text, sb_number_word(x[i]).text);
    }
  }
  return SB_OK;
}

sb_status sb_matrix_check_storage(const sb_list *list, const sb_list *start, int d,
                                  const char *name, const char *start_name, sb_error *err) {
  double M[SB_MATRIX_MAX * SB_MATRIX_MAX], K[SB_MATRIX_MAX * SB_MATRIX_MAX];
  bool singular;
  SB_TRY(sb_matrix_expand(list, d, name, M, err));
  memcpy(K, M, (size_t)(d * d) * sizeof *K);
  sb_status status = invert_semidefinite(K, d, name, &singular, err);
  if (status != SB_OK && d > 1) {
    sb_error_hint(err,
                  "it may be singular, as for inductors coupled with k = 1, but no energy may be "
                  "negative");
  }
  return status == SB_OK && singular ? check_start(M, K, start, d, name, start_name, err) : status;
}

sb_status sb_matrix_check_passive(const double m[], int d, const char *name, sb_error *err) {
  double s[SB_MATRIX_MAX * SB_MATRIX_MAX], largest = 0;
  for (int i = 0; i < d; i++) {
    for (int j = 0; j < d; j++) {
      s[i * d + j] = 0.5 * (m[i * d + j] + m[j * d + i]);
      largest = fmax(largest, fabs(s[i * d + j]));
    }
  }
  for (int i = 0; i < d; i++) { // semi-definite: definite after a shift by rounding
    s[i * d + i] += 1e-13 * largest;
  }
  if (largest > 0 && !cholesky(s, d, 0)) {
    return sb_fail_at(err, SB_ERR_RANGE, name,
                      d == 1 ? "%s must not be negative"
                             : "the matrix %s would give power: its symmetric part "
                               "must be positive semi-definite",
                      name);
  }
  return SB_OK;
}

sb_status sb_vector_check(const sb_list *list, int dim, const char *name, sb_error *err) {
  if (dim < 1 || dim > SB_MATRIX_MAX) {
    return sb_fail_at(err, SB_ERR_RANGE, "dim", "dim must be 1 to %d", SB_MATRIX_MAX);
  }
  if (list->count > 1 && list->count != dim) {
    return dim == 1 ? sb_fail_at(err, SB_ERR_DIMENSION, name,
                                 "%s takes one number for dim=\"1\", got %d", name, list->count)
                    : sb_fail_at(err, SB_ERR_DIMENSION, name,
                                 "%s takes 1 or %d numbers for dim=\"%d\", got %d", name, dim, dim,
                                 list->count);
  }
  return SB_OK;
}

void sb_vector_fill(const sb_list *list, int d, double vector[]) {
  for (int i = 0; i < d; i++) {
    vector[i] = list->count == 0 ? 0 : list->values[list->count == 1 ? 0 : i];
  }
}
