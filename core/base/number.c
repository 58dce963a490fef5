// SPDX-License-Identifier: GPL-3.0-or-later
// strtod() and snprintf() know how to round; only their decimal sign follows the locale. Each is called in
// the "C" locale of the calling thread, which then gets back its own.
#include "core/base/number.h"

#include <assert.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/digits_private.h"

static locale_t enter_c_locale(void) {
  return uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

static void leave_c_locale(locale_t caller) {
  freelocale(uselocale(caller));
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static size_t skip_digits(const char *text, size_t length, size_t at) {
  while (at < length && is_digit(text[at])) {
    at++;
  }
  return at;
}

/** The length of the number at `text`, 0 if there is none. */
static size_t measure(const char *text, size_t length) {
  size_t start = length > 0 && (text[0] == '+' || text[0] == '-') ? 1 : 0;
  size_t end = skip_digits(text, length, start);
  size_t digits = end - start;
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
  *used = measure(text, length);
  if (*used == 0 || *used > SB_NUMBER_LENGTH_MAX) {
    return SB_ERR_NUMBER;
  }
  char buffer[SB_NUMBER_LENGTH_MAX + 1];
  memcpy(buffer, text, *used);
  buffer[*used] = '\0';
  locale_t caller = enter_c_locale();
  double number = strtod(buffer, NULL);
  leave_c_locale(caller);
  if (!isfinite(number)) {
    return SB_ERR_NUMBER;
  }
  *value = number;
  return SB_OK;
}

/** What snprintf(buffer, size, "%s", text) does. */
static int copy(const char *text, char *buffer, size_t size) {
  size_t length = strlen(text), room = size > 0 ? size - 1 : 0;
  size_t written = length < room ? length : room;
  if (size > 0) {
    memcpy(buffer, text, written);
    buffer[written] = '\0';
  }
  return (int)length;
}

/** Whether so many digits tell the number. */
static bool print(double value, int digits, char text[SB_NUMBER_SIZE]) {
  (void)snprintf(text, SB_NUMBER_SIZE, "%.*g", digits, value);
  return strtod(text, NULL) == value;
}

int sb_number_format(double value, char *buffer, size_t size) {
  if (value == 0) { // as most are in a ledger
    return copy(signbit(value) ? "-0" : "0", buffer, size);
  }
  if (value == trunc(value) && fabs(value) < 1e6) {
    return snprintf(buffer, size, signbit(value) ? "-%d" : "%d", (int)fabs(value));
  }
  if (isnan(value)) { // "%g" may write its sign
    return snprintf(buffer, size, "nan");
  }
  char text[SB_NUMBER_SIZE], shorter[SB_NUMBER_SIZE];
  if (isfinite(value) && sb_digits_format(value, text) > 0) {
    return copy(text, buffer, size);
  }
  locale_t caller = enter_c_locale();
  // 15 digits are further off than 16, and enough only where 16 are, or where the number is a power of
  // two, below which its neighbour is nearer than above.
  int exponent;
  bool enough = print(value, 16, text);
  bool fewer = (enough || fabs(frexp(value, &exponent)) == 0.5) && print(value, 15, shorter);
  if (!enough && !fewer) {
    (void)snprintf(text, sizeof text, "%.17g", value);
  }
  leave_c_locale(caller);
  return copy(fewer ? shorter : text, buffer, size);
}

int sb_number_format_json(double value, char *buffer, size_t size) {
  return isfinite(value) ? sb_number_format(value, buffer, size) : snprintf(buffer, size, "null");
}

int sb_number_format_short(double value, int digits, char *buffer, size_t size) {
  assert(digits >= 1 && digits <= 17);
  if (value == 0) { // whatever its sign
    return copy("0", buffer, size);
  }
  if (isnan(value)) { // "%g" may write its sign
    return snprintf(buffer, size, "nan");
  }
  locale_t caller = enter_c_locale();
  int length = snprintf(buffer, size, "%.*g", digits, value);
  leave_c_locale(caller);
  return length;
}

sb_number_text sb_number_word(double value) {
  sb_number_text word;
  (void)sb_number_format_short(value, 9, word.text, sizeof word.text);
  return word;
}
