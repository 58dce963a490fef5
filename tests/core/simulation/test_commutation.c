// SPDX-License-Identifier: GPL-3.0-or-later
// What sticks by dry friction is released before an impact, which is where a constraint is violated: in every connected part
// that one is in, and in no other. A diode takes over a current that another would break, but not one that has ended.
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

/** A diode of a bridge behind inductances opens where its current is zero, but for what the time of that is off, i. An impulse takes that, by
 *  (l/2) i^2 at the most, and nothing in the first power of i: so the loss of each event is rounding, and Carnot's theorem holds. */
static void currents_that_have_ended_cost_nothing(void **state) {
  (void)state;
  char text[6000];
  int used = snprintf(text, sizeof text,
                      "<network domain='electric'><J0 id='n'/><J0 id='a'/><J0 id='b'/>"
                      "<I id='L' l='1'/><R id='R' r='3'/><J1 id='l'/><bond from='l' to='L'/>"
                      "<bond from='l' to='R'/><bond from='a' to='l'/><bond from='l' to='b'/>"
                      "<R id='E' r='7'/><bond from='n' to='E'/>");
  for (int k = 0; k < 3; k++) {
    used += snprintf(text + used, sizeof text - (size_t)used,
                     "<Se id='V%d' effort='10[V]*sin(2*pi*t/1[s] + %.17g)'/><I id='Z%d' l='0.05'/>"
                     "<J1 id='v%d'/><bond from='V%d' to='v%d'/><bond from='n' to='v%d'/>"
                     "<bond from='v%d' to='Z%d'/><J0 id='m%d'/><bond from='v%d' to='m%d'/>"
                     "<Diode id='P%d'/><J1 id='p%d'/><bond from='p%d' to='P%d'/>"
                     "<bond from='m%d' to='p%d'/><bond from='p%d' to='a'/>"
                     "<Diode id='N%d'/><J1 id='q%d'/><bond from='q%d' to='N%d'/>"
                     "<bond from='b' to='q%d'/><bond from='q%d' to='m%d'/>",
                     k, 2 * pi * k / 3 + 0.37, k, k, k, k, k, k, k, k, k, k, k, k, k, k, k, k, k, k,
                     k, k, k, k, k, k);
  }
  (void)snprintf(text + used, sizeof text - (size_t)used, "</network>");
  run r = start(text, 1e-9, 0);
  advance(&r, 3);
  const sb_ledger *ledger = ledger_of(&r);
  assert_true(ledger->event_count > 20);
  for (int i = 0; i < ledger->event_count; i++) {
    const sb_event *event = &ledger->events[i];
    assert_near(event->loss, 0, 1e-15 * (20 * event->stored_before + 1));
  }
  assert_true(ledger->structure.residual_relative < 1e-14);
  assert_balanced(&r);
  stop(&r);
}

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

/** Four diodes behind an `MTF` of n = 1 + sin(t)/2: 3 ohm have |n 5 V sin(7 t)|, and change over at the zeros of the source. */
static void a_bridge_behind_a_ratio_that_changes(void **state) {
  (void)state;
  run r = go("<network domain='electric'><Se id='U' effort='5[V]*sin(7*t/1[s])'/>"
             "<signal id='s' value='1 + 0.5*sin(t/1[s])'/><MTF id='n' ratio='1/s'/>"
             "<J1 id='in'/><bond from='U' to='n.from'/><bond from='n.to' to='in'/>"
             "<J0 id='p'/><J0 id='m'/><bond from='in' to='p'/><bond from='m' to='in'/>"
             "<J0 id='plus'/><J0 id='minus'/><J1 id='a'/><J1 id='b'/><J1 id='c'/><J1 id='d'/>"
             "<Diode id='A'/><Diode id='B'/><Diode id='C'/><Diode id='D'/>"
             "<bond from='p' to='a'/><bond from='a' to='A'/><bond from='a' to='plus'/>"
             "<bond from='m' to='b'/><bond from='b' to='B'/><bond from='b' to='plus'/>"
             "<bond from='minus' to='c'/><bond from='c' to='C'/><bond from='c' to='p'/>"
             "<bond from='minus' to='d'/><bond from='d' to='D'/><bond from='d' to='m'/>"
             "<J1 id='load'/><R id='R' r='3 ohm'/><bond from='plus' to='load'/>"
             "<bond from='load' to='R'/><bond from='load' to='minus'/></network>",
             0.01);
  for (int k = 1; k <= 40; k++) {
    const double t = 0.05 * k;
    advance(&r, t);
    assert_near(value(&r, "R.e"), fabs((1 + 0.5 * sin(t)) * 5 * sin(7 * t)), 1e-12);
  }
  for (int k = 1; k <= 4; k++) {
    bool seen = false;
    for (int i = 0; i < ledger_of(&r)->event_count; i++) {
      seen = seen || fabs(ledger_of(&r)->events[i].t - k * acos(-1) / 7) < 1e-9;
    }
    assert_true(seen);
  }
  assert_balanced(&r);
  stop(&r);
}

