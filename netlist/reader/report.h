// SPDX-License-Identifier: GPL-3.0-or-later
// Reports errors with their places.
#ifndef SB_NETLIST_REPORT_H
#define SB_NETLIST_REPORT_H

#include "netlist/reader/state.h"

/** Reports an error, or a warning, at an XML element, at an attribute's name, or inside a value, where err->column
 *  counts the characters of the value from 1 (0: its beginning). */
void sb_report_item(const sb_reader *reader, const sb_item *item, sb_error *err);
void sb_report_node(const sb_reader *reader, int scope, const sb_xml_node *node, sb_error *err);
void sb_report_name(const sb_reader *reader, int scope, const sb_xml_attribute *attribute,
                    sb_error *err);
void sb_report_value(const sb_reader *reader, const sb_setting *setting, sb_error *err);
/** Where the next error is to be worded: `err`, or NULL where the list is full. What is reported then is counted
 *  only, and of 500,000 wrong values the guesses at what was meant would take most of a minute. */
sb_error *sb_report_words(const sb_reader *reader, sb_error *err);
/** Whether an error with this text has been reported, at any place. */
bool sb_is_reported(const sb_reader *reader, const sb_error *err);
void sb_report_memory(const sb_reader *reader);

#endif
