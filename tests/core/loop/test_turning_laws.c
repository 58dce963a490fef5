// SPDX-License-Identifier: GPL-3.0-or-later
// Laws in series at the reversal of their flow, where each of them is known by what the others leave.
#include "tests/fixture.h"

static double given_flow(double t) {
  return 0.50747 * (1 - t / 6.069); // [m^3/s], into the node between the branches
}

static double first_pressure(double t) {
  return 0.486591 * (1 - t / 6.255); // [Pa], before the first branch
}

static double last_pressure(double t) {
  return 0.779439 * (1 - t / 5.637); // [Pa], behind the second one
}

/** Of the first branch, 1.5 and 2 power of its flow. */
static double loss(double f) {
  return 0.284236 * f * sqrt(fabs(f)) + 4.17257 * f * fabs(f);
}

/** When the flow of the second branch turns: the first one has all that is given, and no pressure is left for the second. */
static double turn_between(double low, double high) {
  for (int i = 0; i < 200; i++) {
    const double t = 0.5 * (low + high),
                 left = first_pressure(t) - loss(-given_flow(t)) - last_pressure(t);
    *(left > 0 ? &low : &high) = t;
  }
  return low;
}

/** The orifice c sqrt(e) gives the flow of the second branch by the rounding of 0.3 Pa there, 1e-8 m^3/s, though all others know it to 1e-16. */
static void orifice_between_others(void **state) {
  (void)state;
  const double turn = turn_between(8, 9.5), beside[] = {-1e-3, -1e-9, 0, 1e-9, 1e-3};
  run r = start_netlist(
      "<screwbond version='1' id='m'><run t-end='10 s'/><network domain='hydraulic'><J0 id='n0'/>"
      "<Se id='s0' effort='1[Pa]*(0.486591*(1-t/1[s]/6.255))'/><bond from='s0' to='n0'/><J0 "
      "id='n1'/><Sf id='s1' flow='1[m^3/s]*(0.50747*(1-t/1[s]/6.069))'/><bond from='s1' to='n1'/>"
      "<J0 id='n2'/><Se id='s2' effort='1[Pa]*(0.779439*(1-t/1[s]/5.637))'/><bond from='s2' "
      "to='n2'/><J1 id='p1'/><bond from='n0' to='p1'/><bond from='p1' to='n1'/>"
      "<R id='a' r='0.284236' exponent='1.5'/><bond from='p1' to='a'/>"
      "<R id='b' law='4.17257[Pa.s^2/m^6]*f*abs(f)'/><bond from='p1' to='b'/>"
      "<J1 id='p2'/><bond from='n1' to='p2'/><bond from='p2' to='n2'/>"
      "<R id='c' law='0.37278*sign(e)*sqrt(abs(e)/1[Pa])*1[m^3/s]'/><bond from='p2' to='c'/>"
      "<R id='d' law='0.00195301[Pa.s/m^3]*f + 0.195301[Pa.s^2/m^6]*f*abs(f)'/><bond from='p2' "
      "to='d'/><R id='e' law='1.4995*sqrt(abs(e)/1[Pa])*sign(e)*1[m^3/s]'/><bond from='p2' "
      "to='e'/></network></screwbond>");
  for (int i = 0; i < 5; i++) {
    const double t = turn + beside[i];
    advance(&r, t);
    const double f = value(&r, "b.f");
    assert_near(value(&r, "d.f"), f + given_flow(t), 1e-15);
    assert_near(value(&r, "a.e") + value(&r, "b.e"), loss(f), 1e-15);
    assert_near(f, -given_flow(t), fabs(beside[i]) + 1e-14);
    assert_closes(&r);
  }
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(orifice_between_others)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
