// SPDX-License-Identifier: GPL-3.0-or-later
// Linear loops whose rows state something twice, or contradict each other, of few unknowns and of many; and loops that are too large.
#include "core/model/model_data.h"
#include "tests/fixture.h"

enum { TEXT = 4000 };
static const int lengths[] = {3, 100, 900}; // sections, of 12 unknowns each

/** Between the nodes n[0] and m, neither of which is known, a ladder of resistors, 1.3 ohm along it and 2.7 ohm across. */
static void ladder_text(char text[TEXT], int length, const char *inside) {
  assert_true(snprintf(text, TEXT,
                       "<screwbond version='1' id='m'><network domain='electric'><J0 id='m'/>"
                       "<J0 id='n[0]'/><R id='g' r='1 ohm'/><bond from='n[0]' to='g'/>\n%s"
                       "<repeat index='k' first='1' count='%d'><J0 id='n[k]'/><J1 id='s[k]'/>"
                       "<J1 id='p[k]'/><R id='S[k]' r='1.3 ohm'/><R id='P[k]' r='2.7 ohm'/>"
                       "<bond from='n[k-1]' to='s[k]'/><bond from='s[k]' to='n[k]'/>"
                       "<bond from='s[k]' to='S[k]'/><bond from='n[k]' to='p[k]'/>"
                       "<bond from='p[k]' to='m'/><bond from='p[k]' to='P[k]'/></repeat></network>"
                       "<run t-end='3 s' rtol='1e-9'/></screwbond>",
                       inside, length) < TEXT);
}

/** Its resistance. */
static double ladder_resistance(int length) {
  double across = HUGE_VAL;
  for (int k = 0; k < length; k++) {
    across = 1.3 + 1 / (1 / 2.7 + 1 / across);
  }
  return across;
}

/** Two elements between its ends. */
#define BESIDE(a, b)                                                                               \
  a "\n" b "<J1 id='ja'/><J1 id='jb'/><bond from='a' to='ja'/><bond from='n[0]' to='ja'/>"         \
    "<bond from='ja' to='m'/><bond from='b' to='jb'/><bond from='n[0]' to='jb'/>"                  \
    "<bond from='jb' to='m'/>"

static void assert_refused(const char *text, sb_status status, const char *words, int line,
                           const char *hint) {
  sb_netlist *netlist = read_netlist(text, NULL, 0);
  sb_model *model = NULL;
  sb_errors errors = {0};
  assert_int_equal(sb_model_compile(netlist->graph, &model, &errors), status);
  assert_null(model);
  assert_int_equal(errors.count, 1);
  assert_contains(errors.items[0].text, words);
  assert_contains(errors.items[0].hint, hint);
  assert_int_equal(errors.items[0].line, line);
  sb_errors_finish(&errors);
  sb_netlist_destroy(netlist);
}

/** Sources of 1.7 V and 2.9 V side by side. */
static void contradictions_are_named(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    char text[TEXT];
    ladder_text(text, lengths[k],
                BESIDE("<Se id='a' effort='1.7 V'/>", "<Se id='b' effort='2.9 V'/>"));
    assert_refused(text, SB_ERR_CAUSALITY,
                   "the sources 'a' and 'b' contradict each other: the efforts round a loop of "
                   "bonds add up to zero, and here all are given",
                   3, "put an R or I in series with 'a' (test.xml:2:1)");
  }
}

/** Capacitors of 1.4 F and 3.1 F side by side, of 2 V, are one of C = 4.5 F, of which the ladder takes u = 2 V exp(-t/(R C)). */
static void capacitors_side_by_side(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    char text[TEXT];
    ladder_text(text, lengths[k],
                BESIDE("<C id='a' c='1.4 F' q0='2.8 C'/>", "<C id='b' c='3.1 F' q0='6.2 C'/>"));
    run r = prepare(text);
    start_by(&r, &r.netlist->options);
    advance(&r, 3);
    const double R = ladder_resistance(lengths[k]), u = 2 * exp(-3 / (R * 4.5));
    assert_near_relative(value(&r, "a.e"), u, 1e-8);
    assert_near_relative(value(&r, "b.q"), 3.1 * u, 1e-8);
    assert_near_relative(value(&r, "b.f"), -u / R * 3.1 / 4.5, 1e-8);
    assert_balanced(&r);
    stop(&r);
  }
}

