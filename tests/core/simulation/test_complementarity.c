// SPDX-License-Identifier: GPL-3.0-or-later
// Diodes and stops that change at one instant do so together: 0 <= charge, drop <= 0, one of them zero, and so of impulses
// and speeds.
#include <math.h>

#include "tests/fixture.h"

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

/** The speeds -0.1 and 3 m/s of two equal masses, with a - b >= 0, a >= 0, and a damper that a < 0 alone moves. Of all speeds that are
 *  allowed (1.45, 1.45) are the nearest, in whatever order the elements are stated. */
static void a_part_of_diodes_and_stops_has_one_answer(void **state) {
  (void)state;
  static const char *const elements[] = {
      "<J0 id='ab'/><Stop id='between' lower='0 m'/><bond from='a' to='ab'/>"
      "<bond from='ab' to='b'/><bond from='ab' to='between'/>",
      "<Stop id='floor' lower='0 m'/><bond from='a' to='floor'/>",
      "<J0 id='d'/><Diode id='D'/><R id='r' r='1.7 N.s/m'/><bond from='a' to='d'/>"
      "<bond from='d' to='D'/><bond from='d' to='r'/>"};
  for (int i = 0; i < 6; i++) {
    const int first = i / 2, second = (first + 1 + i % 2) % 3;
    char text[1200];
    (void)snprintf(text, sizeof text,
                   "<network domain='translation'><J1 id='a'/><I id='A' mass='1 kg' "
                   "p0='-0.1 N.s'/><bond from='a' to='A'/><J1 id='b'/><I id='B' mass='1 kg' "
                   "p0='3 N.s'/><bond from='b' to='B'/>%s%s%s</network>",
                   elements[first], elements[second], elements[3 - first - second]);
    run r = go(text, 0.1);
    assert_near(value(&r, "A.f"), 1.45, 1e-14);
    assert_near(value(&r, "B.f"), 1.45, 1e-14);
    assert_near(ledger_of(&r)->total.event_loss, 0.5 * (0.01 + 9) - 1.45 * 1.45, 1e-14);
    assert_balanced(&r);
    stop(&r);
  }
}

/** As above, but B is a mass of 1 kg behind a lever of n = 2 - t/2 s: 4 kg at the start, with 3 m/s. All go on with
 *  v = (-0.1 + 4*3)/5, and as the lever then loses ratio, so that B is driven on, both keep their energy (1 + n^2) v^2/2. */
static void levers_that_change_have_one_answer(void **state) {
  (void)state;
  static const char *const kinds[] = {
      "<TF id='n' ratio='2'/>", "<signal id='s' value='2'/><MTF id='n' ratio='s'/>",
      "<signal id='s' value='2 - 0.5*t/1[s]'/><MTF id='n' ratio='s'/>"};
  for (int i = 0; i < 3; i++) {
    char text[1200];
    (void)snprintf(
        text, sizeof text,
        "<network domain='translation'><J1 id='a'/><I id='A' mass='1 kg' "
        "p0='-0.1 N.s'/><bond from='a' to='A'/><J1 id='b'/>%s<bond from='b' to='n.from'/>"
        "<I id='B' mass='1 kg' p0='6 N.s'/><bond from='n.to' to='B'/>"
        "<J0 id='ab'/><Stop id='between' lower='0 m'/><bond from='a' to='ab'/>"
        "<bond from='ab' to='b'/><bond from='ab' to='between'/>"
        "<Stop id='floor' lower='0 m'/><bond from='a' to='floor'/>"
        "<J0 id='d'/><Diode id='D'/><R id='r' r='1.7 N.s/m'/><bond from='a' to='d'/>"
        "<bond from='d' to='D'/><bond from='d' to='r'/></network>",
        kinds[i]);
    run r = go(text, 0.1);
    const double v0 = 11.9 / 5, n = i == 2 ? 1.95 : 2, v = v0 * sqrt(5 / (1 + n * n));
    assert_near(value(&r, "A.f"), v, 1e-8);
    assert_near(value(&r, "B.f"), n * v, 1e-8);
    assert_near(ledger_of(&r)->total.event_loss, 0.5 * (0.01 + 36) - 2.5 * v0 * v0, 1e-12);
    assert_balanced(&r);
    stop(&r);
  }
}

/** x and its first two derivatives of m x'' + r x' + k x = F, from x and x'. */
static void oscillate(double m, double r, double k, double force, double t, double x[3]) {
  const double d = r / (2 * m), w = sqrt(k / m - d * d), a = x[0] - force / k,
               b = (x[1] + d * a) / w;
  const double e = exp(-d * t), c = e * cos(w * t), s = e * sin(w * t);
  x[0] = force / k + a * c + b * s;
  x[1] = (b * w - d * a) * c - (a * w + d * b) * s;
  x[2] = (force - k * x[0] - r * x[1]) / m;
}

