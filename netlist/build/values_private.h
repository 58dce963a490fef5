// SPDX-License-Identifier: GPL-3.0-or-later
// From settings to values, by the rows of the tables: numbers with their units, choices, and
// expressions of variables and signals.
#ifndef SB_NETLIST_BUILD_VALUES_PRIVATE_H
#define SB_NETLIST_BUILD_VALUES_PRIVATE_H

#include "geometry/quat.h"
#include "netlist/build/wires_private.h"

/** Reads one value into its row of `self`; units with '@' are those of `element`, which may be
 *  NULL. An error is reported. */
bool sb_read_value(const sb_build *build, const sb_setting *setting, const sb_param *row,
                   void *self, const sb_element *element, sb_wires *wires);
/** Whether a name is among those of a list with blanks between; NULL: an empty one. */
bool sb_is_among(const char *names, const char *name);
/** Reads all rows of a table but those named in `except` (blanks between); those without a setting
 *  keep what `self` holds, or are reported if they have no default. */
bool sb_read_values(const sb_build *build, const sb_item *item, const sb_param *rows,
                    const char *except, void *self);
/** Reads a rotation, "30 deg about 0 0 1". @return false: an error, reported */
bool sb_read_attitude(const sb_build *build, const sb_setting *setting, sb_quat *out);
/** The same as a quaternion into its row of `self`; without a setting
 *  the row keeps what it holds. @return false: an error, reported */
bool sb_read_rotation(const sb_build *build, const sb_item *item, const sb_param *row, void *self);
/** Tells the graph where a value comes from, for errors that only the element finds. */
void sb_place_value(const sb_build *build, const sb_item *item, const sb_setting *setting,
                    const sb_param *row);

/** Reports that an item lacks the setting of a row. @return false */
bool sb_missing_value(const sb_reader *reader, const sb_item *item, const sb_param *row);

#endif
