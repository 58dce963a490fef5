// SPDX-License-Identifier: GPL-3.0-or-later
// A crank that has turned 10,000 times is known to the rounding of its angle, 1e-11 rad: the audit holds its mechanism to no less,
// energy and closure are kept. Expected: conservation laws, and the motion of the same mechanism at its first turn.
#include "tests/fixture.h"

static const char four_bar[] =
    "<mechanism gravity='0 0 0 m/s^2'>"
    "<body id='a' mass='1 kg' com='0 0.15 0 m' inertia='0.01 0.01 0.01 kg.m^2'/>"
    "<body id='b' mass='1.5 kg' com='0.4 0 0 m' inertia='0.02 0.02 0.03 kg.m^2'>"
    "<frame id='end' at='0.8 0 0 m'/></body>"
    "<body id='c' mass='1.2 kg' com='0 0.35 0 m' inertia='0.02 0.02 0.02 kg.m^2'>"
    "<frame id='top' at='0 0.7 0 m'/></body>"
    "<joint id='A' kind='revolute' axis='0 0 1' parent='world' child='a' q0='%s' w0='-10 rad/s'/>"
    "<joint id='D' kind='revolute' axis='0 0 1' parent='world' child='c' at='0.9 0 0 m'/>"
    "<joint id='B' kind='revolute' axis='0 0 1' parent='a' child='b' at='0 0.3 0 m'/>"
    "<joint id='C' kind='revolute' axis='0 0 1' parent='b' child='c' at='0.8 0 0 m' "
    "child-at='0 0.7 0 m' cut='yes'/></mechanism>";

static run start_at(const char *q0) {
  char text[2000];
  (void)snprintf(text, sizeof text, four_bar, q0);
  run r = prepare_inside(text);
  const sb_options options = options_of("fehlberg-8", 1e-12);
  start_by(&r, &options);
  return r;
}

static void after_10000_turns(void **state) {
  (void)state;
  run first = start_at("0 rad"), late = start_at("-3600000 deg");
  const double before = value(&late, "tree(a).energy");
  assert_near(value(&late, "A.q"), -2e4 * SB_PI, 1e-10);
  for (double t = 1; t <= 8; t++) { // 14 turns
    advance(&first, t);
    advance(&late, t);
    double end[3], top[3];
    read_all(&late, "end.position", end);
    read_all(&late, "top.position", top);
    for (int i = 0; i < 3; i++) {
      assert_near(end[i], top[i], 1e-10);
    }
    assert_near(value(&late, "A.q") - value(&first, "A.q"), -2e4 * SB_PI, 1e-8);
  }
  sb_simulation_audit(late.sim);
  assert_true(ledger_of(&late)->structure.residual_relative < 1e-12);
  assert_near(value(&late, "tree(a).energy"), before, 1e-9 * before);
  stop(&first);
  stop(&late);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(after_10000_turns)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
