// SPDX-License-Identifier: GPL-3.0-or-later
// The nearest name: hints for misspelt names, and distances counted by hand.
#include "tests/near.h"

#include <limits.h>
#include <stdio.h>

#include "core/base/nearest.h"

static void finds_the_nearest_name(void **state) {
  (void)state;
  static const char *const names[] = {"friction", "normal", "stiffness", NULL, "spin-stiffness",
                                      "C",        "TF",     "position",  "id"};
  const int count = sizeof names / sizeof *names;
  static const char *const cases[][2] = {
      {"frition", "friction"},
      {"Friction", "friction"},
      {"FRICTION", "friction"},
      {"stifness", "stiffness"},
      {"spinstiffness", "spin-stiffness"},
      {"nromal", "normal"},
      {"c", "C"},
      {"tf", "TF"},
      {"Cc", "C"},
      {"CC", "C"},
      {"cc", "C"},
      {"Cx", NULL},
      {"TX", NULL},
      {"x", NULL},
      {"", NULL},
      {"postion", "position"},
      {"ID", "id"},
      {"quite-another-thing", NULL},
      {"normal", "normal"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sb_suggestion s = sb_suggestion_start(cases[i][0]);
    for (int k = 0; k < count; k++) {
      (void)sb_suggestion_offer(&s, names[k]);
    }
    assert_string_equal(s.best, cases[i][1] != NULL ? cases[i][1] : "");
    assert_string_equal(s.all, "friction, normal, stiffness, spin-stiffness, C, TF, position, id");
  }
  char longer[SB_NEAREST_LENGTH_MAX + 2];
  memset(longer, 'a', sizeof longer);
  longer[sizeof longer - 1] = '\0';
  sb_suggestion s = sb_suggestion_start(longer);
  assert_false(sb_suggestion_offer(&s, "aaaa"));
  assert_int_equal(sb_nearest_distance(longer, strlen(longer), "a", 1), INT_MAX);
}

/** A list of any length: those that fit are named, and the nearest is found behind them. */
static void takes_any_number_of_names(void **state) {
  (void)state;
  enum { COUNT = 2385 };
  char name[24];
  sb_suggestion s = sb_suggestion_start("motr2385");
  for (int i = 1; i <= COUNT; i++) {
    (void)snprintf(name, sizeof name, "motor%d", i);
    assert_true(sb_suggestion_offer(&s, name) || i < COUNT);
  }
  assert_string_equal(s.best, "motor2385");
  assert_true(strlen(s.all) <= SB_SUGGESTION_LIST + 5);
  assert_memory_equal(s.all, "motor1, motor2, ", 16);
  assert_string_equal(s.all + strlen(s.all) - 5, ", ...");
}

static void offers_the_rows_of_a_table(void **state) {
  (void)state;
  static const struct {
    const char *name;
    double value;
  } table[] = {{"steel", 2.1}, {"copper", 1.2}, {0}};
  sb_suggestion s = sb_suggestion_start("coper");
  sb_suggestion_offer_rows(&s, table, sizeof *table);
  assert_string_equal(s.best, "copper");
  assert_string_equal(s.all, "steel, copper");
}

static void measures_distances(void **state) {
  (void)state;
  assert_int_equal(sb_nearest_distance("abc", 3, "abc", 3), 0);
  assert_int_equal(sb_nearest_distance("", 0, "abc", 3), 3 * SB_NEAREST_EDIT);
  assert_int_equal(sb_nearest_distance("abc", 3, "", 0), 3 * SB_NEAREST_EDIT);
  assert_int_equal(sb_nearest_distance("abc", 3, "acb", 3), SB_NEAREST_EDIT);
  assert_int_equal(sb_nearest_distance("abc", 3, "aBc", 3), SB_NEAREST_CASE);
  assert_int_equal(sb_nearest_distance("abBc", 4, "abc", 3), SB_NEAREST_TWICE);
  assert_int_equal(sb_nearest_distance("abc", 3, "abbc", 4), SB_NEAREST_EDIT);
  assert_int_equal(sb_nearest_distance("abcd", 4, "abxd", 4), SB_NEAREST_EDIT);
  assert_int_equal(sb_nearest_distance("kitten", 6, "sitting", 7), 3 * SB_NEAREST_EDIT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_the_nearest_name),
      cmocka_unit_test(takes_any_number_of_names),
      cmocka_unit_test(offers_the_rows_of_a_table),
      cmocka_unit_test(measures_distances),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
