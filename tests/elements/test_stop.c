// SPDX-License-Identifier: GPL-3.0-or-later
// The end stop against closed forms: impacts with restitution, accumulation, rest and release.
#include "tests/fixture.h"

/** A mass of 2.385 kg falls 0.7 m onto a floor at -0.2 m with g = 9.81 m/s^2. Impact k comes at
 *  t1 + 2 v1/g (e + ... + e^k-1) with the speed e^(k-1) v1, and loses (1 - e^2) of its energy. */
#define BALL(e)                                                                                    \
  "<network domain='translation'><J1 id='v'/><I id='m' l='2.385'/><Se id='g' "                     \
  "effort='-2.385*9.81[N]'/><Stop id='floor' lower='-0.2 m' x0='0.5 m' restitution='" e            \
  "'/><bond from='v' to='m'/><bond from='g' to='v'/><bond from='v' to='floor'/>"                   \
  "</network>"

static void falls_and_comes_to_rest(void **state) {
  (void)state;
  const struct {
    const char *text;
    double e;
  } cases[] = {{BALL("0"), 0}, {BALL("0.5"), 0.5}, {BALL("0.83"), 0.83}, {BALL("0.97"), 0.97}};
  double g = 9.81, m = 2.385, t1 = sqrt(2 * 0.7 / g), v1 = g * t1;
  for (int i = 0; i < 4; i++) {
    double e = cases[i].e, t = t1, v = v1, end = t1 + 2 * v1 / g * e / (1 - e);
    run r = go(cases[i].text, end + 0.5);
    const sb_ledger *ledger = ledger_of(&r);
    int n = ledger->event_count;
    assert_int_equal(n, e == 0 ? 1 : (int)ceil(log(1e-6) / log(e))); // then e^n v1 <= 1e-6 v1
    for (int k = 0; k < n; k++) {
      const sb_event *event = &ledger->events[k];
      assert_string_equal(event->kind, "impact");
      assert_string_equal(event->element, "floor");
      assert_near(event->t, t, 3e-11 * (100 + k)); // each is located to rounding
      double kept = k + 1 < n ? e * e : 0;         // the last one closes
      assert_near(event->loss, (1 - kept) * m * v * v / 2, 1e-9 * v * v1 + 1e-14);
      v *= e;
      t += 2 * v / g;
    }
    assert_near(ledger->events[n - 1].t, end, 2e-6 * v1 / g / (1 - e)); // a finite series
    assert_near(ledger->total.event_loss, m * g * 0.7, 1e-8);
    assert_near(value(&r, "m.f"), 0, 0);
    assert_near(value(&r, "floor.q"), -0.2, 1e-10);
    assert_near(value(&r, "floor.e"), -m * g, 1e-12); // it carries the weight
    stop(&r);
  }
}

/** m q'' = -q/c from -A, with a stop at a: hits where cos(w t) = -a/A, at v = w sqrt(A^2 - a^2). Then
 *  A'^2 = a^2 + e^2 (A^2 - a^2), and the next hit is (2 pi - 2 acos(a/A'))/w later. */
static void mass_on_a_spring(void **state) {
  (void)state;
  const struct {
    const char *e;
    double value;
  } cases[] = {{"0.6", 0.6}, {"1", 1}};
  for (int i = 0; i < 2; i++) {
    char text[1000];
    (void)snprintf(
        text, sizeof text,
        "<network domain='translation'><J1 id='v'/><I id='m' l='1.7'/>"
        "<C id='k' c='0.3' q0='-1.1'/><Stop id='s' upper='0.4' x0='-1.1' restitution='%s'/>"
        "<bond from='v' to='m'/><bond from='v' to='k'/><bond from='v' to='s'/></network>",
        cases[i].e);
    double w = 1 / sqrt(1.7 * 0.3), A = 1.1, a = 0.4, e = cases[i].value;
    double t = acos(-a / A) / w;
    run r = go(text, 6);
    const sb_ledger *ledger = ledger_of(&r);
    assert_true(ledger->event_count >= 2);
    for (int k = 0; k < ledger->event_count && t < 6; k++) {
      double v2 = w * w * (A * A - a * a);
      assert_near(ledger->events[k].t, t, 1e-8);
      assert_near(ledger->events[k].loss, (1 - e * e) * 1.7 * v2 / 2, 1e-8);
      A = sqrt(a * a + e * e * (A * A - a * a));
      t += (2 * pi - 2 * acos(a / A)) / w;
    }
    assert_true(t > 6 || i == 0);
    assert_near(value(&r, "s.q"), value(&r, "k.q"), 1e-8);
    stop(&r);
  }
}

