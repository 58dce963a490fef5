// SPDX-License-Identifier: GPL-3.0-or-later
// A netlist written out: uses and repeats give way to what they stand for, in its place. m1/C[2]
// becomes m1_C_2, a parameter of a use one of the netlist, an index its number.
#include <stdio.h>
#include <string.h>

#include "tests/near.h"

#include "tests/system/rewrite/scope.h"

/** Copies an element with its children and writes it as it is meant in the scope. */
static xmlNode *copy(const rewrite_flattening *f, const rewrite_scope *s, const xmlNode *node,
                     xmlNode *parent) {
  xmlNode *new = xmlAddChild(parent, xmlNewNode(NULL, node->name));
  for (xmlAttr *a = node->properties; a != NULL; a = a->next) {
    const sb_param *row;
    const char *text = rewrite_text_of(a);
    rewrite_text out = {.length = 0};
    switch (rewrite_place_of(a, &row)) {
    case REWRITE_NOTHING:
      rewrite_put(&out, "%s", text);
      break;
    case REWRITE_VALUE:
      rewrite_put_value(s, text, row != NULL && row->formula != NULL ? row->formula : row, &out);
      break;
    default:
      rewrite_put_paths(f, s, text, &out);
    }
    rewrite_set(new, (const char *)a->name, out.chars);
  }
  for (xmlNode *c = xmlFirstElementChild((xmlNode *)node); c != NULL;
       c = xmlNextElementSibling(c)) {
    (void)copy(f, s, c, new);
  }
  return new;
}

static bool is_network(const xmlNode *node) {
  return rewrite_named(node, "network") || rewrite_named(node, "mechanism");
}

/** A netlist has one mechanism, to which its uses add. */
static void begin_network(rewrite_flattening *f, const xmlNode *network) {
  bool mechanism = rewrite_named(network, "mechanism");
  f->network = mechanism ? rewrite_find(f->to, "mechanism") : NULL;
  if (f->network == NULL) {
    f->network = xmlAddChild(f->to, xmlNewNode(NULL, network->name));
  }
  for (xmlAttr *a = network->properties; a != NULL; a = a->next) {
    rewrite_set(f->network, (const char *)a->name, rewrite_text_of(a));
  }
}

static rewrite_scope *add_scope(rewrite_flattening *f, const rewrite_scope *outer) {
  assert_true(f->scope_count < REWRITE_SCOPES);
  rewrite_scope *s = &f->scopes[f->scope_count++];
  *s = (rewrite_scope){.outer = outer};
  (void)snprintf(s->prefix, sizeof s->prefix, "%s", outer->prefix);
  return s;
}

/** The parameters of a use: what it sets is meant outside, what it leaves inside. */
static void add_parameters(rewrite_flattening *f, const rewrite_scope *s,
                           const xmlNode *parameters) {
  xmlNode *new = copy(f, s, parameters, f->to), *p = xmlFirstElementChild(new);
  for (xmlNode *old = xmlFirstElementChild((xmlNode *)parameters); old != NULL;
       old = xmlNextElementSibling(old), p = xmlNextElementSibling(p)) {
    const char *id = rewrite_get(old, "id");
    rewrite_token name = rewrite_word_of(id, strlen(id));
    const xmlNode *set = rewrite_child(s->use, "set", "param", &name);
    rewrite_text out = {.length = 0};
    if (set != NULL) {
      rewrite_put_value(s->outer, rewrite_get(set, "value"), NULL, &out);
      rewrite_set(p, "value", out.chars);
    }
  }
}

static void expand_network(rewrite_flattening *f, const rewrite_scope *s, const xmlNode *network);

static void expand_use(rewrite_flattening *f, const rewrite_scope *outer, const xmlNode *use) {
  const char *id = rewrite_get(use, "id"), *name = rewrite_get(use, "submodel");
  rewrite_token wanted = rewrite_word_of(name, strlen(name));
  rewrite_text path = {.length = 0};
  rewrite_scope *s = add_scope(f, outer);
  rewrite_put_path(f, outer, id, strlen(id), &path);
  (void)snprintf(s->prefix, sizeof s->prefix, "%.200s_", path.chars);
  s->use = use;
  s->submodel = rewrite_child(f->from, "submodel", "id", &wanted);
  assert_non_null(s->submodel);
  for (xmlNode *c = xmlFirstElementChild(s->submodel); c != NULL; c = xmlNextElementSibling(c)) {
    if (is_network(c)) {
      expand_network(f, s, c);
    } else if (rewrite_named(c, "parameters")) {
      add_parameters(f, s, c);
    } else {
      assert_true(rewrite_named(c, "port")); // defaults of a sub-model would have to be spread
    }
  }
  f->expanded++;
}

static void expand_children(rewrite_flattening *f, const rewrite_scope *s, const xmlNode *parent,
                            const xmlNode *network);

