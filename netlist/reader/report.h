// SPDX-License-Identifier: GPL-3.0-or-later
// The places of faults, and hints at what a wrong name may have meant.
#ifndef SB_NETLIST_REPORT_H
#define SB_NETLIST_REPORT_H

#include "netlist/reader/reader.h"

/** Reports a fault at an XML element, at an attribute's name, or inside a value, where err->column
 *  counts the characters of the value from 1 (0: its beginning). */
void sb_report_item(const sb_reader *reader, const sb_item *item, sb_error *err);
void sb_report_node(const sb_reader *reader, int scope, const sb_xml_node *node, sb_error *err);
void sb_report_name(const sb_reader *reader, int scope, const sb_xml_attribute *attribute,
                    sb_error *err);
void sb_report_value(const sb_reader *reader, const sb_setting *setting, sb_error *err);
void sb_report_memory(const sb_reader *reader);

/** "did you mean 'x'?" with the nearest name of those items that `fits` accepts. */
void sb_hint_id(const sb_reader *reader, const char *name, size_t length,
                bool (*fits)(const sb_item *item), sb_error *err);
/** The same among the names of a scope. */
void sb_hint_id_in(const sb_reader *reader, int scope, const char *name, size_t length,
                   bool (*fits)(const sb_item *item), sb_error *err);
/** The same among words; all of them if none is near. */
void sb_hint_word(const char *name, const char *const words[], int count, sb_error *err);
/** For a name that is that of a use (item), which has no quantities of its own. */
void sb_hint_use(const sb_reader *reader, int item, const char *name, sb_error *err);

#endif
