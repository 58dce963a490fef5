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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(boxes_are_put_down_straight)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
