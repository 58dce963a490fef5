// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies whose frames lie far from their centres of mass, against their size: the inertia about the frame is that of the place
// alone but for one part in a thousand to a hundred thousand, and what cancels must be no power lost, nor a wrong spin.
#include "tests/fixture.h"

static double random_in(double low, double high) {
  return low + (high - low) * rand() / (double)RAND_MAX;
}

static const char *const joints[] = {"",
                                     "kind='revolute' axis='0.3 1 0.2'",
                                     "kind='prismatic' axis='0.9 0.3 0.7'",
                                     "kind='universal' axis='1 0.2 0.1'",
                                     "kind='spherical'",
                                     "kind='translational'"};
enum { JOINTS = sizeof joints / sizeof *joints, ROUNDS = 6, TEXT = 2000 };

/** Audited at every step; a force and a small moment act at the centre of mass. */
static void audited(void **state) {
  (void)state;
  srand(12);
  for (int i = 0; i < JOINTS * ROUNDS; i++) {
    const double size = pow(10, random_in(-2, -0.5)), far = pow(10, random_in(-1, 0.3));
    const double x = far * random_in(-1, 1), y = far * random_in(-1, 1), z = far * random_in(-1, 1);
    const double J = 0.4 * size * size;
    const bool jointed = i % JOINTS > 0;
    char text[TEXT];
    int used = snprintf(
        text, TEXT,
        "<mechanism gravity='0 0 -9.81 m/s^2'><body id='b' mass='1 kg' com='%g %g %g m' "
        "inertia='%g %g %g kg.m^2' position='3 -2 5 m' velocity='%g %g %g m/s' "
        "angular-velocity='%g %g %g rad/s'/><Wrench id='w' on='b' force-x='4 N' moment-z='%g N.m' "
        "at='%g %g %g m'/>",
        x, y, z, J, 0.9 * J, 0.8 * J, random_in(-5, 5), random_in(-5, 5), random_in(-5, 5),
        random_in(-9, 9), random_in(-9, 9), random_in(-9, 9), 3 * J, x, y, z);
    const double arm = random_in(-1, 1) * far;
    if (jointed) {
      used += snprintf(text + used, (size_t)(TEXT - used),
                       "<body id='c' mass='0.3 kg' com='%g 0 0 m' "
                       "inertia='1e-4 1e-4 1e-4 kg.m^2'/><joint id='j' %s parent='b' "
                       "child='c' at='0.7 -0.4 0 m'/>",
                       arm, joints[i % JOINTS]);
    }
    (void)snprintf(text + used, (size_t)(TEXT - used), "</mechanism>");
    run r = start(text, 1e-8, 0);
    for (int k = 1; k <= 20; k++) {
      advance(&r, 0.02 * k);
      sb_simulation_audit(r.sim);
    }
    assert_true(ledger_of(&r)->structure.residual_relative < 1e-12);
    assert_true(ledger_of(&r)->residual_relative < 1e-6);
    stop(&r);
  }
}

/** A small top 2 m from the origin of its frame, and in its own: it spins and nutates alike. */
static void as_at_the_centre(void **state) {
  static const char *const text =
      "<mechanism gravity='0 0 -9.81 m/s^2'>"
      "<body id='far' mass='1 kg' com='1 -2 0.5 m' inertia='2e-5 3e-5 4e-5 kg.m^2' "
      "position='-1 2 -0.5 m' velocity='%.17g %.17g %.17g m/s' angular-velocity='20 1 30 rad/s'/>"
      "<body id='own' mass='1 kg' inertia='2e-5 3e-5 4e-5 kg.m^2' angular-velocity='20 1 30 "
      "rad/s'/>"
      "</mechanism>";
  (void)state;
  char whole[TEXT];
  // v of the frame, so that the centre rests: -w x c
  (void)snprintf(whole, sizeof whole, text, -(1 * 0.5 + 30 * 2.0), -(30 * 1 - 20 * 0.5),
                 -(-20 * 2.0 - 1));
  run r = start(whole, 1e-10, 0);
  advance(&r, 1);
  for (int k = 0; k < 3; k++) {
    assert_near(component(&r, "far.angular-velocity", k), component(&r, "own.angular-velocity", k),
                1e-7);
    assert_near(component(&r, "far.velocity", k), component(&r, "own.velocity", k), 1e-9);
  }
  assert_balanced(&r);
  stop(&r);
}

