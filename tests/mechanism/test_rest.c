// SPDX-License-Identifier: GPL-3.0-or-later
// Closed mechanisms that hold: a truss, whose joints leave nothing free, and loops that hang at rest. What the forces leave
// there is their rounding, which no method must follow.
#include "geometry/quat.h"
#include "tests/fixture.h"

#define ROD(id) "<body id='" id "' mass='1 kg' com='0.5 0 0 m' inertia='0.1 0.1 0.1 kg.m^2'/>"
#define TRUSS                                                                                      \
  ROD("a")                                                                                         \
  ROD("b")                                                                                         \
  "<joint id='j' kind='revolute' parent='world' child='a' q0='60 deg'/>"                           \
  "<joint id='k' kind='revolute' parent='a' child='b' at='1 0 0 m'/>"                              \
  "<joint id='l' kind='revolute' parent='world' child='b' at='1 0 0 m' child-at='1 0 0 "           \
  "m'/>"
static const char *const methods[] = {"dormand-prince-5", "fehlberg-8", "kvaerno-5"};

static void stays_to(double off, const char *inside, const char *joint, double q) {
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    run r = prepare_inside(inside);
    const sb_options options = options_of(methods[i], 1e-9);
    start_by(&r, &options);
    advance(&r, 1);
    assert_near(value(&r, joint), q, off);
    assert_closes(&r);
    stop(&r);
  }
}

static void stays(const char *inside, const char *joint, double q) {
  stays_to(1e-12, inside, joint, q);
}

/** Under its weight, and under a force where nothing has weight. */
static void truss(void **state) {
  (void)state;
  stays("<mechanism gravity='0 -9.81 0 m/s^2'>" TRUSS "</mechanism>", "j.q", SB_PI / 3);
  stays("<mechanism>" TRUSS "<Wrench id='w' on='b' force-y='-7 N' at='0.3 0 0 m'/></mechanism>",
        "j.q", SB_PI / 3);
}

/** Four bars that hang straight down, and a body that one hinge to the ground holds along its axis. */
static void at_rest(void **state) {
  (void)state;
  stays(
      "<mechanism gravity='0 -9.81 0 m/s^2'>" ROD("a") ROD("b") ROD(
          "c") "<joint id='j' kind='revolute' parent='world' child='a' q0='-90 deg'/>"
               "<joint id='k' kind='revolute' parent='a' child='b' at='1 0 0 m' q0='90 deg'/>"
               "<joint id='m' kind='revolute' parent='world' child='c' at='1 0 0 m' q0='-90 deg'/>"
               "<joint id='l' kind='revolute' parent='b' child='c' at='1 0 0 m' child-at='1 0 0 "
               "m'/>"
               "</mechanism>",
      "j.q", -SB_PI / 2);
  stays("<mechanism gravity='0 0 -9.81 m/s^2'>" ROD(
            "a") "<joint id='j' kind='revolute' parent='a' child='world'/></mechanism>",
        "a.position", 0.5);
}

#define LOCKED(rest)                                                                               \
  "<body id='a' mass='1 kg' com='0.2 0 0 m' inertia='0.05 0.05 0.05 kg.m^2'/><joint id='l' "       \
  "kind='revolute' parent='world' child='a' q0='30 deg' locked='yes' " rest

/** What a locked joint carries goes on evenly: a slide across its axis, which loads it by rounding alone, in any frame; and an elbow that turns
 *  about a parallel axis, whose kinetic energy is constant while the lock turns its momentum. */
