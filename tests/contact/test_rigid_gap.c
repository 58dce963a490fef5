// SPDX-License-Identifier: GPL-3.0-or-later
// The gap of a rigid contact that lasts stays zero, though only its rate is a constraint: of what slides in a bowl, rolls and
// rocks on a floor, and of a tree of bodies that stands on it. Energies are conserved all the same, and expected values are
// closed forms of the motion.
#include "core/model/rhs.h"
#include "core/simulation/simulation_private.h"
#include "tests/fixture.h"

enum { TEXT = 4000 };

/** @param law  attributes  @param inside  of the mechanism */
static run standing(const char *law, const char *inside) {
  char text[TEXT];
  assert_true(snprintf(text, sizeof text,
                       "<laws><contact-law id='hard' normal='rigid' %s/></laws><defaults><contact "
                       "law='hard'/></defaults><mechanism gravity='0 0 -9.81 m/s^2'>%s</mechanism>",
                       law, inside) < TEXT);
  return start(text, 1e-10, 1e-13);
}

/** Runs, and asks for the gap at many times. @param size  of the bodies [m] */
static void keep_gap(run *r, double t_end, double size) {
  for (int k = 1; k <= 40; k++) {
    advance(r, t_end * k / 40);
    assert_near(value(r, "c.gap"), 0, 1e-13 * size);
    assert_near(value(r, "c.touches"), 1, 0);
  }
  assert_balanced(r);
}

/** A point mass on a sphere of R = 0.9 m: the angular momentum about the axis and the energy of a spherical pendulum. */
static void ball_in_a_bowl(void **state) {
  (void)state;
  run r = standing("", "<ground id='bowl'><shape kind='bowl' semi-axes='1 1 1 m'/></ground>"
                       "<body id='ball' mass='2 kg' position='0.54 0 -0.72 m' velocity='0 1.3 0 "
                       "m/s'><shape kind='sphere' radius='0.1 m'/></body>"
                       "<contact id='c' a='bowl' b='ball'/>");
  keep_gap(&r, THOROUGH ? 60 : 6, 1);
  double x[3], p[3];
  for (int k = 0; k < 3; k++) {
    x[k] = component(&r, "ball.position", k);
    p[k] = component(&r, "ball.momentum", k);
  }
  assert_near(sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]), 0.9, 1e-13);
  assert_near(x[0] * p[1] - x[1] * p[0], 0.54 * 2 * 1.3, 1e-8);
  assert_near((p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) / 4 + 2 * 9.81 * x[2],
              1.3 * 1.3 - 2 * 9.81 * 0.72, 1e-7);
  stop(&r);
}

/** A ball whose centre of mass is 2 cm off its centre rocks without slip: it is where it has turned to. */
static void ball_that_rocks(void **state) {
  (void)state;
  run r = standing(
      "friction='stuck'",
      "<ground id='floor'><shape kind='plane' normal='0 0 1' offset='0 m'/></ground>"
      "<body id='ball' mass='2 kg' inertia='0.01 0.012 0.008 kg.m^2' position='0.01 0 "
      "0.28267949192431122 m' rotation='30 deg about 0 1 0'><shape kind='sphere' radius='0.3 m' "
      "at='0 0 0.02 m'/></body><contact id='c' a='floor' b='ball'/>");
  keep_gap(&r, PLAIN ? 20 : 4, 0.3);
  const double turn = atan2(component(&r, "ball.axis-z", 0), component(&r, "ball.axis-z", 2)),
               centre = component(&r, "ball.position", 0) + 0.02 * sin(turn);
  assert_near(centre - 0.02, 0.3 * (turn - acos(-1) / 6), 1e-7);
  assert_near(component(&r, "ball.position", 2), 0.3 - 0.02 * cos(turn), 1e-12);
  stop(&r);
}

