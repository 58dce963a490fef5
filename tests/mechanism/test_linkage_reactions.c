// SPDX-License-Identifier: GPL-3.0-or-later
// What joints of netlists carry, "JOINT.force" and "JOINT.moment", against statics, Newton's and Euler's laws by hand.
#include "tests/fixture.h"

#define STANDARD 9.81 // [m/s^2]
static const double g = STANDARD;

static double length_of(const run *r, const char *name) {
  double v[3];
  read_all(r, name, v);
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/** A compound pendulum, m = 3 kg, l = 0.4 m, I = 0.3 kg m^2 about its centre: along it m g cos q + m l w^2, across it
 *  what its angular acceleration leaves of its weight. */
static void pendulum(void **state) {
  (void)state;
  run r = go("<mechanism gravity='0 -9.81 0 m/s^2'>"
             "<body id='rod' mass='3 kg' com='0 -0.4 0 m' inertia='0.28 0.05 0.3 kg.m^2'/>"
             "<joint id='j' kind='revolute' axis='0 0 1' parent='world' child='rod' q0='60 deg' "
             "w0='1.3 rad/s'/></mechanism>",
             0);
  for (int k = 0; k < 3; k++) {
    advance(&r, 0.37 * k);
    const double q = value(&r, "j.q"), w = value(&r, "j.w"), m = 3, l = 0.4, J = 0.3 + m * l * l,
                 alpha = -m * g * l * sin(q) / J, across = m * l * alpha + m * g * sin(q),
                 along = m * g * cos(q) + m * l * w * w;
    assert_near(component(&r, "j.force(rod)", 0), across, 1e-11);
    assert_near(component(&r, "j.force(rod)", 1), along, 1e-11);
    assert_near(component(&r, "j.force", 0), across * cos(q) - along * sin(q), 1e-11);
    assert_near(component(&r, "j.force(world)", 1), across * sin(q) + along * cos(q), 1e-11);
    assert_near(component(&r, "j.force", 2), 0, 1e-12);
    assert_near(length_of(&r, "j.moment"), 0, 1e-12);
    assert_near(component(&r, "rod.velocity(rod)", 0), l * w, 1e-11);
  }
  stop(&r);
}

/** A joint that is locked from the start carries the weight and its moment; so does a stop that the arm rests on. */
static void locked_and_stopped(void **state) {
  static const char *const joints[] = {"locked='yes' q0='0.5 rad'",
                                       "limits='0.5 2 rad' q0='0.5 rad'"};
  (void)state;
  for (int k = 0; k < 2; k++) {
    char text[900];
    (void)snprintf(text, sizeof text,
                   "<mechanism gravity='0 -9.81 0 m/s^2'><body id='arm' mass='2 kg' com='0.3 0 0.1 "
                   "m' inertia='0.02 0.05 0.07 kg.m^2'/>"
                   "<joint id='j' kind='revolute' axis='0 0 1' parent='world' child='arm' at='1 2 "
                   "3 m' %s/></mechanism>",
                   joints[k]);
    run r = go(text, 0.4);
    assert_near(component(&r, "j.force", 1), 2 * g, 1e-9);
    assert_near(component(&r, "j.moment", 2), 2 * g * 0.3 * cos(0.5), 1e-9);
    assert_near(component(&r, "j.moment", 0), -2 * g * 0.1,
                1e-9); // r x F of the force at the centre
    stop(&r);
  }
}

/** Two links in a plane, driven at the elbow by 0.7 N m: vddot by the 2 x 2 equations of motion, then every link by
 *  Newton and Euler (Craig, Introduction to Robotics, ch. 6). */
static void two_links(void **state) {
  (void)state;
  run r = go("<mechanism gravity='0 -9.81 0 m/s^2'>"
             "<body id='a' mass='2 kg' com='0.25 0 0 m' inertia='0.01 0.04 0.05 kg.m^2'/>"
             "<body id='b' mass='1.5 kg' com='0.2 0 0 m' inertia='0.01 0.02 0.03 kg.m^2'/>"
             "<joint id='j1' kind='revolute' axis='0 0 1' parent='world' child='a' q0='0.4 rad' "
             "w0='1.1 rad/s'/>"
             "<joint id='j2' kind='revolute' axis='0 0 1' parent='a' child='b' at='0.6 0 0 m' "
             "q0='0.9 rad' w0='-2 rad/s'/></mechanism>"
             "<network domain='rotation'><Se id='motor' effort='0.7 N.m'/>"
             "<bond from='motor' to='j2'/></network>",
             0.3);
  const double m1 = 2, c1 = 0.25, I1 = 0.05, l = 0.6, m2 = 1.5, c2 = 0.2, I2 = 0.03,
               q1 = value(&r, "j1.q"), q2 = value(&r, "j2.q"), w1 = value(&r, "j1.w"),
               w2 = w1 + value(&r, "j2.w"), q12 = q1 + q2;
  // in absolute angles: [A B; B D] (al1, al2) = (rhs1, rhs2)
  const double A = I1 + m1 * c1 * c1 + m2 * l * l, B = m2 * l * c2 * cos(q2), D = I2 + m2 * c2 * c2,
               h = m2 * l * c2 * sin(q2),
               rhs1 = h * w2 * w2 - (m1 * c1 + m2 * l) * g * cos(q1) - 0.7,
               rhs2 = -h * w1 * w1 - m2 * c2 * g * cos(q12) + 0.7, det = A * D - B * B,
               al1 = (rhs1 * D - rhs2 * B) / det, al2 = (rhs2 * A - rhs1 * B) / det;
  const double ax2 = -l * (al1 * sin(q1) + w1 * w1 * cos(q1)) -
                     c2 * (al2 * sin(q12) + w2 * w2 * cos(q12)),
               ay2 = l * (al1 * cos(q1) - w1 * w1 * sin(q1)) +
                     c2 * (al2 * cos(q12) - w2 * w2 * sin(q12)),
               ax1 = -c1 * (al1 * sin(q1) + w1 * w1 * cos(q1)),
               ay1 = c1 * (al1 * cos(q1) - w1 * w1 * sin(q1));
  assert_near(component(&r, "j2.force", 0), m2 * ax2, 1e-9);
  assert_near(component(&r, "j2.force", 1), m2 * (ay2 + g), 1e-9);
  assert_near(component(&r, "j2.moment", 2), 0.7, 1e-9); // the motor acts in the joint
  assert_near(component(&r, "j1.force", 0), m1 * ax1 + m2 * ax2, 1e-9);
  assert_near(component(&r, "j1.force", 1), m1 * (ay1 + g) + m2 * (ay2 + g), 1e-9);
  assert_near(component(&r, "j1.moment", 2), 0, 1e-9);
  const double c = cos(q1), s = sin(q1), fx = m2 * ax2, fy = m2 * (ay2 + g);
  assert_near(component(&r, "j2.force(a)", 0), c * fx + s * fy, 1e-9);
  assert_near(component(&r, "j2.force(a)", 1), -s * fx + c * fy, 1e-9);
  stop(&r);
}

/** A payload that is fixed on a pendulum, and told in the axes of a frame on another body: m (a - g), and the moment
 *  about where it is fixed. */
static void fixed_payload(void **state) {
  (void)state;
  run r = go("<mechanism gravity='0 -9.81 0 m/s^2'>"
             "<body id='rod' mass='1 kg' com='0 -0.5 0 m' inertia='0.1 0.1 0.1 kg.m^2'>"
             "<frame id='tip' at='0 -1 0 m' rotation='90 deg about 0 0 1'/></body>"
             "<body id='load' mass='2 kg' com='0.3 0 0 m' inertia='0.02 0.02 0.02 kg.m^2'/>"
             "<joint id='j' kind='revolute' axis='0 0 1' parent='world' child='rod' q0='0.8 rad' "
             "w0='0.6 rad/s'/>"
             "<joint id='hold' kind='fixed' parent='rod' child='load' at='0 -1 0 "
             "m'/></mechanism>",
             0.2);
  const double q = value(&r, "j.q"), w = value(&r, "j.w"), J = 0.1 + 0.25 + 0.02 + 2 * 1.09;
  // about the joint: r_load = R (0.3, -1)
  const double alpha = -g * (0.5 * sin(q) + 2 * (0.3 * cos(q) + sin(q))) / J;
  // in the rod's axes
  const double ax = -w * w * 0.3 + alpha, ay = w * w + alpha * 0.3;
  const double fx = 2 * (ax + g * sin(q)), fy = 2 * (ay + g * cos(q));
  assert_near(component(&r, "hold.force(rod)", 0), fx, 1e-10);
  assert_near(component(&r, "hold.force(rod)", 1), fy, 1e-10);
  assert_near(component(&r, "hold.force(tip)", 0), fy, 1e-10);
  assert_near(component(&r, "hold.force(tip)", 1), -fx, 1e-10);
  assert_near(component(&r, "hold.moment", 2), 0.02 * alpha + 0.3 * fy, 1e-10);
  stop(&r);
}

/** The statics of a four-bar linkage that is locked: a coupler of 5 kg, D = 0.8 m, its centre at 0.3 m, on uprights of
 *  1 m and 2 kg at 70 deg. Three rows of the closing joint are redundant: the least multipliers have nothing off the
 *  plane. */
static void statics_of_a_loop(void **state) {
  (void)state;
  run r = go("<mechanism gravity='0 -9.81 0 m/s^2'>"
             "<body id='left' mass='2 kg' com='0.5 0 0 m' inertia='0.01 0.2 0.2 kg.m^2'/>"
             "<body id='right' mass='2 kg' com='0.5 0 0 m' inertia='0.01 0.2 0.2 kg.m^2'/>"
             "<body id='coupler' mass='5 kg' com='0.3 0 0 m' inertia='0.01 0.3 0.3 kg.m^2'/>"
             "<joint id='p0' kind='revolute' parent='world' child='left' q0='70 deg' locked='yes'/>"
             "<joint id='p1' kind='revolute' parent='world' child='right' at='0.8 0 0 m' q0='70 "
             "deg'/>"
             "<joint id='b0' kind='revolute' parent='left' child='coupler' at='1 0 0 m' q0='-70 "
             "deg'/>"
             "<joint id='b1' kind='revolute' parent='coupler' child='right' at='0.8 0 0 m' "
             "child-at='1 0 0 m'/></mechanism>",
             0.1);
  const double c = cos(70 * acos(-1) / 180), s = sin(70 * acos(-1) / 180);
  const double Y = 5 * g * 0.3 / 0.8, X = (Y + g) * c / s; // of the right upright on the coupler
  assert_near(component(&r, "b1.force", 0), -X, 1e-9);
  assert_near(component(&r, "b1.force", 1), -Y, 1e-9);
  assert_near(component(&r, "b1.force(right)", 0), -c * X - s * Y, 1e-9);
  assert_near(component(&r, "b1.force", 2), 0, 1e-9);
  assert_near(length_of(&r, "b1.moment"), 0, 1e-9);
  assert_near(component(&r, "b0.force", 0), -X, 1e-9);
  assert_near(component(&r, "b0.force", 1), 5 * g - Y, 1e-9);
  assert_near(component(&r, "p1.force", 1), 2 * g + Y, 1e-9);
  assert_near(component(&r, "p0.force", 1), 2 * g + 5 * g - Y, 1e-9);
  assert_near(component(&r, "p0.moment", 2), c * (5 * g - Y) + s * X + c * g, 1e-9);
  stop(&r);
}

/** A beam that is held by the world at both ends: the moments of these follow from no equilibrium alone, and of all that are possible
 *  those of least norm are taken. */
static void redundant_loop_carries_the_least(void **state) {
  (void)state;
  run r = go("<mechanism gravity='0 -9.81 0 m/s^2'>"
             "<body id='beam' mass='4 kg' com='0.5 0 0 m' inertia='0.01 0.3 0.3 kg.m^2'/>"
             "<joint id='a' kind='prismatic' axis='0 1 0' parent='world' child='beam'/>"
             "<joint id='b' kind='fixed' parent='world' child='beam' at='1 0 0 m' child-at='1 0 0 "
             "m'/></mechanism>",
             0.1);
  // a lets the beam slide, so that b alone holds the weight; both bear half of its moment about b
  assert_near(component(&r, "b.force", 1), 4 * g, 1e-9);
  assert_near(component(&r, "b.moment", 2), -4 * g * 0.5 / 2, 1e-9);
  assert_near(component(&r, "a.force", 1), 0, 1e-9);
  assert_near(component(&r, "a.moment", 2), -4 * g * 0.5 / 2, 1e-9);
  stop(&r);
}

/** A rod on a hinge that is fixed at its end too: what that bears of the load is of least norm, with moments over the size of
 *  the mechanism. The scene turned by `angle` about the vertical has all of it turned with it. */
static void least_norm_turns_with_the_scene(void **state) {
  (void)state;
  double expected[2][3] = {{0}};
  for (int k = 0; k < 4; k++) {
    const double angle = k * SB_PI / 7, c = cos(angle), s = sin(angle);
    char text[1500];
    (void)snprintf(
        text, sizeof text,
        "<mechanism gravity='%.17g %.17g -9 m/s^2'><body id='base' mass='1 kg' inertia='1 1 1 "
        "kg.m^2'/>"
        "<joint id='weld' kind='fixed' parent='world' child='base' rotation='%.17g rad about 0 0 "
        "1'/><body id='rod' mass='2 kg' com='1 0 0 m' inertia='0.1 0.3 0.3 kg.m^2'/>"
        "<joint id='hinge' kind='revolute' axis='0 1 0' parent='base' child='rod' at='0.3 -1.2 0.5 "
        "m'/>"
        "<joint id='end' kind='fixed' parent='base' child='rod' at='2.3 -0.7 0.75 "
        "m' "
        "child-at='2 0.5 0.25 m' cut='yes'/></mechanism>",
        3 * c - 2 * s, 3 * s + 2 * c, angle);
    run r = go(text, 0);
    for (int q = 0; q < 2; q++) {
      double v[3];
      read_all(&r, q == 0 ? "end.force" : "end.moment", v);
      const double back[3] = {c * v[0] + s * v[1], c * v[1] - s * v[0], v[2]};
      for (int i = 0; i < 3; i++) {
        expected[q][i] = k == 0 ? back[i] : expected[q][i];
        assert_near(back[i], expected[q][i], 1e-12);
      }
    }
    stop(&r);
  }
}

/** By differences of the momenta of a linkage that moves: all that joints, weight and contacts do to a body. */
static void momenta_change_by_what_joints_carry(void **state) {
  (void)state;
  run r = go("<mechanism gravity='0 -9.81 0 m/s^2'>"
             "<body id='a' mass='1 kg' com='0.2 0.1 0.05 m' inertia='0.01 0.03 0.03 kg.m^2'/>"
             "<body id='b' mass='2 kg' com='0.5 0 0.02 m' inertia='0.02 0.2 0.2 0.001 0 0 kg.m^2'/>"
             "<body id='c' mass='1.5 kg' com='0.3 0 0 m' inertia='0.01 0.04 0.04 kg.m^2'/>"
             "<joint id='j1' kind='revolute' parent='world' child='a' q0='80 deg' w0='3 rad/s'/>"
             "<joint id='j2' kind='revolute' parent='a' child='b' at='0.4 0 0 m'/>"
             "<joint id='j3' kind='revolute' parent='world' child='c' at='1 0 0 m' q0='100 deg'/>"
             "<joint id='j4' kind='revolute' parent='b' child='c' at='1 0 0 m' child-at='0.6 0 0 "
             "m'/></mechanism>",
             0.2);
  static const char *const bodies[] = {"a.momentum", "b.momentum", "c.momentum"};
  static const double weight[] = {STANDARD, 2 * STANDARD, 1.5 * STANDARD};
  const double h = 2e-4;
  double before[3][3], after[3][3], j[4][3];
  for (int k = 0; k < 3; k++) {
    read_all(&r, bodies[k], before[k]);
  }
  advance(&r, 0.2 + h);
  read_all(&r, "j1.force", j[0]);
  read_all(&r, "j2.force", j[1]);
  read_all(&r, "j3.force", j[2]);
  read_all(&r, "j4.force", j[3]);
  advance(&r, 0.2 + 2 * h);
  for (int k = 0; k < 3; k++) {
    read_all(&r, bodies[k], after[k]);
  }
  for (int i = 0; i < 2; i++) {
    const double forces[] = {j[0][i] - j[1][i], j[1][i] - j[3][i], j[2][i] + j[3][i]};
    for (int k = 0; k < 3; k++) {
      assert_near((after[k][i] - before[k][i]) / (2 * h), forces[k] - (i == 1 ? weight[k] : 0),
                  1e-4);
    }
  }
  stop(&r);
}

/** An arm that lies with a ball on the floor: the floor carries m g c/L, the joint the rest. */
static void arm_on_the_floor(void **state) {
  static const char *const laws[] = {
      "<contact-law id='law' normal='rigid'/>",
      "<contact-law id='law' normal='linear' stiffness='1e5 N/m' damping='2e3 N.s/m'/>"};
  (void)state;
  for (int k = 0; k < 2; k++) {
    char text[1200];
    (void)snprintf(text, sizeof text,
                   "<laws>%s</laws><mechanism gravity='0 -9.81 0 m/s^2'>"
                   "<body id='arm' mass='2 kg' com='0.3 0 0 m' inertia='0.01 0.1 0.1 kg.m^2'>"
                   "<shape id='tip' kind='sphere' radius='0.1 m' at='1 0 0 m'/></body>"
                   "<joint id='j' kind='revolute' axis='0 0 1' parent='world' child='arm'/>"
                   "<ground id='floor'><shape kind='plane' normal='0 1 0' offset='-0.1 "
                   "m'/></ground><contact id='c' a='floor' b='tip' law='law'/></mechanism>",
                   laws[k]);
    run r = start(text, 1e-9, 1e-11);
    advance(&r, 4);
    assert_near(component(&r, "j.force", 1), 2 * g * (1 - 0.3), k == 0 ? 1e-9 : 1e-4);
    stop(&r);
  }
}

/** A motor drives an arm through a gear, its rotor behind it: the joint carries what turns the arm, J vdot. */
static void motor_behind_a_gear(void **state) {
  (void)state;
  run r = go("<mechanism><body id='arm' mass='2 kg' com='0.3 0 0 m' inertia='0.02 0.05 0.07 "
             "kg.m^2'/><joint id='j' kind='revolute' axis='0 0 1' parent='world' "
             "child='arm'/></mechanism><network domain='rotation'>"
             "<Se id='T' effort='0.4 N.m'/><J1 id='shaft'/><I id='rotor' inertia='0.003 kg.m^2'/>"
             "<TF id='gear' ratio='1/8'/><bond from='T' to='shaft'/><bond from='shaft' to='rotor'/>"
             "<bond from='shaft' to='gear'/><bond from='gear' to='j'/></network>",
             0.5);
  const double J = 0.07 + 2 * 0.3 * 0.3, vdot = 8 * 0.4 / (J + 64 * 0.003), w = value(&r, "j.w");
  assert_near(component(&r, "j.moment", 2), J * vdot, 1e-9);
  assert_near(component(&r, "j.force(arm)", 1), 2 * 0.3 * vdot, 1e-9);
  assert_near(component(&r, "j.force(arm)", 0), -2 * 0.3 * w * w, 1e-9);
  stop(&r);
}

/** Dry friction that sticks holds an arm: its torque is in the joint, and changes with the load. */
static void friction_that_holds(void **state) {
  (void)state;
  run r = go("<mechanism gravity='0 -9.81 0 m/s^2'><body id='arm' mass='2 kg' com='0.3 0 0 m' "
             "inertia='0.02 0.05 0.07 kg.m^2'/><joint id='j' kind='revolute' axis='0 0 1' "
             "parent='world' child='arm' q0='0.5 rad'/></mechanism><network domain='rotation'>"
             "<Friction id='brake' coulomb='20 N.m'/><bond from='j' to='brake'/></network>",
             0.5);
  assert_near(value(&r, "j.q"), 0.5, 1e-12);
  assert_near(component(&r, "j.moment", 2), 2 * g * 0.3 * cos(0.5), 1e-9);
  assert_near(component(&r, "j.force", 1), 2 * g, 1e-9);
  stop(&r);
}

/** What an equilibrium lists. */
static void equilibrium_lists_reactions(void **state) {
  (void)state;
  run r = start("<mechanism gravity='0 -9.81 0 m/s^2'>"
                "<body id='rod' mass='3 kg' com='0 -0.4 0 m' inertia='0.28 0.05 0.3 kg.m^2'/>"
                "<joint id='j' kind='revolute' axis='0 0 1' parent='world' child='rod' q0='20 deg' "
                "stiffness='6 N.m/rad' rest='40 deg'/></mechanism>",
                1e-9, 1e-11);
  sb_equilibrium *e = NULL;
  sb_error err = {0};
  ok(sb_equilibrium_find(r.sim, NULL, 0, &e, &err), &err);
  assert_int_equal(e->reaction_count, 6);
  assert_string_equal(e->reactions[0].unit, "N");
  assert_string_equal(e->reactions[3].unit, "N.m");
  assert_near(e->reactions[1].value, 3 * g, 1e-9);
  assert_near(e->reactions[5].value, 3 * g * 0.4 * sin(e->states[0].value), 1e-9);
  sb_equilibrium_destroy(e);
  stop(&r);
}

/** Every number has its unit. */
static void units(void **state) {
  static const struct {
    const char *name, *unit[3];
  } rows[] = {{"slide.q", {"rad", "m"}}, {"slide.w", {"rad/s", "m/s"}}, {"hinge.q", {"rad"}},
              {"hinge.w", {"rad/s"}},    {"hinge.p", {"N.m.s"}},        {"slide.p2", {"N.s"}},
              {"ball.q", {"", ""}},      {"ball.w", {"rad/s"}},         {"ball.q2", {""}},
              {"slide.force", {"N"}},    {"slide.moment", {"N.m"}},     {"rod.position", {"m"}}};
  (void)state;
  run r = prepare_inside("<mechanism><body id='rod' mass='3 kg' inertia='1 1 1 kg.m^2'/>"
                         "<body id='b' mass='3 kg' inertia='1 1 1 kg.m^2'/>"
                         "<body id='c' mass='3 kg' inertia='1 1 1 kg.m^2'/>"
                         "<joint id='hinge' kind='revolute' parent='world' child='rod'/>"
                         "<joint id='slide' kind='cylindrical' parent='rod' child='b'/>"
                         "<joint id='ball' kind='spherical' parent='b' child='c'/>"
                         "</mechanism>");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    sb_quantity quantity;
    sb_error err = {0};
    ok(sb_model_find(r.model, rows[i].name, &quantity, &err), &err);
    for (int k = 0; k < 3 && rows[i].unit[k] != NULL; k++) {
      char unit[64];
      assert_string_equal(sb_unit_of_component(quantity.unit, k, unit), rows[i].unit[k]);
    }
  }
  stop(&r);
}

