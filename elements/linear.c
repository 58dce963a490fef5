// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <string.h>

#include "core/base/arena.h"
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

/** The (generalised) inverse in place. @param singular  out @return SB_ERR_RANGE if some energy is negative */
static sb_status invert(double m[], int d, const char *name, bool *singular, sb_error *err) {
  double diagonal[SB_MATRIX_MAX];
  bool swept[SB_MATRIX_MAX];
  SB_TRY(check_symmetric(m, d, name, err));
  int rank = sb_invert_definite(m, d, singular_tol, diagonal, swept);
  *singular = rank < d;
  return rank >= 0 ? SB_OK
                   : sb_fail_at(err, SB_ERR_RANGE, name,
                                d == 1 ? "%s must be positive"
                                       : "the matrix %s must be positive definite",
                                name);
}

bool sb_matrix_of_storage(const sb_list *list, int d, double K[]) {
  bool singular;
  return sb_matrix_expand(list, d, "", K, NULL) == SB_OK &&
         invert(K, d, "", &singular, NULL) == SB_OK;
}

bool sb_matrix_singular(const sb_list *list, int d, double M[]) {
  bool singular = false;
  return sb_matrix_expand(list, d, "", M, NULL) == SB_OK &&
         invert(M, d, "", &singular, NULL) == SB_OK && singular &&
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

/** What is divided by: the diagonal. */
static sb_status check_sizes(const double M[], int d, const char *name, sb_error *err) {
  const sb_param row = {.name = name, .range = SB_POSITIVE};
  for (int i = 0; i < d; i++) {
    SB_TRY(sb_param_check_size(&row, &M[i * d + i], 1, err));
  }
  return SB_OK;
}

sb_status sb_matrix_check_storage(const sb_list *list, const sb_list *start, int d,
                                  const char *name, const char *start_name, sb_error *err) {
  sb_arena memory = {0};
  double *M = sb_arena_zeroed(&memory, 2 * d * d, sizeof *M), *K = M + d * d;
  bool singular = false;
  sb_status status = memory.failed ? sb_fail(err, SB_ERR_MEMORY, "out of memory")
                                   : sb_matrix_expand(list, d, name, M, err);
  if (status == SB_OK && (status = check_sizes(M, d, name, err)) == SB_OK) {
    memcpy(K, M, (size_t)(d * d) * sizeof *K);
    status = invert(K, d, name, &singular, err);
    if (status != SB_OK && d > 1) {
      sb_error_hint(err,
                    "it may be singular, as for inductors coupled with k = 1, but no energy may be "
                    "negative");
    }
  }
  if (status == SB_OK && singular) {
    status = check_start(M, K, start, d, name, start_name, err);
  }
  sb_arena_finish(&memory);
  return status;
}

sb_status sb_matrix_check_passive(double m[], int d, const char *name, sb_error *err) {
  double diagonal[SB_MATRIX_MAX], largest = 0;
  bool swept[SB_MATRIX_MAX];
  for (int i = 0; i < d; i++) {
    for (int j = 0; j <= i; j++) {
      m[i * d + j] = m[j * d + i] = 0.5 * (m[i * d + j] + m[j * d + i]);
      largest = fmax(largest, fabs(m[i * d + j]));
    }
  }
  for (int i = 0; i < d; i++) { // semidefinite: definite after a shift by rounding
    m[i * d + i] += singular_tol * largest;
  }
  if (largest > 0 && sb_invert_definite(m, d, singular_tol, diagonal, swept) < 0) {
    return sb_fail_at(err, SB_ERR_RANGE, name,
                      d == 1 ? "%s must not be negative"
                             : "the matrix %s would give power: its symmetric part "
                               "must be positive semi-definite",
                      name);
  }
  return SB_OK;
}

sb_status sb_matrix_check_resistance(const sb_list *list, int d, const char *name, sb_error *err) {
  sb_arena memory = {0};
  double *R = sb_arena_zeroed(&memory, d * d, sizeof *R);
  sb_status status = memory.failed ? sb_fail(err, SB_ERR_MEMORY, "out of memory")
                                   : sb_matrix_expand(list, d, name, R, err);
  if (status == SB_OK) {
    status = sb_matrix_check_passive(R, d, name, err);
  }
  sb_arena_finish(&memory);
  return status;
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
