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

/** f of several kinds, of which the derivative at 0 is known. */
typedef struct kind {
  int shape;
  double at, width, power;
} kind;

enum { BEND, CORNER, HYPERBOLA, WAVE, STEP, SHAPES, DISTANCE = SHAPES };

static double kind_after(const void *context, double t) {
  const kind *k = context;
  switch (k->shape) {
  case BEND: // a derivative jumps
    return t + pow(fmax(0, t - k->at) / k->width, k->power);
  case CORNER: // and the first one does at 0
    return t * (1 + 0.3 * t) + (t > 0 ? 3 * t + pow(t / k->width, k->power) : 0);
  case HYPERBOLA:
    return hypot(t - k->at, k->width);
  case DISTANCE:
    return t + pow(fabs(t - k->at), k->power) / pow(k->width, k->power - 1);
  case WAVE:
    return k->width * sin((t - k->at) / k->width);
  default:
    return k->width * tanh((t - k->at) / k->width);
  }
}

static double rate_of(const kind *k) {
  switch (k->shape) {
  case BEND:
    return 1 + (k->at < 0 ? k->power / k->width * pow(-k->at / k->width, k->power - 1) : 0);
  case CORNER:
    return 1;
  case HYPERBOLA:
    return -k->at / hypot(k->at, k->width);
  case DISTANCE:
    return 1 - copysign(k->power * pow(fabs(k->at) / k->width, k->power - 1), k->at);
  case WAVE:
    return cos(k->at / k->width);
  default:
    return 1 / pow(cosh(k->at / k->width), 2);
  }
}

static double error_of_kind(const kind *k, double factor) {
  const double size = fmax(1, fabs(rate_of(k)));
  return sb_value_rate_error(kind_after, k, 1e-4, factor * rate_of(k), size, 1e-16) / size;
}

/** Wherever it jumps or bends, and however wide that is. */
static void sound_rates_by_orders(void **state) {
  (void)state;
  static const double powers[] = {2, 2.5, 3, 3.5, 4, 5}, widths[] = {1e-4, 1e-3, 0.03, 1};
  for (int shape = 0; shape < SHAPES; shape++) {
    for (int i = 0; i < 6 * 4; i++) {
      for (double at = -0.01; at < 0.01; at += PLAIN ? 7e-6 : 7e-5) {
        const kind k = {shape, at, widths[i % 4], powers[i / 4]};
        assert_near(error_of_kind(&k, 1), 0, 1e-12);
      }
    }
  }
}

/** A power of the distance from a point has no second derivative there up to 2, nor a third one up to 3: as near as that may be,
 *  both ways of asking know what they do not know. */
static void powers_of_a_distance(void **state) {
  (void)state;
  static const double powers[] = {1.05, 1.2, 1.35, 1.5, 1.7, 1.95, 2.5, 3.3, 4.5};
  for (size_t i = 0; i < 4 * sizeof powers / sizeof *powers; i++) {
    for (double decade = -19; decade < -1; decade += PLAIN ? 0.037 : 0.37) {
      const kind k = {DISTANCE, (i % 2 ? 1 : -1) * pow(10, decade), i / 2 % 2 ? 1 : 1e-3,
                      powers[i / 4]};
      const double rate = rate_of(&k), size = fmax(1, fabs(rate));
      assert_near(fmax(0, error_of_kind(&k, 1)), 0, 1e-12);
      const double rounding = 1e-16 * fmax(1, fabs(kind_after(&k, 0)));
      assert_near(sb_rate_error_between_kinks(kind_after, &k, 1e-4, rate, size, rounding) / size, 0,
                  1e-12);
    }
  }
}

/** Within a rounding of that point of t + |t - a|^1.35 the rate is 1, and chords over 1e-12 know it to 1e-4; further away it is
 *  known to more. */
static void wrong_rates_of_powers(void **state) {
  (void)state;
  const kind near = {DISTANCE, 1e-17, 1, 1.35}, far = {DISTANCE, -1, 1, 1.35};
  for (int sign = -1; sign <= 1; sign += 2) {
    assert_near(error_of_kind(&near, 1 + sign * 0.01), 0.01, 5e-4);
    assert_near(error_of_kind(&far, 1 + sign * 1e-8), 1e-8, 2e-9);
  }
}

/** An error of 1e-10 is seen where f is smooth, and one of 1e-7 at a corner. */
static void wrong_rates_by_orders(void **state) {
  (void)state;
  const kind wave = {WAVE, 0.2, 1, 0}, bend = {BEND, 0.02, 1, 2}, corner = {CORNER, 0, 1, 3};
  for (int sign = -1; sign <= 1; sign += 2) {
    assert_near(error_of_kind(&wave, 1 + sign * 1e-10), 1e-10, 3e-11);
    assert_near(error_of_kind(&bend, 1 + sign * 2e-11), 2e-11, 6e-12);
    assert_near(error_of_kind(&corner, 1 + sign * 1e-7), 1e-7, 3e-8);
  }
}

/** A step of a width far below the differences, in which the rate is asked. */
typedef struct narrow_step {
  double at, width;
} narrow_step;

static double step_after(const void *context, double t) {
  const narrow_step *s = context;
  return 0.3 * t + atan((t - s->at) / s->width);
}

/** Orders over longer times agree on what is outside of the step. */
static void rates_in_narrow_steps(void **state) {
  (void)state;
  for (int k = 0; k < 5; k++) {
    for (int i = -6; i <= 6; i++) {
      const double width = pow(10, -7 - k), z = 0.3 * i * abs(i);
      const narrow_step s = {z * width, width};
      const double rate = 0.3 + 1 / (width * (1 + z * z));
      assert_near(sb_value_rate_error(step_after, &s, 1e-4, rate, rate, 4e-16), 0, 1e-9 * rate);
      const double wrong = sb_value_rate_error(step_after, &s, 1e-4, 1.01 * rate, rate, 4e-16);
      assert_near_relative(wrong, 0.01 * rate, 0.2);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sound_rates),           cmocka_unit_test(wrong_rates),
      cmocka_unit_test(kinks_on_both_sides),   cmocka_unit_test(sound_rates_by_orders),
      cmocka_unit_test(powers_of_a_distance),  cmocka_unit_test(wrong_rates_of_powers),
      cmocka_unit_test(wrong_rates_by_orders), cmocka_unit_test(rates_in_narrow_steps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
