// SPDX-License-Identifier: GPL-3.0-or-later
// Finding the settings of an item: its own come before those of its class, and these before those
// of its kind.
#include <string.h>

#include "netlist/reader/expand_private.h"
#include "netlist/reader/report.h"

static sb_setting *own(const sb_reader *reader, int item, const char *name, const sb_param *row) {
  int i = item < 0 ? -1 : reader->tree.items[item].first_setting;
  for (; i >= 0; i = reader->tree.settings[i].next) {
    sb_setting *setting = &reader->tree.settings[i];
    if ((row != NULL && setting->row == row) ||
        (name != NULL && strcmp(setting->name, name) == 0)) {
      return setting;
    }
  }
  return NULL;
}

static const sb_setting *find(const sb_reader *reader, const sb_item *item, const char *name,
                              const sb_param *row) {
  const int sources[] = {(int)(item - reader->tree.items), item->of_class, item->of_kind};
  for (int i = 0; i < 3; i++) {
    const sb_setting *setting = own(reader, sources[i], name, row);
    if (setting != NULL) {
      return setting;
    }
  }
  return NULL;
}

sb_setting *sb_item_own(const sb_reader *reader, const sb_item *item, const char *name) {
  return own(reader, (int)(item - reader->tree.items), name, NULL);
}

const sb_setting *sb_item_text(const sb_reader *reader, const sb_item *item, const char *name) {
  return find(reader, item, name, NULL);
}

const sb_setting *sb_item_value(const sb_reader *reader, const sb_item *item, const sb_param *row) {
  return find(reader, item, NULL, row);
}

int sb_walk(const sb_reader *reader, int item) {
  if (reader->tree.items[item].first_child >= 0) {
    return reader->tree.items[item].first_child;
  }
  while (item >= 0 && reader->tree.items[item].next < 0) {
    item = reader->tree.items[item].parent;
  }
  return item < 0 ? -1 : reader->tree.items[item].next;
}

static int tag_count(void) {
  int count = 0;
  while (sb_tags[count].name != NULL) {
    count++;
  }
  return count;
}

void sb_link_items(sb_reader *reader) {
  int count = tag_count();
  reader->tree.first_alike = sb_arena_zeroed(&reader->memory, count, sizeof(int));
  int *last = sb_arena_zeroed(&reader->memory, count, sizeof *last);
  if (reader->tree.first_alike == NULL || last == NULL) {
    sb_report_memory(reader);
    count = 0;
  }
  for (int i = 0; i < count; i++) {
    reader->tree.first_alike[i] = last[i] = -1;
  }
  for (int i = 0; count > 0 && i >= 0; i = sb_walk(reader, i)) {
    const sb_item *item = &reader->tree.items[i];
    if (item->tag == NULL || sb_item_in_defaults(reader, item)) {
      continue;
    }
    int *before = &last[item->tag - sb_tags];
    *(*before < 0 ? &reader->tree.first_alike[item->tag - sb_tags]
                  : &reader->tree.items[*before].next_alike) = i;
    *before = i;
  }
}

const sb_item *sb_next_item(const sb_reader *reader, const sb_item *from, const char *tag) {
  int i = from == NULL ? -1 : from->next_alike;
  for (int k = 0; from == NULL && reader->tree.first_alike != NULL && sb_tags[k].name != NULL;
       k++) {
    i = strcmp(sb_tags[k].name, tag) == 0 ? reader->tree.first_alike[k] : i;
  }
  return i < 0 ? NULL : &reader->tree.items[i];
}
