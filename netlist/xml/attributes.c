// SPDX-License-Identifier: GPL-3.0-or-later
// The inside of a tag: attributes, and the pseudo-attributes of the XML declaration.
#include <string.h>
#include <strings.h>

#include "netlist/xml/scan_private.h"

static bool is_digit(char c, bool hexadecimal) {
  return (c >= '0' && c <= '9') ||
         (hexadecimal && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')));
}

static bool is_name(char c) {
  return is_digit(c, false) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/** What XML 1.0 calls a Char. */
static bool is_allowed(unsigned code) {
  return code == '\t' || code == '\n' || code == '\r' || (code >= 0x20 && code < 0xD800) ||
         (code >= 0xE000 && code < 0xFFFE) || (code >= 0x10000 && code <= 0x10FFFF);
}

/** Refuses the reference at the cursor, whose name or number this is; what it lacks is a ';' if it
 *  is not closed. */
static sb_status refuse_reference(const sb_xml_cursor *cursor, const sb_xml_span *name, bool number,
                                  bool closed, sb_error *err) {
  sb_status status;
  if (!closed) {
    status = sb_fail(err, SB_ERR_XML, "'&' begins no known reference");
  } else if (number) {
    status = sb_fail(err, SB_ERR_XML, "'&#%.*s;' is not a character that XML allows",
                     sb_xml_shown(name), name->text);
  } else {
    status = sb_fail(err, SB_ERR_FORBIDDEN, "unknown entity '%.*s': a netlist has no entities",
                     sb_xml_shown(name), name->text);
  }
  sb_error_hint(err, "write &amp; for an ampersand");
  return sb_xml_at(err, cursor->line, cursor->column, status);
}

/** Checks that the reference at the cursor, such as &lt; or &#181;, needs no declaration. */
static sb_status check_reference(const sb_xml_cursor *cursor, sb_error *err) {
  static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (sb_xml_looking_at(cursor, known[i])) {
      return SB_OK;
    }
  }
  bool number = sb_xml_looking_at(cursor, "&#"), hexadecimal = sb_xml_looking_at(cursor, "&#x");
  const char *start = cursor->at + 1 + number;
  const char *digits = start + hexadecimal, *at = digits;
  unsigned code = 0;
  for (; at < cursor->end && (number ? is_digit(*at, hexadecimal) : is_name(*at)); at++) {
    unsigned digit = (unsigned)(*at <= '9' ? *at - '0' : (*at | 0x20) - 'a' + 10);
    code = code > 0x10FFFF ? code : code * (hexadecimal ? 16 : 10) + digit;
  }
  bool closed = at > digits && at < cursor->end && *at == ';';
  if (closed && number && is_allowed(code)) {
    return SB_OK;
  }
  sb_xml_span name = {start, (size_t)(at - start), 0, 0};
  return refuse_reference(cursor, &name, number, closed, err);
}

/** The value between quotation marks, of which the cursor is at the first. */
static sb_status scan_value(sb_xml_cursor *cursor, const sb_xml_span *name, sb_xml_span *value,
                            sb_error *err) {
  char quote = *cursor->at;
  sb_xml_cursor_move(cursor, 1);
  *value = (sb_xml_span){cursor->at, 0, cursor->line, cursor->column};
  for (; cursor->at < cursor->end && *cursor->at != quote; sb_xml_cursor_move(cursor, 1)) {
    if (*cursor->at == '<') {
      break;
    }
    if (*cursor->at == '&') {
      SB_TRY(check_reference(cursor, err));
    }
  }
  value->length = (size_t)(cursor->at - value->text);
  if (cursor->at >= cursor->end || *cursor->at == '<') {
    sb_status status = sb_fail(err, SB_ERR_XML, "the value of '%.*s' has no closing quotation mark",
                               sb_xml_shown(name), name->text);
    if (cursor->at < cursor->end) {
      sb_error_hint(err, "if '<' belongs to the value, write &lt;");
    }
    return sb_xml_at(err, value->line, value->column - 1, status);
  }
  if (value->length > SB_XML_ATTRIBUTE_LENGTH_MAX) {
    return sb_xml_at(err, name->line, name->column,
                     sb_fail(err, SB_ERR_TOO_LARGE, "the value of '%.*s' has more than %d bytes",
                             sb_xml_shown(name), name->text, SB_XML_ATTRIBUTE_LENGTH_MAX));
  }
  sb_xml_cursor_move(cursor, 1);
  return SB_OK;
}

/** name = "value" */
static sb_status scan_attribute(sb_xml_cursor *cursor, sb_xml_span *name, sb_xml_span *value,
                                sb_error *err) {
  SB_TRY(sb_xml_scan_name(cursor, "the name of an attribute", name, err));
  sb_xml_skip_blanks(cursor);
  if (!sb_xml_looking_at(cursor, "=")) {
    return sb_xml_at(err, cursor->line, cursor->column,
                     sb_fail(err, SB_ERR_XML, "'=' is expected here, after the attribute '%.*s'",
                             sb_xml_shown(name), name->text));
  }
  sb_xml_cursor_move(cursor, 1);
  sb_xml_skip_blanks(cursor);
  if (!sb_xml_looking_at(cursor, "\"") && !sb_xml_looking_at(cursor, "'")) {
    return sb_xml_at(err, cursor->line, cursor->column,
                     sb_fail(err, SB_ERR_XML, "the value of '%.*s' needs quotation marks",
                             sb_xml_shown(name), name->text));
  }
  return scan_value(cursor, name, value, err);
}

static sb_status add_attribute(sb_xml_cursor *cursor, sb_xml_tag *tag, sb_error *err) {
  int count = tag->attribute_count;
  if (count == SB_XML_ATTRIBUTES_MAX) {
    return sb_xml_at(err, cursor->line, cursor->column,
                     sb_fail(err, SB_ERR_TOO_LARGE, "<%.*s> has more than %d attributes",
                             sb_xml_shown(&tag->name), tag->name.text, SB_XML_ATTRIBUTES_MAX));
  }
  sb_xml_span *name = &tag->names[count];
  SB_TRY(scan_attribute(cursor, name, &tag->values[count], err));
  for (int i = 0; i < count; i++) {
    if (tag->names[i].length == name->length &&
        memcmp(tag->names[i].text, name->text, name->length) == 0) {
      return sb_xml_at(err, name->line, name->column,
                       sb_fail(err, SB_ERR_XML, "the attribute '%.*s' is given twice",
                               sb_xml_shown(name), name->text));
    }
  }
  tag->attribute_count++;
  return SB_OK;
}

/** No blank is before the next attribute: a value without its closing mark ends where the next one begins. */
static sb_status fail_joined(const sb_xml_cursor *cursor, const sb_xml_tag *tag, sb_error *err) {
  const int last = tag->attribute_count - 1;
  const sb_xml_span *value = last < 0 ? NULL : &tag->values[last];
  sb_status status = sb_fail(err, SB_ERR_XML, "a blank is expected here, inside '<%.*s'",
                             sb_xml_shown(&tag->name), tag->name.text);
  if (value != NULL && value->length > 0 && value->text[value->length - 1] == '=') {
    sb_error_hint(
        err, "the value of '%.*s' is '%.*s': its closing quotation mark seems to be missing",
        sb_xml_shown(&tag->names[last]), tag->names[last].text, sb_xml_shown(value), value->text);
  }
  return sb_xml_at(err, cursor->line, cursor->column, status);
}

sb_status sb_xml_scan_attributes(sb_xml_cursor *cursor, sb_xml_tag *tag, sb_error *err) {
  for (;;) {
    bool blank = sb_xml_skip_blanks(cursor);
    if (cursor->at >= cursor->end) {
      return sb_xml_at(err, tag->name.line, tag->name.column,
                       sb_fail(err, SB_ERR_XML, "the tag '<%.*s' has no closing '>'",
                               sb_xml_shown(&tag->name), tag->name.text));
    }
    if (sb_xml_looking_at(cursor, ">")) {
      sb_xml_cursor_move(cursor, 1);
      return SB_OK;
    }
    if (sb_xml_looking_at(cursor, "/>")) {
      tag->kind = SB_XML_EMPTY;
      sb_xml_cursor_move(cursor, 2);
      return SB_OK;
    }
    if (!blank) {
      return fail_joined(cursor, tag, err);
    }
    SB_TRY(add_attribute(cursor, tag, err));
  }
}

sb_status sb_xml_scan_declaration(sb_xml_cursor *cursor, sb_error *err) {
  if (!sb_xml_looking_at(cursor, "<?xml ")) {
    return SB_OK;
  }
  sb_xml_cursor start = *cursor;
  sb_xml_cursor_move(cursor, 5);
  while (sb_xml_skip_blanks(cursor), cursor->at < cursor->end && !sb_xml_looking_at(cursor, "?>")) {
    sb_xml_span name, value;
    SB_TRY(scan_attribute(cursor, &name, &value, err));
    if (sb_xml_span_is(&name, "encoding") &&
        (value.length != 5 || strncasecmp(value.text, "UTF-8", 5) != 0)) {
      return sb_xml_at(err, value.line, value.column,
                       sb_fail(err, SB_ERR_XML, "a netlist is encoded in UTF-8, not in '%.*s'",
                               sb_xml_shown(&value), value.text));
    }
    if (sb_xml_span_is(&name, "version") && !sb_xml_span_is(&value, "1.0")) {
      return sb_xml_at(err, value.line, value.column,
                       sb_fail(err, SB_ERR_XML, "a netlist is XML 1.0, not '%.*s'",
                               sb_xml_shown(&value), value.text));
    }
  }
  if (cursor->at >= cursor->end) {
    return sb_xml_at(err, start.line, start.column,
                     sb_fail(err, SB_ERR_XML, "the XML declaration is not closed"));
  }
  sb_xml_cursor_move(cursor, 2);
  return SB_OK;
}
