// SPDX-License-Identifier: GPL-3.0-or-later
// Other names: every id and all that refers to it, spelled with the alphabet turned round, so that
// what comes first in the alphabet comes last; with an ending, so that none is a unit or a function.
#include <stdio.h>
#include <string.h>

#include "tests/near.h"

#include "tests/system/rewrite/rewrite.h"

static void put_name(rewrite_text *out, const char *name, size_t length) {
  for (size_t i = 0; i < length; i++) {
    char c = name[i];
    c = (char)(c >= 'a' && c <= 'z'   ? 'a' + 'z' - c
               : c >= 'A' && c <= 'Z' ? 'A' + 'Z' - c
               : c >= '0' && c <= '9' ? '0' + '9' - c
                                      : c);
    rewrite_put(out, "%c", c);
  }
  rewrite_put(out, "_n");
}

/** A parameter, a signal or an element that gives one, or an index of a repeat. */
static bool is_value_name(const xmlDoc *doc, const rewrite_token *token) {
  for (xmlNode *n = xmlDocGetRootElement(doc); n != NULL; n = rewrite_next(n)) {
    bool value = rewrite_named(n, "param") || rewrite_gives_signal(n);
    const char *name = value                        ? rewrite_get(n, "id")
                       : rewrite_named(n, "repeat") ? rewrite_get(n, "index")
                                                    : NULL;
    if (name != NULL && rewrite_is(token, name)) {
      return true;
    }
  }
  return false;
}

/** Whether the ports of what this names are ids of a sub-model. */
static bool is_use(const xmlDoc *doc, const rewrite_token *token) {
  for (xmlNode *n = xmlDocGetRootElement(doc); (n = rewrite_find(n, "use")) != NULL;) {
    const char *id = rewrite_get(n, "id");
    size_t length = strcspn(id, "[");
    if (length == token->length && memcmp(id, token->start, length) == 0) {
      return true;
    }
  }
  return false;
}

static void rename_value(const xmlDoc *doc, const char *text, rewrite_text *out) {
  rewrite_token token = {0};
  const char *end = text;
  while (rewrite_next_token(text, true, &token)) {
    rewrite_put(out, "%.*s", (int)(token.start - end), end);
    end = token.start + token.length;
    if (token.kind == REWRITE_WORD && is_value_name(doc, &token)) {
      put_name(out, token.start, token.length);
    } else {
      rewrite_put(out, "%.*s", (int)token.length, token.start);
    }
  }
}

/** From the bracket of an index to the one that closes it, on which the token is left. */
static void rename_index(const xmlDoc *doc, rewrite_token *token, rewrite_text *out) {
  char index[REWRITE_NAME];
  size_t length = strcspn(token->start, "]");
  (void)snprintf(index, sizeof index, "%.*s", (int)length - 1, token->start + 1);
  rewrite_put(out, "[");
  rename_value(doc, index, out);
  rewrite_put(out, "]");
  token->start += length;
}

/** A name, or several; behind a point and behind the brackets of a contact's name stand words of
 *  the language, save the ports of uses. */
static void rename_path(const xmlDoc *doc, const char *text, bool bond_end, rewrite_text *out) {
  rewrite_token token = {0};
  bool use = false, fixed = false;
  const char *end = text;
  while (rewrite_next_token(text, false, &token)) {
    if (token.start > end) {
      fixed = false;
      rewrite_put(out, " ");
    }
    end = token.start + token.length;
    char c = token.kind == REWRITE_OTHER ? *token.start : '\0';
    fixed = fixed || (c == '.' && !(bond_end && use)) || c == ')';
    bool contact = *end == '(';
    if (c == '[') {
      rename_index(doc, &token, out);
      end = token.start + token.length;
    } else if (token.kind == REWRITE_WORD && !fixed && !contact) {
      use = is_use(doc, &token);
      put_name(out, token.start, token.length);
    } else {
      rewrite_put(out, "%.*s", (int)token.length, token.start);
    }
  }
}

/** The new text of an attribute; false: it stays. */
static bool rename_attribute(const xmlDoc *doc, const xmlAttr *attribute, rewrite_text *out) {
  const char *text = rewrite_text_of(attribute);
  const sb_param *row;
  bool bond = rewrite_named(attribute->parent, "bond") || rewrite_named(attribute->parent, "port");
  switch (rewrite_place_of(attribute, &row)) {
  case REWRITE_NOTHING:
    return false;
  case REWRITE_VALUE:
    rename_value(doc, text, out);
    break;
  default:
    if (strcmp(text, "world") == 0) { // which joints hold on to, and no id
      return false;
    }
    rename_path(doc, text, bond, out);
  }
  return strcmp(out->chars, text) != 0;
}

int rewrite_names(rewrite *r) {
  int count = 0;
  // The names that are there decide: they are changed in a copy.
  xmlDoc *before = xmlCopyDoc(r->doc, 1);
  xmlNode *to = xmlDocGetRootElement(r->doc);
  for (xmlNode *from = xmlDocGetRootElement(before); from != NULL; from = rewrite_next(from)) {
    for (const xmlAttr *a = from->properties; a != NULL; a = a->next) {
      rewrite_text out = {.length = 0};
      if (rename_attribute(before, a, &out)) {
        rewrite_set(to, (const char *)a->name, out.chars);
        count++;
      }
    }
    to = rewrite_next(to);
  }
  xmlFreeDoc(before);
  return count;
}
