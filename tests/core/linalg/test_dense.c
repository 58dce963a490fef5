// SPDX-License-Identifier: GPL-3.0-or-later
// Dense elimination against products formed here, and against systems solved by hand.
#include "tests/near.h"

#include "core/linalg/dense.h"

enum { N = 7, COLUMNS = N + 2 };

/** Entries that no symmetry makes easy. */
static double entry(int i, int j) {
  return sin(2.385 * (i + 1) + 1.31 * (j + 1) * (i + 2)) + (i == j ? 0.3 : 0);
}

/** A x = b with b = A x made from a known x, for two right sides: row r holds unknown pivots[r]. */
static void solves_what_was_multiplied(void **state) {
  (void)state;
  double a[N * COLUMNS];
  int pivots[N];
  for (int i = 0; i < N; i++) {
    for (int c = N; c < COLUMNS; c++) {
      a[i * COLUMNS + c] = 0;
      for (int j = 0; j < N; j++) {
        a[i * COLUMNS + j] = entry(i, j);
        a[i * COLUMNS + c] += entry(i, j) * (c == N ? j + 1 : 1.0 / (j + 2));
      }
    }
  }
  assert_int_equal(sb_eliminate(a, N, COLUMNS, N, 1e-12, pivots), N);
  for (int r = 0; r < N; r++) {
    assert_near(a[r * COLUMNS + N], pivots[r] + 1, 1e-12);
    assert_near(a[r * COLUMNS + N + 1], 1.0 / (pivots[r] + 2), 1e-12);
    for (int j = 0; j < N; j++) {
      assert_near(a[r * COLUMNS + j], j == pivots[r], 1e-14);
    }
  }
}

/** Two rows and their sum: rank 2, and the third row says 0 = 3 + 4 - 7 or 0 = 1. */
static void finds_the_rank(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    double a[12] = {1, 2, 3, 3, 4, 5, 7, 4, 5, 7, 10, 7 + k};
    int pivots[3];
    assert_int_equal(sb_eliminate(a, 3, 4, 3, 1e-12, pivots), 2);
    for (int j = 0; j < 3; j++) {
      assert_near(a[8 + j], 0, 1e-14);
    }
    assert_near(fabs(a[11]) > 1e-3, k, 0);
  }
  double zero[4] = {0};
  assert_int_equal(sb_eliminate(zero, 2, 2, 2, 1e-12, NULL), 0);
}

/** x0 + 2 x1 = 5.085, 3 x0 + 4 x1 = 12.555 with the solution (2.385, 1.35), in units of which the second unknown and its equation are
 *  10^9 as many: the pivots stay where they are. d x0 + 2 x1 with d below the least has no pivot there. */
static void keeps_pivots_on_the_diagonal(void **state) {
  static const double units[] = {1, 1e9, 1e-9};
  (void)state;
  for (int k = 0; k < 4; k++) {
    const double u = units[k % 3], d = k < 3 ? 1 : 1e-4;
    double a[4] = {d, 2 / u, 3 * u, 4}, b[2] = {2.385 * d + 2.7, u * (3 * 2.385 + 4 * 1.35)};
    int pivots[2];
    assert_int_equal(sb_lu_factor_near(a, 2, 0, 1e-3, pivots), 2);
    assert_int_equal(pivots[0], k == 3);
    sb_lu_solve(a, 2, pivots, b, 1);
    assert_near(b[0], 2.385, 1e-14);
    assert_near(b[1] / u, 1.35, 1e-14);
  }
}

/** Rows that span two directions in four unknowns, x3 = 2 x0 - x1 and x2 = x0/8: of the early unknowns those with entries
 *  that are large enough are solved for. */
static void solves_for_early_unknowns(void **state) {
  (void)state;
  static const double directions[2][4] = {{1, 0, 0.125, 2}, {0, 1, 0, -1}};
  for (int k = 0; k < 2; k++) {
    double a[12];
    int pivots[3];
    for (int i = 0; i < 12; i++) {
      a[i] = sin(2.385 + i / 4) * directions[0][i % 4] + cos(1.31 * (i / 4)) * directions[1][i % 4];
    }
    assert_int_equal(sb_eliminate_early(a, 3, 4, 2, k == 0 ? 0.1 : 1, pivots), 2);
    assert_int_equal(pivots[0] == 0, k == 0);
    for (int r = 0; r < 2; r++) {
      assert_near(a[r * 4 + pivots[r]], 1, 1e-15);
      assert_near(a[r * 4 + pivots[1 - r]], 0, 1e-15);
      assert_near(a[r * 4 + 3], 2 * a[r * 4] - a[r * 4 + 1], 1e-14);
      assert_near(a[r * 4 + 2], a[r * 4] / 8, 1e-15);
    }
  }
  double zero[4] = {0};
  int none[2];
  assert_int_equal(sb_eliminate_early(zero, 2, 2, 2, 0.1, none), 0);
}

