// SPDX-License-Identifier: GPL-3.0-or-later
// Looks up XML elements and attributes in the table of the language, and finds the nearest names.
#include "netlist/language/schema.h"

#include <stdio.h>
#include <string.h>

#include "catalog.h"
#include "core/base/nearest.h"

static bool has_word(const char *words, const char *word) {
  size_t length = strlen(word);
  for (const char *at = words; at != NULL && *at != '\0';) {
    size_t size = strcspn(at, " ");
    if (size == length && memcmp(at, word, size) == 0) {
      return true;
    }
    at += size + strspn(at + size, " ");
  }
  return false;
}

/** So are kinds with signal inputs, but for the inputs that expressions name. */
static bool is_component(const sb_element_type *type) {
  for (const sb_signal_spec *s = type->signals; s != NULL && s->name != NULL; s++) {
    if (s->input && !s->many) {
      return true;
    }
  }
  return type->component;
}

const sb_tag *sb_schema_find(const char *name, const sb_element_type **type) {
  const sb_tag *general = NULL;
  *type = sb_catalog_find(name);
  for (const sb_tag *tag = sb_tags; tag->name != NULL; tag++) {
    if (tag->name[0] == '\0') {
      general = tag;
    } else if (tag->name[0] == name[0] && strcmp(tag->name, name) == 0) {
      *type = tag->flags & SB_TAG_KIND ? *type : NULL;
      return tag;
    }
  }
  if (*type == NULL || is_component(*type)) {
    *type = NULL;
    return NULL;
  }
  return general;
}

bool sb_schema_allows(const sb_tag *tag, const char *parent) {
  if (parent[0] == '\0') {
    return tag == sb_tags;
  }
  return strcmp(parent, "defaults") == 0 ? (tag->flags & SB_TAG_DEFAULTS) != 0
                                         : has_word(tag->parents, parent);
}

const sb_attribute *sb_schema_attribute(const sb_tag *tag, const char *name) {
  for (const sb_attribute *row = tag->attributes; row != NULL && row->name != NULL; row++) {
    if (row->name[0] == name[0] && strcmp(row->name, name) == 0) {
      return row;
    }
  }
  return NULL;
}

const char *sb_schema_name(const sb_param *row, char name[SB_SCHEMA_NAME]) {
  size_t i = 0;
  for (; row->name[i] != '\0' && i < SB_SCHEMA_NAME - 1; i++) {
    name[i] = row->name[i] == '_' ? '-' : row->name[i];
  }
  name[i] = '\0';
  return name;
}

const sb_param *sb_schema_value(const sb_param *table, const char *name) {
  char plain[SB_SCHEMA_NAME];
  size_t i = 0;
  for (; name[i] != '\0' && i < SB_SCHEMA_NAME - 1; i++) {
    if (name[i] == '_' || name[i] == ' ') {
      return NULL;
    }
    plain[i] = name[i] == '-' ? '_' : name[i];
  }
  plain[i] = '\0';
  const sb_param *row = name[i] == '\0' ? sb_param_find(table, plain) : NULL;
  return row != NULL ? row : sb_param_find(table, name);
}

/** The nearest candidate, or all of them behind the introduction. */
static void word_hint(const sb_suggestion *suggestion, const char *intro, char hint[],
                      size_t size) {
  if (suggestion->best[0] != '\0') {
    (void)snprintf(hint, size, "did you mean '%s'?", suggestion->best);
  } else {
    (void)snprintf(hint, size, "%s %s", suggestion->used > 0 ? intro : "", suggestion->all);
  }
}

/** Kinds by the names that other programs give them. */
static const char *const usual_names[][2] = {
    {"L", "an inductor is <I l=\"...\">"},       {"Inductor", "an inductor is <I l=\"...\">"},
    {"Resistor", "a resistor is <R r=\"...\">"}, {"Capacitor", "a capacitor is <C c=\"...\">"},
    {"Spring", "a spring is <C c=\"...\">"},     {"Mass", "a mass is <I mass=\"...\">"},
    {"Damper", "a damper is <R r=\"...\">"},     {"Inertia", "an inertia is <I inertia=\"...\">"}};

static bool hint_usual(const char *name, char hint[], size_t size) {
  for (size_t i = 0; i < sizeof usual_names / sizeof *usual_names; i++) {
    const char *usual = usual_names[i][0];
    const size_t length = strlen(usual);
    if (strlen(name) == length &&
        sb_nearest_distance(name, length, usual, length) <= SB_NEAREST_CASE) {
      (void)snprintf(hint, size, "%s", usual_names[i][1]);
      return true;
    }
  }
  return false;
}

void sb_schema_hint_element(const char *name, const char *parent, char hint[], size_t size) {
  sb_suggestion suggestion = sb_suggestion_start(name);
  bool kinds = false;
  for (const sb_tag *tag = sb_tags; tag->name != NULL; tag++) {
    if (!(tag->flags & SB_TAG_RESERVED) && sb_schema_allows(tag, parent)) {
      kinds = kinds || tag->name[0] == '\0';
      (void)sb_suggestion_offer(&suggestion, tag->name[0] == '\0' ? NULL : tag->name);
    }
  }
  for (int i = 0; kinds && sb_catalog[i] != NULL; i++) {
    const sb_element_type *type;
    const sb_tag *tag = sb_schema_find(sb_catalog[i]->name, &type);
    (void)sb_suggestion_offer(&suggestion, tag != NULL && tag->name[0] == '\0' ? type->name : NULL);
  }
  if (kinds && hint_usual(name, hint, size)) {
    return;
  }
  char intro[SB_SCHEMA_NAME + 16];
  (void)snprintf(intro, sizeof intro, "<%.60s> takes:", parent);
  word_hint(&suggestion, intro, hint, size);
}

static void offer_aliases(sb_suggestion *suggestion, const char *aliases) {
  char alias[SB_SCHEMA_NAME];
  for (size_t length; aliases != NULL && *aliases != '\0'; aliases += length) {
    aliases += strspn(aliases, " ");
    length = strcspn(aliases, " ");
    (void)snprintf(alias, sizeof alias, "%.*s", (int)length, aliases);
    (void)sb_suggestion_offer(suggestion, alias);
  }
}

void sb_schema_hint_attribute(const sb_tag *tag, const sb_param *values, const char *name,
                              char hint[], size_t size) {
  char spelled[SB_SCHEMA_NAME];
  sb_suggestion suggestion = sb_suggestion_start(name);
  for (const sb_attribute *row = tag->attributes; row != NULL && row->name != NULL; row++) {
    (void)sb_suggestion_offer(&suggestion, row->kind != SB_ATTRIBUTE_RESERVED ? row->name : NULL);
  }
  for (const sb_param *row = values; row != NULL && row->name != NULL; row++) {
    (void)sb_suggestion_offer(&suggestion, sb_schema_name(row, spelled));
    offer_aliases(&suggestion, row->aliases);
  }
  word_hint(&suggestion, "legal here:", hint, size);
}