/** A cart on one ball, with a pendulum: momentum along the floor is conserved, and the cart stays at its height. */
static void tree_on_a_floor(void **state) {
  (void)state;
  run r = standing(
      "", "<ground id='floor'><shape kind='plane' normal='0 0 1' offset='0 m'/></ground>"
          "<body id='cart' mass='1.5 kg' inertia='0.02 0.03 0.02 kg.m^2'><shape kind='sphere' "
          "radius='0.1 m'/></body><body id='bob' mass='0.7 kg' inertia='0.004 0.005 0.004 kg.m^2' "
          "com='0 0 -0.2 m'/><joint id='plane' kind='planar' axis='0 1 0' parent='world' "
          "child='cart' at='0 0 0.1 m'/><joint id='hinge' kind='revolute' axis='0 1 0' "
          "parent='cart' child='bob' q0='70 deg'/><contact id='c' a='floor' b='cart'/>");
  keep_gap(&r, THOROUGH ? 20 : 4, 0.1);
  assert_near(component(&r, "cart.position", 2), 0.1, 1e-13);
  assert_near(1.5 * component(&r, "cart.velocity", 0) + 0.7 * component(&r, "bob.velocity", 0), 0,
              1e-9);
  stop(&r);
}

/** A block on four feet, of which an edge of two points leans on a wall, begins with the rounding of a start by hand, turned by 1e-10 off the
 *  floor. So turned both ends of the edge stay at the wall only where the block does not turn at all: feet and edge are one place only
 *  where the block stands upright, as it does then. Frictionless it turns about the edge, x = d - r cos(a), and falls along the slope:
 *  m (r sin(a) a')^2/2 + I a'^2/2 - m g x is constant. The energy of what the closing moves is booked. */
static void lean(const char *law, bool conserves) {
  static const double R = 0.25, d = 0.5, g = 3, m = 2, I = 0.013, a0 = 0.2, w0 = 0.5;
  static const char *inside =
      "<ground id='floor'><shape kind='plane' normal='0 0 1' offset='0 m'/></ground><ground "
      "id='wall'><shape kind='plane' normal='-1 0 0' offset='-0.5 m'/></ground><body id='b' "
      "mass='2 kg' inertia='0.01 0.012 0.013 kg.m^2' gravity='3 0 -9.5 m/s^2' "
      "position='0.25498335553969 0 0.1 m' velocity='0.0248336663493265 0.3 0 m/s' "
      "angular-velocity='0 0 0.5 rad/s' rotation='-0.44350110879328 rad about 3e-10 0 1'>"
      "<shape id='f0' kind='point' at='0.2 0.15 -0.1 m'/><shape id='f1' kind='point' "
      "at='-0.2 0.15 -0.1 m'/><shape id='f2' kind='point' at='0.2 -0.15 -0.1 m'/><shape id='f3' "
      "kind='point' at='-0.2 -0.15 -0.1 m'/><shape id='top' kind='point' at='0.2 0.15 0.1 m'/>"
      "</body><contact id='c' a='wall' b='f0'/><contact id='up' a='wall' b='top'/><contact id='c0' "
      "a='floor' b='f0'/><contact id='c1' a='floor' b='f1'/><contact id='c2' a='floor' "
      "b='f2'/><contact id='c3' a='floor' b='f3'/>";
  run r = standing(law, inside);
  for (int k = 1; k <= 8; k++) {
    advance(&r, 0.05 * k);
    const double a = atan2(component(&r, "b.axis-x", 1), component(&r, "b.axis-x", 0)) +
                     atan2(0.15, 0.2),
                 w = component(&r, "b.angular-velocity", 2), v = R * sin(a) * w,
                 x = component(&r, "b.position", 0);
    assert_near(x, d - R * cos(a), 1e-13);
    assert_near(component(&r, "b.position", 2), 0.1, 1e-13);
    assert_near(component(&r, "b.velocity", 0), v, 1e-13);
    if (!conserves) {
      continue;
    }
    const double start =
        m * pow(R * sin(a0) * w0, 2) / 2 + I * w0 * w0 / 2 - m * g * (d - R * cos(a0));
    assert_near(m * v * v / 2 + I * w * w / 2 - m * g * x, start, 1e-9);
  }
  assert_balanced(&r);
  stop(&r);
}

