// SPDX-License-Identifier: GPL-3.0-or-later
// Dirac structures in kernel form, E e + F f = 0 with n ports components and n rows: power-free if
//   E F^T + F E^T = 0   and   rank [E F] = n.
// At every port e . f counts power out of the structure into what is attached.
// (van der Schaft, Maschke; the composition by image representations after Cervera et al. 2007.)
// Dense and small: for assembling, checking and proving, never for the step.
#ifndef SB_CORE_DIRAC_H
#define SB_CORE_DIRAC_H

#include "core/graph/element.h"

typedef struct sb_dirac {
  int n;
  double *E, *F; // (n x n) row-major, owned
} sb_dirac;

/** Zeros.
 *  @return SB_ERR_MEMORY */
SB_API sb_status sb_dirac_init(sb_dirac *dirac, int n, sb_error *err);
SB_API void sb_dirac_finish(sb_dirac *dirac);
/** Adds the entries of a sparse kernel of the same n. */
SB_API void sb_dirac_load(sb_dirac *dirac, const sb_kernel *kernel);

/** Largest entry of E F^T + F E^T, relative to the largest of |E| |F|^T + |F| |E|^T. */
SB_API double sb_dirac_skew_residual(const sb_dirac *dirac);
/** Rank of [E F] by Gaussian elimination with full pivoting.
 *  @param work (2 n^2) */
SB_API int sb_dirac_rank(const sb_dirac *dirac, double work[]);
/** Largest |E e + F f| relative to the largest row sum of |E e| + |F f|. */
SB_API double sb_dirac_kernel_residual(const sb_dirac *dirac, const double e[], const double f[]);

/** Joins the last `shared` components of `a` with the first `shared` of `b`: equal efforts, flows
 *  equal up to `sigma` (-1 if both count power outwards). Components of the result: the rest of a,
 *  then the rest of b.
 *  @return SB_ERR_STRUCTURE if the joint does not leave the right number of rows */
SB_API sb_status sb_dirac_compose(const sb_dirac *a, const sb_dirac *b, int shared, double sigma,
                                  sb_dirac *result, sb_error *err);

/** Hybrid form y = J u: finds a set of components whose flow is an output (the others give their
 *  effort) and the skew matrix J. A positive weight prefers the flow of that component as output.
 *  @param flow_out (n) out
 *  @param J (n x n) out, row-major
 *  @return SB_ERR_STRUCTURE if no well-conditioned partition is found */
SB_API sb_status sb_dirac_hybrid(const sb_dirac *dirac, const double weight[], bool flow_out[],
                                 double J[], sb_error *err);

#endif
