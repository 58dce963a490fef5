// SPDX-License-Identifier: GPL-3.0-or-later
// What the reader knows of a netlist: the XML tree as a flat list of items with their settings, the
// scopes, the sub-models, the names and the parameters. Each file of the folder works on its own
// member of sb_reader; the others ask it by its functions.
//
// Hierarchy is expanded while reading: an id inside a use becomes a path, m1/R. Every item and
// every setting knows the scope in which its names are looked up; items of a sub-model share the
// XML of their file, and so keep its places.
#ifndef SB_NETLIST_STATE_H
#define SB_NETLIST_STATE_H

#include "core/base/arena.h"
#include "core/base/names.h"
#include "netlist/language/schema.h"
#include "netlist/netlist.h"
#include "netlist/value/value.h"
#include "netlist/xml/xml.h"

enum { SB_PATH_MAX = SB_VALUE_NAME_MAX }; // bytes of a path such as m1/R

/** One attribute that is known to the language, from the file or from the command line. */
typedef struct sb_setting {
  const char *name, *value;
  sb_xml_attribute *attribute; // NULL: from the command line
  const sb_override *override; // NULL: from the file
  const sb_attribute *text;    // the row that describes it: one of the two
  const sb_param *row;
  int next;  // of the same item, -1: none
  int scope; // in which names in the value are looked up
} sb_setting;

/** One XML element. Items are in the order of the file; links are indices, -1: none. */
typedef struct sb_item {
  const sb_xml_node *node;
  const sb_tag *tag;           // NULL: unknown, kept for its id only
  const sb_element_type *type; // NULL: makes no element
  const char *id;              // as a path of the whole netlist; NULL: none, or already used
  bool contested;              // another item states the same id, which has been reported
  int scope;                   // of its id and of names in it
  int inner;                   // of a use: the scope inside
  int parent, first_child, last_child, next;
  int next_alike; // of the same tag, as sb_next_item() goes
  int first_setting, last_setting;
  int of_class, of_kind; // items of <defaults> that it takes values from
} sb_item;

/** Where names are looked up: the netlist itself, a use of a sub-model, or an iteration of a
 *  repeat. */
typedef struct sb_scope {
  const char *path; // before every id: "", "m1/"
  size_t length;    // of the path
  const char *file;
  int outer;         // the scope around it, -1: none
  int use, submodel; // the item of the use and what it is a use of; -1: none
  int depth;         // uses around it
  const char *index; // of a repeat; NULL: none
  long round;        // its value
} sb_scope;

typedef struct sb_submodel {
  const char *id;
  const sb_xml_node *node;
  int scope; // of its file
  bool used;
  double size; // XML elements that a use of it expands to, at the least; 0: not counted yet
} sb_submodel;

/** import.c: the file of the netlist, and those that it imports. */
typedef struct sb_files {
  sb_xml_document *root;
  const char *name; // of the root's file
  bool from_file;   // not from memory
  sb_xml_document **imported;
  int imported_count, imported_capacity;
} sb_files;

/** items.c, settings.c */
typedef struct sb_item_tree {
  sb_item *items; // items[0] is the root
  int item_count, item_capacity;
  sb_setting *settings;
  int setting_count, setting_capacity;
  int *first_alike; // the first item of each tag, -1: none
} sb_item_tree;

/** expand.c: list[0] is the scope of the netlist itself. */
typedef struct sb_scopes {
  sb_scope *list;
  int count, capacity;
} sb_scopes;

/** submodels.c */
typedef struct sb_submodels {
  sb_submodel *list;
  int count, capacity;
  sb_names ids; // -> list
} sb_submodels;

/** names.c, defaults.c */
typedef struct sb_name_tables {
  sb_names ids;     // -> items
  sb_names labels;  // of outputs and groups, "output id" -> items
  sb_names classes; // "kind", "kind class" -> items of <defaults>
} sb_name_tables;

/** overrides.c: what the command line sets. */
typedef struct sb_override_list {
  const sb_override *list; // (count)
  bool *applied;           // (count)
  int count;
} sb_override_list;

typedef enum sb_definition_state {
  SB_DEFINITION_NEW,
  SB_DEFINITION_OPEN, // being evaluated
  SB_DEFINITION_KNOWN,
  SB_DEFINITION_FAILED
} sb_definition_state;

/** A <param> or a <signal>, which may name others of its sort. */
typedef struct sb_definition {
  int item;
  double value; // SI; of a parameter
  sb_dimension dimension;
  sb_definition_state state;
} sb_definition;

typedef struct sb_definitions {
  const struct sb_definition_sort *sort; // definitions.h
  sb_definition *entries;
  int count, capacity;
  int *stack; // (depth) those being evaluated, each for the one before it
  int depth, stack_capacity;
} sb_definitions;

/** parameters.c */
typedef struct sb_parameters {
  sb_names ids; // -> definitions
  sb_definitions definitions;
} sb_parameters;

/** Whose value is read: "sigma0" of "friction 'bristle-dwell'". */
typedef struct sb_subject {
  const char *name; // of the attribute; NULL: errors tell by themselves
  char owner[80];
} sb_subject;

/** Each file of the reader works on its own member of this; the others ask it by its functions. */
typedef struct sb_reader {
  sb_errors *errors, *warnings;
  sb_arena memory; // of texts and short lists
  sb_files files;
  sb_item_tree tree;
  sb_scopes scopes;
  sb_submodels submodels;
  sb_name_tables names;
  sb_override_list overrides;
  sb_parameters parameters;
  bool full,
      unfinished; // beyond a limit; a repeat, an id or an import failed and left out what it names
  long *compared; // names that were compared for hints
  sb_subject subject; // told by errors of values
} sb_reader;

static inline bool sb_is_use(const sb_item *item) {
  return item->tag != NULL && item->tag->flags & SB_TAG_USE;
}

#endif
