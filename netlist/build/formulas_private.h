// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions of variables and signals.
#ifndef SB_NETLIST_BUILD_FORMULAS_PRIVATE_H
#define SB_NETLIST_BUILD_FORMULAS_PRIVATE_H

#include "netlist/build/wires_private.h"

/** A compiled expression of variables and signals. */
typedef struct sb_formula {
  sb_expression *expression; // NULL: it failed, which is reported, or it waits
  sb_dimension dimension;    // of the result
  int wanted;                // the signal that must be known first; -1: none
} sb_formula;

/** Compiles an expression, and connects its signals to the element. */
sb_formula sb_compile_formula(const sb_build *build, const sb_setting *setting, const sb_param *row,
                              const sb_element *element, sb_wires *wires);
/** Whether no parameter or signal has the name of a variable that the expression uses. */
bool sb_check_names(const sb_reader *reader, const sb_setting *setting, const sb_param *row,
                    const sb_expression *expression);
/** Reads an expression of variables into its row of `self`, as sb_read_value(). */
bool sb_read_formula(const sb_build *build, const sb_setting *setting, const sb_param *row,
                     void *self, const sb_element *element, sb_wires *wires);

#endif
