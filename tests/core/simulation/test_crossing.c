// SPDX-License-Identifier: GPL-3.0-or-later
// Events on the polynomial through a step: an oscillator that strikes an elastic stop at x = L. With
// x = A sin(phase) an impact takes the phase from f = asin(L/A) to pi - f, so that they follow each other after (pi + 2 f)/w.
#include "tests/fixture.h"

enum { IMPACTS = 12 };
static const double mass = 2, stiffness = 50, speed = 1.1, limit = 0.13; // [kg] [N/m] [m/s] [m]

static run strike(const char *method, double rtol) {
  char text[1000];
  (void)snprintf(text, sizeof text,
                 "<screwbond version='1' id='m'><network domain='translation'><J1 id='v'/>"
                 "<I id='m' mass='2 kg' p0='2.2 kg.m/s'/><C id='k' c='0.02 m/N'/>"
                 "<Stop id='s' upper='0.13 m' restitution='1'/><bond from='v' to='m'/>"
                 "<bond from='v' to='k'/><bond from='v' to='s'/></network>"
                 "<run t-end='20 s' method='%s' rtol='%g'/></screwbond>",
                 method, rtol);
  run r = start_netlist(text);
  const double w = sqrt(stiffness / mass), f = asin(limit * w / speed);
  advance(&r, (f + (IMPACTS - 0.5) * (pi + 2 * f)) / w);
  assert_int_equal(ledger_of(&r)->event_count, IMPACTS);
  for (int k = 0; k < IMPACTS; k++) {
    assert_near(ledger_of(&r)->events[k].t, (f + k * (pi + 2 * f)) / w, 300 * rtol);
  }
  return r;
}

/** What an event costs beside the steps: one partial step, the slopes of the polynomial, a few looks, and what states are known to behind it. By partial steps
 *  alone it was 22, 25, 31, 31, 35 and 33 right-hand sides. */
static void events_cost_few_evaluations(void **state) {
  (void)state;
  static const struct {
    const char *method;
    int per_step, per_event; // right-hand sides
  } rows[] = {{"bogacki-shampine-3", 4, 20}, {"zonneveld-4", 5, 22},
              {"dormand-prince-5", 7, 26},   {"auto", 8, 26},
              {"verner-6", 8, 32},           {"fehlberg-8", 14, 29}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    run r = strike(rows[i].method, 1e-9);
    const sb_ledger *l = ledger_of(&r);
    assert_in_range(l->work.rhs, 1, rows[i].per_step * l->work.steps + rows[i].per_event * IMPACTS);
    stop(&r);
  }
}

/** m v^2/2 + k x^2/2 is as at the start, to the accuracy of the steps. */
static void states_at_events_are_as_accurate_as_steps(void **state) {
  (void)state;
  for (double rtol = 1e-6; rtol > 1e-11; rtol *= 0.1) {
    run r = strike("dormand-prince-5", rtol);
    const double v = value(&r, "m.f"), x = value(&r, "k.q");
    assert_near_relative(mass * v * v + stiffness * x * x, mass * speed * speed, 30 * rtol);
    stop(&r);
  }
}

/** Two such oscillators, of which the stop of one is further away. @return after the first impact of both */
static run strike_two(double further) {
  char text[1600];
  (void)snprintf(text, sizeof text,
                 "<screwbond version='1' id='m'><network domain='translation'><J1 id='v'/>"
                 "<I id='m' mass='2 kg' p0='2.2 kg.m/s'/><C id='k' c='0.02 m/N'/>"
                 "<Stop id='s' upper='0.13 m' restitution='1'/><bond from='v' to='m'/>"
                 "<bond from='v' to='k'/><bond from='v' to='s'/><J1 id='v2'/>"
                 "<I id='m2' mass='2 kg' p0='2.2 kg.m/s'/><C id='k2' c='0.02 m/N'/>"
                 "<Stop id='s2' upper='%.17g m' restitution='1'/><bond from='v2' to='m2'/>"
                 "<bond from='v2' to='k2'/><bond from='v2' to='s2'/></network>"
                 "<run t-end='20 s' method='dormand-prince-5' rtol='1e-9'/></screwbond>",
                 limit * (1 + further));
  run r = start_netlist(text);
  advance(&r, 0.5);
  assert_int_equal(ledger_of(&r)->event_count, 2);
  return r;
}

