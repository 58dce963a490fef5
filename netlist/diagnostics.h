// SPDX-License-Identifier: GPL-3.0-or-later
// An error as users see it: one line, the line of the netlist with a caret, a hint; or as JSON.
#ifndef SB_NETLIST_DIAGNOSTICS_H
#define SB_NETLIST_DIAGNOSTICS_H

#include <stddef.h>

#include "core/base/error.h"

enum { SB_DIAGNOSTIC_SIZE = 8192 }; // holds every diagnostic of either form

/** Several lines, each with an end of line:
 *    model.xml:12:22: error[SB0302]: unknown unit 'uf'
 *       12 |     <C id="C1" c="10 uf"/>
 *          |                      ^
 *    hint: did you mean 'uF'?
 *  Control characters are shown as '?'.
 *  @param source  the text of err->file, NULL: unknown
 *  @param colour  with escape sequences for a terminal
 *  @return the length of the text, as snprintf() */
SB_API int sb_diagnostic_format(const sb_error *err, const char *source, bool colour, char *buffer,
                                size_t size);

/** One JSON object without an end of line; "line", "column" and "hint" are left out where
 *  unknown. */
SB_API int sb_diagnostic_json(const sb_error *err, char *buffer, size_t size);

#endif
