// SPDX-License-Identifier: GPL-3.0-or-later
// A netlist while it is read: the XML tree as a flat list of items with their settings, the names,
// and the places of faults. Nothing ends at the first fault; each is reported and reading goes on.
#ifndef SB_NETLIST_READER_H
#define SB_NETLIST_READER_H

#include "contact/contact.h"
#include "core/names_private.h"
#include "netlist/language/schema.h"
#include "netlist/netlist.h"
#include "netlist/value/value.h"
#include "netlist/xml/xml.h"

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
  const sb_tag *tag;           // NULL: not known, kept for its id only
  const sb_element_type *type; // NULL: makes no element
  const char *id;              // as a path of the whole netlist; NULL: none, or another's
  int scope;                   // of its id and of names in it
  int parent, first_child, last_child, next;
  int next_alike; // of the same tag, as sb_next_item() goes
  int first_setting, last_setting;
  int of_class, of_kind; // items of <defaults> that it takes values from
  sb_element *element;   // once it is in the graph
  int part; // bodies, grounds: its skin; materials, laws: its entry; networks: their domain;
            // uses: the scope inside; ports: 1 if connected; signals: their entry; -1: none
} sb_item;

/** Where names are looked up: the netlist itself, a use of a sub-model, or a round of a repeat. */
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
  int scope; // tells its file
  bool used;
} sb_submodel;

/** The outside of a body or ground. */
typedef struct sb_skin {
  bool has_shape, good; // good: no fault in shape or material
  sb_surface surface;
  int material;  // entry; -1: none
  bool reported; // that something is missing for a contact
} sb_skin;

typedef struct sb_material_entry {
  int item;
  bool good, reported;
  sb_material material;
  double normal_stiffness;
  const sb_setting *stiffness, *normal; // the settings; NULL: none
  sb_dimension normal_dimension;        // of normal-stiffness, else of stiffness
} sb_material_entry;

typedef struct sb_law_entry {
  int item;
  bool good;
  sb_contact_law law;
} sb_law_entry;

/** A <param> or a <signal>, which may name others of its sort. */
typedef struct sb_definition {
  int item;
  double value; // SI; of a parameter
  sb_dimension dimension;
  enum { SB_DEFINITION_NEW, SB_DEFINITION_OPEN, SB_DEFINITION_KNOWN, SB_DEFINITION_FAILED } state;
} sb_definition;

typedef struct sb_reader sb_reader;

typedef struct sb_definition_sort {
  const char *plural;
  /** @return false if it failed or waits for reader->wanted, another entry */
  bool (*evaluate)(sb_reader *reader, sb_definition *definition);
  void (*report_circle)(sb_reader *reader, const sb_item *item, sb_error *err);
} sb_definition_sort;

typedef struct sb_definitions {
  const sb_definition_sort *sort;
  sb_definition *entries;
  int count, capacity;
  int *stack; // (depth) those being evaluated, each for the one before it
  int depth, stack_capacity;
} sb_definitions;

struct sb_reader {
  sb_errors *errors;
  sb_xml_document *document;
  const char *file;
  bool from_file;              // not from memory
  sb_xml_document **documents; // those imported
  int document_count, document_capacity;
  sb_scope *scopes; // scopes[0] is the netlist itself
  int scope_count, scope_capacity;
  int scope; // of the value that is being read,
  const sb_setting *setting;
  sb_submodel *submodels;
  int submodel_count, submodel_capacity;
  sb_names submodel_names;
  bool full, unfinished;        // beyond a limit; a repeat failed and left out what it makes
  const sb_override *overrides; // (override_count)
  bool *applied;                // (override_count)
  int override_count;
  sb_item *items; // items[0] is the root
  int item_count, item_capacity;
  int *first_alike; // the first item of each tag, -1: none
  sb_setting *settings;
  int setting_count, setting_capacity;
  sb_names ids;     // -> items
  sb_names labels;  // of outputs and groups, "output id" -> items
  sb_names classes; // "kind", "kind class" -> items of <defaults>
  char **texts;     // owned keys and the like
  int text_count, text_capacity;
  sb_names parameter_names; // -> parameters
  sb_definitions parameters, signals;
  const sb_element *wired_element; // the one that signals were connected to last,
  int wired[SB_SIGNALS_MAX];       // (wired_count) and their items
  int wired_count;
  bool wired_before;    // signals are read again: their wires are there
  bool bond_failed;     // what has no bond may only seem so
  bool circles;         // signals name each other in a circle with an integral
  int wanted;           // a parameter or signal that is not known yet was asked for, -1: none
  bool poisoned;        // a parameter that failed was asked for: no further faults from it
  bool domain_failed;   // a domain could not be read: units may be unknown because of it
  const char **domains; // of the ports of each element of the graph, see build_domains.c
  int *first_port;      // (elements of the graph)
  sb_skin *skins;
  int skin_count, skin_capacity;
  sb_material_entry *materials;
  int material_count, material_capacity;
  sb_law_entry *laws;
  int law_count, law_capacity;
  int pair_count;
  int output_capacity, expect_capacity; // of the netlist's arrays
  sb_netlist *netlist;
};

