// SPDX-License-Identifier: GPL-3.0-or-later
// Contact laws, and the units that depend on them.
#ifndef SB_NETLIST_BUILD_LAWS_PRIVATE_H
#define SB_NETLIST_BUILD_LAWS_PRIVATE_H

#include "netlist/build/build.h"

/** Which friction a contact law has, and whether its parameters suit it.
 *  @param read  whether they could be read */
bool sb_read_friction(const sb_reader *reader, const sb_item *item, bool read, sb_contact_law *law);
/** The dimension of sb_contact_law_unit(); false: an exponent is not a ratio of small numbers. */
bool sb_law_dimension(const sb_contact_law *law, const char *name, sb_dimension *dimension);

/** Reads the numbers of a setting for their unit, as of a dimension, or of any if that is NULL. */
sb_status sb_read_unit(sb_reader *reader, const sb_setting *setting, const sb_dimension *wanted,
                       sb_dimension *dimension, sb_error *err);
/** Whether the numbers of a setting have a unit, and which. */
sb_dimension sb_written_dimension(sb_reader *reader, const sb_setting *setting);

#endif
