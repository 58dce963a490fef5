// SPDX-License-Identifier: GPL-3.0-or-later
// Kinks and jumps of expressions: where they are, the slopes beside them, and branches that are held beyond them.
#include "tests/core/expression/expressions.h"

#include <float.h>

static void slopes_at_kinks(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double slope;
  } rows[] = {{"abs(x)", 0},
              {"min(x, 2*x)", 1},
              {"max(x, 2*x)", 1},
              {"sign(x)", 0},
              {"hypot(x, 0*x)", 0},
              {"x^2", 0},
              {"x^1", 1},
              {"x^0", 0},
              {"floor(x)", 0},
              {"0*sqrt(x)", 0},
              {"mod(x + 2, 3)", 1},
              {"x*abs(x)", 0},
              {"if(x >= 0, 3*x, x)", 3}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const double zero[] = {0, 0};
    sb_expression *e = compile(rows[i].text);
    assert_near(sb_expression_dual(e, zero, 0).slope, rows[i].slope, 0);
    sb_expression_destroy(e);
  }
}

static void kinks(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double after, kink;
  } rows[] = {
      {"min(x/0.05, 1)", 0, 0.05},
      {"min(x/0.05, 1)", 0.05, HUGE_VAL},
      {"abs(2*x - 3)", 0, 1.5},
      {"abs(2*x - 3)", 1.5, HUGE_VAL},
      {"if(x < 0.3, 1, 2)", 0.1, 0.3},
      {"mod(x, 0.25)", 0.3, 0.5},
      {"mod(x, 0.25)", 0.5, 0.75},
      {"floor(4*x)", 0, 0.25},
      {"sin(x)", 0, HUGE_VAL},
      {"abs(sin(x))", 0, HUGE_VAL},
      {"max(min(x - 1, 2), 0)", 0, 1},
      {"max(min(x - 1, 2), 0)", 1, 3},
      {"sin(5*x)*sign(x - 2)", 0.5, 2},
      {"x^2*min(x, 7)", 0.5, 7},
      {"if(mod(x, 2) < 0.5, 1, 0)", 0.1, 0.5},
      {"if(mod(x, 2) < 0.5, 1, 0)", 0.5, 2},
      {"abs(x - 3e-19)", 0, 3e-19}, // in a run of 1e-18 s
      {"if(x < 2e-30, 0, 1)", 0, 2e-30},
      {"abs(x)", 0, HUGE_VAL},
      // close to each other, far from zero
      {"max(0, 1 - abs(x - 1000.3)/1e-10)", 0, 1000.3 - 1e-10},
      {"max(0, 1 - abs(x - 1000.3)/1e-10)", 1000.3 - 1e-10, 1000.3},
      {"max(0, 1 - abs(x - 1000.3)/1e-10)", 1000.3, 1000.3 + 1e-10},
      {"max(0, 1 - abs(x - 1000.3)/1e-10)", 1000.3 + 1e-10, HUGE_VAL},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    sb_expression *e = compile(rows[i].text);
    double kink = sb_expression_next_kink(e, rows[i].after);
    if (isinf(rows[i].kink)) {
      assert_true(isinf(kink));
    } else {
      assert_near_relative(kink, rows[i].kink, 4 * DBL_EPSILON);
    }
    sb_expression_destroy(e);
  }
  sb_expression *jump = compile("if(x < 1, 2, 5*x)");
  const double at[] = {1, 0}, before[] = {0.9, 0}, behind[] = {1.1, 0};
  assert_near(sb_expression_at(jump, at, before, NULL, 0).value, 2, 0);
  assert_near(sb_expression_at(jump, at, behind, NULL, 0).value, 5, 0);
  assert_near(sb_expression_at(jump, at, behind, NULL, 0).slope, 5, 0);
  sb_expression_destroy(jump);
  sb_expression *half = compile("max(sin(x), 0)"); // no one foresees where
  assert_near(sb_expression_at(half, (double[]){4, 0}, at, NULL, 0).value, 0, 0);
  assert_near(sb_expression_at(half, (double[]){4, 0}, at, NULL, 0).slope, 0, 0);
  sb_expression_destroy(half);
  sb_expression *wave = compile("3*sin(2*pi*50*x + 1) + cos(x)");
  assert_near_relative(sb_expression_period(wave), 0.02, 1e-14);
  assert_true(isinf(sb_expression_interval(wave)));
  sb_expression_destroy(wave);
  sb_expression *teeth = compile("floor(-8*x + 1) + mod(3*x, 0.5) + floor(x^2)");
  assert_near_relative(sb_expression_interval(teeth), 0.125, 1e-14);
  assert_true(isinf(sb_expression_period(teeth)));
  sb_expression_destroy(teeth);
}

