// SPDX-License-Identifier: GPL-3.0-or-later
// From the XML tree to items: what is not in the table of the language is reported and left out.
#include "netlist/reader/items_private.h"

#include <stdio.h>
#include <string.h>

#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"
#include "netlist/reader/tree.h"

/** The surroundings: in a repeat may stand what may stand around it. */
static const char *parent_name(const sb_reader *reader, int parent) {
  while (parent >= 0 && reader->tree.items[parent].tag != NULL &&
         reader->tree.items[parent].tag->flags & SB_TAG_REPEAT) {
    parent = reader->tree.items[parent].parent;
  }
  return parent < 0 ? "" : reader->tree.items[parent].node->name;
}

/** Reports what is wrong with an element that is not allowed here. */
static void report_element(sb_reader *reader, int scope, const sb_xml_node *node, const sb_tag *tag,
                           const char *parent) {
  sb_error err = {0};
  char hint[SB_ERROR_HINT] = "";
  if (sb_report_words(reader, &err) == NULL) {
    sb_report_node(reader, scope, node, &err);
    return;
  }
  if (tag != NULL && tag->flags & SB_TAG_RESERVED) {
    (void)sb_fail(&err, SB_ERR_NOT_YET, "<%s> is reserved but not supported in this version",
                  node->name);
    (void)snprintf(hint, sizeof hint, "%s", tag->help);
  } else if (parent[0] == '\0') {
    (void)sb_fail(&err, SB_ERR_ELEMENT, "the root of a netlist is <screwbond>, not <%.80s>",
                  node->name);
    if (tag != NULL && tag->flags & SB_TAG_DEFINITION) {
      (void)snprintf(hint, sizeof hint, "a netlist includes it by <import href=\"...\"/>");
    }
  } else if (tag != NULL) {
    (void)sb_fail(&err, SB_ERR_ELEMENT, "<%s> is not allowed in <%s>", node->name, parent);
    (void)snprintf(hint, sizeof hint,
                   tag->parents[0] == '\0' ? "it is the root" : "it belongs in <%.*s>",
                   strcmp(tag->parents, "body ground") == 0 ? 16 : (int)strcspn(tag->parents, " "),
                   strcmp(tag->parents, "body ground") == 0 ? "body> or <ground" : tag->parents);
  } else {
    (void)sb_fail(&err, SB_ERR_ELEMENT, "unknown element <%.80s> in <%s>", node->name, parent);
    sb_schema_hint_element(node->name, parent, hint, sizeof hint);
  }
  if (hint[0] != '\0') {
    sb_error_hint(&err, "%s", hint);
  }
  sb_report_node(reader, scope, node, &err);
}

static void report_attribute(sb_reader *reader, const sb_item *item,
                             const sb_xml_attribute *attribute, const sb_attribute *row) {
  sb_error err = {0};
  if (sb_report_words(reader, &err) == NULL) {
    sb_report_name(reader, item->scope, attribute, &err);
    return;
  }
  if (row != NULL) {
    (void)sb_fail(&err, SB_ERR_NOT_YET,
                  "attribute '%s' is reserved but not supported in this version", attribute->name);
    sb_error_hint(&err, "%s", row->help);
  } else {
    char hint[SB_ERROR_HINT];
    (void)sb_fail(&err, SB_ERR_ATTRIBUTE, "<%s> has no attribute '%.80s'", item->node->name,
                  attribute->name);
    sb_schema_hint_attribute(item->tag, sb_item_values(item), attribute->name, hint, sizeof hint);
    const char *kind = item->type != NULL ? item->type->name : "";
    const bool effort = strcmp(kind, "Se") == 0, flow = strcmp(kind, "Sf") == 0;
    if ((effort || flow) && strcmp(attribute->name, "value") == 0) {
      sb_error_hint(&err, "the %s of an %s is '%s'", effort ? "effort" : "flow", kind,
                    effort ? "effort" : "flow");
    } else {
      sb_error_hint(&err, "%s", hint);
    }
  }
  sb_report_name(reader, item->scope, attribute, &err);
}

/** Whether the same row has been set under another name. */
static bool is_set(const sb_reader *reader, const sb_item *item, const sb_param *row) {
  for (int i = item->first_setting; row != NULL && i >= 0; i = reader->tree.settings[i].next) {
    if (reader->tree.settings[i].row == row) {
      return true;
    }
  }
  return false;
}

