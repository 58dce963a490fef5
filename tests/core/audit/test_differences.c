// SPDX-License-Identifier: GPL-3.0-or-later
// Rates against differences: a sound rate is no error where f is smooth, where its second derivative jumps near the point
// and where its first one does; a wrong rate is one.
#include "core/audit/differences.h"

#include <math.h>

#include "tests/fixture.h"

enum { POINTS = SB_DIFFERENCE_POINTS, MIDDLE = POINTS / 2 };

/** exp(t) and, from t = at on, jump (t - at)^n.  @return the error of its rate at 0, times `factor` */
static double error_of(double h, double at, double jump, int n, double factor) {
  double f[POINTS];
  for (int k = 0; k < POINTS; k++) {
    double t = (k - MIDDLE) * h;
    f[k] = expm1(t) + (t > at ? jump * (pow(t - at, n) - (at < 0 ? pow(-at, n) : 0)) : 0) -
           (t <= at && at < 0 ? jump * pow(-at, n) : 0);
  }
  double rate = 1 + (at < 0 ? jump * n * pow(-at, n - 1) : 0);
  return sb_rate_error(f, h, factor * rate, 1, 0);
}

static void sound_rates(void **state) {
  (void)state;
  assert_near(error_of(1e-4, 1, 0, 2, 1), 0, 1e-12);
  for (double at = -2.5e-4; at < 2.5e-4; at += 1e-6) {
    assert_near(error_of(1e-4, at, 0.3, 2, 1), 0, 1e-12); // the curvature of a law jumps
    assert_near(error_of(1e-4, at, -40, 2, 1), 0, 1e-12);
    assert_near(error_of(1e-4, at, 3, 1, 1), 0, 1e-12); // a kink
  }
}

static void wrong_rates(void **state) {
  (void)state;
  assert_true(error_of(1e-4, 1, 0, 2, 1 + 1e-7) > 5e-8);
  assert_true(error_of(1e-4, 1, 0, 2, 1 - 1e-7) > 5e-8);
  for (double at = -2.5e-4; at < 2.5e-4; at += 1e-6) {
    assert_true(error_of(1e-4, at, 0.3, 2, 1 + 1e-4) > 5e-5);
    assert_true(error_of(1e-4, at, 3, 1, 10) > 0.1);
  }
}

/** A gap whose closest point leaps twice, at these times. */
typedef struct leaps {
  double left, right;
} leaps;

static double gap_after(const void *context, double t) {
  const leaps *l = context;
  return expm1(t) - 3 * fmax(0, t - l->right) + 2 * fmax(0, l->left - t);
}

static void kinks_on_both_sides(void **state) {
  (void)state;
  const double h = 1e-4;
  int misled = 0;
  for (double left = -1.975e-4; left < -1e-6; left += 1e-5) {
    for (double right = 2.5e-6; right < 2e-4; right += 1e-5) {
      const leaps l = {left, right};
      double f[POINTS];
      for (int k = 0; k < POINTS; k++) {
        f[k] = gap_after(&l, (k - MIDDLE) * h);
      }
      misled += sb_rate_error(f, h, 1, 1, sb_difference_noise(f)) > 1e-3;
      assert_near(sb_rate_error_between_kinks(gap_after, &l, h, 1, 1, 1e-16), 0, 1e-12);
      assert_near(sb_rate_error_between_kinks(gap_after, &l, h, 1 + 1e-3, 1, 1e-16), 1e-3, 1e-5);
    }
  }
  assert_true(misled > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sound_rates), cmocka_unit_test(wrong_rates),
                                     cmocka_unit_test(kinks_on_both_sides)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
