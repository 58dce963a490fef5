// SPDX-License-Identifier: GPL-3.0-or-later
// What every test file includes: cmocka, comparisons of doubles (the packaged cmocka compares
// floats), of statuses and of texts, and how much is to be repeated.
#ifndef SB_TESTS_NEAR_H
#define SB_TESTS_NEAR_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/error.h"

/** How much a test tries. It may leave out what repeats the same code with other numbers (random trials, further periods,
 *  combinations) but no path through the code.
 *  PLAIN     in a build that is optimised and not instrumented, as tests/meson.build decides: others take ten times as long
 *  THOROUGH  if asked for by SB_THOROUGH, too: `meson test --setup thorough`, `tools/test --thorough` */
enum { PLAIN = SB_TESTS_PLAIN };
#define ALL_ASKED (getenv("SB_THOROUGH") != NULL)
#define THOROUGH (PLAIN && ALL_ASKED)

/** cmocka_unit_test() of what the sanitizers need not see, as others run its branches (CONTRIBUTING.md). cmocka skips entries
 *  without a name. */
#define repeating_test(f)                                                                          \
  { PLAIN || ALL_ASKED ? #f : NULL, PLAIN || ALL_ASKED ? f : NULL, NULL, NULL, NULL }

static const double pi = 3.14159265358979323846;

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

/** Fails unless the status is SB_OK, and shows the error. */
#define ok(status, err) ok_check((status), (err), __FILE__, __LINE__)

static inline void ok_check(sb_status status, const sb_error *err, const char *file, int line) {
  if (status != SB_OK) {
    print_error("status %d: %s\n", (int)status, err->text);
    _fail(file, line);
  }
}

/** Fails unless a text contains another. */
#define assert_contains(text, part) contains_check((text), (part), __FILE__, __LINE__)

static inline void contains_check(const char *text, const char *part, const char *file, int line) {
  if (text == NULL || strstr(text, part) == NULL) {
    print_error("'%s' is not in: %s\n", part, text == NULL ? "(nothing)" : text);
    _fail(file, line);
  }
}

#endif
