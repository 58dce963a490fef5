// SPDX-License-Identifier: GPL-3.0-or-later
// From settings to values, by the rows of the tables: numbers with their units, choices, and
// expressions of variables and signals.
#ifndef SB_NETLIST_BUILD_VALUES_H
#define SB_NETLIST_BUILD_VALUES_H

#include "netlist/build/build.h"

/** The signals that the expressions of an element name, in the order of its inputs. */
typedef struct sb_wires {
  int items[SB_SIGNALS_MAX]; // (count)
  int count;
} sb_wires;

/** A compiled expression of variables and signals. */
typedef struct sb_formula {
  sb_expression *expression; // NULL: it failed, which is reported, or waits
  sb_dimension dimension;    // of the result
  int wanted;                // the signal that must be known first; -1: none
} sb_formula;

/** values.c: reads one value into its row of `self`; `element` gives '@' their meaning, NULL: none.
 *  A fault is reported. */
bool sb_read_value(const sb_build *build, const sb_setting *setting, const sb_param *row,
                   void *self, const sb_element *element, sb_wires *wires);
/** Reads all rows of a table but those named in `except` (blanks between); those without a setting
 *  keep what `self` holds, or are reported if they have no default. */
bool sb_read_values(const sb_build *build, const sb_item *item, const sb_param *rows,
                    const char *except, void *self);
/** Tells the graph where a value comes from, for faults that only the element finds. */
void sb_place_value(const sb_build *build, const sb_item *item, const sb_setting *setting,
                    const sb_param *row);
/** units.c: the dimension of a unit as rows have it; `any`, with an error worded, if a domain is
 *  missing for it. `element` may be NULL. */
sb_status sb_row_dimension(const sb_build *build, const char *unit, const sb_element *element,
                           sb_dimension *dimension, sb_error *err);

/** The dimension that a formula such as "@q/e" stands for at this element.
 *  @return SB_ERR_DOMAIN, worded, if a domain is not known or has no single unit */
sb_status sb_formula_dimension(const sb_port_domains *domains, const sb_element *element,
                               const char *formula, sb_dimension *dimension, sb_error *err);

/** formula_names.c: whether a value names one of the variables or signals that the row's expression
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
 *  @return false: there is none; or a fault, reported, where walk->at is not NULL */
bool sb_next_signal(sb_reader *reader, const sb_setting *setting, const sb_param *row,
                    sb_signal_walk *walk);

/** formulas.c: compiles an expression, and connects its signals to the element. */
sb_formula sb_compile_formula(const sb_build *build, const sb_setting *setting, const sb_param *row,
                              const sb_element *element, sb_wires *wires);
/** Whether no parameter or signal has the name of a variable that the expression uses. */
bool sb_check_names(const sb_reader *reader, const sb_setting *setting, const sb_param *row,
                    const sb_expression *expression);
/** Reads an expression of variables into its row of `self`, as sb_read_value(). */
bool sb_read_formula(const sb_build *build, const sb_setting *setting, const sb_param *row,
                     void *self, const sb_element *element, sb_wires *wires);

/** signals.c: whether a signal is known. */
sb_outcome sb_signal_await(const sb_build *build, int item);
const sb_dimension *sb_signal_dimension(const sb_build *build, int item);
/** signal_forms.c: reads the expression or quantity of a signal that is in the graph, and its
 *  dimension. */
sb_outcome sb_read_signal(const sb_build *build, const sb_item *item, sb_definition *entry);
/** wires.c: connects a signal to the next input of an element, once; a fault is reported. */
bool sb_wire_signal(const sb_build *build, const sb_setting *setting, const sb_element *element,
                    int item, int column, sb_wires *wires);
/** Connects any quantity, by its full name. */
bool sb_wire_quantity(const sb_build *build, const sb_setting *setting, const char *from,
                      const sb_element *element, int column);

/** laws.c: the dimension N/m^n; false: n is not a ratio of small numbers. */
bool sb_stiffness_dimension(double exponent, sb_dimension *dimension);

#endif
