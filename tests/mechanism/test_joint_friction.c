// SPDX-License-Identifier: GPL-3.0-or-later
// Dry friction at a joint of a tree in which another joint is held, and at several joints that move together.
#include "tests/netlist_text.h"

static const double g = 9.81, coulomb = 2, elbow = 0.5; // [m/s^2], [N m], [rad]

/** The energy of height of both links [J]. */
static double height(double q) {
  return -g * (0.2 * cos(q) + 4 * (0.4 * cos(q) + 0.2 * cos(q + elbow)));
}

/** Where the pendulum comes to rest that leaves q with an energy of motion k, against friction: k + U(q) - U(x) = c |x - q|. */
static double next_turn(double q, double k) {
  const double side = height(q + 1e-3) < height(q) || k > 0 ? 1 : -1;
  double near = 0, far = 3;
  for (int i = 0; i < 100; i++) { // the first root: it has less energy from there on
    const double way = 0.5 * (near + far);
    const bool moves = k + height(q) - height(q + side * way) > coulomb * way;
    *(moves ? &near : &far) = way;
  }
  return q + side * near;
}

/** Two links, the elbow held in one of several ways: one rigid pendulum. At each turn its weight is more than the friction at the shoulder,
 *  which sticks and slips on at once, the other way. From turn to turn the energy falls by the work of friction. */
static void elbow_is_held(void **state) {
  (void)state;
  static const char *const ways[][3] = {
      {" locked='yes'", "<Friction id='F' coulomb='2'/>", ""},
      {" locked='yes'", "<R id='F' law='2[N.m]*sign(f)'/>", ""},
      {"", "<Friction id='F' coulomb='2'/>",
       "<Friction id='E' coulomb='100'/><bond from='elbow' to='E'/>"},
      {"", "<Friction id='F' coulomb='2'/>", "<Sf id='E' flow='0'/><bond from='E' to='elbow'/>"}};
  const double inertia =
      0.01 + 0.04 + 0.04 + 4 * (0.16 + 0.04 + 2 * 0.4 * 0.2 * cos(elbow)); // [kg m^2]
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    char text[TEXT] = "";
    add(text,
        "<screwbond version='1' id='m'><run t-end='2 s' rtol='1e-10'/><mechanism gravity='0 -9.81 "
        "0 m/s^2'><body id='A' mass='1 kg' inertia='0.01 0.01 0.01' com='0 -0.2 0'/><body id='B' "
        "mass='4 kg' inertia='0.04 0.04 0.04' com='0 -0.2 0'/><joint id='shoulder' "
        "kind='revolute' axis='0 0 1' parent='world' child='A' q0='0.5 rad' w0='1 rad/s'/><joint "
        "id='elbow' kind='revolute' axis='0 0 1' parent='A' child='B' at='0 -0.4 0' q0='%g rad'%s/>"
        "</mechanism><network domain='rotation'>%s<bond from='shoulder' to='F'/>%s</network>"
        "</screwbond>",
        elbow, ways[i][0], ways[i][1], ways[i][2]);
    run r = start_netlist(text);
    advance(&r, 2);
    double turns[8], q = 0.5, k = 0.5 * inertia;
    int count = 0;
    for (int e = 0; e < ledger_of(&r)->event_count && count < 8; e++) {
      const sb_event *event = &ledger_of(&r)->events[e];
      if (strcmp(event->element, "F") == 0 && strcmp(event->kind, "stick") == 0) {
        turns[count++] = event->t;
      }
    }
    assert_true(count >= 3);
    assert_balanced(&r);
    stop(&r);
    r = start_netlist(text);
    for (int n = 0; n < count; n++, k = 0) {
      q = next_turn(q, k);
      advance(&r, turns[n]);
      assert_near(component(&r, "shoulder.q", 0), q, 1e-8);
    }
    stop(&r);
  }
}

/** A slider-crank, friction at the piston and at the crank: both hold one motion. Where the piston holds it the flow at the crank is rounding, which
 *  neither ends nor begins a slip. The turns, and where it stays, are those of M(q) q'' + M'(q) q'^2/2 + U'(q) = -sign(q') (Fg + Fs |ds/dq|)
 *  by a method of order 8 to 1e-12, apart from this program. */
