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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_function_is_enclosed),
      cmocka_unit_test(enclosures_are_tight),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
