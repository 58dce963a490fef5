// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef SB_CORE_DIGITS_PRIVATE_H
#define SB_CORE_DIGITS_PRIVATE_H

/** The shortest of 15 to 17 digits that reads back as the same number, as "%.15g" to "%.17g" write it.
 *  @param value  finite, not zero
 *  @param text   (SB_NUMBER_SIZE) out
 *  @return the length of the text; 0: whole numbers of 128 bits do not hold what decides it, as of numbers
 *  below 1e-15 or above 1e15, of powers of two, and where the compiler has no such numbers */
int sb_digits_format(double value, char *text);

#endif
