// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that live as long as the reader.
#ifndef SB_NETLIST_TEXTS_H
#define SB_NETLIST_TEXTS_H

#include "netlist/reader/state.h"

/** The text "a b", kept by the reader; NULL: out of memory, reported. */
const char *sb_reader_join(sb_reader *reader, const char *a, const char *b);
/** A copy of a text, kept by the reader; NULL: out of memory, reported. */
const char *sb_reader_keep(sb_reader *reader, const char *text, size_t length);

#endif
