// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef SB_CORE_LINALG_NUMBERS_H
#define SB_CORE_LINALG_NUMBERS_H

/** Whether all numbers are finite. */
int sb_all_finite(const double x[], int n);
/** The largest absolute value. */
double sb_largest(const double x[], int n);

#endif
