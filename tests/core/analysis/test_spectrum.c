// SPDX-License-Identifier: GPL-3.0-or-later
// Eigenvalues and frequency responses of matrices whose own are known, without a model.
#include <complex.h>
#include <float.h>

#include "tests/near.h"

#include "core/analysis/linearize.h"

/** x0 rotates with x1 at 3 rad/s and decays with 2/s; x2 decays with 50/s and is driven by x0. */
static double A[] = {-2, 3, 0, -3, -2, 0, 7, 0, -50}, B[] = {0, 1, 0}, C[] = {1, 0, 0, 0, 0, 1},
              D[] = {0, 0.5};
static const sb_linear rotor = {
    .states = 3, .inputs = 1, .outputs = 2, .exact = true, .A = A, .B = B, .C = C, .D = D};

static void modes_are_the_eigenvalues(void **state) {
  (void)state;
  sb_mode modes[3];
  sb_error err = {0};
  ok(sb_linear_modes(&rotor, modes, &err), &err);
  for (int k = 0; k < 2; k++) { // slowest first
    assert_near(modes[k].re, -2, 1e-14);
    assert_near(modes[k].im, k == 0 ? 3 : -3, 1e-14);
    assert_near(modes[k].natural, sqrt(13), 1e-14);
    assert_near(modes[k].damping, 2 / sqrt(13), 1e-14);
    assert_near(modes[k].time_constant, 0.5, 1e-14);
  }
  assert_near(modes[2].re, -50, 1e-13);
  assert_near(modes[2].im, 0, 0);
  assert_near(modes[2].damping, 1, 0);
}

/** From the input to x0, 3/((s + 2)^2 + 9); to x2, 7 times that by s + 50, and 0.5 past all. */
static void response_is_the_transfer_function(void **state) {
  (void)state;
  for (double w = 0; w < 1e4; w = 2.385 * w + 0.1) {
    double re[2], im[2];
    sb_error err = {0};
    ok(sb_linear_response(&rotor, w, re, im, NULL, &err), &err);
    double complex s = I * w, first = 3 / ((s + 2) * (s + 2) + 9);
    double complex second = 7 * first / (s + 50) + 0.5;
    assert_near(cabs(re[0] + I * im[0] - first), 0, 1e-14 * cabs(first));
    assert_near(cabs(re[1] + I * im[1] - second), 0, 1e-14 * cabs(second));
  }
}

/** x'' = -4 x without damping: infinite at 2 rad/s, and only there. */
static void resonance_is_infinite(void **state) {
  (void)state;
  double a[] = {0, 1, -4, 0}, b[] = {0, 1}, c[] = {1, 0}, d[] = {0};
  const sb_linear free_mass = {
      .states = 2, .inputs = 1, .outputs = 1, .exact = true, .A = a, .B = b, .C = c, .D = d};
  double re, im;
  sb_error err = {0};
  ok(sb_linear_response(&free_mass, 2, &re, &im, NULL, &err), &err);
  assert_true(isinf(re) || isinf(im));
  ok(sb_linear_response(&free_mass, 3, &re, &im, NULL, &err), &err);
  assert_near(re, 1. / (4 - 9), 1e-15);
  assert_near(im, 0, 0);
}

/** A large and a small capacitor on one resistor, the large one with a leak d: of both rates a = 1 + d and f = 2^40, the roots of
 *  s^2 + (a + f) s + d f, the slow one is 2e21 times slower. In either order it keeps the digits that A has of it. */
static void a_slow_mode_beside_a_fast_one(void **state) {
  (void)state;
  const double d = ldexp(1, -30), fast = ldexp(1, 40), a = 1 + d; // exact
  const double fastest = -0.5 * (a + fast + sqrt((a + fast) * (a + fast) - 4 * d * fast));
  double first[] = {-a, fast, 1, -fast}, last[] = {-fast, 1, fast, -a};
  for (int k = 0; k < 2; k++) {
    const sb_linear tank = {.states = 2, .exact = true, .A = k == 0 ? first : last};
    sb_mode modes[2];
    sb_error err = {0};
    ok(sb_linear_modes(&tank, modes, &err), &err);
    assert_near_relative(modes[0].re, d * fast / fastest, 4 * DBL_EPSILON / d);
    assert_near_relative(modes[1].re, fastest, 1e-14);
  }
}

