// SPDX-License-Identifier: GPL-3.0-or-later
// What sticks by dry friction is released before an impact, which is where a constraint is violated: in every connected part
// that one is in, and in no other. A diode takes over a current that another would break, but not one that has ended. Diodes and stops
// that change at one instant do so together: 0 <= charge, drop <= 0, one of them zero, and so of impulses and speeds.
#include <math.h>

#include "tests/fixture.h"

/** A block of 1.3 kg at 0.6 m/s, slowed down by 2 N: it sticks after 0.39 s. */
#define BLOCK                                                                                      \
  "<network domain='translation'><J1 id='v'/><Friction id='mu' coulomb='2 N'/>"                    \
  "<I id='m' mass='1.3 kg' p0='0.78 N.s'/><bond from='v' to='mu'/><bond from='v' to='m'/>"         \
  "</network>"

/** A clutch at 0.5 s joins a disc J at w to another, of 3 kg m^2, that sticks from `stick` on. */
#define DISCS(n_, p_, slow_)                                                                       \
  "<network domain='rotation'><J1 id='a" n_ "'/><J1 id='b" n_ "'/><I id='A" n_                     \
  "' inertia='1 kg.m^2' p0='" p_ " N.m.s'/><I id='B" n_ "' inertia='3 kg.m^2' p0='" slow_          \
  " N.m.s'/><Friction id='mu" n_ "' coulomb='2 N.m'/><Clutch id='K" n_                             \
  "' state='open' times='0.5 s'/><bond from='a" n_ "' to='A" n_ "'/><bond from='a" n_ "' to='K" n_ \
  "'/><bond from='K" n_ "' to='b" n_ "'/><bond from='b" n_ "' to='B" n_ "'/><bond from='b" n_      \
  "' to='mu" n_ "'/></network>"

/** A source that jumps throws a disc at 1 s and at 2 s; a block apart goes on sticking. */
static void what_is_apart_goes_on_sticking(void **state) {
  (void)state;
  run r = go(BLOCK "<network domain='rotation'><J1 id='d'/><I id='J' inertia='0.7 kg.m^2'/>"
                   "<signal id='time' value='t'/><SampleHold id='h' of='time' period='1 s'/>"
                   "<Sf id='s' flow='3[rad/s^2]*h'/><bond from='s' to='d'/><bond from='d' "
                   "to='J'/></network>",
             2.5);
  assert_int_equal(events_of(&r, "impact", "J"), 2);
  assert_int_equal(events_of(&r, "stick", "mu"), 1);
  assert_int_equal(events_of(&r, "slip", "mu"), 0);
  assert_near(event_time(&r, "stick", 0), 0.39, 1e-9);
  assert_near(value(&r, "J.f"), 6, 1e-12);
  assert_near(value(&r, "m.f"), 0, 0);
  stop(&r);
}

/** Two pairs of discs meet at one time, each with its momentum: w = p/(1 + 3), which friction then slows down by 2/(1 + 3). What
 *  stuck has taken no impulse, in the first part nor in the second. */
static void every_part_that_is_struck(void **state) {
  (void)state;
  run r = go(BLOCK DISCS("1", "6", "0.3") DISCS("2", "-9", "-0.6"), 0.7);
  assert_near(event_time(&r, "stick", 0), 0.15, 1e-9);
  assert_near(event_time(&r, "stick", 1), 0.3, 1e-9);
  assert_near(value(&r, "A1.f"), 6 / 4. - 0.5 * 0.2, 1e-9);
  assert_near(value(&r, "B2.f"), -9 / 4. + 0.5 * 0.2, 1e-9);
  assert_near(ledger_of(&r)->total.event_loss, 0.5 * (36 + 81) * 3 / 4, 1e-9);
  advance(&r, 6);
  assert_balanced(&r);
  assert_int_equal(events_of(&r, "stick", "mu"), 1); // as the block
  assert_int_equal(events_of(&r, "stick", "mu1"), 2);
  assert_int_equal(events_of(&r, "stick", "mu2"), 2);
  assert_near(event_time(&r, "stick", 3), 0.5 + 1.5 / 0.5, 1e-9);
  assert_near(event_time(&r, "stick", 4), 0.5 + 2.25 / 0.5, 1e-9);
  stop(&r);
}

/** Where the current ends that a sine of 100 V drives through an inductor into 80 V from sin a = 0.8 on: cos a - cos b = 0.8 (b - a).
 *  @return b [rad] */
