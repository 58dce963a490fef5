// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions of x and y.
#ifndef SB_TESTS_EXPRESSIONS_H
#define SB_TESTS_EXPRESSIONS_H

#include "tests/fixture.h"

#include "core/expression/expression.h"

static const char *const names[] = {"x", "y"};
static const sb_vocabulary vocabulary = {.variables = names, .variable_count = 2};

static inline sb_expression *compile(const char *text) {
  sb_expression *e;
  sb_error err = {0};
  if (sb_expression_compile(text, strlen(text), &vocabulary, &e, &err) != SB_OK) {
    fail_msg("%s: %d: %s", text, err.column, err.text);
  }
  return e;
}

static inline double value_of(const char *text, double x, double y) {
  sb_expression *e = compile(text);
  const double at[] = {x, y};
  double value = sb_expression_value(e, at);
  sb_expression_fold(e);
  double folded = sb_expression_value(e, at);
  assert_true(value == folded || (isnan(value) && isnan(folded)));
  sb_expression_destroy(e);
  return value;
}

#endif
