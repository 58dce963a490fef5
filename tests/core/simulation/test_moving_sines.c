// SPDX-License-Identifier: GPL-3.0-or-later
// Sines of an angle that turns evenly: no step passes over two events, though all states move evenly. A rotor of 100 rad/s turns
// for a second; each half turn has closed forms, in the angle a.
#include "core/simulation/simulation_private.h"
#include "tests/fixture.h"

#define ROTOR                                                                                      \
  "<I id='J' domain='rotation' inertia='1 kg.m^2' p0='100 kg.m^2/s'/>"                             \
  "<Se id='M' domain='rotation' effort='0 N.m'/><bond from='M' to='J'/>"                           \
  "<signal id='w' of='J.f'/><signal id='th' rate='w'/>"

static const double speed = 100; // [rad/s]

/** A commutator: C is charged through R in 16 half turns. */
static void commutator_closes_in_each_turn(void **state) {
  (void)state;
  static const char *const conditions[] = {"closes='sin(th)'", "opens='cos(th + pi/2)'"};
  for (int i = 0; i < 2; i++) {
    char text[900];
    (void)snprintf(text, sizeof text,
                   "<network domain='electric'>" ROTOR "<Se id='u' effort='1 V'/>"
                   "<R id='R' r='1 ohm'/><C id='C' c='0.1 F'/><Switch id='S' %s/><J1 id='j'/>"
                   "<bond from='u' to='j'/><bond from='j' to='R'/><bond from='j' to='S'/>"
                   "<bond from='j' to='C'/></network>",
                   conditions[i]);
    run r = go(text, 1);
    assert_near(value(&r, "C.e"), 1 - exp(-16 * pi / speed / 0.1), 1e-8);
    stop(&r);
  }
}

/** The path at the angle a of a mass of 1 kg, from rest at `from`, under peak sin(a) - against. */
static double path(double peak, double against, double from, double a) {
  const double gone = a - from;
  return (peak * (gone * cos(from) - sin(a) + sin(from)) - 0.5 * against * gone * gone) /
         (speed * speed);
}

static double velocity(double peak, double against, double from, double a) {
  return (peak * (cos(from) - cos(a)) - against * (a - from)) / speed;
}

/** Where a function of the angle is zero again behind `low`. */
static double zero_of(double (*f)(double, double, double, double), double peak, double against,
                      double from, double low, double high) {
  for (int i = 0; i < 100; i++) {
    const double middle = 0.5 * (low + high);
    *(f(peak, against, from, middle) > 0 ? &low : &high) = middle;
  }
  return low;
}

/** A block breaks loose in each half turn, and slips until it is at rest; in the last one until the end. */
static void shaker_breaks_loose(void **state) {
  (void)state;
  run r = go("<network domain='translation'>" ROTOR "<Se id='F' effort='5.5[N]*sin(th)'/>"
             "<I id='m' mass='1 kg'/><Friction id='mu' coulomb='3 N' static='5 N'/><J1 id='j'/>"
             "<bond from='F' to='j'/><bond from='j' to='m'/><bond from='j' to='mu'/>"
             "<signal id='v' of='m.f'/><signal id='d' rate='abs(v)'/></network>",
             1);
  const double from = asin(5 / 5.5), to = zero_of(velocity, 5.5, 3, from, 2, 4);
  const double last = fmin(to, speed - 31 * pi);
  assert_near_relative(value(&r, "d"), 31 * path(5.5, 3, from, to) + path(5.5, 3, from, last),
                       1e-7);
  assert_int_equal(ledger_of(&r)->work.events, 64);
  stop(&r);
}

/** A cam presses a brake in every other half turn. */
static void brake_follows_a_cam(void **state) {
  (void)state;
  run r = go("<network domain='translation'>" ROTOR "<I id='m' mass='1 kg' p0='5 kg.m/s'/>"
             "<Friction id='f' coulomb='1[N]*max(0, sin(th))'/><J1 id='j'/>"
             "<bond from='j' to='m'/><bond from='j' to='f'/></network>",
             1);
  assert_near(value(&r, "m.f"), 5 - 16 * 2 / speed, 1e-8);
  stop(&r);
}

