// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers to and from text, in every locale.
#include "tests/near.h"

#include <float.h>
#include <limits.h>
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"

static void check_parse(const char *text, double expected, size_t expected_used) {
  double value;
  size_t used;
  assert_int_equal(sb_number_parse(text, strlen(text), &value, &used), SB_OK);
  assert_int_equal(used, expected_used);
  assert_memory_equal(&value, &expected, sizeof value);
}

static void check_refused(const char *text, size_t expected_used) {
  double value = 7;
  size_t used = 99;
  assert_int_equal(sb_number_parse(text, strlen(text), &value, &used), SB_ERR_NUMBER);
  assert_int_equal(used, expected_used);
  assert_true(value == 0);
}

static void reads_numbers(void **state) {
  (void)state;
  check_parse("2.385", 2.385, 5);
  check_parse("-0.0137", -0.0137, 7);
  check_parse("+12", 12, 3);
  check_parse(".5", 0.5, 2);
  check_parse("5.", 5, 2);
  check_parse("5.m", 5, 2);
  check_parse("2.4e5 N/m", 2.4e5, 5);
  check_parse("1E-3", 1e-3, 4);
  check_parse("1e+3x", 1e3, 4);
  check_parse("3eV", 3, 1);
  check_parse("3e+", 3, 1);
  check_parse("-0", -0.0, 2);
  check_parse("0x10", 0, 1);
  check_parse("1.2.3", 1.2, 3);
  check_parse("1e-400", 0, 6);
  check_parse("4.9e-324", 4.9e-324, 8);
  check_parse("1.7976931348623157e308", DBL_MAX, 22);
}

static void refuses_what_is_no_number(void **state) {
  (void)state;
  check_refused("", 0);
  check_refused(" 1", 0);
  check_refused("-", 0);
  check_refused(".", 0);
  check_refused("-.e5", 0);
  check_refused("e5", 0);
  check_refused("inf", 0);
  check_refused("nan", 0);
  check_refused("1e309", 5);
  check_refused("-2e999999999999999999", 21);
  char digits[SB_NUMBER_LENGTH_MAX + 2];
  memset(digits, '1', sizeof digits);
  digits[SB_NUMBER_LENGTH_MAX + 1] = '\0';
  check_refused(digits, SB_NUMBER_LENGTH_MAX + 1);
  digits[300] = '\0';
  check_parse(digits, 1.1111111111111112e299, 300);
}

static void stops_at_the_given_length(void **state) {
  (void)state;
  const char text[] = {'1', '2', '.', '5', '7'};
  double value;
  size_t used;
  assert_int_equal(sb_number_parse(text, 4, &value, &used), SB_OK);
  assert_true(value == 12.5 && used == 4);
}

static void check_format(double value, const char *expected) {
  char text[SB_NUMBER_SIZE];
  assert_int_equal(sb_number_format(value, text, sizeof text), strlen(expected));
  assert_string_equal(text, expected);
}

static void writes_the_shortest_form(void **state) {
  (void)state;
  char text[SB_NUMBER_SIZE];
  check_format(0.1, "0.1");
  check_format(1.0 / 3, "0.3333333333333333");
  check_format(0.1 + 0.2, "0.30000000000000004");
  check_format(-2.385e-7, "-2.385e-07");
  check_format(1e22, "1e+22");
  check_format(0x1p149, "7.1362384635298e+44"); // of 16 digits the nearest is another number
  check_format(-0.0, "-0");
  check_format(DBL_MAX, "1.7976931348623157e+308");
  check_format(4.9e-324, "4.94065645841247e-324");
  check_format((double)INFINITY, "inf");
  check_format((double)-INFINITY, "-inf");
  check_format((double)NAN, "nan");
  assert_int_equal(sb_number_format_json((double)NAN, text, sizeof text), 4);
  assert_string_equal(text, "null");
  sb_number_format_json(-12.5, text, sizeof text);
  assert_string_equal(text, "-12.5");
  sb_number_format_short(2.0 / 3, 3, text, sizeof text);
  assert_string_equal(text, "0.667");
  sb_number_format_short((double)-INFINITY, 3, text, sizeof text);
  assert_string_equal(text, "-inf");
  assert_int_equal(sb_number_format_short(0, 6, text, sizeof text), 1);
  assert_string_equal(text, "0");
  assert_int_equal(sb_number_format_short(-0.0, 6, text, sizeof text), 1); // for people
  assert_string_equal(text, "0");
  assert_int_equal(sb_number_format(-0.0, text, 2), 2);
  assert_string_equal(text, "-");
  assert_int_equal(sb_number_format(2.385, text, 0), 5); // nothing is written
  assert_string_equal(text, "-");
  assert_int_equal(sb_number_format(2.385, text, 3), 5);
  assert_string_equal(text, "2.");
}

