// SPDX-License-Identifier: GPL-3.0-or-later
// What `check` reports of the structure: conserved quantities, the index, loops, redundant constraints;
// against what the networks' equations say by hand.
#include "tests/fixture.h"

/** Compiles and describes; the caller frees the text. */
static char *describe(const char *inside, bool json) {
  run r = go(inside, 0.01);
  char *text;
  assert_int_equal(sb_model_describe(r.model, json, &text, NULL), SB_OK);
  stop(&r);
  assert_non_null(text);
  return text;
}

static void expect_texts(const char *inside, const char *const lines[], int count) {
  char *text = describe(inside, false);
  for (int i = 0; i < count; i++) {
    assert_contains(text, lines[i]);
  }
  free(text);
}
#define EXPECT_TEXTS(inside, ...)                                                                  \
  expect_texts(inside, (const char *[]){__VA_ARGS__},                                              \
               (int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)))

/** Two capacitors in series: the node between them is isolated, its charge stays. */
static const char *const series =
    "<network domain='electric'><Se id='U' effort='5 V'/><J1 id='j'/><R id='R1' r='2'/>"
    "<C id='C1' c='0.7' q0='0.4'/><C id='C2' c='0.3' q0='-0.1'/><bond from='U' to='j'/>"
    "<bond from='j' to='R1'/><bond from='j' to='C1'/><bond from='j' to='C2'/></network>";

static void charge_of_an_isolated_node(void **state) {
  (void)state;
  EXPECT_TEXTS(series, "structural index 0\n1 conserved, whatever the energies and laws are:\n"
                       "  C1.q - C2.q [C]\n\n");
  run r = go(series, 0.6);
  assert_near(value(&r, "C1.q") - value(&r, "C2.q"), 0.5, 1e-14);
  assert_true(value(&r, "C1.q") > 0.5); // while all else moves
  stop(&r);
}

/** Inductors in a loop: p1' = p2' = e. A gear between inertias under one torque: n p1' = p2'. */
static void flux_of_a_loop(void **state) {
  (void)state;
  const char *loop = "<network domain='electric'><J0 id='n'/><C id='C1' c='0.7' q0='0.4'/>"
                     "<I id='L1' l='2' p0='0.3'/><I id='L2' l='3'/><R id='r' r='5'/>"
                     "<bond from='n' to='C1'/><bond from='n' to='L1'/><bond from='n' to='L2'/>"
                     "<bond from='n' to='r'/></network>";
  EXPECT_TEXTS(loop, "1 conserved", "  L1.p - L2.p [Wb]\n");
  run r = go(loop, 3);
  assert_near(value(&r, "L1.p") - value(&r, "L2.p"), 0.3, 1e-13);
  stop(&r);
  EXPECT_TEXTS("<network domain='rotation'><J0 id='n'/><C id='k' c='0.7' q0='1'/>"
               "<I id='A' l='2'/><TF id='g' ratio='3'/><I id='B' l='1'/><bond from='n' to='k'/>"
               "<bond from='n' to='A'/><bond from='n' to='g'/><bond from='g' to='B'/></network>",
               "1 conserved", "  A.p - 3 B.p [N.m.s]\n");
}

/** Three capacitors joined by two inductors float: their charge. A grounded one does not. A ring of
 *  three inductors also has its flux. */
static void floating_mesh(void **state) {
  (void)state;
  const char *mesh =
      "<network domain='electric'><repeat index='k' count='3'><J0 id='n[k]'/>"
      "<C id='C[k]' c='0.1' q0='(k-1)*1[C]'/><J1 id='j[k]'/><I id='L[k]' l='0.5'/>"
      "<bond from='n[k]' to='C[k]'/><bond from='n[k]' to='j[k]'/><bond from='j[k]' to='L[k]'/>"
      "</repeat><repeat index='k' count='2'><bond from='j[k]' to='n[k+1]'/></repeat>"
      "<bond from='j[3]' to='n[1]'/></network>";
  EXPECT_TEXTS(mesh, "2 conserved", "  C[1].q + C[2].q + C[3].q [C]\n",
               "  L[1].p + L[2].p + L[3].p [Wb]\n");
  run r = go(mesh, 1.7);
  assert_near(value(&r, "C[1].q") + value(&r, "C[2].q") + value(&r, "C[3].q"), 3, 1e-13);
  assert_near(value(&r, "L[1].p") + value(&r, "L[2].p") + value(&r, "L[3].p"), 0, 1e-13);
  assert_true(fabs(value(&r, "C[1].q")) > 0.01);
  stop(&r);
}