static void piston_and_crank_hold_one_motion(void **state) {
  (void)state;
  static const double turns[] = {0.19255792056, 0.93029957711, 1.41473138390, 1.94265525599};
  static const char *const rtol[] = {"1e-7", "1e-8", "1e-9", "1e-10", "1e-11"};
  for (size_t i = 0; i < sizeof rtol / sizeof *rtol; i++) {
    char text[TEXT] = "";
    add(text,
        "<screwbond version='1' id='m'><run t-end='2 s' rtol='%s'/><mechanism gravity='0 -9.81 0 "
        "m/s^2'><body id='C' mass='2' inertia='0.02 0.02 0.02' com='0.05 0 0'/><body id='R' "
        "mass='1' inertia='0.01 0.01 0.01' com='0.15 0 0'/><body id='P' mass='0.5' inertia='0.01 "
        "0.01 0.01'/><joint id='a' kind='revolute' parent='world' child='C' w0='10'/><joint id='b' "
        "kind='revolute' parent='C' child='R' at='0.1 0 0'/><joint id='s' kind='prismatic' axis='1 "
        "0 0' parent='world' child='P' at='0.4 0 0'/><joint id='c' kind='revolute' parent='P' "
        "child='R' child-at='0.3 0 0'/></mechanism><network><Friction id='f' domain='translation' "
        "coulomb='5'/><bond from='s' to='f'/><Friction id='g' domain='rotation' coulomb='0.1'/>"
        "<bond from='a' to='g'/></network></screwbond>",
        rtol[i]);
    run r = start_netlist(text);
    advance(&r, 2);
    const double error = 100 * strtod(rtol[i], NULL) + 1e-10;
    int turn = 0;
    for (int e = 1; e < ledger_of(&r)->event_count; e++) {
      const double t = ledger_of(&r)->events[e].t;
      turn += turn < 3 && t > turns[turn] + 0.01;
      if (strcmp(ledger_of(&r)->events[e].kind, "stick") == 0 && t > 0) {
        assert_near(t, turns[turn], error);
      }
    }
    assert_near(value(&r, "s.q"), -0.07877483117, error);
    assert_in_range(ledger_of(&r)->event_count, 12, 24);
    assert_closes(&r);
    stop(&r);
  }
}

/** A ball strikes a block that friction holds against a force: friction bears no impulse, and the block goes on with
 *  v = (1 + e) u m/(m + M), e u behind the ball, until friction has stopped it after M v^2/2 = (Fc - F) s. */
static void held_block_is_struck(void **state) {
  (void)state;
  static const double es[] = {0, 0.5, 1};
  const double m = 1, M = 3, u = 1, force = 0.5, strength = 2;
  for (size_t i = 0; i < sizeof es / sizeof *es; i++) {
    char text[TEXT] = "";
    add(text,
        "<screwbond version='1' id='m'><run t-end='3 s' rtol='1e-10'/><laws><contact-law id='l' "
        "normal='rigid' restitution='%g'/></laws><mechanism gravity='0 0 0'><body id='a' mass='3' "
        "inertia='1 1 1'><shape id='A' kind='sphere' radius='0.1'/></body><joint id='j' "
        "kind='prismatic' axis='1 0 0' parent='world' child='a'/><body id='b' mass='1' inertia='1 "
        "1 1'><shape id='B' kind='sphere' radius='0.1'/></body><joint id='k' kind='prismatic' "
        "axis='1 0 0' parent='world' child='b' q0='-0.3' w0='1'/><contact a='A' b='B' law='l'/>"
        "</mechanism><network domain='translation'><Se id='m' effort='0.5'/><bond from='m' "
        "to='j'/><Friction id='F' coulomb='2'/><bond from='j' to='F'/></network></screwbond>",
        es[i]);
    run r = start_netlist(text);
    advance(&r, 0.05);
    assert_near(value(&r, "j.w"), 0, 1e-15);
    const double e = es[i], v = (1 + e) * u * m / (m + M), brake = (strength - force) / M;
    advance(&r, 0.2);
    assert_near(value(&r, "j.w"), v - 0.1 * brake * (e == 0 ? M / (m + M) : 1), 1e-9);
    assert_near(value(&r, "k.w"), e == 0 ? value(&r, "j.w") : v - e * u, 1e-9);
    advance(&r, 3);
    assert_near(value(&r, "j.w"), 0, 1e-12);
    assert_near(component(&r, "j.q", 0), 0.5 * v * v / brake * (e == 0 ? (m + M) / M : 1), 1e-8);
    assert_balanced(&r);
    stop(&r);
  }
}

/** A foot on a guide that F holds, and the floor: under a force of 10 t both hold it until t0 = (mu m g + F)/10, whatever share either had.
 *  Then M v' = 10 (t - t0), with the carriage M = m + c. */