#define BEHIND_TWO(kind, ratio)                                                                    \
  "<" kind " id='na' ratio='" ratio "'/><" kind " id='nb' ratio='" ratio "'/>"                     \
  "<bond from='va' to='na.from'/><bond from='vb' to='nb.from'/><bond from='na.to' to='d'/>"        \
  "<bond from='nb.to' to='d'/><bond from='d' to='D'/>"
#define MOVED "<signal id='moved' value='-1 - 0.5*sin(9*t/1[s])'/>"
#define BEHIND_ONE                                                                                 \
  "<MTF id='n' ratio='moved'/><bond from='va' to='d'/><bond from='vb' to='d'/>"                    \
  "<bond from='d' to='n.from'/><bond from='n.to' to='D'/>"

/** A stop, a + b >= 0, and a diode, a + b <= 0, hold a = -b: they are one mass of 3.5 kg, and the one takes over from the other where what
 *  accelerates it is zero, and where the force jumps; whatever the ratio of the diode to that motion, and however it changes. */
static void a_diode_takes_over_from_a_stop(void **state) {
  (void)state;
  static const char *const diodes[] = {BEHIND_TWO("TF", "-1"), BEHIND_TWO("TF", "-0.5"),
                                       "<signal id='half' value='-0.5'/>" BEHIND_TWO("MTF", "half"),
                                       MOVED BEHIND_TWO("MTF", "moved"), MOVED BEHIND_ONE};
  for (int i = 0; i < 5; i++) {
    char text[2000];
    (void)snprintf(
        text, sizeof text,
        "<network domain='translation'><J1 id='va'/><I id='a' mass='0.5 kg' p0='-0.05 N.s'/>"
        "<C id='k' c='25 mm/N'/><R id='r' r='1 N.s/m'/><bond from='va' to='a'/>"
        "<bond from='va' to='k'/><bond from='va' to='r'/><bond from='F' to='va'/>"
        "<Se id='F' effort='-5[N] + if(t &gt; 0.4[s], -6[N], 0[N])'/><J1 id='vb'/>"
        "<I id='b' mass='3 kg' p0='0.3 N.s'/><bond from='vb' to='b'/><J0 id='s'/>"
        "<Stop id='S' lower='0 m'/><bond from='va' to='s'/><bond from='vb' to='s'/>"
        "<bond from='s' to='S'/><J0 id='d'/><Diode id='D'/>%s</network>",
        diodes[i]);
    run r = go(text, 1);
    double at[3] = {0, -0.1}, x[3] = {0, -0.1};
    oscillate(3.5, 1, 40, -5, event_time(&r, "release", 0), x);
    assert_near(x[2], 0, 1e-6);
    oscillate(3.5, 1, 40, -5, 0.4, at);
    assert_near(event_time(&r, "touch", events_of(&r, "touch", "S") - 1), 0.4, 1e-15);
    memcpy(x, at, sizeof x);
    oscillate(3.5, 1, 40, -11, event_time(&r, "release", 1) - 0.4, x);
    assert_near(x[2], 0, 1e-6);
    assert_near(event_time(&r, "switch", events_of(&r, "switch", "D") - 1),
                event_time(&r, "release", 1), 0);
    memcpy(x, at, sizeof x);
    oscillate(3.5, 1, 40, -11, 0.6, x);
    assert_near(value(&r, "a.f"), x[1], 1e-6);
    assert_near(value(&r, "b.f"), -x[1], 1e-6);
    assert_near(ledger_of(&r)->total.event_loss, 0, 1e-15);
    assert_balanced(&r);
    stop(&r);
  }
}

/** What a mass that is at rest is driven with: by a source, and by a spring of 40 N/m to another of 1.3 kg that swings. */
static double driven_by(double t) {
  const double w = sqrt(40 / 1.3);
  return 2 - 4 * sin(20 * t) + 40 * 0.5 / w * sin(w * t);
}

/** Stops and diodes that hold a mass from both sides take turns where that is zero; mostly the source decides which of them follows, against
 *  the spring. A lever of whatever ratio changes nothing. */