/** A mass lifts off its stop in every turn, and lands without a rebound. */
static void mass_lifts_off(void **state) {
  (void)state;
  run r =
      go("<network domain='translation'>" ROTOR "<Se id='F' effort='-10[N] + 15[N]*sin(th)'/>"
         "<I id='m' mass='1 kg'/><Stop id='S' lower='0 m'/><J1 id='j'/><signal id='x' of='S.q'/>"
         "<signal id='a' rate='x'/><bond from='F' to='j'/><bond from='j' to='m'/>"
         "<bond from='j' to='S'/></network>",
         1);
  const double from = asin(10. / 15), to = zero_of(path, 15, 10, from, 2, 6), gone = to - from;
  const double area =
      (15 * (0.5 * gone * gone * cos(from) + cos(to) - cos(from) + gone * sin(from)) -
       10 * gone * gone * gone / 6) /
      (speed * speed * speed);
  assert_near_relative(value(&r, "a"), 16 * area, 1e-6);
  stop(&r);
}

/** A rotor that starts from rest, th = 50 t^2: nothing is known of its speed at first. 25/pi half turns in a second. */
static void angles_may_be_accelerated(void **state) {
  (void)state;
  run r = go("<network domain='electric'><signal id='w' rate='100[rad/s^2]'/>"
             "<signal id='th' rate='w'/><Se id='u' effort='1 V'/><R id='R' r='1 ohm'/>"
             "<Switch id='S' closes='sin(th)'/><J1 id='j'/><bond from='u' to='j'/>"
             "<bond from='j' to='R'/><bond from='j' to='S'/></network>",
             1);
  double closed = 0;
  for (int n = 0; n < 16; n += 2) {
    closed += fmin(sqrt((n + 1) * pi / 50), 1) - sqrt(n * pi / 50);
  }
  assert_near(ledger_of(&r)->total.dissipated, closed, 1e-8);
  stop(&r);
}

/** The same sine that no event depends on bounds no step. */
static void sines_elsewhere_bound_no_step(void **state) {
  (void)state;
  run r = go("<network domain='translation'>" ROTOR "<Se id='F' effort='1e-15[N]*sin(th)'/>"
             "<I id='m' mass='1 kg' p0='1 N.s'/><bond from='F' to='m'/></network>",
             1);
  assert_true(ledger_of(&r)->work.steps < 60);
  stop(&r);
}

#define FAST                                                                                       \
  "<screwbond version='1' id='m'><network domain='electric'><signal id='y' rate='1e9[rad/s]'/>"    \
  "<signal id='x' rate='1[1/s]'/><Se id='u' effort='%s'/><R id='R' r='1 ohm'/>"                    \
  "<Switch id='S' closes='%s'/><J1 id='j'/><bond from='u' to='j'/><bond from='j' to='R'/>"         \
  "<bond from='j' to='S'/></network><run t-end='10 s'/></screwbond>"

/** A sine that cannot change a sign bounds no step: the switch is closed from 6 s on. */
static void sines_that_change_nothing_bound_no_step(void **state) {
  (void)state;
  static const char *const rows[][2] = {{"1 V", "if(sin(y) &gt; 2, 1, x - 6)"},
                                        {"1[V]*if(cos(y) &lt; -1.5, 5, 1)", "x - 6"},
                                        {"1 V", "min(x - 6, 8 + sin(y)*cos(y))"}};
  for (int i = 0; i < 3; i++) {
    char text[1200];
    (void)snprintf(text, sizeof text, FAST, rows[i][0], rows[i][1]);
    run r = start_netlist(text);
    advance(&r, 10);
    assert_near(ledger_of(&r)->total.dissipated, 4, 1e-8);
    assert_true(ledger_of(&r)->work.steps < 60);
    stop(&r);
  }
}

/** One that does, more often than steps may be taken, is refused at once, with the element and its place. */
static void sines_that_are_too_fast_are_named(void **state) {
  (void)state;
  static const char *const rows[][3] = {
      {"1 V", "sin(y)", "Switch 'S': its condition may change in each period of a sine whose "},
      {"1[V]*if(sin(y) &gt; 0.5, 5, 1)", "x - 6",
       "Se 'u': a branch may change in each period of a sine whose argument moves by 1e+09 rad/s"},
      {"1[V]*sin(y)", "x - 6", "Se 'u': events depend on a sine whose argument moves by 1e+09 "}};
  for (int i = 0; i < 3; i++) {
    char text[1200];
    double t;
    sb_error err = {0};
    (void)snprintf(text, sizeof text, FAST, rows[i][0], rows[i][1]);
    assert_int_equal(try_run(text, 10, &t, &err), SB_ERR_LIMIT);
    assert_contains(err.text, rows[i][2]);
    assert_int_equal(err.line, 1);
    assert_true(t < 1e-6);
  }
}

