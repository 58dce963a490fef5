// SPDX-License-Identifier: GPL-3.0-or-later
// Hints at what a wrong name may have meant.
#include "netlist/reader/hints.h"

#include <string.h>

#include "netlist/reader/report.h"

/** Names that are compared for the hints of one reading: in large netlists only the first wrong names have
 *  one. */
enum { COMPARED_MAX = 1000000 };
/** Of names with fewer letters there are no guesses (core/base/nearest.c). */
enum { SHORT = 3 };

/** The id in a scope of the item *next, or of the first behind it that fits; *next is then the one behind. NULL: there is none. */
static const char *next_id(const sb_reader *reader, int scope, bool (*fits)(const sb_item *item),
                           int *next) {
  const char *path = reader->scopes.list[scope].path;
  const size_t path_length = reader->scopes.list[scope].length;
  while (*next < reader->tree.item_count) {
    const sb_item *item = &reader->tree.items[(*next)++];
    if (item->id != NULL && item->tag != NULL && !(item->tag->flags & SB_TAG_LABEL) && fits(item) &&
        strncmp(item->id, path, path_length) == 0) {
      return item->id + path_length;
    }
  }
  return NULL;
}

/** Whether names are to be compared with all others once more. */
static bool is_worth(const sb_reader *reader) {
  if (reader->errors->count >= SB_ERRORS_MAX || *reader->compared > COMPARED_MAX) {
    return false; // nobody will see it, or it has taken long enough
  }
  *reader->compared += reader->tree.item_count;
  return true;
}

/** @return whether there is one */
static bool hint_nearest(const sb_reader *reader, int scope, const char *name, size_t length,
                         bool (*fits)(const sb_item *item), sb_error *err) {
  const char *nearest = NULL, *id;
  int least = sb_nearest_cutoff(length) + 1, next = 0;
  while ((id = next_id(reader, scope, fits, &next)) != NULL) {
    int cost = sb_nearest_distance(name, length, id, strlen(id));
    if (cost < least) {
      least = cost;
      nearest = id;
    }
  }
  if (nearest != NULL) {
    sb_error_hint(err, "did you mean '%s'?", nearest);
  }
  return nearest != NULL;
}

/** Of a name too short for a guess all are listed that begin alike and are one letter off: c and c1 for c2. */
static void hint_akin(const sb_reader *reader, int scope, const char *name, size_t length,
                      bool (*fits)(const sb_item *item), sb_error *err) {
  if (length == 0 || length >= SHORT || !is_worth(reader)) {
    return;
  }
  sb_suggestion akin = sb_suggestion_start(""); // as a list
  const char *id;
  int next = 0;
  while ((id = next_id(reader, scope, fits, &next)) != NULL) {
    if (name[0] == id[0] && sb_nearest_distance(name, length, id, strlen(id)) <= SB_NEAREST_EDIT) {
      (void)sb_suggestion_offer(&akin, id);
    }
  }
  if (akin.used > 0) {
    const bool several = strchr(akin.all, ',') != NULL;
    sb_error_hint(err, several ? "did you mean one of %s?" : "did you mean '%s'?", akin.all);
  }
}

void sb_hint_id_in(const sb_reader *reader, int scope, const char *name, size_t length,
                   bool (*fits)(const sb_item *item), sb_error *err) {
  if (is_worth(reader) && !hint_nearest(reader, scope, name, length, fits, err)) {
    hint_akin(reader, scope, name, length, fits, err);
  }
}

void sb_hint_inside(const sb_reader *reader, int scope, const char *name, size_t length,
                    bool (*fits)(const sb_item *item), sb_error *err) {
  if (is_worth(reader)) {
    (void)hint_nearest(reader, scope, name, length, fits, err);
  }
  const char *path = reader->scopes.list[scope].path;
  const size_t path_length = reader->scopes.list[scope].length;
  const int count = *reader->compared > COMPARED_MAX ? 0 : reader->tree.item_count;
  for (int i = 0; err->hint[0] == '\0' && i < count; i++) {
    const sb_item *item = &reader->tree.items[i];
    const char *last = item->id == NULL || item->tag == NULL ? NULL : strrchr(item->id, '/');
    if (last != NULL && strlen(last + 1) == length && memcmp(last + 1, name, length) == 0 &&
        fits(item) && strncmp(item->id, path, path_length) == 0) {
      sb_error_hint(err, "did you mean '%s'?", item->id + path_length);
    }
  }
  if (err->hint[0] == '\0') {
    hint_akin(reader, scope, name, length, fits, err);
  }
}

void sb_hint_use(const sb_reader *reader, int item, const char *name, sb_error *err) {
  if (item >= 0 && sb_is_use(&reader->tree.items[item])) {
    sb_error_hint(err, "'%s' is a use of a sub-model; what is inside is named as in %s/C1.e", name,
                  name);
  }
}

void sb_hint_id(const sb_reader *reader, const char *name, size_t length,
                bool (*fits)(const sb_item *item), sb_error *err) {
  sb_hint_id_in(reader, 0, name, length, fits, err);
}

void sb_hint_suggestion(const sb_suggestion *suggestion, sb_error *err) {
  if (suggestion->best[0] != '\0') {
    sb_error_hint(err, "did you mean '%s'?", suggestion->best);
  } else {
    const bool several = strchr(suggestion->all, ',') != NULL;
    sb_error_hint(err, several ? "one of: %s" : "there is only '%s'", suggestion->all);
  }
}

void sb_report_choice(const sb_reader *reader, const sb_setting *setting, const char *what,
                      const void *table, size_t size) {
  sb_error err;
  sb_suggestion suggestion = sb_suggestion_start(setting->value);
  sb_suggestion_offer_rows(&suggestion, table, size);
  (void)sb_fail(&err, SB_ERR_CHOICE, "there is no %s '%.80s'", what, setting->value);
  sb_hint_suggestion(&suggestion, &err);
  sb_report_value(reader, setting, &err);
}