static void expand_repeat(rewrite_flattening *f, const rewrite_scope *outer, const xmlNode *repeat,
                          const xmlNode *network) {
  const char *count = rewrite_get(repeat, "count"), *first = rewrite_get(repeat, "first");
  long from = first == NULL ? 1 : rewrite_whole(f, outer, first, strlen(first));
  long rounds = rewrite_whole(f, outer, count, strlen(count));
  for (long i = 0; i < rounds; i++) {
    rewrite_scope *s = add_scope(f, outer);
    s->index = rewrite_get(repeat, "index");
    s->round = from + i;
    expand_children(f, s, repeat, network);
    f->expanded++;
  }
}

static void expand_children(rewrite_flattening *f, const rewrite_scope *s, const xmlNode *parent,
                            const xmlNode *network) {
  for (xmlNode *c = xmlFirstElementChild((xmlNode *)parent); c != NULL;
       c = xmlNextElementSibling(c)) {
    if (rewrite_named(c, "use")) {
      expand_use(f, s, c);
      begin_network(f, network);
    } else if (rewrite_named(c, "repeat")) {
      expand_repeat(f, s, c, network);
    } else {
      (void)copy(f, s, c, f->network);
    }
  }
}

static void expand_network(rewrite_flattening *f, const rewrite_scope *s, const xmlNode *network) {
  begin_network(f, network);
  expand_children(f, s, network, network);
}

/** The use whose ids begin like this. */
static const rewrite_scope *find_use(const rewrite_flattening *f, const char *path, size_t length) {
  for (int i = 1; i < f->scope_count; i++) {
    const rewrite_scope *s = &f->scopes[i];
    if (s->use != NULL && strlen(s->prefix) == length + 1 && memcmp(s->prefix, path, length) == 0) {
      return s;
    }
  }
  return NULL;
}

/** An end at a port of a use goes on to the node inside. */
static void lead_inside(const rewrite_flattening *f, xmlNode *bond, const char *attribute) {
  const rewrite_scope *s;
  const char *end;
  while (end = rewrite_get(bond, attribute), (s = find_use(f, end, strcspn(end, "."))) != NULL) {
    const char *name = end + strcspn(end, ".") + 1;
    rewrite_token wanted = rewrite_word_of(name, strlen(name));
    const xmlNode *port = rewrite_child(s->submodel, "port", "id", &wanted);
    rewrite_text node = {.length = 0};
    rewrite_put_paths(f, s, rewrite_get(port, "node"), &node);
    rewrite_set(bond, attribute, node.chars);
  }
}

/** A use among the members of a group stands for its elements; signals have no energy. */
static void list_members(const rewrite_flattening *f, xmlNode *group) {
  rewrite_text out = {.length = 0};
  const char *text = rewrite_get(group, "members");
  for (const char *at = text; *at != '\0'; at += strspn(at, " ")) {
    size_t length = strcspn(at, " ");
    const rewrite_scope *s = find_use(f, at, length);
    for (xmlNode *n = f->to; s != NULL && n != NULL; n = rewrite_next(n)) {
      bool member = rewrite_type(n) != NULL && strcmp((const char *)n->name, "signal") != 0;
      const char *id = member ? rewrite_get(n, "id") : NULL;
      if (id != NULL && strncmp(id, s->prefix, strlen(s->prefix)) == 0) {
        rewrite_put(&out, " %s", id);
      }
    }
    if (s == NULL) {
      rewrite_put(&out, " %.*s", (int)length, at);
    }
    at += length;
  }
  rewrite_set(group, "members", out.chars + 1);
}

int rewrite_flat(rewrite *r) {
  static rewrite_flattening state;
  rewrite_flattening *f = &state;
  xmlDoc *doc = xmlNewDoc(BAD_CAST "1.0");
  *f = (rewrite_flattening){.from = xmlDocGetRootElement(r->doc), .scope_count = 1};
  f->to = xmlNewNode(NULL, BAD_CAST "screwbond");
  (void)xmlDocSetRootElement(doc, f->to);
  rewrite_set(f->to, "version", rewrite_get(f->from, "version"));
  rewrite_set(f->to, "id", rewrite_get(f->from, "id"));
  for (xmlNode *c = xmlFirstElementChild(f->from); c != NULL; c = xmlNextElementSibling(c)) {
    if (is_network(c)) {
      expand_network(f, &f->scopes[0], c);
    } else if (!rewrite_named(c, "submodel")) {
      (void)copy(f, &f->scopes[0], c, f->to);
    }
  }
  for (xmlNode *n = f->to; n != NULL; n = rewrite_next(n)) {
    if (rewrite_named(n, "bond")) {
      lead_inside(f, n, "from");
      lead_inside(f, n, "to");
    } else if (rewrite_named(n, "group")) {
      list_members(f, n);
    }
  }
  xmlFreeDoc(r->doc);
  r->doc = doc;
  return f->expanded;
}
