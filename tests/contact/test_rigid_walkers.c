// SPDX-License-Identifier: GPL-3.0-or-later
// A walking machine on four legs that turn in parallel planes: with s the angle by which its body rolls, feet to its sides answer along their distance by
// s^2 of the response of one.
#include "tests/fixture.h"

enum { TEXT = 8000 };

/** One leg, with a motor at each joint. @param text  is added to the mechanism  @param motors  is added to the network */
static void add_leg(const char *name, double x, double y, double part, double w, double phase,
                    char text[], char motors[]) {
  char own[TEXT];
  assert_true(
      snprintf(own, sizeof own,
               "<body id='th%s' mass='0.6 kg' com='0 0 -0.12 m' inertia='0.004 0.004 0.001 "
               "kg.m^2'/><body id='sh%s' mass='0.2 kg' com='0 0 -0.12 m' inertia='0.001 0.001 "
               "0.0003 kg.m^2'><shape id='ft%s' kind='point' at='0 0 -0.25 m'/></body><joint "
               "id='h%s' kind='revolute' axis='0 1 0' parent='t' child='th%s' at='%g %g 0 m' "
               "q0='0.4046 rad' stiffness='324.72 N.m/rad' rest='0.4046 rad' damping='3.602 "
               "N.m.s/rad'/><joint id='k%s' kind='revolute' axis='0 1 0' parent='th%s' "
               "child='sh%s' at='0 0 -0.25 m' q0='-0.8092 rad' stiffness='324.72 N.m/rad' "
               "rest='-0.8092 rad' damping='3.602 N.m.s/rad'/><contact id='c%s' a='g' b='ft%s' "
               "law='f'/>",
               name, name, name, name, name, x, y, name, name, name, name, name) < TEXT);
  assert_true(strlen(text) + strlen(own) < TEXT);
  strcat(text, own);
  for (int knee = 0; knee < 2; knee++) {
    const char joint = knee ? 'k' : 'h';
    assert_true(snprintf(own, sizeof own,
                         "<Se id='m%c%s' effort='324.72[N.m]*%.3f*sin(%.3f[1/s]*t+%.3f)'/><bond "
                         "from='m%c%s' to='%c%s'/>",
                         joint, name, part, w, phase + knee, joint, name, joint, name) < TEXT);
    strcat(motors, own);
  }
}

/** Front feet stick, as the slip of a rear foot comes to its end: that takes nothing of them, though what holds them is nearly one row twice. They were let go, and
 *  held again by what the projection took of them, over and over. */
static void slip_ends_beside_feet_that_stick(void **state) {
  (void)state;
  char legs[TEXT] = "", motors[TEXT] = "", text[2 * TEXT + 1000];
  add_leg("fl", 0.25, 0.12, 0.032, 6.471, 6.079, legs, motors);
  add_leg("fr", 0.25, -0.12, 0.250, 8.640, 5.634, legs, motors);
  add_leg("bl", -0.25, 0.12, 0.007, 7.706, 5.521, legs, motors);
  add_leg("br", -0.25, -0.12, 0.276, 4.683, 2.861, legs, motors);
  assert_true(snprintf(text, sizeof text,
                       "<screwbond version='1' id='m'><laws><contact-law id='f' normal='rigid' "
                       "friction='coulomb' mu='0.571'/></laws><mechanism gravity='0 0 -9.81 "
                       "m/s^2'><ground id='g'><shape kind='plane' normal='0 0 1'/></ground><body "
                       "id='t' mass='9.34 kg' inertia='0.1 0.3 0.35 kg.m^2' position='0 0 0.459632 "
                       "m'/>%s</mechanism><network domain='rotation'>%s</network><run t-end='1 "
                       "ms' rtol='1e-7'/></screwbond>",
                       legs, motors) < (int)sizeof text);
  run r = start_netlist(text);
  advance(&r, 2.31075e-4);
  assert_in_range(ledger_of(&r)->event_count, 10, 30);
  assert_closes(&r);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(slip_ends_beside_feet_that_stick)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