static void edge_along_a_wall(void **state) {
  (void)state;
  lean("", true);
  lean("friction='coulomb' mu='0.02'", false);
}

/** A block on four feet that never slip stands 20 pm from a wall, which counts as at it: it is put there with its feet. */
static void feet_that_stick_at_a_wall(void **state) {
  (void)state;
  run r = standing(
      "friction='stuck'",
      "<ground id='floor'><shape kind='plane' normal='0 0 1' offset='0 m'/></ground><ground "
      "id='wall'><shape kind='plane' normal='-1 0 0' offset='-0.5 m'/></ground><body id='b' "
      "mass='2 kg' inertia='0.01 0.012 0.013 kg.m^2' gravity='3 0 -9.5 m/s^2' "
      "position='0.29999999998 0 0.1 m'><shape id='f0' kind='point' at='0.2 0.15 -0.1 m'/><shape "
      "id='f1' kind='point' at='-0.2 0.15 -0.1 m'/><shape id='f2' kind='point' at='0.2 -0.15 -0.1 "
      "m'/><shape id='f3' kind='point' at='-0.2 -0.15 -0.1 m'/></body><contact id='c0' a='floor' "
      "b='f0'/><contact id='c1' a='floor' b='f1'/><contact "
      "id='c2' a='floor' b='f2'/><contact id='c3' a='floor' b='f3'/><contact id='c' a='wall' "
      "b='f0'/>");
  keep_gap(&r, 0.1, 0.1);
  stop(&r);
}

/** Two balls on one floor a kilometre apart have nothing to do with each other: one begins 1e-8 m above the floor, which 1e-10 of a
 *  kilometre would close. It falls, and lands after sqrt(2 h/g) at sqrt(2 g h); with e = 0.5 it rises to h/4. */
static void far_from_another(void **state) {
  static const double h = 1e-8, t = 4.5152364098573098e-05; // sqrt(2 h/9.81)
  (void)state;
  run r = standing("restitution='0.5'",
                   "<ground id='floor'><shape kind='plane' normal='0 0 1' offset='0 m'/></ground>"
                   "<body id='ball' mass='2 kg' position='0 0 0.10000001 m'><shape kind='sphere' "
                   "radius='0.1 m'/></body><body id='other' mass='2 kg' position='1000 0 0.3 "
                   "m'><shape kind='sphere' radius='0.1 m'/></body>"
                   "<contact id='c' a='floor' b='ball'/><contact id='d' a='floor' b='other'/>");
  advance(&r, 1.5 * t); // the top of the rise, half of a fall later
  assert_near(component(&r, "ball.position", 2) - 0.1, h / 4, 1e-15);
  assert_int_equal(ledger_of(&r)->event_count, 1);
  assert_string_equal(ledger_of(&r)->events[0].kind, "impact");
  assert_near(ledger_of(&r)->events[0].t, t, 1e-12);
  assert_balanced(&r);
  stop(&r);
}

/** A quantity at the state as it stands, which may have been moved by hand. */
static double value_here(const run *r, const char *name) {
  sb_error err = {0};
  sb_quantity quantity;
  double out;
  ok(sb_model_find(r->model, name, &quantity, &err), &err);
  sb_workspace_changed(r->sim->work);
  sb_quantity_read(r->sim->work, &quantity, r->sim->t, r->sim->x, &out);
  return out;
}

/** Two links in line on a floor, all three ends stick. About the axis (0, s, c) of their joint the end of the second moves by L q (0, c, -s),
 *  which its three constraints hold twice, and friction holds the larger part where c > s. An error q of the integrator opens its gap by
 *  -s L q all the same, and is taken back; links out of line would hold what rolls about them by rows that contradict each other by q. */
