// SPDX-License-Identifier: GPL-3.0-or-later
// Times at even intervals as people count them: start + k step of the decimal numbers that start and step
// were written as, rounded once. In binary, 3 * 0.1 is 0.30000000000000004. A step of more than 15 digits was not written as
// a decimal number: it is one part of a whole number of them, as 1/30, or counted in binary.
#ifndef SB_CORE_DECIMAL_H
#define SB_CORE_DECIMAL_H

#include <stdbool.h>

/** The decimal number of up to 12 digits that a time was written as with a unit: 4.1 ms is 4.1 * 0.001, rounded twice, and 0.0041 beside
 *  that. The time itself, if there is none within its last digit. */
double sb_decimal_near(double time);

/** start = first * 10^exponent and step = each * 10^exponent, if both fit. */
typedef struct sb_grid {
  double start, step;
  long long first, each;
  int exponent;
  bool decimal; // they do
  double parts; // else: step is 1/parts, a whole number; 0: it is none
} sb_grid;

/** By the shortest decimal numbers that read back as start and step, both finite. */
sb_grid sb_grid_make(double start, double step);
/** start + k step, k >= 0. */
double sb_grid_at(const sb_grid *grid, long long k);

#endif
