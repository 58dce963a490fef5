// SPDX-License-Identifier: GPL-3.0-or-later
// Couplings of joint coordinates against closed forms: gear, rack and differential, which join trees to one.
#include "tests/fixture.h"

#define WHEEL(id, I, more)                                                                         \
  "<body id='" id "' mass='1' inertia='1 1 " I "'/><joint id='j" id "' kind='revolute' "           \
  "parent='world' child='" id "' " more "/>"
#define TORQUE(joint, e)                                                                           \
  "<network domain='rotation'><Se id='T' effort='" e " N.m'/><bond from='T' to='" joint            \
  "'/></network>"

/** q1 = 2 q2 + 0.3: (I1 + I2/4) a1 = T. */
static void gear(void **state) {
  (void)state;
  const double t = 1.3, a = 0.7 / (0.4 + 1.3 / 4);
  run r = go("<mechanism>" WHEEL("a", "0.4", "q0='0.5 rad'")
                 WHEEL("b", "1.3", "") "<coupling id='c' joints='ja jb' ratios='1 -2' "
                                       "value='0.3'/></mechanism>" TORQUE("ja", "0.7"),
             t);
  assert_near(value(&r, "ja.w"), a * t, 1e-9);
  assert_near(value(&r, "ja.q"), 0.5 + a * t * t / 2, 1e-9);
  assert_near(value(&r, "ja.q") - 2 * value(&r, "jb.q"), 0.3,
              1e-12); // closed at the start, and kept
  assert_near(ledger_of(&r)->total.supplied, 0.7 * a * t * t / 2, 1e-9);
  stop(&r);
}

/** A pinion of 0.05 m lifts a rack of 3 kg: (I + m r^2) a = T - m g r. */
static void rack(void **state) {
  (void)state;
  const double t = 0.9, a = (2 - 3 * 9.81 * 0.05) / (0.02 + 3 * 0.0025);
  run r =
      go("<mechanism gravity='0 0 -9.81 m/s^2'>" WHEEL(
             "p", "0.02",
             "") "<body id='s' mass='3' inertia='1 1 1'/><joint id='js' kind='prismatic' "
                 "parent='world' child='s'/>"
                 "<coupling id='c' joints='jp js' ratios='0.05 -1'/></mechanism>" TORQUE("jp", "2"),
         t);
  assert_near(value(&r, "js.q"), 0.05 * a * t * t / 2, 1e-9);
  assert_near(value(&r, "js.w"), 0.05 * a * t, 1e-9);
  stop(&r);
}

/** A differential, qa + qb = 2 qc: l = (T/Ic)/((1/Ia + 1/Ib)/2 + 2/Ic) is the torque on each side. */
static void differential(void **state) {
  (void)state;
  const double t = 1.1, Ia = 0.3, Ib = 0.7, Ic = 0.2,
               l = (1.7 / Ic) / ((1 / Ia + 1 / Ib) / 2 + 2 / Ic);
  run r =
      go("<mechanism>" WHEEL("a", "0.3", "") WHEEL("b", "0.7", "") WHEEL(
             "c", "0.2",
             "") "<coupling id='d' joints='ja jb jc' ratios='1 1 -2'/></mechanism>" TORQUE("jc",
                                                                                           "1.7"),
         t);
  assert_near(value(&r, "ja.w"), l / Ia * t, 1e-9);
  assert_near(value(&r, "jb.w"), l / Ib * t, 1e-9);
  assert_near(value(&r, "jc.w"), (1.7 - 2 * l) / Ic * t, 1e-9);
  stop(&r);
}

static void faults_are_named(void **state) {
  (void)state;
  const struct {
    const char *text, *message;
  } cases[] = {
      {"<coupling id='c' joints='ja jx' ratios='1 -2'/>", "coupling 'c': there is no joint 'jx'"},
      {"<coupling id='c' joints='ja jb' ratios='1 -2 3'/>",
       "coupling 'c': ratios takes 2 numbers, got 3"},
      {"<coupling id='c' joints='ja js' ratios='1 -2'/>",
       "coupling 'c': joint 'js' has not one coordinate, but 3 rates"},
      {"<coupling id='c' joints='ja' ratios='0'/>",
       "the coupling 'c' must have finite factors, and one that is not zero"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[1500];
    sb_netlist *netlist = NULL;
    sb_errors errors = {0};
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='m'><mechanism>" WHEEL("a", "1", "") WHEEL(
            "b", "1",
            "") "<body id='s' mass='1' inertia='1 1 1'/><joint id='js' kind='spherical' parent='b' "
                "child='s'/>%s</mechanism><run t-end='1 s'/></screwbond>",
        cases[i].text);
    assert_int_not_equal(
        sb_netlist_parse("test.xml", text, strlen(text), NULL, 0, &netlist, &errors), SB_OK);
    assert_string_equal(errors.items[0].text, cases[i].message);
    assert_true(errors.items[0].line == 1);
    sb_errors_finish(&errors);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gear),
      cmocka_unit_test(rack),
      cmocka_unit_test(differential),
      cmocka_unit_test(faults_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
