// SPDX-License-Identifier: GPL-3.0-or-later
// What sticks by dry friction is released before an impact, which is where a constraint is violated: in every connected part
// that one is in, and in no other.
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_apart_goes_on_sticking),
      cmocka_unit_test(every_part_that_is_struck),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
