// SPDX-License-Identifier: GPL-3.0-or-later
// The table that describes the netlist language: every XML element with its parents and its
// attributes. Checks, hints and the help are derived from it.
// Element kinds add their own attributes, the rows of their parameter tables.
#ifndef SB_NETLIST_SCHEMA_H
#define SB_NETLIST_SCHEMA_H

#include "core/graph/element.h"

typedef enum sb_attribute_kind {
  SB_ATTRIBUTE_ID,         // makes a name
  SB_ATTRIBUTE_NAME,       // refers to a name
  SB_ATTRIBUTE_NAMES,      // refers to several, separated by blanks
  SB_ATTRIBUTE_QUANTITIES, // "C1.e grey.position"
  SB_ATTRIBUTE_WORD,       // one of a few words
  SB_ATTRIBUTE_VALUE,      // a number with a unit that only its reader knows
  SB_ATTRIBUTE_TEXT,       // for people
  SB_ATTRIBUTE_RESERVED,   // for a later version
} sb_attribute_kind;

/** An attribute that is no plain number, flag or choice; those are rows of `values`. */
typedef struct sb_attribute {
  const char *name; // NULL ends the list
  sb_attribute_kind kind;
  bool required;
  const char *help;
} sb_attribute;

enum sb_tag_flags {
  SB_TAG_ONCE = 1,         // at most once in its parent
  SB_TAG_DEFAULTS = 2,     // is allowed in <defaults>
  SB_TAG_RESERVED = 4,     // for a later version; `help` says what to do instead
  SB_TAG_KIND = 8,         // makes an element of the catalog, whose parameters are its values
  SB_TAG_LABEL = 16,       // its id is a label of results, in a scope of its kind
  SB_TAG_USE = 32,         // stands for a sub-model
  SB_TAG_REPEAT = 64,      // stands for its children several times
  SB_TAG_PORT = 128,       // of a sub-model
  SB_TAG_DEFINITION = 256, // a sub-model
  SB_TAG_SIGNAL = 512,
};

typedef struct sb_tag {
  const char *name;    // NULL ends the list; "" stands for the other kinds of the catalog
  const char *parents; // separated by blanks; "" for the root
  const sb_attribute *attributes;
  const sb_param *values; // rows of numbers, flags and choices; NULL: none, or the kind's own
  unsigned flags;
  const char *help;
} sb_tag;

extern const sb_tag sb_tags[];

/** What can be read of what a tag makes, where that is no element of a kind. */
typedef struct sb_tag_measures {
  const char *tag; // NULL ends the list
  sb_measures measures;
  const sb_quantity_spec *energies; // beside them; or NULL
  const char *words;            // which of them has these, where another kind has others; or NULL
  const sb_element_type *other; // that kind
  const char *other_words;
} sb_tag_measures;
extern const sb_tag_measures sb_measures_of_tags[];

/** The row of an XML element by its name, and the element kind that it makes (NULL: none). Kinds
 *  with signal inputs of their own are components of composites and have no XML element. NULL:
 *  unknown. */
const sb_tag *sb_schema_find(const char *name, const sb_element_type **type);
/** Whether the element is allowed in `parent` (the name of a tag). */
bool sb_schema_allows(const sb_tag *tag, const char *parent);

/** The row of an attribute; NULL: none. */
const sb_attribute *sb_schema_attribute(const sb_tag *tag, const char *name);
/** The row of a value by its XML name: '-' where the row has '_'; NULL: none. */
const sb_param *sb_schema_value(const sb_param *table, const char *name);

enum { SB_SCHEMA_NAME = 64 };
/** The XML name of a row. */
const char *sb_schema_name(const sb_param *row, char name[SB_SCHEMA_NAME]);

/** A hint for a name that is not in the table: the nearest one that is, or all that are
 *  allowed. */
void sb_schema_hint_element(const char *name, const char *parent, char hint[], size_t size);
void sb_schema_hint_attribute(const sb_tag *tag, const sb_param *values, const char *name,
                              char hint[], size_t size);

#endif
