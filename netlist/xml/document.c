// SPDX-License-Identifier: GPL-3.0-or-later
// Documents: their memory, how they are read, and what can be asked of them.
#include "netlist/xml/xml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "netlist/xml/scan_private.h"

const char *sb_xml_word(sb_xml_document *document, const char *text, size_t length) {
  int index = sb_names_find(&document->words, text, length);
  if (index >= 0) {
    return document->word[index];
  }
  char *word = sb_arena_copy(&document->memory, text, length);
  if (word == NULL || !sb_names_add(&document->words, word, document->word_count) ||
      !sb_arena_grow(&document->memory, &document->word, &document->word_capacity,
                     document->word_count + 1, sizeof word)) {
    return NULL;
  }
  document->word[document->word_count++] = word;
  return word;
}

/** Takes over the bytes, which are ended by a zero. */
static sb_status build(const char *name, char *bytes, size_t size, sb_xml_document **document,
                       sb_error *err) {
  sb_xml_document *out = calloc(1, sizeof *out);
  if (out == NULL) {
    free(bytes);
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  out->source = bytes;
  out->size = size;
  out->file = sb_arena_copy(&out->memory, name, strlen(name));
  sb_status status = out->file != NULL ? sb_xml_check(bytes, size, err)
                                       : sb_fail(err, SB_ERR_MEMORY, "out of memory");
  if (status == SB_OK) {
    status = sb_xml_parse(out, err);
  }
  if (status != SB_OK) {
    sb_xml_destroy(out);
    return status;
  }
  *document = out;
  return SB_OK;
}

static sb_status report(const char *name, sb_error *err, sb_status status, sb_errors *errors) {
  if (status != SB_OK && errors != NULL) {
    (void)snprintf(err->file, sizeof err->file, "%s", name);
    sb_errors_add(errors, err);
  }
  return status;
}

sb_status sb_xml_read_memory(const char *name, const char *bytes, size_t size,
                             sb_xml_document **document, sb_errors *errors) {
  sb_error err = {0};
  *document = NULL;
  if (size > SB_XML_SIZE_MAX) {
    return report(name, &err, sb_xml_check(bytes, size, &err), errors);
  }
  char *own = malloc(size + 1);
  if (own == NULL) {
    return report(name, &err, sb_fail(&err, SB_ERR_MEMORY, "out of memory"), errors);
  }
  if (size > 0) {
    memcpy(own, bytes, size);
  }
  own[size] = '\0';
  return report(name, &err, build(name, own, size, document, &err), errors);
}

sb_status sb_xml_read_file(const char *path, sb_xml_document **document, sb_errors *errors) {
  sb_error err = {0};
  char *bytes;
  size_t size;
  *document = NULL;
  sb_status status = sb_xml_load(path, &bytes, &size, &err);
  if (status == SB_OK) {
    status = build(path, bytes, size, document, &err);
  }
  return report(path, &err, status, errors);
}

void sb_xml_destroy(sb_xml_document *document) {
  if (document == NULL) {
    return;
  }
  sb_arena_finish(&document->memory);
  sb_names_finish(&document->words);
  free(document->source);
  free(document);
}

sb_xml_node *sb_xml_root(sb_xml_document *document) {
  return document->root;
}

const char *sb_xml_file(const sb_xml_document *document) {
  return document->file;
}

const char *sb_xml_source(const sb_xml_document *document) {
  return document->source;
}

sb_xml_attribute *sb_xml_attribute_find(const sb_xml_node *node, const char *name) {
  for (int i = 0; i < node->attribute_count; i++) {
    if (strcmp(node->attributes[i].name, name) == 0) {
      return &node->attributes[i];
    }
  }
  return NULL;
}

void sb_xml_value_place(const sb_xml_attribute *attribute, int character, int *line, int *column) {
  const char quote = attribute->source[-1];
  const char *end = strchr(attribute->source, quote);
  sb_xml_cursor cursor = {attribute->source, end, attribute->value_line, attribute->value_column};
  for (int i = 1; i < character && cursor.at < end; i++) {
    // A reference and a line's end of two bytes are one character of the value.
    size_t count = 1;
    if (*cursor.at == '&') {
      count = strcspn(cursor.at, ";") + 1;
    } else if (sb_xml_looking_at(&cursor, "\r\n")) {
      count = 2;
    } else {
      while (((unsigned char)cursor.at[count] & 0xC0) == 0x80) {
        count++;
      }
    }
    sb_xml_cursor_move(&cursor, count);
  }
  *line = cursor.line;
  *column = cursor.column;
}
