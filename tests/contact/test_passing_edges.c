// SPDX-License-Identifier: GPL-3.0-or-later
// Two rods that lie nearly along each other and turn past it: the closest points run from end to end within
// microseconds, where a hemisphere and a straight side meet the curvature jumps, and the balance and the audit hold. And
// two flat ends that all but lie on each other, whose rims take turns. And balls that go round an edge, or come out below it;
// and bodies that fall through thin ones on springs as soft as that, or past their middle. And balls that fly along a plane.
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
      // no step is found that ends within 1e-8 to 2e-5 s of it, by rtol from 2e-8 to 1e-10
      assert_near(component(&r, "B.position", 0), 0.49, 1e-5);
      assert_true(ledger_of(&r)->work.steps < 100);
    }
    stop(&r);
  }
}

/** A thin body falls along z over a fixed one, 1 cm and 2 cm aside, on a spring that takes little of its speed. */
static run falls_over(const char *fixed, const char *thin, double aside, const char *method) {
  char text[1500];
  (void)snprintf(
      text, sizeof text,
      "<screwbond version='1' id='over'><laws><contact-law id='l' normal='linear' stiffness='500 "
      "N/m'/></laws><mechanism><ground id='F'><shape %s/></ground><body id='B' mass='1 kg' "
      "inertia='0.01 0.01 0.01'><shape %s/></body><joint id='j' kind='prismatic' axis='0 0 1' "
      "parent='world' child='B' at='%.17g %.17g 0 m' q0='0.3 m' w0='-5 m/s'/>\n"
      "<contact id='c' a='F' b='B' law='l'/></mechanism><run t-end='0.3 s' method='%s' rtol="
      "'1e-10'/></screwbond>",
      fixed, thin, aside, 2 * aside, method);
  return start_netlist(text);
}

/** What has no thickness, an axis, a centre or a point, has passed the thin body where it comes out of it, at x = 0.01 and y =
 *  0.02; where its nearest spot is asked for, in the middle; and crossed capsules at 0.95 of the depth r1 + r2. */
static void falls_through(void **state) {
  (void)state;
  static const char *const methods[] = {"dormand-prince-5", "kvaerno-5"};
  static const char capsule[] =
      "kind='capsule' radius='5 cm' length='50 cm' rotation='90 deg about "
      "0 1 0'",
                    ball[] = "kind='sphere' radius='5 cm'", point[] = "kind='point'",
                    disc[] = "kind='ellipsoid' semi-axes='0.1 0.1 0.01 m'",
                    plate[] = "kind='superellipsoid' semi-axes='0.1 0.12 0.01 m' exponent='4'",
                    lens[] = "kind='lens' radius='10 cm' length='2 cm' edge-radius='5 mm'",
                    rod[] = "kind='capsule' radius='1 cm' length='30 cm' rotation='90 deg about 1 "
                            "0 0'";
  const double out_of_plate = -0.01 * pow(1 - pow(0.1, 4) - pow(1. / 6, 4), 0.25);
  const struct {
    const char *fixed, *thin;
    double end; // [m] z
  } rows[] = {{capsule, disc, -0.01 * sqrt(1 - 0.04)},
              {ball, plate, out_of_plate},
              {point, plate, out_of_plate},
              {point, disc, 0},
              {ball, lens, 0},
              {point, lens, 0},
              {capsule, rod, 0.05 * 0.06}};
  for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
    run r = falls_over(rows[i / 2].fixed, rows[i / 2].thin, 0.01, methods[i % 2]);
    sb_error err = {0};
    assert_int_equal(sb_simulation_advance(r.sim, 0.3, &err), SB_ERR_CONTACT);
    assert_contains(err.text, "'c' at t = 0.0");
    assert_contains(err.text, "cease to be unique");
    assert_contains(err.text, "m thick, and the depth ratio");
    assert_contains(err.hint, "a stiffer material");
    assert_int_equal(err.line, 2);
    assert_near(value(&r, "j.q"), rows[i / 2].end, 2e-4);
    assert_true(ledger_of(&r)->work.steps < 100);
    assert_balanced(&r);
    stop(&r);
  }
}

/** Past the middle of a ball the normal turns through two right angles but for 2 acos, within a few steps, and nothing ends:
 *  with the height s of the centre over the middle, aside by e, all of the spring's energy comes back, v = 5 m/s. */
static void falls_past_the_middle(void **state) {
  (void)state;
  static const char *const balls[] = {"kind='point'", "kind='sphere' radius='5 cm'"};
  for (int i = 0; i < 4; i++) {
    const double e = (0.05 + 0.05 * (i % 2)) * (i < 2 ? 0.4 : 0.1);
    run r = falls_over(balls[i % 2], balls[1], e / sqrt(5), "dormand-prince-5");
    advance(&r, 0.3);
    assert_int_equal(ledger_of(&r)->event_count, 2);
    assert_near(value(&r, "j.w"), -5, 1e-5);
    assert_balanced(&r);
    stop(&r);
  }
}

/** The number behind some words of a text. */
static double number_behind(const char *text, const char *words) {
  const char *at = strstr(text, words);
  assert_non_null(at);
  return strtod(at + strlen(words), NULL);
}

/** A rod on a box, whose lower end c comes over the edge y = w of its core, deeper than both are rounded together, R = ra + rb. On the
 *  face the gap is -d - R, d being the depth of c below the core's face; the next pair of points is that of the edge and the axis
 *  of the rod, u = (sin b, -cos b cos a, cos b sin a), whose normal (0, sin a, cos a) is turned by a, less than a leap of the
 *  normal is told by: where c is over the edge itself that has -d cos a - R. The rod does not turn, y = y0 + vy t, and z swings on the
 *  spring, d + R = v/w sin(w (t - t0)) with w^2 = k/m, from the touch on. */