static void floor_and_guide_hold_a_foot(void **state) {
  (void)state;
  static const char *const bonds[] = {"from='x' to='F'", "from='F' to='x'"},
                           *const laws[] = {"Friction id='F' coulomb='2'",
                                            "R id='F' law='2[N]*sign(f)'"};
  for (int i = 0; i < 4; i++) {
    char text[TEXT] = "";
    add(text,
        "<screwbond version='1' id='m'><run t-end='1 s' rtol='1e-10'/><laws><contact-law id='l' "
        "normal='rigid' friction='coulomb' mu='0.3'/></laws><mechanism gravity='0 0 -9.81'><ground "
        "id='g'><shape id='w' kind='plane' normal='0 0 1'/></ground><body id='c' mass='0.1' "
        "inertia='1 1 1'/><joint id='x' kind='prismatic' axis='1 0 0' parent='world' child='c'/>"
        "<body id='b' mass='1' inertia='1 1 1'><shape id='s' kind='sphere' radius='0.1'/></body>"
        "<joint id='z' kind='prismatic' axis='0 0 1' parent='c' child='b' q0='0.1'/><contact a='s' "
        "b='w' law='l'/></mechanism><network domain='translation'><Se id='m' effort='10[N/s]*t'/>"
        "<bond from='m' to='x'/><%s/><bond %s/></network></screwbond>",
        laws[i / 2], bonds[i % 2]);
    run r = start_netlist(text);
    const double t0 = (0.3 * g + 2) / 10, M = 1.1;
    advance(&r, t0 - 1e-6);
    assert_near(value(&r, "x.w"), 0, 1e-15);
    advance(&r, 1);
    assert_near(value(&r, "x.w"), 10 * pow(1 - t0, 2) / (2 * M), 1e-12);
    assert_near(component(&r, "x.q", 0), 10 * pow(1 - t0, 3) / (6 * M), 1e-12);
    assert_in_range(ledger_of(&r)->event_count, 3, 20);
    assert_balanced(&r);
    stop(&r);
  }
}

/** The same foot, drawn by a motor whose rotor J turns n times as fast as a drum of 1 m: F n and J n^2 count at the foot. The friction at the rotor has no
 *  constraint of its own, as storages joined for good stop with it. */
static void floor_and_motor_hold_a_foot(void **state) {
  (void)state;
  static const char *const networks[] = {
      "<TF id='n' ratio='0.05'/><bond from='r' to='n'/><bond from='n' to='x'/>",
      "<TF id='n' ratio='20'/><bond from='x' to='n'/><bond from='n' to='r'/>"};
  for (int i = 0; i < 4; i += PLAIN ? 1 : 3) {
    char text[TEXT] = "";
    add(text,
        "<screwbond version='1' id='m'><run t-end='1 s' rtol='1e-10'/><laws><contact-law id='l' "
        "normal='rigid' friction='coulomb' mu='%s'/></laws><mechanism gravity='0 0 -9.81'><ground "
        "id='g'><shape id='w' kind='plane' normal='0 0 1'/></ground><body id='c' mass='0.1' "
        "inertia='1 1 1'/><joint id='x' kind='prismatic' axis='1 0 0' parent='world' child='c'/>"
        "<body id='b' mass='1' inertia='1 1 1'><shape id='s' kind='sphere' radius='0.1'/></body>"
        "<joint id='z' kind='prismatic' axis='0 0 1' parent='c' child='b' q0='0.1'/><contact a='s' "
        "b='w' law='l'/></mechanism><network><Se id='m' domain='rotation' effort='0.5[N.m/s]*t'/>"
        "<J1 id='r' domain='rotation'/><bond from='m' to='r'/><I id='J' inertia='0.002 kg.m^2'/>"
        "<bond from='r' to='J'/><Friction id='F' domain='rotation' coulomb='0.1'/><bond from='r' "
        "to='F'/>%s</network></screwbond>",
        i / 2 == 0 ? "0.3" : "0", networks[i % 2]);
    run r = start_netlist(text);
    const double n = 20, slope = 0.5 * n, M = 1.1 + 0.002 * n * n;
    const double t0 = ((i / 2 == 0 ? 0.3 : 0) * g + 0.1 * n) / slope;
    advance(&r, t0 - 1e-6);
    assert_near(value(&r, "x.w"), 0, 1e-15);
    advance(&r, 1);
    assert_near(value(&r, "x.w"), slope * pow(1 - t0, 2) / (2 * M), 1e-12);
    assert_near(component(&r, "x.q", 0), slope * pow(1 - t0, 3) / (6 * M), 1e-12);
    assert_balanced(&r);
    stop(&r);
  }
}

/** A foot whose guide has two frictions, of which one holds the motion and the other one is at an end of its strength: together they and the floor hold until
 *  the sum of all, with peaks of the peaks, whichever is the stronger; on the guide, or on the shaft of a motor there. */