static void read_attribute(sb_reader *reader, sb_item *item, sb_xml_attribute *attribute) {
  const sb_param *row = sb_schema_value(sb_item_values(item), attribute->name);
  const sb_attribute *text = row != NULL ? NULL : sb_schema_attribute(item->tag, attribute->name);
  if (row == NULL && (text == NULL || text->kind == SB_ATTRIBUTE_RESERVED)) {
    report_attribute(reader, item, attribute, text);
    return;
  }
  if (is_set(reader, item, row)) {
    sb_error err;
    (void)sb_fail(&err, SB_ERR_DUPLICATE,
                  "'%s' is another name of an attribute that is set already", attribute->name);
    sb_report_name(reader, item->scope, attribute, &err);
    return;
  }
  sb_setting *setting = sb_item_add_setting(reader, item);
  if (setting != NULL) {
    setting->name = attribute->name;
    setting->value = attribute->value;
    setting->attribute = attribute;
    setting->row = row;
    setting->text = text;
  }
}

/** The id of an element that is left out, so that what refers to it is not reported as well. */
static void keep_id(sb_reader *reader, const sb_xml_node *node, int parent, int scope) {
  sb_xml_attribute *id = sb_xml_attribute_find(node, "id");
  int index = id == NULL ? -1 : sb_add_item(reader, node, parent, scope);
  if (index >= 0) {
    reader->tree.items[index].id = id->value;
  }
}

static void check_once(sb_reader *reader, const sb_item *item) {
  const sb_item *above = &reader->tree.items[item->parent];
  for (int i = above->first_child; i >= 0; i = reader->tree.items[i].next) {
    const sb_item *first = &reader->tree.items[i];
    if (first == item) {
      return;
    }
    if (first->tag == item->tag) {
      sb_error err;
      (void)sb_fail(&err, SB_ERR_DUPLICATE, "a second <%s>; the first is in line %d",
                    item->node->name, first->node->line);
      sb_report_item(reader, item, &err);
      return;
    }
  }
}

/** @return the new item, if its children are to be read; else -1 */
static int read_item(sb_reader *reader, const sb_xml_node *node, int parent, int scope,
                     bool inside) {
  const sb_element_type *type;
  const sb_tag *tag = sb_schema_find(node->name, &type);
  const char *above = parent_name(reader, parent);
  if (tag == NULL || tag->flags & SB_TAG_RESERVED || !(inside || sb_schema_allows(tag, above))) {
    report_element(reader, scope, node, tag, above);
    keep_id(reader, node, parent, scope);
    return -1;
  }
  int index = sb_add_item(reader, node, parent, scope);
  if (index < 0) {
    return -1;
  }
  sb_item *item = &reader->tree.items[index];
  item->tag = tag;
  item->type = type;
  for (int i = 0; i < node->attribute_count; i++) {
    read_attribute(reader, item, &node->attributes[i]);
  }
  if (tag->flags & SB_TAG_ONCE && reader->errors->count < SB_ERRORS_MAX) {
    check_once(reader, item);
  }
  return index;
}

/** Sub-models are read where they are used, repeats iteration by iteration. */
static bool is_read_later(const sb_item *item) {
  return (item->tag->flags & (SB_TAG_DEFINITION | SB_TAG_REPEAT)) != 0;
}

void sb_read_tree(sb_reader *reader, const sb_xml_node *top, int parent, int scope) {
  const sb_xml_node *node = top;
  while (node != NULL) {
    // The body of a use is the sub-model itself.
    bool inside = node == top && reader->scopes.list[scope].submodel >= 0 &&
                  reader->submodels.list[reader->scopes.list[scope].submodel].node == top;
    int index = read_item(reader, node, parent, scope, inside);
    if (index >= 0 && node->first_child != NULL &&
        (inside || !is_read_later(&reader->tree.items[index]))) {
      parent = index;
      node = node->first_child;
      continue;
    }
    while (node != top && node->next == NULL) {
      node = node->parent;
      parent = reader->tree.items[parent].parent;
    }
    node = node == top ? NULL : node->next;
  }
}

/** The value of a parameter of a sub-model may be left to its uses. */
static bool is_left_to_use(const sb_reader *reader, const sb_item *item, const sb_attribute *row) {
  return reader->scopes.list[item->scope].submodel >= 0 && strcmp(item->node->name, "param") == 0 &&
         strcmp(row->name, "value") == 0;
}

static void check_item(const sb_reader *reader, const sb_item *item) {
  if (sb_item_has_unknown(item)) {
    return;
  }
  for (const sb_attribute *row = item->tag->attributes; row != NULL && row->name != NULL; row++) {
    if (row->required && sb_item_text(reader, item, row->name) == NULL &&
        !is_left_to_use(reader, item, row)) {
      sb_error err;
      (void)sb_fail(&err, SB_ERR_MISSING, "<%s> needs the attribute '%s'", item->node->name,
                    row->name);
      sb_error_hint(&err, "%s: %s", row->name, row->help);
      sb_report_item(reader, item, &err);
    }
  }
}

void sb_check_required(const sb_reader *reader, int first) {
  for (int i = first; i < reader->tree.item_count; i++) {
    const sb_item *item = &reader->tree.items[i];
    if (item->tag != NULL && !sb_item_in_defaults(reader, item)) {
      check_item(reader, item);
    }
  }
}
