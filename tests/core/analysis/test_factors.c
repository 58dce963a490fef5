// SPDX-License-Identifier: GPL-3.0-or-later
// Zeros, poles and gains of transfer functions that are known: filters, a ladder without zeros, a notch,
// parts that do not meet.
#include "core/analysis/linearize.h"
#include "tests/fixture.h"

enum { N_MAX = 12 };

/** A system with one input and one output. */
typedef struct siso {
  double A[N_MAX * N_MAX], B[N_MAX], C[N_MAX], D[1], derivatives[4];
  sb_linear linear;
  sb_root zeros[N_MAX + 5], poles[N_MAX];
  sb_factors factors;
} siso;

static sb_status find(siso *s, int n, int order) {
  sb_error err = {0};
  s->linear = (sb_linear){.states = n,
                          .inputs = 1,
                          .outputs = 1,
                          .A = s->A,
                          .B = s->B,
                          .C = s->C,
                          .D = s->D,
                          .order = order,
                          .derivatives = s->derivatives,
                          .rest = s->linear.rest};
  s->factors = (sb_factors){.zeros = s->zeros, .poles = s->poles};
  return sb_linear_factors(&s->linear, 0, 0, &s->factors, &err);
}

/** (s^2 + a s + b)/(s^2 + c s + d) in companion form: a notch for a = 0. */
static void notch(void **state) {
  (void)state;
  const double b = 1e8, c = 2.385e3, d = 1.21e8;
  siso s = {.A = {0, 1, -d, -c}, .B = {0, 1}, .C = {b - d, -c}, .D = {1}};
  assert_int_equal(find(&s, 2, 0), SB_OK);
  assert_int_equal(s.factors.zero_count, 2);
  assert_int_equal(s.factors.pole_count, 2);
  assert_near_relative(s.factors.gain, 1.0, 1e-12);
  assert_near(s.zeros[0].re, 0, 1e-7);
  assert_near_relative(s.zeros[0].im, 1e4, 1e-12);
  assert_near_relative(s.poles[0].re, -0.5 * c, 1e-12);
}

/** A chain of n first-order lags has no zeros, and the gain is the product of their rates. */
static void chain_of_lags(void **state) {
  (void)state;
  siso s = {.B = {3.1e4}, .C = {0}};
  double gain = 3.1e4;
  for (int i = 0; i < N_MAX; i++) {
    s.A[i * N_MAX + i] = -100.0 * (i + 1);
    if (i > 0) {
      s.A[i * N_MAX + i - 1] = 100.0 * (i + 1);
      gain *= 100.0 * (i + 1);
    }
  }
  s.C[N_MAX - 1] = 1;
  assert_int_equal(find(&s, N_MAX, 0), SB_OK);
  assert_int_equal(s.factors.zero_count, 0);
  assert_int_equal(s.factors.pole_count, N_MAX);
  assert_near_relative(s.factors.gain, gain, 1e-9);
  assert_near_relative(s.poles[0].re, -100.0, 1e-9);
}

/** 2 s^2 + 6 s + 4 + 8/(s + 4): zeros where (2 s^2 + 6 s + 4)(s + 4) + 8 = 0; three, and one pole. */
static void improper(void **state) {
  (void)state;
  siso s = {.A = {-4}, .B = {8}, .C = {1}, .D = {4}, .derivatives = {6, 2}};
  assert_int_equal(find(&s, 1, 2), SB_OK);
  assert_int_equal(s.factors.zero_count, 3);
  assert_int_equal(s.factors.pole_count, 1);
  assert_near_relative(s.factors.gain, 2.0, 1e-12);
  for (int i = 0; i < 3; i++) {
    double x = s.zeros[i].re, y = s.zeros[i].im; // of (2 z^2 + 6 z + 4)(z + 4) + 8
    double re = x * x - y * y, im = 2 * x * y;
    double a = 2 * re + 6 * x + 4, b = 2 * im + 6 * y;
    assert_near(a * (x + 4) - b * y + 8, 0, 1e-10);
    assert_near(a * y + b * (x + 4), 0, 1e-10);
  }
}

/** What the input does not reach, and what the output does not see, is left out; a state that both meet but
 *  whose pole is a zero too cancels. */
