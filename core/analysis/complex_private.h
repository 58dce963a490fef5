// SPDX-License-Identifier: GPL-3.0-or-later
// Complex linear equations, for transfer functions at a complex frequency.
#ifndef SB_CORE_ANALYSIS_COMPLEX_PRIVATE_H
#define SB_CORE_ANALYSIS_COMPLEX_PRIVATE_H

#include <complex.h>
#include <stdbool.h>

#include "core/linalg/extended.h"

/** Solves A X = B by Gaussian elimination with the largest pivot of each column.
 *  @param a  (n x columns) row-major: A, and B behind it, which becomes X  @return false: A is singular */
bool sb_complex_solve(double complex a[], int n, int columns);
/** The same with more digits. */
bool sb_extended_complex_solve(sb_extended_complex a[], int n, int columns);

#endif
