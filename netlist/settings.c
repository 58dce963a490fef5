// SPDX-License-Identifier: GPL-3.0-or-later
// Finding the settings of an item: its own come before those of its class, and these before those
// of its kind.
#include <string.h>

#include "netlist/reader.h"

static sb_setting *own(const sb_reader *reader, int item, const char *name, const sb_param *row) {
  int i = item < 0 ? -1 : reader->items[item].first_setting;
  for (; i >= 0; i = reader->settings[i].next) {
    sb_setting *setting = &reader->settings[i];
    if ((row != NULL && setting->row == row) ||
        (name != NULL && strcmp(setting->name, name) == 0)) {
      return setting;
    }
  }
  return NULL;
}

static const sb_setting *find(const sb_reader *reader, const sb_item *item, const char *name,
                              const sb_param *row) {
  const int sources[] = {(int)(item - reader->items), item->of_class, item->of_kind};
  for (int i = 0; i < 3; i++) {
    const sb_setting *setting = own(reader, sources[i], name, row);
    if (setting != NULL) {
      return setting;
    }
  }
  return NULL;
}

sb_setting *sb_item_own(const sb_reader *reader, const sb_item *item, const char *name) {
  return own(reader, (int)(item - reader->items), name, NULL);
}

const sb_setting *sb_item_text(const sb_reader *reader, const sb_item *item, const char *name) {
  return find(reader, item, name, NULL);
}

const sb_setting *sb_item_value(const sb_reader *reader, const sb_item *item, const sb_param *row) {
  return find(reader, item, NULL, row);
}

int sb_walk(const sb_reader *reader, int item) {
  if (reader->items[item].first_child >= 0) {
    return reader->items[item].first_child;
  }
  while (item >= 0 && reader->items[item].next < 0) {
    item = reader->items[item].parent;
  }
  return item < 0 ? -1 : reader->items[item].next;
}

sb_item *sb_next_item(const sb_reader *reader, const sb_item *from, const char *tag) {
  int i = from == NULL ? 0 : sb_walk(reader, (int)(from - reader->items));
  for (; i >= 0 && i < reader->item_count; i = sb_walk(reader, i)) {
    sb_item *item = &reader->items[i];
    if (item->tag != NULL && strcmp(item->node->name, tag) == 0 &&
        (item->parent < 0 || strcmp(reader->items[item->parent].node->name, "defaults") != 0)) {
      return item;
    }
  }
  return NULL;
}
