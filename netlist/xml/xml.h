// SPDX-License-Identifier: GPL-3.0-or-later
// Reads XML into a small tree that knows the exact place of everything. libxml2 judges what is well
// formed and gives names and values; a scanner of our own gives the places, the limits, and refuses
// what a netlist has no use for (DOCTYPE, entities, processing instructions, namespaces, text)
// before libxml2 sees a byte. Nothing but this file or buffer is ever read.
#ifndef SB_NETLIST_XML_H
#define SB_NETLIST_XML_H

#include <stddef.h>

#include "core/base/error.h"

/** Limits of a netlist. Beyond them: SB_ERR_TOO_LARGE. */
enum {
  SB_XML_SIZE_MAX = 16 * 1024 * 1024,       // bytes of a file
  SB_XML_DEPTH_MAX = 64,                    // elements inside each other
  SB_XML_ELEMENTS_MAX = 2000000,            // elements of a file
  SB_XML_ATTRIBUTES_MAX = 64,               // attributes of an element
  SB_XML_ATTRIBUTES_TOTAL_MAX = 4000000,    // attributes of a file
  SB_XML_NAME_MAX = 200,                    // bytes of a name
  SB_XML_ATTRIBUTE_LENGTH_MAX = 1024 * 1024 // bytes of an attribute's value
};

/** Lines and columns count from 1, columns in characters. */
typedef struct sb_xml_attribute {
  const char *name, *value;
  int line, column;             // of the name
  int value_line, value_column; // of the value's first character, after the quotation mark
  const char *source;           // the value as written, up to its quotation mark
} sb_xml_attribute;

typedef struct sb_xml_node {
  const char *name;
  int line, column; // of the '<'
  int attribute_count;
  sb_xml_attribute *attributes; // in the order written
  struct sb_xml_node *parent, *first_child, *next;
} sb_xml_node;

/** Owns the tree, all its texts and the source. */
typedef struct sb_xml_document sb_xml_document;

/** Reads a regular file; anything else (a folder, a pipe, a device) is refused without waiting.
 *  An error is added to `errors` with its place, and *document is then NULL. */
SB_API sb_status sb_xml_read_file(const char *path, sb_xml_document **document, sb_errors *errors);
/** The same from memory, which is copied; `name` is what messages call it. When the document is
 *  refused and `errors` shows a line, the caller still has the bytes to show. */
SB_API sb_status sb_xml_read_memory(const char *name, const char *bytes, size_t size,
                                    sb_xml_document **document, sb_errors *errors);
/** Reads a file's bytes only, ended by a zero; the caller frees them. For showing the
 *  lines of a refused document, use this and sb_xml_read_memory(). */
SB_API sb_status sb_xml_load(const char *path, char **bytes, size_t *size, sb_error *err);
SB_API void sb_xml_destroy(sb_xml_document *document);

SB_API sb_xml_node *sb_xml_root(sb_xml_document *document);
SB_API const char *sb_xml_file(const sb_xml_document *document);
SB_API const char *sb_xml_source(const sb_xml_document *document); // ends with a zero

/** Finds an attribute; NULL if there is none. */
SB_API sb_xml_attribute *sb_xml_attribute_find(const sb_xml_node *node, const char *name);

/** The place in the file of a character of the value, counted from 1: right also after references
 *  such as &lt; and for values over several lines. Less than 1 gives the value's beginning. */
SB_API void sb_xml_value_place(const sb_xml_attribute *attribute, int character, int *line,
                               int *column);

#endif
