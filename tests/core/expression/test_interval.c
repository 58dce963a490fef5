// SPDX-License-Identifier: GPL-3.0-or-later
// Enclosures: over any box of arguments they hold every value and every derivative inside it, and a point is
// enclosed by itself. What they must hold is computed by the functions themselves, at points of the box.
#include "tests/near.h"

#include <math.h>

#include "core/expression/interval_private.h"

static unsigned long long state_of_random = 88172645463325252ULL;

/** Between 0 and 1. */
static double uniform(void) {
  state_of_random ^= state_of_random << 13;
  state_of_random ^= state_of_random >> 7;
  state_of_random ^= state_of_random << 17;
  return (double)(state_of_random >> 11) / 9007199254740992.0;
}

static bool inside(sb_interval a, double x) {
  double slack = 1e-12 * (1 + fabs(x));
  return a.low <= x + slack && x - slack <= a.high;
}

/** One box of arguments that move linearly along it, each at its own speed. */
static void check_box(const sb_function *f, double size) {
  sb_enclosure a[3];
  double low[3], speed[3], length = size * uniform();
  for (int k = 0; k < 3; k++) {
    low[k] = 4 * uniform() - 2;
    speed[k] = 4 * uniform() - 2;
    if (k > 0 && f->unit == SB_UNIT_POWER) {
      low[k] = floor(5 * uniform()) - (uniform() < 0.3 ? 0.5 : 1); // exponents
      speed[k] = 0;
    }
    double end = low[k] + speed[k] * length;
    a[k] = (sb_enclosure){{fmin(low[k], end), fmax(low[k], end)}, {speed[k], speed[k]}};
  }
  sb_enclosure all = sb_enclose_find(f)(a);
  for (int i = 0; i <= 20; i++) {
    double x[3], partial[3] = {0}, slope = 0;
    for (int k = 0; k < 3; k++) {
      x[k] = low[k] + speed[k] * length * i / 20;
    }
    double value = f->value(x, x);
    f->slope(x, x, value, partial);
    for (int k = 0; k < f->arity; k++) {
      slope += speed[k] != 0 ? partial[k] * speed[k] : 0;
    }
    if (isfinite(value) && isfinite(slope)) {
      if (!inside(all.value, value) || !inside(all.slope, slope)) {
        print_error("%s(%g, %g): %g, %g not in [%g, %g], [%g, %g]\n", f->name, x[0], x[1], value,
                    slope, all.value.low, all.value.high, all.slope.low, all.slope.high);
      }
      assert_true(inside(all.value, value));
      assert_true(inside(all.slope, slope));
    }
  }
}

static void every_function_is_enclosed(void **state) {
  (void)state;
  for (int i = 0; i < SB_OPERATORS; i++) {
    for (int k = 0; k < 400; k++) {
      check_box(&sb_operators[i], k % 2 == 0 ? 2 : 0.05);
    }
  }
  for (const sb_function *f = sb_functions; f->name != NULL; f++) {
    for (int k = 0; k < 400; k++) {
      check_box(f, k % 2 == 0 ? 2 : 0.05);
    }
  }
}

/** The ranges of smooth functions are exact at the ends of what is monotone, and sin and cos turn. */
static void enclosures_are_tight(void **state) {
  (void)state;
  static const struct {
    const char *name;
    double low, high, least, most;
  } rows[] = {{"exp", -1, 2, 0.36787944117144233, 7.38905609893065},
              {"sin", 1, 2, 0.8414709848078965, 1},
              {"cos", 3, 4, -1, -0.6536436208636119},
              {"sin", 3e17, 3e17, -1, 1}, // its neighbours are whole turns apart
              {"abs", -2.385, 1, 0, 2.385},
              {"tanh", -0.5, 0.5, -0.46211715726000975, 0.46211715726000975},
              {"sqrt", 0.25, 9, 0.5, 3},
              {"cosh", -1, 2, 1, 3.7621956910836314},
              {"floor", 0.3, 2.5, 0, 2}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const sb_enclosure a = {{rows[i].low, rows[i].high}, {1, 1}};
    sb_enclosure got = sb_enclose_find(sb_function_find(rows[i].name, strlen(rows[i].name)))(&a);
    assert_near(got.value.low, rows[i].least, 1e-15);
    assert_near(got.value.high, rows[i].most, 1e-15);
  }
}

