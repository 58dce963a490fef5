// SPDX-License-Identifier: GPL-3.0-or-later
// Files that appear whole or not at all: written under a temporary name beside the final one, then
// renamed. Nothing but a regular file is ever replaced: no device, pipe, socket or symbolic link.
#ifndef SB_REPORT_WHOLE_FILE_H
#define SB_REPORT_WHOLE_FILE_H

#include <stdio.h>

#include "core/base/error.h"

/** What fills the file; the stream's error indicator tells of failures. */
typedef void (*sb_filler)(const void *context, FILE *out);

/** @return SB_ERR_IO, SB_ERR_MEMORY; then no file of that name is touched */
sb_status sb_whole_file(const char *path, sb_filler fill, const void *context, sb_error *err);

/** Whether nothing, or a regular file, has this name.  @return SB_ERR_IO, worded */
sb_status sb_file_replaceable(const char *path, sb_error *err);

/** A new file beside `path`, to take its place when sb_draft_finish() is called; its stream may be written
 *  after that too.  @param draft  out: its name, owned; NULL after a failure */
sb_status sb_draft_open(const char *path, FILE **out, char **draft, sb_error *err);
/** Renames the draft, or removes it unless `good`; and frees its name. */
sb_status sb_draft_finish(const char *path, char *draft, bool good, sb_error *err);

#endif
