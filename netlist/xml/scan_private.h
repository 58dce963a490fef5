// SPDX-License-Identifier: GPL-3.0-or-later
// The inside of xml.h: the scanner, which walks through the tags of a document and knows their
// places, and the document's memory.
#ifndef SB_NETLIST_XML_PRIVATE_H
#define SB_NETLIST_XML_PRIVATE_H

#include "core/base/arena.h"
#include "core/base/names.h"
#include "netlist/xml/xml.h"

struct sb_xml_document {
  sb_arena memory; // lives as long as the document
  char *file, *source;
  size_t size;
  sb_names words; // -> word: names of elements and attributes, of which there are few
  char **word;
  int word_count, word_capacity;
  sb_xml_node *root;
};

/** The one copy of a name. */
const char *sb_xml_word(sb_xml_document *document, const char *text, size_t length);

/** Makes the tree from the document's source, which has been checked. */
sb_status sb_xml_parse(sb_xml_document *document, sb_error *err);

/** Where the scanner is. Lines end with a line feed; columns count characters. */
typedef struct sb_xml_cursor {
  const char *at, *end;
  int line, column;
} sb_xml_cursor;

/** A piece of the source, with its place. */
typedef struct sb_xml_span {
  const char *text;
  size_t length;
  int line, column;
} sb_xml_span;

typedef enum sb_xml_kind { SB_XML_OPEN, SB_XML_EMPTY, SB_XML_CLOSE, SB_XML_DONE } sb_xml_kind;

typedef struct sb_xml_tag {
  sb_xml_kind kind;
  sb_xml_span name; // its place is that of the '<'
  int attribute_count;
  sb_xml_span names[SB_XML_ATTRIBUTES_MAX], values[SB_XML_ATTRIBUTES_MAX];
} sb_xml_tag;

/** Sets the place of an error and returns its status. */
sb_status sb_xml_at(sb_error *err, int line, int column, sb_status status);

/** At the beginning of a document, after its byte order mark, if there is one. */
sb_xml_cursor sb_xml_cursor_begin(const char *bytes, size_t size);
void sb_xml_cursor_move(sb_xml_cursor *cursor, size_t count);

/** Reads up to and with the next tag; SB_XML_DONE at the end. */
sb_status sb_xml_scan(sb_xml_cursor *cursor, sb_xml_tag *tag, sb_error *err);
/** Reads the XML declaration, if there is one. */
sb_status sb_xml_scan_declaration(sb_xml_cursor *cursor, sb_error *err);
/** Reads the attributes of a tag. */
sb_status sb_xml_scan_attributes(sb_xml_cursor *cursor, sb_xml_tag *tag, sb_error *err);
/** Reads a name; a missing one is an error saying what is expected. */
sb_status sb_xml_scan_name(sb_xml_cursor *cursor, const char *what, sb_xml_span *name,
                           sb_error *err);
bool sb_xml_skip_blanks(sb_xml_cursor *cursor); // whether there were any
bool sb_xml_looking_at(const sb_xml_cursor *cursor, const char *text);
bool sb_xml_span_is(const sb_xml_span *span, const char *text);
/** The bytes of a span to show in a message. */
int sb_xml_shown(const sb_xml_span *span);

/** What can be said before libxml2 sees the document: encoding, limits, nesting, what is
 *  refused. */
sb_status sb_xml_check(const char *bytes, size_t size, sb_error *err);

#endif
