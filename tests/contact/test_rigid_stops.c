// SPDX-License-Identifier: GPL-3.0-or-later
// A stop that a body on a slide rests at, beside a rigid contact by which a ball of m at 1 m/s drives it away from there: the stop holds
// nothing, and the body with all that is joined to it, of M, goes off at m (1 + e)/(M + m). What stands at its end between a stop and friction
// bears no impulse of either away from there.
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

/** A slide of 2 kg at 1 m/s, braked by friction, has run into its end at 0.1 m. There it stands, held by stop or friction, which press it with
 *  nothing, when a ball strikes.
 *  @param struck  what carries the ball `bl`: 'a' the slide, 'c' another one on it  @param rest  of all  @param w  the joint that is struck
 *  @param at  [s] where the place of the slide, the flow of w and the ball's velocity are read */
static void assert_at_end(const char *struck, const char *rest, const char *w, double at,
                          double place, double flow, double ball) {
  static const char *const frictions[] = {
      "<Friction id='f' coulomb='1'/>",
      "<R id='f' law='if(f &gt; 0, 0.8[N], if(f &lt; 0, -1[N], 0[N]))'/>",
      "<R id='f' law='if(f &gt; 0, 0.8[N], -1.0[N])'/>",
      "<Friction id='f' coulomb='0.7'/><Friction id='g' coulomb='0.3'/><bond from='s' to='g'/>",
      "<Friction id='f' coulomb='0.3'/><Friction id='g' coulomb='0.7'/><bond from='s' to='g'/>"};
  const int count = sizeof frictions / sizeof *frictions;
  const char *shape = "<shape kind='sphere' radius='0.05 m' id='bl'/>";
  for (int i = 0; i < 8 * count; i++) {
    char text[TEXT];
    assert_true(
        snprintf(text, sizeof text,
                 "<laws><contact-law id='h' normal='rigid' restitution='0.5'/></laws><mechanism "
                 "gravity='0 0 0 m/s^2'><body id='a' mass='2 kg' inertia='1 1 1 "
                 "kg.m^2'>%s</body><joint id='s' "
                 "kind='prismatic' parent='world' child='a' axis='1 0 0' limits='-1 0.1 m' w0='1 "
                 "m/s'/>%s<contact a='bl' b='b' law='h'/></mechanism><network>%s<bond from='s' "
                 "to='f'/></network>",
                 *struck == 'a' ? shape : "", rest, frictions[i / 8]) < TEXT);
    run r = start(text, pow(10, -5 - i % 8), 0);
    advance(&r, at);
    assert_near(value(&r, "s.q"), place, 1e-9);
    assert_near(value(&r, w), flow, 1e-9);
    assert_near(component(&r, "b.velocity", 0), ball, 1e-9);
    assert_balanced(&r);
    stop(&r);
  }
}

static void at_its_end(void **state) {
  (void)state;
  assert_at_end("c",
                "<body id='c' mass='1 kg' inertia='1 1 1 kg.m^2'><shape kind='sphere' radius='0.05 "
                "m' id='bl'/></body>"
                "<joint id='d' kind='prismatic' parent='a' child='c' axis='1 0 0'/><body id='b' "
                "mass='0.5 kg' position='0.7 0 0 m' velocity='-1 0 0 m/s'><shape kind='sphere' "
                "radius='0.05 m'/></body>",
                "d.w", 0.35, 0.1, 0, 1);
  assert_at_end("a",
                "<body id='b' mass='0.5 kg' position='-0.45 0 0 m' velocity='1 0 0 m/s'><shape "
                "kind='sphere' radius='0.05 m'/></body>",
                "s.w", 0.6, 0.1, 0, -0.5);
  assert_at_end("a",
                "<body id='b' mass='0.5 kg' position='0.6 0 0 m' velocity='-1 0 0 m/s'><shape "
                "kind='sphere' radius='0.05 m'/></body>",
                "s.w", 0.45, 0.1 - 0.3 * 0.05 + 0.0025 / 4, -0.3 + 0.05 / 2,
                -0.3 + 0.5); // 0.05 s behind the impact
}

