// SPDX-License-Identifier: GPL-3.0-or-later
// The names in an expression.
#ifndef SB_NETLIST_BUILD_FORMULA_NAMES_PRIVATE_H
#define SB_NETLIST_BUILD_FORMULA_NAMES_PRIVATE_H

#include "netlist/build/build.h"

/** Whether a value names one of the variables or signals that the row's expression
 *  may depend on. */
bool sb_is_formula(const sb_reader *reader, const sb_setting *setting, const sb_param *row);
/** The signals that an expression names, one by one. All zero: before the first one. */
typedef struct sb_signal_walk {
  const char *at; // the name, of `length` bytes
  size_t length;
  int column; // of its first character, from 1
  int signal; // the item of the signal
} sb_signal_walk;
/** Moves to the next one.
 *  @return false: there is none; or an error, reported, where walk->at is not NULL */
bool sb_next_signal(sb_reader *reader, const sb_setting *setting, const sb_param *row,
                    sb_signal_walk *walk);

#endif
