// SPDX-License-Identifier: GPL-3.0-or-later
// Hints at what a wrong name may have meant.
#ifndef SB_NETLIST_HINTS_H
#define SB_NETLIST_HINTS_H

#include "netlist/reader/state.h"

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
