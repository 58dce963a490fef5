// SPDX-License-Identifier: GPL-3.0-or-later
// The names in a value: parameters and indices of repeats, and hints at what others may have meant.
#ifndef SB_NETLIST_NUMBERS_H
#define SB_NETLIST_NUMBERS_H

#include "netlist/reader/definitions.h"

/** Looks up the names of one value, and keeps what that found. */
typedef struct sb_lookup {
  sb_reader *reader;
  const sb_setting *setting;
  int wanted;  // the first parameter named that is not known yet; -1: none
  bool failed; // names what has failed and has been reported: no further errors from it
} sb_lookup;

/** The parameters and indices that a value may name, as sb_value_parse() takes them. */
sb_value_scope sb_lookup_begin(sb_lookup *lookup, sb_reader *reader, const sb_setting *setting);
/** What came of reading the value: an error is reported with a hint, unless it follows from another.
 *  @param row  of the value, for its arguments and signals; NULL: it takes none */
sb_outcome sb_lookup_end(const sb_lookup *lookup, sb_status status, const sb_param *row,
                         sb_error *err);

/** Reads one number. An error is reported. `expected` may be NULL, and `row` is as in sb_lookup_end(). */
sb_outcome sb_read_number(sb_reader *reader, const sb_setting *setting,
                          const sb_dimension *expected, const sb_param *row, double *value,
                          sb_dimension *dimension);

/** Hints at a parameter that was read as the unit, where a value that was read holds too few numbers. */
void sb_hint_count(sb_reader *reader, const sb_setting *setting, sb_error *err);

/** Hints at what a name may be that is not a parameter: a signal where none is allowed, an element,
 *  or a misspelt name. */
void sb_hint_name(const sb_reader *reader, int scope, const char *name, size_t length, bool signals,
                  sb_error *err);

#endif
