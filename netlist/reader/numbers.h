// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of a setting, in which parameters and indices of repeats are looked up.
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

static inline sb_lookup sb_lookup_begin(sb_reader *reader, const sb_setting *setting) {
  return (sb_lookup){.reader = reader, .setting = setting, .wanted = -1};
}
/** The parameters that a value may name, as sb_value_parse() takes them. */
sb_value_scope sb_lookup_scope(sb_lookup *lookup);

/** Reads numbers. An error is reported. `expected` and `dimension` may be NULL. */
sb_outcome sb_read_numbers(sb_reader *reader, const sb_setting *setting,
                           const sb_dimension *expected, double values[], int max, int *count,
                           sb_dimension *dimension);

/** Hints at what a name may be that is not a parameter: a signal where none is allowed, an element,
 *  or a misspelt name. */
void sb_hint_name(const sb_reader *reader, int scope, const char *name, size_t length, bool signals,
                  sb_error *err);
/** Hints at a parameter, argument or function for the unknown name that an error is about. */
void sb_hint_value(const sb_reader *reader, const sb_setting *setting, const sb_param *row,
                   sb_error *err);

#endif
