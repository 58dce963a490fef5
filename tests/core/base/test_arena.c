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
  assert_in_range(capacity, 2385, 4 * 2385);
  for (int i = 0; i < 2385; i++) {
    assert_int_equal(items[i], 3 * i);
  }
  sb_arena_finish(&arena);
}

/** Long arrays move as they grow, and the pieces and arrays around them are still there. */
static void long_arrays_grow_together(void **state) {
  (void)state;
  enum { ARRAYS = 3, COUNT = 100000 };
  sb_arena arena = {0};
  long *items[ARRAYS] = {0};
  int counts[ARRAYS] = {0}, capacities[ARRAYS] = {0};
  char *piece = sb_arena_copy(&arena, "2.385", 5);
  for (long i = 0; i < COUNT; i++) {
    for (int k = 0; k < ARRAYS; k++) {
      long item = ARRAYS * i + k;
      assert_true(
          sb_arena_append(&arena, &items[k], &counts[k], &capacities[k], sizeof item, &item));
    }
    if (i % 1000 == 0) {
      *(long *)sb_arena_take(&arena, sizeof(long)) = -1;
    }
  }
  double *zeros = sb_arena_zeroed(&arena, COUNT, sizeof *zeros);
  assert_false(arena.failed);
  for (long i = 0; i < COUNT; i++) {
    for (int k = 0; k < ARRAYS; k++) {
      assert_int_equal(items[k][i], ARRAYS * i + k);
    }
    assert_true(zeros[i] == 0);
  }
  assert_string_equal(piece, "2.385");
  sb_arena_finish(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pieces_keep_what_they_hold),
                                     cmocka_unit_test(arrays_grow),
                                     cmocka_unit_test(long_arrays_grow_together)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
