// SPDX-License-Identifier: GPL-3.0-or-later
// The same physics where a kilogram, a metre, a second and an ampere are others: every number with a
// unit changes by the powers of the base units in it, energies by kg m^2/s^2. What a model does must
// not depend on it, unless a number with a dimension is hidden in the code.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/near.h"

#include "tests/system/rewrite/rewrite.h"

double rewrite_base_factor(const rewrite *r, const char *unit, size_t length) {
  sb_dimension dimension;
  double scale, factor = 1;
  if (length == 0 || sb_unit_parse(unit, length, &dimension, &scale, NULL) != SB_OK) {
    return 1;
  }
  for (int i = 0; i < SB_DIMENSION_BASES; i++) {
    factor *= pow(r->base[i], (double)dimension.exponent[i] / SB_EXPONENT_ONE);
  }
  return factor;
}

/** @param unit  of numbers without one; NULL: none */
static bool change(const rewrite *r, const char *text, const char *unit, rewrite_text *out) {
  rewrite_token token = {0};
  const char *end = text;
  bool changed = false;
  while (rewrite_next_token(text, true, &token)) {
    rewrite_put(out, "%.*s", (int)(token.start - end), end);
    end = token.start + token.length;
    if (token.kind != REWRITE_NUMBER) {
      rewrite_put(out, "%.*s", (int)token.length, token.start);
      continue;
    }
    rewrite_token own = rewrite_unit_of(text, token);
    double factor = own.kind == REWRITE_UNIT ? rewrite_base_factor(r, own.start, own.length)
                    : unit != NULL           ? rewrite_base_factor(r, unit, strlen(unit))
                                             : 1;
    rewrite_put(out, "%.17g", strtod(token.start, NULL) * factor);
    changed = changed || factor != 1;
  }
  return changed;
}

/** A number other than 0 without a unit where one belongs: what to do with it is not stated. */
static bool is_bare(const char *text, const sb_param *row) {
  rewrite_token token = {0};
  bool unit = false, number = false;
  while (rewrite_next_token(text, true, &token)) {
    number = number || (token.kind == REWRITE_NUMBER && strtod(token.start, NULL) != 0);
    unit = unit || token.kind == REWRITE_UNIT || token.kind == REWRITE_WORD;
  }
  return row != NULL && row->unit != NULL && number && !unit;
}

/** The damping factor of a contact law with another exponent than 1 means N s/m for its normal
 *  direction only: for the others there is a metre in it (see contact/). */
static bool holds_metre(const rewrite *r) {
  for (xmlNode *n = xmlDocGetRootElement(r->doc); (n = rewrite_find(n, "contact-law")) != NULL;) {
    const char *exponent = rewrite_get(n, "exponent");
    if (exponent != NULL && strcmp(exponent, "1") != 0) {
      return true;
    }
  }
  return false;
}

int rewrite_base_units(rewrite *r) {
  static const double others[2][SB_DIMENSION_BASES] = {
      {4, 16, 0.25, 64, 4, 4, 4}, // m, kg, s, A, ...
      {0x1p-4, 0x1p14, 4, 0.25, 16, 0.25, 4}};
  const double *other = others[r->number != 0];
  int count = 0;
  memcpy(r->base, other, sizeof r->base);
  r->base[0] = holds_metre(r) ? 1 : other[0];
  r->time = r->base[2];
  r->energy = r->base[1] * r->base[0] * r->base[0] / (r->base[2] * r->base[2]);
  for (xmlNode *n = xmlDocGetRootElement(r->doc); n != NULL; n = rewrite_next(n)) {
    bool param = rewrite_named(n, "param");
    for (xmlAttr *a = n->properties; a != NULL; a = a->next) {
      const sb_param *row;
      const char *text = rewrite_text_of(a);
      rewrite_text out = {.length = 0};
      if (rewrite_place_of(a, &row) != REWRITE_VALUE) {
        continue;
      }
      if (is_bare(text, row)) {
        return 0;
      }
      bool simple = strpbrk(text, "(*") == NULL;
      if (change(r, text, param && simple ? rewrite_get(n, "unit") : NULL, &out)) {
        rewrite_set(n, (const char *)a->name, out.chars);
        count++;
      }
    }
  }
  return count;
}
