// SPDX-License-Identifier: GPL-3.0-or-later
// The damping of one material beside another that has none is warned of, once for a statement, and only where it does nothing. A
// stiffness whose depth cannot be told under the loads to be expected is refused.
#include "tests/fixture.h"

/** @param text, more  of the only warnings; NULL: none */
static void warned_twice(const char *floor, const char *ball, const char *law, const char *text,
                         const char *more) {
  char netlist[2000];
  (void)snprintf(
      netlist, sizeof netlist,
      "<screwbond version='1' id='m'><materials><material id='a' stiffness='1e4 1e4 1e5 N/m' %s/>"
      "<material id='b' stiffness='1e4 1e4 1e5 N/m' %s/></materials>"
      "<laws><contact-law id='l' %s/></laws><mechanism>"
      "<ground id='floor' %s><shape kind='plane' normal='0 0 1' offset='0 m'/></ground>"
      "<body id='p' mass='1 kg' material='b' position='0 0 1 m'><shape kind='sphere' radius='0.1 "
      "m'/></body>"
      "<body id='q' mass='1 kg' material='b' position='0 0 2 m'><shape kind='sphere' radius='0.1 "
      "m'/></body>"
      "<contacts among='floor p q' law='l'/></mechanism><run t-end='1 s'/></screwbond>",
      floor, ball, law, floor[0] == '-' ? "" : "material='a'");
  if (floor[0] == '-') { // rigid
    char *minus = strstr(netlist, " -/>");
    memcpy(minus, "  />", 4);
  }
  sb_netlist *read = read_netlist(netlist, NULL, 0);
  assert_int_equal(read->warnings.count, (text != NULL) + (more != NULL));
  for (int i = 0; i < read->warnings.count; i++) {
    assert_string_equal(read->warnings.items[i].text, i == 0 ? text : more);
    assert_int_equal(read->warnings.items[i].line, 1);
  }
  sb_netlist_destroy(read);
}

static void warned(const char *floor, const char *ball, const char *law, const char *text) {
  warned_twice(floor, ball, law, text, NULL);
}

#define DAMPED "damping='10 10 100 N.s/m'"
#define IN_SERIES(b, a)                                                                            \
  "damping of the material of '" b "' does nothing here: '" a                                      \
  "' has none, and the dampers of both are in series"

static void damping_of_one_alone(void **state) {
  (void)state;
  warned("", DAMPED, "normal='linear'", "the normal and tangential " IN_SERIES("p", "floor"));
  warned(DAMPED, "", "normal='linear'", "the normal and tangential " IN_SERIES("floor", "p"));
  warned_twice("damping='0 0 100 N.s/m'", "damping='10 10 0 N.s/m'", "normal='linear'",
               "the normal " IN_SERIES("floor", "p"), "the tangential " IN_SERIES("p", "floor"));
  warned("damping='0 0 100 N.s/m'", "damping='10 10 0 N.s/m'",
         "normal='linear' friction='viscous' sigma2='1 N.s/m'",
         "the normal " IN_SERIES("floor", "p"));
  warned("damping='0 0 100 N.s/m'", DAMPED, "normal='linear'",
         "the tangential " IN_SERIES("p", "floor"));
  warned(DAMPED, DAMPED, "normal='linear'", NULL);
  warned("", "", "normal='linear'", NULL);
  warned("-", DAMPED, "normal='linear'", NULL); // all is left to the ball
  warned("", DAMPED, "normal='linear' damping='3 N.s/m'", NULL);
  warned("damping='0 0 100 N.s/m'", DAMPED, "normal='linear' friction='coulomb' mu='0.3'",
         "the tangential " IN_SERIES("p", "floor"));
  warned("damping='0 0 100 N.s/m'", DAMPED, "normal='linear' friction='viscous' sigma2='1 N.s/m'",
         NULL); // stands for the dampers
  warned("", DAMPED, "normal='rigid' restitution='0.5'", NULL);
}

