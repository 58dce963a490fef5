// SPDX-License-Identifier: GPL-3.0-or-later
// The names of a netlist: one scope for all ids but the labels of results.
#include <string.h>

#include "netlist/reader/expand_private.h"
#include "netlist/reader/report.h"

enum { ID_LENGTH_MAX = 80 }; // two of them make the id of a contact

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

bool sb_add_name(sb_reader *reader, sb_names *names, const char *key, int index,
                 const sb_setting *setting) {
  int first = sb_names_find(names, key, strlen(key));
  if (first < 0) {
    bool added = sb_names_add(names, key, index);
    if (!added) {
      sb_report_memory(reader);
    }
    return added;
  }
  const sb_item *other = &reader->tree.items[first];
  sb_error err;
  (void)sb_fail(&err, SB_ERR_DUPLICATE, "'%s' is the %s of a <%s> in line %d already",
                setting->value, setting->name, other->node->name, other->node->line);
  if (reader->scopes.list[setting->scope].index != NULL) {
    sb_error_hint(&err, "in a repeat an id carries the index: %.80s[%s]", setting->value,
                  reader->scopes.list[setting->scope].index);
  }
  sb_report_value(reader, setting, &err);
  return false;
}

/** An id as a path of the netlist: m1/R, and m1.elec of a port. NULL: out of memory. */
static const char *full_id(sb_reader *reader, const sb_item *item, const char *plain,
                           const char *value) {
  const sb_scope *scope = &reader->scopes.list[item->scope];
  if (scope->length == 0 && strcmp(plain, value) == 0) {
    return value;
  }
  size_t size = scope->length + strlen(plain) + 1;
  char *text = sb_arena_take(&reader->memory, size);
  if (text == NULL) {
    sb_report_memory(reader);
    return NULL;
  }
  memcpy(text, scope->path, scope->length);
  memcpy(text + scope->length, plain, size - scope->length);
  if (item->tag != NULL && item->tag->flags & SB_TAG_PORT && scope->length > 0) {
    text[scope->length - 1] = '.';
  }
  return text;
}

static void add_id(sb_reader *reader, int index) {
  sb_item *item = &reader->tree.items[index];
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
    return; // known apart, see submodels.c
  }
  item->id = full_id(reader, item, plain, setting->value);
  if (item->id == NULL) {
    return;
  }
  if (item->tag->flags & SB_TAG_LABEL) {
    const char *key = sb_reader_join(reader, item->node->name, item->id);
    if (key != NULL) {
      (void)sb_add_name(reader, &reader->names.labels, key, index, setting);
    }
  } else if (!sb_add_name(reader, &reader->names.ids, item->id, index, setting)) {
    item->id = NULL;
  }
}

void sb_read_names(sb_reader *reader, int first) {
  first = first < 1 ? 1 : first;
  for (int i = first; i < reader->tree.item_count; i++) {
    const sb_item *item = &reader->tree.items[i];
    if (item->tag != NULL && sb_item_in_defaults(reader, item)) {
      sb_add_class(reader, i);
    } else if (item->tag != NULL) {
      add_id(reader, i);
    }
  }
  for (int i = first; i < reader->tree.item_count; i++) {
    sb_item *item = &reader->tree.items[i];
    if (item->tag == NULL && item->id != NULL) {
      item->id = full_id(reader, item, item->id, item->id);
    }
    if (item->tag == NULL && item->id != NULL &&
        sb_scope_find(reader, item->id, strlen(item->id)) < 0 &&
        !sb_names_add(&reader->names.ids, item->id, i)) {
      sb_report_memory(reader);
    }
  }
}

int sb_scope_find_in(const sb_reader *reader, int scope, const char *name, size_t length) {
  const sb_scope *in = &reader->scopes.list[scope];
  char path[SB_PATH_MAX + 1];
  if (in->length == 0) {
    return sb_names_find(&reader->names.ids, name, length);
  }
  if (in->length + length > SB_PATH_MAX) {
    return -1;
  }
  memcpy(path, in->path, in->length);
  memcpy(path + in->length, name, length);
  return sb_names_find(&reader->names.ids, path, in->length + length);
}

int sb_scope_find(const sb_reader *reader, const char *name, size_t length) {
  return sb_names_find(&reader->names.ids, name, length);
}

int sb_find_signal(const sb_reader *reader, int scope, const char *name, size_t length) {
  int item = sb_scope_find_in(reader, scope, name, length);
  const sb_tag *tag = item < 0 ? NULL : reader->tree.items[item].tag;
  return tag != NULL && tag->flags & SB_TAG_SIGNAL ? item : -1;
}
