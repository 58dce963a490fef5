// SPDX-License-Identifier: GPL-3.0-or-later
// What hangs at the port of a joint, against closed forms, and one motion stated in several ways.
#include "tests/fixture.h"

#define ARM                                                                                        \
  "<body id='arm' mass='2 kg' com='0.3 0 0 m' inertia='0.02 0.05 0.07 kg.m^2'/>"                   \
  "<joint id='j' kind='revolute' axis='0 0 1' parent='world' child='arm' "
static const double pivot = 0.07 + 2 * 0.3 * 0.3; // [kg m^2] inertia of the arm about its joint

/** Whichever way its bond points, a spring is turned by what the joint turns: from 0.2 rad, with 2 N m/rad,
 *  q = 0.2 cos(w t) and w^2 = 2/J. */
static void spring_follows_the_joint(void **state) {
  (void)state;
  run r =
      go("<mechanism>" ARM "q0='0.2 rad'/></mechanism><network domain='rotation'>"
         "<C id='spring' c='0.5 rad/(N.m)' q0='0.2 rad'/><bond from='j' to='spring'/></network>",
         1.3);
  double expected = 0.2 * cos(sqrt(2 / pivot) * 1.3);
  assert_near(value(&r, "j.q"), expected, 1e-8);
  assert_near(value(&r, "spring.q"), expected, 1e-8);
  stop(&r);
}

/** A torque turns the joint its way, one that is drawn from it the other way. */
static void torques_have_a_direction(void **state) {
  static const char *const bonds[] = {"<bond from='T' to='j'/>", "<bond from='j' to='T'/>"};
  (void)state;
  for (int k = 0; k < 2; k++) {
    char text[600];
    (void)snprintf(text, sizeof text,
                   "<mechanism>" ARM "/></mechanism><network domain='rotation'>"
                   "<Se id='T' effort='0.4 N.m'/>%s</network>",
                   bonds[k]);
    run r = go(text, 0.7);
    assert_near((k == 0 ? 1 : -1) * value(&r, "j.w"), 0.4 * 0.7 / pivot, 1e-9);
    stop(&r);
  }
}

/** Rigid stops at -0.1 and 0.5 rad: at 1 rad/s it meets the upper one first, and the lower one 0.6 s later. */
static void limits_are_those_of_the_joint(void **state) {
  (void)state;
  run r = go("<mechanism>" ARM "w0='1 rad/s' limits='-0.1 0.5 rad' restitution='1'/></mechanism>",
             0.45);
  assert_near(value(&r, "j.q"), 0.45, 1e-9);
  advance(&r, 0.9);
  assert_near(value(&r, "j.q"), 0.1, 1e-9);
  advance(&r, 1.3);
  assert_near(value(&r, "j.q"), 0.1, 1e-9);
  assert_near(value(&r, "j.w"), 1, 1e-9);
  stop(&r);
}

/** A rotor behind a gear of ratio n is a dependent storage: J + n^2 Jr turns. */
static void rotor_behind_a_gear(void **state) {
  (void)state;
  run r = go("<mechanism>" ARM "/></mechanism><network domain='rotation'>"
             "<Se id='T' effort='0.4 N.m'/><J1 id='shaft'/><I id='rotor' inertia='0.003 kg.m^2'/>"
             "<TF id='gear' ratio='1/8'/><bond from='T' to='shaft'/><bond from='shaft' to='rotor'/>"
             "<bond from='shaft' to='gear'/><bond from='gear' to='j'/></network>",
             0.5);
  double J = pivot + 64 * 0.003; // the joint turns by 1/8 of the rotor
  assert_near(value(&r, "j.w"), 8 * 0.4 * 0.5 / J, 1e-9);
  assert_near(value(&r, "rotor.f"), 8 * value(&r, "j.w"), 1e-9);
  stop(&r);
}

/** A damped joint loses its speed as exp(-c t/J); a locked one keeps its angle. */
static void damping_and_lock(void **state) {
  (void)state;
  run r = go("<mechanism>" ARM "w0='2 rad/s' damping='0.6 N.m.s/rad'/></mechanism>", 0.4);
  assert_near(value(&r, "j.w"), 2 * exp(-0.6 / pivot * 0.4), 1e-8);
  stop(&r);
  r = go("<mechanism gravity='0 -9.81 0 m/s^2'>" ARM "q0='0.3 rad' locked='yes'/></mechanism>", 1);
  assert_near(value(&r, "j.q"), 0.3, 1e-12);
  stop(&r);
}

