// SPDX-License-Identifier: GPL-3.0-or-later
// Damping, limits and locks of joints with one and with several coordinates, against closed forms.
#include "tests/fixture.h"

#define BALL "<body id='b' mass='2 kg' inertia='0.3 0.3 0.3 kg.m^2'/>"
#define TOP "<body id='b' mass='2 kg' inertia='0.3 0.4 0.5 kg.m^2'/>"
#define JOINT(kind, more) "<joint id='j' kind='" kind "' parent='world' child='b' " more "/>"

/** w = w0 exp(-d t/J), v = v0 exp(-c t/m) */
static void damping_of_both(void **state) {
  (void)state;
  const double t = 0.7;
  run r = go("<mechanism>" TOP JOINT("cylindrical", "w0='2 rad/s' v0='-1 m/s' damping='0.6 N.m.s' "
                                                    "slide-damping='3 N.s/m'") "</mechanism>",
             t);
  double v[2];
  read_all(&r, "j.w", v);
  assert_near(v[0], 2 * exp(-0.6 * t / 0.5), 1e-9);
  assert_near(v[1], -exp(-3 * t / 2), 1e-9);
  assert_near(ledger_of(&r)->total.dissipated, 0.25 * (4 - v[0] * v[0]) + 1 - v[1] * v[1], 1e-8);
  stop(&r);
}

/** Of a spherical joint one number, or one about each axis of the child: w1' = -d1 w1/J1 alone about a principal axis. */
static void damping_of_a_free_turn(void **state) {
  (void)state;
  const double t = 0.9, w0[3] = {0.8, -1.1, 0.5};
  double w[3];
  run r = go(
      "<mechanism>" BALL JOINT("spherical", "w0='0.8 -1.1 0.5' damping='0.2'") "</mechanism>", t);
  read_all(&r, "j.w", w);
  for (int i = 0; i < 3; i++) {
    assert_near(w[i], w0[i] * exp(-0.2 * t / 0.3), 1e-9);
  }
  stop(&r);
  for (int k = 0; k < 3; k++) {
    const double d[] = {0.1, 0.2, 0.3}, J[] = {0.3, 0.4, 0.5};
    char text[700];
    (void)snprintf(text, sizeof text,
                   "<mechanism>" TOP JOINT("spherical",
                                           "rotation0='40 deg about 1 2 3' w0='%d %d %d' "
                                           "damping='0.1 0.2 0.3'") "</mechanism>",
                   k == 0, k == 1, k == 2);
    r = go(text, t);
    assert_near(component(&r, "j.w", k), exp(-d[k] * t / J[k]), 1e-9);
    stop(&r);
  }
}

/** A fall in a free joint that resists: v = -(m g/c) (1 - exp(-c t/m)). */
static void damping_of_a_fall(void **state) {
  (void)state;
  const double t = 1.2, c = 1.7;
  run r = go("<mechanism gravity='0 0 -9.81 m/s^2'>" TOP JOINT(
                 "free", "slide-damping='1.7 N.s/m'") "</mechanism>",
             t);
  assert_near(component(&r, "j.w", 2), -2 * 9.81 / c * (1 - exp(-c * t / 2)), 1e-8);
  stop(&r);
}

/** |triangle wave| between two walls, from 0 at speed v. */
static double bounced(double v, double t, double lower, double upper) {
  double x = v * t;
  while (x > upper || x < lower) {
    x = x > upper ? 2 * upper - x : 2 * lower - x;
  }
  return x;
}