/** Mixed second derivatives of functions of two variables. */
/** mod between its ends: where a/b comes to a whole number by rounding, and as a limit on either branch there; and a kink where
 *  what decides on it has come to it. */
static void multiples_by_rounding(void **state) {
  (void)state;
  const double periods[] = {2e-5, 1e-5, 1e-4, 0.1, 1 / 48e3};
  for (size_t i = 0; i < sizeof periods / sizeof *periods; i++) {
    for (int k = 1; k < 60; k++) {
      const double T = periods[i], at[] = {k * T, T}, beside[] = {(k - 0.5) * T, T};
      const double behind[] = {(k + 0.5) * T, T}, now = value_of("mod(x, y)", k * T, T);
      sb_expression *e = compile("mod(x, y)"), *back = compile("mod(x, -y)");
      assert_true(now >= 0 && now <= T);
      const struct {
        double have, end, inside;
      } limits[] = {{sb_expression_beside(e, at, beside, 0).value, T, -1},
                    {sb_expression_beside(e, at, behind, 0).value, 0, 1},
                    {sb_expression_beside(back, at, beside, 0).value, 0, -1},
                    {sb_expression_beside(back, at, behind, 0).value, -T, 1}};
      for (int n = 0; n < 4; n++) {
        assert_near(limits[n].have, limits[n].end, 1e-15 * k * T);
        assert_true(limits[n].inside * (limits[n].have - limits[n].end) >= 0);
      }
      assert_near(sb_expression_beside(e, at, behind, 0).slope, 1, 0);
      sb_expression_destroy(e);
      sb_expression_destroy(back);
    }
  }
  // beyond a branch that is held it goes on
  sb_expression *e = compile("mod(x, 0.5)");
  assert_near(sb_expression_beside(e, (double[]){1 + 1e-9, 0}, (double[]){0.7, 0}, 0).value - 0.5,
              1e-9, 1e-15);
  sb_expression_destroy(e);
}

static void kinks_are_reached(void **state) {
  (void)state;
  static const char *const texts[] = {"x/2e-5 - floor(x/2e-5)", "x*48e3 - floor(x*48e3)",
                                      "x/1e-4 + 7.3 - floor(x/1e-4 + 7.3)",
                                      "(x - 1e-3)/2e-5 - floor((x - 1e-3)/2e-5)"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    sb_expression *e = compile(texts[i]);
    double x = 0;
    for (int k = 0; k < 300; k++) {
      x = sb_expression_next_kink(e, x);
      assert_true(value_of(texts[i], x, 0) >= 0 && value_of(texts[i], x, 0) < 1e-12);
    }
    sb_expression_destroy(e);
  }
}

/** A comparison of a remainder that is the difference of large terms has two kinks in each period, 1/|1/a - 1/b| long: behind the one of mod, where
 *  rounding may tell that to be before it still, the one of the comparison is not passed over. */
static void kinks_beside_rounding_are_met(void **state) {
  (void)state;
  const double a = 1.56757e-4, b = 5.7534e-6, half = 0.5 / (1 / b - 1 / a);
  sb_expression *e =
      compile("if(mod((x - 0.00324506)/1.56757e-4 - (x - 0.00445213)/5.7534e-6, 1) > 0.5, 1, 0)");
  double x = sb_expression_next_kink(e, 0);
  for (int k = 0; k < 2500; k++) {
    const double next = sb_expression_next_kink(e, x);
    assert_near_relative(next - x, half, 1e-6);
    x = next;
  }
  sb_expression_destroy(e);
}

