// SPDX-License-Identifier: GPL-3.0-or-later
// The tree. Names and values come from libxml2 (SAX2), places from the scanner, which walks along
// in lock step: both meet the same tags in the same order.
#include <assert.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <string.h>

#include "netlist/xml/scan_private.h"

enum { FIELDS = 5 }; // what libxml2 gives per attribute

/** One reading of a document. */
typedef struct reading {
  sb_xml_document *document;
  xmlParserCtxtPtr parser;
  sb_xml_cursor cursor;
  sb_xml_tag tag;
  sb_xml_node *open;                   // the innermost open element
  sb_xml_node *last[SB_XML_DEPTH_MAX]; // per depth, the latest element
  int depth;
  sb_status status;
  sb_error *err;
} reading;

/** Copies a value. With entities left alone libxml2 gives every ampersand as "&#38;". */
static char *copy_value(sb_xml_document *document, const char *text, size_t length) {
  static const char ampersand[] = "&#38;";
  const size_t size = sizeof ampersand - 1;
  char *out = sb_arena_take(&document->memory, length + 1);
  if (out == NULL) {
    return NULL;
  }
  char *to = out;
  for (size_t i = 0; i < length; i++) {
    *to++ = text[i];
    if (text[i] == '&' && length - i >= size && memcmp(text + i, ampersand, size) == 0) {
      i += size - 1;
    }
  }
  *to = '\0';
  return out;
}

static void stop(reading *in, sb_status status) {
  if (in->status == SB_OK) {
    in->status = status;
  }
  xmlStopParser(in->parser);
}

static bool copy_attributes(reading *in, sb_xml_node *node, const xmlChar **attributes) {
  sb_xml_document *document = in->document;
  size_t count = (size_t)in->tag.attribute_count;
  if (count == 0) {
    return true;
  }
  node->attributes = sb_arena_take(&document->memory, count * sizeof *node->attributes);
  for (size_t i = 0; node->attributes != NULL && i < count; i++) {
    const xmlChar **field = attributes + FIELDS * i;
    const sb_xml_span *name = &in->tag.names[i], *value = &in->tag.values[i];
    sb_xml_attribute *attribute = &node->attributes[i];
    *attribute = (sb_xml_attribute){
        .name = sb_xml_word(document, name->text, name->length),
        .value = copy_value(document, (const char *)field[3], (size_t)(field[4] - field[3])),
        .line = name->line,
        .column = name->column,
        .value_line = value->line,
        .value_column = value->column,
        .source = value->text};
    if (attribute->name == NULL || attribute->value == NULL) {
      return false;
    }
    node->attribute_count++;
  }
  return node->attributes != NULL;
}

static void link_node(reading *in, sb_xml_node *node) {
  node->parent = in->open;
  if (in->open == NULL) {
    in->document->root = node;
  } else if (in->open->first_child == NULL) {
    in->open->first_child = node;
  } else {
    in->last[in->depth]->next = node;
  }
  in->last[in->depth++] = node;
  in->open = node;
}

static void on_start(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                     int namespace_count, const xmlChar **namespaces, int attribute_count,
                     int defaulted_count, const xmlChar **attributes) {
  (void)prefix, (void)uri, (void)namespace_count, (void)namespaces, (void)defaulted_count;
  reading *in = context;
  if (in->status != SB_OK) {
    return;
  }
  sb_status status;
  do {
    status = sb_xml_scan(&in->cursor, &in->tag, in->err);
  } while (status == SB_OK && in->tag.kind == SB_XML_CLOSE);
  if (status != SB_OK || in->tag.kind == SB_XML_DONE || in->depth == SB_XML_DEPTH_MAX ||
      !sb_xml_span_is(&in->tag.name, (const char *)name) ||
      in->tag.attribute_count != attribute_count) {
    stop(in, sb_fail(in->err, SB_ERR_INTERNAL, "the scanner and libxml2 read different elements"));
    return;
  }
  sb_xml_node *node = sb_arena_take(&in->document->memory, sizeof *node);
  if (node != NULL) {
    *node = (sb_xml_node){.line = in->tag.name.line, .column = in->tag.name.column};
    node->name = sb_xml_word(in->document, (const char *)name, in->tag.name.length);
  }
  if (node == NULL || node->name == NULL || !copy_attributes(in, node, attributes)) {
    stop(in, sb_fail(in->err, SB_ERR_MEMORY, "out of memory"));
    return;
  }
  link_node(in, node);
}

static void on_end(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
  (void)name, (void)prefix, (void)uri;
  reading *in = context;
  if (in->status == SB_OK) {
    assert(in->open != NULL);
    in->open = in->open->parent;
    in->depth--;
  }
}

static void on_error(void *context, xmlErrorPtr error) {
  reading *in = context;
  if (in->status != SB_OK || error->level < XML_ERR_ERROR) {
    return;
  }
  if (error->code == XML_ERR_NO_MEMORY) {
    stop(in, sb_fail(in->err, SB_ERR_MEMORY, "out of memory"));
    return;
  }
  const char *message = error->message != NULL ? error->message : "error";
  stop(in, sb_fail(in->err, SB_ERR_XML, "not well-formed XML: %.*s", (int)strcspn(message, "\r\n"),
                   message));
  if (in->err != NULL && error->line > 0) {
    in->err->line = error->line;
    in->err->column = error->int2; // libxml2 counts characters, too
  }
}

sb_status sb_xml_parse(sb_xml_document *document, sb_error *err) {
  reading in = {.document = document, .err = err};
  in.cursor = sb_xml_cursor_begin(document->source, document->size);
  SB_TRY(sb_xml_scan_declaration(&in.cursor, err));
  xmlInitParser();
  in.parser = xmlCreateMemoryParserCtxt(document->source, (int)document->size);
  if (in.parser == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  *in.parser->sax = (xmlSAXHandler){.initialized = XML_SAX2_MAGIC,
                                    .startElementNs = on_start,
                                    .endElementNs = on_end,
                                    .serror = on_error};
  in.parser->userData = &in;
  (void)xmlCtxtUseOptions(in.parser, XML_PARSE_NONET);
  (void)xmlParseDocument(in.parser);
  if (in.status == SB_OK && (!in.parser->wellFormed || document->root == NULL)) {
    in.status = sb_fail(err, SB_ERR_XML, "not well-formed XML");
  }
  xmlFreeParserCtxt(in.parser);
  return in.status;
}