static void refuse(const char *text, const char *message, const char *hint) {
  run r = prepare_inside("<mechanism><body id='rod' mass='3 kg' inertia='1 1 1 kg.m^2'/>"
                         "<joint id='hinge' kind='revolute' parent='world' child='rod'/>"
                         "</mechanism>");
  sb_quantity quantity;
  sb_error err = {0};
  assert_int_equal(sb_model_find(r.model, text, &quantity, &err), SB_ERR_REFERENCE);
  assert_string_equal(err.text, message);
  assert_string_equal(err.hint, hint);
  stop(&r);
}

static void unknown_names(void **state) {
  (void)state;
  refuse("hinge.force(rid)", "there is no body or frame 'rid' whose axes 'hinge.force(rid)' names",
         "did you mean 'rod'?");
  refuse("hinge.force(hand)",
         "there is no body or frame 'hand' whose axes 'hinge.force(hand)' names",
         "axes are those of a body, a ground or a frame, or of the world");
  refuse("rod.position(rod)", "'rod.position' has no components in the axes of a frame",
         "velocities, momenta, forces and moments have");
  refuse("hinge.forse", "'hinge' has no quantity 'forse'", "did you mean 'force'?");
  refuse("hinge.load", "'hinge' has no quantity 'load'", "it has: force, moment, w, q, p");
}

