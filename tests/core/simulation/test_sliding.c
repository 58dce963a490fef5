// SPDX-License-Identifier: GPL-3.0-or-later
// Integrators that a condition holds at its edge: the rates on both sides lead there (Filippov), as of a controller whose limit is passed by its
// proportional part while the integral is clamped.
#include "tests/fixture.h"

enum { TEXT = 1500 };

/** Its error falls, e = 1 - t/4, and is integrated, x' = 0.8 e, while the sum v = x + e/2 is below 1. The clamped x would let v fall back at once. */
static const double begins = (0.675 - 0.50559371040391) / 0.2; // v = 1/2 + 0.675 t - 0.1 t^2 = 1
/** v stays at 1, so that x' = 1/8, until that is what the integrand gives. */
static const double ends = 4 * (1 - 0.125 / 0.8);

static double integral(double t) {
  const double e = 1 - t / 4, last = 1 - ends / 4;
  return t < begins ? 0.8 * (t - t * t / 8)
         : t < ends ? 1 - 0.5 * e
                    : 1 - 0.5 * last + 0.8 * 2 * (last * last - e * e);
}

static void holds(const char *signals, const char *method, double off) {
  static const double times[] = {0.5, 1, 2.3, 3.3, 3.4, 5};
  const bool given = strcmp(method, "implicit-midpoint") == 0;
  char text[TEXT];
  (void)snprintf(text, sizeof text,
                 "<screwbond version='1' id='m'><network domain='rotation'><signal id='e' "
                 "value='1 - t/4[s]'/><signal id='v' value='x + e/2'/>%s<Se id='M' "
                 "effort='1[N.m]*min(v, 1)'/><I id='J' inertia='1'/><R id='b' r='0.1'/><J1 "
                 "id='s'/><bond from='M' to='s'/><bond from='s' to='J'/><bond from='s' to='b'/>"
                 "</network><run t-end='6 s' method='%s'%s/></screwbond>",
                 signals, method, given ? " step='1 ms'" : "");
  run r = prepare(text);

  start_by(&r, &r.netlist->options);
  for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
    advance(&r, times[k]);
    assert_near(value(&r, "x"), integral(times[k]), off);
    assert_near(value(&r, "v"), times[k] / 4 < 0.8 && times[k] > begins ? 1 : value(&r, "v"), off);
  }
  assert_closes(&r);
  stop(&r);
}

static void integrals_at_a_limit(void **state) {
  (void)state;
  static const char *const forms[] = {
      "<signal id='x' rate='if(v &gt; 1, 0, e)*0.8[1/s]'/>",
      "<signal id='x' rate='e*(1 - (v &gt; 1)*(e &gt; 0))*0.8[1/s]'/>",
      "<signal id='u' value='min(v, 1)'/><signal id='x' rate='if(v != u, 0, e)*0.8[1/s]'/>",
      "<signal id='over' value='v &gt; 1'/><signal id='x' rate='e*(1 - over)*0.8[1/s]'/>",
      "<signal id='over' value='if(v &gt; 1, 1, 0)'/>"
      "<signal id='x' rate='if(over &gt; 0.5, 0, e)*0.8[1/s]'/>"};
  for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
    holds(forms[k], "dormand-prince-5", 1e-7);
    holds(forms[k], "kvaerno-5", 1e-7);
    holds(forms[k], "implicit-midpoint", 1e-6);
  }
}

/** What is at the edge of a condition, v = 1, stays there while a plant answers and disturbs it. */
static void limited_drive(void **state) {
  (void)state;
  run r = start("<network domain='rotation'><signal id='w' of='J.f'/><signal id='e' value="
                "'3*sin(0.7[rad/s]*t) - w/1[rad/s]'/><signal id='v' value='0.5*e + x'/>"
                "<signal id='u' value='max(-1, min(v, 1))'/><signal id='x' "
                "rate='if(v != u, 0, e)*0.8[1/s]'/><Se id='M' effort='1[N.m]*u'/><I id='J' "
                "inertia='0.5'/><R id='d' r='0.2'/><J1 id='s'/><bond from='M' to='s'/><bond "
                "from='s' to='J'/><bond from='s' to='d'/></network>",
                1e-9, 0);
  int at_edge = 0;
  for (int k = 1; k <= 200; k++) {
    advance(&r, 0.1 * k);
    at_edge += fabs(fabs(value(&r, "v")) - 1) < 1e-12;
  }
  assert_true(at_edge > 10);
  // by explicit steps of 2e-7 s, which chatter
  assert_near(value(&r, "x"), 0.65220057, 1e-6);
  assert_near(value(&r, "J.p"), 1.13811160, 1e-6);
  assert_balanced(&r);
  stop(&r);
}

