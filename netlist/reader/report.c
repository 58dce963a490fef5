// SPDX-License-Identifier: GPL-3.0-or-later
// Reports errors with their places, each once.
#include "netlist/reader/report.h"

#include <stdio.h>
#include <string.h>

/** The length of the beginning of `known` that is `text` but for the numbers in brackets; 0: it
 *  does not begin with it. */
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

/** What a text says but for the element that it says it of, "R 'R1': ". */
static const char *body_of(const char *text) {
  const char *colon = strstr(text, "': ");
  return colon == NULL ? text : colon + 3;
}

/** A value of <defaults>, or one inside a sub-model or a repeat, is read for every element that
 *  takes it, and reported once. The use in which it was found first may follow its text. */
static bool is_known(const sb_errors *errors, const sb_error *err) {
  for (int i = 0; i < errors->count; i++) {
    const sb_error *known = &errors->items[i];
    const char *text = body_of(known->text);
    size_t length = matching(text, body_of(err->text));
    if (known->line == err->line && known->column == err->column && known->status == err->status &&
        length > 0 && (text[length] == '\0' || strncmp(text + length, " (in '", 6) == 0) &&
        strcmp(known->file, err->file) == 0) {
      return true;
    }
  }
  return false;
}

bool sb_is_reported(const sb_reader *reader, const sb_error *err) {
  for (int i = 0; i < reader->errors->count; i++) {
    if (strcmp(reader->errors->items[i].text, err->text) == 0) {
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

static void place(const char *file, int line, int column, sb_error *err) {
  (void)snprintf(err->file, sizeof err->file, "%s", file);
  err->line = line;
  err->column = column;
}

sb_error *sb_report_words(const sb_reader *reader, sb_error *err) {
  return reader->errors->count < SB_ERRORS_MAX ? err : NULL;
}

static void report_at(const sb_reader *reader, int scope, const char *file, int line, int column,
                      sb_error *err) {
  place(file, line, column, err);
  sb_errors *list = err->warning ? reader->warnings : reader->errors;
  if (list->count >= SB_ERRORS_MAX) { // it is counted only
    sb_errors_add(list, err);
  } else if (!is_known(list, err)) {
    add_path(&reader->scopes.list[scope], err);
    sb_errors_add(list, err);
  }
}

void sb_report_node(const sb_reader *reader, int scope, const sb_xml_node *node, sb_error *err) {
  report_at(reader, scope, reader->scopes.list[scope].file, node->line, node->column, err);
}

void sb_report_item(const sb_reader *reader, const sb_item *item, sb_error *err) {
  sb_report_node(reader, item->scope, item->node, err);
}

void sb_report_name(const sb_reader *reader, int scope, const sb_xml_attribute *attribute,
                    sb_error *err) {
  report_at(reader, scope, reader->scopes.list[scope].file, attribute->line, attribute->column,
            err);
}

/** "the sigma0 of the friction 'bristle-dwell': what is wrong", or in place of a name at the beginning. */
static void add_subject(const sb_subject *subject, sb_error *err) {
  char text[SB_ERROR_TEXT];
  const char *name = subject->name;
  if (name == NULL) {
    return;
  }
  const size_t length = strlen(name);
  const bool begins = strncmp(err->text, name, length) == 0 && err->text[length] == ' ';
  (void)snprintf(text, sizeof text, "the %.80s of the %s%s%.300s", name, subject->owner,
                 begins ? "" : ": ", begins ? err->text + length : err->text);
  (void)snprintf(err->text, sizeof err->text, "%s", text);
}

/** The item that a value was written at, or was taken over from; NULL: not known. */
static const sb_item *item_of(const sb_item_tree *tree, const sb_setting *setting) {
  for (int i = 0; i < tree->item_count; i++) {
    for (int k = tree->items[i].first_setting; k >= 0; k = tree->settings[k].next) {
      if (tree->settings[k].attribute == setting->attribute &&
          tree->settings[k].scope == setting->scope) {
        return &tree->items[i];
      }
    }
  }
  return NULL;
}

/** "R 'R1': what is wrong", "shape of body 'ball': what is wrong"; not twice, and not if nothing around has an id.
 *  Where the item is used the end of the text tells. */
static void add_item(const sb_reader *reader, const sb_setting *setting, sb_error *err) {
  const sb_item_tree *tree = &reader->tree;
  const sb_item *item = reader->errors->count < SB_ERRORS_MAX ? item_of(tree, setting) : NULL,
                *named = item;
  while (named != NULL && named->id == NULL) {
    named = named->parent > 0 ? &tree->items[named->parent] : NULL; // the root's is the model's
  }
  if (named == NULL || item->parent < 0) {
    return;
  }
  char text[SB_ERROR_TEXT], quoted[SB_PATH_MAX + 4];
  const char *slash = strrchr(named->id, '/'), *id = slash == NULL ? named->id : slash + 1;
  const size_t length = strlen(id);
  (void)snprintf(quoted, sizeof quoted, "'%s'", id);
  const bool begins = strncmp(err->text, id, length) == 0 && err->text[length] == ' ';
  if (strstr(err->text, quoted) != NULL ||
      (begins &&
       strcmp(id, setting->attribute->name) != 0)) { // "r must be ..." says it of an R 'r', too
    return;
  }
  (void)snprintf(text, sizeof text, "%s%s%s %.80s: %.380s", item->node->name,
                 named == item ? "" : " of ", named == item ? "" : named->node->name, quoted,
                 err->text);
  (void)snprintf(err->text, sizeof err->text, "%s", text);
}

void sb_report_value(const sb_reader *reader, const sb_setting *setting, sb_error *err) {
  sb_errors *list = err->warning ? reader->warnings : reader->errors;
  if (list->count >=
      SB_ERRORS_MAX) { // it is counted only: of 100,000 names in a list, each would be sought from its beginning
    sb_errors_add(list, err);
    return;
  }
  add_subject(&reader->subject, err);
  if (setting->attribute == NULL) {
    char text[SB_ERROR_TEXT];
    (void)snprintf(text, sizeof text, "%s", err->text);
    (void)snprintf(err->text, sizeof err->text, "%.80s: %.380s", setting->override->id, text);
    report_at(reader, 0, "--set", 0, 0, err);
    return;
  }
  int line, column;
  const char *file = reader->scopes.list[setting->scope].file;
  sb_xml_value_place(setting->attribute, err->column, &line, &column);
  place(file, line, column, err);
  if (!is_known(list, err)) { // before the element is sought: a repeat makes one error many times
    add_item(reader, setting, err);
    report_at(reader, setting->scope, file, line, column, err);
  }
}

void sb_report_memory(const sb_reader *reader) {
  sb_error err;
  (void)sb_fail(&err, SB_ERR_MEMORY, "out of memory");
  (void)snprintf(err.file, sizeof err.file, "%s", reader->files.name);
  if (!is_known(reader->errors, &err)) {
    sb_errors_add(reader->errors, &err);
  }
}