static void two_frictions_on_one_guide(void **state) {
  (void)state;
  static const double strengths[][4] = {
      {1.5, 0.5, 1.5, 0.5}, {0.3, 1.7, 0.3, 1.7}, {1.5, 0.5, 1.8, 0.9}};
  static const char *const networks[] = {
      "<bond from='x' to='F'/><bond from='x' to='G'/>",
      "<J1 id='r'/><I id='J' inertia='0.4 kg'/><TF id='n' ratio='1'/><bond from='x' to='n'/><bond "
      "from='n' to='r'/><bond from='r' to='J'/><bond from='r' to='F'/><bond from='r' to='G'/>"};
  for (int i = 0; i < 6; i += THOROUGH ? 1 : 5) {
    const double *F = strengths[i / 2], mu = 0.3, M = i % 2 == 0 ? 1.1 : 1.5;
    char text[TEXT] = "";
    add(text,
        "<screwbond version='1' id='m'><run t-end='1 s' rtol='1e-10'/><laws><contact-law id='l' "
        "normal='rigid' friction='coulomb' mu='%g'/></laws><mechanism gravity='0 0 -9.81'><ground "
        "id='g'><shape id='w' kind='plane' normal='0 0 1'/></ground><body id='c' mass='0.1' "
        "inertia='1 1 1'/><joint id='x' kind='prismatic' axis='1 0 0' parent='world' child='c'/>"
        "<body id='b' mass='1' inertia='1 1 1'><shape id='s' kind='sphere' radius='0.1'/></body>"
        "<joint id='z' kind='prismatic' axis='0 0 1' parent='c' child='b' q0='0.1'/><contact a='s' "
        "b='w' law='l'/></mechanism><network domain='translation'><Se id='m' effort='10[N/s]*t'/>"
        "<bond from='m' to='x'/><Friction id='F' coulomb='%g' static='%g'/><Friction id='G' "
        "coulomb='%g' static='%g'/>%s</network></screwbond>",
        mu, F[0], F[2], F[1], F[3], networks[i % 2]);
    run r = start_netlist(text);
    const double t0 = (mu * g + F[2] + F[3]) / 10, slides = mu * g + F[0] + F[1];
    advance(&r, t0 - 1e-6);
    assert_near(value(&r, "x.w"), 0, 1e-15);
    advance(&r, 1);
    assert_near(value(&r, "x.w"), (5 * (1 - t0 * t0) - slides * (1 - t0)) / M, 1e-8);
    assert_balanced(&r);
    stop(&r);
  }
}

/** A foot on two slides, each with friction, runs up a slope of angle a without friction: both slides come to rest at one instant, and are held by the sum of
 *  their peaks, 3 cos a + 2 sin a, until the weight and a force have come to that. Then both slide at once. */
static void peaks_come_to_rest_at_once(void **state) {
  (void)state;
  const double a = 0.4, c = cos(a), s = sin(a), v0 = 0.5, m = 1, M = 1.1; // [rad], [m/s], [kg]
  char text[TEXT] = "";
  add(text,
      "<screwbond version='1' id='m'><run t-end='1.5 s' rtol='1e-10'/><laws><contact-law id='l' "
      "normal='rigid' restitution='0'/></laws><mechanism gravity='0 0 -9.81'><ground id='g'><shape "
      "id='w' kind='plane' normal='%.17g 0 %.17g'/></ground><body id='c' mass='0.1' inertia='1 1 "
      "1'/><joint id='x' kind='prismatic' axis='1 0 0' parent='world' child='c' w0='%.17g'/><body "
      "id='b' mass='1' inertia='1 1 1'><shape id='s' kind='point'/></body><joint id='z' "
      "kind='prismatic' axis='0 0 1' parent='c' child='b' w0='%.17g'/><contact a='s' b='w' "
      "law='l'/></mechanism><network domain='translation'><Se id='m' "
      "effort='%g[N]-1[N/s]*t'/><bond "
      "from='m' to='x'/><Friction id='F' coulomb='2.5' static='3'/><bond from='x' to='F'/>"
      "<Friction id='G' coulomb='1.5' static='2'/><bond from='z' to='G'/></network></screwbond>",
      -s, c, v0 * c, v0 * s, 1.0);
  run r = start_netlist(text);
  const double inertia = M * c * c + m * s * s, weight = m * g * s - c, slides = 2.5 * c + 1.5 * s;
  // inertia v' = -(weight + slides) - c t, till t1, at which v = 0
  const double b = weight + slides, t1 = (-b + sqrt(b * b + 2 * c * inertia * v0)) / c;
  const double s1 = v0 * t1 - (b * t1 * t1 / 2 + c * t1 * t1 * t1 / 6) / inertia;
  const double t2 = (3 * c + 2 * s - weight) / c, t = 1.5 - t2, more = weight + c * t2 - slides;
  assert_true(t1 < 0.2 && t2 > 0.2 && t2 < 1.4);
  advance(&r, t2 - 1e-6);
  assert_near(component(&r, "x.q", 0), s1 * c, 1e-9);
  assert_near(value(&r, "x.w"), 0, 1e-15);
  advance(&r, 1.5);
  assert_near(component(&r, "x.q", 0), (s1 - (more * t * t / 2 + c * t * t * t / 6) / inertia) * c,
              1e-8);
  assert_balanced(&r);
  stop(&r);
}

/** A rotor with friction behind an open clutch, beside a link that rests on a floor: M - F stops it and turns it the other way at once, whatever the contact
 *  bears. */