static void sources_decide_who_takes_over(void **state) {
  (void)state;
  static const char *const other[] = {"<Diode id='D'/>", "<Stop id='D' lower='0 m'/>"};
  static const char *const levers[] = {"<TF id='n' ratio='-1'/>", "<MTF id='n' ratio='lever'/>"};
  for (int i = 0; i < 4; i++) {
    char text[1100];
    (void)snprintf(
        text, sizeof text,
        "<network domain='translation'><J1 id='v'/><I id='m' mass='1 kg'/><bond from='v' to='m'/>"
        "<Se id='F' effort='2[N] - 4[N]*sin(20*t/1[s])'/><bond from='F' to='v'/>"
        "<Stop id='S' lower='0 m'/><bond from='v' to='S'/>"
        "<signal id='lever' value='-1 - 0.5*sin(7*t/1[s])'/>%s%s"
        "<bond from='v' to='n.from'/><bond from='n.to' to='D'/><J1 id='w'/><J0 id='c'/>"
        "<I id='o' mass='1.3 kg' p0='0.65 N.s'/><C id='k' c='25 mm/N'/><bond from='w' to='o'/>"
        "<bond from='w' to='c'/><bond from='c' to='v'/><bond from='c' to='k'/></network>",
        levers[i / 2], other[i % 2]);
    run r = go(text, 1);
    int turns = 0, seen = 0;
    for (int k = 1; k <= 1000; k++) {
      turns += driven_by(1e-3 * k) * driven_by(1e-3 * (k - 1)) < 0;
    }
    const sb_ledger *ledger = ledger_of(&r);
    for (int k = 0; k < ledger->event_count; k++) {
      if (ledger->events[k].t > 0 && strcmp(ledger->events[k].kind, "release") == 0) {
        assert_near(driven_by(ledger->events[k].t), 0, 1e-6);
        seen++;
      }
    }
    assert_true(turns > 4);
    assert_int_equal(seen, i % 2 == 0 ? turns / 2 : turns);
    assert_near(value(&r, "m.f"), 0, 0);
    assert_near(value(&r, "o.f"), 0.5 * cos(sqrt(40 / 1.3)), 1e-6);
    assert_balanced(&r);
    stop(&r);
  }
}

/** Two stops hold w = v0 + v1 - v2 = 0 from both sides; the one that is free moves by rounding alone, which no step follows. An impulse of
 *  -6/7 N s stops 1 m/s of w, and the forces behind it hold w from the other side: that takes over at once. Then 21 kg swing on 200 N/m. */
static void what_others_hold_bounds_no_step(void **state) {
  (void)state;
  run r = go("<network domain='translation'><J1 id='v0'/><I id='m0' mass='3 kg'/>"
             "<bond from='v0' to='m0'/><J1 id='v1'/><I id='m1' mass='3 kg'/>"
             "<bond from='v1' to='m1'/><C id='k1' c='25 mm/N'/><bond from='v1' to='k1'/>"
             "<Se id='f1' effort='-5 N'/><bond from='f1' to='v1'/><J1 id='v2'/>"
             "<I id='m2' mass='2 kg' p0='-2 N.s'/><bond from='v2' to='m2'/>"
             "<Se id='f2' effort='3 N'/><bond from='f2' to='v2'/><J0 id='above'/>"
             "<bond from='v1' to='above'/><bond from='v0' to='above'/><bond from='above' to='v2'/>"
             "<Stop id='A' lower='0 m'/><bond from='above' to='A'/><J0 id='below'/>"
             "<TF id='n0' ratio='-3'/><TF id='n1' ratio='-3'/><TF id='n2' ratio='3'/>"
             "<bond from='v0' to='n0.from'/><bond from='v1' to='n1.from'/>"
             "<bond from='v2' to='n2.from'/><bond from='n0.to' to='below'/>"
             "<bond from='n1.to' to='below'/><bond from='n2.to' to='below'/>"
             "<Stop id='B' lower='0 m'/><bond from='below' to='B'/></network>",
             1);
  double x[3] = {0, -2 / 7.};
  oscillate(21, 0, 200, -16, 1, x);
  assert_near(value(&r, "m1.f"), x[1], 1e-6);
  assert_near(ledger_of(&r)->total.event_loss, 3 / 7., 1e-12);
  assert_int_equal(events_of(&r, "touch", "A"), 1);
  assert_near(event_time(&r, "touch", 0), 0, 0);
  assert_true(ledger_of(&r)->work.steps < 1000);
  assert_balanced(&r);
  stop(&r);
}

/** A diode holds b, that 4 N cos(20 t) push, and a stop what is left, a, on which nothing acts: its force is the rounding of the diode's, and its way
 *  that of a motion which this would give in a step. Both are at rest until pi/40 s, while 3 N move c. */
