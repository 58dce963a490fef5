// SPDX-License-Identifier: GPL-3.0-or-later
// The XML tree of a netlist, and what the table of the language says about it.
#include <libxml/parser.h>
#include <stdio.h>
#include <string.h>

#include "tests/near.h"

#include "tests/system/rewrite/rewrite.h"

xmlNode *rewrite_next(xmlNode *node) {
  xmlNode *next = xmlFirstElementChild(node);
  while (next == NULL && node != NULL && node->type == XML_ELEMENT_NODE) {
    next = xmlNextElementSibling(node);
    node = node->parent;
  }
  return next;
}

bool rewrite_named(const xmlNode *node, const char *name) {
  return strcmp((const char *)node->name, name) == 0;
}

xmlNode *rewrite_find(xmlNode *node, const char *name) {
  do {
    node = rewrite_next(node);
  } while (node != NULL && !rewrite_named(node, name));
  return node;
}

bool rewrite_is_read(const xmlDoc *doc, const char *id) {
  for (xmlNode *n = xmlDocGetRootElement(doc); (n = rewrite_find(n, "signal")) != NULL;) {
    const char *of = rewrite_get(n, "of");
    if (of != NULL && strcspn(of, ".") == strlen(id) && memcmp(of, id, strlen(id)) == 0) {
      return true;
    }
  }
  return false;
}

const char *rewrite_text_of(const xmlAttr *attribute) {
  return attribute->children == NULL ? "" : (const char *)attribute->children->content;
}

const char *rewrite_get(const xmlNode *node, const char *attribute) {
  const xmlAttr *found = xmlHasProp(node, BAD_CAST attribute);
  return found == NULL ? NULL : rewrite_text_of(found);
}

void rewrite_set(xmlNode *node, const char *attribute, const char *text) {
  assert_non_null(xmlSetProp(node, BAD_CAST attribute, BAD_CAST text));
}

xmlNode *rewrite_add(xmlNode *behind, const char *name, const char *id) {
  xmlNode *node = xmlNewNode(NULL, BAD_CAST name);
  assert_non_null(node);
  if (id != NULL) {
    rewrite_set(node, "id", id);
  }
  return xmlAddNextSibling(behind, node);
}

xmlNode *rewrite_join(xmlNode *behind, const char *from, const char *to) {
  xmlNode *bond = rewrite_add(behind, "bond", NULL);
  rewrite_set(bond, "from", from);
  rewrite_set(bond, "to", to);
  return bond;
}

static xmlDoc *parse(const char *path) {
  xmlDoc *doc = xmlReadFile(path, NULL, XML_PARSE_NOENT | XML_PARSE_NOBLANKS | XML_PARSE_NONET);
  if (doc == NULL) {
    fail_msg("%s cannot be read", path);
  }
  return doc;
}

xmlDoc *rewrite_load(const char *path) {
  xmlDoc *doc = parse(path);
  const char *slash = strrchr(path, '/');
  xmlNode *import;
  while ((import = rewrite_find(xmlDocGetRootElement(doc), "import")) != NULL) {
    char file[REWRITE_TEXT];
    (void)snprintf(file, sizeof file, "%.*s%s", slash == NULL ? 0 : (int)(slash + 1 - path), path,
                   rewrite_get(import, "href"));
    xmlDoc *part = parse(file);
    xmlNode *submodel = xmlDocCopyNode(xmlDocGetRootElement(part), doc, 1);
    (void)xmlUnsetProp(submodel, BAD_CAST "version");
    (void)xmlReplaceNode(import, submodel);
    xmlFreeNode(import);
    xmlFreeDoc(part);
  }
  return doc;
}

const sb_element_type *rewrite_type(const xmlNode *node) {
  const sb_element_type *type = NULL;
  (void)sb_schema_find((const char *)node->name, &type);
  return type;
}

bool rewrite_gives_signal(const xmlNode *node) {
  const sb_element_type *type = rewrite_type(node);
  return rewrite_named(node, "signal") || (type != NULL && type->signal != NULL);
}

static rewrite_place place_of_row(const sb_param *row) {
  bool word = row == NULL || row->kind == SB_PARAM_FLAG || row->kind == SB_PARAM_CHOICE;
  return word ? REWRITE_NOTHING : REWRITE_VALUE;
}

rewrite_place rewrite_place_of(const xmlAttr *attribute, const sb_param **row) {
  static const rewrite_place places[] = {
      [SB_ATTRIBUTE_ID] = REWRITE_ID,       [SB_ATTRIBUTE_NAME] = REWRITE_NAMES,
      [SB_ATTRIBUTE_NAMES] = REWRITE_NAMES, [SB_ATTRIBUTE_QUANTITIES] = REWRITE_QUANTITY_NAMES,
      [SB_ATTRIBUTE_VALUE] = REWRITE_VALUE, [SB_ATTRIBUTE_RESERVED] = REWRITE_NOTHING};
  const sb_element_type *type;
  const char *name = (const char *)attribute->name;
  const sb_tag *tag = sb_schema_find((const char *)attribute->parent->name, &type);
  assert_non_null(tag);
  *row = sb_schema_value(type != NULL ? type->params : tag->values, name);
  const sb_attribute *text = sb_schema_attribute(tag, name);
  bool unit = strcmp(name, "unit") == 0;
  return text == NULL ? place_of_row(*row) : unit ? REWRITE_NOTHING : places[text->kind];
}

xmlAttr *rewrite_row(const xmlNode *node, const char *row) {
  const sb_param *wanted = sb_param_find(rewrite_type(node)->params, row), *found;
  for (xmlAttr *a = node->properties; a != NULL; a = a->next) {
    if (rewrite_place_of(a, &found) != REWRITE_NOTHING && found == wanted) {
      return a;
    }
  }
  return NULL;
}

xmlNode *rewrite_element(const xmlDoc *doc, const char *end) {
  size_t length = strcspn(end, ".");
  for (xmlNode *n = xmlDocGetRootElement(doc); n != NULL; n = rewrite_next(n)) {
    const char *id = rewrite_type(n) == NULL ? NULL : rewrite_get(n, "id");
    if (id != NULL && strlen(id) == length && memcmp(id, end, length) == 0) {
      return n;
    }
  }
  return NULL;
}

/** A junction has one of them alone. */
const sb_domain *rewrite_domain(const rewrite *r, const char *id, const char *port) {
  sb_quantity e, f;
  char name[REWRITE_NAME];
  (void)snprintf(name, sizeof name, "%s.%s%se", id, port, port[0] == '\0' ? "" : ".");
  const bool effort = sb_model_find(r->model, name, &e, NULL) == SB_OK;
  name[strlen(name) - 1] = 'f';
  const bool flow = sb_model_find(r->model, name, &f, NULL) == SB_OK;
  if ((!effort && !flow) || (effort ? e.count : f.count) != 1) {
    return NULL;
  }
  for (const sb_domain *d = sb_domains; d->name != NULL; d++) {
    if (d->effort != NULL && (!effort || strcmp(d->effort, e.unit) == 0) &&
        (!flow || strcmp(d->flow, f.unit) == 0)) {
      return d;
    }
  }
  return NULL;
}

void rewrite_note(rewrite *r, const char *id, const char *name, const char *to, double factor) {
  assert_true(r->quantity_count < REWRITE_QUANTITIES);
  rewrite_quantity *q = &r->quantities[r->quantity_count++];
  (void)snprintf(q->from, sizeof q->from, "%s.%s", id, name);
  (void)snprintf(q->to, sizeof q->to, "%s", to);
  q->factor = factor;
}