static void rotor_apart_from_the_contact(void **state) {
  (void)state;
  run r = start_netlist(
      "<screwbond version='1' id='m'><run t-end='0.2 s' rtol='1e-10'/><laws><contact-law id='l' "
      "normal='rigid' restitution='0'/></laws><mechanism gravity='0 0 -9.81'><ground id='g'><shape "
      "id='w' kind='plane' normal='0 0 1'/></ground><body id='a' mass='1' com='0.15 0 0' "
      "inertia='1e-3 1e-2 1e-2'><shape id='t' kind='sphere' radius='0.01' mass='0' at='0.3 0 0'/>"
      "</body><joint id='j' kind='revolute' axis='0 1 0' parent='world' child='a' at='0 0 0.01'/>"
      "<contact a='t' b='w' law='l'/></mechanism><network domain='rotation'><Se id='m' "
      "effort='-0.9'/><J1 id='r'/><I id='J' inertia='5e-3' p0='0.066'/><bond from='m' to='r'/>"
      "<bond from='r' to='J'/><Friction id='F' coulomb='0.42'/><bond from='r' to='F'/><Clutch "
      "id='k' state='open' times='1 s'/><bond from='r' to='k.from'/><bond from='k.to' to='j'/>"
      "</network></screwbond>");
  advance(&r, 0.2);
  const double t1 = 0.066 / (0.9 + 0.42);
  assert_near(value(&r, "J.p"), -(0.9 - 0.42) * (0.2 - t1), 1e-12);
  assert_near(component(&r, "j.q", 0), 0, 1e-15);
  assert_balanced(&r);
  stop(&r);
}

/** A loop whose joints all have friction, with peaks and without: at rest the constraints of those that stick are dependent, and the flows
 *  that they leave are rounding, of no size but that of the forces. Together they hold the sum of F |dq_j/dq| and slip at once.
 *  @param text  the mechanism, driven at joint `a` by 1 N.m/s */
static run holds_to(const char *text, const char *frictions, double load) {
  char all[TEXT] = "";
  add(all,
      "<screwbond version='1' id='m'><run t-end='3 s' rtol='1e-9'/>%s<network>%s<Se id='drive' "
      "effort='1[N.m/s]*t'/><bond from='drive' to='a'/></network></screwbond>",
      text, frictions);
  run r = start_netlist(all);
  advance(&r, load - 1e-6);
  assert_near(value(&r, "a.w"), 0, 1e-15);
  assert_int_equal(ledger_of(&r)->event_count, 2); // both have come to stick at the start
  advance(&r, load + 0.1);
  assert_in_range(ledger_of(&r)->event_count, 4, 5);
  assert_near(ledger_of(&r)->events[2].t, load, 1e-9);
  assert_near(ledger_of(&r)->events[3].t, load, 1e-9);
  return r;
}

static void loops_hold_the_sum(void **state) {
  (void)state;
  // a parallelogram: all turn alike
  static const char parallelogram[] =
      "<mechanism gravity='0 0 0'><body id='A' mass='1' inertia='0.01 0.01 0.012' com='0.15 0 0'/>"
      "<body id='B' mass='1' inertia='0.02 0.03 0.03' com='0.5 0 0'/><body id='D' mass='1' "
      "inertia='0.01 0.01 0.02' com='0.15 0 0'/><joint id='a' kind='revolute' parent='world' "
      "child='A' q0='1.4'/><joint id='b' kind='revolute' parent='A' child='B' at='0.3 0 0' "
      "q0='-1.4'/><joint id='d' kind='revolute' parent='world' child='D' at='1 0 0' q0='1.4'/>"
      "<joint id='c' kind='revolute' parent='B' child='D' at='1 0 0' child-at='0.3 0 0' "
      "cut='yes'/></mechanism>";
  static const char *const frictions[] = {
      "<Friction id='F' domain='rotation' coulomb='0.6'/><bond from='a' to='F'/><Friction id='G' "
      "domain='rotation' coulomb='1'/><bond from='d' to='G'/>",
      "<Friction id='F' domain='rotation' coulomb='0.5' static='0.6'/><bond from='a' to='F'/>"
      "<Friction id='G' domain='rotation' coulomb='0.7' static='1'/><bond from='d' to='G'/>"};
  const double inertia = 0.012 + 0.15 * 0.15 + 0.02 + 0.15 * 0.15 + 0.3 * 0.3; // [kg m^2]
  for (int k = 0; k < 2; k++) {
    run r = holds_to(parallelogram, frictions[k], 1.6);
    const double slides = k == 0 ? 1.6 : 1.2; // [N m]
    assert_near(value(&r, "a.w"), ((1.7 * 1.7 - 1.6 * 1.6) / 2 - slides * 0.1) / inertia, 1e-8);
    assert_balanced(&r);
    stop(&r);
  }
  // a crank of 0.1 m at right angles to the way of its piston, whose rod does not turn just then
  run r = holds_to("<mechanism gravity='0 0 0'><body id='C' mass='2' inertia='0.02 0.02 0.02'/>"
                   "<body id='R' mass='1' inertia='0.01 0.01 0.01' com='0.15 0 0'/><body id='P' "
                   "mass='0.5' inertia='0.01 0.01 0.01'/><joint id='a' kind='revolute' "
                   "parent='world' child='C' q0='90 deg'/><joint id='b' kind='revolute' "
                   "parent='C' child='R' at='0.1 0 0'/><joint id='s' kind='prismatic' axis='1 0 0' "
                   "parent='world' child='P' at='0.2828427124746190 0 0'/><joint id='c' "
                   "kind='revolute' parent='P' child='R' child-at='0.3 0 0' cut='yes'/>"
                   "</mechanism>",
                   "<Friction id='F' domain='rotation' coulomb='0.3' static='0.4'/><bond from='b' "
                   "to='F'/><Friction id='G' domain='translation' coulomb='4' static='5'/>"
                   "<bond from='s' to='G'/>",
                   0.4 + 5 * 0.1);
  assert_balanced(&r);
  stop(&r);
}

