// SPDX-License-Identifier: GPL-3.0-or-later
// Contacts of bodies that joints join: left out among many, told where they are stated, there where they are asked for.
#include "tests/fixture.h"

/** Two balls on a slide come closer at 1 m/s; a third turns with the second. */
#define BALLS(contacts)                                                                            \
  "<laws><contact-law id='soft' normal='linear' stiffness='1e4 N/m'/><contact-law id='hard' "      \
  "normal='rigid' restitution='1'/></laws><mechanism>"                                             \
  "<body id='a' mass='1 kg'><shape kind='sphere' radius='0.1 m'/></body>"                          \
  "<body id='b' mass='1 kg'><shape kind='sphere' radius='0.1 m'/></body>"                          \
  "<body id='c' mass='1 kg'><shape kind='sphere' radius='0.1 m'/></body>"                          \
  "<ground id='g'><shape kind='sphere' radius='0.1 m' at='5 5 5 m'/></ground>"                     \
  "<joint id='j' kind='prismatic' parent='a' child='b' axis='1 0 0' x0='0.3 m' v0='-1 m/s'/>"      \
  "<joint id='k' kind='revolute' parent='b' child='c' at='0.15 0 0 m' child-at='-0.15 0 0 m'/>"    \
  "\n" contacts "</mechanism>"

/** They meet after 0.1 s with the reduced mass of 1 kg and 2 kg, for pi sqrt(m/k), and part at 1 m/s. */
static void asked_for(void **state) {
  static const char *const contacts[] = {
      "<contact a='a' b='b' law='soft' jointed='yes'/>",
      "<contact a='a' b='b' law='hard' jointed='yes'/>",
      "<contacts among='a b' law='soft' jointed='yes'/>",
      "<contacts among='a b' law='soft' jointed='yes' pairs='near'/>"};
  (void)state;
  for (size_t i = 0; i < sizeof contacts / sizeof *contacts; i++) {
    const double within = i == 1 ? 0 : SB_PI * sqrt(2.0 / 3 / 1e4);
    char text[2000];
    (void)snprintf(text, sizeof text, BALLS("%s"), contacts[i]);
    run r = start(text, 1e-10, 0);
    advance(&r, 0.3);
    assert_near(value(&r, "j.w"), 1, 1e-8);
    assert_near(value(&r, "j.q"), 0.2 + 0.2 - within, 1e-8);
    assert_balanced(&r);
    stop(&r);
  }
}

/** Among all, with pairs that are there always or only while near: j and k leave their pairs out, so that a passes through b. */
static void left_out(void **state) {
  static const char *const pairs[] = {"all", "near"};
  (void)state;
  for (int i = 0; i < 2; i++) {
    char text[2000];
    (void)snprintf(text, sizeof text,
                   BALLS("<contacts among='g a b c' law='soft' except='a,c' pairs='%s'/>"),
                   pairs[i]);
    run r = start(text, 1e-10, 0);
    advance(&r, 0.6);
    assert_near(value(&r, "j.q"), -0.3, 1e-9);
    stop(&r);
  }
}

static void told(void **state) {
  static const char *const contacts[] = {"<contact a='b' b='c' law='soft'/>",
                                         "<contacts among='b c' law='soft'/>"};
  (void)state;
  for (int i = 0; i < 2; i++) {
    char text[2000];
    sb_errors errors = {0};
    sb_netlist *netlist = NULL;
    (void)snprintf(text, sizeof text,
                   "<screwbond version='1' id='m'>" BALLS("%s") "<run t-end='1'/></screwbond>",
                   contacts[i]);
    (void)sb_netlist_parse("test.xml", text, strlen(text), NULL, 0, &netlist, &errors);
    assert_int_equal(errors.count, 1);
    assert_string_equal(errors.items[0].text, "a contact of 'b' and 'c', which joint 'k' joins");
    assert_string_equal(errors.items[0].hint, "where their shapes do not overlap at the joint, ask "
                                              "for the contact by jointed=\"yes\"");
    assert_int_equal(errors.items[0].line, 2);
    assert_int_equal(errors.items[0].column, 1);
    sb_errors_finish(&errors);
    sb_netlist_destroy(netlist);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(asked_for), cmocka_unit_test(left_out),
                                     cmocka_unit_test(told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
