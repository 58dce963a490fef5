// SPDX-License-Identifier: GPL-3.0-or-later
// What every test file includes: cmocka, and comparisons of doubles (the packaged cmocka compares
// floats) and of statuses.
#ifndef SB_TESTS_NEAR_H
#define SB_TESTS_NEAR_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/base/error.h"

/** Fails unless |actual - expected| <= tolerance (absolute); not-a-number always fails. */
#define assert_near(actual, expected, tolerance)                                                   \
  near_check((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)

/** Fails unless |actual - expected| <= tolerance * |expected|. */
#define assert_near_relative(actual, expected, tolerance)                                          \
  near_check((actual), (expected), (tolerance)*fabs(expected), #actual, __FILE__, __LINE__)

static inline void near_check(double actual, double expected, double tolerance, const char *what,
                              const char *file, int line) {
  if (!(fabs(actual - expected) <= tolerance)) {
    print_error("%s = %.17g, expected %.17g: off by %.3g, allowed %.3g\n", what, actual, expected,
                fabs(actual - expected), tolerance);
    _fail(file, line);
  }
}

/** Fails, and shows the error, unless the status is SB_OK. */
static inline void ok(sb_status status, const sb_error *err) {
  if (status != SB_OK) {
    print_error("%s\n", err->text);
  }
  assert_int_equal(status, SB_OK);
}

#endif
