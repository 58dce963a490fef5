// SPDX-License-Identifier: GPL-3.0-or-later
// The places and hints of faults.
#include <stdio.h>
#include <string.h>

#include "netlist/nearest.h"
#include "netlist/reader.h"

enum { SUGGESTIONS_LENGTH = 160 };

/** A value of <defaults> is read for every element that takes it, and reported once. */
static bool is_known(const sb_errors *errors, const sb_error *err) {
  for (int i = 0; i < errors->count; i++) {
    const sb_error *known = &errors->items[i];
    if (known->line == err->line && known->column == err->column && known->status == err->status &&
        strcmp(known->text, err->text) == 0) {
      return true;
    }
  }
  return false;
}

static void report_at(sb_reader *reader, const char *file, int line, int column, sb_error *err) {
  (void)snprintf(err->file, sizeof err->file, "%s", file);
  err->line = line;
  err->column = column;
  if (!is_known(reader->errors, err)) {
    sb_errors_add(reader->errors, err);
  }
}

void sb_report_node(sb_reader *reader, const sb_xml_node *node, sb_error *err) {
  report_at(reader, reader->file, node->line, node->column, err);
}

void sb_report_item(sb_reader *reader, const sb_item *item, sb_error *err) {
  sb_report_node(reader, item->node, err);
}

void sb_report_name(sb_reader *reader, const sb_xml_attribute *attribute, sb_error *err) {
  report_at(reader, reader->file, attribute->line, attribute->column, err);
}

void sb_report_value(sb_reader *reader, const sb_setting *setting, sb_error *err) {
  if (setting->attribute == NULL) {
    char text[SB_ERROR_TEXT];
    (void)snprintf(text, sizeof text, "%s", err->text);
    (void)snprintf(err->text, sizeof err->text, "%.80s: %.380s", setting->override->id, text);
    report_at(reader, "--set", 0, 0, err);
    return;
  }
  int line, column;
  sb_xml_value_place(setting->attribute, err->column, &line, &column);
  report_at(reader, reader->file, line, column, err);
}

void sb_report_memory(sb_reader *reader) {
  sb_error err;
  (void)sb_fail(&err, SB_ERR_MEMORY, "out of memory");
  report_at(reader, reader->file, 0, 0, &err);
}

void sb_hint_id(const sb_reader *reader, const char *name, size_t length,
                bool (*fits)(const sb_item *item), sb_error *err) {
  if (reader->errors->count >= SB_ERRORS_MAX) {
    return; // nobody will see it
  }
  const char *nearest = NULL;
  int least = sb_nearest_cutoff(length) + 1;
  for (int i = 0; i < reader->item_count; i++) {
    const sb_item *item = &reader->items[i];
    if (item->id != NULL && item->tag != NULL && !(item->tag->flags & SB_TAG_LABEL) && fits(item)) {
      int cost = sb_nearest_distance(name, length, item->id, strlen(item->id));
      if (cost < least) {
        least = cost;
        nearest = item->id;
      }
    }
  }
  if (nearest != NULL) {
    sb_error_hint(err, "did you mean '%s'?", nearest);
  }
}

void sb_hint_word(const char *name, const char *const words[], int count, sb_error *err) {
  const char *nearest = sb_nearest(name, words, count);
  if (nearest != NULL) {
    sb_error_hint(err, "did you mean '%s'?", nearest);
    return;
  }
  char list[SUGGESTIONS_LENGTH] = "";
  size_t used = 0;
  for (int i = 0; i < count && used < sizeof list; i++) {
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", words[i]);
  }
  sb_error_hint(err, "one of: %s", list);
}

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
