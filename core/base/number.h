// SPDX-License-Identifier: GPL-3.0-or-later
// The only place where numbers are read and written. The decimal sign is always a point, whatever
// LC_NUMERIC the embedding program has set; the caller's locale is never changed.
#ifndef SB_CORE_NUMBER_H
#define SB_CORE_NUMBER_H

#include <stddef.h>

#include "core/base/error.h"

enum {
  SB_NUMBER_SIZE = 32,       // holds every formatted number
  SB_NUMBER_LENGTH_MAX = 800 // characters of a number that is read
};

/** Reads the number that `text` begins with: [+-]digits[.digits][(e|E)[+-]digits], also .5 and 5.
 *  No blanks before it, no hexadecimal, no infinity. What follows the number is left alone.
 *  @param used  out: bytes of the number; 0 if there is none
 *  @return SB_ERR_NUMBER if there is no number or if it is too large or too long; *value is then 0 */
SB_API sb_status sb_number_parse(const char *text, size_t length, double *value, size_t *used);

/** The shortest of 15 to 17 digits that reads back as the same number; "nan", "inf" and "-inf".
 *  @return the length of the text, as snprintf() */
SB_API int sb_number_format(double value, char *buffer, size_t size);
/** The same for JSON, which knows no infinity: null. */
SB_API int sb_number_format_json(double value, char *buffer, size_t size);
/** With `digits` significant digits (1 to 17), for people: zero has no sign. */
SB_API int sb_number_format_short(double value, int digits, char *buffer, size_t size);

#endif