/** Reports a fault at an XML element, at an attribute's name, or inside a value, where err->column
 *  counts the characters of the value from 1 (0: its beginning). */
void sb_report_item(sb_reader *reader, const sb_item *item, sb_error *err);
void sb_report_node(sb_reader *reader, int scope, const sb_xml_node *node, sb_error *err);
void sb_report_name(sb_reader *reader, int scope, const sb_xml_attribute *attribute, sb_error *err);
void sb_report_value(sb_reader *reader, const sb_setting *setting, sb_error *err);
void sb_report_memory(sb_reader *reader);
/** "did you mean 'x'?" with the nearest name of those items that `fits` accepts. */
void sb_hint_id(const sb_reader *reader, const char *name, size_t length,
                bool (*fits)(const sb_item *item), sb_error *err);
/** For a name that is that of a use (item), which has no quantities of its own. */
void sb_hint_use(const sb_reader *reader, int item, const char *name, sb_error *err);
/** The same among the names of a scope. */
void sb_hint_id_in(const sb_reader *reader, int scope, const char *name, size_t length,
                   bool (*fits)(const sb_item *item), sb_error *err);
/** The same among words; all of them if none is near. */
void sb_hint_word(const char *name, const char *const words[], int count, sb_error *err);

/** The text "a b", kept by the reader; NULL: out of memory, reported. */
char *sb_reader_join(sb_reader *reader, const char *a, const char *b);
/** Takes over a text that the reader keeps; NULL: out of memory, reported. */
char *sb_reader_keep(sb_reader *reader, char *text);

/** items.c: the tree as items, with unknown and misplaced ones reported. */
void sb_read_items(sb_reader *reader);
/** The same for a part of a tree, below an item. The bodies of sub-models and repeats are left. */
void sb_read_tree(sb_reader *reader, const sb_xml_node *node, int parent, int scope);
/** Reports required attributes and elements that are missing; after overrides and defaults. */
void sb_check_required(sb_reader *reader, int first); // from this item on
sb_setting *sb_item_add_setting(sb_reader *reader, sb_item *item);
/** The values that an item may have. */
const sb_param *sb_item_values(const sb_item *item);
/** A setting of the item itself, of its class or of its kind; NULL: none. */
const sb_setting *sb_item_text(const sb_reader *reader, const sb_item *item, const char *name);
const sb_setting *sb_item_value(const sb_reader *reader, const sb_item *item, const sb_param *row);
/** Of the item itself only. */
sb_setting *sb_item_own(const sb_reader *reader, const sb_item *item, const char *name);

/** scope.c: ids, labels and classes. */
void sb_read_names(sb_reader *reader, int first); // of the items from `first` on
/** Checks the characters of an id; err->column is that of the first bad one. */
sb_status sb_check_id(const char *id, sb_error *err);
/** Links items to the classes and kinds of <defaults>. */
void sb_link_defaults(sb_reader *reader);
/** The item of a name in a scope, or -1. */
int sb_scope_find_in(const sb_reader *reader, int scope, const char *name, size_t length);
/** The item of a path, or -1. */
int sb_scope_find(const sb_reader *reader, const char *name, size_t length);

/** overrides.c: what the command line sets, as far as its items are there.
 *  @param last  reports those that match nothing */
void sb_read_overrides(sb_reader *reader, bool last);

/** The item behind `item` with all inside it before what follows it, as if sub-models and repeats
 *  were written out; -1: none. */
int sb_walk(const sb_reader *reader, int item);
/** Finds the items of each tag for sb_next_item(), once all are there. */
void sb_link_items(sb_reader *reader);
/** The next item of a tag after `from` (start with NULL) in this order, NULL: none. */
sb_item *sb_next_item(const sb_reader *reader, const sb_item *from, const char *tag);

/** A word of a list of names with its place in the value. */
typedef struct sb_word {
  const char *start;
  size_t length;
  int column; // characters from 1
} sb_word;
/** Moves to the next word; start with word->start NULL. */
bool sb_next_word(const char *text, sb_word *word);

#endif