/** A source of 2.385 V feeds the ladder through one transformer T of ratio 1, and beside it two in a row, A and B. Of the current i = f + g the
 *  bonds carry f twice and g four times: 2 f^2 + 4 g^2 is least for f = 2 g. */
static void paths_share_by_the_least_norm(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    char text[TEXT];
    ladder_text(text, lengths[k],
                "<Se id='E' effort='2.385 V'/><J1 id='j'/><bond from='E' to='j'/><J0 id='x'/>"
                "<bond from='m' to='j'/><bond from='j' to='x'/><J0 id='y'/><TF id='T' ratio='1'/>"
                "<TF id='A' ratio='1'/><TF id='B' ratio='1'/><bond from='x' to='T'/>"
                "<bond from='T' to='n[0]'/><bond from='x' to='A'/><bond from='A' to='y'/>"
                "<bond from='y' to='B'/><bond from='B' to='n[0]'/>");
    run r = prepare(text);
    assert_int_equal(r.model->program->causality.redundant_loop_count, 1);
    start_by(&r, &r.netlist->options);
    advance(&r, 1);
    const double i = 2.385 / ladder_resistance(lengths[k]);
    assert_near_relative(fabs(value(&r, "E.f")), i, 1e-12);
    assert_near_relative(fabs(value(&r, "T.from.f")), 2 * i / 3, 1e-12);
    assert_near_relative(fabs(value(&r, "B.to.f")), i / 3, 1e-12);
    assert_balanced(&r);
    stop(&r);
  }
}

/** Gyrators and resistors of 1e-53 to 1e30 ohm: no solution by doubles meets all rows. */
static void what_cannot_be_solved_is_named(void **state) {
  (void)state;
  assert_refused(
      "<screwbond version='1' id='m'><network domain='electric'><Se id='S' effort='1 V'/>"
      "<J1 id='j'/><R id='r' r='1 ohm'/><bond from='S' to='j'/><bond from='j' to='r'/>"
      "<bond from='j' to='n[0]'/><J0 id='n[0]'/><J0 id='n[1]'/><GY id='a[1]' ratio='1 ohm'/>"
      "<bond from='n[0]' to='a[1]'/><bond from='a[1]' to='n[1]'/>"
      "<repeat index='k' first='2' count='120'><J0 id='n[k]'/><GY id='a[k]' ratio='1 ohm'/>"
      "<bond from='n[k-1]' to='a[k]'/><bond from='a[k]' to='n[k]'/>\n"
      "<GY id='b[k]' ratio='1e30 ohm'/><bond from='n[k-2]' to='b[k]'/><bond from='b[k]' to='n[k]'/>"
      "<J1 id='d[k]'/><R id='D[k]' r='1e-38 ohm'/><bond from='n[k-1]' to='d[k]'/>"
      "<bond from='d[k]' to='n[k]'/><bond from='d[k]' to='D[k]'/><R id='R[k]' r='1e-53 ohm'/>"
      "<bond from='n[k]' to='R[k]'/></repeat></network><run t-end='1 s'/></screwbond>",
      SB_ERR_LIMIT, "the algebraic loop of 1929 unknowns around 'b[", 2,
      "put a C or I into the loop, which divides it, or give its elements values nearer to each "
      "other");
}

/** 12 unknowns of each section. */
static void too_many_unknowns(void **state) {
  (void)state;
  char text[TEXT];
  ladder_text(text, 4000, BESIDE("<R id='a' r='1 ohm'/>", "<C id='b' c='1 F'/>"));
  assert_refused(text, SB_ERR_LIMIT, "unknowns; at most 40000 are allowed", 1,
                 "put a C or I into the loop, which divides it");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      repeating_test(contradictions_are_named),
      repeating_test(capacitors_side_by_side),
      repeating_test(paths_share_by_the_least_norm),
      cmocka_unit_test(what_cannot_be_solved_is_named),
      cmocka_unit_test(too_many_unknowns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
