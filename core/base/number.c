// SPDX-License-Identifier: GPL-3.0-or-later
// strtod() and snprintf() know how to round; only their decimal sign follows the locale. It is put
// in on the way to the one, and taken out behind the other.
#include "core/base/number.h"

#include <assert.h>
#include <float.h>
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

/** A finite number by a format of a precision, with a point. */
static void print_as(const char *format, double value, int precision,
                     char text[SB_NUMBER_SIZE + POINT_MAX]) {
  (void)snprintf(text, SB_NUMBER_SIZE + POINT_MAX, format, precision, value);
  const char *point = nl_langinfo(RADIXCHAR);
  char *found = strcmp(point, ".") == 0 ? NULL : strstr(text, point);
  if (found != NULL) {
    const char *rest = found + strlen(point);
    *found = '.';
    memmove(found + 1, rest, strlen(rest) + 1);
  }
}

/** With so many significant digits. */
static void print(double value, int digits, char text[SB_NUMBER_SIZE + POINT_MAX]) {
  print_as("%.*g", value, digits, text);
}

static const char *word_of(double value) {
  if (isnan(value)) {
    return "nan";
  }
  return value > 0 ? "inf" : "-inf";
}

enum { DIGITS = 17 }; // tell every number

/** A number +-d.ddd... 10^exponent. */
typedef struct decimal {
  bool negative;
  char digits[DIGITS]; // '0' to '9'
  int exponent;
} decimal;

/** The nearest of 17 digits. */
static decimal decimal_of(double value) {
  char text[SB_NUMBER_SIZE + POINT_MAX];
  decimal d = {.negative = value < 0};
  print_as("%.*e", value, DIGITS - 1, text);
  const char *at = text + d.negative;
  for (int i = 0; i < DIGITS; at++) {
    if (is_digit(*at)) {
      d.digits[i++] = *at;
    }
  }
  d.exponent = (int)strtol(at + 1, NULL, 10);
  return d;
}

/** Rounds to fewer digits; false if it cannot be told which way, as the others are 5 and rounded. */
static bool shorten(const decimal *from, int digits, decimal *to) {
  *to = *from;
  bool half = from->digits[digits] == '5', up = from->digits[digits] > '5';
  for (int i = digits + 1; half && i < DIGITS; i++) {
    half = from->digits[i] == '0';
    up = !half;
  }
  for (int i = digits; i < DIGITS; i++) {
    to->digits[i] = '0';
  }
  for (int i = digits - 1; up; i--) {
    if (i < 0) { // 9.99... becomes 10
      to->digits[0] = '1';
      to->exponent++;
      break;
    }
    up = to->digits[i] == '9';
    to->digits[i] = up ? '0' : (char)(to->digits[i] + 1);
  }
  return !half;
}

/** Writes so many digits as %g does. */
static void write(const decimal *d, int digits, char text[SB_NUMBER_SIZE]) {
  int count = digits, lead = d->exponent;
  while (count > 1 && d->digits[count - 1] == '0') {
    count--;
  }
  *text = '-';
  text += d->negative;
  if (lead < -4 || lead >= digits) {
    *text++ = d->digits[0];
    *text = '.';
    text += count > 1;
    memcpy(text, d->digits + 1, (size_t)(count - 1));
    (void)sprintf(text + count - 1, "e%c%02d", lead < 0 ? '-' : '+', abs(lead));
    return;
  }
  int whole = lead < 0 ? 1 : lead + 1; // digits before the point
  memcpy(text, lead < 0 ? "0" : d->digits, (size_t)whole);
  text += whole;
  if (lead < 0 || count > whole) {
    int zeros = lead < 0 ? -lead - 1 : 0, first = lead < 0 ? 0 : whole;
    *text++ = '.';
    memset(text, '0', (size_t)zeros);
    memcpy(text + zeros, d->digits + first, (size_t)(count - first));
    text += zeros + count - first;
  }
  *text = '\0';
}

/** Whether 15 digits may tell a number. Its neighbours are 2.3e-16 apart at the most, so that the two last
 *  of its 17 digits, units of 1e-17 at the least, are then within 12 of 00. */
static bool may_be_short(double value, const decimal *d) {
  int last = 10 * (d->digits[DIGITS - 2] - '0') + d->digits[DIGITS - 1] - '0';
  return last <= 12 || last >= 88 || fabs(value) < DBL_MIN; // neighbours are further apart
}

int sb_number_format(double value, char *buffer, size_t size) {
  if (!isfinite(value)) {
    return copy_out(word_of(value), buffer, size);
  }
  char text[SB_NUMBER_SIZE + POINT_MAX];
  if (value == trunc(value) && fabs(value) < 1e6) { // most are zero
    return snprintf(buffer, size, signbit(value) ? "-%d" : "%d", (int)fabs(value));
  }
  decimal longest = decimal_of(value), shorter;
  for (int digits = may_be_short(value, &longest) ? 15 : 16; digits < DIGITS; digits++) {
    double back;
    size_t used;
    if (shorten(&longest, digits, &shorter)) {
      write(&shorter, digits, text);
    } else {
      print(value, digits, text);
    }
    // The largest number, rounded up, is no number any more.
    if (sb_number_parse(text, strlen(text), &back, &used) == SB_OK && back == value) {
      return copy_out(text, buffer, size);
    }
  }
  write(&longest, DIGITS, text);
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
