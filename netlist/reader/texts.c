// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that live as long as the reader.
#include "netlist/reader/texts.h"

#include <stdio.h>
#include <string.h>

#include "netlist/reader/report.h"

const char *sb_reader_keep(sb_reader *reader, const char *text, size_t length) {
  const char *copy = sb_arena_copy(&reader->memory, text, length);
  if (copy == NULL) {
    sb_report_memory(reader);
  }
  return copy;
}

const char *sb_reader_join(sb_reader *reader, const char *a, const char *b) {
  size_t size = strlen(a) + strlen(b) + 2;
  char *text = sb_arena_take(&reader->memory, size);
  if (text == NULL) {
    sb_report_memory(reader);
    return NULL;
  }
  (void)snprintf(text, size, "%s %s", a, b);
  return text;
}
