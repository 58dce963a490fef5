// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays that grow.
#include "tests/near.h"

#include "core/base/array.h"

/** The n-th square is the sum of the first n odd numbers, whatever the array went through. */
static void items_are_kept_while_it_grows(void **state) {
  (void)state;
  long *squares = NULL, square = 0;
  int count = 0, capacity = 0;
  for (long i = 0; i < 2385; i++) {
    square += 2 * i + 1;
    assert_true(sb_append(&squares, &count, &capacity, sizeof square, &square));
  }
  assert_int_equal(count, 2385);
  assert_in_range(capacity, 2385, 2 * 2385);
  for (long i = 0; i < 2385; i++) {
    assert_int_equal(squares[i], (i + 1) * (i + 1));
  }
  free(squares);
}

/** More than can be counted is refused, and the old array kept. */
static void too_many_are_refused(void **state) {
  (void)state;
  char *items = NULL;
  int capacity = 0;
  assert_true(sb_grow(&items, &capacity, 3, 1));
  int before = capacity;
  memcpy(items, "ab", 3);
  assert_false(sb_grow(&items, &capacity, INT32_MAX, 1));
  assert_int_equal(capacity, before);
  assert_string_equal(items, "ab");
  free(items);
}

static void none_is_no_null(void **state) {
  (void)state;
  double *zeroed = sb_zeroed(0, sizeof *zeroed);
  assert_non_null(zeroed);
  free(zeroed);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(items_are_kept_while_it_grows),
      cmocka_unit_test(too_many_are_refused),
      cmocka_unit_test(none_is_no_null),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