static double end_of_current(void) {
  const double a = asin(0.8);
  double low = pi - a, high = 2 * pi;
  for (int i = 0; i < 100; i++) {
    const double b = 0.5 * (low + high);
    *(cos(a) - cos(b) > 0.8 * (b - a) ? &low : &high) = b;
  }
  return low;
}

/** A leg of two diodes between 80 V and -80 V: none takes over the current of the other, which has ended but for what its time is off. */
static void a_current_that_has_ended_is_no_other_diodes(void **state) {
  (void)state;
  run r = go("<network domain='electric'><Se id='u' effort='100[V]*sin(100[rad/s]*t)'/><J1 id='p'/>"
             "<I id='L' l='10 mH'/><J0 id='n'/><bond from='u' to='p'/><bond from='p' to='L'/>"
             "<bond from='p' to='n'/><J1 id='a'/><J1 id='b'/><Diode id='A'/><Diode id='B'/>"
             "<Se id='high' effort='80 V'/><Se id='low' effort='80 V'/><bond from='n' to='a'/>"
             "<bond from='a' to='A'/><bond from='a' to='high'/><bond from='b' to='n'/>"
             "<bond from='b' to='B'/><bond from='b' to='low'/></network>",
             0.1);
  const double starts = asin(0.8), ends = end_of_current();
  assert_int_equal(events_of(&r, "switch", "A"), 4); // two pulses up to 10 rad
  assert_int_equal(events_of(&r, "switch", "B"), 2);
  for (int k = 0; k < 3; k++) {
    assert_near(event_time(&r, "switch", 2 * k), (k * pi + starts) / 100, 1e-9);
    assert_near(event_time(&r, "switch", 2 * k + 1), (k * pi + ends) / 100, 1e-9);
  }
  assert_balanced(&r);
  stop(&r);
}

/** 8 mC in a capacitor of 1 mF and none in another, between these diodes A, and B with a source. */
#define SHARED(start, other, source)                                                               \
  "<network domain='electric'>" start "<J0 id='n1'/>" other                                        \
  "<bond from='n1' to='C1'/><J1 id='a'/><Diode id='A'/><bond from='n0' to='a'/>"                   \
  "<bond from='a' to='n1'/><bond from='a' to='A'/><J1 id='b'/><Diode id='B'/><Se id='V' "          \
  "effort='" source " V'/><bond from='n0' to='b'/><bond from='b' to='n1'/><bond from='b' to='B'/>" \
  "<bond from='V' to='b'/></network>"
#define CHARGED "<J0 id='n0'/><C id='C0' c='1 mF' q0='8 mC'/><bond from='n0' to='C0'/>"
/** The same behind a switch that closes at 0.5 s. */
#define SWITCHED                                                                                   \
  "<J0 id='n'/><C id='C0' c='1 mF' q0='8 mC'/><bond from='n' to='C0'/><J1 id='s'/>"                \
  "<Switch id='S' times='0.5 s'/><bond from='n' to='s'/><bond from='s' to='S'/>"                   \
  "<bond from='s' to='n0'/><J0 id='n0'/>"
#define LINEAR "<C id='C1' c='1 mF'/>"

/** Both are driven forward; with 2 V in series B alone carries 5 mC, until it is at 5 V - 3 V, with the source's 2 V * 5 mC. Of the
 *  32 mJ (9 + 25)/2 mJ are left. With -2 V it is A, which carries 4 mC and loses half of the energy. */
static void one_of_two_diodes_shares_a_charge(void **state) {
  (void)state;
  static const struct {
    const char *inside, *carries, *blocks;
    double at0, at1, loss;
  } cases[] = {
      {SHARED(CHARGED, LINEAR, "2"), "B", "A", 3, 5, 25e-3},
      {SHARED(CHARGED, LINEAR, "-2"), "A", "B", 4, 4, 16e-3},
      {SHARED(SWITCHED, LINEAR, "2"), "B", "A", 3, 5, 25e-3},
      {SHARED(SWITCHED, LINEAR, "-2"), "A", "B", 4, 4, 16e-3},
      {SHARED(CHARGED, "<C id='C1' energy='500[1/F]*q^2'/>", "2"), "B", "A", 3, 5, 25e-3},
  };
  for (int i = 0; i < 5; i++) {
    run r = go(cases[i].inside, 1);
    assert_near(value(&r, "C0.e"), cases[i].at0, 1e-12);
    assert_near(value(&r, "C1.e"), cases[i].at1, 1e-12);
    if (events_of(&r, "switch", "S") ==
        0) { // else the node between switch and diodes follows one of these before
      assert_int_equal(events_of(&r, "switch", cases[i].carries), 1);
      assert_int_equal(events_of(&r, "switch", cases[i].blocks), 0);
    }
    assert_near(ledger_of(&r)->total.event_loss, cases[i].loss, 1e-14);
    assert_balanced(&r);
    stop(&r);
  }
}