/** Hilbert's matrix of order 3, definite and unlike its diagonal; its inverse in whole numbers. */
static void solves_definite_systems(void **state) {
  (void)state;
  static const double inverse[9] = {9, -36, 30, -36, 192, -180, 30, -180, 180};
  double a[9], b[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (int i = 0; i < 9; i++) {
    a[i] = 1.0 / (i / 3 + i % 3 + 1);
  }
  sb_solve_definite(a, b, 3, 3, 1e-14);
  for (int i = 0; i < 9; i++) {
    assert_near(b[i], inverse[i], 1e-11);
  }
}

/** Hilbert's matrix of order 3 and its inverse in whole numbers; an indefinite one; one that is not at all. */
static void inverts_definite_matrices(void **state) {
  (void)state;
  static const double inverse[9] = {9, -36, 30, -36, 192, -180, 30, -180, 180};
  double a[9], diagonal[3];
  bool swept[3];
  for (int i = 0; i < 9; i++) {
    a[i] = 1.0 / (i / 3 + i % 3 + 1);
  }
  assert_int_equal(sb_invert_definite(a, 3, 1e-13, diagonal, swept), 3);
  for (int i = 0; i < 9; i++) {
    assert_near(a[i], inverse[i], 1e-11);
    assert_true(a[i] == a[i % 3 * 3 + i / 3]);
  }
  double indefinite[4] = {1, 2.385, 2.385, 1}, zero[4] = {2.385, 0, 0, 0};
  assert_int_equal(sb_invert_definite(indefinite, 2, 1e-13, diagonal, swept), -1);
  assert_int_equal(sb_invert_definite(zero, 2, 1e-13, diagonal, swept), -1);
}

/** Three windings of 2, 3 and 5 turns on one core, without leakage, M = n n^T in units of their own: rank 1, and M K M = M.
 *  With a fourth beside them: rank 2. With a negative one: none. */
static void inverts_semidefinite_matrices(void **state) {
  (void)state;
  enum { D = 4 };
  static const double turns[D] = {2e-4, 3, 5e3, 0};
  double M[D * D], K[D * D], diagonal[D];
  bool swept[D];
  for (int kind = -1; kind < 2; kind++) {
    const int n = kind == 0 ? D - 1 : D;
    for (int i = 0; i < n * n; i++) {
      M[i] = K[i] = turns[i / n] * turns[i % n] + (i == D * D - 1 ? 2.385 * kind : 0);
    }
    if (kind < 0) { // its energy is negative beside the first winding
      M[D * D - 1] = K[D * D - 1] = 1;
      M[D - 1] = K[D - 1] = M[(D - 1) * D] = K[(D - 1) * D] = 2.385e-4;
    }
    const int rank = sb_invert_definite(K, n, 1e-13, diagonal, swept);
    assert_int_equal(rank, kind < 0 ? -1 : 1 + kind);
    for (int i = 0; i < n * n && rank > 0; i++) {
      double sum = 0;
      for (int k = 0; k < n * n; k++) {
        sum += M[i / n * n + k / n] * K[k] * M[k % n * n + i % n];
      }
      assert_near(sum, M[i], 1e-14 * (fabs(M[i]) + 1e-10));
    }
  }
}

/** (1 1; 1 1) x = (2.385, 2.385) states one equation twice: a solution, one of its unknowns zero. */
static void solves_semidefinite_systems(void **state) {
  (void)state;
  double a[4] = {1, 1, 1, 1}, b[2] = {2.385, 2.385};
  sb_solve_definite(a, b, 2, 1, 1e-12);
  assert_near(b[0] + b[1], 2.385, 1e-15);
  assert_near(b[0] * b[1], 0, 0);
}

/** Rows of C with C C^T = A: two that all but say one thing, by d = 1e-3, and two more that say what three others do, so that the rank is
 *  four of six. Taken in this order, what is left after the small one is rounding over d^2, more than what counts as zero; the largest first
 *  finds the rank, and C^T x the one that C tells. */
static void small_pivots_come_last(void **state) {
  (void)state;
  enum { MANY = 6, FEW = 5 };
  const double d = 1e-3,
               C[MANY][FEW] = {{1, 0, 0, 0, 0},      {1, d, 0, 0, 0},         {0.3, 1, 0.2, 0, 0},
                               {0.7, -0.4, 1, 0, 0}, {1.3, 1 + d, 0.2, 0, 0}, {0, 0, 0, 0, 0.5}};
  const double v[FEW] = {0.31, -0.72, 0.113, 2.385, 0.9};
  double A[MANY * MANY], b[MANY], scratch[MANY];
  int order[MANY];
  for (int i = 0; i < MANY; i++) {
    b[i] = 0;
    for (int k = 0; k < FEW; k++) {
      b[i] += C[i][k] * v[k];
    }
    for (int j = 0; j < MANY; j++) {
      A[i * MANY + j] = 0;
      for (int k = 0; k < FEW; k++) {
        A[i * MANY + j] += C[i][k] * C[j][k];
      }
    }
  }
  assert_int_equal(sb_solve_semidefinite(A, b, MANY, 1e-13, order, scratch), 4);
  for (int k = 0; k < FEW; k++) {
    double sum = 0;
    for (int i = 0; i < MANY; i++) {
      sum += C[i][k] * b[i];
    }
    assert_near(sum, k == 3 ? 0 : v[k], 1e-9);
  }
}

/** The same where unknowns and equations have units, D (1 1/2; 1/2 1) D z = D (2.385, 1.7): none is singular. And
 *  D (1 1; 1 1) D z = D (2.385, 2.385) is. */
static void units_make_nothing_singular(void **state) {
  (void)state;
  for (int power = -160; power <= 160; power += 80) {
    double d = ldexp(1, power), a[4] = {1, 0.5 * d, 0.5 * d, d * d}, b[2] = {2.385, 1.7 * d};
    sb_solve_definite(a, b, 2, 1, 1e-12);
    assert_near(b[0], (2.385 - 0.5 * 1.7) / 0.75, 1e-14);
    assert_near(b[1] * d, (1.7 - 0.5 * 2.385) / 0.75, 1e-14);
    double c[4] = {1, d, d, d * d}, e[2] = {2.385, 2.385 * d};
    sb_solve_definite(c, e, 2, 1, 1e-12);
    assert_near(e[0] + e[1] * d, 2.385, 1e-15);
    assert_near(e[0] * e[1], 0, 0);
  }
}

/** Three rows of rank 2 over four unknowns: the solution of least norm is the only one in the range of A^T, and the
 *  residual of least squares is at right angles to the range of A. Columns of other sizes change no rank. */
static void finds_the_least_solution(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    static const double rows[12] = {2, -1, 0.5, 3, 1, 2.385, -1, 0.25, 3, 1.385, -0.5, 3.25};
    double a[12], b[4] = {1.7, -0.4, 1.3 + k}, scratch[4], r[3];
    int order[4];
    memcpy(a, rows, sizeof rows);
    assert_int_equal(sb_solve_least_norm(a, b, 3, 4, 1e-12, order, scratch), 2);
    for (int i = 0; i < 3; i++) {
      r[i] = (i == 0 ? 1.7 : i == 1 ? -0.4 : 1.3 + k);
      for (int j = 0; j < 4; j++) {
        r[i] -= rows[i * 4 + j] * b[j];
      }
      assert_near(fabs(r[i]) > 1e-3, k, 0); // the third row is the sum of the others only for k = 0
    }
    for (int j = 0; j < 4; j++) {
      assert_near(rows[j] * r[0] + rows[4 + j] * r[1] + rows[8 + j] * r[2], 0, 1e-14);
    }
    // b = A^T v: eliminate v by two of its entries and compare the others
    double det = rows[0] * rows[5] - rows[1] * rows[4];
    double v = (b[0] * rows[5] - b[1] * rows[4]) / det, w = (rows[0] * b[1] - rows[1] * b[0]) / det;
    for (int j = 2; j < 4; j++) {
      assert_near(b[j], rows[j] * v + rows[4 + j] * w, 1e-14);
    }
  }
  double tall[6] = {1, 2, 2, 4, 3, 6 + 1e-15}, right[3] = {5, 10, 15}, scratch[2];
  int order[2];
  assert_int_equal(sb_solve_least_norm(tall, right, 3, 2, 1e-12, order, scratch), 1);
  assert_near(right[0], 1, 1e-14);
  assert_near(right[1], 2, 1e-14);
  double zero[4] = {0}, none[2] = {1, 2};
  assert_int_equal(sb_solve_least_norm(zero, none, 2, 2, 1e-12, order, scratch), 0);
  assert_near(none[0], 0, 0);
  assert_near(none[1], 0, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solves_what_was_multiplied),
      cmocka_unit_test(finds_the_rank),
      cmocka_unit_test(solves_definite_systems),
      cmocka_unit_test(inverts_definite_matrices),
      cmocka_unit_test(solves_for_early_unknowns),
      cmocka_unit_test(keeps_pivots_on_the_diagonal),
      cmocka_unit_test(inverts_semidefinite_matrices),
      cmocka_unit_test(solves_semidefinite_systems),
      cmocka_unit_test(small_pivots_come_last),
      cmocka_unit_test(units_make_nothing_singular),
      cmocka_unit_test(finds_the_least_solution),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
