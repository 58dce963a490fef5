// SPDX-License-Identifier: GPL-3.0-or-later
// Values in other units, and other values: dimensions and the powers of effort and flow tell by what
// factor each number changes.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/near.h"

#include "tests/system/rewrite/rewrite.h"

/** Whether the units of a text hold for single numbers, or one for a plain list of numbers. */
static bool is_plain(const char *text) {
  rewrite_token token = {0};
  if (strchr(text, '[') != NULL) {
    return strstr(text, ")[") == NULL;
  }
  while (rewrite_next_token(text, true, &token) && token.kind != REWRITE_UNIT) {
    if (token.kind == REWRITE_OTHER && *token.start != '-' && *token.start != '+') {
      return false;
    }
  }
  return true;
}

rewrite_token rewrite_unit_of(const char *text, rewrite_token number) {
  rewrite_token token = number;
  bool list = strchr(text, '[') == NULL;
  while (rewrite_next_token(text, true, &token) && token.kind != REWRITE_UNIT) {
    bool bracket = token.kind == REWRITE_OTHER && *token.start == '[';
    if (!bracket && !list) {
      return (rewrite_token){0};
    }
  }
  return token.kind == REWRITE_UNIT ? token : (rewrite_token){0};
}

/** Another spelling of a unit: its first symbol with another prefix. */
static bool respell(const rewrite_token *unit, char other[REWRITE_NAME], double *factor) {
  static const char *const prefixes[] = {"", "k", "m", "u", "M", "n", "c"};
  sb_dimension was, is;
  double old, new;
  size_t head = strcspn(unit->start, "./*^( ])\0");
  head = head > unit->length ? unit->length : head;
  const char *tail = unit->start + head;
  int rest = (int)(unit->length - head);
  assert_int_equal(sb_unit_parse(unit->start, unit->length, &was, &old, NULL), SB_OK);
  for (const sb_unit *base = sb_units; base->name != NULL; base++) {
    size_t size = strlen(base->name);
    if (!base->prefixable || size > head ||
        memcmp(unit->start + head - size, base->name, size) != 0) {
      continue;
    }
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
      int length = snprintf(other, REWRITE_NAME, "%s%s%.*s", prefixes[i], base->name, rest, tail);
      if (sb_unit_parse(other, (size_t)length, &is, &new, NULL) == SB_OK && new != old &&
          sb_dimension_equal(&was, &is)) {
        *factor = old / new;
        return true;
      }
    }
  }
  return false;
}

/** The text with each number in another unit. */
static bool convert(const char *text, rewrite_text *out) {
  rewrite_token token = {0};
  const char *end = text;
  char other[REWRITE_NAME];
  double factor;
  bool changed = false;
  while (rewrite_next_token(text, true, &token)) {
    rewrite_put(out, "%.*s", (int)(token.start - end), end);
    end = token.start + token.length;
    rewrite_token unit = token.kind == REWRITE_NUMBER ? rewrite_unit_of(text, token) : token;
    bool respelled = unit.kind == REWRITE_UNIT && respell(&unit, other, &factor);
    if (respelled && token.kind == REWRITE_NUMBER) {
      rewrite_put(out, "%.17g", strtod(token.start, NULL) * factor);
      changed = true;
    } else if (respelled) {
      rewrite_put(out, "%s", other);
    } else {
      rewrite_put(out, "%.*s", (int)token.length, token.start);
    }
  }
  return changed;
}

int rewrite_units(rewrite *r) {
  int count = 0;
  for (xmlNode *n = xmlDocGetRootElement(r->doc); n != NULL; n = rewrite_next(n)) {
    for (xmlAttr *a = n->properties; a != NULL; a = a->next) {
      const sb_param *row;
      rewrite_text out = {.length = 0};
      const char *text = rewrite_text_of(a);
      if (rewrite_place_of(a, &row) == REWRITE_VALUE && is_plain(text) && convert(text, &out)) {
        rewrite_set(n, (const char *)a->name, out.chars);
        count++;
      }
    }
  }
  return count;
}

/** Powers of effort and flow of a unit such as "@q/e" or "@e2/f1": q is f s, p is e s. */
static double formula_factor(const char *unit, double ke, double kf) {
  double factor = 1;
  int power = 1;
  if (unit == NULL || unit[0] != '@') {
    return 1;
  }
  for (const char *at = unit + 1; *at != '\0'; at++) {
    double k = *at == 'e' || *at == 'p' ? ke : *at == 'f' || *at == 'q' ? kf : 1;
    factor *= power > 0 ? k : 1 / k;
    power = *at == '/' ? -1 : power;
  }
  return factor;
}

static const sb_argument *find_argument(const sb_param *row, const rewrite_token *token) {
  const sb_argument *a = row == NULL ? NULL : row->arguments;
  while (a != NULL && a->name != NULL && !rewrite_is(token, a->name)) {
    a++;
  }
  return a == NULL || a->name == NULL ? NULL : a;
}

/** k times the value, with x/kx in the place of each variable x. */
static bool scale_formula(const char *text, const sb_param *row, double ke, double kf,
                          rewrite_text *out) {
  rewrite_token token = {0};
  const char *unit = row->unit, *end = text;
  bool variables = false;
  rewrite_put(out, "(");
  while (rewrite_next_token(text, true, &token)) {
    const sb_argument *a = token.kind == REWRITE_WORD ? find_argument(row, &token) : NULL;
    rewrite_put(out, "%.*s", (int)(token.start - end), end);
    end = token.start + token.length;
    if (a != NULL) {
      variables = true;
      unit = a->result != NULL ? a->result : unit;
      rewrite_put(out, "(%s/(%.17g))", a->name, formula_factor(a->unit, ke, kf));
    } else {
      rewrite_put(out, "%.*s", (int)token.length, token.start);
    }
  }
  rewrite_put(out, ")*(%.17g)", formula_factor(unit, ke, kf));
  return variables;
}