/** A link on a free one, let go far from the origin where its potential is zero: the terms of g.x cancel each other, and the energy is
 *  known to the rounding of these, however short the time. It falls by g t^2/2 and does not turn. */
static void under_an_oblique_gravity(void **state) {
  static const char *const text =
      "<mechanism gravity='%g %g %g m/s^2'><body id='a' mass='1 kg' inertia='0.01 0.02 0.015 "
      "kg.m^2'/>"
      "<body id='b' mass='2 kg' inertia='0.01 0.02 0.025 kg.m^2'/><joint id='j' kind='free' "
      "parent='world' child='a' at='%g %g %g m'/><joint id='k' kind='revolute' parent='a' "
      "child='b' "
      "axis='0 1 0' at='0.3 0 0 m' child-at='-0.2 0 0 m'/></mechanism>";
  static const double places[][6] = {
      {0, -5, -5, 0, 1, -1}, {3, 3, -10, 5, 5, 3}, {7, -3, -4, 1, 1, 1}};
  (void)state;
  for (int i = 0; i < 3 * 3 * 4; i++) {
    const double *g = places[i % 3], *at = g + 3;
    const double far = pow(10, 3 * (i / 3 % 3)), t = pow(10, -3 * (i / 9));
    char whole[TEXT];
    (void)snprintf(whole, sizeof whole, text, g[0], g[1], g[2], far * at[0], far * at[1],
                   far * at[2]);
    run r = start(whole, 1e-8, 0);
    advance(&r, 0.1 * t);
    sb_simulation_audit(r.sim);
    for (int k = 0; k < 3; k++) {
      assert_near(component(&r, "a.velocity", k), 0.1 * g[k] * t, 1e-9 * t);
      assert_near(component(&r, "b.angular-velocity", k), 0, 1e-9);
    }
    assert_balanced(&r);
    stop(&r);
  }
}

/** Two links in line roll over the floor about this line, which moves none of its points: the frame of the first stands still, at
 *  the origin or wherever it is. */
static void frame_at_the_origin(void **state) {
  static const char *const text =
      "<laws><contact-law id='hard' normal='rigid' restitution='0' friction='coulomb' mu='0.8'/>"
      "</laws><defaults><contact law='hard'/></defaults><mechanism gravity='0 0 -9.81 m/s^2'>"
      "<ground id='floor'><shape kind='plane' normal='0 0 1' offset='0 m'/></ground>"
      "<body id='a' mass='1.1 kg' com='0.1 0 0 m' inertia='0.00074 0.0037 0.0033 kg.m^2' "
      "position='%g %g 0 m' rotation='37 deg about 0 0 1' angular-velocity='19.047456914627936 "
      "14.353288302176352 0 rad/s'><shape id='e0' kind='point'/>"
      "<shape id='e1' kind='point' at='0.2 0 0 m'/></body>"
      "<body id='b' mass='0.6 kg' com='0.12 0 0 m' inertia='0.00057 0.0029 0.0026 kg.m^2'>"
      "<shape id='e2' kind='point' at='0.24 0 0 m'/></body><joint id='j' parent='a' child='b' "
      "at='0.2 0 0 m' kind='revolute' axis='0.46 0.58 0.69'/><contact a='floor' b='e0'/>"
      "<contact a='floor' b='e1'/><contact a='floor' b='e2'/></mechanism>";
  static const double places[] = {0, 1e-12, 1e-6, 1e-3, 1};
  const double speed = hypot(19.047456914627936, 14.353288302176352);
  (void)state;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    char whole[TEXT];
    (void)snprintf(whole, sizeof whole, text, places[i], -0.7 * places[i]);
    run r = start(whole, 1e-8, 0);
    advance(&r, 0.05);
    assert_near(
        hypot(component(&r, "a.angular-velocity", 0), component(&r, "a.angular-velocity", 1)),
        speed, 1e-9);
    assert_near(value(&r, "j.q"), 0, 1e-9);
    assert_balanced(&r);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(audited), cmocka_unit_test(as_at_the_centre),
                                     cmocka_unit_test(under_an_oblique_gravity),
                                     cmocka_unit_test(frame_at_the_origin)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
