// SPDX-License-Identifier: GPL-3.0-or-later
// Where the words and items of a value end, and how they are shown in errors.
#include <stdio.h>
#include <string.h>

#include "core/base/number.h"
#include "core/base/utf8.h"
#include "core/graph/domain.h"
#include "netlist/value/unit.h"
#include "netlist/value/words_private.h"

enum { QUOTE_MAX = 60 }; // bytes of a faulty word that are shown

sb_status sb_value_at(const sb_value_reader *in, size_t at, sb_status status) {
  if (in->err != NULL) {
    in->err->column = sb_utf8_count(in->text, at) + 1;
  }
  return status;
}

char sb_value_char(const sb_value_reader *in, size_t at) {
  return at < in->end ? in->text[at] : '\0';
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool sb_value_is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool sb_value_is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

bool sb_value_ends_word(const sb_value_reader *in, size_t at) {
  return at >= in->end || is_blank(in->text[at]);
}

size_t sb_value_skip_blanks(const sb_value_reader *in, size_t at) {
  while (at < in->end && is_blank(in->text[at])) {
    at++;
  }
  return at;
}

size_t sb_value_word_end(const sb_value_reader *in, size_t at) {
  while (!sb_value_ends_word(in, at)) {
    at++;
  }
  return at;
}

size_t sb_value_name_end(const sb_value_reader *in, size_t at) {
  while (sb_value_is_letter(sb_value_char(in, at)) || sb_value_is_digit(sb_value_char(in, at))) {
    at++;
  }
  return at;
}

bool sb_value_ends_function(const sb_value_reader *in, size_t start, size_t end) {
  for (const sb_function *f = sb_functions; f->name != NULL; f++) {
    if (strlen(f->name) == end - start && memcmp(f->name, in->text + start, end - start) == 0) {
      return true;
    }
  }
  return false;
}

/** Whether an item goes on after the blanks at `at`. */
static bool goes_on(const sb_value_reader *in, size_t at, bool after_function) {
  char c = sb_value_char(in, at);
  if (c == '+' || c == '-') {
    return in->max == 1 || at + 1 >= in->end || is_blank(in->text[at + 1]);
  }
  return c != '\0' && (strchr("*/^<>=!,)[", c) != NULL || (c == '(' && after_function));
}

size_t sb_value_item_end(const sb_value_reader *in, size_t at) {
  bool incomplete = true, after_function = false; // incomplete: an operand must follow
  for (int depth = 0; at < in->end;) {
    char c = in->text[at];
    double number;
    size_t used = 0, end = sb_value_name_end(in, at);
    if (is_blank(c)) {
      size_t next = sb_value_skip_blanks(in, at);
      if (next >= in->end || (depth == 0 && !incomplete && !goes_on(in, next, after_function))) {
        return at;
      }
      at = next;
    } else if (sb_value_is_letter(c)) {
      after_function = sb_value_ends_function(in, at, end);
      incomplete = false;
      at = end;
    } else if ((sb_value_is_digit(c) || c == '.') &&
               (sb_number_parse(in->text + at, in->end - at, &number, &used), used > 0)) {
      after_function = incomplete = false;
      at += used;
    } else if (c == '[') {
      while (at < in->end && in->text[at] != ']') {
        at++;
      }
      incomplete = after_function = false;
      at += at < in->end;
    } else {
      depth += (c == '(') - (c == ')' && depth > 0);
      incomplete = strchr("+-*/^<>=!(,", c) != NULL;
      after_function = false;
      at++;
    }
  }
  return at;
}

int sb_value_shown(const char *word, size_t length) {
  size_t size = 0;
  for (int next = 1; size < length && next > 0 && size + 4 <= QUOTE_MAX;) {
    next = sb_utf8_decode(word + size, length - size, NULL);
    size += (size_t)next;
  }
  return (int)size;
}

/** A unit as its domain spells it, as m/N of a compliance, that nobody would know by s^2/kg; else by its own names. */
static void describe(const sb_dimension *wanted, const char *domain, char text[SB_DIMENSION_SIZE]) {
  static const sb_domain none = {0};
  const sb_domain *found = domain == NULL ? NULL : sb_domain_find(domain);
  const sb_domain *of = found == NULL ? &none : found;
  const char *const units[] = {of->effort,   of->flow,       of->displacement,
                               of->momentum, of->compliance, of->inertia};
  (void)sb_unit_describe(wanted, text, SB_DIMENSION_SIZE);
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    sb_dimension own;
    double scale;
    if (units[i] != NULL &&
        sb_unit_parse(units[i], strlen(units[i]), &own, &scale, NULL) == SB_OK &&
        sb_dimension_equal(wanted, &own)) {
      (void)snprintf(text, SB_DIMENSION_SIZE, "%s", units[i]);
    }
  }
}

sb_status sb_value_misfit(const sb_value_reader *in, size_t at, size_t length, const char *what,
                          const sb_dimension *got, const sb_dimension *expected) {
  static const sb_dimension pure = {0};
  if (in->err == NULL) {
    return SB_ERR_DIMENSION;
  }
  char wanted[SB_DIMENSION_SIZE], own[SB_DIMENSION_SIZE];
  (void)sb_dimension_format(got, own, sizeof own);
  bool is_pure = sb_dimension_equal(expected, &pure);
  const char *domain = is_pure || in->scope == NULL ? NULL : in->scope->domain;
  describe(expected, domain, wanted);
  sb_status status =
      sb_fail(in->err, SB_ERR_DIMENSION, "%s '%.*s' does not fit: expected %s%s%s%s%s", what,
              sb_value_shown(in->text + at, length), in->text + at,
              is_pure ? "a pure number" : "a unit like ", is_pure ? "" : wanted,
              domain != NULL ? " (its domain is " : "", domain != NULL ? domain : "",
              domain != NULL ? ")" : "");
  if (is_pure) {
    sb_error_hint(in->err, "%.*s is %s", sb_value_shown(in->text + at, length), in->text + at, own);
  } else {
    char base[SB_DIMENSION_SIZE];
    (void)sb_dimension_format(expected, base, sizeof base);
    sb_error_hint(in->err, "%.*s is %s, expected is %s", sb_value_shown(in->text + at, length),
                  in->text + at, own, base);
  }
  return sb_value_at(in, at, status);
}
