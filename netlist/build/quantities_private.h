// SPDX-License-Identifier: GPL-3.0-or-later
// Quantities of the graph by their names.
#ifndef SB_NETLIST_BUILD_QUANTITIES_PRIVATE_H
#define SB_NETLIST_BUILD_QUANTITIES_PRIVATE_H

#include "netlist/build/words_private.h"

/** Whether a word is ELEMENT.NAME, or a signal; else that is reported. */
bool sb_check_quantity(const sb_build *build, const sb_setting *setting, const sb_word *word);
/** Whether the element of a quantity is there; one that is not is reported, unless it has been.
 *  @param plain  the quantity without indices that are to be evaluated */
bool sb_check_owner(const sb_build *build, const sb_setting *setting, const sb_word *word,
                    const char *plain);
/** Whether a quantity can be expressed in a dimension; else that is reported. */
bool sb_check_dimension(const sb_build *build, const sb_setting *setting, const char *plain,
                        const sb_dimension *dimension);
/** The dimension of what a kind measures. @param element  NULL: not made yet  @param quantity  "NAME", "NAME(FRAME).x" */
sb_dimension sb_measure_dimension(const sb_build *build, const sb_element_type *type,
                                  const sb_element *element, const char *quantity);
/** The dimension of a signal, an effort, a flow or a state by its full name; `any` where the
 *  netlist does not know it. */
sb_dimension sb_quantity_dimension(const sb_build *build, const char *of);
/** Whether a name leads into a use that was left out, and reported. */
bool sb_leads_nowhere(const sb_reader *reader, const char *name);

#endif
