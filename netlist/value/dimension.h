// SPDX-License-Identifier: GPL-3.0-or-later
// The dimension of a quantity: rational exponents of the base units of the SI.
#ifndef SB_NETLIST_DIMENSION_H
#define SB_NETLIST_DIMENSION_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

enum {
  SB_DIMENSION_BASES = 7,   // m, kg, s, A, K, mol, cd; an angle has no dimension
  SB_EXPONENT_ONE = 600,    // an exponent of 1: exact for halves, thirds and two decimals
  SB_DIMENSION_LIMIT = 100, // largest exponent
  SB_DIMENSION_SIZE = 160   // holds every formatted dimension
};

/** Exponents of the base units. All zero: a dimensionless number. Beside them stands what has no
 *  dimension and tells an angular velocity from a frequency (netlist/value/angle.h). */
typedef struct sb_dimension {
  int exponent[SB_DIMENSION_BASES]; // [1/600]
  bool any;                         // of a number without a unit: fits every dimension
  int angle, cycle, pi;             // [1/600] exponents of the rad, of the Hz, of the constant pi
  bool lost;                        // angles have cancelled in it: rad/s divided by rad
} sb_dimension;

/** Whether the exponents are the same. */
SB_API bool sb_dimension_equal(const sb_dimension *a, const sb_dimension *b);
/** The same, or one of the two fits everything. */
SB_API bool sb_dimension_fits(const sb_dimension *a, const sb_dimension *b);
/** a := a * b^(numerator/denominator), with denominator > 0; false if an exponent becomes too large
 *  or is not a multiple of 1/600, and `a` is then unchanged. */
SB_API bool sb_dimension_multiply(sb_dimension *a, const sb_dimension *b, int numerator,
                                  int denominator);

/** In base units, "kg.m^2/(s^3.A)"; "1" for a dimensionless number.
 *  @return the length of the text, as snprintf() */
SB_API int sb_dimension_format(const sb_dimension *dimension, char *buffer, size_t size);

#endif