/** A lock beside a slide: whether its rate is zero is judged by rates, not by velocities that are a million times as large. */
static void lock_of_a_large_machine(void **state) {
  (void)state;
  for (double L = 1e-6; L < 1e7; L *= 1e6) {
    char inertia[100], text[1500];
    (void)snprintf(inertia, sizeof inertia, "mass='1 kg' inertia='%g %g %g kg.m^2'", 0.1 * L * L,
                   0.13 * L * L, 0.15 * L * L);
    (void)snprintf(
        text, sizeof text,
        "<mechanism gravity='0 0 %.17g m/s^2'><body id='a' %s/><body id='b' %s/><body id='c' %s/>"
        "<joint id='hook' kind='universal' axis='1 0 0' axis2='0 1 0' parent='world' child='a' "
        "child-at='%g 0 %g m'/>"
        "<joint id='slide' kind='prismatic' axis='1 2 -1' parent='a' child='b' "
        "at='%g 0 %g m' v0='%g m/s' stiffness='30 N/m'/>"
        "<joint id='j' kind='revolute' axis='0.3 0.6 -0.9' parent='b' child='c' at='%g 0 %g m' "
        "child-at='0 0 %g m' q0='20 deg' locked='yes'/>"
        "<Wrench id='w' on='c' force-x='%g N'/></mechanism>",
        -9.81 * L, inertia, inertia, inertia, 0.3 * L, 0.5 * L, 0.3 * L, 0.5 * L, 0.5 * L, 0.3 * L,
        0.5 * L, 0.5 * L, 0.1 * L);
    run r = go(text, 3);
    assert_near(ledger_of(&r)->structure.residual_relative, 0, 1e-14);
    stop(&r);
  }
}

/** The rate of a locked angle is what rounding leaves of rates of 1e-15 rad/s^2, 1e-31 and then 1e-46: a multiplier that finds it is no
 *  other branch of the loop. Whether it was depended on the last digits. */
static void lock_whose_rate_is_rounding(void **state) {
  (void)state;
  run r = start_netlist(
      "<screwbond version='1' id='m'><materials><material id='soft' "
      "stiffness='4.07875375819905 4.07875375819905 5.30237988565877 N/m' "
      "spin-stiffness='1.66710109199176e+16 N.m/rad'/></materials><laws><contact-law "
      "id='law' normal='lee-wang' stiffness='0.000161312816766642' "
      "damping='0.0181020924797852'/></laws><mechanism><ground id='floor' "
      "material='soft'><shape kind='plane' normal='0 0 1' offset='0 m'/></ground><body "
      "id='T0' mass='4185480608537.92 kg' inertia='1.71072334998836e+29 2.22394035498486e+29 "
      "2.56608502498254e+29 kg.m^2' com='35306622.2036188 -15576937.5632064 "
      "-26794577.7263761 m' gravity='0 0 -1.98527283248638e-07 m/s^2' "
      "material='soft'/><joint id='j0' parent='world' child='T0' at='0 0 3004796622.65224 m' "
      "child-at='168911276.723022 199622202.076876 279561372.317725 m' kind='revolute' "
      "axis='-0.140133314232164 -0.0444580504557326 -0.603133243172022' "
      "q0='-0.450409532468091 rad' w0='2.22059474469459e-09 rad/s' "
      "stiffness='1.60551858328824e+16 N.m/rad'/><body id='T1' mass='2825886011643.21 kg' "
      "inertia='1.1550188942847e+29 1.50152456257011e+29 1.73252834142705e+29 kg.m^2' "
      "com='49094167.1003679 9452160.79710197 -19638156.7066927 m' gravity='0 0 "
      "-1.98527283248638e-07 m/s^2' material='soft'/><joint id='j1' parent='T0' child='T1' "
      "at='-138406909.31317 215973686.317952 -181579770.333508 m' child-at='183672303.029921 "
      "265640064.090362 -200610698.576653 m' kind='cylindrical' axis='-0.428213761189078 "
      "0.68491379610838 0.0683447987572003' slide-stiffness='0.0815750751639811 N/m'/><body "
      "id='T2' mass='3673493687179.85 kg' inertia='1.50145993123801e+29 1.95189791060942e+29 "
      "2.25218989685702e+29 kg.m^2' com='-58362843.1950501 -24985961.677167 "
      "-5429793.94582549 m' gravity='0 0 -1.98527283248638e-07 m/s^2' "
      "material='soft'/><joint id='j2' parent='T1' child='T2' at='-244917328.026071 "
      "-127828628.414768 -238241288.527461 m' child-at='206285658.423004 13170152.8489763 "
      "-200442061.246701 m' kind='revolute' axis='-0.217028233175733 0.911766810674452 "
      "0.938902289427025' q0='3.54265951811637 deg' locked='yes'/><body id='T3' "
      "mass='6148854464965.83 kg' inertia='2.51320932832412e+29 3.26717212682136e+29 "
      "3.76981399248618e+29 kg.m^2' com='-55070208.150815 54246552.7922985 -44454355.2907867 "
      "m' gravity='0 0 -1.98527283248638e-07 m/s^2' material='soft'><shape kind='sphere' "
      "radius='379433855.700041 m'/></body><joint id='j3' parent='T2' child='T3' "
      "at='159500961.516917 -188818791.265199 -125051431.523664 m' "
      "child-at='310256922.906374 52130471.234345 -255924629.826339 m' kind='revolute' "
      "axis='0.340140135864817 0.389953125649134 -0.531732437729928' q0='0.34141325372957 "
      "rad' w0='-4.74526456612692e-10 rad/s'/><contact a='floor' b='T3' "
      "law='law'/></mechanism><run t-end='283738662.256598 s' /></screwbond>");
  advance(&r, 283738662);
  assert_true(ledger_of(&r)->residual_relative < ledger_of(&r)->limit);
  stop(&r);
}