/** Arms of two links whose tip presses on a floor under torques by time, with friction in joints: what holds two freedoms several times
 *  over slips and sticks, and gives no power. */
static void arm_presses_on_a_floor(void **state) {
  (void)state;
  static const char *const arms[][3] = {
      {"restitution='0' friction='coulomb' mu='0.646'", "kind='sphere' radius='0.02'",
       "<Se id='m' effort='0.0496[N.m]+2.44[N.m]*sin(18.5[rad/s]*t)'/><Se id='n' "
       "effort='0.729[N.m]*sin(12.2[rad/s]*t)'/><Friction id='F' coulomb='0.646'/>"},
      {"restitution='0.4' friction='coulomb' mu='0.29'",
       "kind='ellipsoid' semi-axes='0.02 0.03 0.025'",
       "<Se id='m' effort='0.0861[N.m]+0.444[N.m]*sin(18.8[rad/s]*t)'/><Se id='n' "
       "effort='0.13[N.m]*sin(19.1[rad/s]*t)'/><Friction id='F' coulomb='0.163'/><Friction id='G' "
       "coulomb='0.392'/><bond from='k' to='G'/>"}};
  for (size_t i = 0; i < sizeof arms / sizeof *arms; i++) {
    char text[TEXT] = "";
    add(text,
        "<screwbond version='1' id='m'><run t-end='1 s' rtol='1e-7'/><laws><contact-law id='l' "
        "normal='rigid' %s/></laws><mechanism gravity='0 0 -9.81'><ground id='g'><shape id='w' "
        "kind='plane' normal='0 0 1'/></ground><body id='a' mass='1' com='0.15 0 0' inertia='1e-3 "
        "1e-2 1e-2'/><joint id='j' kind='revolute' axis='0 1 0' parent='world' child='a' at='0 0 "
        "0.2' q0='10 deg'/><body id='b' mass='0.5' com='0.1 0 0' inertia='1e-3 2e-3 2e-3'><shape "
        "id='t' %s mass='0' at='0.2 0 0'/></body><joint id='k' kind='revolute' axis='0 1 0' "
        "parent='a' child='b' at='0.3 0 0' q0='20 deg'/><contact a='t' b='w' law='l'/></mechanism>"
        "<network domain='rotation'>%s<bond from='m' to='j'/><bond from='n' to='k'/><bond "
        "from='j' to='F'/></network></screwbond>",
        arms[i][0], arms[i][1], arms[i][2]);
    run r = start_netlist(text);
    advance(&r, 1);
    assert_closes(&r);
    stop(&r);
  }
}

/** An arm whose foot slides on a floor while two frictions each hold its slide and its elbow: all held, its accelerations contradict each other, and those of one
 *  motion alike. */