/** A puck in a box, each direction by itself, and it spins between two stops as well. */
static void limits_of_each(void **state) {
  (void)state;
  run r =
      start("<mechanism>" BALL JOINT("planar", "v0='1.3 -0.7 m/s' w0='2 rad/s' "
                                               "slide-limits='-0.3 0.2 -10 15 cm' limits='-1 1.5 "
                                               "rad' restitution='1'") "</mechanism>",
            1e-10, 0);
  for (double t = 0.1; t < 2; t += 0.37) {
    double q[3];
    advance(&r, t);
    read_all(&r, "j.q", q);
    assert_near(q[0], bounced(1.3, t, -0.003, 0.002), 1e-8);
    assert_near(q[1], bounced(-0.7, t, -0.1, 0.15), 1e-8);
    assert_near(q[2], bounced(2, t, -1, 1.5), 1e-8);
  }
  assert_near(ledger_of(&r)->total.event_loss, 0, 1e-12);
  stop(&r);
  // without restitution the angle of a universal joint stays at its stop, and J w^2/2 is lost
  r = go("<mechanism>" BALL JOINT("universal",
                                  "w0='0 2 rad/s' limits='-1 1 -0.5 0.4 rad'") "</mechanism>",
         1);
  assert_near(component(&r, "j.q", 1), 0.4, 1e-9);
  assert_near(component(&r, "j.q", 0), 0, 1e-12);
  assert_near(ledger_of(&r)->total.event_loss, 0.3 * 4 / 2, 1e-9);
  stop(&r);
}

/** Elastic stops: half a period later it leaves as fast as it came; z^2 = m v^2/k at the turning point. */
static void elastic_limits(void **state) {
  (void)state;
  const double k = 5e3, v = 1.5, m = 2, first = 0.2 / v, w = sqrt(k / m);
  run r = start("<mechanism>" BALL JOINT("prismatic", "v0='1.5 m/s' limits='-1 0.2 m' "
                                                      "limit-stiffness='5 kN/m'") "</mechanism>",
                1e-11, 0);
  advance(&r, first + SB_PI / (2 * w));
  assert_near(value(&r, "j.q"), 0.2 + v / w, 1e-9);
  advance(&r, first + SB_PI / w + 0.3);
  assert_near(value(&r, "j.q"), 0.2 - 0.3 * v, 1e-9);
  assert_near(value(&r, "j.w"), -v, 1e-9);
  assert_balanced(&r);
  stop(&r);
  // m u du/dz = -k z (1 + d u): G(v) = G(-v') with G(u) = u/d - ln(1 + d u)/d^2, and k z^2/2 = m G(v)
  const double d = 0.8, J = 0.3;
  r = start("<mechanism>" BALL JOINT("universal",
                                     "w0='0 -1.5 rad/s' limits='-2 2 -0.2 2 rad' "
                                     "limit-stiffness='1 5 kN.m/rad' limit-damping='0.8 "
                                     "s/rad'") "</mechanism>",
            1e-11, 0);
  advance(&r, first + 0.1);
  const double u = component(&r, "j.w", 1), Gv = v / d - log(1 + d * v) / (d * d);
  assert_true(u > 0 && u < v);
  assert_near(-u / d - log(1 - d * u) / (d * d), Gv, 1e-8);
  assert_near(ledger_of(&r)->total.dissipated, J * (v * v - u * u) / 2, 1e-8);
  assert_balanced(&r);
  stop(&r);
}

/** A rod that stands off from a locked spherical joint: the lock holds m g l. Of a cylindrical one the turn alone is held. */
static void locks(void **state) {
  (void)state;
  run r = go("<mechanism gravity='0 0 -9.81 m/s^2'><body id='b' mass='2' com='0.3 0 0' inertia='1 "
             "1 1'/>" JOINT("spherical", "locked='yes'") "</mechanism>",
             0.5);
  double e[3];
  read_all(&r, "b.position", e);
  assert_near(e[0], 0.3, 1e-12);
  read_all(&r, "j/lock.e", e);
  assert_near(fabs(e[1]), 2 * 9.81 * 0.3, 1e-9);
  assert_near(e[0], 0, 1e-9);
  stop(&r);
  r = go("<mechanism gravity='0 0 -9.81 m/s^2'>" TOP JOINT(
             "cylindrical", "locked='yes no' w0='1 rad/s'") "</mechanism>",
         0.5);
  read_all(&r, "j.q", e);
  assert_near(e[0], 0, 1e-12);
  assert_near(e[1], -9.81 * 0.125, 1e-9);
  stop(&r);
  r = go("<mechanism gravity='0 -9.81 0 m/s^2'>" TOP JOINT(
             "planar", "locked='no yes no' w0='2' v0='1 0'") "</mechanism>",
         0.5);
  read_all(&r, "j.q", e);
  assert_near(e[0], 0.5, 1e-10);
  assert_near(e[1], 0, 1e-12);
  assert_near(e[2], 1, 1e-10);
  stop(&r);
}

