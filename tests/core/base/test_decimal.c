// SPDX-License-Identifier: GPL-3.0-or-later
// Times at even intervals: start + k step in decimal numbers, rounded once.
#include <float.h>

#include "core/base/decimal.h"
#include "tests/near.h"

static void times_are_those_people_count(void **state) {
  (void)state;
  static const struct {
    double start, step;
    long long k;
    double want; // as the compiler reads the decimal sum
  } rows[] = {
      {0, 0.1, 3, 0.3},           {0, 0.1, 7, 0.7},
      {0, 1e-5, 123457, 1.23457}, {0, 2.385e-7, 999999999, 238.4999997615},
      {0.7, 0.1, 1, 0.8},         {-0.3, 0.1, 3, 0},
      {-1.1, 0.1, 8, -0.3},       {1e5, 1e-9, 12345, 100000.000012345},
      {1e-3, 1e25, 1, 1e25},      {0, 1e-300, 7, 7e-300},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    sb_grid grid = sb_grid_make(rows[i].start, rows[i].step);
    assert_near(sb_grid_at(&grid, rows[i].k), rows[i].want, 0);
  }
}

/** One part of a whole number: every sample is that quotient, rounded once. */
static void parts_are_counted(void **state) {
  (void)state;
  static const double parts[] = {30, 7, 3, 44100, 60000, 51, 110, 1000};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    sb_grid grid = sb_grid_make(0, 1 / parts[i]);
    for (int k = 0; k < 10000; k++) {
      assert_near(sb_grid_at(&grid, k), k / parts[i], 0);
    }
  }
  sb_grid grid = sb_grid_make(0.5, 1.0 / 30);
  assert_near(sb_grid_at(&grid, 3), 0.6, 0);
  grid = sb_grid_make(0, 2.0 / 3);
  assert_near(sb_grid_at(&grid, 3), 2, 0);
}

/** What has no short decimal number is rounded as ever. */
static void others_are_near(void **state) {
  (void)state;
  sb_grid grid = sb_grid_make(1.0 / 7, 1.0 / 3);
  assert_near(sb_grid_at(&grid, 1), 1.0 / 7 + 1.0 / 3, 1e-16);
  assert_near(sb_grid_at(&grid, 1000003), 1.0 / 7 + 1000003 / 3.0, 1e-10);
  grid = sb_grid_make(1e300, 1e-300);
  assert_false(grid.decimal);
  assert_near(sb_grid_at(&grid, 1000), 1e300, 0);
  grid = sb_grid_make(0, 0.123456789012345678);
  assert_near(sb_grid_at(&grid, 4000000000LL), 4e9 * 0.123456789012345678, 1e-6);
}

/** A number times its unit, as a file states it, is the decimal number that is meant; others stay to their last digit. */
static void numbers_with_units(void **state) {
  (void)state;
  static const struct {
    double number, unit, want;
  } rows[] = {{4.1, 1e-3, 0.0041},
              {0.1, 1e-6, 1e-7},
              {1.1, 3600, 3960},
              {9.9, 1e-9, 9.9e-9},
              {-4.1, 1e-3, -0.0041},
              {0, 1, 0},
              {123456.789012, 1e-3, 123.456789012}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    assert_near(sb_decimal_near(rows[i].number * rows[i].unit), rows[i].want, 0);
  }
  static const double others[] = {1.0 / 3, 2.0 / 30, 0.1234567890123, 0.3 * (1 + 4 * DBL_EPSILON),
                                  HUGE_VAL};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    assert_true(sb_decimal_near(others[i]) == others[i]);
  }
  assert_true(isnan(sb_decimal_near(NAN)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(times_are_those_people_count), cmocka_unit_test(numbers_with_units),
      cmocka_unit_test(parts_are_counted), cmocka_unit_test(others_are_near)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