static void what_bears_nothing_bounds_no_step(void **state) {
  (void)state;
  run r = start("<network domain='translation'><signal id='w' value='t/1[s]'/><J1 id='v0'/><I "
                "id='a' mass='3 kg'/>"
                "<C id='k' c='300 mm/N'/><bond from='v0' to='a'/><bond from='v0' to='k'/>"
                "<J1 id='v1'/><I id='c' mass='1 kg'/><Se id='f1' effort='3 N'/>"
                "<bond from='v1' to='c'/><bond from='f1' to='v1'/>"
                "<J1 id='v2'/><I id='b' mass='1 kg'/><Se id='f2' effort='4[N]*cos(20*t/1[s])'/>"
                "<bond from='v2' to='b'/><bond from='f2' to='v2'/>"
                "<J0 id='j1'/><Stop id='S' lower='0 m'/><bond from='j1' to='S'/>"
                "<MTF id='n1' ratio='2 + sin(0.3*w + 1.961)'/><bond from='v0' to='n1.from'/>"
                "<bond from='n1.to' to='j1'/><bond from='v2' to='n2.from'/>"
                "<MTF id='n2' ratio='2 + sin(3*w + 2.892)'/><bond from='n2.to' to='j1'/>"
                "<J0 id='j2'/><Diode id='D'/><bond from='j2' to='D'/><bond from='n3.to' to='j2'/>"
                "<MTF id='n3' ratio='-1 - 0.5*sin(0.3*w + 3.026)'/>"
                "<bond from='v2' to='n3.from'/><J0 id='j3'/><Stop id='far' lower='-0.05 m'/>"
                "<bond from='j3' to='far'/><MTF id='n4' ratio='2 + sin(3*w + 0.898)'/>"
                "<bond from='v0' to='n4.from'/><bond from='n4.to' to='j3'/>"
                "<MTF id='n5' ratio='-0.5 - 0.25*sin(3*w + 1.063)'/>"
                "<bond from='v1' to='n5.from'/><bond from='n5.to' to='j3'/></network>",
                1e-6, 0);
  advance(&r, 0.07);
  assert_near(value(&r, "a.p"), 0, 1e-15);
  assert_near(value(&r, "b.p"), 0, 1e-15);
  assert_near(value(&r, "c.p"), 0.21, 1e-12);
  assert_true(ledger_of(&r)->work.steps < 100);
  assert_balanced(&r);
  stop(&r);
}

/** A wall that a force of -2 N holds a mass against leaves at 1 m/s at 0.5 s: the mass is not pulled along, and falls behind it, to meet it
 *  1 s later at twice its speed. */
static void a_wall_that_leaves_does_not_pull(void **state) {
  (void)state;
  run r = go("<network domain='translation'><Sf id='W' flow='if(t &gt; 0.5[s], -1[m/s], 0[m/s])'/>"
             "<J1 id='w'/><J0 id='g'/><bond from='W' to='w'/><bond from='w' to='g'/><J1 id='v'/>"
             "<I id='m' mass='1 kg'/><bond from='v' to='m'/><Se id='F' effort='-2 N'/>"
             "<bond from='F' to='v'/><bond from='g' to='v'/><Stop id='S' upper='0 m'/>"
             "<bond from='g' to='S'/></network>",
             1.3);
  assert_near(value(&r, "m.f"), -1.6, 1e-9);
  assert_near(ledger_of(&r)->total.event_loss, 0, 1e-15);
  assert_near(event_time(&r, "release", 0), 0.5, 1e-15);
  advance(&r, 2);
  assert_near(event_time(&r, "impact", 0), 1.5, 1e-9);
  assert_near(value(&r, "m.f"), -1, 1e-9);
  assert_near(ledger_of(&r)->total.event_loss, 0.5, 1e-8);
  assert_balanced(&r);
  stop(&r);
}

/** A diode that nothing drives until another one has closed closes with it: 8 J of 4 V * 4 C are stored at t = 0, and what refuses a start
 *  that loses energy refuses this one. */
#define IN_TURN                                                                                    \
  "<network domain='electric'><J0 id='n1'/><R id='R' r='1 ohm'/><bond from='n1' to='R'/>"          \
  "<J0 id='n2'/><C id='C' c='1 F'/><bond from='n2' to='C'/><J1 id='a'/><Diode id='A'/>"            \
  "<bond from='a' to='A'/><bond from='a' to='n1'/><J1 id='b'/><Diode id='B'/>"                     \
  "<Se id='V' effort='4 V'/><bond from='n1' to='b'/><bond from='V' to='b'/>"                       \
  "<bond from='b' to='B'/><bond from='b' to='n2'/></network>"
