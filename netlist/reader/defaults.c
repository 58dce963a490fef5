// SPDX-License-Identifier: GPL-3.0-or-later
// The classes of <defaults>, and the items that take values from them.
#include "netlist/reader/defaults_private.h"

#include <string.h>

#include "netlist/reader/names.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"
#include "netlist/reader/texts.h"
#include "netlist/reader/tree.h"

/** A kind within its scope: a sub-model has classes of its own. NULL: out of memory. */
static const char *class_key(sb_reader *reader, const sb_item *item, const char *kind) {
  const sb_scope *scope = &reader->scopes.list[item->scope];
  return scope->length == 0 ? kind : sb_reader_join(reader, scope->path, kind);
}

void sb_add_class(sb_reader *reader, int index) {
  const sb_item *item = &reader->tree.items[index];
  const sb_setting *id = sb_item_own(reader, item, "id");
  const sb_setting *class = sb_item_own(reader, item, "class");
  sb_error err;
  if (id != NULL) {
    (void)sb_fail(&err, SB_ERR_ATTRIBUTE, "<%s> in <defaults> makes no element and has no id",
                  item->node->name);
    sb_error_hint(&err, "name a class by the attribute 'class'");
    sb_report_name(reader, item->scope, id->attribute, &err);
  }
  const char *kind = class_key(reader, item, item->node->name);
  if (kind == NULL) {
    return;
  }
  if (class != NULL) {
    const char *key = sb_reader_join(reader, kind, class->value);
    if (key != NULL) {
      (void)sb_add_name(reader, &reader->names.classes, key, index, class);
    }
    return;
  }
  int first = sb_names_find(&reader->names.classes, kind, strlen(kind));
  if (first >= 0) {
    (void)sb_fail(&err, SB_ERR_DUPLICATE,
                  "a second <%s> without a class in <defaults>; the first "
                  "is in line %d",
                  item->node->name, reader->tree.items[first].node->line);
    sb_report_item(reader, item, &err);
  } else if (!sb_names_add(&reader->names.classes, kind, index)) {
    sb_report_memory(reader);
  }
}

/** Links an item to what it takes from <defaults>. */
static void link_defaults(sb_reader *reader, sb_item *item) {
  const char *kind = strcmp(item->node->name, "contacts") == 0 ? "contact" : item->node->name;
  const char *name = kind;
  const sb_setting *class = sb_item_own(reader, item, "class");
  if (class == NULL && reader->names.classes.count == 0) {
    return;
  }
  kind = class_key(reader, item, kind);
  item->of_kind = kind == NULL ? -1 : sb_names_find(&reader->names.classes, kind, strlen(kind));
  if (class == NULL || kind == NULL) {
    return;
  }
  const char *key = sb_reader_join(reader, kind, class->value);
  item->of_class = key == NULL ? -1 : sb_names_find(&reader->names.classes, key, strlen(key));
  if (item->of_class < 0) {
    sb_error err;
    (void)sb_fail(&err, SB_ERR_REFERENCE, "<defaults> has no class '%.80s' of <%s>", class->value,
                  name);
    sb_report_value(reader, class, &err);
  }
}

void sb_link_defaults(sb_reader *reader) {
  for (int i = 1; i < reader->tree.item_count; i++) {
    sb_item *item = &reader->tree.items[i];
    if (item->tag != NULL && !sb_item_in_defaults(reader, item)) {
      link_defaults(reader, item);
    }
  }
}