static void leaps_with_a_small_turn(void **state) {
  (void)state;
  static const char *const methods[] = {"dormand-prince-5", "kvaerno-5"};
  const double ra = 0.01, rb = 0.005, half = 0.2, k = 50, vy = 0.2371, v = 0.4531, b = 0.3;
  for (int i = 0; i < 4; i++) {
    const double a = (i < 2 ? 29 : 41) * pi / 180, omega = sqrt(k), y0 = 0.45, z0 = 0.0357;
    const double u[3] = {sin(b), -cos(b) * cos(a), cos(b) * sin(a)};
    const double begin = (z0 - rb) / v, end = (0.5 - ra - y0) / vy;
    const double depth = v / omega * sin(omega * (end - begin));
    char text[1500];
    sb_error err = {0};
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='edge'><laws><contact-law id='l' normal='linear' stiffness='%g "
        "N/m'/></laws><mechanism><ground id='F'><shape kind='box' size='1 1 0.4 m' edge-radius='%g "
        "m' at='0 0 -0.2 m'/></ground><body id='B' mass='1 kg' inertia='1e9 1e9 1e9' position='0 "
        "%g %g m' velocity='0 %g %g m/s'><shape kind='capsule' radius='%g m' length='%.17g m' "
        "at='%.17g %.17g %.17g m' rotation='%.17g rad about %.17g %.17g 0'/></body>\n"
        "<contact id='c' a='F' b='B' law='l'/></mechanism><run t-end='1 s' method='%s' "
        "rtol='1e-9'/></screwbond>",
        k, ra, y0, z0, vy, -v, rb, 2 * (half + rb), half * u[0], half * u[1], half * u[2],
        acos(u[2]), -u[1], u[0], methods[i % 2]);
    run r = start_netlist(text);
    assert_int_equal(sb_simulation_advance(r.sim, 1, &err), SB_ERR_CONTACT);
    assert_near(number_behind(err.text, "has the gap "), -(depth - ra - rb) * cos(a) - ra - rb,
                1e-6);
    assert_near(number_behind(err.text, "the depth was "), depth, 5e-6);
    assert_contains(err.text, "the thinner body is 0.01 m thick, and the depth ratio was");
    assert_near(sb_simulation_time(r.sim), end, 1e-5);
    assert_near(ledger_of(&r)->residual_relative, 0, 1e-7);
    assert_true(ledger_of(&r)->work.steps < 100);
    stop(&r);
  }
}

/** @param motion  of a ball of 1 mm whose lowest point begins 1 cm above a plane that turns at w about y */
static run fly(double g, double w, const char *motion) {
  char text[1500];
  (void)snprintf(text, sizeof text,
                 "<materials><material id='m' stiffness='3000 3000 5000 N/m'/></materials><laws>"
                 "<contact-law id='L' normal='linear' friction='viscous' sigma2='1 N.s/m'/></laws>"
                 "<mechanism gravity='0 0 %.17g m/s^2'><body id='plate' material='m' mass='1e9 kg' "
                 "inertia='1e9 1e9 1e9 kg.m^2' angular-velocity='0 %.17g 0 rad/s' gravity='0 0 0 "
                 "m/s^2'><shape kind='plane' normal='0 0 1' offset='0 m'/></body><body id='ball' "
                 "mass='0.1 kg' inertia='1e-8 1e-8 1e-8 kg.m^2' material='m' position='0 0 0.011 "
                 "m' %s><shape kind='sphere' radius='1 mm'/></body><contact id='c' a='plate' "
                 "b='ball' law='L'/></mechanism>",
                 -g, w, motion);
  return start(text, 1e-10, 1e-13);
}

/** The gap to a half space of a ball that flies along it at 100 m/s changes as that of one that falls: it lands after
 *  sqrt(2 h/g), and no step is as short as its radius. */
static void flies_along_a_plane(void **state) {
  (void)state;
  run r = fly(9.81, 0, "velocity='100 0 0 m/s'");
  advance(&r, 0.045);
  assert_true(ledger_of(&r)->work.steps < 60);
  assert_int_equal(ledger_of(&r)->event_count, 0);
  advance(&r, 0.0452);
  assert_int_equal(ledger_of(&r)->event_count, 1);
  assert_near(ledger_of(&r)->events[0].t, sqrt(2 * 0.01 / 9.81), 1e-12);
  assert_balanced(&r);
  stop(&r);
}

/** A half space that turns at w against its way: h cos(w t) - v t sin(w t) = r, though the gap does not change at first. */
static void flies_along_what_turns(void **state) {
  static const double v = 3, w = 0.5;
  double low = 0, high = 0.2;
  (void)state;
  for (int i = 0; i < 60; i++) {
    const double t = 0.5 * (low + high);
    *(0.011 * cos(w * t) - v * t * sin(w * t) > 0.001 ? &low : &high) = t;
  }
  run r = fly(0, -w, "velocity='3 0 0 m/s'");
  advance(&r, high + 1e-5);
  assert_int_equal(ledger_of(&r)->event_count, 1);
  assert_near(ledger_of(&r)->events[0].t, high, 1e-11);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      repeating_test(points_run_from_end_to_end), cmocka_unit_test(flies_along_a_plane),
      cmocka_unit_test(flies_along_what_turns),   cmocka_unit_test(an_end_falls_on_an_end),
      cmocka_unit_test(leaves_sideways),          cmocka_unit_test(falls_through),
      cmocka_unit_test(falls_past_the_middle),    repeating_test(leaps_with_a_small_turn)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