/** A bridge of diodes charges an empty capacitor. A source of 10 V sin(w t + pi) begins with 1e-15 V of the other sign, by which the wrong
 *  diodes fall at once and the others do not follow as their slopes tell: it does what -10 V sin(w t) does. */
static void bridge_begins_at_zero(void **state) {
  (void)state;
  static const char *const sources[] = {
      "effort='10 V' waveform='sine' frequency='1 Hz' phase='180 deg'",
      "effort='10 V' waveform='sine' frequency='1 Hz' phase='540 deg'",
      "effort='-10[V]*sin(2*pi*t/1[s])'"};
  double charge[3];
  for (int k = 0; k < 3; k++) {
    char text[2000];
    (void)snprintf(
        text, sizeof text,
        "<network domain='electric'><J1 id='s'/><J0 id='p'/><J0 id='q'/><J0 id='m'/>"
        "<Se id='V' %s/><R id='Z' r='0.2'/><bond from='V' to='s'/><bond from='s' to='Z'/>"
        "<bond from='s' to='m'/><J1 id='ja'/><J1 id='jb'/><J1 id='jc'/><J1 id='jC'/><J1 id='jR'/>"
        "<Diode id='a'/><Diode id='b'/><Diode id='c'/><Diode id='d'/><C id='C' c='0.3'/>"
        "<R id='load' r='20'/><bond from='ja' to='a'/><bond from='m' to='ja'/><bond from='ja' "
        "to='p'/><bond from='jb' to='b'/><bond from='q' to='jb'/><bond from='jb' to='m'/>"
        "<bond from='jc' to='c'/><bond from='jc' to='p'/><bond from='q' to='d'/>"
        "<bond from='jC' to='C'/><bond from='p' to='jC'/><bond from='jC' to='q'/><bond from='jR' "
        "to='load'/><bond from='p' to='jR'/><bond from='jR' to='q'/></network>",
        sources[k]);
    run r = go(text, 1.2);
    charge[k] = value(&r, "C.q");
    assert_balanced(&r);
    stop(&r);
  }
  assert_in_range((uintmax_t)(1e3 * charge[2]), 1000, 3000);
  assert_near_relative(charge[0], charge[2], 1e-8);
  assert_near_relative(charge[1], charge[2], 1e-8);
}

// A line to a capacitor and a resistor, behind which voltages go by 1 s: u + u' = i.
#define LINE(diodes_)                                                                              \
  "<J1 id='line'/>" diodes_ "<J0 id='n'/><C id='c' c='1 F'/><R id='r' r='1 ohm'/><bond "           \
  "from='line' to='n'/><bond from='n' to='c'/><bond from='n' to='r'/>"
