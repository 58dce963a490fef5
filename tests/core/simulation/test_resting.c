// SPDX-License-Identifier: GPL-3.0-or-later
// Dry friction in an algebraic loop that has a solution only at rest, from the start or behind a jump: a flow u is
// forced on a damper of R beside friction of Fc. What the damper does not take, |u| <= Fc/R, the friction lets pass:
//   e = R u if |u| <= Fc/R, else Fc sign(u), and the friction has the flow u - e/R.
#include "tests/fixture.h"

static const double Fc = 3; // [N]

static double low(double t) {
  (void)t;
  return 0.5;
}
static double below(double t) {
  (void)t;
  return -0.7;
}
static double high(double t) {
  (void)t;
  return 2.3;
}
static double falls(double t) {
  return t < 1 ? 2.2 : 0.4;
}
static double reverses(double t) {
  return t < 1 ? 2.2 : -0.4;
}
static double reverses_far(double t) {
  return t < 1 ? 2.2 : -2.6;
}
static double rises(double t) {
  return t < 1 ? 0.3 : 2.5;
}
static double swings(double t) {
  return 0.6 + 2 * sin(2 * t);
}

static const struct {
  const char *flow;
  double (*at)(double t);
} sources[] = {{"0.5", low},
               {"-0.7", below},
               {"2.3", high},
               {"if(t &lt; 1[s], 2.2[m/s], 0.4[m/s])", falls},
               {"if(t &lt; 1[s], 2.2[m/s], -0.4[m/s])", reverses},
               {"if(t &lt; 1[s], 2.2[m/s], -2.6[m/s])", reverses_far},
               {"if(t &lt; 1[s], 0.3[m/s], 2.5[m/s])", rises},
               {"0.6[m/s] + 2[m/s]*sin(2*t/1[s])", swings}};

/** What stands beside the friction at j, with the resistance that it has in all. */
static const struct {
  double R;
  const char *text;
} beside[] = {{2, "<R id='R' r='2 N.s/m'/><bond from='j' to='R'/>"},
              {10. / 7, "<R id='R' r='2 N.s/m'/><R id='Q' r='5 N.s/m'/><bond from='j' to='R'/>"
                        "<bond from='j' to='Q'/>"},
              {2 * 0.8 * 0.8, "<TF id='T' ratio='0.8'/><R id='R' r='2 N.s/m'/>"
                              "<bond from='j' to='T'/><bond from='T' to='R'/>"},
              {2, "<J1 id='k'/><R id='R' r='1.4 N.s/m'/><R id='Q' law='0.6[N.s/m]*f'/>"
                  "<bond from='j' to='k'/><bond from='k' to='R'/><bond from='k' to='Q'/>"}};

static void check(const run *r, double u, double R) {
  double e = fabs(u) <= Fc / R ? R * u : copysign(Fc, u);
  assert_near(value(r, "F.e"), e, 1e-9);
  assert_near(value(r, "F.f"), u - e / R, 1e-9);
}

static void rests_where_only_rest_solves(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
    for (size_t k = 0; k < sizeof beside / sizeof *beside; k++) {
      char text[900];
      (void)snprintf(text, sizeof text,
                     "<network domain='translation'><Sf id='S' flow='%s'/><J0 id='j'/>"
                     "<Friction id='F' coulomb='3 N'/><bond from='S' to='j'/>"
                     "<bond from='j' to='F'/>%s</network>",
                     sources[i].flow, beside[k].text);
      run r = start(text, 1e-9, 1e-12);
      check(&r, sources[i].at(0), beside[k].R);
      for (double t = 0.3; t < 5; t += 0.4) {
        advance(&r, t);
        check(&r, sources[i].at(t), beside[k].R);
      }
      assert_near(ledger_of(&r)->residual_relative, 0, 1e-9);
      stop(&r);
    }
  }
}

/** What comes to rest behind a jump is reported so. */
static void jumps_are_reported(void **state) {
  (void)state;
  static const char *const kinds[] = {"stick", "stick", "slip", "slip"};
  for (size_t i = 3; i < 7; i++) {
    char text[900];
    (void)snprintf(text, sizeof text,
                   "<network domain='translation'><Sf id='S' flow='%s'/><J0 id='j'/>"
                   "<Friction id='F' coulomb='3 N'/><bond from='S' to='j'/>"
                   "<bond from='j' to='F'/>%s</network>",
                   sources[i].flow, beside[0].text);
    run r = start(text, 1e-9, 1e-12);
    advance(&r, 2);
    assert_int_equal(ledger_of(&r)->event_count, 1);
    assert_near(ledger_of(&r)->events[0].t, 1, 1e-12);
    assert_string_equal(ledger_of(&r)->events[0].kind, kinds[i - 3]);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rests_where_only_rest_solves),
                                     cmocka_unit_test(jumps_are_reported)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