static void round_trips(void **state) {
  (void)state;
  uint64_t bits = 0x9E3779B97F4A7C15U;
  for (int i = 0; i < 20000; i++) {
    bits = bits * 6364136223846793005U + 1442695040888963407U;
    double value, back;
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value)) {
      continue;
    }
    char text[SB_NUMBER_SIZE];
    size_t used;
    int length = sb_number_format(value, text, sizeof text);
    assert_in_range(length, 1, SB_NUMBER_SIZE - 1);
    assert_int_equal(sb_number_parse(text, (size_t)length, &back, &used), SB_OK);
    assert_memory_equal(&back, &value, sizeof value);
  }
}

/** What the C library says: 16 digits, or 15 where these suffice, or 17 where 16 do not. */
static void check_shortest(double value) {
  char expected[SB_NUMBER_SIZE], shorter[SB_NUMBER_SIZE];
  (void)snprintf(expected, sizeof expected, "%.16g", value);
  (void)snprintf(shorter, sizeof shorter, "%.15g", value);
  if (strtod(shorter, NULL) == value) {
    memcpy(expected, shorter, sizeof expected);
  } else if (strtod(expected, NULL) != value) {
    (void)snprintf(expected, sizeof expected, "%.17g", value);
  }
  check_format(value, expected);
}

/** Of every size, of few digits and of many, and beside powers of ten and of two. */
static void digits_are_those_of_the_library(void **state) {
  (void)state;
  uint64_t bits = 0x9E3779B97F4A7C15U;
  for (int i = 0; i < (PLAIN ? 20000 : 2000); i++) {
    bits = bits * 6364136223846793005U + 1442695040888963407U;
    const int power = (int)(bits >> 58) - 30;
    check_shortest(ldexp((double)(bits >> 11), (int)(bits >> 57) - 105));
    check_shortest(-(double)(bits >> 40) / pow(10, power));
    check_shortest(ldexp((double)(bits >> 52), -power));
    check_shortest(nextafter(pow(10, power), i % 2 == 0 ? 0 : 1e300));
    check_shortest(nextafter(ldexp(1, power), i % 2 == 0 ? 0 : 1e300));
  }
}

/** With a decimal comma, and where it is there, with the Persian sign of two bytes. */
static void is_independent_of_the_locale(void **state) {
  (void)state;
  static const char *const locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "fa_IR.UTF-8", "ps_AF.UTF-8"};
  int found = 0;
  for (size_t i = 0; i < sizeof locales / sizeof *locales; i++) {
    if (setlocale(LC_ALL, locales[i]) != NULL) {
      found++;
      check_format(-2.385, "-2.385");
      check_format(2.385e-17, "2.385e-17");
      check_parse("2.385e1", 23.85, 7);
      check_parse("2,385", 2, 1);
      round_trips(NULL);
      assert_string_equal(setlocale(LC_ALL, NULL), locales[i]);
    }
  }
  setlocale(LC_ALL, "C");
  if (found == 0) { // no other locale is installed
    skip();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_numbers),
      cmocka_unit_test(refuses_what_is_no_number),
      cmocka_unit_test(stops_at_the_given_length),
      cmocka_unit_test(writes_the_shortest_form),
      cmocka_unit_test(round_trips),
      cmocka_unit_test(digits_are_those_of_the_library),
      cmocka_unit_test(is_independent_of_the_locale),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