/** So it does while dry friction in the plant sticks and slips, and a pulse far ahead is looked for. */
static void beside_friction(void **state) {
  (void)state;
  run r = start("<network domain='rotation'><signal id='w' of='J.f'/><signal id='e' value="
                "'3*sin(0.7[rad/s]*t) - w/1[rad/s]'/><signal id='v' value='0.5*e + x'/>"
                "<signal id='u' value='max(-1, min(v, 1))'/><signal id='x' "
                "rate='if(v != u, 0, e)*0.8[1/s]'/><Se id='M' effort='1[N.m]*(u + "
                "exp(-((t - 23[s])/0.1[s])^2))'/><I id='J' inertia='0.5'/><Friction id='d' "
                "coulomb='0.4 N.m' viscous='0.1 N.m.s'/><J1 id='s'/><bond from='M' to='s'/><bond "
                "from='s' to='J'/><bond from='s' to='d'/></network>",
                1e-9, 0);
  int at_edge = 0;
  for (int k = 1; k <= 250; k++) {
    advance(&r, 0.1 * k);
    at_edge += fabs(fabs(value(&r, "v")) - 1) < 1e-12;
    assert_true(isfinite(value(&r, "x")));
  }
  assert_true(at_edge > 10);
  assert_balanced(&r);
  stop(&r);
}

/** A bang-bang controller that sees the voltage by a sensor which lags: no sliding of first order, but its period falls as exp(-t c/3), c = 5.5/s, so that no
 *  number of jumps leads to the end of the run. */
static void lagging_sensor(void **state) {
  (void)state;
  double t;
  sb_error err;
  assert_int_equal(
      try_run("<screwbond version='1' id='m'><network domain='electric'><signal id='u' "
              "of='C.e'/><signal id='sensor' rate='(u - sensor)/0.2[s]' start='0 V'/>"
              "<signal id='on' value='sign(1[V] - sensor)'/><J0 id='n'/><C id='C' c='1 "
              "F'/><R id='R' r='2'/><Sf id='S' flow='1[A]*on'/><bond from='n' to='C'/>"
              "<bond from='n' to='R'/><bond from='S' to='n'/></network><run t-end='1000 "
              "s' rtol='1e-7'/></screwbond>",
              1000, &t, &err),
      SB_ERR_CHATTER);
  assert_contains(err.text, "'on' switches without end");
  assert_contains(err.text, "faster and faster");
}

/** The same by a Switch. */
static void lagging_sensor_of_a_switch(void **state) {
  (void)state;
  double t;
  sb_error err;
  assert_int_equal(
      try_run(
          "<screwbond version='1' id='m'><network domain='electric'><signal id='u' "
          "of='C.e'/><signal id='sensor' rate='(u - sensor)/0.2[s]' start='0 V'/>"
          "<J0 id='n'/><J1 id='j'/><C id='C' c='1 F'/><R id='R' r='2'/><Se id='E' effort='3 V'/>"
          "<R id='Ri' r='1'/><Switch id='k' closes='1[V] - sensor' opens='sensor - 1[V]'/>"
          "<bond from='E' to='j'/><bond from='j' to='Ri'/><bond from='j' to='k'/>"
          "<bond from='j' to='n'/><bond from='n' to='C'/><bond from='n' to='R'/>"
          "</network><run t-end='1000 s' rtol='1e-7'/></screwbond>",
          1000, &t, &err),
      SB_ERR_CHATTER);
  assert_contains(err.text, "'k' switches without end");
  assert_contains(err.text, "faster and faster");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integrals_at_a_limit), cmocka_unit_test(limited_drive),
      cmocka_unit_test(beside_friction), cmocka_unit_test(lagging_sensor),
      cmocka_unit_test(lagging_sensor_of_a_switch)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
