// SPDX-License-Identifier: GPL-3.0-or-later
// A C is an I behind a gyrator, and an I a C. With the gyrator's e1 = r f2, e2 = r f1 and the C at 1:
//   p = int e2 dt = r int f1 dt = r q,   e1 = r f2 = r p/l = r^2 q/l = q/c   with l = c r^2,
//   H = p^2/(2 l) = q^2/(2 c),   and for any energy H(q) = H(p/r);
// and with the I at 1:
//   q = int f2 dt = int e1 dt/r = p/r,   f1 = e2/r = q/(c r) = p/(c r^2) = p/l   with c = l/r^2.
// Works on flat netlists.
#include <stdio.h>
#include <string.h>

#include "tests/near.h"

#include "tests/system/rewrite/rewrite.h"

/** The names of one of the two kinds. */
typedef struct side {
  const char *kind, *parameter, *start, *state;
} side;
static const side C = {"C", "c", "q0", "q"}, I = {"I", "l", "p0", "p"};

/** "2.385[(V)/(A)]" */
static void put_ratio(const rewrite *r, const sb_domain *domain, rewrite_text *out) {
  rewrite_put(out, "%.17g[(%s)/(%s)]", r->number, domain->effort, domain->flow);
}

/** The energy over the other state. */
static void put_energy(const char *energy, const side *from, const side *to, const char *ratio,
                       rewrite_text *out) {
  rewrite_token token = {0};
  const char *end = energy;
  while (rewrite_next_token(energy, true, &token)) {
    rewrite_put(out, "%.*s", (int)(token.start - end), end);
    end = token.start + token.length;
    if (token.kind == REWRITE_WORD && rewrite_is(&token, from->state)) {
      rewrite_put(out, "(%s%s%s)", to->state, from == &C ? "/" : "*", ratio);
    } else {
      rewrite_put(out, "%.*s", (int)token.length, token.start);
    }
  }
}

/** Another storage with another attribute, if the old one says it by itself. */
static bool put_law(const xmlNode *old, const side *from, const side *to, const char *ratio,
                    const char **name, rewrite_text *out) {
  const xmlAttr *parameter = rewrite_row(old, from->parameter);
  const char *energy = rewrite_get(old, "energy");
  if (energy != NULL) {
    *name = "energy";
    put_energy(energy, from, to, ratio, out);
    return true;
  }
  *name = to->parameter;
  if (parameter == NULL || !rewrite_operand(rewrite_text_of(parameter), out)) {
    return false; // by a class, or a list
  }
  rewrite_put(out, "%s(%s)^2", from == &C ? "*" : "/", ratio);
  return true;
}

static xmlNode *make(const rewrite *r, const xmlNode *old, const side *from, const side *to,
                     const sb_domain *domain) {
  rewrite_text ratio = {.length = 0}, law = {.length = 0}, start = {.length = 0};
  const char *name, *q0 = rewrite_get(old, from->start);
  put_ratio(r, domain, &ratio);
  if (rewrite_get(old, "dim") != NULL || !put_law(old, from, to, ratio.chars, &name, &law) ||
      (q0 != NULL && !rewrite_operand(q0, &start))) {
    return NULL;
  }
  xmlNode *node = xmlNewNode(NULL, BAD_CAST to->kind);
  rewrite_set(node, "id", rewrite_get(old, "id"));
  rewrite_set(node, "domain", domain->name);
  rewrite_set(node, name, law.chars);
  if (q0 != NULL) {
    rewrite_put(&start, "%s%s", from == &C ? "*" : "/", ratio.chars);
    rewrite_set(node, to->start, start.chars);
  }
  return node;
}

/** Leads the bond of the storage to the gyrator. */
static void lead(const rewrite *r, const char *id, const char *gyrator) {
  static const char *const ends[] = {"from", "to"};
  for (xmlNode *bond = xmlDocGetRootElement(r->doc); (bond = rewrite_find(bond, "bond")) != NULL;) {
    for (int i = 0; i < 2; i++) {
      const char *end = rewrite_get(bond, ends[i]);
      if (strcspn(end, ".") == strlen(id) && memcmp(end, id, strlen(id)) == 0) {
        char port[REWRITE_NAME + 32];
        (void)snprintf(port, sizeof port, "%s.from", gyrator);
        rewrite_set(bond, ends[i], port);
      }
    }
  }
}

static xmlNode *replace(rewrite *r, xmlNode *old, const side *from, const side *to) {
  char id[REWRITE_NAME], gyrator[REWRITE_NAME + 16], text[REWRITE_NAME + 32];
  (void)snprintf(id, sizeof id, "%s", rewrite_get(old, "id"));
  (void)snprintf(gyrator, sizeof gyrator, "%s_gyrator", id);
  const sb_domain *domain = rewrite_domain(r, id, "");
  bool stays = domain == NULL || rewrite_is_read(r->doc, id);
  xmlNode *node = stays ? NULL : make(r, old, from, to, domain);
  if (node == NULL) {
    return NULL;
  }
  (void)snprintf(text, sizeof text, "%s.from.e", gyrator);
  rewrite_note(r, id, "e", text, 1);
  (void)snprintf(text, sizeof text, "%s.from.f", gyrator);
  rewrite_note(r, id, "f", text, 1);
  (void)snprintf(text, sizeof text, "%s.%s", id, to->state);
  rewrite_note(r, id, from->state, text, from == &C ? 1 / r->number : r->number);
  lead(r, id, gyrator);
  (void)xmlReplaceNode(old, node);
  xmlFreeNode(old);
  xmlNode *turn = rewrite_add(node, "GY", gyrator);
  rewrite_text ratio = {.length = 0};
  put_ratio(r, domain, &ratio);
  rewrite_set(turn, "ratio", ratio.chars);
  rewrite_set(turn, "domain", domain->name);
  (void)snprintf(text, sizeof text, "%s.to", gyrator);
  return rewrite_join(turn, text, id);
}

int rewrite_duals(rewrite *r) {
  const side *from = r->dual_C ? &C : &I, *to = r->dual_C ? &I : &C;
  int count = 0;
  for (xmlNode *n = xmlDocGetRootElement(r->doc); n != NULL; n = rewrite_next(n)) {
    xmlNode *last = rewrite_named(n, from->kind) ? replace(r, n, from, to) : NULL;
    if (last != NULL) {
      n = last;
      count++;
    }
  }
  return count;
}