static void carried_by_a_lock(void **state) {
  (void)state;
  static const char *const axes[] = {"axis='0 0 1'",
                                     "axis='0.2 -0.3 0.9' rotation='0.9 rad about 1 2 -0.5'"};
  for (size_t i = 0; i < sizeof axes / sizeof *axes; i++) {
    char text[1000];
    assert_true(snprintf(text, sizeof text,
                         "<mechanism>" LOCKED("%s") "/><body id='b' mass='2 kg' inertia='0.02 0.03 "
                                                    "0.04 kg.m^2'/><joint id='j' kind='prismatic' "
                                                    "parent='a' child='b' at='0 0 0.5 m' axis='1 0 "
                                                    "0' w0='0.1 m/s'/></mechanism>",
                         axes[i]) < (int)sizeof text);
    stays(text, "j.w", 0.1);
    stays(text, "j.q", 0.1);
  }
  stays_to(
      1e-9,
      "<mechanism gravity='0 0 -9.81 m/s^2'>" LOCKED(
          "") "/><body id='b' mass='2 kg' com='0.2 0.05 0 m' inertia='0.02 0.02 0.02 "
              "kg.m^2'/><joint id='j' kind='revolute' parent='a' child='b' at='0.4 0 0 m' w0='1 "
              "rad/s'/></mechanism>",
      "j.w", 1);
}

/** A trunk that falls, with a leg on a hip whose drive is held by friction behind a gear: nothing loads the hip but what rounding is left
 *  of the weights, in any frame, whether the trunk turns or not */
static void drive_that_falls(void **state) {
  (void)state;
  for (int n = 0; n < (PLAIN ? 40 : 5); n++) {
    const double angle = 0.7 + 0.37 * n, q0 = 0.05 * (n % 9 - 4), ratio = 3 + 0.9 * n;
    const sb_vec3 axis = {cos(n), sin(2.0 * n), 0.3};
    const sb_mat3 R = sb_quat_rotation(sb_quat_from_axis_angle(axis, angle));
    const sb_vec3 g = sb_mat3_apply(R, (sb_vec3){0, 0, -9.81}),
                  y = sb_mat3_apply(R, (sb_vec3){0, 1, 0}),
                  x = sb_mat3_apply(R, (sb_vec3){1, 0, 0});
    const char *unit = n % 2 == 0 ? "rad" : "m";
    char text[2500];
    assert_true(
        snprintf(
            text, sizeof text,
            "<mechanism gravity='%.17g %.17g %.17g'><body id='t' mass='9' inertia='0.4 0.4 0.4'/>"
            "<body id='b' mass='1' inertia='0.1 0.1 0.1' com='0 0 -0.5'/><joint id='tj' "
            "kind='planar' parent='world' child='t' axis='%.17g %.17g %.17g' axis2='%.17g %.17g "
            "%.17g' rotation='%.17g rad about %.17g %.17g %.17g' x0='0 -2' w0='%g'/><joint "
            "id='hip' kind='%s' axis='0 %d %d' parent='t' child='b' q0='%.17g'/></mechanism>"
            "<network domain='rotation'><TF id='n' ratio='%.17g%s'/><J1 id='r'/><I id='J' "
            "l='0.003'/><Friction id='f' coulomb='9'/><bond from='hip' to='n'/><bond from='n' "
            "to='r'/><bond from='r' to='J'/><bond from='r' to='f'/><signal id='q' of='hip.q'/>"
            "<signal id='w' of='hip.w'/><Se id='m' effort='20[N.m]*(%.17g - q/1[%s]) - "
            "1.5[N.m]*w/1[%s/s]'/><bond from='m' to='r'/></network>",
            g.x, g.y, g.z, y.x, y.y, y.z, x.x, x.y, x.z, angle, axis.x, axis.y, axis.z,
            n % 3 == 2 ? 1.3 : 0, n % 2 == 0 ? "revolute" : "prismatic", n % 2 == 0, n % 2, q0,
            ratio, n % 2 == 0 ? "" : "[rad/m]", q0, unit, unit) < (int)sizeof text);
    run r = start(text, 1e-8, 0);
    sb_error err = {0};
    ok(sb_simulation_run(r.sim, 0.1, 0.001, NULL, NULL, &err), &err); // every step is audited
    assert_near(value(&r, "hip.q"), q0, 1e-12);
    assert_balanced(&r);
    stop(&r);
  }
}

/** Two slides that a coupling joins, along a line that is level, or with one as heavy as the other in balance: nothing loads them but what rounding
 *  is left of the weights, and they stand, whatever frictions hold them. */
