// SPDX-License-Identifier: GPL-3.0-or-later
// Units of measurement with rational exponents: uF, N/m^(3/2), kg.m^2, mN.m/A, 1/s, deg/s.
#ifndef SB_NETLIST_UNIT_H
#define SB_NETLIST_UNIT_H

#include <stddef.h>

#include "core/base/error.h"

enum {
  SB_DIMENSION_BASES = 7,   // m, kg, s, A, K, mol, cd; an angle has no dimension
  SB_DIMENSION_PART = 600,  // exponents count in 600ths: exact for halves, thirds and two decimals
  SB_DIMENSION_LIMIT = 100, // largest exponent
  SB_DIMENSION_SIZE = 160   // holds every formatted dimension
};

/** Exponents of the base units. All zero: a pure number. */
typedef struct sb_dimension {
  int exponent[SB_DIMENSION_BASES]; // [1/600]
  bool any;                         // of a bare number: fits every dimension
} sb_dimension;

/** One unit that can be written. */
typedef struct sb_unit {
  const char *name; // NULL ends the list
  double scale;     // SI value of one of it
  bool prefixable;  // takes the prefixes of the SI, from y to Y; u stands for micro
  signed char base[SB_DIMENSION_BASES];
  const char *help;
} sb_unit;

SB_API const sb_unit sb_units[];

/** Reads an expression of units, without blanks: `.` and `*` multiply, `/` divides by the next
 *  factor only, `^` raises to 2, -1, 1.5, (3/2); brackets group.
 *  @param scale  out: SI value of one such unit
 *  @return SB_ERR_UNIT with err->column counting characters of `text` from 1 */
SB_API sb_status sb_unit_parse(const char *text, size_t length, sb_dimension *dimension,
                               double *scale, sb_error *err);

/** [SI] A number of units of this scale, such that 10 us is the same number as 1e-5. */
SB_API double sb_unit_to_si(double value, double scale);

/** Whether the exponents are the same. */
SB_API bool sb_dimension_equal(const sb_dimension *a, const sb_dimension *b);
/** The same, or one of the two fits everything. */
SB_API bool sb_dimension_fits(const sb_dimension *a, const sb_dimension *b);
/** a := a * b^(numerator/denominator), with denominator > 0; false if an exponent becomes too large
 *  or is not a whole number of 600ths, and `a` is then unchanged. */
SB_API bool sb_dimension_multiply(sb_dimension *a, const sb_dimension *b, int numerator,
                                  int denominator);

/** In base units, "kg.m^2/(s^3.A)"; "1" for a pure number.
 *  @return the length of the text, as snprintf() */
SB_API int sb_dimension_format(const sb_dimension *dimension, char *buffer, size_t size);
/** As an engineer would write it: "F", "J or N.m" for known dimensions, else in base units. */
SB_API int sb_unit_describe(const sb_dimension *dimension, char *buffer, size_t size);

#endif
