// SPDX-License-Identifier: GPL-3.0-or-later
// Where a face, a barrel or a cap goes over into a rounded edge the curvature jumps, and with it the normal force of a rigid contact:
// bodies that slide there may let go at once. Where a side of a yielding body passes through lying flat the normal force jumps, and with
// it what friction can hold. Neither is a dissipation that gives power.
#include "tests/netlist_text.h"

static const double g = 9.81;

/** A ball of radius R slides off a table, over its edge of radius e, where m v^2/(e + R) is more than m g. It lets go where the edge begins, at
 *  x = 0.08 m: with a = mu g after t = (v - sqrt(v^2 - 2 a x))/a, with v - a t, and flies on. */
static void ball_slides_off_a_table(void **state) {
  (void)state;
  static const double mu = 0.3, way = 0.08, end = 0.2;
  for (double v = 1.5; v < 3; v += 0.5) {
    const double a = mu * g, t = (v - sqrt(v * v - 2 * a * way)) / a, fall = end - t;
    char text[TEXT] = "";
    add(text,
        "<screwbond version='1' id='m'><run t-end='%.17g s' rtol='1e-9'/><laws><contact-law id='l' "
        "normal='rigid' friction='coulomb' mu='%g'/></laws><mechanism gravity='0 0 -9.81 m/s^2'>"
        "<ground id='table'><shape kind='box' size='1 1 0.1 m' edge-radius='2 cm' at='0 0 -0.05 "
        "m'/></ground><body id='ball' mass='1 kg' position='0.4 0 0.05 m' velocity='%g 0 0 m/s'>"
        "<shape kind='sphere' radius='5 cm'/></body><contact id='c' a='table' b='ball' law='l'/>"
        "</mechanism></screwbond>",
        end, mu, v);
    run r = start_netlist(text);
    advance(&r, end);
    assert_near(event_time(&r, "release", 0), t, 1e-10);
    assert_int_equal(ledger_of(&r)->event_count, 2); // touch, release
    assert_near(component(&r, "ball.position", 0), 0.48 + (v - a * t) * fall, 1e-9);
    assert_near(component(&r, "ball.position", 2), 0.05 - g * fall * fall / 2, 1e-9);
    assert_near(component(&r, "ball.angular-velocity", 1), 2.5 * mu * g * t / 0.05, 1e-7);
    assert_balanced(&r);
    stop(&r);
  }
}

/** A number between -1 and 1, the next of a row. */
static double next(unsigned *row) {
  *row = *row * 1664525u + 1013904223u;
  return *row / 2147483648. - 1;
}

static void add_rotation(char text[TEXT], unsigned *row) {
  const double x = next(row), y = next(row), z = next(row);
  add(text, " rotation='%.17g deg about %.17g %.17g %.17g'", 180 * next(row), x, y, z);
  const double u = next(row), v = next(row), w = next(row);
  add(text, " angular-velocity='%.17g %.17g %.17g rad/s'", 5 * u, 5 * v, 5 * w);
}

static const char *const lens =
    "<shape kind='lens' radius='10 cm' length='6 cm' edge-radius='5 mm'/>";
static const char *const capsule = "<shape kind='capsule' radius='2 cm' length='24 cm'/>";
static const char *const cylinder =
    "<shape kind='cylinder' radius='5 cm' length='16 cm' edge-radius='5 mm'/>";
static const char *const box = "<shape kind='box' size='20 20 8 cm' edge-radius='1 cm'/>";
static const char *const ellipsoid = "<shape kind='ellipsoid' semi-axes='4 5 8 cm'/>";

