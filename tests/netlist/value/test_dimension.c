// SPDX-License-Identifier: GPL-3.0-or-later
// Dimensions: products of powers, and their text in base units.
#include "tests/near.h"

#include "netlist/value/unit.h"

static sb_dimension dimension_of(const char *unit) {
  sb_dimension dimension;
  double scale;
  sb_error err = {0};
  ok(sb_unit_parse(unit, strlen(unit), &dimension, &scale, &err), &err);
  return dimension;
}

static void multiplies_dimensions(void **state) {
  (void)state;
  sb_dimension a = dimension_of("C"), volt = dimension_of("V");
  sb_dimension farad = dimension_of("F"), bare = {.any = true};
  assert_false(sb_dimension_equal(&a, &farad));
  assert_true(sb_dimension_multiply(&a, &volt, -1, 1));
  assert_true(sb_dimension_equal(&a, &farad));
  assert_true(sb_dimension_fits(&a, &bare) && sb_dimension_fits(&bare, &a));
  assert_false(sb_dimension_fits(&a, &volt));
  assert_false(sb_dimension_multiply(&a, &volt, 1, 7));
  assert_true(sb_dimension_equal(&a, &farad));
}

/** J = kg m^2/s^2 by hand: its square root, and powers whose exponents are no 600ths or too large. */
static void exponents_are_fractions(void **state) {
  (void)state;
  sb_dimension root = {0}, joule = dimension_of("J"), expected = dimension_of("kg^0.5.m/s");
  assert_true(sb_dimension_multiply(&root, &joule, 1, 2));
  assert_true(sb_dimension_equal(&root, &expected));
  assert_true(sb_dimension_multiply(&root, &joule, -3, 6)); // and back to a pure number
  assert_true(sb_dimension_equal(&root, &(sb_dimension){0}));
  assert_false(sb_dimension_multiply(&joule, &joule, SB_DIMENSION_LIMIT, 1));
  expected = dimension_of("N.m");
  assert_true(sb_dimension_equal(&joule, &expected)); // unchanged
}

static void formats_base_units(void **state) {
  (void)state;
  static const char *const cases[][2] = {{"V", "kg.m^2/(s^3.A)"},
                                         {"N/m^(3/2)", "kg/(m^(1/2).s^2)"},
                                         {"rad/s", "1/s"},
                                         {"rad", "1"},
                                         {"kg", "kg"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[SB_DIMENSION_SIZE];
    sb_dimension dimension = dimension_of(cases[i][0]);
    assert_int_equal(sb_dimension_format(&dimension, text, sizeof text), strlen(cases[i][1]));
    assert_string_equal(text, cases[i][1]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(multiplies_dimensions),
      cmocka_unit_test(exponents_are_fractions),
      cmocka_unit_test(formats_base_units),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