/** Variables that enter by their sign alone. */
static void by_sign(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool by_sign;
  } rows[] = {{"3*sign(x)", true},
              {"if(x > 0, y, -y)", true},
              {"y*((0 < x) - (x < 0))", true},
              {"sign(x) + y*x", false},
              {"x", false},
              {"sign(2*x)", false},
              {"if(x > 1, y, -y)", false},
              {"if(x > y, 1, -1)", false},
              {"abs(x)", false},
              {"max(x, 0)", false},
              {"floor(x)", false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    sb_expression *e;
    sb_error err = {0};
    assert_int_equal(
        sb_expression_compile(rows[i].text, strlen(rows[i].text), &vocabulary, &e, &err), SB_OK);
    if (sb_expression_by_sign(e, 0) != rows[i].by_sign) {
      fail_msg("%s", rows[i].text);
    }
    sb_expression_destroy(e);
  }
}

/** A branch that is held goes on beyond its kink, and tells how far it is inside. */
static void branches_are_held(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double x, held, value, slope, gap, now, apart;
  } rows[] = {
      {"abs(x)", -0.3, 1, -0.3, 1, -0.3, -1, 1},
      {"abs(x)", 0.2, -1, -0.2, -1, -0.2, 1, 1},
      {"2*(x < 0.5)", 0.7, -1, 2, 0, -0.2, 1, 0.2 / 1.2},
      {"sign(x)", 0, 0, 0, 0, 0, 0, 0},
      {"sign(x)", 0.1, 0, 0, 0, -0.1, 1, 1},
      {"min(x, 3)", 3.25, -1, 3.25, 1, -0.25, 1, 0.25 / 6.25},
      {"floor(x)", 2.1, 1, 1, 0, -0.1, 2, 0.1 / 2.1},
      {"ceil(x)", 1.25, 1, 2, 0, 0.25, 1, 0.25 / 1.25},
      {"x > 0.5", 0.5, 1, 1, 0, 0, 0,
       0}, // ends belong to one of their sides, or to a branch of their own
      {"floor(x)", 2, 1, 1, 0, 0, 2, 0},
      {"floor(x)", 2, 2, 2, 0, 0, 2, 0},
      {"ceil(x)", 2, 2, 3, 0, 0, 1, 0},
      {"ceil(x)", 2, 1, 2, 0, 0, 1, 0},
      {"mod(x, 0.5)", 0.6, 0, 0.6, 1, -0.2, 1, 0.2 / 2.4}, // eps of 0.6 and of 0.5
      // |0.75| + |0.5|, and the terms of a product: what cancels is known to the rounding of these
      {"max(0, x - 0.5)", 0.75, -1, 0.25, 1, 0.25, -1, 0.25 / 1.25},
      {"sign(3*(x - 0.5) + 0.25)", 0.75, 1, 1, 0, 1, 1, 1 / (3 * 1.25 + 3 * 0.25 + 0.25)},
      {"x - 1 > 0.5*x", 2.5, 1, 1, 0, 0.25, 1, 0.25 / (2.5 + 1 + 2 * 0.5 * 2.5)}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    sb_expression *e = compile(rows[i].text);
    double held = rows[i].held, band = 0, gap = NAN, now = NAN, off = NAN, terms = NAN;
    bool ended = false;
    const sb_branches branches = {&held, &band, &gap, &now, &ended, true, &off, &terms, true};
    const double x[] = {rows[i].x, 0};
    assert_int_equal(sb_expression_number(e, 0, true, false),
                     0); // all of them can be foreseen in x
    assert_int_equal(sb_expression_number(e, 0, false, false), 1);
    sb_dual y = sb_expression_at(e, x, NULL, &branches, 0);
    assert_near(y.value, rows[i].value, 1e-15);
    assert_near(y.slope, rows[i].slope, 1e-15);
    assert_near(gap, rows[i].gap, 1e-15);
    assert_near(now, rows[i].now, 0);
    assert_int_equal(ended, rows[i].gap == 0 && now != held);
    assert_near(fabs(off) / fmax(terms, DBL_MIN), rows[i].apart, 1e-14); // of what decides
    sb_expression_destroy(e);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(branches_are_held),
      cmocka_unit_test(slopes_at_kinks),
      cmocka_unit_test(kinks),
      cmocka_unit_test(multiples_by_rounding),
      cmocka_unit_test(kinks_are_reached),
      cmocka_unit_test(kinks_beside_rounding_are_met),
      cmocka_unit_test(by_sign),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
