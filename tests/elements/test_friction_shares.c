// SPDX-License-Identifier: GPL-3.0-or-later
// Several dry frictions: in a row, at one place, with a peak each, and what others hold.
#include "tests/core/simulation/by_method.h"
#include "tests/fixture.h"

/** Two blocks in series at rest: the second moves when the spring between them holds its static friction. */
static void blocks_in_series(void **state) {
  (void)state;
  run r =
      go("<network domain='translation'><Se id='F' effort='1.5[N/s]*t'/><J1 id='a'/><J1 id='b'/>"
         "<I id='A' mass='2 kg'/><I id='B' mass='1 kg'/><Friction id='fa' coulomb='3 N'/>"
         "<R id='fb' law='1[N]*sign(f)'/><J0 id='s'/><C id='k' c='0.02 m/N'/>"
         "<bond from='F' to='a'/><bond from='a' to='A'/><bond from='a' to='fa'/>"
         "<bond from='a' to='s'/><bond from='s' to='k'/><bond from='s' to='b'/>"
         "<bond from='b' to='B'/><bond from='b' to='fb'/></network>",
         4);
  // A alone from t = 2 s on: 2 x'' = 1.5 (t - 2) - 50 x, until 50 x = 1
  const double w = 5;
  double a = 0, b = 2;
  for (int i = 0; i < 100; i++) {
    double s = 0.5 * (a + b), x = 1.5 / 50 * (s - sin(w * s) / w);
    *(50 * x > 1 ? &b : &a) = s;
  }
  assert_near(event_time(&r, "slip", 0), 2, 1e-9);
  assert_near(event_time(&r, "slip", 1), 2 + a, 1e-8);
  assert_int_equal(events_of(&r, "slip", "fa"), 1);
  // the impulse of all forces; what the spring gives to B before that moves is in the ground
  double held = 50 * 0.03 * (a * a / 2 + (cos(w * a) - 1) / (w * w));
  assert_near(value(&r, "A.p") + value(&r, "B.p"), 0.75 * (16 - 4) - 3 * 2 - (2 - a) - held, 1e-7);
  stop(&r);
}

/** Two on one mass hold what both hold together, whatever the one bears, and at rest from the start. */
static void two_at_one_place(void **state) {
  (void)state;
  for (int moving = 0; moving < 2; moving++) {
    run r = go_with("<network domain='translation'><J1 id='v'/><I id='m' mass='2 kg' p0='%s'/>"
                    "<Se id='F' effort='3 N' waveform='sine' frequency='0.1 Hz'/>"
                    "<Friction id='m1' coulomb='1 N'/><Friction id='m2' coulomb='1.5 N'/>"
                    "<bond from='F' to='v'/><bond from='v' to='m'/><bond from='v' to='m1'/>"
                    "<bond from='v' to='m2'/></network>",
                    moving ? "1 kg.m/s" : "0 kg.m/s", 1.5);
    double w = 0.2 * pi, slips = asin(2.5 / 3) / w;
    assert_near(value(&r, "m1.e") + value(&r, "m2.e"), 3 * sin(w * 1.5), 1e-12);
    advance(&r, 2.5);
    assert_balanced(&r);
    double v = (3 / w * (cos(w * slips) - cos(w * 2.5)) - 2.5 * (2.5 - slips)) / 2;
    assert_near_relative(value(&r, "m.f"), v, 1e-8);
    stop(&r);
  }
}

/** Frictions that hold one motion hold the sum of their static peaks n Fs, whatever the order in which they come to these, and all slip with n Fc
 *  once it begins: J w' = M' t - sum n Fc from t1 = sum n Fs/M' on. */
