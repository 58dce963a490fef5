// SPDX-License-Identifier: GPL-3.0-or-later
// Hierarchy: imports, sub-models and repeats, expanded while a netlist is read. An id inside a use
// becomes a path, m1/R. Every item and every setting knows the scope in which its names are looked
// up; items of a sub-model share the XML of their file, and so keep its places.
#ifndef SB_NETLIST_EXPAND_H
#define SB_NETLIST_EXPAND_H

#include "netlist/reader/reader.h"

/** What a netlist may expand to. Beyond it: SB_ERR_TOO_LARGE. */
enum {
  SB_PATH_MAX = SB_VALUE_NAME_MAX, // bytes of a path such as m1/R
  SB_IMPORT_FILES_MAX = 256,       // files of a netlist
  SB_IMPORT_SIZE_MAX = 64 << 20,   // bytes of all of them
  SB_USE_DEPTH_MAX = 32,           // uses inside each other
  SB_REPEAT_COUNT_MAX = 1000000,   // rounds of one repeat
  SB_ITEMS_MAX = 2000000           // XML elements, each as often as it is used
};

/** import.c: reads the files that the root imports, and those that they import. */
void sb_read_imports(sb_reader *reader);

/** expand.c: makes a sub-model known; false: a fault, reported. `scope` tells its file. */
bool sb_define_submodel(sb_reader *reader, const sb_xml_node *node, int scope);
/** A new scope; -1: out of memory, reported. */
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
/** A part of a setting's value with the indices in brackets as numbers: s[k+1] as s[4]. A fault is
 *  reported. */
bool sb_plain_name(sb_reader *reader, const sb_setting *setting, const char *start, size_t length,
                   char out[SB_PATH_MAX + 1]);
/** The same as a path of the whole netlist: m1/s[4]. */
bool sb_full_name(sb_reader *reader, const sb_setting *setting, const char *start, size_t length,
                  char out[SB_PATH_MAX + 1]);

/** ends.c: what an end of a bond names, as the graph knows it; through ports of uses to the node
 *  inside. A fault is reported.
 *  @return the item of an element; NULL: none */
enum { SB_END_MAX = SB_PATH_MAX + 100 };
const sb_item *sb_find_end(sb_reader *reader, const sb_setting *setting, char out[SB_END_MAX]);
/** Finds the nodes of all ports. */
void sb_check_ports(sb_reader *reader);
/** Reports ports that no bond names. */
void sb_check_connected(sb_reader *reader);

/** build_parameters.c: takes the parameters among the items from `first` on. */
void sb_add_parameters(sb_reader *reader, int first);
/** resolve.c: evaluates a definition and all that it names. */
void sb_resolve(sb_reader *reader, sb_definitions *all, int index);

static inline bool sb_is_use(const sb_item *item) {
  return item->tag != NULL && item->tag->flags & SB_TAG_USE;
}

#endif
