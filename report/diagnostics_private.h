// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef SB_REPORT_DIAGNOSTICS_PRIVATE_H
#define SB_REPORT_DIAGNOSTICS_PRIVATE_H

#include "core/base/error.h"
#include "core/base/text.h"

/** @param source  the text of err->file, NULL: unknown */
void sb_diagnostic_put(sb_text *out, const sb_error *err, const char *source, bool colour);
/** One JSON object without an end of line. */
void sb_diagnostic_put_json(sb_text *out, const sb_error *err);

#endif
