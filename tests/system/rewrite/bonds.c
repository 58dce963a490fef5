// SPDX-License-Identifier: GPL-3.0-or-later
// Bonds and junctions written differently. Works on flat netlists.
#include <stdio.h>
#include <string.h>

#include "tests/near.h"

#include "tests/system/rewrite/rewrite.h"

static void exchange(xmlNode *node, const char *a, const char *b) {
  char first[REWRITE_NAME];
  (void)snprintf(first, sizeof first, "%s", rewrite_get(node, a));
  rewrite_set(node, a, rewrite_get(node, b));
  rewrite_set(node, b, first);
}

static xmlNode *next_bond(const rewrite *r, xmlNode *bond) {
  return rewrite_find(bond == NULL ? xmlDocGetRootElement(r->doc) : bond, "bond");
}

/** Where an element has two ports a bond that names none takes the one of its direction: before it is
 *  turned round, it has to name it. */
static void name_port(const rewrite *r, xmlNode *bond, const char *end, const char *port) {
  const char *text = rewrite_get(bond, end);
  const xmlNode *element = rewrite_element(r->doc, text);
  char named[REWRITE_NAME];
  if (element != NULL && strchr(text, '.') == NULL &&
      sb_port_count(rewrite_type(element)->ports, false) > 1) {
    (void)snprintf(named, sizeof named, "%s.%s", text, port);
    rewrite_set(bond, end, named);
  }
}

/** With all half arrows turned round, all efforts stay, and the flows along them change sign: no
 *  element is to be changed for it, since a one-port counts power into itself (a source out of
 *  itself) whichever way its bond points, and the equations of structures are homogeneous in the
 *  flows of their bonds. Joints are no elements, and keep their flow: what hangs there stays as it is. */
int rewrite_reverse(rewrite *r) {
  int count = 0;
  for (xmlNode *bond = NULL; (bond = next_bond(r, bond)) != NULL;) {
    if (rewrite_element(r->doc, rewrite_get(bond, "from")) == NULL ||
        rewrite_element(r->doc, rewrite_get(bond, "to")) == NULL) {
      continue;
    }
    name_port(r, bond, "from", "to");
    name_port(r, bond, "to", "from");
    exchange(bond, "from", "to");
    count++;
  }
  return count;
}

/** Kinds with one port whose law may be reflected. A diode or a stop may not: they have no parameter for it, or limits of their own. */
static bool is_reflectable(const rewrite *r, const xmlNode *element) {
  const sb_element_type *type = element == NULL ? NULL : rewrite_type(element);
  return type != NULL && !rewrite_is_read(r->doc, rewrite_get(element, "id")) &&
         sb_port_count(type->ports, false) == 1 && !type->ports[0].many &&
         type->ports[0].dim == 0 && type != &sb_kind_Diode && type != &sb_kind_Stop;
}

/** The flows at a J1 or a joint agree along their half arrows: what hangs there on an arrow turned round sees
 *  its effort and flow with the other sign. At other structures only the sign of the flow along the
 *  bond changes, which the one-port does not see. */
int rewrite_one_ports(rewrite *r) {
  int count = 0, number = 0;
  for (xmlNode *bond = NULL; (bond = next_bond(r, bond)) != NULL;) {
    xmlNode *from = rewrite_element(r->doc, rewrite_get(bond, "from"));
    xmlNode *to = rewrite_element(r->doc, rewrite_get(bond, "to"));
    bool first = is_reflectable(r, from), second = is_reflectable(r, to);
    xmlNode *one = first ? from : to, *other = first ? to : from;
    if (first == second || number++ % (int)r->number != 0) {
      continue;
    }
    bool common = other == NULL || rewrite_named(other, "J1");
    if (!common || rewrite_scale(r, one, -1, -1)) {
      name_port(r, bond, "from", "to");
      name_port(r, bond, "to", "from");
      exchange(bond, "from", "to");
      count++;
    }
  }
  return count;
}

/** The domain of an end; false: it has several components. */
static bool domain_of(const rewrite *r, const char *end, const sb_domain **domain) {
  char id[REWRITE_NAME];
  size_t length = strcspn(end, ".");
  (void)snprintf(id, sizeof id, "%.*s", (int)length, end);
  *domain = rewrite_domain(r, id, end[length] == '.' ? end + length + 1 : "");
  return *domain != NULL;
}

static const char *add_transformer(xmlNode *bond, const sb_domain *domain, const char *name,
                                   int number, double ratio) {
  static char id[REWRITE_NAME];
  char text[40];
  (void)snprintf(id, sizeof id, "%s_%d", name, number);
  xmlNode *transformer = rewrite_add(bond, "TF", id);
  (void)snprintf(text, sizeof text, "%.17g", ratio);
  rewrite_set(transformer, "ratio", text);
  rewrite_set(transformer, "domain", domain->name);
  return id;
}

