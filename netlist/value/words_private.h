// SPDX-License-Identifier: GPL-3.0-or-later
// The text of a value while it is read, and where its words and items end.
#ifndef SB_NETLIST_VALUE_WORDS_PRIVATE_H
#define SB_NETLIST_VALUE_WORDS_PRIVATE_H

#include "netlist/value/expression.h"

/** A value being read; `at` is the next byte, `end` where it stops. */
typedef struct sb_value_reader {
  const char *text;
  size_t start, at, end;
  const sb_dimension *expected;
  const sb_value_scope *scope;
  double *values;
  int max, count;
  bool has_unit, after_number; // after_number: the last item was a plain number
  size_t unit, unit_end;       // the word of the unit that is a parameter as well; both 0: none
  double scale;                // of the unit, once it is known
  sb_dimension dimension;      // of what has been read
  sb_error *err;
} sb_value_reader;

/** Sets the column of an error and returns its status. */
sb_status sb_value_at(const sb_value_reader *in, size_t at, sb_status status);
bool sb_value_is_digit(char c);
bool sb_value_is_letter(char c);
/** The byte at `at`; 0 at the end. */
char sb_value_char(const sb_value_reader *in, size_t at);
bool sb_value_ends_word(const sb_value_reader *in, size_t at);
/** Where the name at `at` ends. */
size_t sb_value_name_end(const sb_value_reader *in, size_t at);
/** Whether the bytes from `start` to `end` are the name of a function. */
bool sb_value_ends_function(const sb_value_reader *in, size_t start, size_t end);
/** The bytes of a word to show, cut between characters. */
int sb_value_shown(const char *word, size_t length);
/** A unit or a parameter, as `what` says, of a dimension that is not the one expected. */
sb_status sb_value_misfit(const sb_value_reader *in, size_t at, size_t length, const char *what,
                          const sb_dimension *got, const sb_dimension *expected);
/** Where the blanks at `at` end, and where the word does. */
size_t sb_value_skip_blanks(const sb_value_reader *in, size_t at);
size_t sb_value_word_end(const sb_value_reader *in, size_t at);

/** Where the item that begins at `at` ends: blanks inside brackets or around operators belong to
 *  it. */
size_t sb_value_item_end(const sb_value_reader *in, size_t at);

/** Reads the value between `start` and `end` into `values` (value.c). */
sb_status sb_value_read(sb_value_reader *in);

#endif