/** Where the steps run out, the sine that has bounded them is named, though its speed is not sure. */
static void sines_that_use_up_the_steps_are_named(void **state) {
  (void)state;
  const char *const text = "<screwbond version='1' id='m'><network domain='electric'>" ROTOR
                           "<Se id='u' effort='1 V'/><R id='R' r='1 ohm'/>"
                           "<Switch id='S' closes='sin(th)'/><J1 id='j'/><bond from='u' to='j'/>"
                           "<bond from='j' to='R'/><bond from='j' to='S'/></network>"
                           "<run t-end='1 s' max-steps='40'/></screwbond>";
  double t;
  sb_error err = {0};
  assert_int_equal(try_run(text, 1, &t, &err), SB_ERR_LIMIT);
  assert_contains(err.text, "more than 40 steps; stopped at t = ");
  assert_contains(err.hint, "Switch 'S': its condition may change in each period of a sine whose ");
}

/** The speed of an angle of many turns is not taken from the rounding of a first step. */
static void slow_sines_of_large_angles_run(void **state) {
  (void)state;
  run r = go("<network domain='electric'><signal id='th' rate='100[rad/s]' start='1e6'/>"
             "<Se id='u' effort='1 V'/><R id='R' r='1 ohm'/><Switch id='S' closes='sin(th)'/>"
             "<J1 id='j'/><bond from='u' to='j'/><bond from='j' to='R'/><bond from='j' to='S'/>"
             "</network>",
             0.2 * pi); // ten turns
  assert_near(ledger_of(&r)->total.dissipated, 0.1 * pi, 1e-8);
  stop(&r);
}

/** Where contacts come with neighbours, the pace of a rotor is known on. */
static void pace_lasts_where_neighbours_come(void **state) {
  (void)state;
  run r = prepare_inside(
      "<laws><contact-law id='l' normal='linear' stiffness='1 kN/m' friction='none'/></laws>"
      "<mechanism><body id='a' mass='1 kg' inertia='1 1 1 kg.m^2'><shape kind='sphere' "
      "radius='0.1 m'/></body><body id='b' mass='1 kg' inertia='1 1 1 kg.m^2' position='5 0.5 0 m' "
      "velocity='-9 0 0 m/s'><shape kind='sphere' radius='0.1 m'/></body>"
      "<contacts law='l' pairs='near' among='a b'/></mechanism><network domain='electric'>" ROTOR
      "<Se id='u' effort='1 V'/><R id='R' r='1 ohm'/><Switch id='S' closes='sin(th)'/>"
      "<J1 id='j'/><bond from='u' to='j'/><bond from='j' to='R'/><bond from='j' to='S'/>"
      "</network>");
  const sb_options options = options_of("fehlberg-8", 1e-8);
  start_by(&r, &options);
  int renewed = 0;
  for (int i = 1; i <= 500; i++) {
    sb_error err = {0};
    advance(&r, 2e-3 * i);
    const sb_model *model = r.sim->model;
    const double horizon = sb_turnings_horizon(r.sim);
    ok(sb_renewal_check(r.sim, &err), &err);
    renewed += r.sim->model != model;
    assert_near(horizon, pi / 4 / speed, 1e-9);
    assert_near(sb_turnings_horizon(r.sim), horizon, 0);
  }
  assert_true(renewed > 0);
  assert_near(ledger_of(&r)->total.dissipated, 16 * pi / speed, 1e-8);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(commutator_closes_in_each_turn),
      repeating_test(shaker_breaks_loose),
      cmocka_unit_test(brake_follows_a_cam),
      cmocka_unit_test(mass_lifts_off),
      cmocka_unit_test(angles_may_be_accelerated),
      cmocka_unit_test(sines_elsewhere_bound_no_step),
      cmocka_unit_test(sines_that_change_nothing_bound_no_step),
      cmocka_unit_test(sines_that_are_too_fast_are_named),
      cmocka_unit_test(sines_that_use_up_the_steps_are_named),
      cmocka_unit_test(slow_sines_of_large_angles_run),
      cmocka_unit_test(pace_lasts_where_neighbours_come),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