static void common_factors(void **state) {
  (void)state;
  siso s = {.A = {-1, 0, 0, 0, -2, 0, 5, 0, -3}, .B = {1, 0, 0}, .C = {1, 7, 0}};
  assert_int_equal(find(&s, 3, 0), SB_OK);
  assert_int_equal(s.factors.zero_count, 0);
  assert_int_equal(s.factors.pole_count, 1);
  assert_near(s.poles[0].re, -1, 0);
  // two equal lags in parallel: (1/(s + 2.385)) (1 + 1)
  siso twin = {.A = {-2.385, 0, 0, -2.385}, .B = {1, 1}, .C = {1, 1}};
  assert_int_equal(find(&twin, 2, 0), SB_OK);
  assert_int_equal(twin.factors.zero_count, 0);
  assert_int_equal(twin.factors.pole_count, 1);
  assert_near_relative(twin.factors.gain, 2.0, 1e-12);
  // and against each other: no effect at all
  siso none = {.A = {-2.385, 0, 0, -2.385}, .B = {1, 1}, .C = {1, -1}};
  assert_int_equal(find(&none, 2, 0), SB_OK);
  assert_near(none.factors.gain, 0, 0);
  assert_int_equal(none.factors.zero_count + none.factors.pole_count, 0);
}

/** Of A = Z + b c and D = 1 the zeros are the eigenvalues of Z, here 0, 0 and -d = -2^-80 as above in test_spectrum.c, mixed by
 *  T = (1 0 0; 1 1 0; 1 1 1). c = (1 1 -2) does not see the eigenvector (1 1 1) of one that is 0: a pole is 0, too, and cancels. What the
 *  zeros hide stays beside it, as -d or as a 0 that may be off by more. */
static void a_zero_that_may_not_be_zero(void **state) {
  (void)state;
  const double d = ldexp(1, -80), b[] = {1, 2, 1}, c[] = {1, 1, -2};
  double rest[] = {0, 0, 0, 0, 0, 0, 0, d, -d};
  siso s = {.A = {-1, 1, 0, -1, 0, 1, -1, 0, 1}, .B = {1, 2, 1}, .C = {1, 1, -2}, .D = {1}};
  for (int i = 0; i < 9; i++) {
    s.A[i] += b[i / 3] * c[i % 3];
  }
  s.linear.rest.A = rest;
  assert_int_equal(find(&s, 3, 0), SB_OK);
  assert_int_equal(s.factors.pole_count, 2);
  assert_int_equal(s.factors.zero_count, 2);
  assert_near_relative(s.factors.gain, 1.0, 1e-12);
  double off = HUGE_VAL;
  for (int i = 0; i < 2; i++) { // in either order
    off = fmin(off, hypot(s.zeros[i].re + d, s.zeros[i].im) - s.zeros[i].error);
  }
  assert_true(off <= 1e-12 * d);
}

/** 1/(s + 2.385), 3/(s + 7) and their sum (4 s + 14.155)/((s + 2.385)(s + 7)), all at once: channels share poles only between the same
 *  states. */
static void all_channels(void **state) {
  (void)state;
  double A[] = {-2.385, 0, 0, -7}, B[] = {1, 3}, C[] = {1, 0, 0, 1, 1, 1}, D[] = {0, 0, 0};
  const sb_linear l = {.states = 2, .inputs = 1, .outputs = 3, .A = A, .B = B, .C = C, .D = D};
  sb_root zeros[3][3], poles[3][2];
  sb_factors f[3];
  sb_error errors[3] = {0};
  for (int i = 0; i < 3; i++) {
    f[i] = (sb_factors){.zeros = zeros[i], .poles = poles[i]};
  }
  assert_int_equal(sb_linear_all_factors(&l, f, errors), SB_OK);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(errors[i].status, SB_OK);
    assert_int_equal(f[i].pole_count, i < 2 ? 1 : 2);
    assert_int_equal(f[i].zero_count, i < 2 ? 0 : 1);
    assert_near_relative(f[i].gain, i == 0 ? 1.0 : i == 1 ? 3.0 : 4.0, 1e-14);
    assert_near_relative(poles[i][0].re, i == 1 ? -7.0 : -2.385, 1e-15);
  }
  assert_near_relative(poles[2][1].re, -7.0, 1e-15);
  assert_near_relative(zeros[2][0].re, -3.53875, 1e-14);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(notch),
      cmocka_unit_test(chain_of_lags),
      cmocka_unit_test(improper),
      cmocka_unit_test(common_factors),
      cmocka_unit_test(a_zero_that_may_not_be_zero),
      cmocka_unit_test(all_channels),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
