// SPDX-License-Identifier: GPL-3.0-or-later
// Eigenvalues of Hessenberg matrices against closed forms.
#include "tests/near.h"

#include <float.h>

#include "core/linalg/dense.h"

enum { N = 40 };

/** Lets a pair be in the list, and takes it out. */
static void take(double re[], double im[], int n, double x, double y, double tol) {
  int nearest = -1;
  double least = HUGE_VAL;
  for (int i = 0; i < n; i++) {
    const double distance = hypot(re[i] - x, im[i] - y);
    if (distance < least) {
      nearest = i;
      least = distance;
    }
  }
  assert_true(nearest >= 0);
  assert_near(least, 0, tol);
  re[nearest] = NAN;
}

/** The second differences of a string of n masses, -2 and 1: -4 sin^2(k pi/(2 n + 2)). */
static void a_string_has_its_modes(void **state) {
  double H[N * N] = {0}, re[N], im[N];
  (void)state;
  for (int n = 1; n <= N; n++) {
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        H[i * n + j] = i == j ? -2 : (i - j == 1 || j - i == 1);
      }
    }
    assert_true(sb_hessenberg_eigenvalues(H, n, re, im));
    for (int k = 1; k <= n; k++) {
      const double s = sin(k * acos(-1) / (2 * n + 2));
      take(re, im, n, -4 * s * s, 0, 1e-14 * n);
    }
  }
}

/** A cycle of n states: the n-th roots of 1. Its diagonal is zero, and shifts of its last rows change nothing. */
static void a_cycle_has_the_roots_of_one(void **state) {
  double H[N * N], re[N], im[N];
  (void)state;
  for (int n = 2; n <= N; n++) {
    for (int i = 0; i < n * n; i++) {
      H[i] = i % n == (i / n + n - 1) % n;
    }
    assert_true(sb_hessenberg_eigenvalues(H, n, re, im));
    for (int k = 0; k < n; k++) {
      take(re, im, n, cos(2 * acos(-1) * k / n), sin(2 * acos(-1) * k / n), 1e-13);
    }
  }
}

/** Undamped oscillators of 1e-9 to 1e9 rad/s that do not see each other: each to its own rounding. Pairs follow each other. */
static void oscillators_keep_their_scales(void **state) {
  enum { COUNT = 7, SIZE = 2 * COUNT };
  double H[SIZE * SIZE] = {0}, re[SIZE], im[SIZE];
  (void)state;
  for (int k = 0; k < COUNT; k++) {
    const double omega = 2.385 * pow(1e3, (k * 4) % COUNT - 3);
    H[(2 * k) * SIZE + 2 * k + 1] = -omega;
    H[(2 * k + 1) * SIZE + 2 * k] = omega;
  }
  assert_true(sb_hessenberg_eigenvalues(H, SIZE, re, im));
  for (int k = 0; k < COUNT; k++) {
    const double omega = 2.385 * pow(1e3, (k * 4) % COUNT - 3);
    assert_near(re[2 * k], 0, omega * DBL_EPSILON);
    assert_near_relative(im[2 * k], omega, 4 * DBL_EPSILON);
    assert_near(im[2 * k + 1], -im[2 * k], 0);
  }
}

/** An oscillator of 1037 rad/s that moves two free states, in the order in which a reduction left them: what couples its first
 *  two is rounding, and beside diagonals of zero an iteration has nothing that this is small beside. */
static void rounding_beside_zeros_ends(void **state) {
  (void)state;
  for (int power = -320; power <= -17; power++) {
    double tiny = pow(10, power), re[4], im[4];
    double H[16] = {0,    3,    0.5,    -7,      // row by row
                    tiny, 0,    1037.5, 2,       //
                    0,    tiny, 0,      -1037.5, //
                    0,    0,    1037.5, 0};
    assert_true(sb_hessenberg_eigenvalues(H, 4, re, im));
    take(re, im, 4, 0, 1037.5, 1e-10);
    take(re, im, 4, 0, -1037.5, 1e-10);
    take(re, im, 4, 0, 0, 1e-6); // a double root
    take(re, im, 4, 0, 0, 1e-6);
  }
}

/** What differs in the last digits comes out of a product and a sum, with no digit lost: 1e8 and 1e-8. */
static void a_small_root_beside_a_large_one(void **state) {
  double H[4] = {1e8, 1, 1, 2e-8}, re[2], im[2];
  (void)state;
  assert_true(sb_hessenberg_eigenvalues(H, 2, re, im));
  assert_near_relative(re[0], 1e8, 1e-15);
  assert_near_relative(re[1], 1e-8, 1e-8); // 2e-8 - 1/(1e8 - 1e-8)
}

/** Rates of 1e-200 and 1e200 1/s, whose squares are no numbers: of a string of masses, which is as it is in other units. */
static void no_square_overflows(void **state) {
  (void)state;
  for (int power = -200; power <= 200; power += 100) {
    const double unit = pow(10, power);
    for (int n = 2; n <= 5; n++) {
      double H[25], re[5], im[5];
      for (int i = 0; i < n * n; i++) {
        H[i] = unit * (i / n == i % n ? -2 : (i / n - i % n == 1 || i % n - i / n == 1));
      }
      assert_true(sb_hessenberg_eigenvalues(H, n, re, im));
      for (int k = 1; k <= n; k++) {
        const double s = sin(k * acos(-1) / (2 * n + 2));
        take(re, im, n, -4 * s * s * unit, 0, 1e-14 * unit);
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_string_has_its_modes),
      cmocka_unit_test(a_cycle_has_the_roots_of_one),
      cmocka_unit_test(oscillators_keep_their_scales),
      cmocka_unit_test(rounding_beside_zeros_ends),
      cmocka_unit_test(a_small_root_beside_a_large_one),
      cmocka_unit_test(no_square_overflows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
