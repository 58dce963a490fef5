// SPDX-License-Identifier: GPL-3.0-or-later
// Names with an index, such as s[k+1], and the whole numbers in their brackets.
#ifndef SB_NETLIST_INDEX_H
#define SB_NETLIST_INDEX_H

#include "netlist/reader/state.h"

/** Reads a sum of products of whole numbers and names, such as N-1 or 2*k+1. An error is
 *  reported. */
bool sb_read_whole(sb_reader *reader, const sb_setting *setting, long *value);

/** Some bytes of a setting's value with the indices in brackets as numbers: s[k+1] as s[4]. A
 *  error is reported. */
bool sb_plain_name(sb_reader *reader, const sb_setting *setting, const char *start, size_t length,
                   char out[SB_PATH_MAX + 1]);
/** The same as a path of the whole netlist: m1/s[4]. */
bool sb_full_name(sb_reader *reader, const sb_setting *setting, const char *start, size_t length,
                  char out[SB_PATH_MAX + 1]);

#endif
