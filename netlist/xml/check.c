// SPDX-License-Identifier: GPL-3.0-or-later
// Checks before parsing: one pass over the bytes for the encoding, one over the tags for nesting
// and limits. The cost is proportional to the size, whatever the file contains.
#include <string.h>

#include "core/base/utf8.h"
#include "netlist/xml/scan_private.h"

static sb_status check_mark(const char *bytes, size_t size, sb_error *err) {
  if (size >= 2 && (memcmp(bytes, "\xFF\xFE", 2) == 0 || memcmp(bytes, "\xFE\xFF", 2) == 0)) {
    return sb_xml_at(err, 1, 1,
                     sb_fail(err, SB_ERR_XML, "a netlist is encoded in UTF-8, not in UTF-16"));
  }
  return SB_OK;
}

static sb_status check_encoding(const char *bytes, size_t size, sb_error *err) {
  SB_TRY(check_mark(bytes, size, err));
  sb_xml_cursor cursor = sb_xml_cursor_begin(bytes, size);
  while (cursor.at < cursor.end) {
    unsigned char c = (unsigned char)*cursor.at;
    unsigned code = c;
    int count = c < 0x80 ? 1 : sb_utf8_decode(cursor.at, (size_t)(cursor.end - cursor.at), &code);
    sb_status status = SB_OK;
    if (count == 0) {
      status = sb_fail(err, SB_ERR_XML, "the byte 0x%02X is not valid UTF-8 here", c);
      sb_error_hint(err, "a netlist is encoded in UTF-8");
    } else if (c == 0) {
      status = sb_fail(err, SB_ERR_XML, "a zero byte");
      sb_error_hint(err, "a netlist is encoded in UTF-8");
    } else if ((c < 0x20 && strchr("\t\n\r", c) == NULL) || code == 0xFFFE || code == 0xFFFF) {
      status = sb_fail(err, SB_ERR_XML, "XML does not allow the character U+%04X", code);
    }
    if (status != SB_OK) {
      return sb_xml_at(err, cursor.line, cursor.column, status);
    }
    sb_xml_cursor_move(&cursor, (size_t)count);
  }
  return SB_OK;
}

/** The elements that are open, and what has been counted. */
typedef struct nesting {
  sb_xml_span open[SB_XML_DEPTH_MAX];
  int depth, elements, attributes;
} nesting;

static sb_status open_element(nesting *in, const sb_xml_tag *tag, sb_error *err) {
  sb_status status = SB_OK;
  if (in->depth == 0 && in->elements > 0) {
    status = sb_fail(err, SB_ERR_XML, "<%.*s> follows the end of the root element",
                     sb_xml_shown(&tag->name), tag->name.text);
  } else if (in->depth == SB_XML_DEPTH_MAX) {
    status = sb_fail(err, SB_ERR_TOO_LARGE, "elements nested more than %d deep", SB_XML_DEPTH_MAX);
  } else if (in->elements == SB_XML_ELEMENTS_MAX) {
    status = sb_fail(err, SB_ERR_TOO_LARGE, "more than %d elements", SB_XML_ELEMENTS_MAX);
  } else if (in->attributes > SB_XML_ATTRIBUTES_TOTAL_MAX - tag->attribute_count) {
    status = sb_fail(err, SB_ERR_TOO_LARGE, "more than %d attributes", SB_XML_ATTRIBUTES_TOTAL_MAX);
  }
  if (status != SB_OK) {
    return sb_xml_at(err, tag->name.line, tag->name.column, status);
  }
  in->elements++;
  in->attributes += tag->attribute_count;
  if (tag->kind == SB_XML_OPEN) {
    in->open[in->depth++] = tag->name;
  }
  return SB_OK;
}

static sb_status close_element(nesting *in, const sb_xml_tag *tag, sb_error *err) {
  const sb_xml_span *name = &tag->name;
  if (in->depth == 0) {
    return sb_xml_at(err, name->line, name->column,
                     sb_fail(err, SB_ERR_XML, "</%.*s> closes nothing: no element is open",
                             sb_xml_shown(name), name->text));
  }
  const sb_xml_span *open = &in->open[--in->depth];
  if (open->length != name->length || memcmp(open->text, name->text, name->length) != 0) {
    return sb_xml_at(err, name->line, name->column,
                     sb_fail(err, SB_ERR_XML,
                             "</%.*s> does not match <%.*s>, opened in line %d, column %d",
                             sb_xml_shown(name), name->text, sb_xml_shown(open), open->text,
                             open->line, open->column));
  }
  return SB_OK;
}

static sb_status check_tags(const char *bytes, size_t size, sb_error *err) {
  sb_xml_cursor cursor = sb_xml_cursor_begin(bytes, size);
  SB_TRY(sb_xml_scan_declaration(&cursor, err));
  nesting in = {0};
  sb_xml_tag tag;
  for (;;) {
    SB_TRY(sb_xml_scan(&cursor, &tag, err));
    if (tag.kind == SB_XML_DONE) {
      break;
    }
    SB_TRY(tag.kind == SB_XML_CLOSE ? close_element(&in, &tag, err) : open_element(&in, &tag, err));
  }
  if (in.elements == 0) {
    return sb_xml_at(err, cursor.line, cursor.column,
                     sb_fail(err, SB_ERR_XML, "the file contains no element"));
  }
  if (in.depth > 0) {
    const sb_xml_span *open = &in.open[in.depth - 1];
    return sb_xml_at(
        err, open->line, open->column,
        sb_fail(err, SB_ERR_XML, "<%.*s> is never closed", sb_xml_shown(open), open->text));
  }
  return SB_OK;
}

sb_status sb_xml_check(const char *bytes, size_t size, sb_error *err) {
  if (size > SB_XML_SIZE_MAX) {
    return sb_fail(err, SB_ERR_TOO_LARGE, "the file is larger than %d bytes", SB_XML_SIZE_MAX);
  }
  if (size == 0) {
    return sb_xml_at(err, 1, 1, sb_fail(err, SB_ERR_XML, "the file is empty"));
  }
  SB_TRY(check_encoding(bytes, size, err));
  return check_tags(bytes, size, err);
}
