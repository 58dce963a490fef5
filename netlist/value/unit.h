// SPDX-License-Identifier: GPL-3.0-or-later
// Units of measurement with rational exponents: uF, N/m^(3/2), kg.m^2, mN.m/A, 1/s, deg/s.
#ifndef SB_NETLIST_UNIT_H
#define SB_NETLIST_UNIT_H

#include "netlist/value/unit_table.h"

/** Reads an expression of units, without blanks: `.` and `*` multiply, `/` divides by the next
 *  factor only, `^` raises to 2, -1, 1.5, (3/2); brackets group.
 *  @param scale  out: SI value of one such unit
 *  @return SB_ERR_UNIT with err->column counting characters of `text` from 1 */
SB_API sb_status sb_unit_parse(const char *text, size_t length, sb_dimension *dimension,
                               double *scale, sb_error *err);

/** [SI] A number of units of this scale, rounded such that 10 us is the same number as 1e-5. */
SB_API double sb_unit_to_si(double value, double scale);

/** As an engineer would write it: "F", "J or N.m" for known dimensions, else in base units. */
SB_API int sb_unit_describe(const sb_dimension *dimension, char *buffer, size_t size);
/** One name, that of a domain where there are two: "V", "N.m" rather than "J". */
SB_API int sb_unit_name(const sb_dimension *dimension, char *buffer, size_t size);

#endif