/** Inertias 2.385 and 0.5 on a gear of 3: the stop on the second shaft meets 2.385 + 9 * 0.5. */
static void two_inertias_behind_one_stop(void **state) {
  (void)state;
  run r = go("<network domain='rotation'><J1 id='a'/><I id='I1' l='2.385' p0='2.385'/>"
             "<TF id='g' ratio='3'/><J1 id='b'/><I id='I2' l='0.5' p0='1.5'/>"
             "<Stop id='s' upper='1.2 rad' restitution='0.7'/><bond from='a' to='I1'/>"
             "<bond from='a' to='g'/><bond from='g' to='b'/><bond from='b' to='I2'/>"
             "<bond from='b' to='s'/></network>",
             1);
  const sb_ledger *ledger = ledger_of(&r);
  assert_int_equal(ledger->event_count, 1);
  assert_near(ledger->events[0].t, 0.4, 1e-11); // 1.2 rad at 3 rad/s
  assert_near_relative(ledger->events[0].loss, (1 - 0.49) * (2.385 + 4.5) / 2, 1e-13);
  assert_near(value(&r, "I1.f"), -0.7, 1e-13);
  assert_near(value(&r, "I2.f"), -2.1, 1e-13);
  assert_near(value(&r, "s.q"), 1.2 - 2.1 * 0.6, 1e-10);
  stop(&r);
}

/** Two masses collide: a stop at the junction of their difference. Momentum is conserved. */
static void two_masses_collide(void **state) {
  (void)state;
  run r = go("<network domain='translation'><J1 id='a'/><I id='A' l='1' p0='2'/><J0 id='gap'/>"
             "<J1 id='b'/><I id='B' l='3' p0='0'/><Stop id='s' upper='0.5' restitution='0.6'/>"
             "<bond from='a' to='A'/><bond from='a' to='gap'/><bond from='gap' to='b'/>"
             "<bond from='gap' to='s'/><bond from='b' to='B'/></network>",
             1);
  const sb_ledger *ledger = ledger_of(&r);
  assert_int_equal(ledger->event_count, 1);
  assert_near(ledger->events[0].t, 0.25, 1e-11);
  // v_A' = (1*2 - 3*0.6*2)/4, v_B' = v_A' + 0.6*2; reduced mass 3/4
  assert_near(value(&r, "A.f"), -0.4, 1e-13);
  assert_near(value(&r, "B.f"), 0.8, 1e-13);
  assert_near(ledger->events[0].loss, (1 - 0.36) * 0.75 * 4 / 2, 1e-12);
  stop(&r);
}

/** A racket at 0.6 m/s meets a resting mass: it leaves with (1 + e) 0.6 m/s. The racket's impulse is
 *  m (1 + e) w, its work that times w, and of the energy of the relative speed (1 - e^2) is lost. */
static void racket(void **state) {
  (void)state;
  run r = go("<network domain='translation'><Sf id='w' flow='0.6'/><J0 id='gap'/><J1 id='v'/>"
             "<I id='m' l='1.3'/><Stop id='s' upper='0.3' restitution='0.7'/>"
             "<bond from='w' to='gap'/><bond from='gap' to='v'/><bond from='v' to='m'/>"
             "<bond from='gap' to='s'/></network>",
             1);
  const sb_ledger *ledger = ledger_of(&r);
  assert_int_equal(ledger->event_count, 1);
  assert_near(ledger->events[0].t, 0.5, 1e-11);
  assert_near(value(&r, "m.f"), 1.7 * 0.6, 1e-13);
  assert_near(ledger->total.supplied, 1.3 * 1.7 * 0.36, 1e-13);
  assert_near(ledger->events[0].loss, (1 - 0.49) * 1.3 * 0.36 / 2, 1e-13);
  stop(&r);
}

/** Between two stops without loss: hits at 0.3/v, then every 1/v, for ever. */
static void to_and_fro(void **state) {
  (void)state;
  run r = go("<network domain='translation'><J1 id='v'/><I id='m' l='0.8' p0='1.6'/>"
             "<Stop id='s' lower='-0.7' upper='0.3' restitution='1'/><bond from='v' to='m'/>"
             "<bond from='v' to='s'/></network>",
             9);
  const sb_ledger *ledger = ledger_of(&r);
  assert_int_equal(ledger->event_count, 18);
  for (int k = 0; k < 18; k++) {
    assert_near(ledger->events[k].t, 0.15 + 0.5 * k, 1e-9);
    assert_near(ledger->events[k].loss, 0, 1e-13);
  }
  assert_near(fabs(value(&r, "m.f")), 2, 1e-13);
  stop(&r);
}

