// SPDX-License-Identifier: GPL-3.0-or-later
// From items to a graph and what to do with it: one function per chapter of the language.
#ifndef SB_NETLIST_BUILD_H
#define SB_NETLIST_BUILD_H

#include "netlist/reader/reader.h"

/** resolve.c: evaluates those that are new, whatever their order. */
void sb_resolve_all(sb_reader *reader, sb_definitions *all);

/** Adds the elements of networks and mechanisms, without their parameters. */
void sb_build_elements(sb_reader *reader);
void sb_build_bonds(sb_reader *reader);

/** Finds the domain of every port from attributes, fixed domains, bonds and the networks' defaults.
 */
void sb_build_domains(sb_reader *reader);
/** The dimension that a formula such as "@q/e" stands for at this element.
 *  @return SB_ERR_DOMAIN, worded, if a domain is not known or has no single unit */
sb_status sb_formula_dimension(const sb_reader *reader, const sb_element *element,
                               const char *formula, sb_dimension *dimension, sb_error *err);

/** Reads all signals, whatever their order. */
void sb_build_signals(sb_reader *reader);
/** The item of a signal by its name in a scope; -1: none. */
int sb_find_signal(const sb_reader *reader, int scope, const char *name, size_t length);
const sb_dimension *sb_signal_dimension(const sb_reader *reader, int item);
/** Whether a name leads into a use that was left out, and reported. */
bool sb_leads_nowhere(const sb_reader *reader, const char *name);
/** The dimension of a signal, an effort, a flow or a state by its full name; `any` where the netlist
 *  does not know it. */
sb_dimension sb_quantity_dimension(const sb_reader *reader, const char *of);
/** Whether a signal is known; else it is wanted, or has failed. */
bool sb_signal_wait(sb_reader *reader, int item);
/** Connects a signal to an element, once; reader->wired lists them in the order of their inputs. */
bool sb_wire_signal(sb_reader *reader, const sb_setting *setting, const sb_element *element,
                    int item, int column);

/** Sets the parameters of all elements of networks. */
void sb_build_values(sb_reader *reader);
/** Materials, laws and bodies, and then the contacts between them. */
void sb_build_materials(sb_reader *reader);
void sb_build_laws(sb_reader *reader);
void sb_build_shapes(sb_reader *reader);
void sb_build_bodies(sb_reader *reader);
void sb_build_contacts(sb_reader *reader);
/** The dimension N/m^n; false: n is not a ratio of small numbers. */
bool sb_stiffness_dimension(double exponent, sb_dimension *dimension);
void sb_build_run(sb_reader *reader);
void sb_build_outputs(sb_reader *reader);
void sb_build_audit(sb_reader *reader);
void sb_build_expects(sb_reader *reader);

/** The parameters that a value may name, as sb_value_parse() wants them; until the next call. */
sb_value_scope sb_reader_scope(sb_reader *reader, const sb_setting *setting);
/** A parameter by its name in a scope; -1: none. */
int sb_find_parameter(const sb_reader *reader, int scope, const char *name, size_t length);

/** Reads numbers. A fault is reported. `expected` and `dimension` may be NULL.
 *  @return false after a fault, or where a parameter that failed is named */
bool sb_read_numbers(sb_reader *reader, const sb_setting *setting, const sb_dimension *expected,
                     double values[], int max, int *count, sb_dimension *dimension);
/** Hints at what a name may be that is no parameter: a signal where none may stand, an element, or
 *  misspelt; in the scope of sb_reader_scope(). */
void sb_hint_name(const sb_reader *reader, const char *name, size_t length, bool signals,
                  sb_error *err);
/** Hints at a parameter, argument or function for the unknown name that a fault is about. */
void sb_hint_value(const sb_reader *reader, const char *text, const sb_param *row, sb_error *err);
/** The dimension of a unit as rows have it; `any`, with an error worded, if a domain is missing for
 *  it. `element` may be NULL. */
sb_status sb_row_dimension(const sb_reader *reader, const char *unit, const sb_element *element,
                           sb_dimension *dimension, sb_error *err);
/** Whether a value names one of the variables or signals that the row's expression may depend on. */
bool sb_is_formula(const sb_reader *reader, const sb_setting *setting, const sb_param *row);
/** Whether no parameter or signal has the name of a variable that the expression uses. */
bool sb_check_names(sb_reader *reader, const sb_setting *setting, const sb_param *row,
                    const sb_expression *expression);
/** Compiles an expression of variables and signals, and connects the signals to the element.
 *  @param dimension  out: of the result
 *  @return false after a fault, or while a signal is not known yet: reader->wanted */
bool sb_compile_formula(sb_reader *reader, const sb_setting *setting, const sb_param *row,
                        const sb_element *element, sb_expression **expression,
                        sb_dimension *dimension);
/** Tells the graph where a value comes from, for faults that only the element finds. */
void sb_place_value(sb_reader *reader, const sb_item *item, const sb_setting *setting,
                    const sb_param *row);
/** Reads an expression of variables into its row of `self`, as sb_read_value(). */
bool sb_read_formula(sb_reader *reader, const sb_setting *setting, const sb_param *row, void *self,
                     const sb_element *element);
/** Reads one value into its row of `self`; `element` gives '@' their meaning, NULL: none.
 *  A fault is reported. */
bool sb_read_value(sb_reader *reader, const sb_setting *setting, const sb_param *row, void *self,
                   const sb_element *element);
/** Reads all rows of a table but those named in `except` (blanks between); those without a setting
 *  keep what `self` holds, or are reported if they have no default. */
bool sb_read_values(sb_reader *reader, const sb_item *item, const sb_param *rows,
                    const char *except, void *self);

#endif