static void peaks_add_up(void **state) {
  (void)state;
  static const struct {
    const char *elements;
    double peaks, slides, inertia; // [N m], [kg m^2]
  } cases[] = {
      {"<Friction id='f1' coulomb='0.5' static='0.6'/><Friction id='f2' coulomb='0.8' static='1'/>"
       "<bond from='a' to='f1'/><bond from='a' to='f2'/>",
       1.6, 1.3, 0.2},
      {"<TF id='g' ratio='-2.5'/><J1 id='b' domain='rotation'/><I id='K' inertia='0.04'/>"
       "<Friction id='f2' coulomb='0.3' static='0.45'/><bond from='a' to='g'/><bond from='g' "
       "to='b'/>"
       "<bond from='b' to='K'/><bond from='b' to='f2'/>"
       "<Friction id='f1' coulomb='0.5' static='0.6'/><bond from='a' to='f1'/>",
       0.6 + 2.5 * 0.45, 0.5 + 2.5 * 0.3, 0.2 + 2.5 * 2.5 * 0.04},
      {"<R id='f3' law='0.4[N.m]*sign(f)'/><Friction id='f1' coulomb='0.5' static='0.6'/>"
       "<Friction id='f2' coulomb='0.1' static='0.9' stribeck='1e-9 rad/s'/>"
       "<bond from='a' to='f3'/><bond from='a' to='f2'/><bond from='a' to='f1'/>",
       1.9, 1.0, 0.2},
      {"<Friction id='f1' coulomb='0.2' static='0.7'/><R id='f3' law='0.4[N.m]*sign(f)'/>"
       "<Friction id='f2' coulomb='0.5'/><bond from='a' to='f1'/><bond from='a' to='f2'/>"
       "<bond from='a' to='f3'/>",
       1.6, 1.1, 0.2}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const double t = cases[k].peaks / 0.7, later = t + 0.3;
    run r = go_with("<network domain='rotation'><Se id='M' effort='0.7[N.m/s]*t'/><J1 id='a'/>"
                    "<I id='J' inertia='0.2 kg.m^2'/><bond from='M' to='a'/>"
                    "<bond from='a' to='J'/>%s</network>",
                    cases[k].elements, t - 1e-6);
    assert_near(value(&r, "J.p"), 0, 0);
    advance(&r, later);
    assert_near(event_time(&r, "slip", 0), t, 1e-11);
    const double w =
        (0.35 * (later * later - t * t) - cases[k].slides * (later - t)) / cases[k].inertia;
    assert_near_relative(value(&r, "J.f"), w, 1e-8);
    assert_balanced(&r);
    stop(&r);
  }
}

/** The load turns while they hold: what was at its peak bears the other one in the end, and still all peaks. With a dwell time they have grown
 *  since all have come to rest. A block of 1 kg at 0.26 m/s rests after 0.2 s by 1.3 N; then 1.45 N to and fro does not move it, and a ramp from
 *  t = 4 s on does at 1.6 - 0.3 exp(-(t - 0.2)/0.5). */
static void peaks_hold_both_ways(void **state) {
  (void)state;
  run r = go("<network domain='translation'><J1 id='v'/><I id='m' mass='1 kg' p0='0.26 kg.m/s'/>"
             "<Se id='F' effort='if(t &lt; 2[s], 0[N], if(t &lt; 4[s], 1.45[N]*sin(pi*t/0.5[s]), "
             "1[N] + 0.25[N/s]*(t - 4[s])))'/>"
             "<Friction id='f1' coulomb='0.5 N' static='0.6 N' dwell='0.5 s'/>"
             "<Friction id='f2' coulomb='0.8 N' static='1 N' dwell='0.5 s'/>"
             "<bond from='F' to='v'/><bond from='v' to='m'/><bond from='v' to='f1'/>"
             "<bond from='v' to='f2'/></network>",
             0.1);
  advance(&r, 4);
  assert_near(event_time(&r, "stick", 0), 0.2, 1e-9);
  assert_int_equal(events_of(&r, "slip", "f1") + events_of(&r, "slip", "f2"), 0);
  advance(&r, 7);
  double t = 6;
  for (int i = 0; i < 50; i++) {
    t = 4 + (1.6 - 0.3 * exp(-(t - 0.2) / 0.5) - 1) / 0.25;
  }
  assert_near(event_time(&r, "slip", 0), t, 1e-9);
  const double v = -0.3 * (7 - t) + 0.125 * (9 - (t - 4) * (t - 4));
  assert_near_relative(value(&r, "m.f"), v, 1e-8);
  assert_balanced(&r);
  stop(&r);
}

/** What holds several bodies is decided on all at once. Three frictions on two masses, one of them between: the first mass is pulled with 1 N/s;
 *  the ground holds it with 0.6 N, the other friction 0.7 N, which the ground under the other mass bears. At 1.3 N it slips, with 0.4 N and 0.5 N. */
