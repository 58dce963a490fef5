// SPDX-License-Identifier: GPL-3.0-or-later
// The words of values and names, as the language tells them apart: netlist/value/value.h.
#include <stdlib.h>
#include <string.h>

#include "tests/near.h"

#include "tests/system/rewrite/rewrite.h"

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_unit(const char *text, size_t length) {
  sb_dimension dimension;
  double scale;
  return sb_unit_parse(text, length, &dimension, &scale, NULL) == SB_OK;
}

/** A unit directly behind a number, or as the last word. 0: none. */
static size_t unit_length(const char *at, bool behind_blank) {
  size_t length = strcspn(at, " ,)");
  const char *brackets = memchr(at, '(', length); // N/m^(3/2)
  if (brackets != NULL) {
    length = strcspn(at, " ");
  }
  const char *rest = at + length + strspn(at + length, " ");
  bool last = *rest == '\0' || strncmp(rest, "about ", 6) == 0;
  return (!behind_blank || last) && is_unit(at, length) ? length : 0;
}

static size_t word_length(const char *at, bool value) {
  size_t length = 0;
  while (is_letter(at[length]) || is_digit(at[length]) || (!value && at[length] == '-')) {
    length++;
  }
  return length;
}

bool rewrite_next_token(const char *text, bool value, rewrite_token *token) {
  bool after_number = token->kind == REWRITE_NUMBER;
  const char *end = token->start == NULL ? text : token->start + token->length;
  bool in_unit = value && token->kind == REWRITE_OTHER && *token->start == '[' && end - text >= 2 &&
                 (is_digit(end[-2]) || end[-2] == '.' || end[-2] == ')');
  const char *at = end + (in_unit ? 0 : strspn(end, " "));
  size_t unit = 0;
  if (in_unit) {
    unit = strcspn(at, "]");
  } else if (value && after_number && is_letter(*at)) {
    unit = unit_length(at, at > end);
  }
  *token = (rewrite_token){REWRITE_OTHER, at, 1};
  if (*at == '\0') {
    *token = (rewrite_token){REWRITE_END, at, 0};
  } else if (unit > 0) {
    *token = (rewrite_token){REWRITE_UNIT, at, unit};
  } else if (is_letter(*at)) {
    *token = (rewrite_token){REWRITE_WORD, at, word_length(at, value)};
  } else if (is_digit(*at) || (*at == '.' && is_digit(at[1]))) {
    char *stop;
    (void)strtod(at, &stop);
    *token = (rewrite_token){REWRITE_NUMBER, at, (size_t)(stop - at)};
  }
  return token->kind != REWRITE_END;
}

bool rewrite_is(const rewrite_token *token, const char *word) {
  return strlen(word) == token->length && memcmp(token->start, word, token->length) == 0;
}

void rewrite_put(rewrite_text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = vsnprintf(text->chars + text->length, REWRITE_TEXT - text->length, format, arguments);
  va_end(arguments);
  assert_true(count >= 0 && text->length + (size_t)count < REWRITE_TEXT);
  text->length += (size_t)count;
}

bool rewrite_operand(const char *value, rewrite_text *out) {
  rewrite_token token = {0};
  bool before = false;
  const char *end = value;
  rewrite_put(out, "(");
  while (rewrite_next_token(value, true, &token)) {
    bool operand = token.kind == REWRITE_NUMBER || token.kind == REWRITE_WORD;
    if (operand && before) {
      return false; // two numbers: a list
    }
    before = operand;
    rewrite_put(out, "%.*s", (int)(token.start - end), end);
    bool loose = token.kind == REWRITE_UNIT && (token.start == value || token.start[-1] != '[');
    rewrite_put(out, loose ? "[%.*s]" : "%.*s", (int)token.length, token.start);
    end = token.start + token.length;
  }
  rewrite_put(out, ")");
  return true;
}