static void links_in_line(void **state) {
  (void)state;
  static const double off = 2.385e-11, L = 0.24;
  for (int k = 1; k <= 3; k++) {
    char text[TEXT], name[300];
    const double s = 0.1 * k, c = sqrt(1 - s * s);
    (void)snprintf(
        text, sizeof text,
        "<ground id='floor'><shape kind='plane' normal='0 0 1' offset='0 m'/></ground>"
        "<body id='l0' mass='1.1 kg' com='0.1 0 0 m' inertia='0.00074 0.0037 0.0033 kg.m^2' "
        "position='0.3 0.5 0 m'><shape id='e0' kind='point'/><shape id='e1' kind='point' "
        "at='0.2 0 0 m'/></body><body id='l1' mass='0.6 kg' com='0.12 0 0 m' "
        "inertia='0.00057 0.0029 0.0026 kg.m^2'><shape id='e2' kind='point' at='0.24 0 0 m'/>"
        "</body><joint id='j1' kind='revolute' axis='0 %.17g %.17g' parent='l0' child='l1' "
        "at='0.2 0 0 m'/><contact id='c0' a='floor' b='e0'/><contact id='c1' a='floor' b='e1'/>"
        "<contact id='c' a='floor' b='e2'/>",
        s, c);
    run r = standing("friction='stuck'", text);
    bool known = false;
    advance(&r, 0.01);
    for (int i = 0; i < sb_model_state_count(r.model); i++) {
      if (strcmp(sb_model_state_name(r.model, i, name), "tree(l0).j1.q") == 0) {
        r.sim->x[i] = off;
        known = true;
      }
    }
    assert_true(known);
    assert_near(value_here(&r, "c.gap"), -s * L * off, 1e-15);
    assert_int_equal(sb_enforce(r.sim, r.sim->t, r.sim->x, NULL), SB_OK);
    assert_near(value_here(&r, "c.gap"), 0, 1e-15);
    assert_near(value_here(&r, "j1.q"), 0, 1e-13);
    stop(&r);
  }
}

/** Down a slope with the normal n = (9, 12, 20)/25, sin = 3/5, along d = (12, 16, -15)/25, a block slides without friction, a = g 3/5, and a
 *  ball rolls, a = 5/7 of that. So they do 1e5 m from the world's origin, where places are known to 1.5e-11 m, and where a signal
 *  reads a place. Before, the point of contact there was noise of 1e-11 m on the slope, and with the signal all was about the
 *  world's origin, where m x^2 of 1e10 kg m^2 hides the inertia. */
