// SPDX-License-Identifier: GPL-3.0-or-later
// Small dense linear systems, solved where nothing is run yet, and for reports.
#ifndef SB_CORE_ELIMINATION_PRIVATE_H
#define SB_CORE_ELIMINATION_PRIVATE_H

/** Gauss-Jordan with full pivoting on the first `unknowns` columns of a (rows x columns) matrix, row by
 *  row, in place: row r is then solved for unknown pivots[r], with a 1 there and zeros in the others.
 *  @param least   a pivot below this part of the largest is zero
 *  @param pivots  (rank) out; NULL: not wanted
 *  @return the rank; in the rows from there on the unknowns have nothing but rounding left */
int sb_eliminate(double a[], int rows, int columns, int unknowns, double least, int pivots[]);

/** Solves a x = b without pivoting for a symmetric and positive definite, or semidefinite and then b in
 *  its range; a is used up.
 *  @param a  (n x n)  @param b  (n x columns), out: x, row-major both
 *  @param least  a pivot below this part of its row is zero: what belongs to it, which the others
 *                imply, gets zero */
void sb_solve_definite(double a[], double b[], int n, int columns, double least);

#endif
