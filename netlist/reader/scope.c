// SPDX-License-Identifier: GPL-3.0-or-later
// The names of a netlist: one scope for all ids but the labels of results, and the classes of
// <defaults>.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/array_private.h"
#include "netlist/reader/expand.h"

enum { ID_LENGTH_MAX = 80 }; // two of them make the id of a contact

char *sb_reader_keep(sb_reader *reader, char *text) {
  if (text == NULL ||
      !sb_grow(&reader->texts, &reader->text_capacity, reader->text_count + 1, sizeof(char *))) {
    sb_report_memory(reader);
    free(text);
    return NULL;
  }
  reader->texts[reader->text_count++] = text;
  return text;
}

char *sb_reader_join(sb_reader *reader, const char *a, const char *b) {
  size_t size = strlen(a) + strlen(b) + 2;
  char *text = malloc(size);
  if (text != NULL) {
    (void)snprintf(text, size, "%s %s", a, b);
  }
  return sb_reader_keep(reader, text);
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/** The length of indices such as [3][4]. */
static size_t index_length(const char *text) {
  size_t length = 0;
  while (text[length] == '[') {
    size_t digits = length + 1 + (text[length + 1] == '-'), end = digits;
    while (is_digit(text[end])) {
      end++;
    }
    if (end == digits || text[end] != ']') {
      break;
    }
    length = end + 1;
  }
  return length;
}

sb_status sb_check_id(const char *id, sb_error *err) {
  size_t good = 0;
  while (is_letter(id[good]) || (good > 0 && (is_digit(id[good]) || id[good] == '-'))) {
    good++;
  }
  if (good > ID_LENGTH_MAX) {
    return sb_fail(err, SB_ERR_TOO_LARGE, "an id has at most %d characters", ID_LENGTH_MAX);
  }
  if (good > 0 && id[good + index_length(id + good)] == '\0') {
    return SB_OK;
  }
  if (good > 0) {
    (void)sb_fail(err, SB_ERR_CHOICE, "'%.80s' cannot be an id", id);
  } else {
    (void)sb_fail(err, SB_ERR_CHOICE,
                  id[0] == '\0' ? "an id cannot be empty%s"
                                : "an id begins with a letter or '_', not as '%.80s'",
                  id);
  }
  err->column = (int)good + 1;
  sb_error_hint(err, "letters, digits, '_' and '-'");
  return SB_ERR_CHOICE;
}

/** @return false: another has the name, or out of memory; reported */
static bool add_name(sb_reader *reader, sb_names *names, const char *key, int index,
                     const sb_setting *setting) {
  int first = sb_names_find(names, key, strlen(key));
  if (first < 0) {
    bool added = sb_names_add(names, key, index);
    if (!added) {
      sb_report_memory(reader);
    }
    return added;
  }
  const sb_item *other = &reader->items[first];
  sb_error err;
  (void)sb_fail(&err, SB_ERR_DUPLICATE, "'%s' is the %s of a <%s> in line %d already",
                setting->value, setting->name, other->node->name, other->node->line);
  if (reader->scopes[setting->scope].index != NULL) {
    sb_error_hint(&err, "in a repeat an id carries the index: %.80s[%s]", setting->value,
                  reader->scopes[setting->scope].index);
  }
  sb_report_value(reader, setting, &err);
  return false;
}

/** An id as a path of the netlist: m1/R, and m1.elec of a port. NULL: out of memory. */
static const char *full_id(sb_reader *reader, const sb_item *item, const char *plain,
                           const char *value) {
  const sb_scope *scope = &reader->scopes[item->scope];
  if (scope->length == 0 && strcmp(plain, value) == 0) {
    return value;
  }
  size_t size = scope->length + strlen(plain) + 1;
  char *text = sb_reader_keep(reader, malloc(size));
  if (text != NULL) {
    memcpy(text, scope->path, scope->length);
    memcpy(text + scope->length, plain, size - scope->length);
    if (item->tag != NULL && item->tag->flags & SB_TAG_PORT && scope->length > 0) {
      text[scope->length - 1] = '.';
    }
  }
  return text;
}

static void add_id(sb_reader *reader, int index) {
  sb_item *item = &reader->items[index];
  const sb_setting *setting = sb_item_own(reader, item, "id");
  if (setting == NULL) {
    return;
  }
  sb_error err;
  char plain[SB_PATH_MAX + 1];
  if (!sb_plain_name(reader, setting, setting->value, strlen(setting->value), plain)) {
    return;
  }
  if (sb_check_id(plain, &err) != SB_OK) {
    sb_report_value(reader, setting, &err);
    return;
  }
  if (item->tag->flags & SB_TAG_DEFINITION) {
    return; // known apart, see expand.c
  }
  item->id = full_id(reader, item, plain, setting->value);
  if (item->id == NULL) {
    return;
  }
  if (item->tag->flags & SB_TAG_LABEL) {
    const char *key = sb_reader_join(reader, item->node->name, item->id);
    if (key != NULL) {
      (void)add_name(reader, &reader->labels, key, index, setting);
    }
  } else if (!add_name(reader, &reader->ids, item->id, index, setting)) {
    item->id = NULL;
  }
}

/** A kind within its scope: a sub-model has classes of its own. NULL: out of memory. */
static const char *class_key(sb_reader *reader, const sb_item *item, const char *kind) {
  const sb_scope *scope = &reader->scopes[item->scope];
  return scope->length == 0 ? kind : sb_reader_join(reader, scope->path, kind);
}

/** An item of <defaults>: the class of a kind, or the kind itself. */
static void add_class(sb_reader *reader, int index) {
  const sb_item *item = &reader->items[index];
  const sb_setting *id = sb_item_own(reader, item, "id");
  const sb_setting *class = sb_item_own(reader, item, "class");
  sb_error err;
  if (id != NULL) {
    (void)sb_fail(&err, SB_ERR_ATTRIBUTE, "<%s> in <defaults> makes no element and has no id",
                  item->node->name);
    sb_error_hint(&err, "name a class by the attribute 'class'");
    sb_report_name(reader, item->scope, id->attribute, &err);
  }
  const char *kind = class_key(reader, item, item->node->name);
  if (kind == NULL) {
    return;
  }
  if (class != NULL) {
    const char *key = sb_reader_join(reader, kind, class->value);
    if (key != NULL) {
      (void)add_name(reader, &reader->classes, key, index, class);
    }
    return;
  }
  int first = sb_names_find(&reader->classes, kind, strlen(kind));
  if (first >= 0) {
    (void)sb_fail(&err, SB_ERR_DUPLICATE,
                  "a second <%s> without a class in <defaults>; the first "
                  "is in line %d",
                  item->node->name, reader->items[first].node->line);
    sb_report_item(reader, item, &err);
  } else if (!sb_names_add(&reader->classes, kind, index)) {
    sb_report_memory(reader);
  }
}

/** Links an item to what it takes from <defaults>. */
static void link_defaults(sb_reader *reader, sb_item *item) {
  const char *kind = strcmp(item->node->name, "contacts") == 0 ? "contact" : item->node->name;
  const char *name = kind;
  const sb_setting *class = sb_item_own(reader, item, "class");
  if (class == NULL && reader->classes.count == 0) {
    return;
  }
  kind = class_key(reader, item, kind);
  item->of_kind = kind == NULL ? -1 : sb_names_find(&reader->classes, kind, strlen(kind));
  if (class == NULL || kind == NULL) {
    return;
  }
  char *key = sb_reader_join(reader, kind, class->value);
  item->of_class = key == NULL ? -1 : sb_names_find(&reader->classes, key, strlen(key));
  if (item->of_class < 0) {
    sb_error err;
    (void)sb_fail(&err, SB_ERR_REFERENCE, "<defaults> has no class '%.80s' of <%s>", class->value,
                  name);
    sb_report_value(reader, class, &err);
  }
}

static bool in_defaults(const sb_reader *reader, const sb_item *item) {
  return item->parent >= 0 && strcmp(reader->items[item->parent].node->name, "defaults") == 0;
}

void sb_read_names(sb_reader *reader, int first) {
  first = first < 1 ? 1 : first;
  for (int i = first; i < reader->item_count; i++) {
    const sb_item *item = &reader->items[i];
    if (item->tag != NULL && in_defaults(reader, item)) {
      add_class(reader, i);
    } else if (item->tag != NULL) {
      add_id(reader, i);
    }
  }
  for (int i = first; i < reader->item_count; i++) {
    sb_item *item = &reader->items[i];
    if (item->tag == NULL && item->id != NULL) {
      item->id = full_id(reader, item, item->id, item->id);
    }
    if (item->tag == NULL && item->id != NULL &&
        sb_scope_find(reader, item->id, strlen(item->id)) < 0 &&
        !sb_names_add(&reader->ids, item->id, i)) {
      sb_report_memory(reader);
    }
  }
}

void sb_link_defaults(sb_reader *reader) {
  for (int i = 1; i < reader->item_count; i++) {
    sb_item *item = &reader->items[i];
    if (item->tag != NULL && !in_defaults(reader, item)) {
      link_defaults(reader, item);
    }
  }
}

int sb_scope_find_in(const sb_reader *reader, int scope, const char *name, size_t length) {
  const sb_scope *in = &reader->scopes[scope];
  char path[SB_PATH_MAX + 1];
  if (in->length == 0) {
    return sb_names_find(&reader->ids, name, length);
  }
  if (in->length + length > SB_PATH_MAX) {
    return -1;
  }
  memcpy(path, in->path, in->length);
  memcpy(path + in->length, name, length);
  return sb_names_find(&reader->ids, path, in->length + length);
}

int sb_scope_find(const sb_reader *reader, const char *name, size_t length) {
  return sb_names_find(&reader->ids, name, length);
}
