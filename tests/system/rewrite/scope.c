// SPDX-License-Identifier: GPL-3.0-or-later
// Names and values of uses and repeats, as they are where all is written out.
#include "tests/system/rewrite/scope.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/near.h"

xmlNode *rewrite_child(const xmlNode *parent, const char *name, const char *attribute,
                       const rewrite_token *value) {
  xmlNode *c = xmlFirstElementChild((xmlNode *)parent);
  while (c != NULL && !(rewrite_named(c, name) && rewrite_get(c, attribute) != NULL &&
                        rewrite_is(value, rewrite_get(c, attribute)))) {
    c = xmlNextElementSibling(c);
  }
  return c;
}

rewrite_token rewrite_word_of(const char *text, size_t length) {
  return (rewrite_token){REWRITE_WORD, text, length};
}

/** A parameter of the root or of a sub-model. */
static xmlNode *find_parameter(const xmlNode *owner, const rewrite_token *name) {
  xmlNode *found = NULL;
  for (xmlNode *c = xmlFirstElementChild((xmlNode *)owner); c != NULL && found == NULL;
       c = xmlNextElementSibling(c)) {
    found = rewrite_named(c, "parameters") ? rewrite_child(c, "param", "id", name) : NULL;
  }
  return found;
}

static bool has_signal(const xmlNode *submodel, const rewrite_token *name) {
  for (xmlNode *c = xmlFirstElementChild((xmlNode *)submodel); c != NULL;
       c = xmlNextElementSibling(c)) {
    for (xmlNode *n = rewrite_named(c, "network") ? xmlFirstElementChild(c) : NULL; n != NULL;
         n = xmlNextElementSibling(n)) {
      if (rewrite_gives_signal(n) && rewrite_is(name, rewrite_get(n, "id"))) {
        return true;
      }
    }
  }
  return false;
}

static long whole_of_name(const rewrite_flattening *f, const rewrite_scope *s,
                          const rewrite_token *name) {
  while (s->index != NULL && !rewrite_is(name, s->index)) {
    s = s->outer;
  }
  if (s->index != NULL) {
    return s->round;
  }
  xmlNode *parameter = find_parameter(s->use == NULL ? f->from : s->submodel, name);
  xmlNode *set = s->use == NULL ? NULL : rewrite_child(s->use, "set", "param", name);
  const char *value = rewrite_get(set != NULL ? set : parameter, "value");
  return rewrite_whole(f, set != NULL ? s->outer : s, value, strlen(value));
}

/** A sum of products of whole numbers and names. */
long rewrite_whole(const rewrite_flattening *f, const rewrite_scope *s, const char *text,
                   size_t length) {
  long sum = 0, product = 1, sign = 1;
  char part[REWRITE_NAME];
  (void)snprintf(part, sizeof part, "%.*s", (int)length, text);
  rewrite_token token = {0};
  while (rewrite_next_token(part, true, &token)) {
    if (token.kind == REWRITE_NUMBER) {
      product *= strtol(token.start, NULL, 10);
    } else if (token.kind == REWRITE_WORD) {
      product *= whole_of_name(f, s, &token);
    } else if (*token.start == '+' || *token.start == '-') {
      sum += token.start > part ? sign * product : 0;
      sign = *token.start == '-' ? -1 : 1;
      product = 1;
    }
  }
  return sum + sign * product;
}

/** s[k+1]/C1 as s_4_C1. */
void rewrite_put_path(const rewrite_flattening *f, const rewrite_scope *s, const char *text,
                      size_t length, rewrite_text *out) {
  rewrite_put(out, "%s", s->prefix);
  for (const char *at = text; at < text + length; at++) {
    if (*at == '[') {
      size_t size = strcspn(at, "]");
      rewrite_put(out, "_%ld", rewrite_whole(f, s, at + 1, size - 1));
      at += size;
    } else {
      rewrite_put(out, "%c", *at == '/' ? '_' : *at);
    }
  }
}

/** Names with what is behind their points; a contact and its parts are called as ever. */
void rewrite_put_paths(const rewrite_flattening *f, const rewrite_scope *s, const char *text,
                       rewrite_text *out) {
  for (const char *at = text + strspn(text, " "); *at != '\0'; at += strspn(at, " ")) {
    size_t length = strcspn(at, " "), name = strcspn(at, ". ");
    bool contact = memchr(at, '(', length) != NULL;
    rewrite_put(out, "%s", out->length > 0 ? " " : "");
    if (!contact) {
      rewrite_put_path(f, s, at, name, out);
    }
    size_t known = contact ? 0 : name;
    rewrite_put(out, "%.*s", (int)(length - known), at + known);
    at += length;
  }
}

void rewrite_put_value(const rewrite_scope *s, const char *text, const sb_param *row,
                       rewrite_text *out) {
  rewrite_token token = {0};
  const char *end = text;
  while (rewrite_next_token(text, true, &token)) {
    const rewrite_scope *in = s;
    const sb_argument *variable = row == NULL ? NULL : row->arguments;
    rewrite_put(out, "%.*s", (int)(token.start - end), end);
    end = token.start + token.length;
    while (variable != NULL && variable->name != NULL && !rewrite_is(&token, variable->name)) {
      variable++;
    }
    while (in->index != NULL && !rewrite_is(&token, in->index)) {
      in = in->outer;
    }
    bool name = token.kind == REWRITE_WORD && (variable == NULL || variable->name == NULL);
    if (name && in->index != NULL) {
      rewrite_put(out, "%ld", in->round);
    } else if (name && in->use != NULL &&
               (find_parameter(in->submodel, &token) != NULL || has_signal(in->submodel, &token))) {
      rewrite_put(out, "%s%.*s", in->prefix, (int)token.length, token.start);
    } else {
      rewrite_put(out, "%.*s", (int)token.length, token.start);
    }
  }
}
