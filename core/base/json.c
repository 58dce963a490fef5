// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/base/utf8.h"

/** Where text goes; what does not fit is counted only. */
typedef struct sink {
  char *buffer;
  size_t size, length;
  bool full;
} sink;

static void put(sink *out, const char *bytes, size_t count) {
  out->full = out->full || out->length + count >= out->size;
  if (!out->full) {
    memcpy(out->buffer + out->length, bytes, count);
    out->buffer[out->length + count] = '\0';
  }
  out->length += count;
}

/** Writes one character of `text` and returns its bytes. */
static size_t put_character(sink *out, const char *text, size_t length) {
  static const char escaped[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
  int size = sb_utf8_decode(text, length, NULL);
  if (size == 0) {
    put(out, "\\ufffd", 6);
    return 1;
  }
  const char *found = size == 1 ? strchr(escaped, *text) : NULL;
  unsigned char c = (unsigned char)*text;
  if (found != NULL) {
    put(out, (char[]){'\\', letters[found - escaped]}, 2);
  } else if (c < 0x20 || c == 0x7F) {
    char hex[7];
    (void)snprintf(hex, sizeof hex, "\\u%04x", c);
    put(out, hex, 6);
  } else {
    put(out, text, (size_t)size);
  }
  return (size_t)size;
}

int sb_json_quote(const char *text, char *buffer, size_t size) {
  sink out = {buffer, size, 0, false};
  if (size > 0) {
    buffer[0] = '\0';
  }
  if (text == NULL) {
    put(&out, "null", 4);
    return (int)out.length;
  }
  size_t length = strlen(text);
  put(&out, "\"", 1);
  for (size_t i = 0; i < length;) {
    i += put_character(&out, text + i, length - i);
  }
  put(&out, "\"", 1);
  return (int)out.length;
}
