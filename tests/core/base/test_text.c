// SPDX-License-Identifier: GPL-3.0-or-later
// A text that grows.
#include "tests/near.h"

#include "core/base/text.h"

/** The numbers 0 to 999 behind each other: 10 + 2 * 90 + 3 * 900 digits, and as many blanks. */
static void pieces_follow_each_other(void **state) {
  (void)state;
  sb_text text = {0};
  for (int i = 0; i < 1000; i++) {
    sb_text_put(&text, "%d%s", i, " ");
  }
  assert_false(text.failed);
  assert_int_equal(text.length, 10 + 2 * 90 + 3 * 900 + 1000);
  assert_int_equal(strlen(text.bytes), text.length);
  char *at = text.bytes;
  for (int i = 0; i < 1000; i++) {
    assert_int_equal(strtol(at, &at, 10), i);
  }
  free(text.bytes);
}

static void nothing_is_an_empty_text(void **state) {
  (void)state;
  sb_text text = {0};
  sb_text_put(&text, "%s", "");
  assert_string_equal(text.bytes, "");
  assert_int_equal(text.length, 0);
  free(text.bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pieces_follow_each_other),
      cmocka_unit_test(nothing_is_an_empty_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