static void foot_slides_below_an_arm_at_rest(void **state) {
  (void)state;
  run r = start_netlist(
      "<screwbond version='1' id='m'><run t-end='0.8 s' rtol='1e-7'/><laws><contact-law id='l' "
      "normal='rigid' restitution='0.4' friction='coulomb' mu='0.525'/></laws><mechanism "
      "gravity='0 "
      "0 -9.81'><ground id='g'><shape id='w' kind='plane' normal='0 0 1' offset='-0.05'/></ground>"
      "<body id='a' mass='1' com='0.05 0 0' inertia='5e-3 5e-3 1e-2'/><joint id='j' "
      "kind='cylindrical' axis='0 0 1' parent='world' child='a' x0='0.2'/><body id='b' mass='0.4' "
      "com='0.1 0 0' inertia='1e-3 2e-3 2e-3'><shape id='t' kind='sphere' radius='0.02' mass='0' "
      "at='0.2 0 0'/></body><joint id='k' kind='revolute' axis='0 1 0' parent='a' child='b' "
      "at='0.1 0 0' q0='34.77 deg'/><contact a='t' b='w' law='l'/></mechanism><network "
      "domain='rotation'><Se id='m' effort='0.1919[N.m]+2.882[N.m]*sin(16.54[rad/s]*t)'/><bond "
      "from='m' to='j.turn'/><Se id='n' domain='translation' "
      "effort='10.56[N]+5.738[N]*sin(14.46[rad/s]*t)'/><bond from='n' to='j.slide'/><Friction "
      "id='T' coulomb='0.5467'/><bond from='j.turn' to='T'/><Friction id='S' domain='translation' "
      "coulomb='0.72802'/><bond from='j.slide' to='S'/><Friction id='S2' domain='translation' "
      "coulomb='1.16598'/><bond from='j.slide' to='S2'/><Friction id='K' coulomb='0.093859'/><bond "
      "from='k' to='K'/><Friction id='K2' coulomb='0.077841'/><bond from='k' to='K2'/></network>"
      "</screwbond>");
  advance(&r, 0.8);
  assert_closes(&r);
  stop(&r);
}

/** A ball that strikes a block which two frictions hold, one of them at the rotor behind a gear: both let go, the block goes off at
 *  2 m v/(m + M) with the inertia of the rotor in M, and comes to rest after M w^2/(2 sum F). */
static void two_frictions_bear_no_impulse(void **state) {
  (void)state;
  run r = start_netlist(
      "<screwbond version='1' id='m'><run t-end='0.3 s' rtol='1e-9'/><laws><contact-law id='h' "
      "normal='rigid' restitution='1'/></laws><mechanism gravity='0 0 0'><body id='k' mass='2' "
      "inertia='0.01 0.01 0.01'><shape id='s' kind='sphere' radius='0.1' mass='0'/></body><joint "
      "id='j' kind='prismatic' axis='1 0 0' parent='world' child='k'/><body id='b' mass='0.5' "
      "position='-0.15 0 0' velocity='1 0 0'><shape id='t' kind='sphere' radius='0.03'/></body>"
      "<contact id='hit' a='s' b='t' law='h'/></mechanism><network><J1 id='r' "
      "domain='rotation'/><I id='J' inertia='4e-4 kg.m^2'/><bond from='r' to='J'/><TF id='g' "
      "ratio='0.02'/><bond from='r' to='g'/><bond from='g' to='j'/><Friction id='f' "
      "domain='rotation' coulomb='0.05 N.m'/><bond from='r' to='f'/><Friction id='f2' "
      "domain='translation' coulomb='2.5 N'/><bond from='j' to='f2'/></network></screwbond>");
  advance(&r, 0.3);
  const double M = 2 + 4e-4 / (0.02 * 0.02), w = 2 * 0.5 / (0.5 + M), F = 2.5 + 0.05 / 0.02;
  assert_near(value(&r, "j.q"), M * w * w / (2 * F), 1e-9);
  assert_near(value(&r, "j.w"), 0, 1e-12);
  assert_near(component(&r, "b.velocity", 0), (0.5 - M) / (0.5 + M), 1e-12);
  assert_near(ledger_of(&r)->total.event_loss, 0, 1e-12);
  assert_balanced(&r);
  stop(&r);
}

/** An arm without load rests until a torque sets in, far below friction at first: nothing has had a size so far, and what is held moves by rounding. */
static void torque_sets_in_late(void **state) {
  (void)state;
  run r = start_netlist(
      "<screwbond version='1' id='scara'><run t-end='0.5 s'/><mechanism gravity='0 0 0'><body "
      "id='a' mass='0.729' com='0.2 0 0' inertia='0.01 0.02 0.03'/><joint id='j' kind='revolute' "
      "axis='0 0 1' parent='world' child='a'/><body id='b' mass='1.099' com='0.2 0 0' "
      "inertia='0.01 0.02 0.03'/><joint id='k' kind='revolute' axis='0 0 1' parent='a' child='b' "
      "at='0.4 0 0'/></mechanism><network domain='rotation'><Friction id='F' coulomb='0.64'/>"
      "<bond from='j' to='F'/><Friction id='G' coulomb='0.904'/><bond from='k' to='G'/><Se id='T' "
      "effort='30[N.m]*sin(3[1/s]*max(t-0.2[s],0[s]))'/><bond from='T' to='j'/></network>"
      "</screwbond>");
  advance(&r, 0.5);
  assert_string_equal(ledger_of(&r)->events[2].kind, "slip");
  assert_near(ledger_of(&r)->events[2].t, 0.2 + asin(0.64 / 30) / 3, 1e-9);
  assert_closes(&r);
  stop(&r);
}