/** What an entry may be off by, an eigenvalue may: of -2.385 +- 0.01 as much, of one that is 1e6 times as fast and exact none of it. */
static void errors_of_entries_are_passed_on(void **state) {
  (void)state;
  double a[] = {-2.385, 0, 3, -2.385e6}, off[] = {0.01, 0, 0, 0};
  const sb_linear l = {.states = 2, .A = a, .error = {.A = off}};
  sb_mode modes[2];
  sb_error err = {0};
  ok(sb_linear_modes(&l, modes, &err), &err);
  assert_near_relative(modes[0].re, -2.385, 1e-15);
  assert_near_relative(modes[0].error, 0.01, 1e-6);
  assert_true(modes[1].error < 1e-12 * modes[1].natural);
}

/** Four integrators in a row, with T = (1 0; (1 0; 1 1) 1) between their states and these: all eigenvalues are zero, which rounding
 *  alone would make 1e-4, or 1e-8 with more digits. */
static void many_zeros_are_zero(void **state) {
  (void)state;
  double a[16] = {0}, rest[16] = {0}; // T N T^-1
  const double chain[4][4] = {{0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {0, 0, 0, 0}};
  const double T[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {1, 0, 1, 0}, {1, 1, 0, 1}};
  const double inverse[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {-1, 0, 1, 0}, {-1, -1, 0, 1}};
  for (int i = 0; i < 256; i++) {
    const int r = i / 64, k = i / 16 % 4, l = i / 4 % 4, c = i % 4;
    a[r * 4 + c] += T[r][k] * chain[k][l] * inverse[l][c];
  }
  const sb_linear l = {.states = 4, .A = a, .rest = {.A = rest}};
  sb_mode modes[4];
  sb_error err = {0};
  ok(sb_linear_modes(&l, modes, &err), &err);
  for (int i = 0; i < 4; i++) {
    assert_near(modes[i].natural, 0, 0);
    assert_near(modes[i].error, 0, 0);
  }
}

/** Eigenvalues 0, 0 and -d, mixed by T = (1 0 0; 1 1 0; 1 1 1), d = 2^-80 beyond what an entry of size 1 has as a double. The two are zero;
 *  beside them rounding of 1e-31 makes 1e-10 of the third. It may be put down as zero, but with an error that covers it. */
static void what_zeros_hide_has_an_error(void **state) {
  (void)state;
  const double d = ldexp(1, -80);
  double whole[] = {-1, 1, 0, -1, 0, 1, -1, 0, 1}, rest[] = {0, 0, 0, 0, 0, 0, 0, d, -d};
  const sb_linear l = {.states = 3, .A = whole, .rest = {.A = rest}};
  sb_mode modes[3];
  sb_error err = {0};
  ok(sb_linear_modes(&l, modes, &err), &err);
  for (int i = 0; i < 2; i++) {
    assert_near(modes[i].natural, 0, 0);
    assert_near(modes[i].error, 0, 0);
  }
  assert_true(hypot(modes[2].re + d, modes[2].im) <= modes[2].error + 1e-12 * d);
}

/** Lags of 1 s that cancel but for the rounding of 0.1 + 0.2 - 0.3, d = 2.8e-17, in y = d/(1 + s): known if the numbers are meant as they
 *  are written, all of it unknown if they are rounded. */
static void a_response_that_cancels_has_an_error(void **state) {
  (void)state;
  const double x = 0.1, y = 0.2, z = 0.3, sum = x + y;
  const double d = (sum - z) + (y - (sum - x)); // exact: Dekker 1971
  double a[] = {-1, 0, 0, 0, -1, 0, 0, 0, -1}, none[9] = {0}, b[] = {x, y, z}, c[] = {1, 1, -1},
         zero = 0;
  sb_linear l = {.states = 3, .inputs = 1, .outputs = 1, .A = a, .B = b, .C = c, .D = &zero};
  for (int k = 0; k < 2; k++) {
    double re, im, error;
    sb_error err = {0};
    l.rest.A = k == 0 ? none : NULL;
    ok(sb_linear_response(&l, 0.7, &re, &im, &error, &err), &err);
    if (k == 0) {
      assert_near_relative(re, d / (1 + 0.49), 1e-12);
      assert_near_relative(im, -0.7 * d / (1 + 0.49), 1e-12);
    }
    assert_true(k == 0 ? error < 1e-6 : error > 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(modes_are_the_eigenvalues),
      cmocka_unit_test(response_is_the_transfer_function),
      cmocka_unit_test(resonance_is_infinite),
      cmocka_unit_test(a_slow_mode_beside_a_fast_one),
      cmocka_unit_test(errors_of_entries_are_passed_on),
      cmocka_unit_test(many_zeros_are_zero),
      cmocka_unit_test(what_zeros_hide_has_an_error),
      cmocka_unit_test(a_response_that_cancels_has_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
