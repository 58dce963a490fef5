// SPDX-License-Identifier: GPL-3.0-or-later
// The places and hints of faults.
#include <stdio.h>
#include <string.h>

#include "netlist/nearest.h"
#include "netlist/reader/expand.h"
#include "netlist/reader/reader.h"

enum { SUGGESTIONS_LENGTH = 160 };

/** The length of the beginning of `known` that is `text` but for the numbers in brackets; 0: it does
 *  not begin with it. */
static size_t matching(const char *known, const char *text) {
  const char *at = known;
  while (*text != '\0' && *at == *text) {
    if (*at == '[') {
      at += 1 + strspn(at + 1, "-0123456789");
      text += 1 + strspn(text + 1, "-0123456789");
    } else {
      at++;
      text++;
    }
  }
  return *text == '\0' ? (size_t)(at - known) : 0;
}

/** A value of <defaults>, or one inside a sub-model or a repeat, is read for every element that takes
 *  it, and reported once. Behind the text there may be the use in which it was found first. */
static bool is_known(const sb_errors *errors, const sb_error *err) {
  for (int i = 0; i < errors->count; i++) {
    const sb_error *known = &errors->items[i];
    size_t length = matching(known->text, err->text);
    if (known->line == err->line && known->column == err->column && known->status == err->status &&
        length > 0 &&
        (known->text[length] == '\0' || strncmp(known->text + length, " (in '", 6) == 0) &&
        strcmp(known->file, err->file) == 0) {
      return true;
    }
  }
  return false;
}

/** Appends the path of uses. */
static void add_path(const sb_scope *scope, sb_error *err) {
  size_t length = strlen(err->text);
  if (scope->length > 0) {
    (void)snprintf(err->text + length, sizeof err->text - length, " (in '%.*s')",
                   (int)scope->length - 1, scope->path);
  }
}

static void report_at(sb_reader *reader, int scope, const char *file, int line, int column,
                      sb_error *err) {
  (void)snprintf(err->file, sizeof err->file, "%s", file);
  err->line = line;
  err->column = column;
  if (!is_known(reader->errors, err)) {
    add_path(&reader->scopes[scope], err);
    sb_errors_add(reader->errors, err);
  }
}

void sb_report_node(sb_reader *reader, int scope, const sb_xml_node *node, sb_error *err) {
  report_at(reader, scope, reader->scopes[scope].file, node->line, node->column, err);
}

void sb_report_item(sb_reader *reader, const sb_item *item, sb_error *err) {
  sb_report_node(reader, item->scope, item->node, err);
}

void sb_report_name(sb_reader *reader, int scope, const sb_xml_attribute *attribute,
                    sb_error *err) {
  report_at(reader, scope, reader->scopes[scope].file, attribute->line, attribute->column, err);
}

void sb_report_value(sb_reader *reader, const sb_setting *setting, sb_error *err) {
  if (setting->attribute == NULL) {
    char text[SB_ERROR_TEXT];
    (void)snprintf(text, sizeof text, "%s", err->text);
    (void)snprintf(err->text, sizeof err->text, "%.80s: %.380s", setting->override->id, text);
    report_at(reader, 0, "--set", 0, 0, err);
    return;
  }
  int line, column;
  sb_xml_value_place(setting->attribute, err->column, &line, &column);
  report_at(reader, setting->scope, reader->scopes[setting->scope].file, line, column, err);
}

void sb_report_memory(sb_reader *reader) {
  sb_error err;
  (void)sb_fail(&err, SB_ERR_MEMORY, "out of memory");
  (void)snprintf(err.file, sizeof err.file, "%s", reader->file);
  if (!is_known(reader->errors, &err)) {
    sb_errors_add(reader->errors, &err);
  }
}

void sb_hint_id_in(const sb_reader *reader, int scope, const char *name, size_t length,
                   bool (*fits)(const sb_item *item), sb_error *err) {
  if (reader->errors->count >= SB_ERRORS_MAX) {
    return; // nobody will see it
  }
  const char *path = reader->scopes[scope].path;
  size_t path_length = reader->scopes[scope].length;
  const char *nearest = NULL;
  int least = sb_nearest_cutoff(length) + 1;
  for (int i = 0; i < reader->item_count; i++) {
    const sb_item *item = &reader->items[i];
    if (item->id != NULL && item->tag != NULL && !(item->tag->flags & SB_TAG_LABEL) && fits(item) &&
        strncmp(item->id, path, path_length) == 0) {
      const char *id = item->id + path_length;
      int cost = sb_nearest_distance(name, length, id, strlen(id));
      if (cost < least) {
        least = cost;
        nearest = id;
      }
    }
  }
  if (nearest != NULL) {
    sb_error_hint(err, "did you mean '%s'?", nearest);
  }
}

void sb_hint_use(const sb_reader *reader, int item, const char *name, sb_error *err) {
  if (item >= 0 && sb_is_use(&reader->items[item])) {
    sb_error_hint(err, "'%s' is a use of a sub-model; what is inside is named as in %s/C1.e", name,
                  name);
  }
}

void sb_hint_id(const sb_reader *reader, const char *name, size_t length,
                bool (*fits)(const sb_item *item), sb_error *err) {
  sb_hint_id_in(reader, 0, name, length, fits, err);
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
