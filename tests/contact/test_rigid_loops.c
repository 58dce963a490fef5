// SPDX-License-Identifier: GPL-3.0-or-later
// Rigid contacts of mechanisms with closed loops: neither opens the other by bringing its own places back to where they belong.
#include "tests/fixture.h"

/** A leg of five bars hops: a hip that moves in a plane, two thighs, two shanks, and a foot where these meet, which is one point of both. Its
 *  floor takes what it strikes with. However loose the steps are, all else conserves the energy. */
static void leg_of_five_bars(double width, double thigh, double turn, double rtol) {
  const double shank = 0.4, across = width + thigh * sin(turn),
               hip = thigh * cos(turn) + sqrt(shank * shank - across * across) + 0.1;
  char text[6000];
  assert_true(
      snprintf(
          text, sizeof text,
          "<screwbond version='1' id='m'><laws><contact-law id='l' "
          "normal='rigid'/></laws><mechanism gravity='0 0 -9.81 m/s^2'><ground id='g'><shape "
          "kind='plane' normal='0 0 1'/></ground><body id='h' mass='3 kg' inertia='0.1 0.1 0.1 "
          "kg.m^2'/><joint id='s' kind='planar' axis='0 1 0' axis2='1 0 0' parent='world' "
          "child='h' at='0 0 %.17g m' v0='0.3 0'/><body id='u1' mass='0.3 kg' inertia='0.002 0.002 "
          "1e-4 kg.m^2' com='0 0 -0.15 m'/><body id='u2' mass='0.3 kg' inertia='0.002 0.002 1e-4 "
          "kg.m^2' com='0 0 -0.15 m'/><body id='d1' mass='0.2 kg' inertia='0.003 0.003 1e-4 "
          "kg.m^2' com='0 0 -0.2 m'><shape id='foot' kind='sphere' radius='0.02 m' at='0 0 -0.4 "
          "m'/><frame id='t1' at='0 0 -0.4 m'/></body><body id='d2' mass='0.2 kg' inertia='0.003 "
          "0.003 1e-4 kg.m^2' com='0 0 -0.2 m'><frame id='t2' at='0 0 -0.4 m'/></body><joint "
          "id='j1' kind='revolute' axis='0 1 0' parent='h' child='u1' at='%.17g 0 0 m' q0='%.17g "
          "rad'/><joint id='j2' kind='revolute' axis='0 1 0' parent='h' child='u2' at='%.17g 0 0 "
          "m' q0='%.17g rad'/><joint id='j3' kind='revolute' axis='0 1 0' parent='u1' child='d1' "
          "at='0 0 %.17g m'/><joint id='j4' kind='revolute' axis='0 1 0' parent='u2' child='d2' "
          "at='0 0 %.17g m'/><joint id='j5' kind='revolute' axis='0 1 0' parent='d1' child='d2' "
          "at='0 0 -0.4 m' child-at='0 0 -0.4 m' cut='yes'/><contact id='c' a='g' b='foot' "
          "law='l'/></mechanism><run t-end='1.2 s' rtol='%g'/></screwbond>",
          hip, -width, turn, width, -turn, -thigh, -thigh, rtol) < (int)sizeof text);
  run r = start_netlist(text);
  for (int k = 1; k <= 40; k++) {
    advance(&r, 0.03 * k);
    for (int i = 0; i < 3; i++) {
      assert_near(component(&r, "t1.position", i) - component(&r, "t2.position", i), 0, 2e-13);
    }
  }
  assert_true(events_of(&r, "impact", "c") > 0);
  assert_closes(&r);
  stop(&r);
}

static void legs_of_five_bars(void **state) {
  (void)state;
  static const double rtols[] = {1e-4, 1e-5, 1e-6, 1e-8};
  for (int i = 0; i < 4; i++) {
    leg_of_five_bars(0.05, 0.3, 0.7, rtols[i]);
    leg_of_five_bars(0.1, 0.3, 0.5, rtols[i]);
    leg_of_five_bars(0.03, 0.25, 0.9, rtols[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(legs_of_five_bars)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
