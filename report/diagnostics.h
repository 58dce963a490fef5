// SPDX-License-Identifier: GPL-3.0-or-later
// Errors as users see them: one line, the line of the netlist with a caret, a hint; or as JSON.
#ifndef SB_REPORT_DIAGNOSTICS_H
#define SB_REPORT_DIAGNOSTICS_H

#include "core/base/error.h"

typedef enum sb_errors_form {
  SB_ERRORS_PLAIN,
  SB_ERRORS_COLOUR, // with escape sequences for a terminal
  SB_ERRORS_JSON,   // one object per line; "file", "line", "column" and "hint" only where known,
                    // and "severity": "warning" of those that stop nothing
} sb_errors_form;

/** What a program prints of its errors, several lines each:
 *    model.xml:12:22: error[SB0302]: unknown unit 'uf'
 *       12 |     <C id="C1" c="10 uf"/>
 *          |                      ^
 *       hint: did you mean 'uF'?
 *  The lines are read from the files that the errors name; a file that cannot be read is left out.
 *  Control characters are shown as '?'. The caller frees the text.
 *  A single error is given as the list {.items = &one, .count = 1}.
 *  @return SB_ERR_MEMORY */
SB_API sb_status sb_errors_text(const sb_errors *errors, sb_errors_form form, char **text,
                                sb_error *err);

#endif