/** A mass pressed against the stop by 1 N - t N/s leaves it when the force turns, without loss. */
static void released_when_it_would_pull(void **state) {
  (void)state;
  run r = go("<network domain='translation'><J1 id='v'/><I id='m' l='1.5'/>"
             "<Se id='F' effort='1[N] - 1[N/s]*t'/>"
             "<Stop id='s' upper='0.3' x0='0.3' restitution='0.9'/><bond from='v' to='m'/>"
             "<bond from='F' to='v'/><bond from='v' to='s'/></network>",
             3);
  const sb_ledger *ledger = ledger_of(&r);
  assert_int_equal(ledger->event_count, 2);
  assert_string_equal(ledger->events[0].kind, "touch");
  assert_near(ledger->events[0].t, 0, 0);
  assert_string_equal(ledger->events[1].kind, "release");
  assert_near(ledger->events[1].t, 1, 1e-9);
  assert_near(ledger->total.event_loss, 0, 1e-15);
  assert_near(value(&r, "s.q"), 0.3 - 8.0 / 6 / 1.5, 1e-8);
  assert_near(value(&r, "m.f"), -2.0 / 1.5, 1e-8);
  stop(&r);
}

/** Without a mass there is nothing to throw back: F - q/c = R f ends at the limit at once. */
static void nothing_behind_it(void **state) {
  (void)state;
  run r = go("<network domain='translation'><J1 id='v'/><R id='d' r='2'/><C id='k' c='1'/>"
             "<Se id='F' effort='5'/><Stop id='s' upper='2' restitution='0.9'/>"
             "<bond from='v' to='d'/><bond from='v' to='k'/><bond from='F' to='v'/>"
             "<bond from='v' to='s'/></network>",
             2);
  const sb_ledger *ledger = ledger_of(&r);
  assert_int_equal(ledger->event_count, 1);
  assert_near(ledger->events[0].t, -2 * log(0.6), 1e-9);
  assert_near(ledger->events[0].loss, 0, 1e-15);
  assert_near(value(&r, "k.q"), 2, 1e-10);
  assert_near(value(&r, "s.e"), 3, 1e-9);
  stop(&r);
}

/** Rebounds slower than `rest` stay: 0.5^k v1 <= 0.1 m/s for k = 6 with v1 = 3.706 m/s. */
static void rest_as_stated(void **state) {
  (void)state;
  run r = go("<network domain='translation'><J1 id='v'/><I id='m' l='2'/>"
             "<Se id='g' effort='-19.62'/>"
             "<Stop id='s' lower='0' x0='0.7' restitution='0.5' rest='10 cm/s'/>"
             "<bond from='v' to='m'/><bond from='g' to='v'/><bond from='v' to='s'/></network>",
             2);
  assert_int_equal(ledger_of(&r)->event_count, 6);
  assert_near(value(&r, "m.f"), 0, 0);
  stop(&r);
}

/** Every method, also those of fixed step: the ball of e = 0.5 ends in the same rest. */
static void by_every_method(void **state) {
  (void)state;
  for (const sb_method *method = sb_methods; method->name != NULL; method++) {
    char text[1000];
    (void)snprintf(text, sizeof text,
                   "<screwbond version='1' id='m'>%s<run t-end='9 s' step='7 ms' method='%s'/>"
                   "</screwbond>",
                   BALL("0.5"), method->name);
    run r = start_netlist(text);
    advance(&r, 2);
    const sb_ledger *ledger = ledger_of(&r);
    assert_int_equal(ledger->event_count, 20);
    assert_near(ledger->total.event_loss, 2.385 * 9.81 * 0.7, 1e-9);
    assert_near(ledger->events[19].t, sqrt(1.4 / 9.81) * 3, 1e-5);
    assert_true(ledger->residual_relative < 1e-12);
    stop(&r);
  }
}

/** A source of flow cannot be stopped. */
static void against_a_source(void **state) {
  (void)state;
  const char *text =
      "<screwbond version='1' id='m'><network domain='translation'><Sf id='s' flow='1'/>"
      "<R id='d' r='2'/><J1 id='v'/><Stop id='end' upper='0.5'/><bond from='s' to='v'/>"
      "<bond from='v' to='d'/><bond from='v' to='end'/></network><run t-end='1 s'/></screwbond>";
  sb_error err;
  double t;
  assert_int_equal(try_run(text, 1, &t, &err), SB_ERR_SOLVER);
  assert_string_equal(err.text, "'end' cannot switch at t = 0.5 s: 's' prescribes a variable that "
                                "'v' forces to be zero");
}

