// SPDX-License-Identifier: GPL-3.0-or-later
// Rigid contacts that hold what others hold as well: their share of the load is not unique. It is within the cone
// of friction, and stays as it is until the load takes it out of there. Expected values are balances of forces.
#include "tests/netlist_text.h"

static double torque(double t) {
  return -1.79 + 2.92 * sin(13.1 * t);
}

/** An arm of two links, the elbow locked, whose tip falls on the floor: both components of the contact and the lock hold two freedoms. The
 *  torque at the shoulder balances the moment of the contact, whatever goes on elsewhere in the network: @param beside  switches all the time */
static run start_arm(const char *beside, double mu) {
  char text[TEXT] = "";
  add(text,
      "<screwbond version='1' id='m'><run t-end='1 s' rtol='1e-7'/><laws><contact-law id='l' "
      "normal='rigid' friction='coulomb' mu='%g'/></laws><mechanism><ground id='g'><shape id='w' "
      "kind='plane' normal='0 0 1'/></ground><body id='a' mass='1 kg' inertia='1e-3 1e-2 1e-2'/>"
      "<joint id='j' kind='revolute' axis='0 1 0' parent='world' child='a' at='0 0 0.2'/><body "
      "id='b' mass='0.5 kg'><shape id='t' kind='sphere' radius='0.02' at='0.2 0 0'/></body><joint "
      "id='k' kind='revolute' axis='0 1 0' parent='a' child='b' at='0.3 0 0' locked='yes'/>"
      "<contact id='c' a='w' b='t' law='l'/></mechanism><network><Se id='m' domain='rotation' "
      "effort='-1.79[N.m]+2.92[N.m]*sin(13.1[rad/s]*t)'/><bond from='m' to='j'/>%s</network>"
      "</screwbond>",
      mu, beside);
  return start_netlist(text);
}

static void lock_and_contact_hold_an_arm(void **state) {
  (void)state;
  static const char *const beside[] = {
      "",
      "<Se id='V' domain='electric' effort='5 V'/><J1 id='n' domain='electric'/><Switch id='S' "
      "times='0.001 0.003' period='3 ms'/><R id='R' domain='electric' r='2 ohm'/><bond from='V' "
      "to='n'/><bond from='n' to='S'/><bond from='n' to='R'/>"};
  double before[2] = {0};
  for (int i = 0; i < 2; i++) {
    const double mu = 0.784;
    run r = start_arm(beside[i], mu);
    for (int n = 1; n <= 10; n++) {
      const double t = 0.89 + 0.011 * n;
      advance(&r, t);
      const double fx = component(&r, "c.force", 0), fz = component(&r, "c.force", 2);
      const double x = component(&r, "c.point", 0), z = component(&r, "c.point", 2) - 0.2;
      assert_near(torque(t) + z * fx - x * fz, 0, 1e-9);
      assert_true(fz > 0 && fabs(fx) <= mu * fz);
      if (n == 3) {
        assert_true(i == 0 || (fabs(fx - before[0]) < 1e-8 && fabs(fz - before[1]) < 1e-8));
        before[0] = fx;
        before[1] = fz;
      }
    }
    assert_true(events_of(&r, "shift", "c") < 5);
    assert_balanced(&r);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lock_and_contact_hold_an_arm)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