static void slopes_far_away(void **state) {
  (void)state;
  static const double n[] = {0.36, 0.48, 0.8}, d[] = {0.48, 0.64, -0.6}, h = 0.1, g = 9.81, t = 0.8;
  static const char *const feet = "<shape id='f1' kind='sphere' radius='2 cm' at='10 10 -8 cm'/>"
                                  "<shape id='f2' kind='sphere' radius='2 cm' at='-10 10 -8 cm'/>"
                                  "<shape id='f3' kind='sphere' radius='2 cm' at='10 -10 -8 cm'/>"
                                  "<shape id='f4' kind='sphere' radius='2 cm' at='-10 -10 -8 cm'/>";
  for (int i = 0; i < 8; i++) {
    const bool far = i & 1, sensed = i & 2, rolls = i & 4;
    const double away = far ? 1e5 : 0, c[] = {away, 0.7 * away, -0.4 * away};
    char text[3000];
    sb_error err = {0};
    assert_true(
        snprintf(
            text, sizeof text,
            "<screwbond version='1' id='m'><laws><contact-law id='l' normal='rigid' "
            "restitution='0.5' %s/></laws><mechanism gravity='0 0 %.17g m/s^2'><ground id='s'>"
            "<shape kind='plane' normal='0.36 0.48 0.8' offset='%.17g m'/></ground><body id='b' "
            "mass='1.3 kg' inertia='0.0052 0.0052 0.0052 kg.m^2' position='%.17g %.17g %.17g "
            "m' rotation='36.86989764584402 deg about -4 3 0'>%s</body><contacts among='s b' "
            "law='l'/></mechanism><network>%s</network><run t-end='1 s' rtol='1e-9'/>"
            "</screwbond>",
            rolls ? "friction='coulomb' mu='0.5'" : "", -g, n[0] * c[0] + n[1] * c[1] + n[2] * c[2],
            c[0] + h * n[0], c[1] + h * n[1], c[2] + h * n[2],
            rolls ? "<shape kind='sphere' radius='0.1 m'/>" : feet,
            sensed ? "<signal id='place' of='b.position.y'/>" : "") < (int)sizeof text);
    run r = start_netlist(text);
    ok(sb_simulation_advance(r.sim, t, &err), &err);
    sb_simulation_audit(r.sim);
    const double way = (rolls ? 5.0 / 7 : 1) * g * 0.6 * t * t / 2;
    for (int k = 0; k < 3; k++) {
      assert_near(component(&r, "b.position", k) - c[k], h * n[k] + way * d[k], far ? 1e-9 : 1e-10);
    }
    if (sensed) {
      assert_near(value(&r, "place"), component(&r, "b.position", 1), 0);
    }
    assert_true(ledger_of(&r)->structure.residual_relative < 1e-12);
    assert_true(ledger_of(&r)->residual_relative < 1e-9);
    assert_true(ledger_of(&r)->work.steps < 200);
    stop(&r);
  }
}

/** The height of the middle of a superellipse over the floor, its support ((a sin)^q + (c cos)^q)^(1/q), q = p/(p - 1), at the angle s^3, and
 *  its derivative by the angle. */
static double height_of(const double semi[2], double p, double s, double *slope) {
  const double q = p / (p - 1), x = pow(semi[0] * sin(s * s * s), q),
               z = pow(semi[1] * cos(s * s * s), q), h = pow(x + z, 1 / q);
  *slope = h / (x + z) * (x / tan(s * s * s) - z * tan(s * s * s));
  return h;
}

/** A superellipsoid rolls without friction from an angle down to its flat place at t and, by symmetry, up to the same angle at 2 t. The normal force
 *  is that of the second derivative of its height, (angle)^((2 - p)/(p - 1)). With the energy E, w^2 (J + m h'^2)/2 + m g h = E, and t the integral
 *  of 1/w. Up to p = 5 its sides are rounded, and it passes; beyond that the run ends there. */
static void curvature_that_vanishes(void **state) {
  enum { PARTS = 2000 };
  static const double exponents[] = {4, 5, 8};
  (void)state;
  for (int k = 0; k < 3; k++) {
    const double semi[2] = {0.2, 0.17}, p = exponents[k], m = 0.7, J = 0.011, g = 9.81, w0 = 2,
                 angle = 0.3;
    double slope, t = 0;
    const double s0 = cbrt(angle), h0 = height_of(semi, p, s0, &slope), slope0 = slope;
    const double E = (J + m * slope0 * slope0) * w0 * w0 / 2 + m * g * h0;
    for (int i = 0; i < PARTS; i++) { // the midpoint rule
      const double s = s0 * (i + 0.5) / PARTS, h = height_of(semi, p, s, &slope);
      t += s0 / PARTS * 3 * s * s / sqrt(2 * (E - m * g * h) / (J + m * slope * slope));
    }
    char text[TEXT];
    assert_true(
        snprintf(
            text, sizeof text,
            "<screwbond version='1' id='m'><laws><contact-law id='hard' normal='rigid'/></laws>"
            "<mechanism gravity='0 0 -9.81 m/s^2'><ground id='floor'>"
            "<shape kind='plane' normal='0 0 1'/></ground><body id='b' mass='%.17g kg' "
            "inertia='%.17g %.17g %.17g kg.m^2' position='0 0 %.17g m' velocity='0 0 %.17g m/s' "
            "rotation='%.17g rad about 0 1 0' angular-velocity='0 %.17g 0 rad/s'>"
            "<shape kind='superellipsoid' semi-axes='0.2 0.15 0.17 m' exponent='%g'/></body>"
            "<contact id='k' a='floor' b='b' law='hard'/></mechanism>"
            "<run t-end='1 s' rtol='1e-10'/></screwbond>",
            m, J, J, J, h0, -slope0 * w0, angle, -w0, p) < TEXT);
    if (p <= 5) {
      run r = start_netlist(text);
      advance(&r, 2 * t);
      assert_near(component(&r, "b.angular-velocity", 1), -w0, 1e-5);
      assert_near(component(&r, "b.position", 2), h0, 1e-6);
      assert_balanced(&r);
      stop(&r);
      continue;
    }
    sb_error err = {0};
    double end;
    assert_int_equal(try_run(text, 1, &end, &err), SB_ERR_CONTACT);
    assert_near(end, t, 1e-5);
    assert_non_null(strstr(err.text, "'k' at t = "));
    assert_non_null(strstr(err.text,
                           "infinite for an instant where it rolls over a place at which a "
                           "curvature vanishes"));
    assert_string_equal(err.hint,
                        "a contact with a stiffness goes on, as does an exponent nearer to 2");
    assert_int_equal(err.line, 1);
  }
}