static void peaks_of_two_bodies(void **state) {
  (void)state;
  run r = go("<network domain='translation'><J1 id='u'/><J1 id='v'/><J0 id='o'/>"
             "<I id='m' mass='2 kg'/><I id='n' mass='1 kg'/><Se id='F' effort='1[N/s]*t'/>"
             "<Friction id='g' coulomb='0.4 N' static='0.6 N'/>"
             "<Friction id='h' coulomb='0.6 N' static='0.9 N'/>"
             "<Friction id='b' coulomb='0.5 N' static='0.7 N'/>"
             "<bond from='F' to='u'/><bond from='u' to='m'/><bond from='u' to='g'/>"
             "<bond from='v' to='n'/><bond from='v' to='h'/><bond from='u' to='o'/>"
             "<bond from='o' to='v'/><bond from='o' to='b'/></network>",
             1.2);
  assert_near(value(&r, "g.e"), 0.6, 0);
  assert_near(value(&r, "b.e"), 0.6, 1e-12);
  assert_near(value(&r, "h.e"), 0.6, 1e-12);
  advance(&r, 2);
  assert_near(event_time(&r, "slip", 0), 1.3, 1e-11);
  assert_near_relative(value(&r, "m.f"), ((4 - 1.69) / 2 - 0.9 * 0.7) / 2, 1e-8);
  assert_near(value(&r, "n.p"), 0, 0);
  assert_balanced(&r);
  stop(&r);
}

/** Two on a node without a storage hold the sum of their peaks, too: a damper takes what is beyond. */
static void peaks_without_a_mass(void **state) {
  (void)state;
  run r = go("<network domain='translation'><J1 id='v'/><Se id='F' effort='1[N/s]*t'/>"
             "<R id='d' r='0.5 N.s/m'/><Friction id='f1' coulomb='0.5 N' static='0.6 N'/>"
             "<Friction id='f2' coulomb='0.8 N' static='1 N'/><bond from='F' to='v'/>"
             "<bond from='v' to='d'/><bond from='v' to='f1'/><bond from='v' to='f2'/></network>",
             1.599);
  assert_near(value(&r, "d.f"), 0, 0);
  assert_near(value(&r, "f1.e") + value(&r, "f2.e"), 1.599, 1e-12);
  advance(&r, 2);
  assert_near(event_time(&r, "slip", 0), 1.6, 1e-11);
  assert_near(value(&r, "d.f"), (2 - 1.3) / 0.5, 1e-12);
  assert_balanced(&r);
  stop(&r);
}

/** An impact moves what two frictions hold, and a closed clutch that opens lets it go. */
static void two_let_go(void **state) {
  (void)state;
  run r = go("<network domain='translation'><J1 id='a'/><J1 id='b'/><I id='A' mass='1 kg' p0='2 "
             "kg.m/s'/><I id='B' mass='3 kg'/><Friction id='f1' coulomb='0.5 N' static='0.6 N'/>"
             "<Friction id='f2' coulomb='0.8 N' static='1 N'/>"
             "<Stop id='S' upper='0.1 m' restitution='0.5'/><J0 id='j'/><bond from='a' to='A'/>"
             "<bond from='b' to='B'/><bond from='b' to='f1'/><bond from='b' to='f2'/>"
             "<bond from='a' to='j'/><bond from='j' to='b'/><bond from='j' to='S'/></network>",
             1.05);
  assert_near_relative(value(&r, "B.f"), 2 * 1.5 / 4 - 1.3 / 3, 1e-9);
  assert_near(ledger_of(&r)->total.event_loss, 1.125, 1e-12);
  stop(&r);
  r = go(
      "<network domain='rotation'><J1 id='a'/><J1 id='b'/><Se id='M' effort='1.9 N.m'/>"
      "<I id='A' inertia='1 kg.m^2'/><I id='B' inertia='1 kg.m^2'/>"
      "<Friction id='f1' coulomb='0.5' static='0.6'/><Friction id='f2' coulomb='0.8' static='1'/>"
      "<Friction id='f3' coulomb='2'/><Clutch id='K' state='closed' times='1 s'/>"
      "<bond from='M' to='a'/><bond from='a' to='A'/><bond from='a' to='f1'/>"
      "<bond from='a' to='f2'/><bond from='a' to='K'/><bond from='K' to='b'/>"
      "<bond from='b' to='B'/><bond from='b' to='f3'/></network>",
      2);
  assert_near_relative(value(&r, "A.f"), 1.9 - 1.3, 1e-9);
  assert_near(value(&r, "B.f"), 0, 0);
  assert_balanced(&r);
  stop(&r);
}