/** A freewheel drives an elastic load, which never comes to its stop: it opens and closes as without that. The flows are by scipy. */
static void beside_a_freewheel(void **state) {
  (void)state;
  for (int i = 0; i < 2 * 8; i += THOROUGH ? 1 : 5) {
    char text[2000];
    assert_true(
        snprintf(text, sizeof text,
                 "<network domain='rotation'><I id='a' l='0.09598'/><I id='c' l='0.5716'/><I "
                 "id='e' l='0.0335'/><Se id='T' effort='1.392[N.m]*sin(10.29[rad/s]*t)'/><J1 "
                 "id='r'/><R id='d' r='0.009271'/><J0 id='n'/><Diode id='D'/><J1 id='l'/><R id='b' "
                 "r='0.05895'/><J0 id='m'/><J1 id='s'/><C id='k' c='0.0028240609997175936'/>%s"
                 "<bond from='T' to='r'/><bond from='r' to='a'/><bond from='r' to='d'/><bond "
                 "from='r' to='n'/><bond from='n' to='D'/><bond from='n' to='l'/><bond from='l' "
                 "to='c'/><bond from='l' to='b'/><bond from='l' to='m'/><bond from='m' "
                 "to='s'/><bond from='s' to='k'/><bond from='m' to='e'/></network>",
                 i % 2 > 0 ? "<Stop id='st' lower='-990.8289 rad' upper='990.5589 rad'/><bond "
                             "from='l' to='st'/>"
                           : "") < (int)sizeof text);
    run r = start(text, pow(10, -5 - i / 2), 0);
    advance(&r, 5);
    assert_near(value(&r, "a.f"), 0.803563588, 1e-8 + 100 * pow(10, -5 - i / 2));
    assert_near(value(&r, "c.f"), -0.0715889904, 1e-8 + 100 * pow(10, -5 - i / 2));
    assert_int_equal(events_of(&r, "switch", "D"), 17);
    assert_true(ledger_of(&r)->residual_relative < 1e-9 + 0.1 * pow(10, -5 - i / 2));
    stop(&r);
  }
}

/** A mass that starts at a limit and is drawn away: the stop, which cannot pull, lets go before anything reads its force. */
static void drawn_away_from_where_it_starts(void **state) {
  (void)state;
  for (int upper = 0; upper < 2; upper++) {
    for (int first = 0; first < 2; first++) {
      const char *bumper = "<Hysteresis id='h' of='pull' rising='2 N' falling='-1 N' above='1' "
                           "below='0'/>";
      char text[1200];
      (void)snprintf(text, sizeof text,
                     "<network domain='translation'>%s<Se id='F' effort='%s3 N'/><J1 id='j'/><I "
                     "id='m' l='2 kg'/><Stop id='s' %s='0 m'/><bond from='F' to='j'/><bond "
                     "from='j' to='m'/><bond from='j' to='s'/><signal id='pull' value='%s'/>"
                     "<signal id='e' of='s.e'/><Delay id='late' of='e' delay='0.1 s'/>%s</network>",
                     first ? bumper : "", upper ? "-" : "", upper ? "upper" : "lower",
                     upper ? "-e" : "e", first ? "" : bumper);
      run r = start(text, 1e-8, 0);
      assert_near(value(&r, "s.e"), 0, 0);
      assert_near(value(&r, "m.e"), upper ? -3 : 3, 0);
      assert_near(value(&r, "h"), 0, 0);
      assert_near(value(&r, "late"), 0, 0);
      advance(&r, 0.4);
      assert_near(value(&r, "h"), 0, 0);
      assert_near(value(&r, "m.f"), upper ? -0.6 : 0.6, 1e-12);
      assert_int_equal(events_of(&r, "switch", "h"), 0);
      assert_balanced(&r);
      stop(&r);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      repeating_test(falls_and_comes_to_rest),
      cmocka_unit_test(drawn_away_from_where_it_starts),
      cmocka_unit_test(mass_on_a_spring),
      cmocka_unit_test(two_inertias_behind_one_stop),
      cmocka_unit_test(two_masses_collide),
      cmocka_unit_test(racket),
      cmocka_unit_test(to_and_fro),
      cmocka_unit_test(released_when_it_would_pull),
      cmocka_unit_test(nothing_behind_it),
      cmocka_unit_test(rest_as_stated),
      cmocka_unit_test(by_every_method),
      cmocka_unit_test(against_a_source),
      repeating_test(beside_a_freewheel),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
