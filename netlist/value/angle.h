// SPDX-License-Identifier: GPL-3.0-or-later
// Frequencies and angular velocities have one dimension, 1/s, and differ by 2 pi: a turn is an angle.
// A dimension therefore counts the exponents of what it is made of beside the base units: of the angle
// (rad, deg, rev, rpm), of the cycle (Hz) and of the constant pi. Where a frequency is meant
//   1 rad/s = 1/(2 pi) Hz,  60 rpm = 1 rev/s = 360 deg/s = 1 Hz,  1/s = 1 Hz,
// and an expression that divides an angular velocity by 2*pi itself is taken as it is. One that divides it by an angle other than a
// turn, w/1[rad], is refused. Where an angular
// velocity is meant, Hz is refused, unless an expression multiplies it by pi, as in 2*pi*f.
#ifndef SB_NETLIST_ANGLE_H
#define SB_NETLIST_ANGLE_H

#include "netlist/value/dimension.h"

/** What a value of the dimension `got` is multiplied by where `wanted` is meant; both are of the same
 *  exponents, or `got` fits every dimension.
 *  @param factor  out: 1, or a power of 1/(2 pi)
 *  @return false: it cannot be told which of the two is stated */
bool sb_angle_convert(const sb_dimension *got, const sb_dimension *wanted, double *factor);

/** Whether one of two values that are added or compared is a power of an angular velocity, and the other that of a
 *  frequency: w + f and w > f, but not w + 2*pi*f, f + w/(2*pi) or w + 1[1/s]. Other dimensions are not judged: in what an
 *  inertia, a charge or a radius multiplies the angle may be left out, as in N.m.s for N.m.s/rad. */
bool sb_angle_mixes(const sb_dimension *a, const sb_dimension *b);

/** Words the refusal. @param what  such as "the unit", with its `length` bytes of text */
sb_status sb_angle_refuse(const char *what, const char *text, int length, const sb_dimension *got,
                          const sb_dimension *wanted, sb_error *err);

#endif
