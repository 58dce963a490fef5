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

/** The bytes at the beginning that need no escape and are characters of their own. */
static size_t plain_length(const char *text) {
  size_t length = 0;
  while (text[length] >= 0x20 && text[length] < 0x7F && text[length] != '"' &&
         text[length] != '\\') {
    length++;
  }
  return length;
}

bool sb_json_is_plain(const char *text) {
  return text[plain_length(text)] == '\0';
}

void sb_json_quote(sb_text *out, const char *text) {
  if (text == NULL) {
    sb_text_put(out, "null");
    return;
  }
  sb_text_add(out, "\"", 1);
  for (const char *end = text + strlen(text); text < end;) {
    const size_t plain = plain_length(text); // all of it, mostly
    sb_text_add(out, text, plain);
    text += plain > 0 ? (int)plain : put_character(out, text, (size_t)(end - text));
  }
  sb_text_add(out, "\"", 1);
}
