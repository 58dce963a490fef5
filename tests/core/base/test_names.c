// SPDX-License-Identifier: GPL-3.0-or-later
// The table of names, with as many as a large graph has.
#include "tests/near.h"

#include <stdio.h>

#include "core/base/names.h"

/** Names that differ in their last digit are neighbours in the table, and still told apart. */
static void names_are_told_apart(void **state) {
  (void)state;
  enum { COUNT = 40000 };
  static char names[COUNT][16];
  sb_names table = {0};
  for (int i = 0; i < COUNT; i++) {
    (void)snprintf(names[i], sizeof names[i], i % 2 ? "%c%d" : "%c[%d]/R", "CRLmn"[i % 5], i / 10);
    assert_int_equal(sb_names_find(&table, names[i], strlen(names[i])), -1);
    assert_true(sb_names_add(&table, names[i], i));
  }
  for (int i = 0; i < COUNT; i++) {
    assert_int_equal(sb_names_find(&table, names[i], strlen(names[i])), i);
  }
  assert_int_equal(sb_names_find(&table, "C12", 2), sb_names_find(&table, "C1", 2));
  assert_int_equal(sb_names_find(&table, "no such name", 12), -1);
  sb_names_finish(&table);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_are_told_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
