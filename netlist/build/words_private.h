// SPDX-License-Identifier: GPL-3.0-or-later
// Lists: the names in one value, and the entries that a section makes.
#ifndef SB_NETLIST_BUILD_WORDS_PRIVATE_H
#define SB_NETLIST_BUILD_WORDS_PRIVATE_H

#include "netlist/build/build.h"

/** A word of a list of names with its place in the value. */
typedef struct sb_word {
  const char *start;
  size_t length;
  int column; // characters from 1
} sb_word;
/** Moves to the next word; start with word->start NULL. */
bool sb_next_word(const char *text, sb_word *word);
/** The place of a word in the file; none for what the command line set. */
void sb_word_place(const sb_setting *setting, int column, int *line, int *place);

/** Zeroed memory for an entry of each item of some tags (blanks between), kept by the reader;
 *  NULL: out of memory, reported. */
void *sb_new_list(sb_reader *reader, const char *tags, size_t size);

#endif
