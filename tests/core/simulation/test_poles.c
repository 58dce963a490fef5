// SPDX-License-Identifier: GPL-3.0-or-later
// Branches of expressions whose arguments pass a pole, as the slip of a wheel at rest: the argument comes back from the other side without having
// been zero, and what is nested in it takes the branch of the value that it has there.
#include "tests/fixture.h"

enum { TEXT = 700, ROWS = 240 };

static double clip(double u) {
  return fmax(-1, fmin(1, u));
}
static double beyond(double u) {
  return fabs(u) > 1;
}
static double limited(double u) {
  return 1 / fmax(1, fabs(u));
}
static double is_above(double u) {
  return u > 1;
}

/** An oscillator, v = 10 V cos t. */
static double voltage(double t) {
  return 10 * cos(t);
}
static double quotient(double t, double c, double d) {
  return c / voltage(t) + d;
}
static double tangent(double t, double c, double d) {
  return tan(voltage(t) / (3 * c)) + d;
}
static double wrapped(double t, double c, double d) {
  return c * atan2(sin(voltage(t)), cos(voltage(t))) + d;
}

static void values_behind_poles(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double (*value)(double u);
  } users[] = {{"max(-1, min(1, %s))", clip},
               {"min(1, max(-1, %s))", clip},
               {"if(abs(%s) &gt; 1, 1, 0)", beyond},
               {"1/max(1, abs(%s))", limited},
               {"if(%s &gt; 1, 1, 0)", is_above}};
  static const struct {
    const char *text;
    double (*value)(double t, double c, double d);
  } arguments[] = {{"(%g[V]/v + %g)", quotient},
                   {"(tan(v/(3[V]*%g)) + %g)", tangent},
                   {"(%g*atan2(sin(v/1[V]), cos(v/1[V])) + %g)", wrapped}};
  static const double c[] = {0.3, 2, 20}, d[] = {-2, 0.5};
  for (int i = 0; i < 90; i += THOROUGH ? 1 : 7) {
    char u[TEXT / 2], y[TEXT / 2], text[2 * TEXT];
    const double own = c[i % 3], more = d[i / 3 % 2];
    (void)snprintf(u, sizeof u, arguments[i / 6 % 3].text, own, more);
    (void)snprintf(y, sizeof y, users[i / 18].text, u);
    (void)snprintf(text, sizeof text,
                   "<network domain='electric'><J1 id='a'/><I id='L' l='1 H'/><C id='C' c='1 F' "
                   "q0='10 C'/><bond from='a' to='L'/><bond from='a' to='C'/><signal id='v' "
                   "of='C.e'/><signal id='y' value='%s'/></network>",
                   y);
    run r = start(text, i % 2 == 0 ? 1e-9 : 1e-6, 0);
    for (int k = 1, off = 0; k <= ROWS; k++) {
      const double t = 0.05 * k;
      advance(&r, t);
      off += fabs(value(&r, "y") - users[i / 18].value(arguments[i / 6 % 3].value(t, own, more))) >
             1e-3;
      assert_true(off <= 1); // a row may lie at a jump
    }
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(values_behind_poles)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