/** A superellipsoid that is put down on any of its sides rests there, on a rigid contact and on a soft one. */
static void superellipsoids_rest_on_their_sides(void **state) {
  (void)state;
  static const char *const laws[] = {
      "normal='rigid' friction='coulomb' mu='0.5'",
      "normal='linear' stiffness='2e4 N/m' damping='20 N.s/m' friction='coulomb' mu='0.5'"};
  static const struct {
    const char *turn;
    double height;
  } sides[] = {
      {"0 deg about 1 0 0", 0.03}, {"90 deg about 1 0 0", 0.025}, {"90 deg about 0 1 0", 0.02}};
  for (int i = 0; i < 12; i++) {
    const int law = i % 2, side = i / 2 % 3;
    char text[TEXT];
    assert_true(
        snprintf(text, sizeof text,
                 "<screwbond version='1' id='m'><materials><material id='r' stiffness='1e4 1e4 2e4 "
                 "N/m'/></materials><laws><contact-law id='l' %s/></laws><mechanism gravity='0 0 "
                 "-9.81 m/s^2'><ground id='g' material='r'><shape kind='plane' normal='0 0 "
                 "1'/></ground><body id='b' material='r' mass='0.2 kg' position='0 0 %.17g m' "
                 "rotation='%s'><shape kind='superellipsoid' semi-axes='0.02 0.025 0.03 m' "
                 "exponent='%g'/></body><contact id='k' a='g' b='b' law='l'/></mechanism><run "
                 "t-end='0.2 s' rtol='1e-7'/></screwbond>",
                 laws[law], sides[side].height + 3e-4 * law, sides[side].turn,
                 i < 6 ? 2.5 : 3.) < TEXT);
    run r = start_netlist(text);
    advance(&r, 0.2);
    assert_near(component(&r, "b.position", 2), sides[side].height, 4e-4);
    assert_near(component(&r, "b.angular-velocity", 0), 0, 1e-6);
    assert_true(ledger_of(&r)->work.steps < 1000);
    assert_closes(&r);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(curvature_that_vanishes),
                                     repeating_test(superellipsoids_rest_on_their_sides),
                                     repeating_test(ball_in_a_bowl),
                                     cmocka_unit_test(far_from_another),
                                     cmocka_unit_test(ball_that_rocks),
                                     repeating_test(tree_on_a_floor),
                                     repeating_test(edge_along_a_wall),
                                     repeating_test(feet_that_stick_at_a_wall),
                                     cmocka_unit_test(links_in_line),
                                     repeating_test(slopes_far_away)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
