// SPDX-License-Identifier: GPL-3.0-or-later
// What several dry frictions hold goes on, whenever it is set in motion, as with one of their sum. None of them bears an impulse: each
// time all of them let go, those that rest because another one sticks as well.
#include "tests/fixture.h"

/** A wheel of 1 kg.m^2 in bearings of 3 N.m in all, clutched at 0.1, 6 and 12 s for 10 ms each to one that 2 N.m drive from 20 rad/s on. */
static void assert_driven(const char *bearings, const char *bonds) {
  char text[2000];
  assert_true(snprintf(text, sizeof text,
                       "<network domain='rotation'><Se id='T' effort='2 N.m'/><J1 id='a'/>"
                       "<I id='Ja' l='1' p0='20'/><Clutch id='K' times='0.1 0.11 6 6.01 12 12.01 "
                       "s'/><J1 id='b'/><I id='Jb' l='1'/>%s<bond from='T' to='a'/><bond from='a' "
                       "to='Ja'/><bond from='a' to='K'/><bond from='K' to='b'/><bond from='b' "
                       "to='Jb'/>%s</network>",
                       bearings, bonds) < (int)sizeof text);
  run r = start(text, 1e-9, 0);
  double a = 20, t = 0;
  for (int k = 0; k < 3; k++) {
    const double on = k == 0 ? 0.1 : 6. * k, off = on + 0.01;
    const double together = (a + 2 * (on - t)) / 2 - 0.01 / 2; // 2 - 3 N.m on both
    assert_true(on + together / 3 < 6 * (k + 1));              // it stops before the next one
    advance(&r, off);
    assert_near(value(&r, "Jb.f"), together, 1e-9);
    advance(&r, off + 1);
    assert_near(value(&r, "Jb.f"), together - 3, 1e-9);
    advance(&r, on + together / 3 + 0.1);
    assert_near(value(&r, "Jb.f"), 0, 1e-12);
    a = together;
    t = off;
  }
  assert_balanced(&r);
  stop(&r);
}

#define FRICTION(id, F) "<Friction id='" id "' coulomb='" F " N.m'/>"
#define BOND(id) "<bond from='b' to='" id "'/>"

static void wheel_in_bearings(void **state) {
  (void)state;
  assert_driven(FRICTION("f", "3"), BOND("f"));
  assert_driven(FRICTION("f", "1") FRICTION("g", "2"), BOND("f") BOND("g"));
  assert_driven(FRICTION("f", "2") FRICTION("g", "1"), BOND("g") BOND("f"));
  assert_driven(FRICTION("f", "1") FRICTION("g", "0.5") FRICTION("h", "1.5"),
                BOND("h") BOND("g") BOND("f"));
  assert_driven("<R id='f' law='1[N.m]*sign(f)'/>" FRICTION("g", "2"), BOND("f") BOND("g"));
}

#define DRIVE(k, torque, more)                                                                     \
  "<Se id='T" k "' effort='" torque "'/><TF id='g" k "' ratio='50'/><J1 id='r" k "'/><I id='J" k   \
  "' l='3.795e-06'/><bond from='T" k "' to='j" k "'/><bond from='j" k "' to='g" k                  \
  "'/><bond from='g" k "' to='r" k "'/><bond from='r" k "' to='J" k "'/>" more
#define JOINT(k, F) "<Friction id='fj" k "' coulomb='" F "'/><bond from='j" k "' to='fj" k "'/>"
#define MOTOR(k) "<Friction id='fm" k "' coulomb='0.02918 N.m'/><bond from='r" k "' to='fm" k "'/>"

/** An arm of two links with limits, at each joint a rotor behind a gear of 50: with a friction of 0.02918 N.m of the motor and 1.347 N.m of the
 *  joint it goes as with 1.347 + 50 0.02918 N.m of the joint alone. */