static void balanced_slides(void **state) {
  (void)state;
  for (int i = 0; i < 4 * (THOROUGH ? 60 : 15); i++) {
    const int n = i / 4;
    const bool level = n % 2 == 0;
    const double m = 3.7 + 0.9 * n;
    const sb_vec3 a = sb_vec3_normalize((sb_vec3){cos(n), sin(2.0 * n), 0.3}),
                  down = sb_vec3_normalize((sb_vec3){sin(3.0 * n), -0.8, cos(5.0 * n)}),
                  across = sb_vec3_normalize(sb_vec3_cross(a, down)),
                  g = sb_vec3_scale(level ? across : down, 9.81);
    char text[2000];
    assert_true(
        snprintf(text, sizeof text,
                 "<mechanism gravity='%.17g %.17g %.17g m/s^2'><body id='A' mass='%g kg' "
                 "inertia='2 2 2 kg.m^2'/><joint id='a' kind='prismatic' parent='world' "
                 "child='A' axis='%.17g %.17g %.17g'/><body id='C' mass='%g kg' inertia='2 2 2 "
                 "kg.m^2'/><joint id='c' kind='prismatic' parent='world' child='C' axis='%.17g "
                 "%.17g %.17g'/><coupling id='k' joints='a c' ratios='1 %d'/></mechanism>"
                 "<network><Friction id='f' coulomb='70'/><bond from='a' to='f'/><Friction id='g' "
                 "coulomb='%d'/><bond from='%s' to='g'/></network>",
                 g.x, g.y, g.z, m, a.x, a.y, a.z, level ? 6.9 : m, a.x, a.y, a.z, level ? -1 : 1,
                 20 + n, n % 3 == 0 ? "c" : "a") < (int)sizeof text);
    run r = start(text, pow(10, -5 - 2 * (i % 4)), 0);
    advance(&r, 0.9);
    assert_near(value(&r, "a.q"), 0, 1e-12);
    assert_near(value(&r, "a.w"), 0, 1e-12);
    assert_balanced(&r);
    stop(&r);
  }
}

/** A slide that a ratchet has stopped, between two clutches that slip: their torques and the ratchet's add up to nothing but rounding. */
static void slide_in_balance(void **state) {
  (void)state;
  run r = start("<network domain='translation'><Diode id='d'/><J0 id='a'/><Friction id='f' "
                "coulomb='1.704 N'/><J0 id='b'/><Friction id='g' coulomb='2.371 N'/><bond "
                "from='p2' to='d'/><bond from='p1' to='a'/><bond from='a' to='p2'/><bond from='a' "
                "to='f'/><bond from='p2' to='b'/><bond from='b' to='p3'/><bond from='b' "
                "to='g'/></network><mechanism><body id='b1' mass='3.9 kg' inertia='1 1 1 "
                "kg.m^2'/><joint id='p1' kind='prismatic' axis='1 0 0' parent='world' child='b1' "
                "w0='-0.7 m/s'/><body id='b2' mass='3.3 kg' inertia='1 1 1 kg.m^2'/><joint "
                "id='p2' kind='prismatic' axis='1 0 0' parent='world' child='b2' w0='-0.28 "
                "m/s'/><body id='b3' mass='3.2 kg' inertia='1 1 1 kg.m^2'/><joint id='p3' "
                "kind='prismatic' axis='1 0 0' parent='world' child='b3' w0='-0.11 "
                "m/s'/></mechanism>",
                1e-7, 0);
  sb_error err = {0};
  ok(sb_simulation_run(r.sim, 0.05, 0.001, NULL, NULL, &err), &err);
  assert_near(value(&r, "p1.w"), -0.7 + 1.704 * 0.05 / 3.9, 1e-12);
  assert_near(value(&r, "p2.w"), 0, 1e-12);
  assert_near(value(&r, "p3.w"), -0.11 + 2.371 * 0.05 / 3.2, 1e-12);
  assert_true(ledger_of(&r)->structure.residual_relative < 1e-12);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slide_in_balance), cmocka_unit_test(truss),
      cmocka_unit_test(at_rest),          cmocka_unit_test(carried_by_a_lock),
      cmocka_unit_test(drive_that_falls), cmocka_unit_test(balanced_slides)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
