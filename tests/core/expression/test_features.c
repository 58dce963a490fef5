// SPDX-License-Identifier: GPL-3.0-or-later
// Terms of expressions of the time: their swing over a run is found however narrow they are, and no span
// that is called clear holds a feature.
#include "tests/near.h"

#include <math.h>
#include <string.h>

#include "core/expression/features.h"

static sb_expression *compile(const char *text) {
  static const char *const names[] = {"t", "u"};
  const sb_vocabulary vocabulary = {.variables = names, .variable_count = 2, .signal_count = 1};
  sb_expression *expression;
  sb_error err = {0};
  ok(sb_expression_compile(text, strlen(text), &vocabulary, &expression, &err), &err);
  sb_expression_fold(expression);
  return expression;
}

static double at(const sb_expression *e, double t) {
  const double variables[] = {t, 1};
  return sb_expression_value(e, variables);
}

/** Walks through [0, 1] by the longest spans allowed. @return how many; 0: there is nothing to miss
 *  @param hidden  out: the most that the expression departs from its chord in one of them */
static int walk(const char *text, double *hidden) {
  sb_expression *e = compile(text);
  sb_features *features;
  sb_error err = {0};
  int spans = 0;
  *hidden = 0;
  ok(sb_features_create(e, 0, &features, &err), &err);
  if (features != NULL) {
    assert_true(sb_features_measure(features, 0, 1));
    for (double t = 0; t < 1; spans++) {
      double kink = sb_expression_next_kink(e, t), limit = fmin(1, kink);
      double jump = HUGE_VAL, end = sb_features_reach(features, t, limit, &jump);
      assert_true(end > t && spans < 100000);
      for (int i = 1; i < 400; i++) {
        double part = i / 400.0,
               chord = at(e, t + 1e-12) + part * (at(e, end - 1e-12) - at(e, t + 1e-12));
        double off = fabs(at(e, t + part * (end - t)) - chord);
        *hidden = end - t > 1e-9 ? fmax(*hidden, off) : *hidden;
      }
      t = isinf(jump) ? end : jump;
    }
  }
  sb_features_destroy(features);
  sb_expression_destroy(e);
  return spans;
}

static void no_feature_is_hidden(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int most; // spans
  } rows[] = {
      {"exp(-((t-0.5037)/1e-5)^2)", 60},
      {"exp(-((t-0.123)/1e-9)^2)", 80},
      {"1/(1+((t-0.66)/1e-6)^2)", 80},
      {"if((t-0.7)^2 < 1e-12, 1, 0)", 80},
      {"max(0, 1-((t-0.41)/2e-6)^2)", 60},
      {"t/1e-6*exp(1-t/1e-6)", 60},
      {"1/cosh((t-0.9)/1e-4)^2", 60},
      {"5 + 0.1*exp(-((t-0.3)/1e-5)^2)", 60},
      {"u*exp(-((t-0.3)/1e-5)^2)", 60},
      {"exp(-((mod(t,0.1)-0.037)/1e-5)^2)", 500},
      {"exp(1e6*(cos(20*t)-1))", 400},
      {"sin(1e3*t^2)", 4000},
      {"exp(-((t-0.5)/1e-4)^2)*sin(1e3*t)^2", 800},
      {"5*(1 + 0.2*exp(-((t-0.5)/1e-6)^2))", 60},
      {"tanh((t-0.2)/1e-6)", 60},
      {"atan((t-0.2)/1e-6)", 60},
      {"if(mod(t, 0.1) < 0.05 + 0.02*sin(7*t), 1, 0)", 30}, // two for each period
      {"t^2", 4},
      {"exp(-3*t)", 4},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    double hidden;
    int spans = walk(rows[i].text, &hidden);
    if (!(spans >= 1 && spans <= rows[i].most && hidden < 0.5)) {
      print_error("%s: %d spans, %g hidden\n", rows[i].text, spans, hidden);
    }
    assert_true(spans >= 1 && spans <= rows[i].most && hidden < 0.5);
  }
}

/** The longest of the spans that meet the middle of a pulse at `place`. */
static double span_at(const char *text, double place) {
  sb_expression *e = compile(text);
  sb_features *features;
  sb_error err = {0};
  double longest = 0;
  ok(sb_features_create(e, 0, &features, &err), &err);
  assert_true(features != NULL && sb_features_measure(features, 0, 1));
  for (double t = 0; t < place;) {
    double jump = HUGE_VAL, end = sb_features_reach(features, t, 1, &jump);
    longest = end >= place ? fmax(longest, end - t) : longest;
    t = isinf(jump) ? end : jump;
  }
  sb_features_destroy(features);
  sb_expression_destroy(e);
  return longest;
}

