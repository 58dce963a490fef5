// SPDX-License-Identifier: GPL-3.0-or-later
// Strings of JSON (RFC 8259).
#ifndef SB_CORE_JSON_H
#define SB_CORE_JSON_H

#include <stdbool.h>

#include "core/base/export.h"
#include "core/base/text.h"

/** Writes `text` with its quotation marks and escapes; invalid UTF-8 becomes U+FFFD. NULL is null. */
SB_API void sb_json_quote(sb_text *out, const char *text);
/** Whether it is ASCII of which nothing has to be escaped. */
SB_API bool sb_json_is_plain(const char *text);

#endif