/** One coordinate of several has a port of its own: a torque about the first axis alone. */
static void port_of_one_coordinate(void **state) {
  (void)state;
  run r = go(
      "<mechanism>" BALL JOINT(
          "universal", "") "</mechanism><network domain='rotation'>"
                           "<Se id='T' effort='0.6 N.m'/><bond from='T' to='j.turn1'/></network>",
      0.8);
  assert_near(component(&r, "j.w", 0), 0.6 * 0.8 / 0.3, 1e-9);
  assert_near(component(&r, "j.w", 1), 0, 1e-12);
  stop(&r);
  r = go("<mechanism>" BALL JOINT("translational",
                                  "") "</mechanism><network domain='translation'>"
                                      "<C id='k' c='0.02 m/N' q0='3 cm'/><bond from='j.slide3' "
                                      "to='k'/><Se id='F' effort='1 2 0 N'/>"
                                      "<bond from='F' to='j'/></network>",
         0.8);
  assert_near(component(&r, "j.q", 2), 0.03 * (cos(5 * 0.8) - 1), 1e-8);
  assert_near(component(&r, "j.q", 1), 0.32, 1e-9);
  stop(&r);
}

/** Where a loop is closed at the start by a coordinate that gives way, its stop counts from where that has come to. */
static void limits_of_what_gave_way(void **state) {
  (void)state;
  run r = go("<mechanism gravity='0 -9.81 0 m/s^2'>"
             "<body id='a' mass='1' com='0.5 0 0' inertia='0.1 0.1 0.1'/>"
             "<body id='c' mass='1' com='0.5 0 0' inertia='0.1 0.1 0.1'/>"
             "<joint id='one' kind='revolute' parent='world' child='a' q0='60 deg'/>"
             "<joint id='two' kind='revolute' parent='a' child='c' at='1 0 0' limits='-2.2 0 rad'/>"
             "<joint id='rail' kind='prismatic' axis='1 0 0' parent='world' child='s'/>"
             "<body id='s' mass='1' inertia='1 1 1'/>"
             "<joint id='pin' kind='revolute' parent='s' child='c' child-at='1 0 0'/>"
             "</mechanism>",
             0);
  assert_near(value(&r, "two.q"), -2 * SB_PI / 3, 1e-9);
  assert_near(value(&r, "two/limits.q"), value(&r, "two.q"), 1e-12);
  advance(&r, 2);
  assert_near(value(&r, "two/limits.q"), value(&r, "two.q"), 1e-8);
  assert_true(value(&r, "two.q") >= -2.2 - 1e-9);
  stop(&r);
}

static void assert_fault(const char *joint, const char *message, int column) {
  char text[2000];
  sb_errors errors = {0};
  sb_netlist *netlist = NULL;
  (void)snprintf(
      text, sizeof text,
      "<screwbond version='1' id='m'><mechanism>" TOP
      "\n<joint id='j' parent='world' child='b' %s/></mechanism><run t-end='1'/></screwbond>",
      joint);
  (void)sb_netlist_parse("test.xml", text, strlen(text), NULL, 0, &netlist, &errors);
  if (errors.count != 1) {
    show_errors(&errors);
  }
  assert_int_equal(errors.count, 1);
  assert_string_equal(errors.items[0].text, message);
  assert_int_equal(errors.items[0].line, 2);
  assert_int_equal(errors.items[0].column, 39 + column);
  sb_errors_finish(&errors);
  sb_netlist_destroy(netlist);
}

