// SPDX-License-Identifier: GPL-3.0-or-later
// A contact may name a normal law itself, which then has the defaults of all that a <contact-law> could state.
#include "tests/fixture.h"

#define BALL(law)                                                                                  \
  "<materials><material id='m' youngs-modulus='1 MPa' poisson-ratio='0.3' />"                      \
  "</materials><laws><contact-law id='stated' normal='hertz'/></laws>"                             \
  "<mechanism gravity='0 0 -9.81 m/s^2'><body id='ball' mass='2 kg' material='m' "                 \
  "position='0 0 0.35 m'><shape kind='sphere' radius='0.1 m'/></body>"                             \
  "<ground id='floor' material='m'><shape kind='plane' normal='0 0 1'/></ground>"                  \
  "<contact a='ball' b='floor' law='" law "'/></mechanism>"

/** Falls 0.25 m onto a plastic floor, which takes m g h, and lies there. */
static void rigid(void **state) {
  (void)state;
  run r = start(BALL("rigid"), 1e-10, 0);
  advance(&r, 1);
  assert_near(component(&r, "ball.position", 2), 0.1, 1e-12);
  assert_near(ledger_of(&r)->total.event_loss, 2 * 9.81 * 0.25, 1e-8);
  assert_balanced(&r);
  stop(&r);
}

/** In the middle of its impact as by the same law stated. */
static void as_stated(void **state) {
  (void)state;
  run named = start(BALL("hertz"), 1e-10, 0), stated = start(BALL("stated"), 1e-10, 0);
  const double t = sqrt(2 * 0.25 / 9.81) + 0.02;
  advance(&named, t);
  advance(&stated, t);
  assert_true(component(&named, "ball.position", 2) < 0.1 - 1e-3);
  assert_near(component(&named, "ball.position", 2), component(&stated, "ball.position", 2), 0);
  stop(&named);
  stop(&stated);
}

/** A name like none is met with the laws of the file and the normal laws. */
static void unknown_names_list_laws(void **state) {
  (void)state;
  static const char text[] =
      "<screwbond version='1' id='m'>" BALL("qqqqqqqq") "<run t-end='1 s'/></screwbond>";
  sb_errors errors = {0};
  sb_netlist *netlist = NULL;
  assert_int_equal(sb_netlist_parse("test.xml", text, strlen(text), NULL, 0, &netlist, &errors),
                   SB_ERR_REFERENCE);
  assert_int_equal(errors.count, 1);
  assert_string_equal(errors.items[0].text, "there is no contact law 'qqqqqqqq'");
  assert_contains(errors.items[0].hint, "one of: stated, linear, ");
  sb_errors_finish(&errors);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rigid), cmocka_unit_test(as_stated),
                                     cmocka_unit_test(unknown_names_list_laws)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
