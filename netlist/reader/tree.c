// SPDX-License-Identifier: GPL-3.0-or-later
// The items as a tree: adding one, and the order in which they are visited.
#include "netlist/reader/tree.h"

#include <string.h>

#include "core/base/array.h"
#include "netlist/reader/report.h"

int sb_add_item(sb_reader *reader, const sb_xml_node *node, int parent, int scope) {
  if (!sb_grow(&reader->tree.items, &reader->tree.item_capacity, reader->tree.item_count + 1,
               sizeof(sb_item))) {
    sb_report_memory(reader);
    return -1;
  }
  int index = reader->tree.item_count++;
  reader->tree.items[index] = (sb_item){.node = node,
                                        .scope = scope,
                                        .parent = parent,
                                        .first_child = -1,
                                        .last_child = -1,
                                        .next = -1,
                                        .next_alike = -1,
                                        .first_setting = -1,
                                        .last_setting = -1,
                                        .of_class = -1,
                                        .of_kind = -1,
                                        .inner = -1};
  if (parent >= 0) {
    sb_item *above = &reader->tree.items[parent];
    if (above->last_child >= 0) {
      reader->tree.items[above->last_child].next = index;
    } else {
      above->first_child = index;
    }
    above->last_child = index;
  }
  return index;
}

const sb_param *sb_item_values(const sb_item *item) {
  return item->tag->flags & SB_TAG_KIND ? item->type->params : item->tag->values;
}

bool sb_item_in_defaults(const sb_reader *reader, const sb_item *item) {
  const char *above = item->parent < 0 ? "" : reader->tree.items[item->parent].node->name;
  return above[0] == 'd' && strcmp(above, "defaults") == 0;
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
    reader->tree.first_alike = NULL; // no item is found
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
