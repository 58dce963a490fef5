// SPDX-License-Identifier: GPL-3.0-or-later
// Constant matrices given as one number, a diagonal, or row by row.
#ifndef SB_ELEMENTS_LINEAR_PRIVATE_H
#define SB_ELEMENTS_LINEAR_PRIVATE_H

#include "core/graph/element.h"

enum { SB_MATRIX_MAX = 64 };

/** Expands a list of 1, d or d x d numbers. @return SB_ERR_DIMENSION for another count */
sb_status sb_matrix_expand(const sb_list *list, int d, const char *name, double matrix[],
                           sb_error *err);
/** The matrix of a storage, x = M y: its (generalised) inverse K; false if some energy is negative. */
bool sb_matrix_of_storage(const sb_list *list, int d, double K[]);
/** Whether M is singular, and M itself. */
bool sb_matrix_singular(const sb_list *list, int d, double M[]);
/** SB_ERR_RANGE for a matrix with negative energy, and for a start that a singular one does not
 *  allow; SB_ERR_DIMENSION for a wrong number of entries. */
sb_status sb_matrix_check_storage(const sb_list *list, const sb_list *start, int d,
                                  const char *name, const char *start_name, sb_error *err);
/** SB_ERR_RANGE unless x.Mx >= 0 for every x. @param matrix  used up */
sb_status sb_matrix_check_passive(double matrix[], int d, const char *name, sb_error *err);
/** The same of a list, which sb_matrix_expand() takes. */
sb_status sb_matrix_check_resistance(const sb_list *list, int d, const char *name, sb_error *err);
/** SB_ERR_RANGE unless `dim` is 1 to SB_MATRIX_MAX; SB_ERR_DIMENSION unless the list has none, one
 *  or `dim` numbers. */
sb_status sb_vector_check(const sb_list *list, int dim, const char *name, sb_error *err);
/** Copies a list to a vector; one number goes to every component, none gives zeros. */
void sb_vector_fill(const sb_list *list, int d, double vector[]);

#endif
