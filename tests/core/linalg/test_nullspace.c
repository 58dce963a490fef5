// SPDX-License-Identifier: GPL-3.0-or-later
// Null spaces of sparse matrices: A v = 0 multiplied out here, and as many vectors as variables less
// the rank, which is known of each matrix.
#include "tests/near.h"

#include "core/linalg/nullspace.h"

/** Checks the vectors against the rows, and that no two lead with the same variable alone. */
static void check(const sb_term terms[], const int first[], int rows, int vars, const char late[],
                  int expected) {
  sb_arena memory = {0};
  sb_nullspace space = {0};
  double v[2400], most = 0;
  assert_true(vars <= 2400);
  assert_int_equal(
      sb_nullspace_find(terms, first, rows, vars, late, SB_NULLSPACE_ROUNDING, &memory, &space),
      SB_OK);
  assert_int_equal(space.count, expected);
  for (int k = 0; k < space.count; k++) {
    memset(v, 0, sizeof v);
    assert_true(space.first[k + 1] > space.first[k]);
    for (int i = space.first[k]; i < space.first[k + 1]; i++) {
      const double factor = (double)space.terms[i].factor;
      v[space.terms[i].var] += factor;
      most = fmax(most, fabs(factor));
    }
    for (int r = 0; r < rows; r++) {
      double sum = 0;
      for (int i = first[r]; i < first[r + 1]; i++) {
        sum += terms[i].factor * v[terms[i].var];
      }
      assert_near(sum, 0, 1e-12 * most);
    }
  }
  assert_true(expected == 0 || most > 0);
  sb_arena_finish(&memory);
}

/** x0 + 2 x1 - x2 = 0 and its triple, x3 = 0: rank 2 of 5 variables, of which x4 is in no row. */
static void rows_by_hand(void **state) {
  (void)state;
  static const sb_term terms[] = {{0, 1}, {1, 2}, {2, -1}, {0, 3}, {1, 6}, {2, -3}, {3, 2.385}};
  static const int first[] = {0, 3, 6, 7};
  static const char early[5] = {0}, late[5] = {1, 0, 0, 0, 0};
  check(terms, first, 3, 5, early, 3);
  check(terms, first, 3, 5, late, 3);
}

/** A chain x_k = x_(k-1): all alike, one vector; closed by x_last = -x_0, none. */
static void long_chains(void **state) {
  (void)state;
  enum { VARS = 2385 };
  static sb_term terms[2 * VARS];
  static int first[VARS + 1];
  static const char late[VARS] = {0};
  for (int k = 1; k <= VARS; k++) {
    terms[2 * k - 2] = (sb_term){k % VARS, 1};
    terms[2 * k - 1] = (sb_term){k - 1, k < VARS ? -1 : 1};
    first[k] = 2 * k;
  }
  check(terms, first, VARS - 1, VARS, late, 1);
  check(terms, first, VARS, VARS, late, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_by_hand),
      cmocka_unit_test(long_chains),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