static void motor_and_joint(void **state) {
  (void)state;
  static const char *const drives[] = {
      DRIVE("1", "19.78[N.m]*sin(3.099[rad/s]*t)", JOINT("1", "2.806 N.m"))
          DRIVE("2", "2.497[N.m]*sin(6.198[rad/s]*t)", JOINT("2", "2.806 N.m")),
      DRIVE("1", "19.78[N.m]*sin(3.099[rad/s]*t)", MOTOR("1") JOINT("1", "1.347 N.m"))
          DRIVE("2", "2.497[N.m]*sin(6.198[rad/s]*t)", MOTOR("2") JOINT("2", "1.347 N.m"))};
  static const char *const limits[] = {"", "limits='-40 40 deg'"};
  for (int i = 0; i < 2; i++) {
    double q[2][2];
    for (int k = 0; k < 2; k++) {
      char text[4000];
      assert_true(
          snprintf(text, sizeof text,
                   "<network domain='rotation'>%s</network><mechanism gravity='0 0 -9.81 m/s^2'>"
                   "<body id='a' mass='2.317 kg' com='0 0 -0.2 m' inertia='0.02 0.02 0.005'/><body "
                   "id='b' mass='2.122 kg' com='0 0 -0.15 m' inertia='0.01 0.01 0.003'/><joint "
                   "id='j1' kind='revolute' axis='0 1 0' parent='world' child='a' %s/><joint "
                   "id='j2' kind='revolute' axis='0 1 0' parent='a' child='b' at='0 0 -0.4 m' %s/>"
                   "</mechanism>",
                   drives[k], limits[i], limits[i]) < (int)sizeof text);
      run r = start(text, 1e-9, 0);
      advance(&r, 1.5);
      q[k][0] = value(&r, "j1.q");
      q[k][1] = value(&r, "j2.q");
      assert_balanced(&r);
      stop(&r);
    }
    assert_near(q[0][0], q[1][0], 1e-6);
    assert_near(q[0][1], q[1][1], 1e-6);
  }
}

/** Where wagons stand at 1 s that strike each other time and again, each held by `count` frictions that are `strength` N in all. */
static void drive(int wagons, int count, double e, double x[]) {
  static const double mass[] = {3, 3.7, 3.6}, strength[] = {13, 45, 52};
  char text[4000] = "", part[600];
  for (int i = 0; i < wagons; i++) {
    (void)snprintf(part, sizeof part,
                   "<body id='c%d' mass='%g'><shape kind='sphere' radius='0.2'/></body><joint "
                   "id='j%d' kind='prismatic' parent='world' child='c%d' axis='1 0 0' q0='%g' "
                   "w0='%d'/>%s",
                   i, mass[i], i, i, 1.2 * i, i == 0 ? 8 : 0,
                   i == 1   ? "<contact id='k1' a='c0' b='c1' law='h'/>"
                   : i == 2 ? "<contact id='k2' a='c1' b='c2' law='h'/>"
                            : "");
    strcat(text, part);
  }
  strcat(text, "</mechanism><network>");
  for (int i = 0; i < wagons * count; i++) {
    (void)snprintf(part, sizeof part,
                   "<Friction id='f%d' coulomb='%.17g'/><bond from='j%d' to='f%d'/>", i,
                   strength[i / count] / count, i / count, i);
    strcat(text, part);
  }
  char all[5000];
  (void)snprintf(all, sizeof all,
                 "<screwbond version='1' id='m'><run t-end='1 s' rtol='1e-9'/><laws><contact-law "
                 "id='h' normal='rigid' restitution='%g'/></laws><mechanism gravity='0 0 0'>%s"
                 "</network></screwbond>",
                 e, text);
  run r = start_netlist(all);
  advance(&r, 1);
  for (int i = 0; i < wagons; i++) {
    x[i] = value(&r, (const char *[]){"j0.q", "j1.q", "j2.q"}[i]);
  }
  assert_balanced(&r);
  assert_losses_listed(&r);
  stop(&r);
}

static void wagons_held_by_several(void **state) {
  (void)state;
  static const double bounces[] = {0.2, 0.5, 0.8};
  for (int i = 0; i < 6; i++) {
    const int wagons = 2 + i % 2;
    double one[3], several[3];
    drive(wagons, 1, bounces[i / 2], one);
    for (int count = 2; count <= 4; count++) {
      drive(wagons, count, bounces[i / 2], several);
      for (int k = 0; k < wagons; k++) {
        assert_near(several[k], one[k], 1e-9);
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(wagons_held_by_several),
                                     cmocka_unit_test(wheel_in_bearings),
                                     cmocka_unit_test(motor_and_joint)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