/** What is to stop looks at nothing more: a pulse is not found, and no span ends before it. */
static void stops_at_once(void **state) {
  (void)state;
  sb_expression *e = compile("exp(-((t-0.5037)/1e-5)^2)*(1 + exp(-((t-0.2)/1e-5)^2))");
  sb_features *features;
  sb_error err = {0};
  volatile sig_atomic_t stop = 1;
  double jump = HUGE_VAL;
  ok(sb_features_create(e, 0, &features, &err), &err);
  assert_true(sb_features_measure(features, 0, 1));
  assert_true(sb_features_reach(features, 0, 1, &jump) < 0.5037);
  sb_features_watch(features, &stop);
  assert_false(sb_features_measure(features, 0, 1));
  assert_near(sb_features_reach(features, 0, 1, &jump), 1, 0);
  sb_features_destroy(features);
  sb_expression_destroy(e);
}

/** A pulse that moves what it is in by a thousandth and less of its swing is met all the same; one that does not move it is not. */
static void parts_of_arguments_are_met(void **state) {
  (void)state;
  static const char *const rows[] = {
      "tanh(3*t^2 + 0.01*exp(-((t-0.5037)/1e-3)^2))",
      "sin(t^2 + 1e-3*exp(-((t-0.5037)/1e-3)^2))",
      "exp(-5*t^2 + 2e-3*exp(-((t-0.5037)/1e-3)^2))",
      "atan(3*t + max(0.2, 0.21*exp(-((t-0.5037)/1e-3)^2)))",
      "sqrt(2 + (t - 2e-3*exp(-((t-0.5037)/1e-3)^2))^2)",
      "t^2/(1 + abs(t + 1e-3*exp(-((t-0.5037)/1e-3)^2)))",
      "if(t^2 < 0.2535 + 0.002*exp(-((t-0.5037)/1e-3)^2), 1, 0)",
      "floor(800*t^3 + 0.3 + 0.2*exp(-((t-0.5037)/1e-3)^2))",
      "1e3*t^2 + tanh(2 + tanh(t^2 + 0.01*exp(-((t-0.5037)/1e-3)^2)))"};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const double span = span_at(rows[i], 0.5037);
    if (span > 5e-3) {
      print_error("%s: %g\n", rows[i], span);
    }
    assert_true(span <= 5e-3);
  }
  assert_true(span_at("tanh(60*t^2 + 1e-2*exp(-((t-0.9037)/1e-5)^2))", 0.9037) > 1e-3);
}

/** What the error control sees by itself bounds nothing. */
static void steady_terms_bound_nothing(void **state) {
  (void)state;
  static const char *const rows[] = {"5",
                                     "5 + u",
                                     "u*sin(u)",
                                     "5*sin(1e6*t)",
                                     "u*(2 + cos(1e9*t + 1))",
                                     "3*t + u",
                                     "sin(t)*cos(1e3*t) - 1",
                                     "u*cos(2*(3*t - 1))"};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    double hidden;
    assert_true(walk(rows[i], &hidden) <= (strchr(rows[i], '3') == rows[i]));
  }
}

/** A ripple whose integral counts for nothing is left to the error control. */
static void what_counts_for_nothing_is_left_out(void **state) {
  (void)state;
  double hidden;
  assert_true(walk("5 + 1e-6*exp(-((t-0.3)/1e-9)^2)", &hidden) <= 40);
  assert_true(walk("5 + 1e-6*abs(sin(1e9*t))", &hidden) <= 20000);
}

static void what_cannot_be_found_is_told(void **state) {
  (void)state;
  static const char *const rows[] = {
      "exp(-((t-0.5037)/1e-14)^2)", "exp(-((t-0.123)/1e-13)^2) + sin(3*t)",
      "exp(-((t-0.5)/1e-14)^2)"}; // at the first place that is looked at
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    sb_expression *e = compile(rows[i]);
    sb_features *features;
    sb_error err = {0};
    ok(sb_features_create(e, 0, &features, &err), &err);
    assert_false(sb_features_measure(features, 0, 1));
    sb_features_destroy(features);
    sb_expression_destroy(e);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stops_at_once),
      repeating_test(no_feature_is_hidden),
      cmocka_unit_test(parts_of_arguments_are_met),
      cmocka_unit_test(steady_terms_bound_nothing),
      repeating_test(what_counts_for_nothing_is_left_out),
      cmocka_unit_test(what_cannot_be_found_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
