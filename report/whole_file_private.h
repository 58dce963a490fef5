// SPDX-License-Identifier: GPL-3.0-or-later
// Files that appear whole or not at all: written under a temporary name beside the final one, then
// renamed.
#ifndef SB_REPORT_WHOLE_FILE_PRIVATE_H
#define SB_REPORT_WHOLE_FILE_PRIVATE_H

#include <stdio.h>

#include "core/base/error.h"

/** What fills the file; the stream's error indicator tells of failures. */
typedef void (*sb_filler)(const void *context, FILE *out);

/** @return SB_ERR_IO, SB_ERR_MEMORY; then no file of that name is touched */
sb_status sb_whole_file(const char *folder, const char *name, sb_filler fill, const void *context,
                        sb_error *err);

#endif
