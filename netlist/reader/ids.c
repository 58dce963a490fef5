// SPDX-License-Identifier: GPL-3.0-or-later
// The ids of the items, as paths of the whole netlist.
#include "netlist/reader/ids_private.h"

#include <string.h>

#include "core/base/utf8.h"
#include "netlist/reader/defaults_private.h"
#include "netlist/reader/index.h"
#include "netlist/reader/names.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"
#include "netlist/reader/texts.h"
#include "netlist/reader/tree.h"

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"

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

/** The name in the brackets of an id outside of repeats, where no parameter is known yet; NULL: none. */
static const char *early_name(const sb_reader *reader, const sb_item *item, const char *value) {
  const char *open = strchr(value, '[');
  const char *name = open == NULL ? NULL : open + strcspn(open, LETTERS);
  return name == NULL || *name == '\0' || reader->scopes.list[item->scope].index != NULL ? NULL
                                                                                         : name;
}

static void report_early(sb_reader *reader, const sb_setting *setting, const char *name) {
  sb_error err;
  (void)sb_fail(&err, SB_ERR_REFERENCE,
                "'%.*s' in the brackets of an id that is in no repeat: ids with an index that is "
                "computed belong into a repeat",
                (int)strspn(name, LETTERS "0123456789"), name);
  sb_error_hint(&err, "write a whole number, or a <repeat> around it");
  err.column = sb_utf8_count(setting->value, (size_t)(name - setting->value)) + 1;
  sb_report_value(reader, setting, &err);
}

/** Whether an item is known by its id only. */
static bool needs_id(const sb_item *item) {
  const sb_attribute *row = item->tag->attributes;
  while (row != NULL && row->name != NULL && strcmp(row->name, "id") != 0) {
    row++;
  }
  return row != NULL && row->name != NULL && row->required;
}

static void add_id(sb_reader *reader, int index) {
  sb_item *item = &reader->tree.items[index];
  const sb_setting *setting = sb_item_own(reader, item, "id");
  if (setting == NULL) {
    reader->unfinished = reader->unfinished || needs_id(item);
    return;
  }
  sb_error err;
  char plain[SB_PATH_MAX + 1];
  if (sb_check_id_length(setting->value, &err) != SB_OK) {
    sb_report_value(reader, setting, &err);
    reader->unfinished = true;
    return;
  }
  const char *early = early_name(reader, item, setting->value);
  if (early != NULL) {
    report_early(reader, setting, early);
  }
  if (early != NULL ||
      !sb_plain_name(reader, setting, setting->value, strlen(setting->value), plain)) {
    reader->unfinished = true;
    return;
  }
  if (sb_check_id(plain, &err) != SB_OK) {
    sb_report_value(reader, setting, &err);
    reader->unfinished = true;
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
    int first = sb_names_find(&reader->names.ids, item->id, strlen(item->id));
    if (first >= 0) {
      reader->tree.items[first].contested = true;
    }
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
