// SPDX-License-Identifier: GPL-3.0-or-later
// The folder that a run writes into.
#ifndef SB_TOOLS_FOLDER_H
#define SB_TOOLS_FOLDER_H

#include "core/base/error.h"

/** "MODEL.out" in the current directory for ".../MODEL.xml". The caller frees it. NULL: no memory. */
char *folder_default(const char *model);
/** Makes the folder, and those above it, if missing. The files of an earlier run in it are left alone.
 *  @return SB_ERR_IO, also where a file that has to be written is no regular one; SB_ERR_MEMORY */
sb_status folder_prepare(const char *folder, sb_error *err);
/** Takes away the report of an earlier run, once the results of this one have taken the place of its: it
 *  would contradict them if this run were cut short.  @return SB_ERR_IO, SB_ERR_MEMORY */
sb_status folder_begin(const char *folder, sb_error *err);
/** What may still be written where the folder is, or will be [B]; infinite: nobody knows. */
double folder_room(const char *folder);
/** The path of a file in the folder. The caller frees it. NULL: no memory. */
char *folder_file(const char *folder, const char *name);

#endif