/** Where inductors and diodes meet alone, 2 A come from L1 and 1 A go on through L5: D4 carries the rest, and the source behind D0 draws
 *  the capacitor behind D4 to -10 V at once. It gives 10 V * 1 mC, of which half is stored; no current is lost. */
static void inductors_keep_their_currents(void **state) {
  (void)state;
  run r = go("<network domain='electric'><J0 id='n1'/><J0 id='n2'/><C id='C2' c='0.1 mF'/>"
             "<bond from='n2' to='C2'/><J1 id='b0'/><Diode id='D0'/><Se id='V0' effort='10 V'/>"
             "<bond from='b0' to='D0'/><bond from='V0' to='b0'/><bond from='n1' to='b0'/>"
             "<J1 id='b1'/><I id='L1' l='10 H' p0='-20 Wb'/><bond from='b1' to='L1'/>"
             "<bond from='b1' to='n1'/><J1 id='b4'/><Diode id='D4'/><bond from='b4' to='D4'/>"
             "<bond from='n2' to='b4'/><bond from='b4' to='n1'/><J1 id='b5'/>"
             "<I id='L5' l='1 H' p0='1 Wb'/><bond from='b5' to='L5'/><bond from='n2' to='b5'/>"
             "<bond from='b5' to='n1'/></network>",
             1e-9);
  assert_near(value(&r, "L1.f"), -2, 1e-8);
  assert_near(value(&r, "L5.f"), 1, 1e-8);
  assert_near(value(&r, "C2.e"), -10, 1e-4);
  assert_near(ledger_of(&r)->total.event_loss, 5e-3, 1e-12);
  assert_balanced(&r);
  stop(&r);
}

/** A capacitor that a diode empties at once keeps a rounding of its charge, 1e-18 C of 9 mC: that is not a law that does not hold. The
 *  source behind the other diode draws the first capacitor to -7 V. */
static void what_is_emptied_is_known_to_rounding(void **state) {
  (void)state;
  run r = go("<network domain='electric'><J0 id='n0'/><C id='C0' c='5 mF' q0='-1.08 mC'/>"
             "<bond from='n0' to='C0'/><J0 id='n1'/><J0 id='n2'/><J0 id='n3'/>"
             "<C id='C3' c='1 mF' q0='8.91 mC'/><bond from='n3' to='C3'/><J1 id='b0'/>"
             "<Diode id='D0'/><bond from='b0' to='D0'/><Se id='V0' effort='7 V'/>"
             "<bond from='V0' to='b0'/><bond from='n3' to='b0'/><bond from='b0' to='n0'/>"
             "<J1 id='b1'/><Diode id='D1'/><bond from='b1' to='D1'/><bond from='n2' to='b1'/>"
             "<J1 id='b2'/><Diode id='D2'/><bond from='b2' to='D2'/><bond from='b2' to='n3'/>"
             "<J1 id='b3'/><Diode id='D3'/><bond from='b3' to='D3'/><bond from='n2' to='b3'/>"
             "<bond from='b3' to='n1'/><J1 id='b4'/><Diode id='D4'/><bond from='b4' to='D4'/>"
             "<bond from='n1' to='b4'/><bond from='b4' to='n3'/></network>",
             1e-9);
  assert_near(value(&r, "C3.e"), 0, 1e-14);
  assert_near(fabs(value(&r, "C0.e")), 7, 1e-12);
  assert_balanced(&r);
  stop(&r);
}

/** A source of 3 V forward over two diodes in parallel: none of their modes is a solution. */
static void without_a_solution_they_are_named(void **state) {
  (void)state;
  const char *text =
      "<screwbond version='1' id='m'><network domain='electric'><Se id='u' effort='3 V'/>"
      "<R id='r' r='2 ohm'/><J0 id='n'/><Diode id='A'/><Diode id='B'/><bond from='u' to='n'/>"
      "<bond from='n' to='r'/><bond from='n' to='A'/><bond from='n' to='B'/></network>"
      "<run t-end='1 s'/></screwbond>";
  sb_error err;
  double t;
  assert_int_equal(try_run(text, 1, &t, &err), SB_ERR_SOLVER);
  assert_string_equal(err.text,
                      "'A' cannot switch at t = 0 s: 'u' prescribes a variable that 'n' forces to "
                      "be zero, and no other modes of 'A', 'B' have a solution");
}

