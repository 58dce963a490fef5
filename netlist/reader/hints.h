// SPDX-License-Identifier: GPL-3.0-or-later
// Hints at what a wrong name may have meant.
#ifndef SB_NETLIST_HINTS_H
#define SB_NETLIST_HINTS_H

#include "core/base/nearest.h"
#include "netlist/reader/state.h"

/** "did you mean 'x'?" with the nearest name of those items that `fits` accepts. */
void sb_hint_id(const sb_reader *reader, const char *name, size_t length,
                bool (*fits)(const sb_item *item), sb_error *err);
/** The same among the names of a scope. */
void sb_hint_id_in(const sb_reader *reader, int scope, const char *name, size_t length,
                   bool (*fits)(const sb_item *item), sb_error *err);
/** The same; where no id is near, that of an element inside of a sub-model which has this name there, s/C1 for C1. */
void sb_hint_inside(const sb_reader *reader, int scope, const char *name, size_t length,
                    bool (*fits)(const sb_item *item), sb_error *err);
/** The nearest of the candidates; all of them if none is near. */
void sb_hint_suggestion(const sb_suggestion *suggestion, sb_error *err);
/** Reports "there is no WHAT 'value'", with a hint at the rows of a table that begin with their names. @param size  of a row */
void sb_report_choice(const sb_reader *reader, const sb_setting *setting, const char *what,
                      const void *table, size_t size);
/** For a name that is that of a use (item), which has no quantities of its own. */
void sb_hint_use(const sb_reader *reader, int item, const char *name, sb_error *err);

#endif
