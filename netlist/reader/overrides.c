// SPDX-License-Identifier: GPL-3.0-or-later
// What the command line sets: --set R0=VALUE for a parameter, --set C1.q0=VALUE for an attribute of
// the element with that id, --set run.rtol=VALUE for one that occurs at most once.
#include "netlist/reader/overrides_private.h"

#include <stdio.h>
#include <string.h>

#include "core/base/nearest.h"
#include "netlist/reader/hints.h"
#include "netlist/reader/names.h"
#include "netlist/reader/settings.h"
#include "netlist/reader/tree.h"

static void report(sb_reader *reader, sb_error *err) {
  (void)snprintf(err->file, sizeof err->file, "--set");
  sb_errors_add(reader->errors, err);
}

static bool is_parameter(const sb_item *item) {
  return strcmp(item->node->name, "param") == 0;
}
static bool is_element(const sb_item *item) {
  return !is_parameter(item);
}

static bool occurs_once(const sb_tag *tag) {
  return tag->flags & SB_TAG_ONCE && strncmp(tag->parents, "screwbond", 9) == 0;
}

/** The item by its id, or by its name if it occurs at most once. */
static sb_item *find_item(const sb_reader *reader, const char *name, size_t length) {
  int index = sb_scope_find(reader, name, length);
  if (index >= 0) {
    return &reader->tree.items[index];
  }
  for (int i = reader->tree.items[0].first_child; i >= 0; i = reader->tree.items[i].next) {
    const sb_tag *tag = reader->tree.items[i].tag;
    if (tag != NULL && occurs_once(tag) && strlen(tag->name) == length &&
        memcmp(tag->name, name, length) == 0) {
      return &reader->tree.items[i];
    }
  }
  return NULL;
}

static sb_status no_match(const sb_reader *reader, const sb_override *set, size_t length,
                          bool parameter, sb_error *err) {
  (void)sb_fail(err, SB_ERR_OVERRIDE, "'%.80s' matches nothing: there is no %s '%.*s'", set->id,
                parameter ? "parameter" : "element", (int)(length > 80 ? 80 : length), set->id);
  sb_hint_id(reader, set->id, length, parameter ? is_parameter : is_element, err);
  for (const sb_tag *tag = sb_tags; err->hint[0] == '\0' && tag->name != NULL; tag++) {
    if (occurs_once(tag) && sb_nearest_distance(set->id, length, tag->name, strlen(tag->name)) <=
                                sb_nearest_cutoff(length)) {
      sb_error_hint(err, parameter ? "an attribute is written %s.ATTRIBUTE" : "did you mean '%s'?",
                    tag->name);
    }
  }
  if (err->hint[0] == '\0' && parameter) {
    sb_error_hint(err, "an attribute is written ELEMENT.ATTRIBUTE");
  }
  return err->status;
}

/** The rows of an attribute that may be set. */
static sb_status find_rows(const sb_item *item, const char *name, const sb_attribute **text,
                           const sb_param **row, sb_error *err) {
  *row = sb_schema_value(sb_item_values(item), name);
  *text = *row != NULL ? NULL : sb_schema_attribute(item->tag, name);
  if (*row != NULL || (*text != NULL && (*text)->kind != SB_ATTRIBUTE_RESERVED &&
                       (*text)->kind != SB_ATTRIBUTE_ID)) {
    return SB_OK;
  }
  if (*text != NULL) {
    return sb_fail(err, SB_ERR_OVERRIDE, "'%s' of <%s> cannot be set", name, item->node->name);
  }
  char hint[SB_ERROR_HINT];
  (void)sb_fail(err, SB_ERR_OVERRIDE, "<%s> has no attribute '%.80s' to set", item->node->name,
                name);
  sb_schema_hint_attribute(item->tag, sb_item_values(item), name, hint, sizeof hint);
  sb_error_hint(err, "%s", hint);
  return err->status;
}

/** The parameter that "m1.Ra" sets, of a use that is expanded already; NULL: none. */
static sb_item *find_inner(const sb_reader *reader, const sb_item *use, const char *name) {
  char path[SB_PATH_MAX + 1];
  int length = snprintf(path, sizeof path, "%s%s", reader->scopes.list[use->inner].path, name);
  int index = length > SB_PATH_MAX ? -1 : sb_scope_find(reader, path, strlen(path));
  return index >= 0 && is_parameter(&reader->tree.items[index]) ? &reader->tree.items[index] : NULL;
}

static sb_status no_parameter(const sb_reader *reader, const sb_override *set, const sb_item *use,
                              const char *name, sb_error *err) {
  (void)sb_fail(err, SB_ERR_OVERRIDE,
                "'%.80s' matches nothing: the sub-model '%s' of '%s' has no "
                "parameter '%.80s'",
                set->id, reader->submodels.list[reader->scopes.list[use->inner].submodel].id,
                use->id, name);
  sb_hint_id_in(reader, use->inner, name, strlen(name), is_parameter, err);
  return err->status;
}

/** Replaces the setting of a row, or adds one. */
static void set_value(sb_reader *reader, sb_item *item, const char *name, const sb_override *set,
                      const sb_attribute *text, const sb_param *row) {
  sb_setting *setting = NULL;
  for (int i = item->first_setting; i >= 0 && setting == NULL; i = reader->tree.settings[i].next) {
    sb_setting *s = &reader->tree.settings[i];
    setting = (row != NULL && s->row == row) || (text != NULL && s->text == text) ? s : NULL;
  }
  int next = setting == NULL ? -1 : setting->next;
  setting = setting == NULL ? sb_item_add_setting(reader, item) : setting;
  if (setting != NULL) {
    *setting = (sb_setting){.name = text != NULL ? text->name : name,
                            .value = set->value,
                            .override = set,
                            .text = text,
                            .row = row,
                            .next = next};
  }
}

/** Applies one, if its item is there; *done tells whether it need not be tried again.
 *  @param last  all items are there */
static sb_status apply(sb_reader *reader, const sb_override *set, bool last, bool *done,
                       sb_error *err) {
  const char *dot = strrchr(set->id, '.');
  size_t length = dot == NULL ? strlen(set->id) : (size_t)(dot - set->id);
  const char *name = dot == NULL ? "value" : dot + 1;
  sb_item *item = find_item(reader, set->id, length);
  bool waits = item == NULL || (sb_is_use(item) && item->inner < 0);
  if (waits && !last) {
    *done = false;
    return SB_OK;
  }
  if (item != NULL && (item->tag == NULL || waits)) {
    return SB_OK; // already reported
  }
  if (item != NULL && sb_is_use(item) && dot != NULL) {
    const sb_item *use = item;
    item = find_inner(reader, use, name);
    if (item == NULL) {
      return no_parameter(reader, set, use, name, err);
    }
    name = "value";
    dot = NULL;
  }
  if (item == NULL || (dot == NULL && !is_parameter(item))) {
    return no_match(reader, set, length, dot == NULL, err);
  }
  const sb_attribute *text;
  const sb_param *row;
  SB_TRY(find_rows(item, name, &text, &row, err));
  set_value(reader, item, name, set, text, row);
  return SB_OK;
}

void sb_read_overrides(sb_reader *reader, bool last) {
  for (int i = 0; i < reader->overrides.count; i++) {
    sb_error err = {0};
    bool done = true;
    if (reader->overrides.applied[i]) {
      continue;
    }
    if (apply(reader, &reader->overrides.list[i], last, &done, &err) != SB_OK) {
      report(reader, &err);
    }
    reader->overrides.applied[i] = done;
  }
}
