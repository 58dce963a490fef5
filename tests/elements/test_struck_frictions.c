// SPDX-License-Identifier: GPL-3.0-or-later
// What several dry frictions hold goes on, whenever it is set in motion, as with one of their sum. None of them bears an impulse: each
// time all of them let go, those that rest because another one sticks as well.
#include "tests/core/simulation/by_method.h"
#include "tests/netlist_text.h"

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

/** Two links that sines of w and 2 w drive, at each joint a rotor of `rotor` kg.m^2 behind a gear of `ratio`. */
typedef struct arm {
  double mass[2], torque[2], w, ratio, rotor;
  double motor, joint; // [N.m] frictions,
  double peak;         // and what they bear at rest, as a multiple; 0: none is stated
  double damping;      // [N.m.s] of each joint
  double limit, e;     // [deg] of both joints, with this restitution; 0: none
} arm;

static void add_friction(char text[], const char *id, int k, double F, double peak) {
  char is_static[40] = "";
  if (peak > 0) {
    (void)snprintf(is_static, sizeof is_static, " static='%.17g'", peak * F);
  }
  add(text, "<Friction id='f%s%d' coulomb='%.17g'%s/><bond from='%s%d' to='f%s%d'/>", id, k, F,
      is_static, id, k, id, k);
}

/** Where the joints are at 1.5 s.  @param two  whether frictions are those of motor and joint, or one of their sum at the joint */
static void move_arm(const arm *a, bool two, double rtol, double q[2]) {
  char text[TEXT] = "<network domain='rotation'>", limits[80] = "";
  if (a->limit > 0) {
    (void)snprintf(limits, sizeof limits, "limits='%g %g deg' restitution='%g'", -a->limit,
                   a->limit, a->e);
  }
  for (int k = 1; k <= 2; k++) {
    add(text,
        "<Se id='T%d' effort='%g[N.m]*sin(%g[rad/s]*t)'/><TF id='g%d' ratio='%g'/><J1 id='r%d'/>"
        "<I id='J%d' l='%g'/><bond from='T%d' to='j%d'/><bond from='j%d' to='g%d'/><bond "
        "from='g%d' to='r%d'/><bond from='r%d' to='J%d'/>",
        k, a->torque[k - 1], k * a->w, k, a->ratio, k, k, a->rotor, k, k, k, k, k, k, k, k);
    if (two) {
      add_friction(text, "r", k, a->motor, a->peak);
    }
    if (a->damping > 0) {
      add(text, "<R id='v%d' r='%g'/><bond from='j%d' to='v%d'/>", k, a->damping, k, k);
    }
    add_friction(text, "j", k, two ? a->joint : a->joint + a->ratio * a->motor, a->peak);
  }
  add(text,
      "</network><mechanism gravity='0 0 -9.81 m/s^2'><body id='a' mass='%g kg' com='0 0 -0.2 m' "
      "inertia='0.02 0.02 0.005'/><body id='b' mass='%g kg' com='0 0 -0.15 m' inertia='0.01 0.01 "
      "0.003'/><joint id='j1' kind='revolute' axis='0 1 0' parent='world' child='a' %s/><joint "
      "id='j2' kind='revolute' axis='0 1 0' parent='a' child='b' at='0 0 -0.4 m' %s/></mechanism>",
      a->mass[0], a->mass[1], limits, limits);
  run r = start(text, rtol, 0);
  advance(&r, 1.5);
  q[0] = value(&r, "j1.q");
  q[1] = value(&r, "j2.q");
  assert_closes(&r);
  stop(&r);
}

/** With frictions F of the motor and G of the joint behind a gear of n an arm goes as with G + n F of the joint alone, and so with their peaks.
 *  Where one joint moves the flows of the other, which rests, are the rounding of terms that are as large as those of what moves. A joint that
 *  friction and damping bring to rest at its limit leaves it by its forces, whatever rounding is left of its flow. */