/** A block on the ground (g) that is pulled by 1.7 N, and another one on it (h) by -0.85 N, begin at rest: h slips, as 0.85 N > 0.79 N, and g
 *  holds 1.7 N - 0.79 N < 1.6 N. Each by itself would decide otherwise: g slips before h, and what h sticks to turns. */
static void neighbours_decide_at_one_instant(void **state) {
  (void)state;
  static const char *const forms[] = {
      "<Friction id='g' coulomb='1.6 N'/><Friction id='h' coulomb='0.79 N'/>",
      "<Friction id='h' coulomb='0.79 N'/><Friction id='g' coulomb='1.6 N'/>",
      "<R id='g' law='1.6[N]*sign(f)'/><Friction id='h' coulomb='0.79 N'/>"};
  for (int form = 0; form < 3; form++) {
    run r = go_with("<network domain='translation'><J1 id='u'/><I id='m' mass='1.5 kg'/>"
                    "<Se id='E' effort='-0.85 N'/><J1 id='v'/><I id='n' mass='0.5 kg'/>"
                    "<Se id='F' effort='1.7 N'/><J0 id='o'/>%s<bond from='u' to='m'/>"
                    "<bond from='E' to='u'/><bond from='v' to='n'/><bond from='F' to='v'/>"
                    "<bond from='v' to='g'/><bond from='u' to='o'/><bond from='o' to='v'/>"
                    "<bond from='o' to='h'/></network>",
                    forms[form], 2);
    assert_balanced(&r);
    assert_near(value(&r, "m.p"), -(0.85 - 0.79) * 2, 1e-12);
    assert_near(value(&r, "n.p"), 0, 0);
    assert_near(value(&r, "g.e"), 1.7 - 0.79, 1e-12);
    stop(&r);
  }
}

/** What friction on the ground (g) holds stays at rest, whatever slips on it with less (h): at the event at which h turns they stick together
 *  for a moment and g is beyond its strength, so that what follows has a flow of the rounding of its time, to either side. */
static void what_is_held_gives_no_power(void **state) {
  (void)state;
  static const char *const numbers[] = {
      "<I id='m' mass='1.4 kg'/><Se id='F' effort='3.8[N]*sin(2.7[rad/s]*t)'/>"
      "<Friction id='b' coulomb='0.3 N'/><I id='n' mass='0.9 kg'/>"
      "<Friction id='g' coulomb='1.4 N'/><Friction id='h' coulomb='0.7 N'/>",
      "<I id='m' mass='1.7 kg'/><Se id='F' effort='3.8[N]*sin(3.7[rad/s]*t)'/>"
      "<Friction id='b' coulomb='0.2 N'/><I id='n' mass='1.6 kg'/>"
      "<Friction id='g' coulomb='1.7 N'/><Friction id='h' coulomb='1.1 N'/>"};
  for (int k = 0; k < 2; k++) {
    run r = go_with("<network domain='translation'><J1 id='u'/><J1 id='v'/><J0 id='o'/>%s"
                    "<bond from='u' to='m'/><bond from='F' to='u'/><bond from='u' to='b'/>"
                    "<bond from='v' to='n'/><bond from='v' to='g'/><bond from='u' to='o'/>"
                    "<bond from='o' to='v'/><bond from='o' to='h'/></network>",
                    numbers[k], 13);
    assert_balanced(&r);
    assert_near(value(&r, "n.p"), 0, 1e-13);
    assert_near(ledger_of(&r)->passivity.worst, 0, 0);
    stop(&r);
  }
}

/** Friction grows from zero beside the load, from the start or later. Where it outgrows that, the body never moves; else m dv/dt = (a - b) t.
 *  Two that grow in series part by their strengths: the weaker one slips and drives the other. */
