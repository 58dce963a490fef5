// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model_data.h"
#include "tests/fixture.h"

/** The part of an element; -1: it is in none. */
static int part(const run *r, const char *id) {
  for (int i = 0; i < r->model->network.instance_count; i++) {
    if (strcmp(r->model->network.instances[i].id, id) == 0) {
      return r->model->network.part_of[i];
    }
  }
  fail_msg("no element %s", id);
  return -2;
}

/** Bonds join, whatever their order and direction; signals do not. */
static void bonds_join_and_signals_do_not(void **state) {
  (void)state;
  run r = prepare_inside(
      "<network domain='electric'>"
      "<C id='C1' c='1.3 F' q0='1 C'/><R id='R2' r='2 ohm'/><J0 id='n'/><I id='L1' l='2 H'/>"
      "<Se id='u' effort='2.1*x'/><signal id='x' of='C1.e'/><R id='R1' r='3 ohm'/>"
      "<bond from='u' to='R2'/><bond from='n' to='R1'/><bond from='n' to='C1'/>"
      "<bond from='n' to='L1'/></network>");
  assert_int_equal(r.model->network.part_count, 2);
  assert_int_equal(part(&r, "C1"), 0);
  assert_int_equal(part(&r, "n"), 0);
  assert_int_equal(part(&r, "L1"), 0);
  assert_int_equal(part(&r, "R1"), 0);
  assert_int_equal(part(&r, "u"), 1);
  assert_int_equal(part(&r, "R2"), 1);
  assert_int_equal(part(&r, "x"), -1);
  stop(&r);
}

/** A switch joins, open or closed: modes move no bond. */
static void an_open_switch_joins(void **state) {
  (void)state;
  run r = prepare_inside("<network domain='electric'>"
                         "<C id='C1' c='1.3 F' q0='1 C'/><Switch id='s' times='2 s'/><J1 id='j'/>"
                         "<R id='R1' r='3 ohm'/><C id='C2' c='2 F'/><R id='R2' r='3 ohm'/>"
                         "<bond from='C1' to='j'/><bond from='j' to='s'/><bond from='j' to='R1'/>"
                         "<bond from='C2' to='R2'/></network>");
  assert_int_equal(r.model->network.part_count, 2);
  assert_int_equal(part(&r, "C1"), part(&r, "R1"));
  assert_int_equal(part(&r, "C1"), part(&r, "s"));
  assert_int_not_equal(part(&r, "C1"), part(&r, "C2"));
  stop(&r);
}

/** Bodies are parts of their own until a contact joins them; each repeat makes its own. */
static void bodies_and_repeats(void **state) {
  (void)state;
  run r = prepare_inside("<mechanism><body id='a' mass='1.2 kg' inertia='1 1 1 kg.m^2'/>"
                         "<body id='b' mass='1.3 kg' inertia='1 1 1 kg.m^2'/></mechanism>"
                         "<network domain='electric'><repeat count='5' index='i'>"
                         "<C id='C[i]' c='1 F' q0='1 C'/><R id='R[i]' r='1 ohm'/>"
                         "<bond from='C[i]' to='R[i]'/></repeat></network>");
  assert_int_equal(r.model->network.part_count, 7);
  assert_int_not_equal(part(&r, "a"), part(&r, "b"));
  assert_int_equal(part(&r, "C[3]"), part(&r, "R[3]"));
  assert_int_not_equal(part(&r, "C[3]"), part(&r, "C[4]"));
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bonds_join_and_signals_do_not),
      cmocka_unit_test(an_open_switch_joins),
      cmocka_unit_test(bodies_and_repeats),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