/** A ball of 0.25 m that has E = m v^2/2, or its weight over as far as the floor is: a spring that holds more at a depth of
 *  eps times 0.25 m, or the gap, is refused. */
static void stiffness_that_no_run_can_hold(void **state) {
  (void)state;
  static const struct {
    const char *law, *unit, *start;
    double n, told, stake;
  } rows[] = {{"linear", "N/m", "velocity='0 0 -0.6 m/s' position='0 0 0.35 m'", 1, 0.25, 0.36},
              {"hunt-crossley' exponent='1.5", "N/m^(3/2)",
               "velocity='0 0 -0.6 m/s' position='0 0 0.35 m'", 1.5, 0.25, 0.36},
              {"linear", "N/m", "gravity='0 0 -3 m/s^2' position='0 0 0.25 m'", 1, 0.25, 1.5},
              {"linear", "N/m", "gravity='0 0 -3 m/s^2' position='0 0 2.25 m'", 1, 2, 12}};
  for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
    const double n = rows[i / 2].n, depth = 0x1p-52 * rows[i / 2].told;
    const double most = (n + 1) * rows[i / 2].stake / pow(depth, n + 1);
    char text[1500];
    sb_netlist *netlist = NULL;
    sb_errors errors = {0};
    (void)snprintf(text, sizeof text,
                   "<screwbond version='1' id='m'><laws><contact-law id='l' normal='%s' "
                   "stiffness='%.17g %s'/></laws><mechanism>"
                   "<ground id='floor'><shape kind='plane' normal='0 0 1'/></ground>"
                   "<body id='p' mass='2 kg' %s><shape kind='sphere' radius='0.25 m'/></body>"
                   "<contact a='p' b='floor' law='l'/></mechanism><run t-end='1 s'/></screwbond>",
                   rows[i / 2].law, (i % 2 ? 1.01 : 0.99) * most, rows[i / 2].unit,
                   rows[i / 2].start);
    const sb_status status = sb_netlist_parse("m", text, strlen(text), NULL, 0, &netlist, &errors);
    assert_int_equal(status, i % 2 ? SB_ERR_RANGE : SB_OK);
    if (i % 2) {
      assert_contains(errors.items[0].text,
                      "the contact of 'p' with 'floor' is too stiff for a run: at a depth of ");
      assert_int_equal(errors.items[0].line, 1);
      assert_contains(errors.items[0].hint, "make it softer by a factor of 1.01, or ");
    }
    sb_errors_finish(&errors);
    sb_netlist_destroy(netlist);
  }
}

/** Bodies that do not approach press no spring: what passes by, or spins beside another, has a speed along the normal by rounding alone, 1e-17
 *  of its own. */
static void what_does_not_approach(void **state) {
  (void)state;
  static const char *const rows[] = {
      "angular-velocity='-8.747541530232759 -0.5635626398775051 -3.122394828905117 rad/s'",
      "velocity='0.57 -1.24 1.740845001724643 m/s'", "angular-velocity='3 0.1 -7 rad/s'"};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[1500];
    sb_netlist *netlist = NULL;
    sb_errors errors = {0};
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='m'><laws><contact-law id='l' normal='linear' stiffness='10 "
        "kN/m'/></laws><mechanism><body id='a' mass='1 kg' %s><shape kind='sphere' radius='5 "
        "cm'/></body><body id='b' mass='1 kg' position='83.46480298492105 -42.55663822352707 "
        "-57.6416447180348 mm'><shape kind='sphere' radius='5 cm'/></body><contact a='a' b='b' "
        "law='l'/></mechanism><run t-end='1 s'/></screwbond>",
        rows[i]);
    assert_int_equal(sb_netlist_parse("m", text, strlen(text), NULL, 0, &netlist, &errors), SB_OK);
    sb_errors_finish(&errors);
    sb_netlist_destroy(netlist);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(damping_of_one_alone),
                                     cmocka_unit_test(stiffness_that_no_run_can_hold),
                                     cmocka_unit_test(what_does_not_approach)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