static void scale_numbers(const char *text, double factor, rewrite_text *out) {
  rewrite_token token = {0};
  const char *end = text;
  while (rewrite_next_token(text, true, &token)) {
    rewrite_put(out, "%.*s", (int)(token.start - end), end);
    end = token.start + token.length;
    if (token.kind == REWRITE_NUMBER) {
      rewrite_put(out, "%.17g", strtod(token.start, NULL) * factor);
    } else {
      rewrite_put(out, "%.*s", (int)token.length, token.start);
    }
  }
}

/** Whether a value is a single number, with or without a unit. */
static bool is_number(const char *text) {
  rewrite_token token = {0};
  int numbers = 0;
  while (rewrite_next_token(text, true, &token)) {
    numbers += token.kind == REWRITE_NUMBER;
    if (token.kind == REWRITE_WORD || (token.kind == REWRITE_OTHER && *token.start != '-')) {
      return false;
    }
  }
  return numbers == 1;
}

static void scale_row(xmlNode *node, const xmlAttr *a, const sb_param *row, double ke, double kf) {
  rewrite_text out = {.length = 0}, operand = {.length = 0};
  const char *text = rewrite_text_of(a);
  const sb_param *formula = row->formula != NULL ? row->formula : row;
  double factor = formula_factor(row->unit, ke, kf);
  if (formula->arguments != NULL && scale_formula(text, formula, ke, kf, &out)) {
    rewrite_set(node, (const char *)a->name, out.chars);
    return;
  }
  out.length = 0;
  if (factor == 1) {
    return;
  }
  if (factor > 0 && is_number(text)) {
    scale_numbers(text, factor, &out);
  } else {
    assert_true(rewrite_operand(text, &operand));
    rewrite_put(&out, "(%.17g)*%s", factor, operand.chars);
  }
  rewrite_set(node, (const char *)a->name, out.chars);
}

bool rewrite_scale(rewrite *r, xmlNode *element, double ke, double kf) {
  const sb_param *row;
  const char *id = rewrite_get(element, "id");
  if (rewrite_get(element, "class") != NULL || rewrite_get(element, "dim") != NULL ||
      rewrite_get(element, "exponent") != NULL || rewrite_get(element, "flows") != NULL ||
      rewrite_get(element, "values") != NULL) {
    return false;
  }
  for (xmlAttr *a = element->properties; a != NULL; a = a->next) {
    if (rewrite_place_of(a, &row) == REWRITE_VALUE && row != NULL) {
      scale_row(element, a, row, ke, kf);
    }
  }
  static const char *const names[] = {"e", "p", "f", "q"};
  for (int i = 0; i < 4; i++) {
    char name[REWRITE_NAME];
    (void)snprintf(name, sizeof name, "%s.%s", id, names[i]);
    rewrite_note(r, id, names[i], name, 1 / (i < 2 ? ke : kf));
  }
  return true;
}

/** What bodies are is not stated by efforts and flows; signals and fields mix variables of several
 *  ports in ways that only a reader of their expressions can tell. */
static bool is_scalable(const rewrite *r) {
  xmlNode *root = xmlDocGetRootElement(r->doc);
  bool scalable = rewrite_find(root, "mechanism") == NULL && rewrite_find(root, "signal") == NULL;
  for (xmlNode *n = root; scalable && n != NULL; n = rewrite_next(n)) {
    const sb_element_type *type = rewrite_type(n);
    scalable = type == NULL || type->role == SB_STRUCTURE || sb_port_count(type->ports, false) == 1;
  }
  return scalable;
}

int rewrite_efforts(rewrite *r) {
  int count = 0;
  if (!is_scalable(r)) {
    return 0;
  }
  for (xmlNode *n = xmlDocGetRootElement(r->doc); n != NULL; n = rewrite_next(n)) {
    const sb_element_type *type = rewrite_type(n);
    if (type != NULL && !rewrite_scale(r, n, r->number, 1 / r->number)) {
      return 0; // a table, or a power law
    }
    count += type != NULL && type->role != SB_STRUCTURE;
  }
  return count;
}

/** A value with a unit, of an element or of a parameter, that begins with a number other than 0. */
static bool is_measure(const xmlAttr *attribute) {
  const sb_param *row;
  const char *text = rewrite_text_of(attribute);
  bool value = rewrite_place_of(attribute, &row) == REWRITE_VALUE;
  rewrite_token number = {0};
  if (rewrite_named(attribute->parent, "param")) {
    value = value && strcmp((const char *)attribute->name, "value") == 0;
  } else {
    value = value && rewrite_type(attribute->parent) != NULL && row != NULL && row->unit != NULL;
  }
  return value && rewrite_next_token(text, true, &number) && number.kind == REWRITE_NUMBER &&
         strtod(text, NULL) != 0 && rewrite_unit_of(text, number).kind == REWRITE_UNIT;
}

int rewrite_fault(rewrite *r) {
  int count = 0;
  for (xmlNode *n = xmlDocGetRootElement(r->doc); n != NULL; n = rewrite_next(n)) {
    for (xmlAttr *a = n->properties; a != NULL; a = a->next) {
      rewrite_text out = {.length = 0};
      if (is_measure(a)) {
        count++;
        scale_numbers(rewrite_text_of(a), 1 + 1e-6 * count * count, &out);
        rewrite_set(n, (const char *)a->name, out.chars);
      }
    }
  }
  return count;
}