static void motor_and_joint(void **state) {
  (void)state;
  static const arm arms[] = {
      {{2.317, 2.122}, {19.78, 2.497}, 3.099, 50, 3.795e-06, 0.02918, 1.347, .peak = 0},
      {{2.317, 2.122}, {19.78, 2.497}, 3.099, 50, 3.795e-06, 0.02918, 1.347, .limit = 40},
      {{4.109, 0.9346}, {10.03, 2.782}, 4.563, 20, 8.002e-05, 0.01026, 1.602, .peak = 0},
      {{2.548, 0.7088}, {7.811, 3.126}, 4.246, 100, 7.046e-05, 0.01466, 1.206, .peak = 1.5},
      {{1.264, 1.13}, {26.39, 5.853}, 3.304, 20, 2.576e-05, 0.02697, 0.647, .peak = 1.5},
      {{3.139, 2.513}, {36.3, 3.372}, 3.24, 20, 1.291e-05, 0.01682, 0.7261, .peak = 1.5},
      {{3.139, 2.513}, {36.3, 3.372}, 3.24, 20, 1.291e-05, 0.01682, 0.7261, 0, 0.1, 40, 0.3},
      {{1.073, 2.595}, {15.49, 3.633}, 3.115, 20, 5.236e-05, 0.008639, 1.212, 0, 0.1, 40, 0},
      {{1.076, 0.7199}, {33.61, 8.062}, 7.052, 100, 1.15e-06, 0.02073, 1.739, 0, 0.1, 40, 0.6}};
  static const double rtol[] = {1e-5, 1e-6, 1e-8, 1e-9};
  for (size_t i = 0; i < sizeof arms / sizeof *arms; i += THOROUGH ? 1 : 3) {
    for (size_t k = THOROUGH ? i % 2 : i / 3; k < sizeof rtol / sizeof *rtol;
         k += THOROUGH ? 2 : 4) {
      double one[2], both[2];
      move_arm(&arms[i], false, rtol[k], one);
      move_arm(&arms[i], true, rtol[k], both);
      assert_near(both[0], one[0], 1000 * rtol[k]);
      assert_near(both[1], one[1], 1000 * rtol[k]);
    }
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
  for (int i = 0; i < 6; i += PLAIN ? 1 : 5) {
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

/** A mass that a ratchet lets go forwards only strikes another one with e = 0.4 and would be thrown back: it is at rest, and 1 N does not
 *  break 3 N loose, in whatever order its elements are stated. */
static void ratchet_brings_to_rest(void **state) {
  (void)state;
  static const char *const elements[] = {"<Diode id='D'/>",
                                         "<Friction id='fr' coulomb='0.5 N' static='3 N'/>",
                                         "<I id='m' mass='1 kg' p0='2 N.s'/>",
                                         "<Stop id='S' upper='0.1 m' restitution='0.4'/>",
                                         "<I id='M' mass='4 kg'/>",
                                         "<Se id='F' effort='1[N]'/>"};
  enum { COUNT = sizeof elements / sizeof *elements };
  for (int order = 0; order < 2 * COUNT; order++) {
    char text[TEXT] = "<network domain='translation'><J1 id='x'/><J0 id='j'/><J1 id='y'/>";
    for (int k = 0; k < COUNT; k++) {
      const int at = (k + order / 2) % COUNT;
      add(text, "%s", elements[order % 2 == 0 ? at : COUNT - 1 - at]);
    }
    add(text,
        "<bond from='x' to='m'/><bond from='x' to='fr'/><bond from='x' to='D'/><bond from='F' "
        "to='x'/><bond from='x' to='j'/><bond from='j' to='S'/><bond from='j' to='y'/><bond "
        "from='y' to='M'/></network>");
    run r = start(text, 1e-9, 0);
    advance(&r, 2);
    assert_near(value(&r, "m.f"), 0, 1e-12);
    assert_near(value(&r, "fr.e"), 1, 1e-12);
    assert_near(value(&r, "M.f"), 1.4 * sqrt(4.1) / 5, 1e-9);
    assert_balanced(&r);
    stop(&r);
  }
}

/** A slider at its strength presses m1 against a plastic stop, by a spring. As m2 is thrown back by another stop, the slider rests and the spring
 *  gives, k q = F cos(w t) - k u/w sin(w t) behind that: the first stop is pressed until k q is no more than what pulls m1 away. */
static void spring_presses_on(void **state) {
  (void)state;
  const double F = 2, pull = 0.5, m2 = 2, k = 100, way = 0.1, v = sqrt(1 - 2 * F / m2 * way),
               struck = (1 - v) / (F / m2), u = 0.5 * v, w = sqrt(k / m2);
  const double released = struck + (acos(pull / hypot(F, k * u / w)) - atan2(k * u / w, F)) / w;
  static const char *const methods[] = {"auto", "kvaerno-5", "fehlberg-8"};
  for (int i = 0; i < 3; i++) {
    run r = start_by_method(
        "<network domain='translation'><J1 id='v1'/><I id='m1' mass='3 kg'/>"
        "<Stop id='S1' lower='0 m'/><J1 id='v2'/><I id='m2' mass='2 kg' p0='-2 kg.m/s'/>"
        "<Stop id='S2' lower='-0.1 m' restitution='0.5'/><J0 id='x'/><J0 id='z'/>"
        "<C id='k' c='0.01 m/N' q0='2 cm'/><Friction id='mu' coulomb='2 N'/>"
        "<Se id='pull' effort='0.5 N'/><bond from='pull' to='v1'/><bond from='v1' to='m1'/>"
        "<bond from='v1' to='S1'/><bond from='v1' to='x'/><bond from='x' to='v2'/>"
        "<bond from='v2' to='m2'/><bond from='v2' to='S2'/><bond from='x' to='z'/>"
        "<bond from='z' to='k'/><bond from='z' to='mu'/></network>",
        methods[i], 1e-9);
    advance(&r, struck + 1e-6);
    assert_near_relative(value(&r, "m2.f"), u, 1e-5);
    advance(&r, released - 1e-8);
    assert_int_equal(events_of(&r, "release", "S1"), 0);
    assert_near(value(&r, "m1.f"), 0, 0);
    advance(&r, released + 1e-8);
    assert_int_equal(events_of(&r, "release", "S1"), 1);
    assert_balanced(&r);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spring_presses_on), cmocka_unit_test(wagons_held_by_several),
      cmocka_unit_test(wheel_in_bearings), cmocka_unit_test(motor_and_joint),
      cmocka_unit_test(ratchet_brings_to_rest)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
