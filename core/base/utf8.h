// SPDX-License-Identifier: GPL-3.0-or-later
// UTF-8 (RFC 3629), one character at a time.
#ifndef SB_CORE_UTF8_H
#define SB_CORE_UTF8_H

#include <stddef.h>

#include "core/base/export.h"

/** The bytes, 1 to 4, of the character at `text`; 0 if it is not valid: overlong, a surrogate, past
 *  U+10FFFF or cut off. `length` is at least 1.
 *  @param code  out: the code point, unchanged if invalid; may be NULL */
SB_API int sb_utf8_decode(const char *text, size_t length, unsigned *code);

/** Characters in `text`; an invalid byte counts as one. */
SB_API int sb_utf8_count(const char *text, size_t length);

#endif
