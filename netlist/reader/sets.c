// SPDX-License-Identifier: GPL-3.0-or-later
// What a use sets in its sub-model: parameters, and signals that are inputs.
#include "netlist/reader/sets_private.h"

#include <stdio.h>
#include <string.h>

#include "core/base/nearest.h"
#include "netlist/reader/hints.h"
#include "netlist/reader/names.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"

static bool is_parameter(const sb_item *item) {
  return strcmp(item->node->name, "param") == 0;
}

/** A signal of a sub-model that its uses set. */
static bool is_input(const sb_item *item) {
  const sb_xml_attribute *input = sb_xml_attribute_find(item->node, "input");
  return item->tag->flags & SB_TAG_SIGNAL && input != NULL && strcmp(input->value, "yes") == 0;
}

static bool is_settable(const sb_item *item) {
  return item->tag != NULL && (is_parameter(item) || is_input(item));
}

/** What a <set> of a use names: an item; -1: nothing. */
static int find_set(const sb_reader *reader, int inner, const sb_setting *name) {
  char path[SB_PATH_MAX + 1];
  int length = snprintf(path, sizeof path, "%s%s", reader->scopes.list[inner].path, name->value);
  return length > SB_PATH_MAX ? -1 : sb_scope_find(reader, path, strlen(path));
}

/** Whether a <set> names neither a parameter nor an input, nor what was left out and reported. */
static bool is_unknown(const sb_reader *reader, int inner, const sb_item *set) {
  const sb_setting *name = sb_item_text(reader, set, "param");
  int index = name == NULL ? -1 : find_set(reader, inner, name);
  return name != NULL && (index < 0 || (reader->tree.items[index].tag != NULL &&
                                        !is_settable(&reader->tree.items[index])));
}

/** Gives a parameter the value of a <set>, whose names are those around the use. */
static void apply_set(sb_reader *reader, int inner, const sb_item *set) {
  const sb_setting *name = sb_item_text(reader, set, "param");
  const sb_setting *value = sb_item_text(reader, set, "value");
  int index = name == NULL ? -1 : find_set(reader, inner, name);
  if (index < 0 || !is_settable(&reader->tree.items[index]) || value == NULL) {
    return;
  }
  sb_item *param = &reader->tree.items[index];
  sb_setting copy = *value;
  bool signal = !is_parameter(param);
  sb_setting *own = sb_item_own(reader, param, "value");
  if (own != NULL && own->scope != param->scope) {
    sb_error err;
    (void)sb_fail(&err, SB_ERR_DUPLICATE, "'%s' is set in line %d already", name->value,
                  own->attribute->line);
    sb_report_value(reader, name, &err);
    return;
  }
  copy.next = own == NULL ? -1 : own->next;
  copy.text = signal ? NULL : sb_schema_attribute(param->tag, "value");
  copy.row = signal ? sb_param_find(param->type->params, "value") : NULL;
  own = own == NULL ? sb_item_add_setting(reader, param) : own;
  if (own != NULL) {
    *own = copy;
  }
}

/** A <set> among what is inside a use, and not its sub-model. */
static bool is_set(const sb_item *use, const sb_item *item) {
  return item->tag != NULL && item->scope == use->scope;
}

/** A parameter or input that has no value yet. */
static bool is_missing(const sb_reader *reader, const sb_item *item) {
  return is_settable(item) && item->id != NULL && sb_item_own(reader, item, "value") == NULL;
}

static void report_unknown(sb_reader *reader, int inner, const sb_item *set, const char *missing) {
  const sb_setting *name = sb_item_text(reader, set, "param");
  sb_error err;
  (void)sb_fail(&err, SB_ERR_REFERENCE, "the sub-model '%s' has no parameter or input '%.80s'",
                reader->submodels.list[reader->scopes.list[inner].submodel].id, name->value);
  sb_hint_id_in(reader, inner, name->value, strlen(name->value), is_settable, &err);
  if (err.hint[0] == '\0' && missing != NULL) {
    sb_error_hint(&err, "did you mean '%s'? it must be set", missing);
  }
  sb_report_value(reader, name, &err);
}

static void report_missing(sb_reader *reader, int use, const sb_item *item) {
  const sb_scope *scope = &reader->scopes.list[item->scope];
  sb_error err;
  (void)sb_fail(&err, SB_ERR_MISSING, "'%s' must set the %s '%s' of '%s'",
                reader->tree.items[use].id, is_parameter(item) ? "parameter" : "input",
                item->id + scope->length, reader->submodels.list[scope->submodel].id);
  sb_error_hint(&err, "<set param=\"%s\" value=\"...\"/>", item->id + scope->length);
  sb_report_item(reader, &reader->tree.items[use], &err);
}

void sb_apply_sets(sb_reader *reader, int use, int inner) {
  for (int i = reader->tree.items[use].first_child; i >= 0; i = reader->tree.items[i].next) {
    if (is_set(&reader->tree.items[use], &reader->tree.items[i])) {
      apply_set(reader, inner, &reader->tree.items[i]);
    }
  }
}

/** Whether an unknown name is probably a misspelling of a missing parameter. */
static bool is_meant(const sb_reader *reader, int use, int inner, const char *missing) {
  for (int i = reader->tree.items[use].first_child; i >= 0; i = reader->tree.items[i].next) {
    const sb_item *set = &reader->tree.items[i];
    if (is_set(&reader->tree.items[use], set) && is_unknown(reader, inner, set)) {
      const char *name = sb_item_text(reader, set, "param")->value;
      size_t length = strlen(name);
      if (sb_nearest_distance(name, length, missing, strlen(missing)) <=
          sb_nearest_cutoff(length)) {
        return true;
      }
    }
  }
  return false;
}

void sb_check_sets(sb_reader *reader, int use, int inner, int first) {
  int missing = 0, unknown = 0;
  const char *last = NULL;
  size_t path = reader->scopes.list[inner].length;
  for (int i = first; i < reader->tree.item_count; i++) {
    if (is_missing(reader, &reader->tree.items[i])) {
      missing++;
      last = reader->tree.items[i].id + path;
    }
  }
  for (int i = reader->tree.items[use].first_child; i >= 0; i = reader->tree.items[i].next) {
    if (is_set(&reader->tree.items[use], &reader->tree.items[i]) &&
        is_unknown(reader, inner, &reader->tree.items[i])) {
      report_unknown(reader, inner, &reader->tree.items[i], missing == 1 ? last : NULL);
      unknown++;
    }
  }
  for (int i = first; i < reader->tree.item_count && missing > unknown; i++) {
    if (is_missing(reader, &reader->tree.items[i]) &&
        !is_meant(reader, use, inner, reader->tree.items[i].id + path)) {
      report_missing(reader, use, &reader->tree.items[i]);
    }
  }
}