#define CHECK "<Diode id='check'/><bond from='line' to='check'/>"
#define ARM(n_) "<J1 id='j" n_ "'/><Diode id='d" n_ "'/><bond from='j" n_ "' to='d" n_ "'/>"
#define BRIDGE                                                                                     \
  "<J1 id='s'/><J0 id='a'/><J0 id='b'/><J0 id='n'/><C id='c' c='1 F'/><R id='r' r='1 ohm'/><bond " \
  "from='i' to='s'/><bond from='s' to='a'/><bond from='b' to='s'/>" ARM("1") ARM("2") ARM("3")     \
      ARM("4") "<bond from='a' to='j1'/><bond from='j1' to='n'/><bond from='b' to='j2'/><bond "    \
               "from='j2' to='n'/><bond from='j3' to='a'/><bond from='j4' to='b'/><bond from='n' " \
               "to='c'/><bond from='n' to='r'/>"

/** A source of flow behind diodes finds one that conducts from the start on, where all of them would break its current. */
static void sources_behind_diodes(void **state) {
  (void)state;
  const double e = exp(1);
  const struct {
    const char *flow, *network;
    double u; // at 3 s
  } cases[] = {
      {"1 A", LINE(CHECK) "<bond from='i' to='line'/>", 1 - exp(-3)},
      {"if(t &lt; 1[s], 1[A], 0[A])", LINE(CHECK) "<bond from='i' to='line'/>",
       (1 - 1 / e) / (e * e)},
      {"if(t &lt; 1[s], 0[A], 1[A])", LINE(CHECK) "<bond from='i' to='line'/>", 1 - exp(-2)},
      {"1 A", LINE(CHECK "<Diode id='d'/><bond from='line' to='d'/>") "<bond from='i' to='line'/>",
       1 - exp(-3)},
      {"1 A", // a relief valve takes half of it
       LINE(CHECK) "<J0 id='m'/><J1 id='back'/><Diode id='relief'/><Se id='set' effort='-0.5 V'/>"
                   "<bond from='i' to='m'/><bond from='m' to='line'/><bond from='m' to='back'/>"
                   "<bond from='back' to='relief'/><bond from='set' to='back'/>",
       0.5},
      {"1 A", BRIDGE, 1 - exp(-3)},
      {"-1 A", BRIDGE, 1 - exp(-3)},
      {"if(t &lt; 1[s], -1[A], 1[A])", BRIDGE, 1 - exp(-3)}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char text[2000];
    assert_true(snprintf(text, sizeof text,
                         "<network domain='electric'><Sf id='i' flow='%s'/>%s</network>",
                         cases[k].flow, cases[k].network) < (int)sizeof text);
    run r = start(text, 1e-10, 0);
    advance(&r, 3);
    assert_near(value(&r, "c.e"), cases[k].u, 1e-9);
    assert_balanced(&r);
    stop(&r);
  }
  sb_error err;
  double t;
  assert_int_equal(try_run("<screwbond version='1' id='m'><network domain='electric'><Sf id='i' "
                           "flow='-1 A'/>" LINE(CHECK) "<bond from='i' to='line'/></network><run "
                                                       "t-end='1 s'/></screwbond>",
                           1, &t, &err),
                   SB_ERR_SOLVER);
  assert_string_equal(err.text, "'check' cannot switch at t = 0 s: 'i' prescribes a variable that "
                                "'line' forces to be zero");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bridge_begins_at_zero),
      cmocka_unit_test(what_is_apart_goes_on_sticking),
      cmocka_unit_test(every_part_that_is_struck),
      cmocka_unit_test(a_current_that_has_ended_is_no_other_diodes),
      cmocka_unit_test(one_of_two_diodes_shares_a_charge),
      cmocka_unit_test(inductors_keep_their_currents),
      cmocka_unit_test(what_is_emptied_is_known_to_rounding),
      cmocka_unit_test(without_a_solution_they_are_named),
      cmocka_unit_test(a_bridge_behind_a_ratio_that_changes),
      cmocka_unit_test(currents_that_have_ended_cost_nothing),
      cmocka_unit_test(sources_behind_diodes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
