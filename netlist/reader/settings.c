// SPDX-License-Identifier: GPL-3.0-or-later
// Finding the settings of an item: its own come before those of its class, and these before those
// of its kind.
#include "netlist/reader/settings.h"

#include <string.h>

#include "core/base/array.h"
#include "netlist/reader/report.h"
#include "netlist/reader/tree.h"

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

sb_setting *sb_item_add_setting(sb_reader *reader, sb_item *item) {
  if (!sb_grow(&reader->tree.settings, &reader->tree.setting_capacity,
               reader->tree.setting_count + 1, sizeof(sb_setting))) {
    sb_report_memory(reader);
    return NULL;
  }
  int index = reader->tree.setting_count++;
  if (item->last_setting >= 0) {
    reader->tree.settings[item->last_setting].next = index;
  } else {
    item->first_setting = index;
  }
  item->last_setting = index;
  reader->tree.settings[index] = (sb_setting){.next = -1, .scope = item->scope};
  return &reader->tree.settings[index];
}

bool sb_item_has_unknown(const sb_item *item) {
  for (int i = 0; i < item->node->attribute_count; i++) {
    const char *given = item->node->attributes[i].name;
    if (sb_schema_value(sb_item_values(item), given) == NULL &&
        sb_schema_attribute(item->tag, given) == NULL) {
      return true;
    }
  }
  return false;
}
