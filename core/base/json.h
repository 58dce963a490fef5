// SPDX-License-Identifier: GPL-3.0-or-later
// Strings of JSON (RFC 8259).
#ifndef SB_CORE_JSON_H
#define SB_CORE_JSON_H

#include <stddef.h>

#include "core/base/export.h"

/** Writes `text` with its quotation marks and escapes; invalid UTF-8 becomes U+FFFD. NULL is null.
 *  At most 6 bytes per byte of text and 3 more are needed.
 *  @return the length of the whole text, as snprintf(); what does not fit is cut between characters */
SB_API int sb_json_quote(const char *text, char *buffer, size_t size);

#endif