/** Bodies that are all fixed to the world are a base without a state: it carries what stands on it and what is hung from it, here
 *  1 kg on 2 kg, pulled up by 9 N, and a ball of 3 kg that a bushing of 40 N/m holds, from rest where the bushing is without force:
 *  it falls by m g/k (1 - cos(w t)), w^2 = k/m. */
static void a_base_without_states(void **state) {
  (void)state;
  run r = go("<mechanism gravity='0 0 -9.81 m/s^2'><body id='b' mass='2 kg' inertia='1 1 1'/>"
             "<body id='c' mass='1 kg' inertia='1 1 1'/><joint id='f' kind='fixed' parent='world' "
             "child='b'/><joint id='h' kind='fixed' parent='b' child='c' at='0 0 0.3 m'/>"
             "<Wrench id='w' on='c' force-z='9[N]'/>"
             "<body id='ball' mass='3 kg' inertia='1 1 1'/><Bushing id='s' from='b' to='ball' "
             "stiffness='40 40 40 N/m'/></mechanism>",
             0);
  for (int k = 0; k < 3; k++) {
    const double t = 0.21 * k, fall = 3 * g / 40 * (1 - cos(sqrt(40.0 / 3) * t));
    advance(&r, t);
    assert_near(component(&r, "ball.position", 2), -fall, 1e-8);
    assert_near(component(&r, "c.position", 2), 0.3, 1e-15);
    assert_near(component(&r, "h.force", 2), g - 9, 1e-12);
    assert_near(component(&r, "f.force", 2), 3 * g - 9 + 40 * fall, 1e-6);
  }
  assert_balanced(&r);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pendulum),
      cmocka_unit_test(locked_and_stopped),
      cmocka_unit_test(two_links),
      cmocka_unit_test(fixed_payload),
      cmocka_unit_test(statics_of_a_loop),
      cmocka_unit_test(redundant_loop_carries_the_least),
      cmocka_unit_test(least_norm_turns_with_the_scene),
      cmocka_unit_test(momenta_change_by_what_joints_carry),
      cmocka_unit_test(arm_on_the_floor),
      cmocka_unit_test(motor_behind_a_gear),
      cmocka_unit_test(friction_that_holds),
      cmocka_unit_test(equilibrium_lists_reactions),
      cmocka_unit_test(a_base_without_states),
      cmocka_unit_test(units),
      cmocka_unit_test(unknown_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