/** What falls together but for rounding does so in one step, at one time; what is further apart by the accuracy of the run does not. */
static void events_of_one_instant_share_a_step(void **state) {
  (void)state;
  run one = strike_two(0);
  for (int k = -8; k <= 8; k++) {
    run r = strike_two(k * 5e-14);
    assert_int_equal(ledger_of(&r)->work.steps, ledger_of(&one)->work.steps);
    assert_true(ledger_of(&r)->events[0].t == ledger_of(&r)->events[1].t);
    stop(&r);
  }
  run r = strike_two(1e-9);
  const double w = sqrt(stiffness / mass), rate = speed * sqrt(1 - pow(limit * w / speed, 2));
  const double apart = ledger_of(&r)->events[1].t - ledger_of(&r)->events[0].t;
  assert_near_relative(apart, 1e-9 * limit / rate, 1e-3);
  stop(&r), stop(&one);
}

/** A block that friction holds, but for 0.9 ms of each period of 20 ms, while nothing else moves and steps end at the times of a clock: it slips from
 *  sin(w t) = c until v = (cos(w t1) - cos(w t))/w - c (t - t1) is zero again. */
static void slips_between_the_times_of_a_clock(void **state) {
  (void)state;
  static const char *const clocks[] = {
      "", "<SampleHold id='h' of='v' period='2 ms'/>", "<Delay id='h' of='v' delay='2 ms'/>",
      "<signal id='h' value='if(mod(t, 2[ms]) &lt; 1[ms], 1, 0)'/>"};
  const double c = 0.99, w = 100 * pi, t1 = asin(c) / w;
  double low = (pi - asin(c)) / w, high = 2 * pi / w;
  for (int i = 0; i < 100; i++) {
    const double t = 0.5 * (low + high);
    *((cos(w * t1) - cos(w * t)) / w - c * (t - t1) > 0 ? &low : &high) = t;
  }
  const double slip = low - t1;
  const double way =
      slip * cos(w * t1) / w - (sin(w * low) - sin(w * t1)) / (w * w) - 0.5 * c * slip * slip;
  for (int k = 0; k < 4; k++) {
    char text[1000];
    (void)snprintf(text, sizeof text,
                   "<network domain='translation'><Friction id='f' coulomb='0.99'/><I id='m' "
                   "mass='1'/><Se id='e' effort='1[N]*max(0, sin(2*pi*50[Hz]*t))'/><J1 "
                   "id='j'/><bond from='e' to='j'/><bond from='j' to='f'/><bond from='j' "
                   "to='m'/><signal id='v' of='m.f'/><signal id='x' rate='v'/>%s</network>",
                   clocks[k]);
    run r = start(text, 1e-8, 0);
    advance(&r, 0.2);
    assert_near_relative(value(&r, "x"), 10 * way, 1e-6);
    stop(&r);
  }
}

/** An upper arm is held level by a ratchet with friction beside it; the forearm swings below it and strikes a spring, with the energy that
 *  it began with. What is held moves by the drift of the steps within them, and is projected back: none of it is an event. */
static void what_is_held_within_a_step_is_no_event(void **state) {
  (void)state;
  for (double rtol = 1e-4; rtol > 1e-11; rtol *= 0.1) {
    char text[1600];
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='m'><network><Friction id='f' domain='rotation' coulomb='1.3 "
        "N.m'/><Diode id='d' domain='rotation'/><bond from='j' to='f'/><bond from='j' to='d'/>"
        "</network><mechanism gravity='0 -9.81 0 m/s^2'><body id='A' mass='3.8 kg' com='0.22 0 0 "
        "m' inertia='0.06 0.06 0.06 kg.m^2'/><joint id='j' kind='revolute' axis='0 0 1' "
        "parent='world' child='A'/><body id='B' mass='1.7 kg' com='0.23 0 0 m' inertia='0.03 0.03 "
        "0.03 kg.m^2'/><joint id='k' kind='revolute' axis='0 0 1' parent='A' child='B' at='0.45 0 "
        "0 m' limits='-30 70 deg' limit-stiffness='20 N.m/rad'/></mechanism><run t-end='1.2 s' "
        "rtol='%g'/></screwbond>",
        rtol);
    run r = start_netlist(text);
    advance(&r, 1.2);
    const double w = value(&r, "k.w"), q = value(&r, "k.q"), deep = fmax(0, -pi / 6 - q);
    assert_near(0.5 * (0.03 + 1.7 * 0.23 * 0.23) * w * w + 0.5 * 20 * deep * deep,
                -1.7 * 9.81 * 0.23 * sin(q), 30 * rtol);
    assert_near(value(&r, "j.q"), 0, 30 * rtol);
    assert_int_equal(ledger_of(&r)->event_count, 1); // it sticks at the start
    assert_true(ledger_of(&r)->work.rhs < 25 * ledger_of(&r)->work.steps);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_held_within_a_step_is_no_event),
                                     cmocka_unit_test(slips_between_the_times_of_a_clock),
                                     cmocka_unit_test(events_cost_few_evaluations),
                                     cmocka_unit_test(states_at_events_are_as_accurate_as_steps),
                                     cmocka_unit_test(events_of_one_instant_share_a_step)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