int rewrite_transform(rewrite *r) {
  int count = 0;
  for (xmlNode *bond = NULL; (bond = next_bond(r, bond)) != NULL;) {
    char to[REWRITE_NAME], a[REWRITE_NAME + 8], b[REWRITE_NAME + 8];
    const sb_domain *domain;
    (void)snprintf(to, sizeof to, "%s", rewrite_get(bond, "to"));
    if (!domain_of(r, rewrite_get(bond, "from"), &domain) && !domain_of(r, to, &domain)) {
      continue;
    }
    count++;
    (void)snprintf(a, sizeof a, "%s.from",
                   add_transformer(bond, domain, "there", count, r->number));
    rewrite_set(bond, "to", a);
    (void)snprintf(b, sizeof b, "%s.from",
                   add_transformer(bond, domain, "back", count, 1 / r->number));
    (void)snprintf(a, sizeof a, "there_%d.to", count);
    bond = rewrite_join(bond, a, b);
    (void)snprintf(b, sizeof b, "back_%d.to", count);
    bond = rewrite_join(bond, b, to);
  }
  return count;
}

/** Moves every second bond of a junction to its twin. */
static int move_bonds(const rewrite *r, const char *id, const char *twin) {
  static const char *const ends[] = {"from", "to"};
  int count = 0;
  for (xmlNode *bond = NULL; (bond = next_bond(r, bond)) != NULL;) {
    for (int i = 0; i < 2; i++) {
      if (strcmp(rewrite_get(bond, ends[i]), id) == 0 && count++ % 2 == 1) {
        rewrite_set(bond, ends[i], twin);
      }
    }
  }
  return count / 2;
}

int rewrite_split(rewrite *r) {
  int count = 0;
  for (xmlNode *n = xmlDocGetRootElement(r->doc); n != NULL; n = rewrite_next(n)) {
    const char *id = rewrite_get(n, "id");
    char twin[REWRITE_NAME];
    if (!rewrite_named(n, "J0") && !rewrite_named(n, "J1")) {
      continue;
    }
    (void)snprintf(twin, sizeof twin, "%s_twin", id);
    if (move_bonds(r, id, twin) > 0) {
      xmlNode *second = rewrite_add(n, (const char *)n->name, twin);
      if (rewrite_get(n, "domain") != NULL) {
        rewrite_set(second, "domain", rewrite_get(n, "domain"));
      }
      n = rewrite_join(second, id, twin);
      count++;
    }
  }
  return count;
}

/** The words of a list in the opposite order. */
static void reverse_words(const char *text, rewrite_text *out) {
  for (size_t end = strlen(text); end > 0;) {
    size_t start = end;
    while (start > 0 && text[start - 1] != ' ') {
      start--;
    }
    rewrite_put(out, "%s%.*s", out->length > 0 ? " " : "", (int)(end - start), text + start);
    end = start;
    while (end > 0 && text[end - 1] == ' ') {
      end--;
    }
  }
}

/** Contacts without an id are named by their bodies: "contact(a,b)" in all texts. */
static void exchange_names(xmlNode *node) {
  for (xmlAttr *a = node->properties; a != NULL; a = a->next) {
    rewrite_text out = {.length = 0};
    const char *at = rewrite_text_of(a), *name;
    while ((name = strstr(at, "contact(")) != NULL) {
      size_t first = strcspn(name, ",") - 8, second = strcspn(name + 9 + first, ")");
      rewrite_put(&out, "%.*scontact(%.*s,%.*s)", (int)(name - at), at, (int)second,
                  name + 9 + first, (int)first, name + 8);
      at = name + first + second + 10;
    }
    if (at > rewrite_text_of(a)) {
      rewrite_put(&out, "%s", at);
      rewrite_set(node, (const char *)a->name, out.chars);
    }
  }
}

/** An axis of a law is fixed in the first of the bodies: in the other it would be another spring. */
static bool has_axis(const rewrite *r) {
  for (xmlNode *n = xmlDocGetRootElement(r->doc); (n = rewrite_find(n, "contact-law")) != NULL;) {
    if (rewrite_get(n, "axis") != NULL) {
      return true;
    }
  }
  return false;
}

int rewrite_contacts(rewrite *r) {
  int count = 0;
  xmlNode *n = has_axis(r) ? NULL : xmlDocGetRootElement(r->doc);
  for (; n != NULL; n = rewrite_next(n)) {
    if (rewrite_named(n, "contact") && rewrite_get(n, "a") != NULL) {
      exchange(n, "a", "b");
      count++;
    } else if (rewrite_named(n, "contacts")) {
      rewrite_text out = {.length = 0};
      reverse_words(rewrite_get(n, "among"), &out);
      rewrite_set(n, "among", out.chars);
      count++;
    }
    exchange_names(n);
  }
  return count;
}