/** A lift with friction that comes to its lower limit as the tip of its link is on the floor: the limit and the friction would state one thing twice. The
 *  link rests with its tip at the height of its radius, 0.25 m - 0.4 m cos(q) = 0.03 m, and bears half of its weight there. */
static void limit_and_friction_hold_a_lift(void **state) {
  (void)state;
  run r = start_netlist(
      "<screwbond version='1' id='m'><run t-end='1 s' rtol='1e-9'/><laws><contact-law id='h' "
      "normal='rigid'/></laws><mechanism gravity='0 0 -9.81 m/s^2'><ground id='fl'><shape "
      "kind='plane' normal='0 0 1' offset='0 m'/></ground><body id='base' mass='1 kg' "
      "inertia='0.1 0.1 0.1 kg.m^2'/><joint id='lift' kind='prismatic' parent='world' "
      "child='base' axis='0 0 1' limits='-0.1 1 m'/><body id='link' mass='1 kg' inertia='0.02 "
      "0.02 0.01 kg.m^2' com='0 0 -0.2 m'><shape kind='sphere' radius='0.03 m' at='0 0 -0.4 m' "
      "id='tip'/></body><joint id='j' kind='revolute' parent='base' child='link' at='0 0 0.35 m' "
      "axis='0 1 0' q0='0.9 rad'/><contact id='c' a='tip' b='fl' law='h'/></mechanism><network>"
      "<Friction id='fb' coulomb='2 N'/><bond from='lift' to='fb'/></network></screwbond>");
  advance(&r, 1);
  assert_near(value(&r, "lift.q"), -0.1, 1e-10);
  assert_near(value(&r, "j.q"), acos(0.55), 1e-9);
  assert_near(value(&r, "c.normal-force"), 9.81 / 2, 1e-8);
  assert_balanced(&r);
  stop(&r);
}

/** A hammer falls on a nail on a slide that one friction holds, or two: the flow of the slide is rounding of the nail's weight, whatever its mass, until it
 *  is struck, and it goes in as far by one friction as by two that have its strength. */
static void nail_is_driven_in(void **state) {
  (void)state;
  for (int i = 0; i < 12; i++) {
    double depth[2];
    for (int two = 0; two < 2; two++) {
      char text[1400];
      assert_true(
          snprintf(text, sizeof text,
                   "<screwbond version='1' id='m'><run t-end='0.3 s' rtol='1e-9'/><laws>"
                   "<contact-law id='h' normal='rigid'/></laws><mechanism gravity='0 0 -9.81 "
                   "m/s^2'><body id='ham' mass='0.8' inertia='0.0027 0.0027 0.0027' com='0.23 0 0'>"
                   "<shape kind='sphere' radius='0.025' at='0.25 0 0'/></body><joint id='hj' "
                   "kind='revolute' parent='world' child='ham' at='-0.25 0 0' axis='0 1 0' "
                   "q0='-0.65'/><body id='nail' mass='%g'><shape kind='sphere' radius='0.0125'/>"
                   "</body><joint id='nj' kind='prismatic' parent='world' child='nail' "
                   "axis='0 0 -1' q0='0.064'/><contact id='c' a='ham' b='nail' law='h'/>"
                   "</mechanism><network><Friction id='f0' coulomb='%g N'/><bond from='nj' "
                   "to='f0'/>%s</network></screwbond>",
                   0.1515 + 0.0731 * i, two ? 40. : 80.,
                   two ? "<Friction id='f1' coulomb='40 N'/><bond from='nj' to='f1'/>" : "") <
          (int)sizeof text);
      run r = start_netlist(text);
      advance(&r, 0.21);
      assert_int_equal(ledger_of(&r)->event_count, 1 + two);
      assert_true(ledger_of(&r)->work.steps < 60);
      advance(&r, 0.3);
      depth[two] = value(&r, "nj.q") - 0.064;
      assert_balanced(&r);
      stop(&r);
    }
    assert_true(depth[0] > 1e-4);
    assert_near(depth[1], depth[0], 1e-9);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(limit_and_friction_hold_a_lift),
                                     repeating_test(elbow_is_held),
                                     repeating_test(nail_is_driven_in),
                                     cmocka_unit_test(held_block_is_struck),
                                     repeating_test(floor_and_guide_hold_a_foot),
                                     repeating_test(floor_and_motor_hold_a_foot),
                                     repeating_test(two_frictions_on_one_guide),
                                     cmocka_unit_test(peaks_come_to_rest_at_once),
                                     cmocka_unit_test(rotor_apart_from_the_contact),
                                     repeating_test(loops_hold_the_sum),
                                     repeating_test(arm_presses_on_a_floor),
                                     cmocka_unit_test(foot_slides_below_an_arm_at_rest),
                                     cmocka_unit_test(two_frictions_bear_no_impulse),
                                     cmocka_unit_test(torque_sets_in_late),
                                     repeating_test(piston_and_crank_hold_one_motion)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
