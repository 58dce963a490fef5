// SPDX-License-Identifier: GPL-3.0-or-later
// What sticks by dry friction is released before an impact, which is where a constraint is violated: in every connected part
// that one is in, and in no other. A diode takes over a current that another would break, but not one that has ended.
#include <math.h>

#include "tests/fixture.h"

/** A block of 1.3 kg at 0.6 m/s, slowed down by 2 N: it sticks after 0.39 s. */
#define BLOCK                                                                                      \
  "<network domain='translation'><J1 id='v'/><Friction id='mu' coulomb='2 N'/>"                    \
  "<I id='m' mass='1.3 kg' p0='0.78 N.s'/><bond from='v' to='mu'/><bond from='v' to='m'/>"         \
  "</network>"

/** A clutch at 0.5 s joins a disc J at w to another, of 3 kg m^2, that sticks from `stick` on. */
#define DISCS(n_, p_, slow_)                                                                       \
  "<network domain='rotation'><J1 id='a" n_ "'/><J1 id='b" n_ "'/><I id='A" n_                     \
  "' inertia='1 kg.m^2' p0='" p_ " N.m.s'/><I id='B" n_ "' inertia='3 kg.m^2' p0='" slow_          \
  " N.m.s'/><Friction id='mu" n_ "' coulomb='2 N.m'/><Clutch id='K" n_                             \
  "' state='open' times='0.5 s'/><bond from='a" n_ "' to='A" n_ "'/><bond from='a" n_ "' to='K" n_ \
  "'/><bond from='K" n_ "' to='b" n_ "'/><bond from='b" n_ "' to='B" n_ "'/><bond from='b" n_      \
  "' to='mu" n_ "'/></network>"

/** A source that jumps throws a disc at 1 s and at 2 s; a block apart goes on sticking. */
static void what_is_apart_goes_on_sticking(void **state) {
  (void)state;
  run r = go(BLOCK "<network domain='rotation'><J1 id='d'/><I id='J' inertia='0.7 kg.m^2'/>"
                   "<signal id='time' value='t'/><SampleHold id='h' of='time' period='1 s'/>"
                   "<Sf id='s' flow='3[rad/s^2]*h'/><bond from='s' to='d'/><bond from='d' "
                   "to='J'/></network>",
             2.5);
  assert_int_equal(events_of(&r, "impact", "J"), 2);
  assert_int_equal(events_of(&r, "stick", "mu"), 1);
  assert_int_equal(events_of(&r, "slip", "mu"), 0);
  assert_near(event_time(&r, "stick", 0), 0.39, 1e-9);
  assert_near(value(&r, "J.f"), 6, 1e-12);
  assert_near(value(&r, "m.f"), 0, 0);
  stop(&r);
}

/** Two pairs of discs meet at one time, each with its momentum: w = p/(1 + 3), which friction then slows down by 2/(1 + 3). What
 *  stuck has taken no impulse, in the first part nor in the second. */
static void every_part_that_is_struck(void **state) {
  (void)state;
  run r = go(BLOCK DISCS("1", "6", "0.3") DISCS("2", "-9", "-0.6"), 0.7);
  assert_near(event_time(&r, "stick", 0), 0.15, 1e-9);
  assert_near(event_time(&r, "stick", 1), 0.3, 1e-9);
  assert_near(value(&r, "A1.f"), 6 / 4. - 0.5 * 0.2, 1e-9);
  assert_near(value(&r, "B2.f"), -9 / 4. + 0.5 * 0.2, 1e-9);
  assert_near(ledger_of(&r)->total.event_loss, 0.5 * (36 + 81) * 3 / 4, 1e-9);
  advance(&r, 6);
  assert_balanced(&r);
  assert_int_equal(events_of(&r, "stick", "mu"), 1); // as the block
  assert_int_equal(events_of(&r, "stick", "mu1"), 2);
  assert_int_equal(events_of(&r, "stick", "mu2"), 2);
  assert_near(event_time(&r, "stick", 3), 0.5 + 1.5 / 0.5, 1e-9);
  assert_near(event_time(&r, "stick", 4), 0.5 + 2.25 / 0.5, 1e-9);
  stop(&r);
}

/** Where the current ends that a sine of 100 V drives through an inductor into 80 V from sin a = 0.8 on: cos a - cos b = 0.8 (b - a).
 *  @return b [rad] */
static double end_of_current(void) {
  const double a = asin(0.8);
  double low = pi - a, high = 2 * pi;
  for (int i = 0; i < 100; i++) {
    const double b = 0.5 * (low + high);
    *(cos(a) - cos(b) > 0.8 * (b - a) ? &low : &high) = b;
  }
  return low;
}

/** A leg of two diodes between 80 V and -80 V: none takes over the current of the other, which has ended but for what its time is off. */
static void a_current_that_has_ended_is_no_other_diodes(void **state) {
  (void)state;
  run r = go("<network domain='electric'><Se id='u' effort='100[V]*sin(100[rad/s]*t)'/><J1 id='p'/>"
             "<I id='L' l='10 mH'/><J0 id='n'/><bond from='u' to='p'/><bond from='p' to='L'/>"
             "<bond from='p' to='n'/><J1 id='a'/><J1 id='b'/><Diode id='A'/><Diode id='B'/>"
             "<Se id='high' effort='80 V'/><Se id='low' effort='80 V'/><bond from='n' to='a'/>"
             "<bond from='a' to='A'/><bond from='a' to='high'/><bond from='b' to='n'/>"
             "<bond from='b' to='B'/><bond from='b' to='low'/></network>",
             0.1);
  const double starts = asin(0.8), ends = end_of_current();
  assert_int_equal(events_of(&r, "switch", "A"), 4); // two pulses up to 10 rad
  assert_int_equal(events_of(&r, "switch", "B"), 2);
  for (int k = 0; k < 3; k++) {
    assert_near(event_time(&r, "switch", 2 * k), (k * pi + starts) / 100, 1e-9);
    assert_near(event_time(&r, "switch", 2 * k + 1), (k * pi + ends) / 100, 1e-9);
  }
  assert_balanced(&r);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_apart_goes_on_sticking),
      cmocka_unit_test(every_part_that_is_struck),
      cmocka_unit_test(a_current_that_has_ended_is_no_other_diodes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