static void faults(void **state) {
  (void)state;
  assert_fault("kind='universal' damping='1 2 3'",
               "joint 'j': damping takes 2 numbers, or one for all, got 3", 27);
  assert_fault("kind='universal' damping='-1'", "joint 'j': damping must not be negative", 27);
  assert_fault("kind='universal' slide-damping='1'",
               "a universal joint has no attribute 'slide-damping'", 18);
  assert_fault("kind='fixed' locked='yes'", "a fixed joint has no attribute 'locked'", 14);
  assert_fault("kind='universal' limits='-1 1'", "joint 'j': limits takes 4 numbers, got 2", 26);
  assert_fault("kind='universal' limits='-1 1 2 1'",
               "joint 'j': the lower limit is not below the upper one", 26);
  assert_fault("kind='universal' limits='-1 1 1 2'", "joint 'j' starts at 0 rad, beyond its limits",
               26);
  assert_fault("kind='spherical' limits='-1 1'",
               "joint 'j': a joint that turns freely has no angles that limits could hold", 26);
  assert_fault("kind='spherical' locked='yes no no'",
               "joint 'j': a joint that turns freely is locked in all its three rates, or in none",
               26);
  assert_fault("kind='planar' locked='yes no'", "joint 'j': locked takes one word, or 3, got 2",
               23);
  assert_fault("kind='planar' locked='maybe'", "joint 'j': locked must be yes or no, not 'maybe'",
               23);
  assert_fault("kind='revolute' limit-stiffness='1'",
               "joint 'j': there are no limits that this belongs to", 34);
  assert_fault("kind='revolute' restitution='0.5'",
               "joint 'j': there are no limits that this belongs to", 30);
  assert_fault("kind='cylindrical' slide-limits='-1 1 m' slide-rest='0.5 m'",
               "joint 'j': there is no slide-stiffness that this belongs to", 54);
  assert_fault("kind='prismatic' rest='0.5 m'",
               "joint 'j': there is no stiffness that this belongs to", 24);
  assert_fault("kind='revolute' limits='-1 1' limit-damping='1'",
               "joint 'j': only limits with a limit-stiffness take a limit-damping", 46);
  assert_fault("kind='revolute' limits='-1 1' limit-stiffness='1' restitution='1'",
               "joint 'j': elastic limits have no restitution", 64);
  assert_fault("kind='revolute' limits='-1 1' restitution='1.5'",
               "joint 'j': restitution must be from 0 to 1", 44);
  assert_fault("kind='revolute' stiffness='1e308'",
               "joint 'j': stiffness must be from -1e+100 to 1e+100 in SI units, not 1e+308", 28);
  assert_fault("kind='prismatic' at='0 0 1e150 m'",
               "joint 'j': at must be from -1e+100 to 1e+100 in SI units, not 1e+150", 22);
}

/** What the reading of a four-bar linkage says, and how often: of its four joints the last closes it, unless another is cut. */
static int assembled(const char *first, const char *second, const char *cut, char said[],
                     size_t size) {
  char text[2000];
  sb_errors errors = {0};
  sb_netlist *netlist = NULL;
  (void)snprintf(text, sizeof text,
                 "<screwbond version='1' id='m'><defaults><joint kind='revolute' axis='0 0 1'/>"
                 "<body mass='1 kg' inertia='0.03 0.04 0.05 kg.m^2'/></defaults><mechanism>"
                 "<body id='a'/><body id='b'/><body id='c'/>"
                 "<joint id='ja' parent='world' child='a' %s/>"
                 "<joint id='jb' parent='a' child='b' at='0.31 0 0 m' %s/>"
                 "<joint id='jc' parent='world' child='c' at='0.74 0 0 m' %s/>"
                 "<joint id='jd' parent='b' child='c' at='0.83 0 0 m' child-at='0.57 0 0 m'/>"
                 "</mechanism><run t-end='1 s'/></screwbond>",
                 first, second, cut);
  ok(sb_netlist_parse("test.xml", text, strlen(text), NULL, 0, &netlist, &errors), NULL);
  const int count = netlist->warnings.count;
  (void)snprintf(said, size, "%s", count > 0 ? netlist->warnings.items[0].text : "");
  sb_errors_finish(&errors);
  sb_netlist_destroy(netlist);
  return count;
}

