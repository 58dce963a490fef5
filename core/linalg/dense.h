// SPDX-License-Identifier: GPL-3.0-or-later
// Small dense linear systems, solved where nothing is run yet, and for reports.
#ifndef SB_CORE_LINALG_DENSE_H
#define SB_CORE_LINALG_DENSE_H

#include <stdbool.h>

#include "core/linalg/extended.h"

/** Factors P a = L U by Gaussian elimination with the largest pivot of each column (partial pivoting),
 *  in place: L, with ones on its diagonal, below the diagonal, U on and above it.
 *  @param a       (n x n) row-major
 *  @param least   a pivot must be above this fraction of the largest absolute entry of a as given
 *  @param pivots  (n) out: row p was exchanged with row pivots[p] >= p in step p
 *  @return n; less: a is singular, as that column has no such pivot (a is then factored up to it).
 *          With an infinite entry a counts as singular */
int sb_lu_factor(double a[], int n, double least, int pivots[]);
/** The same with the pivot on the diagonal wherever that is at least `enough`. For unknowns in several units whose equations are in
 *  these, too: the diagonal alone has no unit then, and what is beside it in a column tells nothing. */
int sb_lu_factor_near(double a[], int n, double least, double enough, int pivots[]);
/** Solves a x = b by the factors of sb_lu_factor(). @param b  (n x columns) row-major, out: x */
void sb_lu_solve(const double lu[], int n, const int pivots[], double b[], int columns);

/** Solves U x = b for the upper triangle U of u. @param b  (n x columns) row-major, out: x */
void sb_solve_upper(const double u[], int n, double b[], int columns);

/** Gauss-Jordan with full pivoting on the first `unknowns` columns of a (rows x columns) matrix, row by
 *  row, in place: row r is then solved for unknown pivots[r], with a 1 there and zeros in the others.
 *  @param least   a pivot below this fraction of the largest is zero
 *  @param pivots  (rank) out; NULL: not wanted
 *  @return the rank; in the rows from there on the unknowns have nothing but rounding left */
int sb_eliminate(double a[], int rows, int columns, int unknowns, double least, int pivots[]);
/** The same without right-hand sides for a matrix (rows x unknowns) whose rank is known: of the unknowns the first one is
 *  solved for that has an entry of at least the fraction `enough` of the largest. @return the rank, or less: no entry is left */
int sb_eliminate_early(double a[], int rows, int unknowns, int rank, double enough, int pivots[]);

/** Solves a x = b without pivoting for a symmetric and positive definite, or semidefinite and then b in
 *  its range; a is used up.
 *  @param a  (n x n)  @param b  (n x columns), out: x, row-major both
 *  @param least  a pivot below this fraction of what it was before the others were taken out is zero: its unknown,
 *                which these imply, gets zero */
void sb_solve_definite(double a[], double b[], int n, int columns, double least);

/** The same with one right-hand side, where what the others leave of an unknown may be small: the largest comes first, as else rounding is
 *  divided by a small one and taken for what is left of another.
 *  @param order, scratch  (n)  @return the rank */
int sb_solve_semidefinite(double a[], double b[], int n, double least, int order[],
                          double scratch[]);

/** Eigenvalues of an upper Hessenberg matrix, balanced if its unknowns have different units (eigenvalues.c).
 *  @param H   (n x n) row-major, zero below its subdiagonal; used up  @param re, im  (n) out: conjugate pairs follow each other
 *  @return false: they were not found */
bool sb_hessenberg_eigenvalues(double H[], int n, double re[], double im[]);
/** The same with more digits. */
bool sb_hessenberg_eigenvalues_extended(sb_extended H[], int n, sb_extended re[], sb_extended im[]);

/** Inverts a symmetric positive definite matrix in place. Of one that is semidefinite, with a positive diagonal: of a set
 *  of rows and columns that the others depend on the inverse, zeros in the others (a generalised inverse K, a K a = a).
 *  @param a      (n x n)
 *  @param least  a row of which the others leave less than this fraction of its diagonal depends on them
 *  @param diagonal, swept  (n) scratch
 *  @return the rank; -1: it is neither, and a is used up */
int sb_invert_definite(double a[], int n, double least, double diagonal[], bool swept[]);

/** Of all x with the least |a x - b| that of least norm, by a complete orthogonal decomposition
 *  (least_norm.c); a is used up.
 *  @param a  (rows x n) row-major  @param b  (rows, and at least n), out: x
 *  @param least    a column of which the others leave less than this fraction of the largest depends on them
 *  @param order    (n) scratch  @param scratch  (n)
 *  @return the rank */
int sb_solve_least_norm(double a[], double b[], int rows, int n, double least, int order[],
                        double scratch[]);
/** The same. @param null  (n x n) out: n - rank rows, orthonormal vectors that a takes to zero; NULL: not wanted */
int sb_solve_least_norm_open(double a[], double b[], int rows, int n, double least, int order[],
                             double scratch[], double null[]);

/** Scales a (rows x columns) matrix in place by powers of two, so that the entries in the first `unknowns`
 *  columns are 1 in the geometric mean of each row, and all are in that of each column (equilibrate.c).
 *  @param row  (rows) zero; out: the power of two of each row, unrounded  @param scale  (columns) zero; out: each column's factor */
void sb_equilibrate(double a[], int rows, int columns, int unknowns, double row[], double scale[]);

#endif
