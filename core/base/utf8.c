// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/utf8.h"

int sb_utf8_decode(const char *text, size_t length, unsigned *code) {
  unsigned first = (unsigned char)text[0];
  int size = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (size == 0 || first > 0xF4 || (size_t)size > length) {
    return 0;
  }
  unsigned point = size == 1 ? first : first & (0x7FU >> size);
  for (int i = 1; i < size; i++) {
    unsigned next = (unsigned char)text[i];
    if ((next & 0xC0) != 0x80) {
      return 0;
    }
    point = point << 6 | (next & 0x3F);
  }
  // Overlong forms of two bytes begin with C0 or C1 and are gone already.
  if ((size == 3 && point < 0x800) || (size == 4 && point < 0x10000) || point > 0x10FFFF ||
      (point >= 0xD800 && point <= 0xDFFF)) {
    return 0;
  }
  if (code != NULL) {
    *code = point;
  }
  return size;
}

int sb_utf8_count(const char *text, size_t length) {
  int count = 0;
  for (size_t i = 0; i < length; count++) {
    int size = sb_utf8_decode(text + i, length - i, NULL);
    i += size > 0 ? (size_t)size : 1;
  }
  return count;
}