/** A linkage with one freedom stands where one coordinate says, whatever closes it; without one the closing chooses, and says so. */
static void start_that_is_open(void **state) {
  (void)state;
  char said[SB_ERROR_TEXT];
  assert_int_equal(assembled("", "", "", said, sizeof said), 1);
  assert_string_equal(said, "nothing that is given tells where joint 'jb' starts: the closing of "
                            "its loop has chosen");
  assert_int_equal(assembled("", "", "cut='yes'", said, sizeof said), 1);
  assert_int_equal(assembled("q0='1.05 rad'", "", "", said, sizeof said), 0);
  assert_int_equal(assembled("q0='1.05 rad'", "", "cut='yes'", said, sizeof said), 0);
  assert_int_equal(assembled("", "q0='-0.7 rad'", "", said, sizeof said), 0);
}

/** A carriage turns about and slides along x = 0.8 z = 0; its arm of 0.5 m ends on a ball at the end of a rod that turns about z: the
 *  angle that is given stays to its last digit, the length, which is not, gives way, and the ball joint closes. */
static void what_is_given_stays(void **state) {
  (void)state;
  const double angle = 0.35;
  run r = start(
      "<mechanism><body id='a' mass='1' inertia='0.03 0.04 0.05 kg.m^2'/>"
      "<body id='c' mass='1' inertia='0.03 0.04 0.05 kg.m^2'/>"
      "<joint id='r' kind='universal' axis='0 0 1' axis2='0 1 0' parent='world' child='a'/>"
      "<joint id='cy' kind='cylindrical' axis='0 1 0' parent='world' child='c' at='0.8 0.1 0 m' "
      "child-at='0 0 0.5 m' q0='0.35 rad'/>"
      "<joint id='s' kind='spherical' parent='a' child='c' at='0.9 0 0 m' cut='yes'/>"
      "</mechanism>",
      1e-9, 0);
  double end[3];
  read_all(&r, "c.origin", end);
  assert_true(component(&r, "cy.q", 0) == angle);
  // the end of the arm: the joint's place less 0.5 m along the turned z axis; |end| = 0.9
  const double x = 0.8 - 0.5 * sin(angle), z = -0.5 * cos(angle);
  assert_near(end[0], x, 1e-14);
  assert_near(end[2], z, 1e-14);
  assert_near(end[1] * end[1], 0.81 - x * x - z * z, 1e-14);
  stop(&r);
}

/** An arm of round bodies that moves in a plane but for rounding: limits that nothing meets add no steps, though what they measure
 *  across the plane is 1e-29 rad. */
static void limits_that_nothing_meets(void **state) {
  (void)state;
  static const char *const limits[] = {"", "limits='-30 30 -20 45 deg'",
                                       "limits='-30 30 -20 45 deg' limit-stiffness='1000'"};
  long steps[3];
  for (int k = 0; k < 3; k++) {
    char text[1200];
    (void)snprintf(
        text, sizeof text,
        "<mechanism gravity='0 0 -9.81 m/s^2'><body id='a' mass='1' inertia='0.01 0.01 0.01 "
        "kg.m^2'/>"
        "<body id='b' mass='1' inertia='0.01 0.01 0.01 kg.m^2'/>"
        "<body id='c' mass='1' inertia='0.01 0.01 0.01 kg.m^2'/>"
        "<joint id='shoulder' kind='revolute' axis='0 1 0' parent='world' child='a' q0='20 deg'/>"
        "<joint id='uni' kind='universal' axis='1 0 0' parent='a' child='b' %s/>"
        "<joint id='cyl' kind='cylindrical' axis='0 0 1' parent='b' child='c' q0='1 deg'/>"
        "</mechanism>",
        limits[k]);
    run r = start(text, 1e-8, 0);
    advance(&r, 0.1);
    steps[k] = ledger_of(&r)->work.steps;
    stop(&r);
  }
  assert_true(steps[1] <= 2 * steps[0] && steps[2] <= 2 * steps[0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(limits_that_nothing_meets),
      cmocka_unit_test(damping_of_both),
      cmocka_unit_test(damping_of_a_free_turn),
      cmocka_unit_test(damping_of_a_fall),
      repeating_test(limits_of_each),
      cmocka_unit_test(elastic_limits),
      cmocka_unit_test(locks),
      cmocka_unit_test(port_of_one_coordinate),
      repeating_test(limits_of_what_gave_way),
      cmocka_unit_test(faults),
      cmocka_unit_test(start_that_is_open),
      cmocka_unit_test(what_is_given_stays),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
