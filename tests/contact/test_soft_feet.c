// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies on several soft feet, whose tangential loads are rounding as long as they are put down straight; and bodies that touch at rest, whose
// gaps are.
#include "tests/netlist_text.h"

enum { CUE = 10, BALLS };

/** Dropped flat, turned about the normal by any angle: at each release the normal force falls to zero beside loads of 1e-17 N. */
static void boxes_are_put_down_straight(void **state) {
  (void)state;
  for (int i = 0; i < (THOROUGH ? 16 : 4); i++) {
    char text[2400];
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='m'><run t-end='0.5 s' rtol='1e-%d'/><materials><material "
        "id='r' youngs-modulus='%g Pa' poisson-ratio='0.4' stiffness='3e4 3e4 0 "
        "N/m'/></materials><laws><contact-law id='l' normal='hertz' friction='coulomb' "
        "mu='%g'/></laws><mechanism gravity='0 0 -9.81 m/s^2'><ground id='g'><shape id='floor' "
        "kind='plane' normal='0 0 1'/></ground><body id='box' mass='0.48 kg' material='r' "
        "position='0 0 0.0493 m' rotation='%g deg about 0 0 1'><shape kind='box' size='0.058 0.041 "
        "0.0885 m'/><shape id='f0' kind='sphere' radius='4.5 mm' mass='0 kg' at='0.0204 0.0143 "
        "-0.0443 m'/><shape id='f1' kind='sphere' radius='4.5 mm' mass='0 kg' at='-0.0204 0.0143 "
        "-0.0443 m'/><shape id='f2' kind='sphere' radius='4.5 mm' mass='0 kg' at='-0.0204 -0.0143 "
        "-0.0443 m'/><shape id='f3' kind='sphere' radius='4.5 mm' mass='0 kg' at='0.0204 -0.0143 "
        "-0.0443 m'/></body><contact a='f0' b='floor' law='l'/><contact a='f1' b='floor' "
        "law='l'/><contact a='f2' b='floor' law='l'/><contact a='f3' b='floor' "
        "law='l'/></mechanism></screwbond>",
        7 + i % 3, 1e6 * (1 + 0.3 * i), 0.3 + 0.03 * i, 94.49 + 23.85 * i);
    run r = start_netlist(text);
    advance(&r, 0.5);
    assert_near(component(&r, "box.position", 0), 0, 1e-13);
    assert_near(component(&r, "box.position", 1), 0, 1e-13);
    assert_closes(&r);
    stop(&r);
  }
}

/** Points, which have no rolling, and laws without a stiffness where they touch: what rounding moves them sideways by stays while the speed
 *  of the fall goes through zero. */
static void points_are_put_down_straight(void **state) {
  (void)state;
  static const struct {
    double mass, k, n, d, mu, drop;
  } rows[] = {{1.93001, 1.51e6, 4.53e7, 3.02e4, 0.3862, 5e-4},
              {0.135012, 4.431e4, 1.329e6, 886.2, 0.2726, 1e-4}};
  for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
    const size_t row = i / 2;
    char text[2400];
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='m'><run t-end='0.3 s' rtol='1e-%d'/><materials><material "
        "id='r' stiffness='%g %g 0 N/m'/></materials><laws><contact-law id='l' "
        "normal='azad-featherstone' stiffness='%g N/m^(3/2)' damping='%g N.s/m^(3/2)' "
        "friction='coulomb' mu='%g'/></laws><mechanism gravity='0 0 -9.81 m/s^2'><ground "
        "id='g'><shape id='floor' kind='plane' normal='0 0 1'/></ground><body id='t' mass='%g kg' "
        "inertia='0.14 0.1 0.12 kg.m^2' material='r' position='0 0 %.17g m' rotation='90 deg about "
        "0 0 1'><shape id='f0' kind='point' at='0.129902227 0.30805115 -0.444861802 m'/><shape "
        "id='f1' kind='point' at='-0.259804453 4.3561523e-17 -0.444861802 m'/><shape id='f2' "
        "kind='point' at='0.129902227 -0.30805115 -0.444861802 m'/></body><contact a='f0' "
        "b='floor' law='l'/><contact a='f1' b='floor' law='l'/><contact a='f2' b='floor' "
        "law='l'/></mechanism></screwbond>",
        7 + (int)(i % 2), rows[row].k, rows[row].k, rows[row].n, rows[row].d, rows[row].mu,
        rows[row].mass, 0.444861802 + rows[row].drop);
    run r = start_netlist(text);
    advance(&r, 0.3);
    assert_near(component(&r, "t.position", 0), 0, 1e-13);
    assert_near(component(&r, "t.position", 1), 0, 1e-13);
    assert_closes(&r);
    stop(&r);
  }
}

