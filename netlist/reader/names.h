// SPDX-License-Identifier: GPL-3.0-or-later
// Scopes, and the names that are looked up in them.
#ifndef SB_NETLIST_NAMES_H
#define SB_NETLIST_NAMES_H

#include "netlist/reader/state.h"

/** A new scope; -1: out of memory, reported. */
int sb_add_scope(sb_reader *reader, const sb_scope *scope);

/** Checks the characters of an id; err->column is that of the first bad one. */
sb_status sb_check_id(const char *id, sb_error *err);
/** Its length alone, before the names in its brackets are known. */
sb_status sb_check_id_length(const char *id, sb_error *err);
/** Adds a name that a setting gives an item.
 *  @return false: another has the name, or out of memory; reported */
bool sb_add_name(sb_reader *reader, sb_names *names, const char *key, int item,
                 const sb_setting *setting);

/** The item of a name in a scope, or -1. */
int sb_scope_find_in(const sb_reader *reader, int scope, const char *name, size_t length);
/** The item of a path, or -1. */
int sb_scope_find(const sb_reader *reader, const char *name, size_t length);
/** The item of a signal by its name in a scope; -1: none. */
int sb_find_signal(const sb_reader *reader, int scope, const char *name, size_t length);
/** A parameter by its name in a scope; -1: none. */
int sb_find_parameter(const sb_reader *reader, int scope, const char *name, size_t length);

#endif