/** A runs into B, which two forces hold against C behind it: that stop does not pull C along. With e the speeds of A and B are
 *  (1 - e)/2 and (1 + e)/2, and (1 - e^2)/4 J are lost. */
static void a_stop_does_not_pull(void **state) {
  (void)state;
  static const char *const restitutions[] = {"0", "0.5"};
  for (int i = 0; i < 2; i++) {
    char text[1400];
    const double e = 0.5 * i;
    (void)snprintf(
        text, sizeof text,
        "<network domain='translation'><J1 id='a'/><I id='A' mass='1 kg' p0='1 N.s'/><J1 id='b'/>"
        "<I id='B' mass='1 kg'/><J1 id='c'/><I id='C' mass='1 kg'/><bond from='a' to='A'/>"
        "<bond from='b' to='B'/><bond from='c' to='C'/><Se id='left' effort='-1e-3 N'/>"
        "<bond from='left' to='b'/><Se id='right' effort='1e-3 N'/><bond from='right' to='c'/>"
        "<J0 id='ab'/><Stop id='hit' upper='0.5 m' restitution='%s'/><bond from='a' to='ab'/>"
        "<bond from='ab' to='b'/><bond from='ab' to='hit'/><J0 id='bc'/>"
        "<Stop id='rest' lower='0 m'/><bond from='b' to='bc'/><bond from='bc' to='c'/>"
        "<bond from='bc' to='rest'/></network>",
        restitutions[i]);
    run r = go(text, 0.5 + 1e-6);
    assert_near(value(&r, "A.f"), (1 - e) / 2, 1e-8);
    assert_near(value(&r, "B.f"), (1 + e) / 2, 1e-8);
    assert_near(value(&r, "C.f"), 0, 1e-8);
    assert_int_equal(events_of(&r, "release", "rest"), 1);
    assert_near(ledger_of(&r)->total.event_loss, (1 - e * e) / 4, 1e-12);
    assert_balanced(&r);
    stop(&r);
  }
}

/** A bar falls flat on two stops, a half of a metre from its middle each: both take its momentum, and it does not rock. */
static void stops_that_are_hit_together(void **state) {
  (void)state;
  run r =
      go("<network><J1 id='v' domain='translation'/><I id='m' mass='1.3 kg' p0='-1.3 N.s'/>"
         "<J1 id='w' domain='rotation'/><I id='J' inertia='0.01 kg.m^2'/><bond from='v' to='m'/>"
         "<bond from='w' to='J'/><J0 id='e1' domain='translation'/><TF id='t1' ratio='0.5 m'/>"
         "<bond from='w' to='t1.from'/><bond from='t1.to' to='e1'/><bond from='v' to='e1'/>"
         "<Stop id='S1' lower='-0.3 m'/><bond from='e1' to='S1'/>"
         "<J0 id='e2' domain='translation'/><TF id='t2' ratio='-0.5 m'/>"
         "<bond from='w' to='t2.from'/><bond from='t2.to' to='e2'/><bond from='v' to='e2'/>"
         "<Stop id='S2' lower='-0.3 m'/><bond from='e2' to='S2'/></network>",
         0.5);
  assert_near(value(&r, "m.f"), 0, 1e-15);
  assert_near(value(&r, "J.f"), 0, 1e-15);
  assert_int_equal(events_of(&r, "impact", "S1"), 1);
  assert_int_equal(events_of(&r, "impact", "S2"), 1);
  assert_near(ledger_of(&r)->total.event_loss, 0.65, 1e-12);
  assert_balanced(&r);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_apart_goes_on_sticking),
      cmocka_unit_test(every_part_that_is_struck),
      cmocka_unit_test(a_current_that_has_ended_is_no_other_diodes),
      cmocka_unit_test(one_of_two_diodes_shares_a_charge),
      cmocka_unit_test(inductors_keep_their_currents),
      cmocka_unit_test(what_is_emptied_is_known_to_rounding),
      cmocka_unit_test(without_a_solution_they_are_named),
      cmocka_unit_test(a_stop_does_not_pull),
      cmocka_unit_test(stops_that_are_hit_together),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
