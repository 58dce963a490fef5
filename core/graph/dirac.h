// SPDX-License-Identifier: GPL-3.0-or-later
// Dirac structures in kernel form, E e + F f = 0 with n port components and n rows: power-free if
//   E F^T + F E^T = 0   and   rank [E F] = n.     (Stramigioli and Duindam, eqs (1)-(3))
// At every port e . f counts power out of the structure into what is attached.
// (van der Schaft and Jeltsema, "Port-Hamiltonian Systems Theory", 2014.)
// Dense and small: for checks and proofs, never for the step.
#ifndef SB_CORE_DIRAC_H
#define SB_CORE_DIRAC_H

#include "core/graph/element.h"

typedef struct sb_dirac {
  int n;
  double *E, *F; // (n x n) row-major; the caller's
} sb_dirac;

/** Adds the entries of a sparse kernel of the same n. */
SB_API void sb_dirac_load(sb_dirac *dirac, const sb_kernel *kernel);

/** Largest entry of E F^T + F E^T, relative to the largest of |E| |F|^T + |F| |E|^T, of a kernel of n rows.
 *  @param scratch  (3 n^2 + 2 n) */
SB_API double sb_kernel_skew(const sb_kernel *kernel, int n, double scratch[]);
/** Whether each of n rows has a column of [E F] to itself, with an entry that is not small beside 1 or in the row: their rank is n
 *  then, whatever else they have. So are the rows of a structure that is stated by its outputs.
 *  @param scratch  (4 n) */
SB_API bool sb_kernel_leads(const sb_kernel *kernel, int n, double scratch[]);
/** Rank of [E F] by Gaussian elimination with full pivoting, whatever the units of rows and columns.
 *  @param work  (2 n^2 + 3 n) scratch */
SB_API int sb_dirac_rank(const sb_dirac *dirac, double work[]);
#endif
