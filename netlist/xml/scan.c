// SPDX-License-Identifier: GPL-3.0-or-later
// The scanner, from tag to tag: comments and blanks are skipped, all else that is not a tag is
// refused.
#include <string.h>

#include "netlist/xml/scan_private.h"

enum { SHOWN_MAX = 60 };

sb_status sb_xml_at(sb_error *err, int line, int column, sb_status status) {
  if (err != NULL) {
    err->line = line;
    err->column = column;
  }
  return status;
}

sb_xml_cursor sb_xml_cursor_begin(const char *bytes, size_t size) {
  size_t mark = size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
  return (sb_xml_cursor){bytes + mark, bytes + size, 1, 1};
}

void sb_xml_cursor_move(sb_xml_cursor *cursor, size_t count) {
  for (const char *stop = cursor->at + count; cursor->at < stop; cursor->at++) {
    if (*cursor->at == '\n') {
      cursor->line++;
      cursor->column = 1;
    } else if (((unsigned char)*cursor->at & 0xC0) != 0x80) {
      cursor->column++;
    }
  }
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' ||
         (unsigned char)c >= 0x80;
}

static bool continues_name(char c) {
  return begins_name(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

bool sb_xml_skip_blanks(sb_xml_cursor *cursor) {
  const char *start = cursor->at;
  while (cursor->at < cursor->end && is_blank(*cursor->at)) {
    sb_xml_cursor_move(cursor, 1);
  }
  return cursor->at > start;
}

bool sb_xml_looking_at(const sb_xml_cursor *cursor, const char *text) {
  size_t length = strlen(text);
  return (size_t)(cursor->end - cursor->at) >= length && memcmp(cursor->at, text, length) == 0;
}

bool sb_xml_span_is(const sb_xml_span *span, const char *text) {
  return strlen(text) == span->length && memcmp(span->text, text, span->length) == 0;
}

int sb_xml_shown(const sb_xml_span *span) {
  size_t length = span->length;
  if (length > SHOWN_MAX) {
    length = SHOWN_MAX;
    while (((unsigned char)span->text[length] & 0xC0) == 0x80) {
      length--;
    }
  }
  return (int)length;
}

sb_status sb_xml_scan_name(sb_xml_cursor *cursor, const char *what, sb_xml_span *name,
                           sb_error *err) {
  *name = (sb_xml_span){cursor->at, 0, cursor->line, cursor->column};
  if (cursor->at >= cursor->end || !begins_name(*cursor->at)) {
    return sb_xml_at(err, cursor->line, cursor->column,
                     sb_fail(err, SB_ERR_XML, "%s is expected here", what));
  }
  while (cursor->at < cursor->end && continues_name(*cursor->at)) {
    sb_xml_cursor_move(cursor, 1);
  }
  name->length = (size_t)(cursor->at - name->text);
  if (name->length > SB_XML_NAME_MAX) {
    return sb_xml_at(
        err, name->line, name->column,
        sb_fail(err, SB_ERR_TOO_LARGE, "a name of more than %d bytes", SB_XML_NAME_MAX));
  }
  if (memchr(name->text, ':', name->length) != NULL || sb_xml_span_is(name, "xmlns")) {
    return sb_xml_at(err, name->line, name->column,
                     sb_fail(err, SB_ERR_FORBIDDEN, "'%.*s': a netlist has no namespaces",
                             sb_xml_shown(name), name->text));
  }
  return SB_OK;
}

static sb_status skip_comment(sb_xml_cursor *cursor, sb_error *err) {
  sb_xml_cursor start = *cursor;
  for (sb_xml_cursor_move(cursor, 4); cursor->at < cursor->end; sb_xml_cursor_move(cursor, 1)) {
    if (sb_xml_looking_at(cursor, "-->")) {
      sb_xml_cursor_move(cursor, 3);
      return SB_OK;
    }
    if (sb_xml_looking_at(cursor, "--")) {
      return sb_xml_at(err, cursor->line, cursor->column,
                       sb_fail(err, SB_ERR_XML, "'--' is not allowed inside a comment"));
    }
  }
  return sb_xml_at(err, start.line, start.column,
                   sb_fail(err, SB_ERR_XML, "the comment is not closed"));
}

/** Refuses what begins with "<!" or "<?" and is no comment. */
static sb_status refuse_markup(const sb_xml_cursor *cursor, sb_error *err) {
  sb_status status;
  if (sb_xml_looking_at(cursor, "<![CDATA[")) {
    status = sb_fail(err, SB_ERR_TEXT, "a netlist has no text: everything is in attributes");
  } else if (sb_xml_looking_at(cursor, "<!DOCTYPE")) {
    status = sb_fail(err, SB_ERR_FORBIDDEN, "a netlist has no DOCTYPE");
  } else if (sb_xml_looking_at(cursor, "<!ENTITY")) {
    status = sb_fail(err, SB_ERR_FORBIDDEN, "a netlist has no entities");
  } else if (sb_xml_looking_at(cursor, "<?xml ")) {
    status = sb_fail(err, SB_ERR_XML, "the XML declaration must be the first thing in the file");
  } else if (sb_xml_looking_at(cursor, "<?")) {
    status = sb_fail(err, SB_ERR_FORBIDDEN, "a netlist has no processing instructions");
  } else {
    status = sb_fail(err, SB_ERR_FORBIDDEN, "a netlist has no declarations");
  }
  return sb_xml_at(err, cursor->line, cursor->column, status);
}

/** Skips blanks and comments, up to the next tag or the end. */
static sb_status skip_to_tag(sb_xml_cursor *cursor, sb_error *err) {
  while (sb_xml_skip_blanks(cursor), cursor->at < cursor->end) {
    if (sb_xml_looking_at(cursor, "<!--")) {
      SB_TRY(skip_comment(cursor, err));
    } else if (sb_xml_looking_at(cursor, "<!") || sb_xml_looking_at(cursor, "<?")) {
      return refuse_markup(cursor, err);
    } else if (*cursor->at == '<') {
      return SB_OK;
    } else {
      return sb_xml_at(
          err, cursor->line, cursor->column,
          sb_fail(err, SB_ERR_TEXT, "a netlist has no text: everything is in attributes"));
    }
  }
  return SB_OK;
}

sb_status sb_xml_scan(sb_xml_cursor *cursor, sb_xml_tag *tag, sb_error *err) {
  SB_TRY(skip_to_tag(cursor, err));
  tag->attribute_count = 0;
  tag->name = (sb_xml_span){.line = cursor->line, .column = cursor->column};
  if (cursor->at >= cursor->end) {
    tag->kind = SB_XML_DONE;
    return SB_OK;
  }
  sb_xml_span name;
  tag->kind = sb_xml_looking_at(cursor, "</") ? SB_XML_CLOSE : SB_XML_OPEN;
  sb_xml_cursor_move(cursor, tag->kind == SB_XML_CLOSE ? 2 : 1);
  SB_TRY(sb_xml_scan_name(cursor, "the name of an element", &name, err));
  tag->name.text = name.text;
  tag->name.length = name.length;
  if (tag->kind == SB_XML_OPEN) {
    return sb_xml_scan_attributes(cursor, tag, err);
  }
  sb_xml_skip_blanks(cursor);
  if (!sb_xml_looking_at(cursor, ">")) {
    return sb_xml_at(err, cursor->line, cursor->column,
                     sb_fail(err, SB_ERR_XML, "'>' is expected here, after '</%.*s'",
                             sb_xml_shown(&name), name.text));
  }
  sb_xml_cursor_move(cursor, 1);
  return SB_OK;
}
