// SPDX-License-Identifier: GPL-3.0-or-later
// What check says of mechanisms, against what is known of them: Gruebler's count where it holds, the mobility of linkages
// where it does not, and centres of mass by hand.
#include "tests/fixture.h"

#define HEAD "<screwbond version='1' id='m'><mechanism gravity='0 -9.81 0'>"
#define TAIL "</mechanism><run t-end='1 s'/></screwbond>"

/** A hand on an arm and a slider on a free base: 6 + 1 + 3 + 1. */
static const char branches[] =
    HEAD "<body id='base' mass='2 kg' inertia='0.1 0.1 0.1 kg.m^2' position='1 2 3'/>"
         "<body id='left' mass='1 kg' com='0 0 0.5' inertia='0.08 0.08 0.08 kg.m^2'/>"
         "<body id='right' mass='1 kg' com='0 0.5 0' inertia='0.08 0.08 0.08 kg.m^2'/>"
         "<body id='hand' mass='1 kg' com='0 0 0.5' inertia='0.08 0.08 0.08 kg.m^2'/>"
         "<joint id='l' kind='revolute' parent='base' child='left' at='1 0 0'/>"
         "<joint id='r' kind='prismatic' parent='base' child='right' at='-1 0 0'/>"
         "<joint id='h' kind='spherical' parent='left' child='hand'/>" TAIL;

/** Four bars of one length, folded flat: there it can also begin to move as an antiparallelogram. */
static const char flat[] =
    HEAD "<body id='a' mass='1 kg' com='0.5 0 0' inertia='0.08 0.08 0.08 kg.m^2'/>"
         "<body id='b' mass='1 kg' com='0.5 0 0' inertia='0.08 0.08 0.08 kg.m^2'/>"
         "<body id='c' mass='1 kg' com='0.5 0 0' inertia='0.08 0.08 0.08 kg.m^2'/>"
         "<joint id='j1' kind='revolute' parent='world' child='a'/>"
         "<joint id='j2' kind='revolute' parent='a' child='b' at='1 0 0'/>"
         "<joint id='j3' kind='revolute' parent='world' child='c' at='1 0 0'/>"
         "<joint id='j4' kind='revolute' parent='b' child='c' at='1 0 0' child-at='1 0 0'/>" TAIL;

/** Bricard's linkage: Gruebler's count is 5 - 5 = 0. */
static const char bricard[] =
    HEAD "<body id='r1' mass='1 kg' com='0.5 0 0' inertia='0.01 0.08 0.08 kg.m^2'/>"
         "<body id='r2' mass='1 kg' com='0 -0.5 0' inertia='0.08 0.01 0.08 kg.m^2'/>"
         "<body id='r3' mass='1 kg' com='0 0 0.5' inertia='0.08 0.08 0.01 kg.m^2'/>"
         "<body id='r4' mass='1 kg' com='-0.5 0 0' inertia='0.01 0.08 0.08 kg.m^2'/>"
         "<body id='r5' mass='1 kg' com='0 0.5 0' inertia='0.08 0.01 0.08 kg.m^2'/>"
         "<joint id='j1' kind='revolute' parent='world' child='r1' axis='0 1 0'/>"
         "<joint id='j2' kind='revolute' parent='r1' child='r2' at='1 0 0' axis='0 0 1'/>"
         "<joint id='j3' kind='revolute' parent='r2' child='r3' at='0 -1 0' axis='1 0 0'/>"
         "<joint id='j4' kind='revolute' parent='r3' child='r4' at='0 0 1' axis='0 1 0'/>"
         "<joint id='j5' kind='revolute' parent='r4' child='r5' at='-1 0 0' axis='0 0 1'/>"
         "<joint id='j6' kind='revolute' parent='world' child='r5' at='0 0 1' child-at='0 1 0' "
         "axis='1 0 0'/>" TAIL;

static void expect_lines(const char *text, bool json, const char *lines) {
  run r = start_netlist(text);
  char *out;
  sb_error err = {0};
  ok(sb_model_describe(r.model, json, &out, &err), &err);
  assert_contains(out, lines);
  free(out);
  stop(&r);
}

static void a_tree_that_branches(void **state) {
  (void)state;
  // (2 (1 2 3) + (2 2 3.5) + (2 2 3.5) + (0 2.5 3)) / 5
  expect_lines(branches, false,
               "\ntree(base): 4 bodies, 11 degrees of freedom; mass 5 kg, centre at the start 1.2 "
               "2.1 3.2 m\n"
               "  base, free\n    left on l, revolute\n      hand on h, spherical\n"
               "    right on r, prismatic\n");
}

static void a_singular_start(void **state) {
  (void)state;
  expect_lines(flat, false,
               "tree(a): 3 bodies, 1 degree of freedom (2 at the start, which is singular); mass "
               "3 kg, centre at the start 1.16666667 0 0 m\n"
               "  a on j1, revolute\n    b on j2, revolute\n  c on j3, revolute\n"
               "  loops: 5 rows, of rank 2\n"
               "  j4 closes by 5 rows, 3 of which follow from the rest\n");
}

static void a_loop_that_is_overdetermined(void **state) {
  (void)state;
  expect_lines(bricard, false, "5 bodies, 1 degree of freedom; mass 5 kg");
  expect_lines(bricard, false, "j6 closes by 5 rows, 1 of which follows from the rest\n");
  expect_lines(bricard, true,
               "{\"id\": \"tree(r1)\", \"freedoms\": 1, \"freedoms_at_start\": 1, "
               "\"mass\": 5, \"centre\": [");
  expect_lines(
      bricard, true,
      "],\n   \"tree\": [\n    {\"body\": \"r1\", \"parent\": \"world\", \"joint\": \"j1\", "
      "\"kind\": \"revolute\"},\n    {\"body\": \"r2\", \"parent\": \"r1\", ");
  expect_lines(bricard, true,
               "\"rank\": 4, \"loops\": [{\"id\": \"j6\", \"rows\": 5, \"implied\": 1}]}");
}

static void nothing_is_said_of_networks(void **state) {
  (void)state;
  expect_lines("<screwbond version='1' id='m'><network domain='electric'><C id='C1' c='1 F'/>"
               "<R id='R1' r='1 ohm'/><bond from='C1' to='R1'/></network><run t-end='1 s'/>"
               "</screwbond>",
               true, "\n \"insides\": [],\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_tree_that_branches),
                                     cmocka_unit_test(a_singular_start),
                                     cmocka_unit_test(a_loop_that_is_overdetermined),
                                     cmocka_unit_test(nothing_is_said_of_networks)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
