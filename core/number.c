// SPDX-License-Identifier: GPL-3.0-or-later
// strtod() and snprintf() know how to round; only their decimal sign follows the locale. It is put
// in on the way to the one, and taken out behind the other.
#include "core/number.h"

#include <assert.h>
#include <langinfo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINT_MAX = 16 }; // bytes of the locale's decimal sign

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static size_t skip_digits(const char *text, size_t length, size_t at) {
  while (at < length && is_digit(text[at])) {
    at++;
  }
  return at;
}

/** The length of the number at `text`, 0 if there is none; *point is where its point is, or its
 *  end. */
static size_t measure(const char *text, size_t length, size_t *point) {
  size_t start = length > 0 && (text[0] == '+' || text[0] == '-') ? 1 : 0;
  size_t end = skip_digits(text, length, start);
  size_t digits = end - start;
  *point = end;
  if (end < length && text[end] == '.') {
    size_t after = skip_digits(text, length, end + 1);
    digits += after - (end + 1);
    end = after;
  }
  if (digits == 0) {
    return 0;
  }
  // An e without digits is not an exponent but the beginning of a unit, as in 3eV.
  if (end < length && (text[end] == 'e' || text[end] == 'E')) {
    size_t sign = end + 1 < length && (text[end + 1] == '+' || text[end + 1] == '-') ? 1 : 0;
    size_t first = end + 1 + sign;
    size_t after = skip_digits(text, length, first);
    end = after > first ? after : end;
  }
  return end;
}

sb_status sb_number_parse(const char *text, size_t length, double *value, size_t *used) {
  *value = 0;
  size_t at;
  *used = measure(text, length, &at);
  if (*used == 0 || *used > SB_NUMBER_LENGTH_MAX) {
    return SB_ERR_NUMBER;
  }
  char buffer[SB_NUMBER_LENGTH_MAX + POINT_MAX + 1];
  memcpy(buffer, text, at);
  size_t size = at;
  if (at < *used && text[at] == '.') {
    const char *point = nl_langinfo(RADIXCHAR);
    size_t point_size = strlen(point);
    assert(point_size > 0 && point_size <= POINT_MAX);
    memcpy(buffer + size, point, point_size);
    size += point_size;
    at++;
  }
  memcpy(buffer + size, text + at, *used - at);
  size += *used - at;
  buffer[size] = '\0';
  double number = strtod(buffer, NULL);
  if (!isfinite(number)) {
    return SB_ERR_NUMBER;
  }
  *value = number;
  return SB_OK;
}

static int copy_out(const char *text, char *buffer, size_t size) {
  return snprintf(buffer, size, "%s", text);
}

/** A finite number with so many significant digits and a point. */
static void print(double value, int digits, char text[SB_NUMBER_SIZE + POINT_MAX]) {
  (void)snprintf(text, SB_NUMBER_SIZE + POINT_MAX, "%.*g", digits, value);
  const char *point = nl_langinfo(RADIXCHAR);
  char *found = strcmp(point, ".") == 0 ? NULL : strstr(text, point);
  if (found != NULL) {
    const char *rest = found + strlen(point);
    *found = '.';
    memmove(found + 1, rest, strlen(rest) + 1);
  }
}

static const char *word_of(double value) {
  if (isnan(value)) {
    return "nan";
  }
  return value > 0 ? "inf" : "-inf";
}

int sb_number_format(double value, char *buffer, size_t size) {
  if (!isfinite(value)) {
    return copy_out(word_of(value), buffer, size);
  }
  char text[SB_NUMBER_SIZE + POINT_MAX];
  if (value == trunc(value) && fabs(value) < 1e6) { // most are zero
    return snprintf(buffer, size, signbit(value) ? "-%d" : "%d", (int)fabs(value));
  }
  for (int digits = 15; digits <= 17; digits++) {
    double back;
    size_t used;
    print(value, digits, text);
    // The largest number, rounded up, is no number any more.
    if (sb_number_parse(text, strlen(text), &back, &used) == SB_OK && back == value) {
      break;
    }
  }
  return copy_out(text, buffer, size);
}

int sb_number_format_json(double value, char *buffer, size_t size) {
  return isfinite(value) ? sb_number_format(value, buffer, size) : copy_out("null", buffer, size);
}

int sb_number_format_short(double value, int digits, char *buffer, size_t size) {
  assert(digits >= 1 && digits <= 17);
  if (!isfinite(value)) {
    return copy_out(word_of(value), buffer, size);
  }
  char text[SB_NUMBER_SIZE + POINT_MAX];
  print(value, digits, text);
  return copy_out(text, buffer, size);
}

sb_number_text sb_number_word(double value) {
  sb_number_text word;
  (void)sb_number_format_short(value, 9, word.text, sizeof word.text);
  return word;
}
