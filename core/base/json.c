// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"

#include "core/base/utf8.h"

/** Writes one character of `text` and returns its bytes. */
static int put_character(sb_text *out, const char *text, size_t length) {
  static const char escaped[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
  int size = sb_utf8_decode(text, length, NULL);
  const char *found = size == 1 ? strchr(escaped, *text) : NULL;
  unsigned char c = (unsigned char)*text;
  if (size == 0) {
    sb_text_put(out, "\\ufffd");
  } else if (found != NULL) {
    sb_text_put(out, "\\%c", letters[found - escaped]);
  } else if (c < 0x20 || c == 0x7F) {
    sb_text_put(out, "\\u%04x", c);
  } else {
    sb_text_put(out, "%.*s", size, text);
  }
  return size > 0 ? size : 1;
}

void sb_json_quote(sb_text *out, const char *text) {
  if (text == NULL) {
    sb_text_put(out, "null");
    return;
  }
  sb_text_put(out, "\"");
  for (const char *end = text + strlen(text); text < end;) {
    text += put_character(out, text, (size_t)(end - text));
  }
  sb_text_put(out, "\"");
}