/** A triangle of balls that touch, along axes in which no place is exact, and a cue that comes to it. */
static void state_rack(const char *law, double speed, char text[TEXT]) {
  static const double u1[] = {2. / 3, -1. / 3, 2. / 3}, u2[] = {2. / 3, 2. / 3, -1. / 3},
                      radius = 0.0286;
  add(text,
      "<screwbond version='1' id='m'><run t-end='50 ms' rtol='1e-8'/><laws><contact-law id='l' "
      "%s/></laws><materials><material id='m' youngs-modulus='2 GPa' poisson-ratio='0.3'/>"
      "</materials><mechanism gravity='0 0 0'>",
      law);
  for (int i = 0; i < BALLS; i++) {
    const int row = i < 1 ? 0 : i < 3 ? 1 : i < 6 ? 2 : 3, column = i - row * (row + 1) / 2;
    const bool cue = i == CUE;
    const double along = cue ? -0.0572 - 32e-3 * speed : sqrt(3) * radius * row,
                 aside = cue ? 0.3 * radius : (2 * column - row) * radius, v = cue ? speed : 0;
    add(text, "<body id='b%d' mass='170 g' material='m' position='%.17g %.17g %.17g'", i,
        u1[0] * along + u2[0] * aside, u1[1] * along + u2[1] * aside,
        u1[2] * along + u2[2] * aside);
    add(text, " velocity='%.17g %.17g %.17g'><shape kind='sphere' radius='%g'/></body>", v * u1[0],
        v * u1[1], v * u1[2], radius);
  }
  add(text, "<contacts among='b0 b1 b2 b3 b4 b5 b6 b7 b8 b9 b10' law='l' pairs='all'/>"
            "</mechanism></screwbond>");
}

/** Their gaps are rounding of places until it comes: none of their contacts begins and ends without end, and they take no more than the way of the
 *  cue does. Then momentum is shared, and the sum of it stays. */
static void balls_that_touch_rest(void **state) {
  (void)state;
  static const char *laws[] = {"normal='linear' stiffness='58311 N/m' damping='29.87 N.s/m'",
                               "normal='hunt-crossley' exponent='3/2' stiffness='1e8 N/m^(3/2)' "
                               "damping-factor='0.3 s/m'",
                               "normal='hertz'"};
  static const double speed = 5.2;
  for (size_t l = 0; l < sizeof laws / sizeof *laws; l++) {
    char text[TEXT] = "";
    state_rack(laws[l], speed, text);
    run r = start_netlist(text);
    advance(&r, 30e-3);
    assert_true(ledger_of(&r)->work.rhs < 1000);
    assert_near(component(&r, "b9.velocity", 0), 0, 1e-12);
    advance(&r, 50e-3);
    assert_true(ledger_of(&r)->work.rhs < 10000);
    assert_true(fabs(component(&r, "b9.velocity", 0)) > 0.1);
    double sum = 0;
    for (int i = 0; i < BALLS; i++) {
      char name[20];
      (void)snprintf(name, sizeof name, "b%d.velocity", i);
      sum += component(&r, name, 0);
    }
    assert_near(sum, 2. / 3 * speed, 1e-12);
    assert_closes(&r);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(boxes_are_put_down_straight),
                                     cmocka_unit_test(points_are_put_down_straight),
                                     cmocka_unit_test(balls_that_touch_rest)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