static sb_enclosure of(const char *name, const sb_enclosure a[]) {
  return sb_enclose_find(sb_function_find(name, strlen(name)))(a);
}

/** atan2 is continuous where y keeps its sign, also for x < 0, and its derivative is (x y' - y x')/(x^2 + y^2). */
static void angles_to_the_left(void **state) {
  (void)state;
  for (int side = -1; side <= 1; side += 2) {
    const sb_interval up = {1, 6}, down = {-6, -1};
    const sb_enclosure a[] = {{side > 0 ? up : down, {1, 1}}, {{-1, -1}, {0, 0}}};
    const sb_enclosure got = of("atan2", a);
    const double near = 2.356194490192345, far = 1.7359450042095235; // of y = 1 and 6
    assert_near(got.value.low, side > 0 ? far : -near, 1e-15);
    assert_near(got.value.high, side > 0 ? near : -far, 1e-15);
    assert_true(inside(got.slope, -1. / 2) && inside(got.slope, -1. / 37));
    assert_true(got.slope.high < 0);
  }
  const sb_enclosure across[] = {{{-1, 1}, {1, 1}}, {{-1, -1}, {0, 0}}};
  assert_near(of("atan2", across).value.high, pi, 1e-15);
  assert_near(of("atan2", across).value.low, -pi, 1e-15);
}

static bool is_whole_line(sb_interval a) {
  return a.low == -HUGE_VAL && a.high == HUGE_VAL;
}

/** Nothing is known where an end is no number, and of a function that is not defined in the whole range. */
static void what_is_no_number_is_not_narrow(void **state) {
  (void)state;
  const sb_interval one = {1, 2}, up = {1, HUGE_VAL}, down = {-HUGE_VAL, 2.385};
  const sb_interval unknown[] = {{NAN, 2}, {1, NAN}, {NAN, NAN}};
  assert_true(is_whole_line(sb_interval_add((sb_interval){HUGE_VAL, HUGE_VAL}, down)));
  assert_near(sb_interval_add(up, one).low, 2, 0);
  for (int i = 0; i < 3; i++) {
    assert_true(is_whole_line(sb_interval_known(unknown[i])));
    assert_true(is_whole_line(sb_interval_add(unknown[i], one)));
    assert_true(is_whole_line(sb_interval_multiply(unknown[i], one)));
    assert_true(is_whole_line(sb_interval_multiply(one, unknown[i])));
    assert_true(is_whole_line(sb_interval_hull(unknown[i], one)));
    assert_near(sb_interval_meet(unknown[i], one).high, 2, 0);
    assert_near(sb_interval_meet(one, unknown[i]).low, 1, 0);
  }
  static const struct {
    const char *name;
    double low, high;
  } rows[] = {{"log", -2, -1},    {"log10", -2, -1},    {"sqrt", -2, -1},
              {"asin", 1.5, 2.4}, {"acos", -2.4, -1.5}, {"asin", -2.4, -1.5}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const sb_enclosure a = {{rows[i].low, rows[i].high}, {1, 1}};
    assert_true(is_whole_line(of(rows[i].name, &a).value));
    assert_true(is_whole_line(of(rows[i].name, &a).slope));
  }
}

/** Two enclosures of the same have something in common, but for rounding. */
static void what_rounding_parts_is_joined(void **state) {
  (void)state;
  const sb_interval a = {1, 2.385}, b = {2, 3}, c = {2.385000001, 3};
  assert_near(sb_interval_meet(a, b).low, 2, 0);
  assert_near(sb_interval_meet(a, b).high, 2.385, 0);
  for (int i = 0; i < 2; i++) {
    const sb_interval both = i == 0 ? sb_interval_meet(a, c) : sb_interval_meet(c, a);
    assert_near(both.low, 1, 0);
    assert_near(both.high, 3, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_function_is_enclosed),
      cmocka_unit_test(enclosures_are_tight),
      cmocka_unit_test(angles_to_the_left),
      cmocka_unit_test(what_is_no_number_is_not_narrow),
      cmocka_unit_test(what_rounding_parts_is_joined),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
