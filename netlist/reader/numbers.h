// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of a setting, in which parameters and indices of repeats are looked up.
#ifndef SB_NETLIST_NUMBERS_H
#define SB_NETLIST_NUMBERS_H

#include "netlist/reader/reader.h"

/** Looks up the names of one value, and keeps what that found. */
typedef struct sb_lookup {
  sb_reader *reader;
  const sb_setting *setting;
  int wanted;  // the first parameter named that is not known yet; -1: none
  bool failed; // names what has failed and has been reported: no further faults from it
} sb_lookup;

static inline sb_lookup sb_lookup_begin(sb_reader *reader, const sb_setting *setting) {
  return (sb_lookup){.reader = reader, .setting = setting, .wanted = -1};
}
/** The parameters that a value may name, as sb_value_parse() wants them. */
sb_value_scope sb_lookup_scope(sb_lookup *lookup);

/** Reads numbers. A fault is reported. `expected` and `dimension` may be NULL. */
sb_outcome sb_read_numbers(sb_reader *reader, const sb_setting *setting,
                           const sb_dimension *expected, double values[], int max, int *count,
                           sb_dimension *dimension);

/** Hints at what a name may be that is no parameter: a signal where none may stand, an element, or
 *  misspelt. */
void sb_hint_name(const sb_reader *reader, int scope, const char *name, size_t length, bool signals,
                  sb_error *err);
/** Hints at a parameter, argument or function for the unknown name that a fault is about. */
void sb_hint_value(const sb_reader *reader, const sb_setting *setting, const sb_param *row,
                   sb_error *err);

/** parameters.c: takes the parameters among the items from `first` on. */
void sb_add_parameters(sb_reader *reader, int first);
/** Evaluates those that are new. */
void sb_resolve_parameters(sb_reader *reader);
/** Evaluates one and all that it names. */
void sb_resolve_parameter(sb_reader *reader, int parameter);
/** A parameter by its name in a scope; -1: none. */
int sb_find_parameter(const sb_reader *reader, int scope, const char *name, size_t length);

#endif