/** Free rigid bodies that meet and slide over each other, their edges among the rest, keep momenta, and lose what friction and impacts take. */
static void bodies_slide_over_edges(void **state) {
  (void)state;
  const char *const pairs[][2] = {{lens, lens},         {lens, ellipsoid}, {capsule, lens},
                                  {capsule, ellipsoid}, {cylinder, lens},  {box, ellipsoid}};
  enum { PAIRS = sizeof pairs / sizeof *pairs };
  unsigned row = 20385;
  for (int i = 0; i < (THOROUGH ? 8 : 1) * PAIRS; i++) {
    char text[TEXT] = "";
    add(text, "<screwbond version='1' id='m'><run t-end='0.6 s' rtol='1e-8'/><laws><contact-law "
              "id='l' normal='rigid' friction='coulomb' mu='0.3'/></laws><mechanism gravity='0 0 0 "
              "m/s^2'><body id='a' mass='1 kg' velocity='1.5 0 0 m/s'");
    const double y = next(&row), z = next(&row);
    add(text, " position='-0.2 %.17g %.17g m'", 0.04 * y, 0.04 * z);
    add_rotation(text, &row);
    add(text, ">%s</body><body id='b' mass='1.4 kg' position='0.15 0 0 m'", pairs[i % PAIRS][0]);
    add_rotation(text, &row);
    add(text, ">%s</body><contact id='c' a='a' b='b' law='l'/></mechanism></screwbond>",
        pairs[i % PAIRS][1]);
    run r = start_netlist(text);
    advance(&r, 0.6);
    for (int k = 0; k < 3; k++) {
      assert_near(component(&r, "a.velocity", k) + 1.4 * component(&r, "b.velocity", k),
                  k == 0 ? 1.5 : 0, 1e-12);
    }
    assert_closes(&r);
    stop(&r);
  }
}

/** A capsule that falls on a floor nearly flat slides, and sticks as its other end comes down: within the leap of the point. */
static void side_comes_down(void **state) {
  (void)state;
  for (int i = 0; i < (PLAIN ? 60 : 24); i++) {
    char text[TEXT] = "";
    add(text,
        "<screwbond version='1' id='m'><run t-end='0.15 s' rtol='1e-8'/><materials><material "
        "id='r' stiffness='2e4 2e4 4e4 N/m'/></materials><laws><contact-law id='l' "
        "normal='linear' stiffness='2e4 N/m' damping='50 N.s/m' friction='coulomb' mu='0.3' "
        "/></laws><mechanism gravity='0 0 -9.81 m/s^2'><ground "
        "id='f' material='r'><shape kind='plane' normal='0 0 1'/></ground><body id='a' "
        "material='r' mass='1 kg' position='0 "
        "0 0.08 m' rotation='%.17g deg about 0 1 0' velocity='0 0 -1.5 m/s'>%s</body><contact "
        "id='c' a='f' b='a' law='l'/></mechanism></screwbond>",
        91 + (PLAIN ? 0.1 : 0.25) * i, capsule);
    run r = start_netlist(text);
    advance(&r, 0.15);
    assert_closes(&r);
    stop(&r);
  }
}

/** A rigid one that comes down on its side ends by name: it lies on no one point. */
static void rigid_side_lies_flat(void **state) {
  (void)state;
  static const char *const laws[] = {"friction='none'", "friction='coulomb' mu='0.5'",
                                     "restitution='0.4'"};
  for (int i = 0; i < 12; i++) {
    char text[TEXT] = "";
    sb_error err = {0};
    add(text,
        "<screwbond version='1' id='m'><run t-end='3 s'/><laws><contact-law id='l' normal='rigid' "
        "%s/></laws><mechanism gravity='0 0 -9.81 m/s^2'><ground id='f'><shape kind='plane' "
        "normal='0 0 1'/></ground><body id='a' mass='1 kg' position='0 0 0.12 m' rotation='%d deg "
        "about 0 1 0'>%s</body><contact id='c' a='f' b='a' law='l'/></mechanism></screwbond>",
        laws[i % 3], 95 + 3 * i, i % 2 ? cylinder : capsule);
    run r = start_netlist(text);
    assert_int_equal(sb_simulation_run(r.sim, 3, 0, NULL, NULL, &err), SB_ERR_CONTACT);
    assert_contains(err.text, "a flat side or a straight edge of one lies flat on the other");
    assert_contains(err.hint, "give the body feet");
    assert_true(ledger_of(&r)->structure.residual_relative < 1e-12); // up to there
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ball_slides_off_a_table), repeating_test(bodies_slide_over_edges),
      cmocka_unit_test(side_comes_down), repeating_test(rigid_side_lies_flat)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
