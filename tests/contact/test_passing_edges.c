// SPDX-License-Identifier: GPL-3.0-or-later
// Two rods that lie nearly along each other and turn past it: the closest points run from end to end within
// microseconds, where a hemisphere and a straight side meet the curvature jumps, and the balance and the audit hold. And
// two flat ends that all but lie on each other, whose rims take turns. And balls that go round an edge, or come out below it.
#include "tests/fixture.h"

static run rods(double rtol) {
  return start("<materials><material id='m' stiffness='20000 20000 30000 N/m' "
               "spin-stiffness='5 N.m/rad'/></materials>"
               "<laws><contact-law id='soft' normal='linear'/></laws>"
               "<mechanism gravity='0 0 0 m/s^2'>"
               "<ground id='rail' material='m'><shape kind='capsule' radius='3 cm' length='40 cm' "
               "rotation='90 deg about 0 1 0'/></ground>"
               "<body id='rod' mass='0.5 kg' material='m' position='0.02 0.001 0.061 m' "
               "rotation='0.2 deg about 0 1 -3' velocity='0.1 0.02 -0.3 m/s' "
               "angular-velocity='0.1 0 0.8 rad/s'><shape kind='capsule' radius='3 cm' "
               "length='30 cm' rotation='90 deg about 0 1 0'/></body>"
               "<contact id='c' a='rail' b='rod' law='soft'/></mechanism>",
               rtol, 1e-2 * rtol);
}

static void points_run_from_end_to_end(void **state) {
  (void)state;
  run r = rods(1e-9);
  int runs = 0;
  double before = 0.14;
  for (double t = 0; t < 12e-3; t += 2e-6) {
    advance(&r, t);
    double x = component(&r, "c.point", 0);
    runs += (x > 0) != (before > 0);
    before = x;
    sb_simulation_audit(r.sim);
  }
  const sb_ledger *ledger = ledger_of(&r);
  assert_true(runs >= 2);
  assert_near(ledger->structure.residual_relative, 0, 1e-14);
  assert_near(ledger->residual_relative, 0, 1e-8);
  stop(&r);
}

/** An end of a cylinder falls on that of another, 2e-3 degrees from parallel: the points are found while that falls
 *  through 1e-6, and the gap's rate is judged on one side of where a flat becomes a round. */
static void an_end_falls_on_an_end(void **state) {
  (void)state;
  run r =
      start("<materials><material id='rubber' stiffness='2e4 2e4 4e4 N/m' spin-stiffness='40 "
            "N.m/rad'/></materials><laws><contact-law id='l' normal='hunt-crossley' exponent='1' "
            "damping-factor='0.5 s/m' friction='coulomb' mu='0.4' friction-radius='1 cm' "
            "friction-damping='1 ms'/></laws><mechanism gravity='0 0 -9.81 m/s^2'>"
            "<body id='a' mass='50 kg' material='rubber'><shape kind='cylinder' "
            "radius='0.178 m' length='0.536 m' edge-radius='5 mm'/></body>"
            "<body id='b' mass='2 kg' material='rubber' position='0.024 0.08 0.75 m' "
            "velocity='0.072 0.134 -2 m/s' angular-velocity='0.0002 0 0 rad/s' "
            "rotation='0.001761226 deg about 0.872 -0.587 -0.555'><shape kind='cylinder' "
            "radius='0.231 m' length='0.445 m' edge-radius='20 mm'/></body>"
            "<contact id='c' a='a' b='b' law='l'/></mechanism>",
            1e-6, 1e-9);
  advance(&r, 0.16); // the bodies touch from 0.13 to 0.15 s
  const sb_ledger *ledger = ledger_of(&r);
  assert_true(ledger->event_count >= 2);
  assert_near(ledger->structure.residual_relative, 0, 1e-12);
  assert_near(ledger->residual_relative, 0, 1e-6);
  stop(&r);
}

/** Deeper below a face than the edge is rounded, a point or a ball has no pair of points nearby where its centre comes out of the
 *  core at the side: z = r - t^2 9.81/2 on a spring as soft as this, x = 0.42 + t/2 = 0.49 at t = 0.14. Within the rounding it goes
 *  round the edge. */
static void leaves_sideways(void **state) {
  (void)state;
  static const struct {
    const char *ground, *shape;
    double r;
  } rows[] = {
      {"kind='box' size='1 1 0.2 m'", "kind='point'", 0},
      {"kind='box' size='1 1 0.2 m'", "kind='sphere' radius='1 cm'", 0.01},
      {"kind='cylinder' radius='0.5 m' length='0.2 m'", "kind='point'", 0},
      {"kind='cylinder' radius='0.5 m' length='0.2 m'", "kind='sphere' radius='1 cm'", 0.01}};
  for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
    const bool round = i % 2 != 0;
    char inside[2000];
    sb_error err = {0};
    (void)snprintf(
        inside, sizeof inside,
        "<laws><contact-law id='l' normal='linear' stiffness='30 N/m'/></laws><mechanism gravity="
        "'0 0 -9.81 m/s^2'><ground id='F'><shape %s edge-radius='1 cm' at='0 0 -0.1 m'/></ground>"
        "<body id='B' mass='1 kg' inertia='0.01 0.01 0.01' position='0.42 0 %.17g m' velocity='%g "
        "0 "
        "0 m/s'><shape %s/></body><contact id='c' a='F' b='B' law='l'/></mechanism>",
        rows[i / 2].ground, rows[i / 2].r, round ? 2.1 : 0.5, rows[i / 2].shape);
    run r = start(inside, 1e-9, 1e-12);
    const sb_status status = sb_simulation_advance(r.sim, 0.5, &err);
    assert_int_equal(status, round ? SB_OK : SB_ERR_CONTACT);
    if (round) {
      assert_balanced(&r);
    } else {
      assert_contains(err.text,
                      "those of the contact are no more, as the bodies pass through each");
      assert_near(component(&r, "B.position", 0), 0.49, 1e-6);
      assert_true(ledger_of(&r)->work.steps < 100);
    }
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(points_run_from_end_to_end),
                                     cmocka_unit_test(an_end_falls_on_an_end),
                                     cmocka_unit_test(leaves_sideways)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