static void a_diode_that_another_one_drives_closes_with_it(void **state) {
  (void)state;
  run r = go(IN_TURN, 1);
  assert_int_equal(events_of(&r, "switch", "A"), 1);
  assert_near(event_time(&r, "switch", 1), 0, 0);
  assert_near(value(&r, "C.e"), 4, 1e-12);
  assert_near(ledger_of(&r)->total.event_loss, 8, 1e-12);
  assert_balanced(&r);
  stop(&r);
  sb_error err;
  double t;
  assert_int_equal(try_run("<screwbond version='1' id='m'>" IN_TURN
                           "<run t-end='1 s' inconsistent='refuse'/></screwbond>",
                           1, &t, &err),
                   SB_ERR_RANGE);
  assert_string_equal(err.text,
                      "the initial values contradict each other: at 'A' the start loses 8 J");
}

/** A mass of 3 kg that comes at 1/3 m/s between two levers a and b, each with an element that lets it go one way, v <= 0 and v >= 0. It stands
 *  from the start on, and bears F = 2 - 4 sin 7t: a what is above zero, b what is below. Where F passes zero they take turns. */
static void two_that_hold_one_thing_take_turns(void **state) {
  (void)state;
  static const struct {
    const char *a, *b;
    double n, m; // of both at t = 0.05 s and 0.2 s
  } levers[] = {
      {"<TF id='n' ratio='-4'/>", "<TF id='m' ratio='2'/>", -4, 2},
      {"<signal id='s' value='-4'/><MTF id='n' ratio='s'/>",
       "<signal id='r' value='2'/><MTF id='m' ratio='r'/>", -4, 2},
      {"<signal id='s' value='-4 - t/1[s]'/><MTF id='n' ratio='s'/>",
       "<signal id='r' value='2 + t/1[s]'/><MTF id='m' ratio='r'/>", -4.05, 2.2},
  };
  static const char *const holds[] = {"<Diode id='B'/>", "<Stop id='B' lower='0 m'/>"};
  for (int i = 0; i < 6; i++) {
    char text[1200];
    (void)snprintf(text, sizeof text,
                   "<network domain='translation'><J1 id='v'/><I id='M' mass='3 kg' p0='1 N.s'/>"
                   "<bond from='v' to='M'/><Se id='F' effort='2[N] - 4[N]*sin(7*t/1[s])'/>"
                   "<bond from='F' to='v'/>%s<J0 id='a'/><bond from='v' to='n.from'/>"
                   "<bond from='n.to' to='a'/><Diode id='A'/><bond from='a' to='A'/>"
                   "%s<J0 id='b'/><bond from='v' to='m.from'/><bond from='m.to' to='b'/>%s"
                   "<bond from='b' to='B'/></network>",
                   levers[i / 2].a, levers[i / 2].b, holds[i % 2]);
    run r = go(text, 0.05);
    assert_near(ledger_of(&r)->total.event_loss, 1. / 6, 1e-14);
    assert_near(value(&r, "A.e"), (2 - 4 * sin(0.35)) / levers[i / 2].n, 1e-12);
    assert_near(value(&r, "B.e"), 0, 1e-12);
    const int before = ledger_of(&r)->event_count;
    advance(&r, 0.2);
    assert_near(value(&r, "A.e"), 0, 1e-12);
    assert_near(value(&r, "B.e"), (2 - 4 * sin(1.4)) / levers[i / 2].m, 1e-12);
    assert_int_equal(ledger_of(&r)->event_count, before + 2);
    assert_near(ledger_of(&r)->events[before].t, asin(0.5) / 7, 1e-9);
    advance(&r, 3);
    assert_near(value(&r, "M.f"), 0, 1e-15);
    assert_near(ledger_of(&r)->total.event_loss, 1. / 6, 1e-14);
    assert_balanced(&r);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_stop_does_not_pull),
      cmocka_unit_test(stops_that_are_hit_together),
      cmocka_unit_test(a_part_of_diodes_and_stops_has_one_answer),
      cmocka_unit_test(levers_that_change_have_one_answer),
      cmocka_unit_test(a_diode_takes_over_from_a_stop),
      cmocka_unit_test(sources_decide_who_takes_over),
      cmocka_unit_test(what_others_hold_bounds_no_step),
      cmocka_unit_test(a_wall_that_leaves_does_not_pull),
      cmocka_unit_test(a_diode_that_another_one_drives_closes_with_it),
      cmocka_unit_test(two_that_hold_one_thing_take_turns),
      repeating_test(what_bears_nothing_bounds_no_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
