// SPDX-License-Identifier: GPL-3.0-or-later
// The nearest name: hints for misspelt names, and distances counted by hand.
#include "tests/near.h"

#include <limits.h>

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
      {"TX", NULL},
      {"x", NULL},
      {"", NULL},
      {"postion", "position"},
      {"ID", "id"},
      {"quite-another-thing", NULL},
      {"normal", "normal"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *found = sb_nearest(cases[i][0], names, count);
    if (cases[i][1] == NULL) {
      assert_null(found);
    } else {
      assert_non_null(found);
      assert_string_equal(found, cases[i][1]);
    }
  }
  char longer[SB_NEAREST_LENGTH_MAX + 2];
  memset(longer, 'a', sizeof longer);
  longer[sizeof longer - 1] = '\0';
  assert_null(sb_nearest(longer, names, count));
  assert_int_equal(sb_nearest_distance(longer, strlen(longer), "a", 1), INT_MAX);
}

static void measures_distances(void **state) {
  (void)state;
  assert_int_equal(sb_nearest_distance("abc", 3, "abc", 3), 0);
  assert_int_equal(sb_nearest_distance("", 0, "abc", 3), 3 * SB_NEAREST_EDIT);
  assert_int_equal(sb_nearest_distance("abc", 3, "", 0), 3 * SB_NEAREST_EDIT);
  assert_int_equal(sb_nearest_distance("abc", 3, "acb", 3), SB_NEAREST_EDIT);
  assert_int_equal(sb_nearest_distance("abc", 3, "aBc", 3), SB_NEAREST_CASE);
  assert_int_equal(sb_nearest_distance("abcd", 4, "abxd", 4), SB_NEAREST_EDIT);
  assert_int_equal(sb_nearest_distance("kitten", 6, "sitting", 7), 3 * SB_NEAREST_EDIT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_the_nearest_name),
      cmocka_unit_test(measures_distances),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
