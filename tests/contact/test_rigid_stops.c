// SPDX-License-Identifier: GPL-3.0-or-later
// A stop that a body on a slide rests at, beside a rigid contact by which a ball of m at 1 m/s drives it away from there: the stop holds
// nothing, and the body with all that is joined to it, of M, goes off at m (1 + e)/(M + m).
#include "tests/fixture.h"

enum { TEXT = 3000 };
static const double e = 0.5, m = 0.5;

/** @param inside  what is joined to the slide 'sl' of the block of 2 kg  @param block, ball  [m/s] behind the impact  @param loss  [J] */
static void assert_strikes(const char *inside, double block, double ball, double loss) {
  char text[TEXT];
  assert_true(snprintf(text, sizeof text,
                       "<screwbond version='1' id='m'><run t-end='0.02 s' rtol='1e-9'/><laws>"
                       "<contact-law id='h' normal='rigid' restitution='0.5'/></laws><mechanism "
                       "gravity='0 0 0 m/s^2'><body id='blk' mass='2 kg'><shape kind='sphere' "
                       "radius='0.1 m'/></body><joint id='sl' kind='prismatic' parent='world' "
                       "child='blk' axis='1 0 0'/><body id='ball' position='-0.16 0 0 m' "
                       "velocity='1 0 0 m/s' mass='0.5 kg'><shape kind='sphere' radius='0.05 m'/>"
                       "</body><contact a='blk' b='ball' law='h'/></mechanism><network>%s"
                       "</network></screwbond>",
                       inside) < TEXT);
  run r = start_netlist(text);
  advance(&r, 0.02);
  assert_balanced(&r);
  assert_near(value(&r, "sl.w"), block, 1e-12);
  assert_near(component(&r, "ball.velocity", 0), ball, 1e-12);
  assert_near(ledger_of(&r)->total.event_loss, loss, 1e-12);
  stop(&r);
}

static void assert_goes_off(const char *inside, double M) {
  const double u = m * (1 + e) / (M + m);
  assert_strikes(inside, u, u - e, (1 - e * e) * m * M / (M + m) / 2);
}

#define STOP "<Stop id='st' domain='translation' lower='0 m'/><bond from='sl' to='st'/>"
#define MASS(id) "<I id='" id "' mass='1 kg'/><bond from='sl' to='" id "'/>"

/** In any order: the mass behind the stop depends on what this holds. */
static void masses_beside(void **state) {
  (void)state;
  assert_goes_off(STOP, 2);
  assert_goes_off(STOP MASS("i"), 3);
  assert_goes_off(MASS("i") STOP, 3);
  assert_goes_off(STOP MASS("i") MASS("j"), 4);
  assert_goes_off(MASS("i") STOP MASS("j"), 4);
}

#define BEHIND(ratio, domain, limit)                                                               \
  "<TF id='g' ratio='" ratio "'/><J1 id='s' domain='" domain "'/><bond from='sl' to='g'/><bond "   \
  "from='g' to='s'/><Stop id='st' domain='" domain "' " limit "/><bond from='s' to='st'/>"

/** Its effort is no multiplier there; it may be the upper limit, alone. */
static void behind_a_gear(void **state) {
  (void)state;
  assert_goes_off(BEHIND("10[1/m]", "rotation", "lower='0 rad'"), 2);
  assert_goes_off(BEHIND("-10[1/m]", "rotation", "upper='0 rad'"), 2);
  assert_goes_off(BEHIND("3", "translation", "lower='0 m'"), 2);
  assert_goes_off(BEHIND("3", "translation", "lower='0 m'") "<I id='i' mass='1 kg'/><bond from='s' "
                                                            "to='i'/>",
                  2 + 9);
  assert_goes_off("<I id='i' mass='1 kg'/>" BEHIND("-3", "translation",
                                                   "upper='0 m'") "<bond from='s' to='i'/>",
                  2 + 9);
}

#define DIODE "<Diode id='d' domain='translation'/>"

/** A ratchet lets go in its free direction; in the other one it holds, and the ball goes back at e. */
static void ratchets(void **state) {
  (void)state;
  assert_goes_off(DIODE "<bond from='sl' to='d'/>", 2);
  assert_goes_off(DIODE "<bond from='sl' to='d'/>" MASS("i"), 3);
  assert_goes_off(MASS("i") DIODE "<bond from='sl' to='d'/>", 3);
  assert_strikes("<TF id='g' ratio='-1'/><J1 id='s' domain='translation'/><bond from='sl' "
                 "to='g'/><bond from='g' to='s'/>" DIODE "<bond from='s' to='d'/>",
                 0, -e, (1 - e * e) * m / 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(masses_beside),
                                     cmocka_unit_test(behind_a_gear), cmocka_unit_test(ratchets)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
