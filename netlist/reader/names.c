// SPDX-License-Identifier: GPL-3.0-or-later
// Scopes, and the names that are looked up in them. All ids of a netlist are names of one table,
// but for the labels of results.
#include "netlist/reader/names.h"

#include <string.h>

#include "core/base/array.h"
#include "netlist/reader/report.h"

enum { ID_LENGTH_MAX = 80 }; // two of them make the id of a contact

int sb_add_scope(sb_reader *reader, const sb_scope *scope) {
  sb_scopes *all = &reader->scopes;
  if (!sb_append(&all->list, &all->count, &all->capacity, sizeof *scope, scope)) {
    sb_report_memory(reader);
    return -1;
  }
  return all->count - 1;
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

/** The length of an id before its indices. */
static size_t name_length(const char *id) {
  size_t length = 0;
  while (is_letter(id[length]) || (length > 0 && (is_digit(id[length]) || id[length] == '-'))) {
    length++;
  }
  return length;
}

sb_status sb_check_id_length(const char *id, sb_error *err) {
  const size_t length = name_length(id);
  if (length > ID_LENGTH_MAX) {
    return sb_fail(err, SB_ERR_TOO_LARGE, "an id has at most %d characters, and this one %zu",
                   ID_LENGTH_MAX, length);
  }
  return SB_OK;
}

sb_status sb_check_id(const char *id, sb_error *err) {
  SB_TRY(sb_check_id_length(id, err));
  const size_t good = name_length(id);
  if (good > 0 && id[good + index_length(id + good)] == '\0') {
    return SB_OK;
  }
  if (good > 0) {
    (void)sb_fail(err, SB_ERR_CHOICE, "'%.80s' cannot be an id", id);
  } else {
    (void)sb_fail(err, SB_ERR_CHOICE,
                  id[0] == '\0' ? "an id cannot be empty%s"
                                : "an id begins with a letter or '_', unlike '%.80s'",
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
  if (reader->scopes.list[setting->scope].index != NULL && strchr(setting->value, '[') == NULL) {
    sb_error_hint(&err, "in a repeat an id carries the index: %.80s[%s]", setting->value,
                  reader->scopes.list[setting->scope].index);
  }
  sb_report_value(reader, setting, &err);
  return false;
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

int sb_find_parameter(const sb_reader *reader, int scope, const char *name, size_t length) {
  int item = sb_scope_find_in(reader, scope, name, length);
  const char *id = item < 0 ? NULL : reader->tree.items[item].id;
  return id == NULL ? -1 : sb_names_find(&reader->parameters.ids, id, strlen(id));
}
