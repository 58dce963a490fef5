// SPDX-License-Identifier: GPL-3.0-or-later
// Stacks of boxes on four feet each, whose rigid contacts are all solved for together: what each layer bears is the weight
// above it, in closed form, and a stack of too many says so. And balls that come to rest on each other, or tumble.
#include "tests/netlist_text.h"

static const double g = 9.81, slope = 0.1; // six of them stand up to atan(1/6)

/** Boxes of 1 kg, 0.2 m high, on a floor that falls along x. */
static void write_stack(char text[TEXT], int boxes) {
  static const char *feet = "<shape id='p%s' kind='point' at='0.1 0.1 -0.1 m'/>"
                            "<shape id='q%s' kind='point' at='0.1 -0.1 -0.1 m'/>"
                            "<shape id='r%s' kind='point' at='-0.1 0.1 -0.1 m'/>"
                            "<shape id='s%s' kind='point' at='-0.1 -0.1 -0.1 m'/>";
  text[0] = '\0';
  add(text,
      "<screwbond version='1' id='m'><run t-end='1 s' rtol='1e-9'/><laws><contact-law id='hard' "
      "normal='rigid' friction='coulomb' mu='0.5'/></laws><defaults><contact law='hard'/>"
      "</defaults><mechanism gravity='%.17g 0 %.17g m/s^2'><ground id='floor'><shape id='t[0]' "
      "kind='plane' normal='0 0 1' offset='0 m'/></ground><repeat index='k' count='%d'><body "
      "id='box[k]' mass='1 kg' inertia='0.01 0.01 0.01 kg.m^2' position='0 0 0.2[m]*k-0.1[m]'>"
      "<shape id='t[k]' kind='plane' normal='0 0 1' offset='0.1 m'/>",
      g * sin(slope), -g * cos(slope), boxes);
  add(text, feet, "[k]", "[k]", "[k]", "[k]");
  add(text, "</body>");
  for (const char *foot = "pqrs"; *foot != '\0'; foot++) {
    add(text, "<contact id='on_%c[k]' a='t[k-1]' b='%c[k]'/>", *foot, *foot);
  }
  add(text, "</repeat></mechanism></screwbond>");
}

/** Under box k of n stand n - k + 1 boxes' weights: their parts along the normal and along the slope. */
static void layers_bear_what_is_above(void **state) {
  (void)state;
  const int boxes = PLAIN ? 6 : 3;
  char text[TEXT];
  write_stack(text, boxes);
  run r = start_netlist(text);
  advance(&r, 0.5);
  for (int k = 1; k <= boxes; k++) {
    double along = 0, normal = 0;
    for (const char *foot = "pqrs"; *foot != '\0'; foot++) {
      char name[40];
      (void)snprintf(name, sizeof name, "on_%c[%d].force", *foot, k);
      along += component(&r, name, 0);
      normal += component(&r, name, 2);
    }
    assert_near(normal, (boxes - k + 1) * g * cos(slope), 1e-9);
    assert_near(along, -(boxes - k + 1) * g * sin(slope), 1e-9);
  }
  assert_balanced(&r);
  stop(&r);
}

/** A limit of the sizes of common solutions. */
static void too_many_at_once(void **state) {
  (void)state;
  char text[TEXT];
  write_stack(text, 12);
  double t;
  sb_error err;
  assert_int_equal(try_run(text, 1, &t, &err), SB_ERR_SOLVER);
  assert_string_equal(
      err.text, "the forces of 48 rigid contacts at t = 0 s, that of 'on_p[1]' among them, depend "
                "on each other: more unknowns than the 1000 that are solved for together");
  assert_non_null(strstr(err.hint, "three points hold a body on a plane"));
}

/** Balls dropped one above the other, the heavier ones on top, without friction, by Newton's law: while they come to rest some part already as others strike
 *  them, and the ratios of all at once would give energy. They come to rest on each other, with what they have lost booked. */
