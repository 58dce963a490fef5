// SPDX-License-Identifier: GPL-3.0-or-later
// The quadrature of the ledger: Butcher tables applied by hand to powers that are polynomials in time.
#include "tests/near.h"

#include "core/integrator/quadrature_private.h"

/** The classical method of order 4, which takes cubes as Simpson's rule does, without an error; and
 *  Heun's with Euler's embedded. */
static const sb_weights classical = {4, (double[]){0, 0.5, 0.5, 1},
                                     (double[]){1. / 6, 1. / 3, 1. / 3, 1. / 6}, NULL};
static const sb_weights heun = {2, (double[]){0, 1}, (double[]){0.5, 0.5}, (double[]){1, 0}};

/** A step of length h from t on, with two powers: 4 t^3 and 2.385. @return the error */
static double step(sb_quadrature *q, const sb_weights *w, double t, double h, double tolerance) {
  for (int k = 0; k < w->stages; k++) {
    double at = t + w->c[k] * h;
    sb_quadrature_begin(q, w->c[k] == 0);
    double *power = sb_quadrature_power(q);
    assert_non_null(power);
    power[0] = 4 * at * at * at;
    power[1] = 2.385;
  }
  return sb_quadrature_close(q, h, (double[]){1, 1}, tolerance);
}

static void cubes_are_integrated_exactly(void **state) {
  (void)state;
  sb_quadrature q = {0};
  assert_true(sb_quadrature_init(&q, 2, &classical));
  sb_quadrature_reset(&q, (double[]){16, 1}); // 2^4 at t = 2
  for (int i = 0; i < 3; i++) {
    assert_near(step(&q, &classical, 2 + 0.5 * i, 0.5, 1), 0, 0);
    sb_quadrature_accept(&q, 0.5);
  }
  assert_near(q.sum[0], pow(3.5, 4), 1e-13);
  assert_near(q.sum[1], 1 + 1.5 * 2.385, 1e-15);
  sb_quadrature_finish(&q);
}

/** Heun less Euler over a step from 1 to 1.1: h (P(1.1) - P(1))/2. A step that is not accepted leaves no
 *  trace, and one given up at its second stage begins again. */
static void error_is_that_of_the_embedded_method(void **state) {
  (void)state;
  sb_quadrature q = {0};
  assert_true(sb_quadrature_init(&q, 2, &heun));
  sb_quadrature_reset(&q, (double[]){0, 0});
  double error = 0.1 * (4 * 1.331 - 4) / 2;
  assert_near(step(&q, &heun, 1, 0.1, 1e-3), error / 1e-3, 1e-10);
  sb_quadrature_begin(&q, true);
  assert_near(step(&q, &heun, 1, 0.1, 1), error, 1e-14);
  assert_near(q.sum[0], 0, 0);
  sb_quadrature_accept(&q, 0.1);
  assert_near(q.sum[0], 0.1 * (4 * 1.331 + 4) / 2, 1e-15);
  sb_quadrature_finish(&q);
}

static void largest_rate_is_by_the_tolerance(void **state) {
  (void)state;
  sb_quadrature q = {0};
  assert_true(sb_quadrature_init(&q, 2, &heun));
  sb_quadrature_reset(&q, (double[]){-10, 0});
  // 3/(0.1 * 15) = 2, and 2.385/(0.1 * 5) = 4.77; one whose size is not known does not count
  assert_near(sb_quadrature_rate(&q, (double[]){3, 2.385}, (double[]){15, 5}, 0.1), 4.77, 1e-14);
  assert_near(sb_quadrature_rate(&q, (double[]){-3, 0}, (double[]){15, 5}, 0.1), 2, 1e-15);
  assert_near(sb_quadrature_rate(&q, (double[]){-3, 7}, (double[]){15, 0}, 0.1), 2, 1e-15);
  sb_quadrature_finish(&q);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cubes_are_integrated_exactly),
      cmocka_unit_test(error_is_that_of_the_embedded_method),
      cmocka_unit_test(largest_rate_is_by_the_tolerance),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