/** Two bodies in flight, told from either end: the same motion. */
static void tree_from_either_root(void **state) {
  static const char *const trees[] = {
      "<body id='a' mass='3 kg' inertia='0.2 0.3 0.4 kg.m^2' angular-velocity='0.3 0.1 0.4 rad/s'/>"
      "<body id='b' mass='1 kg' com='0 0.2 0 m' inertia='0.05 0.02 0.06 kg.m^2'/>"
      "<joint id='j' kind='revolute' axis='0 0 1' parent='a' child='b' at='0.4 0 0 m'/>",
      "<body id='b' mass='1 kg' com='0 0.2 0 m' inertia='0.05 0.02 0.06 kg.m^2' position='0.4 0 0 "
      "m'"
      " velocity='0 0.16 -0.04 m/s' angular-velocity='0.3 0.1 0.4 rad/s'/>"
      "<body id='a' mass='3 kg' inertia='0.2 0.3 0.4 kg.m^2'/>"
      "<joint id='j' kind='revolute' axis='0 0 -1' parent='b' child='a' child-at='0.4 0 0 m'/>"};
  double place[2][3], energy[2];
  (void)state;
  for (int k = 0; k < 2; k++) {
    char text[900];
    (void)snprintf(text, sizeof text, "<mechanism>%s</mechanism>", trees[k]);
    run r = go(text, 3);
    read_all(&r, "b.position", place[k]);
    energy[k] = value(&r, k == 0 ? "tree(a).energy" : "tree(b).energy");
    stop(&r);
  }
  for (int i = 0; i < 3; i++) {
    assert_near(place[0][i], place[1][i], 1e-8);
  }
  assert_near(energy[0], energy[1], 1e-9);
}

/** A ratchet and a lock that both hold a joint, and two locks: each states the constraint, and a mass by its energy as a joint. From 0.3 s to 0.5 s the
 *  lock is open and the force has one direction: p = 0.6 N.s (cos 1.5 - cos 5t). */
static void two_that_hold(void **state) {
  (void)state;
  static const char *const others[] = {"<Diode id='a'/>", "<Switch id='a' times='0.2 0.6 s'/>"};
  static const char *const masses[] = {
      "<J1 id='p'/><I id='m' energy='p^2/(2*1[kg])'/><bond "
      "from='p' to='m'/></network>",
      "</network><mechanism><body id='bb' mass='1 kg' inertia='1 1 "
      "1'/><joint id='p' kind='prismatic' axis='1 0 0' "
      "parent='world' child='bb'/></mechanism>"};
  for (int i = 0; i < 4; i++) {
    char text[1200];
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='f'><run t-end='1 s'/><network "
        "domain='translation'>%s<Switch id='b' times='0.3 0.5 s'/><Se id='F' "
        "effort='3[N]*sin(5*t/1[s])'/><bond from='p' to='a'/><bond from='p' to='b'/><bond "
        "from='F' to='p'/>%s</screwbond>",
        others[i % 2], masses[i / 2]);
    run r = start_netlist(text);
    advance(&r, 0.4);
    assert_near(value(&r, "F.f"), 0.6 * (cos(1.5) - cos(2.0)), 1e-8);
    advance(&r, 1);
    assert_near(value(&r, "F.f"), 0, 1e-12);
    const double v = 0.6 * (cos(1.5) - cos(2.5));
    assert_near(ledger_of(&r)->total.event_loss, 0.5 * v * v, 1e-8);
    assert_closes(&r);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_that_hold),
      cmocka_unit_test(spring_follows_the_joint),
      cmocka_unit_test(torques_have_a_direction),
      cmocka_unit_test(limits_are_those_of_the_joint),
      cmocka_unit_test(rotor_behind_a_gear),
      cmocka_unit_test(damping_and_lock),
      cmocka_unit_test(lock_of_a_large_machine),
      cmocka_unit_test(lock_whose_rate_is_rounding),
      cmocka_unit_test(tree_from_either_root),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