static void strength_grows_from_zero(void **state) {
  (void)state;
  static const char *const from_start = "%g[N/s]*t", *const later =
                                                         "if(t &lt; 1[s],0[N],%g[N/s]*(t - 1[s]))";
  static const double cases[][2] = {{1, 2}, {2, 1}, {3, 3}}; // load, strength [N/s]
  for (int i = 0; i < 6; i++) {
    char load[100], strength[100], text[1000];
    const double a = cases[i / 2][0], b = cases[i / 2][1];
    const char *form = i % 2 == 0 ? from_start : later;
    (void)snprintf(load, sizeof load, form, a);
    (void)snprintf(strength, sizeof strength, form, b);
    (void)snprintf(text, sizeof text,
                   "<network domain='translation'><Se id='load' effort='%s'/><J1 id='v'/>"
                   "<I id='m' mass='1 kg'/><Friction id='mu' coulomb='%s'/>"
                   "<bond from='load' to='v'/><bond from='v' to='m'/><bond from='v' to='mu'/>"
                   "</network>",
                   load, strength);
    run r = start_by_method(text, "auto", 1e-10); // without an atol: what moves by rounding counts
    advance(&r, i % 2 == 0 ? 2 : 3);
    assert_closes(&r);
    assert_near(value(&r, "m.f"), fmax(a - b, 0) * 2, 1e-8);
    assert_near(ledger_of(&r)->total.dissipated, fmax(a - b, 0) * b * 2, 1e-7);
    stop(&r);
  }
  run r = go("<network domain='rotation'><Se id='load' effort='5[N.m/s]*t'/><J1 id='w'/>"
             "<I id='J' inertia='1 kg.m^2'/><J0 id='shaft'/><J1 id='w2'/>"
             "<I id='J2' inertia='1 kg.m^2'/><Friction id='clutch' coulomb='2[N.m/s]*t'/>"
             "<Friction id='brake' coulomb='3[N.m/s]*t'/><bond from='load' to='w'/>"
             "<bond from='w' to='J'/><bond from='w' to='shaft'/><bond from='shaft' to='clutch'/>"
             "<bond from='shaft' to='w2'/><bond from='w2' to='J2'/><bond from='w2' to='brake'/>"
             "</network>",
             2);
  assert_balanced(&r);
  assert_near(value(&r, "J.f"), (5 - 2) * 2, 1e-8);
  assert_near(value(&r, "J2.f"), 0, 0);
  stop(&r);
}

/** So it does with any power of the time, whatever that is written as, and where a load that moves something else presses the brake: of the body that
 *  it holds nothing is ever in motion. */
static void strength_grows_slowly_from_zero(void **state) {
  (void)state;
  static const char *courses[] = {"(t/1[s])^2", "(t/1[s])^3", "(1-cos(t/1[s]))",
                                  "t/1[s]*sin(t/1[s])", "-(t/1[s])^2"};
  for (int i = 0; i < (int)(sizeof courses / sizeof *courses); i++) {
    char text[1500];
    (void)snprintf(
        text, sizeof text,
        "<network domain='translation'><Se id='load' effort='1[N]*%s'/><J1 id='v'/>"
        "<I id='m' mass='1 kg'/><Friction id='mu' coulomb='2[N]*abs(%s)'/>"
        "<bond from='load' to='v'/><bond from='v' to='m'/><bond from='v' to='mu'/>"
        "<Se id='press' effort='1[N]*%s'/><J1 id='pad'/><I id='piston' mass='10 g'/>"
        "<C id='lining' c='1 mm/N'/><R id='seal' r='0.5 N.s/m'/><bond from='press' to='pad'/>"
        "<bond from='pad' to='piston'/><bond from='pad' to='lining'/>"
        "<bond from='pad' to='seal'/><signal id='N' of='lining.e'/>"
        "<Se id='share' effort='0.5*N'/><J1 id='w'/><I id='disc' mass='1 kg'/>"
        "<Friction id='brake' coulomb='abs(N)'/><bond from='share' to='w'/>"
        "<bond from='w' to='disc'/><bond from='w' to='brake'/></network>",
        courses[i], courses[i], courses[i]);
    run r = go(text, 1);
    assert_balanced(&r);
    assert_near(value(&r, "m.p"), 0, 0);
    assert_near(value(&r, "disc.p"), 0, 0);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(neighbours_decide_at_one_instant),
      cmocka_unit_test(what_is_held_gives_no_power),
      cmocka_unit_test(blocks_in_series),
      cmocka_unit_test(two_at_one_place),
      cmocka_unit_test(peaks_add_up),
      cmocka_unit_test(peaks_hold_both_ways),
      cmocka_unit_test(peaks_of_two_bodies),
      cmocka_unit_test(peaks_without_a_mass),
      cmocka_unit_test(two_let_go),
      cmocka_unit_test(strength_grows_from_zero),
      cmocka_unit_test(strength_grows_slowly_from_zero),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
