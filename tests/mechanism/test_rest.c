// SPDX-License-Identifier: GPL-3.0-or-later
// Closed mechanisms that hold: a truss, whose joints leave nothing free, and loops that hang at rest. What the forces leave
// there is their rounding, which no method must follow.
#include "tests/fixture.h"

#define ROD(id) "<body id='" id "' mass='1 kg' com='0.5 0 0 m' inertia='0.1 0.1 0.1 kg.m^2'/>"
#define TRUSS                                                                                      \
  ROD("a")                                                                                         \
  ROD("b")                                                                                         \
  "<joint id='j' kind='revolute' parent='world' child='a' q0='60 deg'/>"                           \
  "<joint id='k' kind='revolute' parent='a' child='b' at='1 0 0 m'/>"                              \
  "<joint id='l' kind='revolute' parent='world' child='b' at='1 0 0 m' child-at='1 0 0 "           \
  "m'/>"
static const char *const methods[] = {"dormand-prince-5", "fehlberg-8", "kvaerno-5"};

static void stays(const char *inside, const char *joint, double q) {
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    run r = prepare_inside(inside);
    const sb_options options = options_of(methods[i], 1e-9);
    start_by(&r, &options);
    advance(&r, 1);
    assert_near(value(&r, joint), q, 1e-12);
    assert_balanced(&r);
    stop(&r);
  }
}

/** Under its weight, and under a force where nothing has weight. */
static void truss(void **state) {
  (void)state;
  stays("<mechanism gravity='0 -9.81 0 m/s^2'>" TRUSS "</mechanism>", "j.q", SB_PI / 3);
  stays("<mechanism>" TRUSS "<Wrench id='w' on='b' force-y='-7 N' at='0.3 0 0 m'/></mechanism>",
        "j.q", SB_PI / 3);
}

/** Four bars that hang straight down, and a body that one hinge to the ground holds along its axis. */
static void at_rest(void **state) {
  (void)state;
  stays(
      "<mechanism gravity='0 -9.81 0 m/s^2'>" ROD("a") ROD("b") ROD(
          "c") "<joint id='j' kind='revolute' parent='world' child='a' q0='-90 deg'/>"
               "<joint id='k' kind='revolute' parent='a' child='b' at='1 0 0 m' q0='90 deg'/>"
               "<joint id='m' kind='revolute' parent='world' child='c' at='1 0 0 m' q0='-90 deg'/>"
               "<joint id='l' kind='revolute' parent='b' child='c' at='1 0 0 m' child-at='1 0 0 "
               "m'/>"
               "</mechanism>",
      "j.q", -SB_PI / 2);
  stays("<mechanism gravity='0 0 -9.81 m/s^2'>" ROD(
            "a") "<joint id='j' kind='revolute' parent='a' child='world'/></mechanism>",
        "a.position", 0.5);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(truss), cmocka_unit_test(at_rest)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