/** A gyrator mixes the two: p' = -r f, q' = f. A law or an energy of any shape changes nothing. */
static void across_a_gyrator_and_any_energy(void **state) {
  (void)state;
  EXPECT_TEXTS("<network><J1 id='j' domain='electric'/><C id='C1' c='0.7' q0='0.4'/>"
               "<R id='r' r='0.2' exponent='3'/><GY id='m' ratio='0.25 V.s'/>"
               "<I id='J' inertia='3' domain='rotation'/><bond from='j' to='C1'/>"
               "<bond from='j' to='r'/><bond from='j' to='m'/><bond from='m' to='J'/></network>",
               "1 conserved", "  C1.q - 4 J.p [C]\n");
}

/** No Casimir where a source or a resistor reaches every storage. */
static void none(void **state) {
  (void)state;
  char *text = describe("<network domain='electric'><J1 id='j'/><C id='C1' c='1' q0='1'/>"
                        "<I id='L' l='1'/><R id='r' r='1'/><bond from='j' to='C1'/>"
                        "<bond from='j' to='L'/><bond from='j' to='r'/></network>",
                        true);
  assert_contains(text, "\"casimirs\": []");
  assert_contains(text, "\"index\": 0, \"linear_loops\": 0, \"nonlinear_loops\": []");
  free(text);
}

static void index_and_loops(void **state) {
  (void)state;
  // two power laws in series: one equation to solve; index 1
  char *text = describe("<network domain='electric'><Se id='s' effort='7'/><J1 id='j'/>"
                        "<R id='a' r='1' exponent='3'/><R id='b' r='2' exponent='2'/>"
                        "<bond from='s' to='j'/><bond from='j' to='a'/><bond from='j' to='b'/>"
                        "</network>",
                        true);
  assert_contains(text, "\"index\": 1");
  assert_contains(text, "\"nonlinear_loops\": [{\"ids\": [\"");
  free(text);
  // capacitors in parallel: their voltages are constrained; their charge together is conserved
  EXPECT_TEXTS("<network domain='electric'><J0 id='n'/><C id='A' c='1'/><C id='B' c='3'/>"
               "<bond from='n' to='A'/><bond from='n' to='B'/></network>",
               "follows", "with 4 F\n", "structural index 2\n", "  A.q + B.q [C]\n");
}

/** A ring of junctions states an equality twice. What flows round is the least: of a load F a path of
 *  two bonds takes F/3, the direct one 2F/3. */
static void ring_of_junctions(void **state) {
  (void)state;
  const char *ring =
      "<network domain='electric'><Se id='s' effort='6 V'/><R id='r' r='2'/><J0 id='n'/>"
      "<J0 id='m'/><J0 id='k'/><TF id='t' ratio='1'/><bond from='s' to='n'/>"
      "<bond from='n' to='m'/><bond from='m' to='k'/><bond from='n' to='t'/>"
      "<bond from='t' to='k'/><bond from='k' to='r'/></network>";
  EXPECT_TEXTS(ring, "redundant constraint: n, m, k, t state one constraint twice; of the flows "
                     "that may circulate "
                     "there the smallest is taken\n");
  run r = go(ring, 0.1);
  assert_near(value(&r, "r.f"), 3, 1e-15);
  assert_near(value(&r, "t.to.f"), 1.5, 1e-14); // both paths have two bonds
  stop(&r);
  char *text = describe(ring, true);
  assert_contains(
      text, "\"redundant\": [{\"variable\": \"flow\", \"ids\": [\"n\", \"m\", \"k\", \"t\"]}]");
  free(text);
}

/** Two closed switches, or two resistors of nothing, in parallel share what flows. */
static void shorts_in_parallel(void **state) {
  (void)state;
  run r = go("<network domain='electric'><Sf id='s' flow='3 A'/><J0 id='n'/>"
             "<Switch id='S' state='closed'/><R id='a' r='0'/><R id='b' r='0'/>"
             "<bond from='s' to='n'/><bond from='n' to='S'/><bond from='n' to='a'/>"
             "<bond from='n' to='b'/></network>",
             0.1);
  assert_near(value(&r, "a.f"), 1, 1e-14);
  assert_near(value(&r, "b.f"), 1, 1e-14);
  assert_near(value(&r, "S.f"), 1, 1e-14);
  assert_near(value(&r, "s.e"), 0, 1e-14);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(charge_of_an_isolated_node),
      cmocka_unit_test(flux_of_a_loop),
      cmocka_unit_test(floating_mesh),
      cmocka_unit_test(across_a_gyrator_and_any_energy),
      cmocka_unit_test(none),
      cmocka_unit_test(index_and_loops),
      cmocka_unit_test(ring_of_junctions),
      cmocka_unit_test(shorts_in_parallel),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