static void heavier_balls_on_top(void **state) {
  (void)state;
  static const double ratios[] = {0.5, 2, 3, 5, 10}, restitutions[] = {0.3, 0.5, 0.8};
  for (int i = 0; i < 2 * 15; i += THOROUGH ? 1 : 7) {
    const double ratio = ratios[i % 5], e = restitutions[i / 5 % 3];
    char text[TEXT] = "";
    add(text,
        "<screwbond version='1' id='m'><run t-end='4 s' rtol='%s'/><laws><contact-law id='hard' "
        "normal='rigid' restitution='%g'/></laws><defaults><contact law='hard'/></defaults>"
        "<mechanism gravity='0 0 -9.81 m/s^2'><ground id='floor'><shape kind='plane' normal='0 0 "
        "1'/></ground><body id='b0' position='0 0 0.15 m' mass='1 kg'><shape kind='sphere' "
        "radius='0.1 m'/></body><contact a='floor' b='b0'/><body id='b1' position='0 0 0.4 m' "
        "mass='%g kg'><shape kind='sphere' radius='0.1 m'/></body><contact a='b0' b='b1'/>"
        "</mechanism></screwbond>",
        i < 15 ? "1e-5" : "1e-9", e, ratio);
    run r = start_netlist(text);
    advance(&r, 4);
    assert_near(component(&r, "b0.position", 2), 0.1, 1e-9);
    assert_near(component(&r, "b1.position", 2), 0.3, 1e-9);
    assert_near(ledger_of(&r)->total.event_loss, g * (0.05 + 0.1 * ratio), 1e-6);
    assert_balanced(&r);
    stop(&r);
  }
}

/** Balls tumble in a drum that begins to turn. A step at a loose tolerance that ends where one strikes may leave two others, which have just parted, in each
 *  other by what it is off, 1e-10 m here: they touch. */
static void balls_tumble_in_a_drum(void **state) {
  (void)state;
  static const double mass[] = {0.9589195577097951, 0.5386611591780606, 0.527359309095329},
                      x[] = {-0.2, -0.05, 0.1},
                      y[] = {-0.003763370959790291, 0.006554051876408834, 0.00099187375346119};
  static const char *const rtols[] = {"1e-4", "1e-5"};
  for (int i = 0; i < 2; i++) {
    char text[TEXT] = "";
    add(text,
        "<screwbond version='1' id='m'><run t-end='2 s' rtol='%s'/><laws><contact-law id='hard' "
        "normal='rigid' friction='coulomb' mu='0.35591081235012834' restitution='0'/></laws>"
        "<defaults><contact law='hard'/></defaults><mechanism gravity='0 0 -9.81 m/s^2'><body "
        "id='drum' mass='10 kg' inertia='1 1 1 kg.m^2'><shape kind='tube' radius='0.4 m' "
        "rotation='90 deg about 1 0 0'/></body><joint id='j' kind='revolute' axis='0 1 0' "
        "parent='world' child='drum'/>",
        rtols[i]);
    for (int k = 0; k < 3; k++) {
      add(text,
          "<body id='b%d' mass='%.17g kg' position='%.17g %.17g -0.1 m'><shape kind='sphere' "
          "radius='0.05 m'/></body><contact id='c%d' a='drum' b='b%d'/>",
          k, mass[k], x[k], y[k], k, k);
    }
    add(text, "<contact id='c01' a='b0' b='b1'/><contact id='c02' a='b0' b='b2'/><contact "
              "id='c12' a='b1' b='b2'/></mechanism><network domain='rotation'><Sf id='m' "
              "flow='5.405564355911224[rad/s]*min(t/0.3[s],1)'/><bond from='m' to='j'/></network>"
              "</screwbond>");
    run r = start_netlist(text);
    for (int k = 1; k <= 120; k++) {
      static const char *const gaps[] = {"c0.gap",  "c1.gap",  "c2.gap",
                                         "c01.gap", "c02.gap", "c12.gap"};
      advance(&r, 0.01 * k);
      for (int c = 0; c < 6; c++) {
        assert_true(value(&r, gaps[c]) > -1e-9);
      }
    }
    assert_closes(&r);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(layers_bear_what_is_above), cmocka_unit_test(too_many_at_once),
      repeating_test(heavier_balls_on_top), cmocka_unit_test(balls_tumble_in_a_drum)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
