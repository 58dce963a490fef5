// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of reading, from the tree to the expanded items.
#ifndef SB_NETLIST_EXPAND_PRIVATE_H
#define SB_NETLIST_EXPAND_PRIVATE_H

#include "netlist/reader/reader.h"

/** What a netlist may expand to. Beyond it: SB_ERR_TOO_LARGE. */
enum {
  SB_IMPORT_FILES_MAX = 256,     // files of a netlist
  SB_IMPORT_SIZE_MAX = 64 << 20, // bytes of all of them
  SB_USE_DEPTH_MAX = 32,         // uses inside each other
  SB_REPEAT_COUNT_MAX = 1000000, // rounds of one repeat
  SB_ITEMS_MAX = 2000000         // XML elements, each as often as it is used
};

/** items.c: a tree as items below an item, with unknown and misplaced ones reported. The bodies of
 *  sub-models and repeats are left. */
void sb_read_tree(sb_reader *reader, const sb_xml_node *node, int parent, int scope);
/** Reports required attributes and elements that are missing; after overrides and defaults. */
void sb_check_required(const sb_reader *reader, int first); // from this item on
/** A new setting of an item; NULL: out of memory, reported. */
sb_setting *sb_item_add_setting(sb_reader *reader, sb_item *item);
/** The values that an item may have. */
const sb_param *sb_item_values(const sb_item *item);
bool sb_item_in_defaults(const sb_reader *reader, const sb_item *item);
/** settings.c: finds the items of each tag for sb_next_item(), once all are there. */
void sb_link_items(sb_reader *reader);

/** import.c: reads the files that the root imports, and those that they import. */
void sb_read_imports(sb_reader *reader);

/** names.c: ids and labels of the items from `first` on, and by defaults.c their classes. */
void sb_read_names(sb_reader *reader, int first);
/** Checks the characters of an id; err->column is that of the first bad one. */
sb_status sb_check_id(const char *id, sb_error *err);
/** Adds a name that a setting gives an item.
 *  @return false: another has the name, or out of memory; reported */
bool sb_add_name(sb_reader *reader, sb_names *names, const char *key, int item,
                 const sb_setting *setting);
/** defaults.c: an item of <defaults>: the class of a kind, or the kind itself. */
void sb_add_class(sb_reader *reader, int item);
/** Links items to the classes and kinds of <defaults>. */
void sb_link_defaults(sb_reader *reader);

/** overrides.c: what the command line sets, as far as its items are there.
 *  @param last  reports those that match nothing */
void sb_read_overrides(sb_reader *reader, bool last);

/** submodels.c: makes a sub-model known; false: a fault, reported. `scope` tells its file. */
bool sb_define_submodel(sb_reader *reader, const sb_xml_node *node, int scope);
/** The sub-model of a use. */
sb_status sb_find_submodel(const sb_reader *reader, const sb_item *use, const char *name,
                           int *submodel, sb_error *err);

/** expand.c: a new scope; -1: out of memory, reported. */
int sb_add_scope(sb_reader *reader, const sb_scope *scope);
/** Reads names, overrides and parameters, and all uses and repeats. */
void sb_expand(sb_reader *reader);

/** sets.c: gives the inside of a use the values of its <set>. */
void sb_apply_sets(sb_reader *reader, int use, int inner);
/** Reports sets that name nothing, and what inside has no value yet: of these none where wrong names
 *  may account for them. @param first  item inside the use */
void sb_check_sets(sb_reader *reader, int use, int inner, int first);

/** index.c: a sum of products of whole numbers and names, such as N-1 or 2*k+1. A fault is
 *  reported. */
bool sb_read_whole(sb_reader *reader, const sb_setting *setting, long *value);

#endif
