// SPDX-License-Identifier: GPL-3.0-or-later
// Values of attributes: numbers with a unit, lists, names of parameters, expressions, rotations.
//   10 uF    10uF    -9.81 m/s^2    3/2    R0    -R0    0 0 0.16 m    0 -l1 0    1/(L0*(2*pi*f0)^2)
// A unit at the end holds for all plain numbers of the list. Bare numbers are SI. The last word
// after a number is a unit if there is such a unit, else a parameter; +h is always the parameter.
// Blanks inside brackets or around an operator do not end an item of a list: a + b is one item,
// a -b two, and one where a single number is expected. In an expression units are written in
// brackets, 50[ms], and are checked through it; bare numbers are pure numbers there, and 0 fits
// everything.
#ifndef SB_NETLIST_VALUE_H
#define SB_NETLIST_VALUE_H

#include "netlist/value/expression.h"
#include "netlist/value/unit.h"

/** Reads a value or a list. Errors leave err->column counting characters of `text` from 1, to be
 *  handed to sb_xml_value_place().
 *  @param expected   the dimension to check; NULL: any
 *  @param scope      NULL: no parameters
 *  @param values     (max) out, in SI; a text of n bytes holds at most n / 2 + 1 values
 *  @param dimension  out, may be NULL; `any` if nothing had a unit
 *  @return SB_ERR_NUMBER, SB_ERR_UNIT, SB_ERR_DIMENSION (also for more than `max` numbers),
 *          SB_ERR_REFERENCE for an unknown parameter or function, SB_ERR_TOO_LARGE */
SB_API sb_status sb_value_parse(const char *text, const sb_dimension *expected,
                                const sb_value_scope *scope, double values[], int max, int *count,
                                sb_dimension *dimension, sb_error *err);

/** Hints at +m where the unit `m` of a value, which has been read but holds too few numbers, is the name of a parameter. */
SB_API void sb_value_hint_parameter(const char *text, const sb_value_scope *scope, sb_error *err);

/** Reads "6 deg about 0 1 0".
 *  @param angle  out [rad]
 *  @param axis   (3) out, which tells a direction */
SB_API sb_status sb_value_parse_rotation(const char *text, const sb_value_scope *scope,
                                         double *angle, double axis[3], sb_error *err);

#endif
