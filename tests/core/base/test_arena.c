// SPDX-License-Identifier: GPL-3.0-or-later
// Pieces of an arena, with as many as a large graph has.
#include "tests/near.h"

#include "core/base/arena.h"

static void pieces_keep_what_they_hold(void **state) {
  (void)state;
  enum { COUNT = 5000 };
  sb_arena arena = {0};
  static int *pieces[COUNT];
  for (int i = 0; i < COUNT; i++) {
    pieces[i] = sb_arena_zeroed(&arena, i % 7, sizeof(int));
    assert_non_null(pieces[i]);
    assert_int_equal((uintptr_t)pieces[i] % sizeof(double), 0);
    for (int k = 0; k < i % 7; k++) {
      assert_int_equal(pieces[i][k], 0);
      pieces[i][k] = i;
    }
  }
  char *large = sb_arena_zeroed(&arena, 1000000, 1);
  large[999999] = 'x';
  assert_string_equal(sb_arena_copy(&arena, "m1/R behind", 4), "m1/R");
  for (int i = 0; i < COUNT; i++) {
    for (int k = 0; k < i % 7; k++) {
      assert_int_equal(pieces[i][k], i);
    }
  }
  sb_arena_finish(&arena);
  sb_arena_finish(&arena);
}

static void arrays_grow(void **state) {
  (void)state;
  sb_arena arena = {0};
  int *items = NULL, capacity = 0;
  for (int i = 0; i < 2385; i++) {
    assert_true(sb_arena_grow(&arena, &items, &capacity, i + 1, sizeof *items));
    items[i] = 3 * i;
  }
  assert_in_range(capacity, 2385, 2 * 2385);
  for (int i = 0; i < 2385; i++) {
    assert_int_equal(items[i], 3 * i);
  }
  sb_arena_finish(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pieces_keep_what_they_hold),
                                     cmocka_unit_test(arrays_grow)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