/** A lift with its counterweight on a rope, and a ball of radius r on its floor, runs down onto its lower limit, where a friction F comes to hold
 *  it. The ball lands again where it is at rest: at any tolerance, as its momentum is a rounding of what it was. */
static void lift_at_its_end(void **state) {
  (void)state;
  static const double F[] = {5.11802770630012, 6.950568204174633, 8.66150562313474,
                             9.190603889402947};
  static const double rtols[] = {1e-6, 1e-7, 1e-8, 1e-11}, end = -0.2043584698167964, r = 0.017;
  for (int i = 0; i < 16; i++) {
    char text[TEXT];
    assert_true(
        snprintf(
            text, sizeof text,
            "<screwbond version='1' id='m'><run t-end='2 s' rtol='%g'/><laws><contact-law "
            "id='h' normal='rigid' restitution='0.5'/></laws><mechanism gravity='0 0 -9.81 "
            "m/s^2'><body id='a' mass='0.49389449815532604' inertia='1 1 1'><shape "
            "kind='plane' normal='0 0 1'/></body><joint id='j' kind='prismatic' "
            "parent='world' child='a' axis='0 0 1' w0='-1.7419360493388407' limits='%.17g 0.3' "
            "restitution='0'/><body id='b' mass='0.6778786186490993' inertia='1 1 1'/><joint "
            "id='k' kind='prismatic' parent='world' child='b' axis='0 0 1'/><coupling "
            "id='rope' joints='j k' ratios='1 1'/><body id='l' mass='0.14941405215260933'>"
            "<shape kind='sphere' radius='%g'/></body><joint id='n' kind='prismatic' "
            "parent='world' child='l' axis='0 0 1' q0='%g' w0='-1.7419360493388407'/><contact "
            "id='c' a='a' b='l' law='h'/></mechanism><network><Friction id='f' "
            "coulomb='%.17g'/><bond from='j' to='f'/></network></screwbond>",
            rtols[i % 4], end, r, r, F[i / 4]) < TEXT);
    run lift = start_netlist(text);
    advance(&lift, 2);
    assert_near(value(&lift, "j.q"), end, 1e-12);
    assert_near(value(&lift, "n.q"), end + r, 1e-12);
    assert_balanced(&lift);
    stop(&lift);
  }
}

/** A block pressed onto its limit is struck towards it: by all three laws what strikes it goes back with e, as from a wall. */
static void struck_onto_its_limit(void **state) {
  (void)state;
  static const char *const laws[] = {"newton", "poisson", "stronge"};
  for (int i = 0; i < 6; i++) {
    char text[TEXT];
    assert_true(snprintf(text, sizeof text,
                         "<screwbond version='1' id='m'><run t-end='0.5 s'/><laws><contact-law "
                         "id='h' normal='rigid' restitution='0.5' impact='%s'/></laws><mechanism "
                         "gravity='0 0 0 m/s^2'><body id='a' mass='1 kg'><shape kind='sphere' "
                         "radius='0.1'/></body><joint id='ja' kind='prismatic' parent='world' "
                         "child='a' axis='1 0 0' q0='-0.5' w0='1'/><body id='b' mass='%g kg'>"
                         "<shape kind='sphere' radius='0.1'/></body><joint id='jb' "
                         "kind='prismatic' parent='world' child='b' axis='1 0 0' limits='-1 0'/>"
                         "<contact a='a' b='b' law='h'/></mechanism><network><Se id='p' effort='1 "
                         "N'/><bond from='p' to='jb'/></network></screwbond>",
                         laws[i % 3], i < 3 ? 1 : 0.2) < TEXT);
    run r = start_netlist(text);
    advance(&r, 0.5);
    assert_near(value(&r, "ja.w"), -0.5, 1e-12);
    assert_near(value(&r, "jb.w"), 0, 1e-12);
    assert_near(ledger_of(&r)->total.event_loss, 0.5 * (1 - 0.25), 1e-12);
    assert_balanced(&r);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(masses_beside), cmocka_unit_test(behind_a_gear),
      cmocka_unit_test(ratchets),      repeating_test(at_its_end),
      repeating_test(lift_at_its_end), cmocka_unit_test(struck_onto_its_limit)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
