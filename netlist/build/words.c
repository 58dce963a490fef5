// SPDX-License-Identifier: GPL-3.0-or-later
// Lists: the names in one value, and the entries that a section makes.
#include "netlist/build/words_private.h"

#include <stdio.h>
#include <string.h>

#include "netlist/reader/report.h"
#include "netlist/reader/tree.h"

/** Characters of UTF-8 up to `end`. */
static int characters(const char *start, const char *end) {
  int count = 0;
  for (; start < end; start++) {
    count += ((unsigned char)*start & 0xC0U) != 0x80U;
  }
  return count;
}

bool sb_next_word(const char *text, sb_word *word) {
  static const char blanks[] = " \t\r\n";
  const char *from = word->start == NULL ? text : word->start + word->length;
  const char *start = from + strspn(from, blanks);
  int column = word->start == NULL ? 1 : word->column;
  word->column = column + characters(word->start == NULL ? text : word->start, start);
  word->start = start;
  word->length = strcspn(start, blanks);
  return word->length > 0;
}

void sb_word_place(const sb_setting *setting, int column, int *line, int *place) {
  *line = 0;
  *place = 0;
  if (setting->attribute != NULL) {
    sb_xml_value_place(setting->attribute, column, line, place);
  }
}

void *sb_new_list(sb_reader *reader, const char *tags, size_t size) {
  int count = 0;
  for (sb_word tag = {0}; sb_next_word(tags, &tag);) {
    char name[SB_SCHEMA_NAME];
    (void)snprintf(name, sizeof name, "%.*s", (int)tag.length, tag.start);
    for (const sb_item *item = sb_next_item(reader, NULL, name); item != NULL;
         item = sb_next_item(reader, item, name)) {
      count++;
    }
  }
  void *list = sb_arena_zeroed(&reader->memory, count, size);
  if (list == NULL) {
    sb_report_memory(reader);
  }
  return list;
}
