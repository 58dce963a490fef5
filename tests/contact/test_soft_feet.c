// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies on several soft feet, whose tangential loads are rounding as long as they are put down straight.
#include "tests/fixture.h"

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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(boxes_are_put_down_straight),
                                     cmocka_unit_test(points_are_put_down_straight)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
