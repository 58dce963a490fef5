// SPDX-License-Identifier: GPL-3.0-or-later
// Linear complementarity problems: their conditions hold, by powers of a small number too, and what has no solution ends on a ray.
#include <math.h>
#include <string.h>

#include "core/linalg/lemke.h"
#include "tests/campaign/random.h"
#include "tests/fixture.h"

enum { MOST = 9 };

/** M = A A^T/k + S, positive definite, with a skew part S. */
static void draw_matrix(chance *random, int n, double M[]) {
  double A[MOST * MOST];
  for (int i = 0; i < n * n; i++) {
    A[i] = between(random, -1, 1);
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      M[i * n + j] = i == j ? 0.1 : 0;
      for (int k = 0; k < n; k++) {
        M[i * n + j] += A[i * n + k] * A[j * n + k] / n;
      }
      M[i * n + j] += i < j ? A[i * n + j] : i > j ? -A[j * n + i] : 0;
    }
  }
}

/** @param q  (n x 2) by powers */
static bool solve(int n, const double M[], const double q[], double z[]) {
  double table[MOST * (MOST + 2 + SB_LEMKE_POWERS)];
  int names[2 * MOST + 1];
  for (int i = 0; i < n; i++) {
    double *row = table + i * sb_lemke_columns(n);
    memcpy(row, M + i * n, (size_t)n * sizeof *row);
    row[n] = 1;
    memcpy(row + n + 1, q + 2 * i, 2 * sizeof *row);
    row[n + 3] = 1 + 0.1 * sin(i);
  }
  return sb_lemke(table, n, false, names, z);
}

/** w = M z + q, w >= 0, z >= 0 and w z = 0. */
static void copositive_problems_are_solved(void **state) {
  (void)state;
  int pressed = 0;
  for (uint64_t seed = 0; seed < 300; seed++) {
    chance random = {seed};
    const int n = 1 + (int)(seed % MOST);
    double M[MOST * MOST], q[2 * MOST] = {0}, z[2 * MOST];
    draw_matrix(&random, n, M);
    for (int i = 0; i < n; i++) {
      q[2 * i] = between(&random, -1, 0.5);
    }
    assert_true(solve(n, M, q, z));
    for (int i = 0; i < n; i++) {
      double w = q[2 * i];
      for (int j = 0; j < n; j++) {
        w += M[i * n + j] * z[2 * j];
      }
      assert_true(w >= -1e-10 && z[2 * i] >= -1e-10);
      assert_near(w * z[2 * i], 0, 1e-10);
      pressed += z[2 * i] > 0.01;
    }
  }
  assert_true(pressed > 300);
}

/** The powers of the solution for q_0 + eps q_1, where some of q_0 are zero and q_1 decides, make that of a small eps. */
static void powers_are_those_of_a_small_number(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 200; seed++) {
    chance random = {seed};
    const int n = 2 + (int)(seed % (MOST - 1));
    double M[MOST * MOST], q[2 * MOST], small[2 * MOST] = {0}, z[2 * MOST], of_small[2 * MOST];
    draw_matrix(&random, n, M);
    for (int i = 0; i < n; i++) {
      q[2 * i] = i % 2 == 0 ? 0 : between(&random, -1, 1);
      q[2 * i + 1] = between(&random, -1, 1);
      small[2 * i] = q[2 * i] + 1e-7 * q[2 * i + 1];
    }
    assert_true(solve(n, M, q, z) && solve(n, M, small, of_small));
    for (int i = 0; i < n; i++) {
      assert_near(of_small[2 * i], z[2 * i] + 1e-7 * z[2 * i + 1], 1e-12);
    }
  }
}

/** w = -1 + 0 z has no solution; nor have two of which one presses the other down by more than it lifts it. */
static void rays(void **state) {
  (void)state;
  double z[2 * MOST];
  assert_false(solve(1, (const double[]){0}, (const double[]){-1, 0}, z));
  assert_false(solve(2, (const double[]){1, -2, -2, 1}, (const double[]){-1, 0, -1, 0}, z));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(copositive_problems_are_solved),
                                     cmocka_unit_test(powers_are_those_of_a_small_number),
                                     cmocka_unit_test(rays)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
